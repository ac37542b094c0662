/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The descriptor: its lines as written, with live marks at each step and
 * diagnostics under the line that they mean. Figures of steps stand in
 * columns where there is room; the sign before a line is always there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/diag.h"
#include "parser/document.h"
#include "parser/mem.h"
#include "parser/text.h"
#include "tui/screen/units.h"
#include "tui/session/marks.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

struct descriptor {
	struct view view;
	struct list list;
	size_t source;
	bool shown; /* anything yet */
	int skip;   /* columns scrolled to the right */
	struct marks marks;
	size_t marked_source; /* what marks are of, and from when */
	uint64_t marked_generation, marked_events, marked_samples;
};

#define LINE_COLS  6 /* line number and a blank */
#define COUNT_COLS 4
#define DONE_COLS  6
#define SCROLL     8 /* columns per key press */

/* What the columns of marks take; 0: there is no room for them. */
static int
mark_columns(int width)
{
	return width >= 64 ? 4 * COUNT_COLS + DONE_COLS : 0;
}

static const struct document *
shown_document(const struct descriptor *d, const struct session *s)
{
	return s->plan->sources[d->source].doc;
}

/* Requests and clients that may be counted per tick. */
#define COUNT_PER_TICK 10000

/* Counting many takes a while: then it is done less often. */
static bool
marks_are_due(const struct descriptor *d, const struct session *s)
{
	size_t work = s->run.sim->n_clients + s->flight.n;

	if (d->marks.steps == NULL || d->marked_source != d->source ||
	    d->marked_generation != s->generation)
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
	d->marked_events = s->run.sim->n_events;
	d->marked_samples = s->samples;
}

static void
draw_title(
    const struct descriptor *d, const struct view_env *env, struct area *a)
{
	static const char *const names[] = {"AT", "BLK", "RDY", "RUN"};
	const struct plan *plan = env->session->plan;
	const struct source *source = &plan->sources[d->source];
	enum role role = view_title_role(env);
	const char *name = source->name;
	const char *slash = source->is_file ? strrchr(name, '/') : NULL;
	int x = LINE_COLS - 1, end = a->r.w;

	if (slash != NULL && slash[1] != 0)
		name = slash + 1;
	fill(a, 0, 0, a->r.w, role);
	put_right(a, 0, 0, LINE_COLS - 1, role, "LINE");
	if (mark_columns(a->r.w) > 0) {
		for (int i = 0; i < 4; i++, x += COUNT_COLS)
			put_right(a, 0, x, COUNT_COLS, role, names[i]);
		put_right(a, 0, x, DONE_COLS, role, "DONE");
		x += DONE_COLS;
	}
	x += 3;
	if (plan->n_sources > 1) {
		char buf[64];

		snprintf(buf, sizeof(buf), " %zu of %zu (J K)", d->source + 1,
		    plan->n_sources);
		end -= (int)strlen(buf);
		put(a, 0, end, a->r.w - end, role, buf);
	}
	put(a, 0, x, end - x, role,
	    source->is_file || source->is_example ? name : "DESCRIPTOR (-w)");
}

static void
put_count(struct area *a, int y, int x, int width, enum role role, uint64_t n)
{
	char buf[UNITS_LEN];

	if (n > 0)
		put_right(a, y, x, width, role, format_count(buf, n));
}

static void
draw_counts(struct area *a, int y, const struct step_marks *m)
{
	int x = LINE_COLS - 1;

	put_count(
	    a, y, x, COUNT_COLS, m->held > 0 ? ROLE_WARN : ROLE_STRONG, m->at);
	x += COUNT_COLS;
	put_count(a, y, x, COUNT_COLS, ROLE_WAITING, m->blocked);
	x += COUNT_COLS;
	put_count(a, y, x, COUNT_COLS, ROLE_WARN, m->ready);
	x += COUNT_COLS;
	put_count(a, y, x, COUNT_COLS, ROLE_GOOD, m->running);
	x += COUNT_COLS;
	put_count(a, y, x, DONE_COLS, ROLE_DIM, m->done);
}

