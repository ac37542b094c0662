/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the Contexts view looks: titles, the row of notes, lines with the signs
 * of tree and tags. Only lines on the screen are drawn.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/views/context_colours.h"
#include "tui/views/contexts.h"
#include "tui/views/foreign_rows.h"
#include "tui/views/selection.h"
#include "tui/views/view.h"

/* Returns the columns that the position needs beside the titles; 0: it is there. */
static int
draw_contexts_title(const struct contexts *c,
    const struct contexts_frame *frame, struct area *a)
{
	const struct context_table *t = &c->table;
	enum role role = view_title_role(frame->env);
	struct columns_order order = {.column = (int)t->sort,
	    .sign = true,
	    .descends = context_descends(t->sort) != t->inverted};

	columns_draw_titles(&c->columns, a, role, &order, frame);
	return list_draw_place(&c->list, a, role);
}

bool
contexts_have_notes(const struct contexts *c, const struct view_env *env)
{
	return baseline_name(env->session) != NULL ||
	    table_is_filtered(&c->table) || c->stays ||
	    tags_count(env->tags) > 0 || env->session->since.at > 0;
}

/* Draws the baseline's name and its totals beside the live ones. */
static void
draw_reference(const struct session *s, struct area *a, int x)
{
	const char *name = baseline_name(s);
	struct rates live, other;
	char buf[UNITS_LEN], text[256];
	int n;

	if (name == NULL || !baseline_totals(s, &live, &other))
		return;
	x += put(a, 1, x, a->r.w, ROLE_LABEL, "against ");
	x += put(a, 1, x, a->r.w, ROLE_STRONG, name);
	if (baseline_problem(s) != NULL) {
		snprintf(text, sizeof(text), ", which failed: %s",
		    baseline_problem(s));
		put_cut(a, 1, x, a->r.w, ROLE_BAD, text);
		return;
	}
	if (s->run.sim->now == baseline_since(s)) {
		put_cut(a, 1, x, a->r.w, ROLE_NORMAL, ": nothing has run yet");
		return;
	}
	if (s->baseline.kind == BASELINE_TRACE) {
		snprintf(text, sizeof(text), ": workloads/s %.1f (%.1f), in %s",
		    live.iterations, other.iterations,
		    format_duration(buf, s->run.sim->now));
		put_cut(a, 1, x, a->r.w, ROLE_NORMAL, text);
		return;
	}
	n = snprintf(text, sizeof(text),
	    ": workloads/s %.1f (%.1f), misses/s %.1f (%.1f), %s %s",
	    live.iterations, other.iterations, live.missed, other.missed,
	    s->baseline.kind == BASELINE_SHADOW ? "in" : "in the last",
	    format_duration(buf, s->run.sim->now - baseline_since(s)));
	if (n > a->r.w - x)
		snprintf(text, sizeof(text),
		    ": miss/s %.1f (%.1f), w/s %.1f (%.1f)", live.missed,
		    other.missed, live.iterations, other.iterations);
	put_cut(a, 1, x, a->r.w, ROLE_NORMAL, text);
}

static void
draw_notes(const struct contexts *c, const struct view_env *env, struct area *a)
{
	const struct context_table *t = &c->table;
	const char *filter = filter_text(&t->filter);
	int x = 1, progress = table_progress(t);
	char since[UNITS_LEN];

	if (*filter != 0) {
		x += put(a, 1, x, a->r.w, ROLE_LABEL, "filter ");
		x += put(a, 1, x, a->r.w - 30, ROLE_STRONG, filter) + 2;
	}
	if (t->hide_idle)
		x += put(a, 1, x, a->r.w, ROLE_LABEL, "idle hidden") + 2;
	if (progress < 100)
		x += putf(a, 1, x, a->r.w, ROLE_WARN, "filtering %d %%",
			 progress) +
		    2;
	else if (table_is_filtered(t))
		x += putf(a, 1, x, a->r.w, ROLE_NORMAL, "%zu of %zu", t->n_kept,
			 t->n_rows) +
		    2;
	if (tags_count(env->tags) > 0)
		x += putf(a, 1, x, a->r.w, ROLE_TAGGED, "%zu tagged",
			 tags_count(env->tags)) +
		    2;
	if (c->stays)
		x += put(a, 1, x, a->r.w, ROLE_LABEL, "follow off") + 2;
	if (env->session->since.at > 0)
		x += putf(a, 1, x, a->r.w, ROLE_LABEL,
			 "P99, MAX, MISS since %s",
			 format_duration(since, env->session->since.at)) +
		    2;
	draw_reference(env->session, a, x);
}

