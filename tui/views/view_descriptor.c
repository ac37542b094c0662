/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Descriptor view: shows one source at a time, follows the selection and
 * the step that the selected client is at, and scrolls so that the cursor's
 * line or the line being typed stays visible with its diagnostics. Rows are
 * drawn in descriptor_lines.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/plan.h"
#include "tui/views/descriptor.h"
#include "tui/views/list.h"

struct descriptor {
	struct view view;
	struct row_list list;
	size_t source;
	bool shown;         /* something was drawn */
	bool follows;       /* the selected client's step */
	bool marks_request; /* the line of the selected request is marked: */
	size_t request_line;
	uint64_t picked;  /* of the selection, as followed last */
	int skip;         /* columns scrolled to the right */
	struct area area; /* as drawn last */
	struct marks marks;
	size_t marked_source; /* whose marks these are, and their time */
	uint64_t marked_generation, marked_versions;
	uint64_t marked_events, marked_samples;
	struct run_diagnostics of_run; /* of the source shown */
	struct program_look program;
};

#define SCROLL 8 /* columns per key press */

static const struct document *
descriptor_document(const struct descriptor *d, const struct session *s)
{
	return s->plan->sources[d->source].doc;
}

/* Requests and clients that may be counted per tick. */
#define COUNT_PER_TICK 10000

/* Marks that take long to count are counted less often. */
static bool
marks_are_due(const struct descriptor *d, const struct session *s)
{
	size_t work = s->run.sim->n_clients + s->inflight.n;

	if (d->marks.of == NULL || d->marked_source != d->source ||
	    d->marked_generation != s->generation ||
	    d->marked_versions != s->run.versions.generation)
		return true;
	if (work < COUNT_PER_TICK)
		return d->marked_events != s->run.sim->n_events ||
		    d->marked_samples != s->samples;
	return s->samples - d->marked_samples > work / COUNT_PER_TICK;
}

static void
update_marks(struct descriptor *d, const struct session *s)
{
	if (!marks_are_due(d, s))
		return;
	marks_update(&d->marks, s, d->source);
	d->marked_source = d->source;
	d->marked_generation = s->generation;
	d->marked_versions = s->run.versions.generation;
	d->marked_events = s->run.sim->n_events;
	d->marked_samples = s->samples;
}

static void
select_line(const struct descriptor *d, struct selection *sel)
{
	sel->source = d->source;
	sel->line = d->list.cursor;
}

/* Selects the line that the user went to. */
static void
pick_line(struct descriptor *d, struct selection *sel)
{
	d->follows = false;
	select_line(d, sel);
	sel->by_line = true;
}

/* Takes over a source or line that an edit has selected. */
static void
show_selection(struct descriptor *d, const struct view_env *env)
{
	const struct selection *sel = env->selection;

	if (sel->source >= env->session->plan->n_sources ||
	    (sel->source == d->source && sel->line == d->list.cursor))
		return;
	if (sel->source != d->source)
		d->list = (struct row_list){.height = d->list.height};
	d->source = sel->source;
	d->list.cursor = sel->line;
}

/* Scrolls so that the line and the one before it are visible. */
static void
show_line(struct descriptor *d, size_t line)
{
	size_t above = line > 0 ? line - 1 : 0;

	d->list.cursor = line;
	if (above < d->list.top || line >= d->list.top + d->list.height)
		d->list.top = above;
	list_fit(&d->list, d->list.n, (int)d->list.height);
}

/* Finds the line of the selected request, and scrolls to it when the user has
 * selected another one elsewhere. */
static void
follow_selected(struct descriptor *d, const struct view_env *env)
{
	struct selection *sel = env->selection;
	size_t source, line;

	d->marks_request = selected_line(sel, env->session, &source, &line) &&
	    source == d->source;
	d->request_line = d->marks_request ? line : 0;
	if (d->picked == sel->picked)
		return;
	d->picked = sel->picked;
	if (env->focus || env->draft != NULL || !d->marks_request)
		return;
	d->list.n = document_n_lines(descriptor_document(d, env->session));
	show_line(d, line);
}

static struct line_look
look_of(const struct descriptor *d, const struct view_env *env)
{
	return (struct line_look){
	    .env = env,
	    .doc = descriptor_document(d, env->session),
	    .source = d->source,
	    .marks = &d->marks,
	    .of_run = &d->of_run.list,
	    .skip = d->skip,
	    .area = &d->area,
	};
}

/* Scrolls so that the line being typed, or else the cursor's, is visible with
 * its diagnostics. */
static void
fit_lines(struct descriptor *d, const struct line_look *look, struct area *a)
{
	const struct line_draft *draft = look->env->draft;
	int height = a->r.h - 1, rows;
	size_t top;

	list_fit(&d->list, document_n_lines(look->doc), height);
	if (draft != NULL) {
		top = draft->line;
		rows = draft_rows(look, a);
	} else if (d->list.n > 0) {
		top = d->list.cursor;
		rows = line_rows(look, top);
	} else {
		return;
	}
	while (
	    top > d->list.top && (rows += line_rows(look, top - 1)) <= height)
		top--;
	d->list.top = top;
}

