/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/lab.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
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

char *
lab_rows_text(const struct lab *lab)
{
	struct text t = {0};

	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *r = &lab->rows[i];

		text_addf(
		    &t, "%s%u %s ", i > 0 ? "; " : "", r->step, r->engine);
		if (r->end == NSEC_NEVER)
			text_adds(&t, "-");
		else
			text_addf(&t, "%g %g %g", (double)r->ready / 1e3,
			    (double)r->start / 1e3, (double)r->end / 1e3);
	}
	if (t.data == NULL)
		return mem_strdup("");
	return t.data;
}

void
lab_expect(struct lab *lab, const char *rows, nsec elapsed_us)
{
	char *got;

	assert_int_equal(sim_run(lab->sim, NSEC_NEVER, 0), SIM_DONE);
	got = lab_rows_text(lab);
	assert_string_equal(got, rows);
	assert_int_equal(lab->sim->now, elapsed_us * NSEC_PER_USEC);
	free(got);
}

void
lab_expect_run(const char *sched, const char *descriptor, unsigned clones,
    uint64_t repeat, const char *rows, nsec elapsed_us)
{
	struct lab lab;

	lab_start(&lab, sched, descriptor, clones, repeat);
	lab_expect(&lab, rows, elapsed_us);
	lab_free(&lab);
}

void
lab_expect_same_in_slices(const char *sched, const char *descriptor)
{
	struct lab whole, sliced;
	char *a, *b;

	lab_start(&whole, sched, descriptor, 3, 20);
	assert_int_equal(sim_run(whole.sim, NSEC_NEVER, 0), SIM_DONE);
	lab_start(&sliced, sched, descriptor, 3, 20);
	for (nsec t = 1; sim_run(sliced.sim, t, 1) == SIM_RUNNING; t += 333)
		assert_true(sliced.sim->now <= t);
	a = lab_rows_text(&whole);
	b = lab_rows_text(&sliced);
	assert_string_equal(a, b);
	assert_int_equal(whole.sim->now, sliced.sim->now);
	free(a);
	free(b);
	lab_free(&whole);
	lab_free(&sliced);
}

char *
lab_deadlock(struct lab *lab)
{
	struct text t = {0};

	assert_int_equal(sim_run(lab->sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	sim_explain_deadlock(lab->sim, &t);
	return t.data != NULL ? t.data : mem_strdup("");
}

void
lab_expect_deadlock(const char *sched, const char *descriptor,
    const char *background, const char *why)
{
	struct lab lab;
	char *said;

	lab_start(&lab, sched, descriptor, 1, 1);
	if (background != NULL)
		lab_add(&lab, background, 1,
		    (struct client_options){.background = true});
	said = lab_deadlock(&lab);
	if (strstr(said, why) == NULL)
		fail_msg("'%s' is not in '%s'", why, said);
	free(said);
	lab_free(&lab);
}

static char *
ends_text(const struct lab *lab)
{
	struct text t = {0};

	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *r = &lab->rows[i];

		text_addf(&t, "%s%u %s ", i > 0 ? "; " : "", r->step,
		    r->engine[0] != '\0' ? r->engine : "-");
		if (r->end == NSEC_NEVER)
			text_adds(&t, "- ");
		else
			text_addf(&t, "%.12g ", (double)r->end / 1e3);
		text_adds(
		    &t, r->error == 0 ? "ok" : strerrorname_np(-r->error));
	}
	return t.data;
}

void
lab_expect_ends(struct lab *lab, const char *ends)
{
	char *got;

	assert_int_equal(sim_run(lab->sim, NSEC_NEVER, 0), SIM_DONE);
	got = ends_text(lab);
	assert_string_equal(got, ends);
	free(got);
}

void
lab_init_timeouts(struct lab *lab, const char *sched)
{
	lab_init(lab, sched);
	lab->config.profile.preempt_timeout_ns = 640 * NSEC_PER_MSEC;
	lab->config.profile.preempt_timeout_compute_ns = 7500 * NSEC_PER_MSEC;
	lab->config.profile.heartbeat_ns = 2500 * NSEC_PER_MSEC;
}

void
lab_expect_hangs(const char *sched, const char *descriptor, const char *ends)
{
	static const struct client_options once = {.repeat = 1};
	struct lab lab;

	lab_init_timeouts(&lab, sched);
	lab_add(&lab, descriptor, 1, once);
	lab_expect_ends(&lab, ends);
	lab_free(&lab);
}
