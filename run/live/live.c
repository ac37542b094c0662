/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gives edited documents to the clients that run them. The new program is a
 * version of the document, swapped in at once or at the next iteration; values
 * of contexts follow it (params.h). Undo and redo are edits like others.
 */
#include "run/live/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "engine/client/control.h"
#include "engine/compile/program.h"
#include "parser/document/edit.h"
#include "run/live/params.h"
#include "run/live/session.h"
#include "run/live/tweak_edits.h"
#include "run/plan.h"

/* True if the texts are equal. NULL: no annotations. */
static bool
same_batch_annotations(
    const struct batch_annotations *a, const struct batch_annotations *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct field *x = &a->list[i].text, *y = &b->list[i].text;

		if (x->len != y->len || memcmp(x->s, y->s, x->len) != 0)
			return false;
	}
	return true;
}

static bool
same_annotations(const struct program *a, const struct program *b)
{
	if (a->annotations == NULL || b->annotations == NULL)
		return a->annotations == b->annotations;
	for (uint32_t i = 0; i < a->n_ops; i++) {
		if (!same_batch_annotations(
			a->annotations[i], b->annotations[i]))
			return false;
	}
	return true;
}

/* True if the version has the same lines, not only equal ones: only comments
 * have changed, or an edit was undone. */
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

/* Finds the next workload of a document; *i is one more than its number. */
static bool
next_workload(const struct session *s, size_t source, size_t *i)
{
	while (*i < s->plan->n_sources)
		if (plan_document(s->plan, (*i)++) == source)
			return true;
	return false;
}

static bool
swap_document(struct session *s, size_t source, const struct program *program,
    bool at_once, struct text *why)
{
	size_t i = source;
	bool ok = true;

	while (ok && next_workload(s, source, &i))
		ok = swap_workload(s, i - 1, program, at_once, why);
	return ok;
}

static void
apply_params_everywhere(
    struct session *s, size_t source, const struct param_steps *was)
{
	size_t i = source;

	while (next_workload(s, source, &i))
		params_apply(s, i - 1, was);
}

/* Call before a swap, which may free the version. */
static void
collect_newest(const struct session *s, const struct document *doc,
    struct param_steps *was)
{
	const struct versioned *of = versions_of(&s->run.versions, doc);

	if (of != NULL && of->newest != NULL)
		param_steps_collect(was, of->newest);
}

/* The next client of the document that a swap is for; NULL: none. */
static const struct client *
next_live_client(const struct session *s, size_t source, size_t *i)
{
	const struct sim *sim = s->run.sim;

	while (*i < sim->n_clients) {
		const struct client *c = sim->clients[(*i)++];

		if (plan_document(s->plan, client_workload(c)) == source &&
		    !c->killed && c->state != CLIENT_ENDED &&
		    c->state != CLIENT_DRAINING)
			return c;
	}
	return NULL;
}

/* True if all clients run the program, and have no other one to come. */
static bool
all_run(const struct session *s, size_t source, const struct program *program)
{
	const struct client *c;
	size_t i = 0;

	while ((c = next_live_client(s, source, &i)) != NULL)
		if (client_program(c) != program ||
		    c->walker->next_instance != NULL)
			return false;
	return true;
}

/* True if all clients can go on in the program at their step. Clients of one
 * program are checked once. */
static bool
all_have_shape(
    const struct session *s, size_t source, const struct program *program)
{
	const struct program *last = NULL;
	const struct client *c;
	size_t i = 0;

	while ((c = next_live_client(s, source, &i)) != NULL) {
		const struct program *own = client_program(c);

		if (own != last && !program_same_shape(own, program))
			return false;
		last = own;
	}
	return true;
}

static enum live_result
take_text_over(struct session *s, size_t source, struct program *program,
    enum live_when when, struct text *why)
{
	const struct document *doc = s->plan->sources[source].doc;
	struct version *same = find_same(s, doc, program);
	const struct program *wanted = same != NULL ? same->program : program;
	struct param_steps was = {0};
	bool at_once = when == LIVE_AT_ONCE, ok;

	if (same != NULL && version_is_newest(same) &&
	    (!at_once || all_run(s, source, wanted)))
		return LIVE_SAME;
	if (when == LIVE_IN_PLACE)
		at_once = all_have_shape(s, source, wanted);
	collect_newest(s, doc, &was);
	ok = swap_document(s, source, wanted, at_once, why);
	if (ok)
		apply_params_everywhere(s, source, &was);
	param_steps_free(&was);
	return ok ? LIVE_TAKEN : LIVE_BAD;
}

static void
set_waiting(struct session *s, size_t source, bool waiting)
{
	size_t i = source;

	while (next_workload(s, source, &i))
		s->plan->sources[i - 1].waiting = waiting;
}

/* Launches the clients of a document that waited, with this program. */
static enum live_result
start_clients(struct session *s, size_t source, const struct program *program,
    struct text *why)
{
	size_t i = source;
	bool ok;