/* Draws a line, or the draft in its place or before it; returns the row after
 * it. */
static int
draw_text_line(const struct descriptor *d, const struct line_look *look,
    struct area *a, int y, size_t line)
{
	const struct view_env *env = look->env;

	if (env->draft != NULL && env->draft->line == line) {
		y = draft_draw(look, a, y);
		if (!env->draft->is_new || line >= d->list.n || y >= a->r.h)
			return y;
	} else if (line >= d->list.n) {
		return y;
	}
	line_draw(look, a, y, line);
	if (env->focus && env->draft == NULL && line == d->list.cursor)
		paint(a, y, 0, a->r.w, ROLE_SELECTED_FOCUS);
	else if (d->marks_request && line == d->request_line)
		paint(a, y, 0, a->r.w, ROLE_SELECTED);
	line_draw_matches(look, a, y, line);
	draft_mark_target(look, a, y, line);
	return line_draw_diagnostics(look, a, y + 1, line);
}

static void
descriptor_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct descriptor *d = (struct descriptor *)v;
	const struct client *program = descriptor_program(env);
	struct line_look look;
	int y = 1;

	if (program != NULL) {
		descriptor_draw_program(&d->program, env, program, a);
		return;
	}
	d->area = *a;
	show_selection(d, env);
	follow_selected(d, env);
	look = look_of(d, env);
	update_marks(d, env->session);
	run_diagnostics_update(&d->of_run, env->session, d->source);
	fit_lines(d, &look, a);
	select_line(d, env->selection);
	lines_draw_title(&look, a);
	for (size_t line = d->list.top; line <= d->list.n && y < a->r.h; line++)
		y = draw_text_line(d, &look, a, y, line);
}

static void
show_document(struct descriptor *d, const struct session *s, size_t source)
{
	d->source = source % s->plan->n_sources;
	d->list = (struct row_list){
	    .n = document_n_lines(descriptor_document(d, s)),
	    .height = d->list.height};
	d->skip = 0;
	if (d->list.n > 0)
		show_line(d, session_first_line(s, d->source));
}

/* Shows the document `by` documents on; a file that several sources share is
 * one document. */
static void
show_other(struct descriptor *d, const struct session *s, size_t step)
{
	size_t n = s->plan->n_sources, source = d->source;

	do
		source = (source + step) % n;
	while (plan_document(s->plan, source) != source);
	show_document(d, s, source);
}

/* Returns the first source with an error, else 0. */
static size_t
find_problem(const struct session *s)
{
	size_t i = 0;

	while (i < s->plan->n_sources && session_document_problem(s, i) == NULL)
		i++;
	return i < s->plan->n_sources ? i : 0;
}

/* Keeps the selected client's step visible: when asked for, and while
 * single-stepping. */
static void
descriptor_tick(struct view *v, const struct view_env *env)
{
	struct descriptor *d = (struct descriptor *)v;
	const struct session *s = env->session;
	const struct document *doc;
	const struct version *version;
	const struct client *c;
	size_t step;

	show_selection(d, env);
	doc = descriptor_document(d, s);
	if (!(d->follows || (s->clock.paused && !env->focus)) ||
	    env->draft != NULL ||
	    env->selection->client >= s->run.sim->n_clients)
		return;
	c = s->run.sim->clients[env->selection->client];
	version = versions_find(&s->run.versions, client_program(c));
	if (version != NULL && version->of->doc == doc &&
	    client_op(c) != NULL &&
	    version_step_now(version, c->walker->pc, &step))
		show_line(d, document_line_of_step(doc, step));
	select_line(d, env->selection);
}

static void
descriptor_launched(struct view *v, const struct view_env *env)
{
	struct descriptor *d = (struct descriptor *)v;

	if (d->source >= env->session->plan->n_sources || !d->shown)
		show_document(d, env->session, find_problem(env->session));
	d->shown = true;
	select_line(d, env->selection);
}

/* Scrolls the text of a program, or shows a document in its place. */
static bool
act_on_program(struct descriptor *d, const struct view_env *env,
    const struct client *program, enum action action)
{
	struct program_look *look = &d->program;

	if (list_act(&look->list, action))
		return true;
	switch (action) {
	case ACT_LEFT: look->skip -= look->skip >= SCROLL ? SCROLL : 0; break;
	case ACT_RIGHT: look->skip += look->skip < 1 << 20 ? SCROLL : 0; break;
	case ACT_SOURCE_NEXT:
	case ACT_SOURCE_PREV:
		env->selection->document_over = program->id + 1;
		break;
	default: return action == ACT_FOLLOW;
	}
	return true;
}

/* Shows the next document, or the selected program again after the last. */
static void
show_other_or_program(
    struct descriptor *d, const struct view_env *env, bool next)
{
	struct selection *sel = env->selection;
	size_t was = d->source;

