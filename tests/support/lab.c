/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/explain/trail.h"
#include "engine/gpu/exec.h"
#include "parser/document/document.h"
#include "tests/runner/test.h"

static void
on_submitted(struct observer *o, struct request *rq)
{
	struct lab *lab = (struct lab *)(void *)o;

	lab->rows = mem_grow(
	    lab->rows, lab->n_rows, &lab->cap_rows, sizeof *lab->rows);
	lab->rows[lab->n_rows] = (struct lab_row){.client = rq->client->id,
	    .step = rq->origin.step,
	    .context = rq->context->def->number,
	    .iteration = rq->origin.iteration,
	    .allowed = rq->ring->def->engines,
	    .is_virtual = rq->ring->def->is_virtual,
	    .priority = rq->priority,
	    .submit = rq->submit_ns,
	    .ready = NSEC_NEVER,
	    .start = NSEC_NEVER,
	    .end = NSEC_NEVER,
	    .request = request_ref(rq)};
	rq->observer = lab->n_rows++;
}

static void
on_started(struct observer *o, struct request *rq)
{
	struct lab *lab = (struct lab *)(void *)o;
	struct lab_row *row = &lab->rows[rq->observer];

	row->ready = fence_time(&rq->queued);
	row->start = rq->client->sim->now;
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct lab *lab = (struct lab *)(void *)o;
	struct lab_row *row = &lab->rows[rq->observer];

	if (rq->engine != NULL)
		strcpy(row->engine, rq->engine->name);
	row->ready = fence_time(&rq->queued);
	row->start = fence_time(&rq->scheduled);
	row->end = fence_time(&rq->finished);
	row->run = rq->run_ns;
	row->preemptions = rq->preemptions;
	row->error = rq->finished.error;
}

static void
on_hung(struct observer *o, const struct hang *hang)
{
	struct lab *lab = (struct lab *)(void *)o;

	lab->hung++;
	lab->hang = *hang;
}

void
lab_init(struct lab *lab, const char *sched)
{
	struct text err = {0};

	memset(lab, 0, sizeof *lab);
	profile_init(&lab->config.profile);
	lab->config.sched = sched_find(sched, &err);
	assert_non_null(lab->config.sched);
	lab->config.seed = 1;
	lab->observer.submitted = on_submitted;
	lab->observer.started = on_started;
	lab->observer.ended = on_ended;
	lab->observer.hung = on_hung;
}

void
lab_free(struct lab *lab)
{
	sim_free(lab->sim);
	for (unsigned i = 0; i < lab->n_programs; i++)
		program_free(lab->programs[i]);
	free(lab->rows);
}

static void
print_problems(const struct document *doc, const struct diag_list *diags)
{
	const struct diag_list *own = document_diagnostics(doc);
	struct text t = {0};

	for (size_t i = 0; i < own->n; i++)
		document_explain(doc, &own->list[i], &t);
	for (size_t i = 0; i < diags->n; i++)
		document_explain(doc, &diags->list[i], &t);
	print_error("%s\n", text_str(&t));
	text_free(&t);
}

struct program *
lab_compile(const struct lab *lab, const char *text)
{
	struct document *doc = document_parse(
	    "test", text, strlen(text), SOURCE_INLINE);
	const struct document *docs[] = {doc};
	struct diag_list diags = {0};
	struct device dev;

	device_init(&dev, &lab->config.profile);

	struct program_options options = {.duration_scale = 1,
	    .delay_scale = 1,
	    .all_slices = device_all_slices(&dev)};
	struct program *p = program_compile(docs, 1, &dev, &options, &diags);

	if (p == NULL)
		print_problems(doc, &diags);
	diag_list_free(&diags);
	document_free(doc);
	return p;
}

void
lab_open(struct lab *lab)
{
	if (lab->sim != NULL)
		return;
	lab->sim = sim_new(&lab->config);
	sim_add_observer(lab->sim, &lab->observer);
}

void
lab_add(struct lab *lab, const char *text, unsigned clones,
    struct client_options options)
{
	struct program *p = lab_compile(lab, text);
	struct workload *w;

	assert_non_null(p);
	assert_in_range(
	    lab->n_programs, 0, sizeof lab->programs / sizeof(void *) - 1);
	lab_open(lab);
	lab->programs[lab->n_programs++] = p;
	w = sim_add_workload(lab->sim, text, p);
	for (unsigned i = 0; i < clones; i++)
		sim_add_client(lab->sim, w, &options);
}

void
lab_start(struct lab *lab, const char *sched, const char *text, unsigned clones,
    uint64_t repeat)
{
	lab_init(lab, sched);
	lab_add(lab, text, clones, (struct client_options){.repeat = repeat});
}

