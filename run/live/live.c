/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See live.h. */
#include "run/live/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stop.h"
#include "base/text.h"
#include "engine/client/control.h"
#include "engine/compile/program.h"
#include "parser/document/edit.h"
#include "run/live/launch.h"
#include "run/live/params.h"
#include "run/plan_files.h"

/* What is wrong. */

static const struct diag *
first_error(const struct diag_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->list[i].severity == DIAG_ERROR)
			return &list->list[i];
	return NULL;
}

/* After the document's own, as "line 12: ..."; false: there is none. */
static bool
tell_first_error(const struct document *doc, const struct diag_list *compiled,
    struct document_state *state)
{
	const struct diag *d = document_first_error(doc);
	size_t row, column;

	if (d == NULL)
		d = first_error(compiled);
	if (d == NULL)
		return false;
	state->line = d->line;
	document_position(doc, d->line, d->col, &row, &column);
	text_addf(&state->problem, "line %zu: %s", row, d->message);
	return true;
}

/* As one line. */
static void
add_first_line(struct text *out, const struct text *lines)
{
	const char *s = text_str(lines);

	text_add(out, s, strcspn(s, "\n"));
}

/* Is it refused, though it compiles? */
static bool
is_refused(const struct session *s, size_t source,
    const struct program *program, struct text *why)
{
	const struct plan *plan = s->plan;
	const struct source *from = &plan->sources[source];

	if (!plan_has_steps(plan, from)) {
		/* Clients would spin; for the first step one waits. */
		if (!from->waiting)
			text_adds(why, "there is no step");
		return true;
	}
	return plan->sched->accepts != NULL &&
	    !plan->sched->accepts(program, &plan->profile, why);
}

/* The document as it is now; NULL: its state says why it can't be run. */
static struct program *
look(struct session *s, size_t source)
{
	struct document_state *state = session_document_state(s, source);
	const struct document *doc = s->plan->sources[source].doc;
	struct diag_list diags = {0};
	struct text rest = {0};
	struct program *program = NULL;

	text_clear(&state->problem);
	state->line = SIZE_MAX;
	if (document_is_valid(doc))
		program = plan_compile(s->plan, source, &diags, &rest);
	if (program == NULL && stop_is_wanted(s->plan->stop))
		text_adds(&state->problem,
		    "compiling was stopped (the next edit compiles anew)");
	else if (program == NULL && !tell_first_error(doc, &diags, state))
		add_first_line(&state->problem, &rest);
	if (program != NULL &&
	    is_refused(s, source, program, &state->problem)) {
		program_free(program);
		program = NULL;
	}
	diag_list_free(&diags);
	text_free(&rest);
	return program;
}

bool
session_document_compiles(struct session *s, size_t source)
{
	struct diag_list diags = {0};
	struct text rest = {0};
	struct program *program = NULL;

	if (document_is_valid(s->plan->sources[source].doc))
		program = plan_compile(s->plan, source, &diags, &rest);
	program_free(program);
	diag_list_free(&diags);
	text_free(&rest);
	return program != NULL;
}

bool
session_look_at_document(struct session *s, size_t source)
{
	const struct stop *stop = s->plan->stop;
	struct program *program;
	bool can;

	s->plan->stop = NULL;
	program = look(s, source);
	can = program != NULL;
	s->plan->stop = stop;
	program_free(program);
	return can;
}

/* Taking over. */

static bool
same_annotations(const struct program *a, const struct program *b)
{
	if (a->annotations == NULL || b->annotations == NULL)
		return a->annotations == b->annotations;
	for (uint32_t i = 0; i < a->n_ops; i++) {
		const char *x = a->annotations[i], *y = b->annotations[i];

		if (x != y && (x == NULL || y == NULL || strcmp(x, y) != 0))
			return false;
	}
	return true;
}

/* The same lines, not only like ones: nothing has changed but comments, or
 * an edit was undone. */
static bool
same_text(const struct version *version, const struct document *doc,
    const struct program *program, const struct line **lines)
{
	size_t n = document_n_steps(doc);

	return version->of->doc == doc &&
	    version->program->n_ops == program->n_ops &&
	    memcmp(version->lines, lines, n * sizeof(*lines)) == 0 &&
	    same_annotations(version->program, program);
}

static struct version *
find_same(const struct session *s, const struct document *doc,
    const struct program *program)
{
	const struct versions *v = &s->run.versions;
	const struct line **lines = mem_calloc(
	    document_n_steps(doc) + 1, sizeof(*lines));
	struct version *same = NULL;

	document_list_steps(doc, lines);
	for (size_t i = 0; i < v->n && same == NULL; i++)
		if (same_text(v->list[i], doc, program, lines))
			same = v->list[i];
	free(lines);
	return same;
}

static bool
swap_workload(struct session *s, size_t source, const struct program *program,
    bool at_once, struct text *why)
{
	struct control control = {
	    .kind = CONTROL_SWAP,
	    .client = CONTROL_ALL,
	    .workload = (uint32_t)source,
	    .program = program,
	    .source = &s->plan->sources[source],
	    .at_once = at_once,
	};

	return session_control(s, &control, why);
}