/* One sign for the most telling of what goes on. */
static void
draw_sign(struct area *a, int y, int x, const struct step_marks *m)
{
	bool unicode = a->screen->unicode;

	if (m->running > 0)
		put_char(a, y, x, ROLE_GOOD, unicode ? L'●' : L'*');
	else if (m->ready > 0)
		put_char(a, y, x, ROLE_WARN, unicode ? L'◐' : L'+');
	else if (m->blocked > 0)
		put_char(a, y, x, ROLE_WAITING, unicode ? L'○' : L'o');
	if (m->at > 0)
		put_char(a, y, x + 1, m->held > 0 ? ROLE_WARN : ROLE_STRONG,
		    unicode ? L'▸' : L'>');
}

/* Does the step belong to the selected context? */
static bool
is_related(const struct descriptor *d, const struct view_env *env,
    const struct step *step)
{
	const struct sim *sim = env->session->run.sim;
	const struct selection *sel = env->selection;
	const struct program *p = env->session->run.programs[d->source];

	if (sel->client >= sim->n_clients ||
	    sim->clients[sel->client]->program != p ||
	    sel->context >= p->n_contexts)
		return false;
	switch (step->kind) {
	case STEP_BATCH:
	case STEP_PRIORITY:
	case STEP_SSEU:
	case STEP_PREEMPTION:
	case STEP_MAP:
	case STEP_BALANCE:
	case STEP_BOND:
	case STEP_PARALLEL:
		return step->context == p->contexts[sel->context].number;
	default: return false;
	}
}

static enum role
line_role(const struct descriptor *d, const struct view_env *env,
    const struct document *doc, size_t line)
{
	switch (document_line_kind(doc, line)) {
	case LINE_COMMENT: return ROLE_COMMENT;
	case LINE_ANNOTATION: return ROLE_ANNOTATION;
	case LINE_BAD: return ROLE_BAD;
	case LINE_STEP:
		if (is_related(d, env, document_line_step(doc, line)))
			return ROLE_RELATED;
		return ROLE_NORMAL;
	default: return ROLE_NORMAL;
	}
}

/* Lines that were joined by commas have one row number, shown once. */
static void
draw_number(const struct document *doc, struct area *a, int y, size_t line)
{
	size_t row, column;

	document_position(doc, line, 0, &row, &column);
	if (column == 1)
		put_count(a, y, 0, LINE_COLS - 1, ROLE_DIM, row);
	else
		put_right(a, y, 0, LINE_COLS - 1, ROLE_DIM, ",");
}

static void
draw_line(const struct descriptor *d, const struct view_env *env,
    struct area *a, int y, size_t line)
{
	const struct document *doc = shown_document(d, env->session);
	int marks = mark_columns(a->r.w), x = LINE_COLS + marks;
	size_t len, step;
	const char *text = document_line_text(doc, line, &len);

	draw_number(doc, a, y, line);
	step = document_step_of_line(doc, line);
	if (document_line_kind(doc, line) == LINE_STEP &&
	    step < d->marks.n_steps) {
		if (marks > 0)
			draw_counts(a, y, &d->marks.steps[step]);
		draw_sign(a, y, x, &d->marks.steps[step]);
	}
	put_skip(a, y, x + 2, a->r.w - x - 2, line_role(d, env, doc, line),
	    text, len, d->skip);
	if (env->focus && line == d->list.cursor)
		paint(a, y, 0, a->r.w, ROLE_SELECTED_FOCUS);
}

/* The line's diagnostics from row y on; returns the row after them. */
static int
draw_diagnostics(const struct descriptor *d, const struct view_env *env,
    struct area *a, int y, size_t line)
{
	const struct document *doc = shown_document(d, env->session);
	int x = LINE_COLS + mark_columns(a->r.w) + 2;
	size_t n;
	const struct diag *list = document_line_diagnostics(doc, line, &n);

	for (size_t i = 0; i < n && y < a->r.h; i++, y++) {
		bool error = list[i].severity == DIAG_ERROR;
		enum role role = error ? ROLE_BAD : ROLE_WARN;
		int at = x;

		at += put(a, y, at, a->r.w, role,
		    error ? "^ error: " : "^ warning: ");
		put(a, y, at, a->r.w, role, list[i].message);
	}
	return y;
}

