/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents of a session: why one does not run, and which line a request was
 * submitted from. */
#include "run/live/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stop.h"
#include "base/text.h"
#include "engine/client/origin.h"
#include "engine/compile/program.h"
#include "run/live/session.h"
#include "run/plan.h"

static const struct diag *
first_compile_error(const struct diag_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->list[i].severity == DIAG_ERROR)
			return &list->list[i];
	return NULL;
}

/* Stores the first error, the document's own before the compiler's, as "line
 * 12: ...". False: none. */
static bool
tell_first_error(const struct document *doc, const struct diag_list *compiled,
    struct document_state *state)
{
	const struct diag *d = document_first_error(doc);
	size_t row, column;

	if (d == NULL)
		d = first_compile_error(compiled);
	if (d == NULL)
		return false;
	state->line = d->line;
	document_position(doc, d->line, d->col, &row, &column);
	text_addf(&state->problem, "line %zu: %s", row, d->message);
	return true;
}

/* Appends the first of the lines. */
static void
add_first_line(struct text *out, const struct text *lines)
{
	const char *s = text_str(lines);

	text_add(out, s, strcspn(s, "\n"));
}

/* Stores why the scheduler refuses the program. False: it does not. */
static bool
tell_refusal(const struct plan *plan, const struct source *from,
    const struct program *program, struct document_state *state)
{
	struct diag_list diags[2] = {{0}, {0}};
	bool refused = !plan_diagnose(
	    plan, from, program, diags, &state->problem);

	if (refused && state->problem.len == 0 &&
	    !tell_first_error(from->doc, &diags[0], state))
		text_addf(&state->problem, "-a: %s", diags[1].list[0].message);
	diag_list_free(&diags[0]);
	diag_list_free(&diags[1]);
	return refused;
}

/* True if the program cannot run though it compiles. */
static bool
is_refused(const struct session *s, size_t source,
    const struct program *program, struct document_state *state)
{
	const struct plan *plan = s->plan;
	const struct source *from = &plan->sources[source];

	if (plan_has_steps(plan, from))
		return tell_refusal(plan, from, program, state);
	/* Its clients would loop without end. A new source waits for its first
	 * step. */
	if (!from->waiting)
		text_adds(&state->problem,
		    "no step in the descriptor: "
		    "expected at least one, e.g. 1.RCS.1000.0.0");
	return true;
}

struct program *
session_compile_document(struct session *s, size_t source)
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
		    "compilation was stopped: the next edit compiles again");
	else if (program == NULL && !tell_first_error(doc, &diags, state))
		add_first_line(&state->problem, &rest);
	if (program != NULL && is_refused(s, source, program, state)) {
		program_free(program);
		program = NULL;
	}
	if (program != NULL)
		plan_gpu_notice(s->plan, &s->plan->sources[source], program,
		    &s->refusals.of_gpu);
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
	program = session_compile_document(s, source);
	can = program != NULL;
	s->plan->stop = stop;
	program_free(program);
	return can;
}

void
session_forget_documents(struct session *s)
{
	for (size_t i = 0; i < s->n_documents; i++)
		text_free(&s->documents[i].problem);
	free(s->documents);
	s->documents = NULL;
	s->n_documents = 0;
}

struct document_state *
session_document_state(struct session *s, size_t source)
{
	if (source >= s->n_documents) {
		s->documents = mem_realloc(
		    s->documents, s->plan->n_sources, sizeof(*s->documents));
		for (; s->n_documents < s->plan->n_sources; s->n_documents++)
			s->documents[s->n_documents] = (struct document_state){
			    0};
	}
	return &s->documents[source];
}

const char *
session_document_problem(const struct session *s, size_t source)
{
	if (source >= s->n_documents || s->documents[source].problem.len == 0)
		return NULL;
	return text_str(&s->documents[source].problem);
}

bool
session_problem_line(const struct session *s, size_t source, size_t *line)
{
	if (session_document_problem(s, source) == NULL ||
	    s->documents[source].line == SIZE_MAX)
		return false;
	*line = s->documents[source].line;
	return true;
}

size_t
session_first_line(const struct session *s, size_t source)
{
	const struct document *doc = s->plan->sources[source].doc;
	size_t line;

	if (session_problem_line(s, source, &line))
		return line;
	return document_n_steps(doc) > 0 ? document_line_of_step(doc, 0) : 0;
}

void
session_look_at_waiting(struct session *s)
{
	for (size_t i = 0; i < s->plan->n_sources; i++)
		if (s->plan->sources[i].waiting &&
		    plan_document(s->plan, i) == i)
			session_look_at_document(s, i);
}

bool
session_is_older(const struct session *s, const struct client *c)
{
	const struct version *version = versions_find(
	    &s->run.versions, client_program(c));

	return version != NULL && c->state != CLIENT_ENDED &&
	    !version_is_newest(version);
}

const char *
session_step_text(
    const struct session *s, const struct request *rq, size_t *len)
{
	const struct document *doc;
	const struct line *line = run_line(&s->run, s->plan, rq, &doc);

	if (line == NULL)
		return run_label_text(request_label(rq), len);
	return document_line_was(line, len);
}

const char *
session_past_step_text(
    const struct session *s, const struct trail_request *r, size_t *len)
{
	return run_past_step_text(&s->run, r, len);
}

bool
session_past_line(const struct session *s, const struct trail_request *r,
    size_t *source, size_t *line)
{
	const struct version *v;
	const struct line *then = run_past_line(&s->run, r, &v);

	if (then == NULL || !document_line_index(v->of->doc, then, line))
		return false;
	for (*source = 0; *source < s->plan->n_sources; ++*source)
		if (s->plan->sources[*source].doc == v->of->doc)
			return true;
	return false;
}

void
session_name_past(
    const struct session *s, const struct trail_request *r, struct text *out)
{
	struct batch_name name = batch_name_past(r);
	struct text step = {0};
	size_t len;
	const char *text = session_past_step_text(s, r, &len);

	text_add_visible(&step, text, len);
	batch_name_long(&name, text_str(&step), out);
	text_free(&step);
}