	show_other(
	    d, env->session, next ? 1 : env->session->plan->n_sources - 1);
	if (sel->document_over == sel->client + 1 &&
	    (next ? d->source <= was : d->source >= was))
		sel->document_over = 0;
}

static bool
descriptor_act(struct view *v, const struct view_env *env, enum action action)
{
	struct descriptor *d = (struct descriptor *)v;
	const struct client *program = descriptor_program(env);

	if (program != NULL)
		return act_on_program(d, env, program, action);
	show_selection(d, env);
	if (list_act(&d->list, action)) {
		pick_line(d, env->selection);
		return true;
	}
	switch (action) {
	case ACT_LEFT: d->skip -= d->skip >= SCROLL ? SCROLL : d->skip; break;
	case ACT_RIGHT: d->skip += d->skip < 1 << 20 ? SCROLL : 0; break;
	case ACT_FOLLOW: d->follows = !d->follows; return true;
	case ACT_SOURCE_NEXT:
	case ACT_SOURCE_PREV:
		show_other_or_program(d, env, action == ACT_SOURCE_NEXT);
		break;
	default: return false;
	}
	select_line(d, env->selection);
	return true;
}

/* A diagnostic's row belongs to the line above it. */
static bool
descriptor_mouse(
    struct view *v, const struct view_env *env, int x, int y, enum mouse what)
{
	struct descriptor *d = (struct descriptor *)v;
	struct line_look look;
	size_t line;
	int at = 1;

	(void)x;
	if (descriptor_program(env) != NULL)
		return list_mouse(&d->program.list, y, what);
	show_selection(d, env);
	look = look_of(d, env);
	list_fit(&d->list, document_n_lines(look.doc), (int)d->list.height);
	line = d->list.top;
	if (what != MOUSE_CLICK) {
		list_mouse(&d->list, y, what);
		select_line(d, env->selection);
		return true;
	}
	while (line < d->list.n && at + line_rows(&look, line) <= y)
		at += line_rows(&look, line++);
	if (y < 1 || line >= d->list.n)
		return false;
	d->list.cursor = line;
	pick_line(d, env->selection);
	return true;
}

static bool
descriptor_find(struct view *v, const struct view_env *env, const char *text,
    size_t from, int step)
{
	struct descriptor *d = (struct descriptor *)v;
	const struct document *doc = descriptor_document(d, env->session);
	const struct client *program = descriptor_program(env);
	struct needle needle = needle_of(text, strlen(text));

	if (program != NULL)
		return program_look_find(
		    &d->program, env, program, text, from, step);
	for (struct list_walk w = walk_begin(document_n_lines(doc), from, step);
	     walk_goes_on(&w); walk_step(&w)) {
		size_t len;
		const char *line = document_line_text(doc, w.at, &len);

		if (needle_find(&needle, line, len, 0) == NOWHERE)
			continue;
		d->list.cursor = w.at;
		pick_line(d, env->selection);
		return true;
	}
	return false;
}

bool
descriptor_next_problem(
    struct view *v, const struct view_env *env, size_t *line)
{
	struct descriptor *d = (struct descriptor *)v;
	const struct session *s = env->session;

	if (descriptor_program(env) != NULL)
		env->selection->document_over = env->selection->client + 1;
	show_selection(d, env);
	run_diagnostics_update(&d->of_run, s, d->source);
	if (!run_diagnostics_next(&d->of_run, descriptor_document(d, s),
		d->list.cursor + 1, line))
		return false;
	d->list.cursor = *line;
	pick_line(d, env->selection);
	return true;
}

static size_t
descriptor_place(const struct view *v)
{
	return ((const struct descriptor *)v)->list.cursor;
}

static int
descriptor_wants(const struct view *v, const struct view_env *env)
{
	const struct descriptor *d = (const struct descriptor *)v;
	size_t n = descriptor_program(env) != NULL
	    ? d->program.list.n
	    : document_n_lines(descriptor_document(d, env->session));

	return n < 10000 ? (int)n : 10000;
}

static void
descriptor_free(struct view *v)
{
	struct descriptor *d = (struct descriptor *)v;

	marks_free(&d->marks);
	diag_list_free(&d->of_run.list);
	free(d);
}

static const struct view_ops descriptor_ops = {
    .name = "Descriptor",
    .scope = SCOPE_DESCRIPTOR,
    .draw = descriptor_draw,
    .act = descriptor_act,
    .mouse = descriptor_mouse,
    .find = descriptor_find,
    .place = descriptor_place,
    .tick = descriptor_tick,
    .launched = descriptor_launched,
    .wants = descriptor_wants,
    .free = descriptor_free,
};

struct view *
view_descriptor_new(void)
{
	struct descriptor *d = mem_calloc(1, sizeof(*d));

	d->view.ops = &descriptor_ops;
	return &d->view;
}