/* The workloads of a document, one after the other. */
static bool
next_workload(const struct session *s, size_t source, size_t *i)
{
	while (*i < s->plan->n_sources)
		if (plan_document(s->plan, (*i)++) == source)
			return true;
	return false;
}

static bool
swap(struct session *s, size_t source, const struct program *program,
    bool at_once, struct text *why)
{
	size_t i = source;
	bool ok = true;

	while (ok && next_workload(s, source, &i))
		ok = swap_workload(s, i - 1, program, at_once, why);
	return ok;
}

static void
govern(struct session *s, size_t source, const struct governors *was)
{
	size_t i = source;

	while (next_workload(s, source, &i))
		govern_clients(s, i - 1, was);
}

/* Before others are given: the version may go when nobody runs it. */
static void
collect_newest(
    const struct session *s, const struct document *doc, struct governors *was)
{
	const struct versioned *of = versions_of(&s->run.versions, doc);

	if (of != NULL && of->newest != NULL)
		governors_collect(was, of->newest);
}

/* Clients of the document that a swap is for, one after the other. */
static const struct client *
next_client(const struct session *s, size_t source, size_t *i)
{
	const struct sim *sim = s->run.sim;

	while (*i < sim->n_clients) {
		const struct client *c = sim->clients[(*i)++];

		if (plan_document(s->plan, c->workload->id) == source &&
		    !c->killed && c->state != CLIENT_ENDED &&
		    c->state != CLIENT_DRAINING)
			return c;
	}
	return NULL;
}

/* Do all run it already, and are to go on with it? */
static bool
all_run(const struct session *s, size_t source, const struct program *program)
{
	const struct client *c;
	size_t i = 0;

	while ((c = next_client(s, source, &i)) != NULL)
		if (c->program != program || c->next_instance != NULL)
			return false;
	return true;
}

/* Clients often run the same program. */
static bool
all_have_shape(
    const struct session *s, size_t source, const struct program *program)
{
	const struct program *last = NULL;
	const struct client *c;
	size_t i = 0;

	while ((c = next_client(s, source, &i)) != NULL) {
		if (c->program != last &&
		    !program_same_shape(c->program, program))
			return false;
		last = c->program;
	}
	return true;
}

static enum live_result
take_over(struct session *s, size_t source, struct program *program,
    enum live_when when, struct text *why)
{
	const struct document *doc = s->plan->sources[source].doc;
	struct version *same = find_same(s, doc, program);
	const struct program *wanted = same != NULL ? same->program : program;
	struct governors was = {0};
	bool at_once = when == LIVE_AT_ONCE, ok;

	if (same != NULL && version_is_newest(same) &&
	    (!at_once || all_run(s, source, wanted)))
		return LIVE_SAME;
	if (when == LIVE_IN_PLACE)
		at_once = all_have_shape(s, source, wanted);
	collect_newest(s, doc, &was);
	ok = swap(s, source, wanted, at_once, why);
	if (ok)
		govern(s, source, &was);
	governors_free(&was);
	return ok ? LIVE_TAKEN : LIVE_BAD;
}

static void
set_waiting(struct session *s, size_t source, bool waiting)
{
	size_t i = source;

	while (next_workload(s, source, &i))
		s->plan->sources[i - 1].waiting = waiting;
}

/* Its workloads have no clients yet: they begin, with this text. */
static enum live_result
start(struct session *s, size_t source, const struct program *program,
    struct text *why)
{
	size_t i = source;
	bool ok;

	set_waiting(s, source, false);
	ok = swap(s, source, program, false, why);
	while (ok && next_workload(s, source, &i))
		ok = session_start_clients(s, i - 1, why);
	if (!ok)
		set_waiting(s, source, true);
	return ok ? LIVE_STARTED : LIVE_BAD;
}

enum live_result
session_document_changed(
    struct session *s, size_t source, enum live_when when, struct text *said)
{
	struct program *program = look(s, source);
	struct text *problem = &session_document_state(s, source)->problem;
	enum live_result result = LIVE_BAD;

	if (program != NULL && s->plan->sources[source].waiting)
		result = start(s, source, program, problem);
	else if (program != NULL)
		result = take_over(s, source, program, when, problem);
	program_free(program);
	if (problem->len == 0 && result == LIVE_BAD)
		return LIVE_SAME; /* it waits for its first step */
	if (result == LIVE_BAD)
		text_addf(said, "not run, %s", text_str(problem));
	else
		text_clear(problem);
	return result;
}

const struct context *
live_find_context(const struct client *c, uint32_t number)
{
	const struct context_def *defs = c->program->contexts;
	uint32_t low = 0, high = c->program->n_contexts;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (defs[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->program->n_contexts && defs[low].number == number
	    ? c->contexts[low]
	    : NULL;
}

size_t
live_step_of_client(const struct session *s, const struct client *c)
{
	const struct version *version = versions_find(
	    &s->run.versions, c->program);
	size_t step = 0;

	if (version == NULL)
		return 0;
	for (uint32_t pc = c->pc; pc < c->program->n_ops; pc++)
		if (version_step_now(version, pc, &step))
			return step;
	return document_n_steps(version->of->doc);
}