static void
select_line(const struct descriptor *d, struct selection *sel)
{
	sel->source = d->source;
	sel->line = d->list.cursor;
}

static void
descriptor_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct descriptor *d = (struct descriptor *)v;
	const struct document *doc;
	int y = 1;

	doc = shown_document(d, env->session);
	update_marks(d, env->session);
	list_fit(&d->list, document_n_lines(doc), a->r.h - 1);
	select_line(d, env->selection);
	draw_title(d, env, a);
	for (size_t line = d->list.top; line < d->list.n && y < a->r.h;
	     line++) {
		draw_line(d, env, a, y++, line);
		y = draw_diagnostics(d, env, a, y, line);
	}
}

/* Scrolls so that the line is seen, with the one before it. */
static void
show_line(struct descriptor *d, size_t line)
{
	size_t above = line > 0 ? line - 1 : 0;

	d->list.cursor = line;
	if (above < d->list.top || line >= d->list.top + d->list.height)
		d->list.top = above;
	list_fit(&d->list, d->list.n, (int)d->list.height);
}

/* Opens with the first step: what a file begins with is often a long
 * comment, and all that moves is in the steps. */
static void
show_source(struct descriptor *d, const struct plan *plan, size_t source)
{
	const struct document *doc;

	d->source = source % plan->n_sources;
	doc = plan->sources[d->source].doc;
	d->list = (struct list){
	    .n = document_n_lines(doc), .height = d->list.height};
	d->skip = 0;
	if (document_n_steps(doc) > 0)
		show_line(d, document_line_of_step(doc, 0));
}

/* While one steps, the step that the selected client is at stays in view. */
static void
descriptor_tick(struct view *v, const struct view_env *env)
{
	struct descriptor *d = (struct descriptor *)v;
	const struct session *s = env->session;
	const struct document *doc = shown_document(d, s);
	const struct client *c;

	if (!s->clock.paused || env->focus ||
	    env->selection->client >= s->run.sim->n_clients)
		return;
	c = s->run.sim->clients[env->selection->client];
	if (c->program == s->run.programs[d->source] &&
	    c->pc < document_n_steps(doc))
		show_line(d, document_line_of_step(doc, c->pc));
}

static void
descriptor_launched(struct view *v, const struct view_env *env)
{
	struct descriptor *d = (struct descriptor *)v;

	if (d->source >= env->session->plan->n_sources || !d->shown)
		show_source(d, env->session->plan, 0);
	d->shown = true;
}

static bool
descriptor_act(struct view *v, const struct view_env *env, enum action action)
{
	struct descriptor *d = (struct descriptor *)v;
	const struct plan *plan = env->session->plan;

	if (list_act(&d->list, action)) {
		select_line(d, env->selection);
		return true;
	}
	switch (action) {
	case ACT_LEFT: d->skip -= d->skip >= SCROLL ? SCROLL : d->skip; break;
	case ACT_RIGHT: d->skip += d->skip < 1 << 20 ? SCROLL : 0; break;
	case ACT_SOURCE_NEXT: show_source(d, plan, d->source + 1); break;
	case ACT_SOURCE_PREV:
		show_source(d, plan, d->source + plan->n_sources - 1);
		break;
	default: return false;
	}
	select_line(d, env->selection);
	return true;
}

static int
descriptor_wants(const struct view *v, const struct view_env *env)
{
	const struct descriptor *d = (const struct descriptor *)v;
	size_t n = document_n_lines(shown_document(d, env->session));

	return n < 10000 ? (int)n : 10000;
}

static void
descriptor_free(struct view *v)
{
	struct descriptor *d = (struct descriptor *)v;

	marks_free(&d->marks);
	free(d);
}

static const struct view_ops descriptor_ops = {
    .name = "Descriptor",
    .scope = SCOPE_DESCRIPTOR,
    .draw = descriptor_draw,
    .act = descriptor_act,
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