static enum row_kind
kind_of_line(const struct contexts *c, size_t line)
{
	size_t client;

	if (table_crowd(&c->table, line) != NULL)
		return ROW_CROWD;
	if (table_is_client(&c->table, line, &client))
		return ROW_GROUP;
	return c->table.tree ? ROW_IN_GROUP : ROW_FLAT;
}

void
contexts_print(struct contexts *c, size_t line, int column,
    const struct context_cell *cell)
{
	text_clear(&c->text);
	columns_print(
	    &context_columns[column], kind_of_line(c, line), cell, &c->text);
}

struct context_cell
contexts_cell(const struct contexts *c, const struct session *s, size_t line)
{
	const struct crowd *crowd = table_crowd(&c->table, line);
	struct context_cell cell = {.session = s,
	    .row = table_row(&c->table, line),
	    .shares = table_shares(&c->table, line),
	    .crowd = crowd != NULL ? &crowd->figures : NULL};

	cell.facts = table_facts(s, cell.row->context);
	return cell;
}

static wchar_t
fold_sign(bool folded, bool unicode)
{
	return unicode ? (folded ? L'▸' : L'▾') : (folded ? L'+' : L'-');
}

/* Returns the sign of a row below the line of its group. */
static wchar_t
branch_sign(const struct contexts *c, size_t line, bool unicode)
{
	const struct context_table *t = &c->table;
	bool last = line + 1 == t->n_lines ||
	    line_is_group(t->lines[line + 1]) ||
	    table_folded(t, line + 1) != table_folded(t, line);

	return unicode ? (last ? L'└' : L'├') : (last ? L'`' : L'|');
}

/* Draws the signs of a folded group, of the tree, and of a tag. Below a crowd
 * clients have their ids, so that the branch is at the left of them. */
static void
draw_signs(const struct contexts *c, const struct view_env *env, struct area *a,
    int y, size_t line)
{
	const struct context *context = table_row(&c->table, line)->context;
	const bool *folded = table_folded(&c->table, line);
	int width = c->columns.widths[COLUMN_CLIENT];
	bool unicode = a->screen->unicode;
	enum row_kind kind = kind_of_line(c, line);

	if (kind == ROW_GROUP || kind == ROW_CROWD) {
		put_char(a, y, 0, ROLE_STRONG, fold_sign(*folded, unicode));
		paint(a, y, 1, width, ROLE_STRONG);
	} else if (folded != NULL) {
		put_char(a, y, c->table.tree ? width - 1 : 1, ROLE_DIM,
		    branch_sign(c, line, unicode));
	}
	if (kind == ROW_GROUP ||
	    !tags_has(env->tags, context->client->id, context->index))
		return;
	paint(a, y, 0,
	    c->columns.widths[COLUMN_CLIENT] +
		c->columns.widths[COLUMN_CONTEXT],
	    ROLE_TAGGED);
	if (kind != ROW_CROWD)
		put_char(a, y, 0, ROLE_TAGGED, unicode ? L'•' : L'*');
}

/* Draws a block of the context's colour on the timeline at the left of its
 * number, unless the number needs the room. */
static void
draw_swatch(const struct contexts *c, const struct view_env *env,
    struct area *a, int y, const struct context *context)
{
	if (context->def->number < 1000)
		put_block(a, y, c->columns.widths[COLUMN_CLIENT] + 1,
		    context_colour(env->colours, context->client->id,
			context->def->number),
		    a->screen->unicode ? L'█' : L'#');
}

