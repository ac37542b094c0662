/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a varied plan: to the end of its warm-up, then to its own. */
#include "decide/variant.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "decide/backlog.h"
#include "decide/mix.h"
#include "decide/request_times.h"
#include "engine/sim.h"
#include "run/options.h"
#include "run/plan.h"

nsec
variant_end(const struct options *o)
{
	if (o->duration != NSEC_NEVER || o->repeat > 0)
		return o->duration;
	return nsec_after(o->warmup, DECISION_DURATION);
}

/* Sets the clients of each workload, if the options have a mix. */
static bool
vary_mix(struct plan *plan, const struct options *o, struct text *err)
{
	struct mix_field *mix;

	if (o == NULL || o->mix == NULL)
		return true;
	mix = mix_read_fixed(o->mix, plan->n_sources, err);
	for (size_t i = 0; mix != NULL && i < plan->n_sources; i++)
		plan->sources[i].clones = mix[i].fixed;
	free(mix);
	return mix != NULL;
}

/* Varies the plan. */
static bool
vary(struct plan *plan, const struct variant *variant, struct text *err)
{
	if (variant->options != NULL &&
	    !plan_vary(plan, variant->options, variant->knobs, err))
		return false;
	if (variant->clones == NULL && !vary_mix(plan, variant->options, err))
		return false;
	for (size_t i = 0; variant->clones != NULL && i < plan->n_sources; i++)
		plan->sources[i].clones = variant->clones[i];
	plan->seed += variant->seed_offset;
	return true;
}

/* Appends why a run has no figures; nothing if it has some. */
static void
explain_variant_failure(
    const struct sim *sim, const struct variant *variant, struct text *why)
{
	if (sim->state == SIM_DEADLOCK) {
		text_adds(why, "deadlock: ");
		sim_explain_deadlock(sim, why);
	} else if (sim->state == SIM_TIME_OVER) {
		sim_explain_time_over(sim, why);
	} else if (sim->now < variant->warmup) {
		text_adds(why, "the run ended before its warm-up");
	}
}

void
answer_fail(struct answer *a, const char *why)
{
	static const char name[] = "gpuwl-top: ";
	struct text line = {0};

	if (strncmp(why, name, strlen(name)) == 0)
		why += strlen(name);
	text_add_visible(&line, why, strcspn(why, "\n"));
	memset(a, 0, sizeof *a);
	a->failed = true;
	a->error = mem_strdup(text_str(&line));
	text_free(&line);
}

static void
run_variant(const struct plan *plan, struct sim *sim,
    const struct variant *variant, struct answer *a)
{
	struct warmup_totals since;
	struct request_times times;
	struct backlog backlog = {0};
	struct text why = {0};

	if (variant->warmup > 0)
		sim_run(sim, variant->warmup, 0);
	warmup_totals_take(&since, sim);
	request_times_begin(&times, sim);
	if (sim->state == SIM_RUNNING)
		backlog_run(&backlog, sim, variant->end);
	explain_variant_failure(sim, variant, &why);
	if (why.len > 0)
		answer_fail(a, text_str(&why));
	else
		trial_figures_take(&a->figures, plan, sim, &since, &times,
		    &backlog, sim->state == SIM_DONE);
	sim_remove_observer(sim, &times.observer);
	request_times_end(&times);
	warmup_totals_free(&since);
	text_free(&why);
}

void
variant_run(struct plan *plan, const struct variant *variant, struct answer *a)
{
	struct run run = {0};
	struct text err = {0};

	memset(a, 0, sizeof *a);
	if (vary(plan, variant, &err) && plan_launch(plan, &run, &err)) {
		run_variant(plan, run.sim, variant, a);
		run_free(&run);
	} else {
		answer_fail(a, text_str(&err));
	}
	text_free(&err);
}

void
answer_pack(const struct answer *a, struct text *out)
{
	text_addc(out, a->failed ? 'E' : 'F');
	if (a->failed)
		text_adds(out, a->error);
	else
		text_add(out, (const char *)&a->figures, sizeof a->figures);
}

bool
answer_unpack(struct answer *a, const char *bytes, size_t len)
{
	memset(a, 0, sizeof *a);
	if (len == 0)
		return false;
	a->failed = bytes[0] == 'E';
	if (a->failed) {
		a->error = mem_strndup(bytes + 1, len - 1);
		return true;
	}
	if (len != 1 + sizeof a->figures)
		return false;
	memcpy(&a->figures, bytes + 1, sizeof a->figures);
	return true;
}

void
answer_free(struct answer *a)
{
	free(a->error);
	a->error = NULL;
}