enum sim_state
lab_run_instants(
    struct sim *sim, nsec until, uint64_t n_instants, uint64_t max_events)
{
	assert_int_not_equal(
	    sim_run_instants(sim, until, n_instants, max_events), SIM_HELD);
	return sim->state;
}

enum sim_state
lab_step(struct sim *sim, enum sim_step what)
{
	const uint64_t *counter = what == SIM_STEP_BATCH
	    ? &sim->n_ended_requests
	    : &sim->n_iterations;
	uint64_t before = *counter, instant = sim->n_instants - 1;

	while (sim->n_instants != instant) {
		instant = sim->n_instants;
		lab_run_instants(sim, NSEC_NEVER, instant + 1, 0);
		if (what == SIM_STEP_EVENT || *counter != before)
			break;
	}
	return sim->state;
}

void
lab_run(struct lab *lab, nsec until)
{
	sim_run(lab->sim, until, 0);
	assert_int_equal(lab->sim->now, until);
}

void
lab_end(struct lab *lab, size_t row)
{
	struct request *rq = request_get(lab->rows[row].request);

	assert_non_null(rq);
	exec_terminate(lab->sim, rq, 0);
}

void
lab_add_us(struct text *t, nsec time)
{
	if (time == NSEC_NEVER)
		text_addc(t, '-');
	else
		text_addf(t, "%.12g", (double)time / 1e3);
}

static bool
add_column(struct text *t, const struct lab_row *r, const char *name)
{
	static const struct {
		const char *name;
		size_t at;
	} times[] = {{"submit", offsetof(struct lab_row, submit)},
	    {"ready", offsetof(struct lab_row, ready)},
	    {"start", offsetof(struct lab_row, start)},
	    {"end", offsetof(struct lab_row, end)},
	    {"run", offsetof(struct lab_row, run)}};

	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		if (strcmp(name, times[i].name) != 0)
			continue;
		lab_add_us(t,
		    *(const nsec *)(const void *)((const char *)r +
			times[i].at));
		return true;
	}
	if (strcmp(name, "client") == 0)
		text_addf(t, "%u", r->client);
	else if (strcmp(name, "step") == 0)
		text_addf(t, "%u", r->step);
	else if (strcmp(name, "preemptions") == 0)
		text_addf(t, "%u", r->preemptions);
	else if (strcmp(name, "engine") == 0)
		text_adds(t, *r->engine != '\0' ? r->engine : "-");
	else if (strcmp(name, "status") == 0)
		text_adds(t, r->error == 0 ? "ok" : strerrorname_np(-r->error));
	else
		return false;
	return true;
}

char *
lab_rows_text(const struct lab *lab, const char *columns)
{
	struct text t = {0};
	char name[16];
	int len;

	for (size_t i = 0; i < lab->n_rows; i++) {
		if (i > 0)
			text_addc(&t, ';');
		for (const char *at = columns;
		     sscanf(at, "%15s%n", name, &len) == 1; at += len) {
			text_adds(&t, t.len > 0 ? " " : "");
			if (!add_column(&t, &lab->rows[i], name)) {
				text_free(&t);
				return NULL;
			}
		}
	}
	return t.data != NULL ? t.data : mem_strdup("");
}

static void
expect_at_the_end(struct lab *lab, const char *columns, const char *rows)
{
	char *got;

	assert_int_equal(sim_run(lab->sim, NSEC_NEVER, 0), SIM_DONE);
	got = lab_rows_text(lab, columns);
	assert_string_equal(got, rows);
	free(got);
}

void
lab_expect(struct lab *lab, const char *rows, nsec elapsed_us)
{
	expect_at_the_end(lab, LAB_ROWS, rows);
	assert_int_equal(lab->sim->now, elapsed_us * NSEC_PER_USEC);
}

void
lab_expect_ends(struct lab *lab, const char *ends)
{
	expect_at_the_end(lab, LAB_ENDS, ends);
}

void
lab_expect_uses(const struct lab *lab, const struct trail *trail)
{
	const struct sim *sim = lab->sim;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct engine_times seen = trail_used(trail, i, sim->now);
		struct engine_times counted = hw_engine_times(
		    &sim->device.engines[i], sim->now);

		for (int use = 0; use < N_USES; use++)
			assert_int_equal(seen.ns[use], counted.ns[use]);
	}
}

void
lab_init_timeouts(struct lab *lab, const char *sched)
{
	lab_init(lab, sched);
	lab->config.profile.preempt_timeout_ns = 640 * NSEC_PER_MSEC;
	lab->config.profile.preempt_timeout_compute_ns = 7500 * NSEC_PER_MSEC;
	lab->config.profile.heartbeat_ns = 2500 * NSEC_PER_MSEC;
}