	set_waiting(s, source, false);
	ok = swap_document(s, source, program, false, why);
	while (ok && next_workload(s, source, &i))
		ok = session_start_clients(s, i - 1, why);
	if (!ok)
		set_waiting(s, source, true);
	return ok ? LIVE_STARTED : LIVE_BAD;
}

static void
add_line_text(const struct line *line, struct text *out)
{
	size_t before = out->len;

	tweak_add_line(out, line);
	if (out->len == before)
		text_adds(out, "an empty line");
}

/* The line may have been the last one, and be gone. */
static void
add_line_place(const struct document *doc, size_t line, struct text *out)
{
	if (line < document_n_lines(doc))
		text_addf(out, "line %zu", tweak_row(doc, line));
	else
		text_adds(out, "the end");
}

/* again: an undo or redo, after which a line is there that was there before. */
static void
describe_edit(const struct document *doc, const struct edit_effect *effect,
    bool again, struct text *out)
{
	if (effect->was != NULL)
		add_line_text(effect->was, out);
	if (effect->was != NULL && effect->is != NULL)
		text_adds(out, " -> ");
	if (effect->is != NULL)
		add_line_text(effect->is, out);
	if (effect->was == NULL)
		text_adds(out, again ? " restored at " : " inserted at ");
	else if (effect->is == NULL)
		text_adds(out, again ? " removed from " : " deleted from ");
	else
		text_adds(out, " at ");
	add_line_place(doc, effect->line, out);
	if (effect->n > 1)
		text_addf(out, ", and %zu more line%s", effect->n - 1,
		    effect->n == 2 ? "" : "s");
}

/* Takes the text of a document over. what: how it was changed. */
static enum live_result
document_changed(struct session *s, size_t source, enum live_when when,
    const char *what, struct text *said)
{
	struct program *program = session_compile_document(s, source);
	struct text *problem = &session_document_state(s, source)->problem;
	enum live_result result = LIVE_BAD;

	/* A text that is begun has steps that set up contexts first: its
	 * clients would only count iterations. */
	if (program != NULL && s->plan->sources[source].waiting)
		result = plan_takes_time(s->plan, &s->plan->sources[source])
		    ? start_clients(s, source, program, problem)
		    : LIVE_SAME;
	else if (program != NULL)
		result = take_text_over(s, source, program, when, problem);
	program_free(program);
	if (problem->len == 0 && result == LIVE_BAD)
		return LIVE_SAME; /* the document still has no step */
	if (result == LIVE_BAD)
		text_addf(said, "not run, %s", text_str(problem));
	else
		text_clear(problem);
	if (result == LIVE_TAKEN || result == LIVE_STARTED)
		changes_add(&s->changes, s->run.sim, "%s", what);
	return result;
}

void
session_describe_edit(const struct session *s, size_t source, struct text *out)
{
	const struct document *doc = s->plan->sources[source].doc;
	struct edit_effect effect;

	if (edit_redone(doc, &effect))
		describe_edit(doc, &effect, false, out);
	else
		text_adds(out, "the text was read again");
}

enum live_result
session_document_changed(
    struct session *s, size_t source, enum live_when when, struct text *said)
{
	enum live_result result;
	struct text what = {0};

	session_describe_edit(s, source, &what);
	result = document_changed(s, source, when, text_str(&what), said);
	text_free(&what);
	return result;
}

const struct context *
live_find_context(const struct client *c, uint32_t number)
{
	return client_find_context(c, number);
}

size_t
live_step_of_client(const struct session *s, const struct client *c)
{
	const struct version *version = versions_find(
	    &s->run.versions, client_program(c));
	size_t step = 0;

	if (version == NULL)
		return 0;
	for (uint32_t pc = c->walker->pc; pc < version->program->n_ops; pc++)
		if (version_step_now(version, pc, &step))
			return step;
	return document_n_steps(version->of->doc);
}

bool
session_undo(struct session *s, size_t source, enum live_when when,
    enum live_result *result, struct text *said)
{
	struct document *doc = s->plan->sources[source].doc;
	struct edit_effect effect;
	struct text why = {0};

	if (!edit_undo(doc))
		return false;
	if (edit_undone(doc, &effect))
		describe_edit(doc, &effect, true, said);
	*result = document_changed(s, source, when, text_str(said), &why);
	text_free(&why);
	return true;
}

bool
session_redo(struct session *s, size_t source, enum live_when when,
    enum live_result *result, struct text *said)
{
	struct document *doc = s->plan->sources[source].doc;
	struct edit_effect effect;
	struct text why = {0};

	if (!edit_redo(doc))
		return false;
	if (edit_redone(doc, &effect))
		describe_edit(doc, &effect, true, said);
	*result = document_changed(s, source, when, text_str(said), &why);
	text_free(&why);
	return true;
}
