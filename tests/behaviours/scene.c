/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/behaviours/scene.h"

#include <math.h>

#include "engine/sched/steps.h"
#include "parser/document/document.h"

const char *const ideal_engines[N_ENGINES] = {
    "RCS", "BCS", "VCS1", "VCS2", "VECS1", "VECS2", "CCS"};

char *
text_on_engine(const char *format, const char *engine)
{
	struct text t = {0};

	for (const char *c = format; *c != '\0'; c++) {
		if (*c == '@')
			text_adds(&t, engine);
		else
			text_addc(&t, *c);
	}
	return t.data;
}

void
scene_client(struct lab *lab, const char *text)
{
	const struct sched_ops *sched = lab->config.sched;
	struct text why = {0};

	lab_add(lab, text, 1, (struct client_options){.repeat = 1});
	if (!sched_accepts(sched, lab->programs[lab->n_programs - 1],
		&lab->config.profile, &why))
		fail_msg(
		    "%s refuses '%s': %s", sched->name, text, text_str(&why));
}

void
scene_start(struct lab *lab, const char *sched, const char *text)
{
	lab_init(lab, sched);
	scene_client(lab, text);
}

void
scene_run(struct lab *lab, const char *sched, const char *text)
{
	scene_start(lab, sched, text);
	assert_int_equal(sim_run(lab->sim, NSEC_NEVER, 0), SIM_DONE);
}

void
scene_clock(struct lab *lab)
{
	scene_client(lab, "d.1000000000");
}

void
scene_client_on(struct lab *lab, const char *format, const char *engine)
{
	char *text = text_on_engine(format, engine);

	scene_client(lab, text);
	scene_clock(lab);
	free(text);
}

void
scene_go_on(struct lab *lab, nsec time)
{
	lab_run(lab, lab->sim->now + time);
}

void
scene_timeouts(struct lab *lab)
{
	struct profile *p = &lab->config.profile;

	p->preempt_timeout_ns = MS(640);
	p->preempt_timeout_compute_ns = MS(7500);
	p->heartbeat_ns = MS(2500);
	p->engine_reset_ns = MS(1);
	p->full_reset_ns = MS(20);
}

void
scene_preempt_timeout(struct lab *lab, nsec timeout)
{
	lab->config.profile.preempt_timeout_ns = timeout;
	lab->config.profile.preempt_timeout_compute_ns = timeout;
}

size_t
index_of(const struct lab *lab, unsigned context)
{
	for (size_t i = 0; i < lab->n_rows; i++) {
		if (lab->rows[i].context == context)
			return i;
	}
	fail_msg("no batch of context %u", context);
	return 0;
}

const struct lab_row *
nth(const struct lab *lab, unsigned context, unsigned n)
{
	for (size_t i = 0; i < lab->n_rows; i++) {
		if (lab->rows[i].context == context && n-- == 0)
			return &lab->rows[i];
	}
	fail_msg("context %u has fewer batches", context);
	return NULL;
}

const struct lab_row *
first(const struct lab *lab, unsigned context)
{
	return nth(lab, context, 0);
}

void
scene_end(struct lab *lab, unsigned context)
{
	lab_end(lab, index_of(lab, context));
}

void
expect_ended(const struct lab_row *row, int error)
{
	assert_int_not_equal(row->end, NSEC_NEVER);
	assert_int_equal(row->error, error);
}

void
expect_before(const struct lab_row *a, const struct lab_row *b)
{
	assert_true(a->end != NSEC_NEVER);
	assert_true(a->end <= b->start);
}

bool
is_busy(const struct lab_row *row)
{
	return row->start != NSEC_NEVER && row->end == NSEC_NEVER;
}

void
expect_all_met(const struct lab *lab, unsigned from, unsigned to)
{
	nsec last_start = 0, first_end = NSEC_NEVER;

	for (unsigned i = from; i <= to; i++) {
		const struct lab_row *row = first(lab, i);

		if (row->start > last_start)
			last_start = row->start;
		if (row->end < first_end)
			first_end = row->end;
	}
	assert_true(last_start < first_end);
}

nsec
busy_of(const struct lab *lab, unsigned client, unsigned context)
{
	const struct client *c = lab->sim->clients[client];

	for (uint32_t i = 0; i < c->n_contexts; i++) {
		if (c->contexts[i]->def->number == context)
			return sim_context_busy(lab->sim, c->contexts[i]);
	}
	fail_msg("no context %u", context);
	return 0;
}

void
expect_fair(const struct lab *lab, unsigned from, unsigned to, nsec run)
{
	nsec least = NSEC_NEVER, most = 0;

	for (unsigned i = from; i <= to; i++) {
		nsec busy = busy_of(lab, 0, i);

		least = busy < least ? busy : least;
		most = busy > most ? busy : most;
	}
	assert_true((double)(most - least) < 4e6 * sqrt((double)run / 1e6));
}

void
expect_busy_class(
    const struct lab *lab, enum engine_class engine_class, nsec run)
{
	const struct device *dev = &lab->sim->device;

	for (unsigned i = 0; i < dev->n_engines; i++) {
		const struct hw_engine *e = &dev->engines[i];

		if (e->class == engine_class)
			assert_true(
			    hw_engine_busy(e, lab->sim->now) >= run / 100 * 85);
	}
}

/* Compiles for the lab's device; all messages in out. */
static struct program *
compile(const struct lab *lab, const char *text, struct text *out)
{
	struct document *doc = document_parse(
	    "test", text, strlen(text), SOURCE_INLINE);
	const struct document *docs[] = {doc};
	const struct diag_list *own = document_diagnostics(doc);
	struct diag_list diags = {0};
	struct device dev;

	device_init(&dev, &lab->config.profile);

	struct program_options options = {.duration_scale = 1,
	    .delay_scale = 1,
	    .all_slices = device_all_slices(&dev)};
	struct program *p = program_compile(docs, 1, &dev, &options, &diags);

	for (size_t i = 0; i < own->n; i++)
		document_explain(doc, &own->list[i], out);
	for (size_t i = 0; i < diags.n; i++)
		document_explain(doc, &diags.list[i], out);
	diag_list_free(&diags);
	document_free(doc);
	return p;
}

static void
expect_says(const struct text *said, const char *text, const char *what)
{
	if (strstr(text_str(said), what) == NULL)
		print_error(
		    "'%s': no '%s' in '%s'\n", text, what, text_str(said));
	assert_non_null(strstr(text_str(said), what));
}

void
expect_refused(const struct lab *lab, const char *text, const char *what)
{
	struct text said = {0};
	struct program *p = compile(lab, text, &said);

	if (p != NULL)
		print_error("'%s' compiles\n", text);
	assert_null(p);
	expect_says(&said, text, what);
	text_free(&said);
}

void
expect_not_accepted(const char *sched, const char *text, const char *what)
{
	struct text said = {0};
	struct program *p;
	struct lab lab;

	lab_init(&lab, sched);
	p = lab_compile(&lab, text);
	assert_non_null(p);
	assert_false(
	    sched_accepts(lab.config.sched, p, &lab.config.profile, &said));
	expect_says(&said, text, what);
	text_free(&said);
	program_free(p);
}

void
expect_taken(const struct lab *lab, const char *text)
{
	struct text said = {0};
	struct program *p = compile(lab, text, &said);

	if (p == NULL)
		print_error("'%s': %s\n", text, text_str(&said));
	assert_non_null(p);
	text_free(&said);
	program_free(p);
}
