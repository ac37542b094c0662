/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans that run on a real GPU (-D): its profile is the plan's, and a launched
 * run follows it.
 */
#include <poll.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "base/text.h"
#include "device/hardware/hardware.h"
#include "device/hardware/record.h"
#include "device/hardware/steps.h"
#include "engine/client/control.h"
#include "engine/follow/follow.h"
#include "parser/diag.h"
#include "run/plan.h"

/* Longest wait: signals are looked for between two waits. */
#define MAX_WAIT (50 * NSEC_PER_MSEC)

bool
plan_open_gpu(struct plan *plan, const char *filter, struct text *err)
{
	struct sim_config config = {0};
	struct hardware *gpu = mem_calloc(1, sizeof(*gpu));

	if (!hardware_open(gpu, filter, err)) {
		free(gpu);
		return false;
	}
	plan->gpu = gpu;
	record_configure(gpu, &config);
	plan->profile = config.profile;
	plan->sched = config.sched;
	return true;
}

bool
plan_gpu_accepts(const struct plan *plan, const struct program *program,
    const struct document *const *docs, struct diag_list *diags)
{
	return plan->gpu == NULL ||
	    hardware_accepts(plan->gpu, program, docs, diags);
}

void
plan_gpu_warn(const struct plan *plan, const struct program *program,
    const struct document *const *docs, struct diag_list *diags)
{
	if (plan->gpu != NULL)
		hardware_warn(plan->gpu, program, docs, diags);
}

void
plan_gpu_notice(const struct plan *plan, const struct source *source,
    const struct program *program, struct text *out)
{
	const struct document *docs[2] = {source->doc, plan->append};
	struct diag_list diags[2] = {{0}, {0}};

	plan_gpu_warn(plan, program, docs, diags);
	for (size_t i = 0; i < 2 && out->len == 0; i++)
		if (diags[i].n > 0)
			text_adds(out, diags[i].list[0].message);
	diag_list_free(&diags[0]);
	diag_list_free(&diags[1]);
}

/* Appends a warning, once, if the GPU lacks a feature that not a step asks
 * for. */
static void
warn_of_lack(
    const struct plan *plan, enum facts_feature feature, struct text *err)
{
	struct text words = {0}, line = {0};

	if (!hardware_grants(plan->gpu, feature, &words)) {
		text_addf(&line, "warning: %s", text_str(&words));
		source_add_line(err, text_str(&line));
	}
	text_free(&words);
	text_free(&line);
}

bool
plan_gpu_takes_options(const struct plan *plan, bool warnings, struct text *err)
{
	bool small = false, raised = false;
	struct text why = {0};

	for (size_t i = 0; i < plan->n_sources; i++) {
		small = small || plan->sources[i].small_sseu;
		raised = raised || plan->sources[i].priority > 0;
	}
	if (small && !facts_need(&plan->gpu->facts, FEATURE_SSEU, &why)) {
		source_add_line(err, text_str(&why));
		text_free(&why);
		return false;
	}
	if (warnings)
		warn_of_lack(plan, FEATURE_NON_PERSISTENT, err);
	if (warnings && raised)
		warn_of_lack(plan, FEATURE_RAISED_PRIORITY, err);
	return true;
}

void
plan_close_gpu(struct plan *plan)
{
	if (plan->gpu == NULL)
		return;
	hardware_close(plan->gpu);
	free(plan->gpu);
	plan->gpu = NULL;
}

const char *
plan_gpu_card(const struct plan *plan)
{
	return plan->gpu->node.card;
}

bool
run_follow_gpu(const struct plan *plan, struct run *run, struct text *err)
{
	struct text why = {0};

	/* Before the run begins, as it takes some milliseconds. */
	if (plan->counts_busyness)
		run_count_busyness(plan, run);
	run->record = record_new(plan->gpu, run->sim, &why);
	if (run->record == NULL)
		source_add_line(err, text_str(&why));
	text_free(&why);
	return run->record != NULL;
}

bool
run_gpu_allows(
    const struct run *run, const struct control *control, struct text *err)
{
	uint32_t all = device_all_slices(&run->sim->device);
	enum facts_feature feature;

	if (run->record == NULL)
		return true;
	if (control->kind == CONTROL_PRIORITY && control->value > 0)
		feature = FEATURE_RAISED_PRIORITY;
	else if (control->kind == CONTROL_SSEU && control->value >= 0 &&
	    (control->value & all) != all)
		feature = FEATURE_SSEU;
	else
		return true;
	return facts_need(&record_hardware(run->record)->facts, feature, err);
}

void
run_finish_gpu(struct run *run)
{
	record_finish(run->record);
}

void
run_leave_gpu(struct run *run)
{
	run_end_busyness(run);
	record_free(run->record);
	run->record = NULL;
}

nsec
run_look_at_gpu(struct run *run)
{
	return record_look(run->record);
}

const char *
run_gpu_failure(const struct run *run)
{
	return record_failure(run->record);
}

nsec
plan_gpu_error(const struct plan *plan)
{
	return plan->gpu->clock.error_ns;
}

int
run_gpu_fd(const struct run *run)
{
	return record_fd(run->record);
}

nsec
run_gpu_due(const struct run *run, nsec until)
{
	nsec due = nsec_earlier(sim_next_event(run->sim), until);

	return nsec_earlier(record_wall(run->record, due),
	    nsec_after(clock_wall(), record_patience(run->record)));
}

bool
run_gpu_is_idle(const struct run *run)
{
	return follow_counts(run->sim)->n_in_flight == 0;
}

void
run_hold_gpu(struct run *run, bool hold)
{
	follow_hold(run->sim, hold);
}

void
run_resume_gpu(struct run *run)
{
	if (run_gpu_is_idle(run))
		record_set_time(run->record, run->sim->now);
}

void
run_end_gpu_batches(struct run *run)
{
	record_end_batches(run->record);
}

void
run_wait_for_gpu(struct run *run, nsec now, nsec until)
{
	struct pollfd news = {.fd = record_fd(run->record), .events = POLLIN};
	nsec due = nsec_earlier(sim_next_event(run->sim), until);
	nsec most = nsec_earlier(record_patience(run->record), MAX_WAIT);
	nsec wait = nsec_earlier(due > now ? due - now : 0, most);
	struct timespec t = {
	    .tv_sec = (time_t)(wait / NSEC_PER_SEC),
	    .tv_nsec = (long)(wait % NSEC_PER_SEC),
	};

	if (wait > 0)
		ppoll(&news, 1, &t, NULL);
}