static void
draw_context(struct contexts *c, const struct view_env *env, struct area *a,
    int y, size_t line)
{
	struct context_cell cell = contexts_cell(c, env->session, line);
	struct difference d;
	bool ended;

	if (baseline_name(env->session) != NULL && cell.crowd == NULL) {
		d = baseline_context(env->session, cell.row->context);
		cell.difference = &d;
	}
	cell.late_is_max = a->r.w < CONTEXTS_BOTH_SPREADS;
	table_sample_first(&c->table, env->session, line);
	ended = cell.row->context->client->state == CLIENT_ENDED;
	columns_draw_row(&c->columns, a, y, ended ? ROLE_DIM : ROLE_NORMAL,
	    kind_of_line(c, line), &cell);
	draw_signs(c, env, a, y, line);
	if (line == c->list.cursor)
		paint(a, y, 0, a->r.w,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
	if (kind_of_line(c, line) != ROW_GROUP && cell.crowd == NULL)
		draw_swatch(c, env, a, y, cell.row->context);
}

/* Draws the row of another program's client, which are below all lines. */
static void
draw_foreign(struct contexts *c, const struct view_env *env, struct area *a,
    int y, size_t line)
{
	foreign_draw(env->session,
	    foreign_at(env->session, &c->table, line - c->table.n_lines),
	    &c->columns, a, y);
	if (line == c->list.cursor)
		paint(a, y, 0, a->r.w,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
}

/* Returns the classes that have run, switched or polled for any context. */
static unsigned
classes_with_work(const struct device *dev)
{
	unsigned classes = 0;

	for (unsigned i = 0; i < dev->n_engines; i++)
		if (hw_engine_had_work(&dev->engines[i]))
			classes |= 1U << dev->engines[i].class;
	return classes;
}

/* Returns true if a program of the run has a period, or one was missed. */
static bool
run_has_periods(const struct session *s)
{
	const struct workload *w = s->run.sim->workloads;

	while (w != NULL && w->program->n_periods == 0)
		w = w->next;
	return w != NULL || s->run.sim->n_missed > 0;
}

/* Returns the number of classes with work that have no column. */
static unsigned
count_left_out(const struct contexts *c, unsigned classes)
{
	unsigned n = 0;

	for (int i = 0; i < N_CLASSES; i++)
		n += (classes >> i & 1) &&
		    c->columns.widths[COLUMN_CLASS_0 + i] == 0;
	return n;
}

/* Chooses the columns. Where not all classes fit, a column counts those left
 * out, and may need the room of one more. */
static void
fit_columns(struct contexts *c, struct contexts_frame *frame, int width)
{
	struct columns_room room = {.width = width,
	    .keep = (int)c->table.sort,
	    .compared = baseline_name(frame->env->session) != NULL,
	    .table = frame};

	columns_fit(&c->columns, context_columns, N_COLUMNS, &room);
	frame->n_left_out = count_left_out(c, frame->classes);
	if (frame->n_left_out == 0)
		return;
	columns_fit(&c->columns, context_columns, N_COLUMNS, &room);
	frame->n_left_out = count_left_out(c, frame->classes);
}

void
contexts_draw_table(
    struct contexts *c, const struct view_env *env, struct area *a)
{
	int lacks;
	struct contexts_frame frame = {
	    .env = env,
	    .classes = classes_with_work(&env->session->run.sim->device) |
		foreign_classes(env->session),
	    .crowds = c->table.look == LOOK_CROWDS,
	    .periods = run_has_periods(env->session),
	};

	fit_columns(c, &frame, a->r.w);
	lacks = draw_contexts_title(c, &frame, a);
	if (lacks > 0) {
		fit_columns(c, &frame, a->r.w - lacks);
		draw_contexts_title(c, &frame, a);
	}
	if (c->first_y > 1)
		draw_notes(c, env, a);
	if (c->table.n_rows == 0 && session_is_served(env->session))
		put_cut(a, c->first_y, 1, a->r.w - 1, ROLE_DIM,
		    "no program uses the device: :run PROGRAM, or gpuwl-run "
		    "PROGRAM elsewhere");
	for (size_t i = 0; i < c->list.height; i++)
		if (c->list.top + i < c->table.n_lines)
			draw_context(
			    c, env, a, (int)i + c->first_y, c->list.top + i);
		else if (c->list.top + i < c->list.n)
			draw_foreign(
			    c, env, a, (int)i + c->first_y, c->list.top + i);
}
