/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the Contexts view looks: titles, the row of notes, lines with the signs
 * of tree and tags. Only lines on the screen are drawn.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/views/contexts.h"
#include "tui/views/selection.h"
#include "tui/views/view.h"

#define NARROW_COLS 60
#define PLACE_COLS  6 /* left for the position in a narrow list that scrolls */

static void
draw_contexts_title(
    const struct contexts *c, const struct view_env *env, struct area *a)
{
	const struct context_table *t = &c->table;
	struct columns_order order = {.column = (int)t->sort,
	    .sign = true,
	    .descends = context_descends(t->sort) != t->inverted};

	columns_draw_titles(&c->columns, a, view_title_role(env), &order, env);
	list_draw_place(&c->list, a, view_title_role(env));
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
	struct context_cell cell = {
	    .session = s, .row = table_row(&c->table, line)};
	size_t client;

	table_is_client(&c->table, line, &client);
	cell.client_sample = &c->table.clients[client].sample;
	cell.facts = table_facts(s, cell.row->context);
	return cell;
}

/* Draws the signs of a folded client, of the tree, and of a tag. */
static void
draw_signs(const struct contexts *c, const struct view_env *env, struct area *a,
    int y, size_t line)
{
	const struct context *context = table_row(&c->table, line)->context;
	bool unicode = a->screen->unicode;
	size_t client, next;

	if (table_is_client(&c->table, line, &client)) {
		bool folded = c->table.folded[client];

		put_char(a, y, 0, ROLE_STRONG,
		    unicode ? (folded ? L'▸' : L'▾') : (folded ? L'+' : L'-'));
		paint(a, y, 1, c->columns.widths[COLUMN_CLIENT], ROLE_STRONG);
		return;
	}
	if (c->table.tree) {
		bool last = line + 1 == c->table.n_lines ||
		    table_is_client(&c->table, line + 1, &next);

		put_char(a, y, c->columns.widths[COLUMN_CLIENT] - 1, ROLE_DIM,
		    unicode ? (last ? L'└' : L'├') : (last ? L'`' : L'|'));
	}
	if (!tags_has(env->tags, context->client->id, context->index))
		return;
	paint(a, y, 0,
	    c->columns.widths[COLUMN_CLIENT] +
		c->columns.widths[COLUMN_CONTEXT],
	    ROLE_TAGGED);
	put_char(a, y, 0, ROLE_TAGGED, unicode ? L'•' : L'*');
}

/* Draws a block of the context's colour on the timeline at the left of its
 * number, unless the number needs the room. */
static void
draw_swatch(const struct contexts *c, struct area *a, int y,
    const struct context *context)
{
	if (context->def->number < 1000)
		put_block(a, y, c->columns.widths[COLUMN_CLIENT] + 1,
		    theme_context_role(
			context->client->id, context->def->number),
		    a->screen->unicode ? L'█' : L'#');
}

static void
draw_context(struct contexts *c, const struct view_env *env, struct area *a,
    int y, size_t line)
{
	struct context_cell cell = contexts_cell(c, env->session, line);
	struct difference d;
	bool ended;

	if (baseline_name(env->session) != NULL) {
		d = baseline_context(env->session, cell.row->context);
		cell.difference = &d;
	}
	table_sample_first(&c->table, env->session, line);
	ended = cell.row->context->client->state == CLIENT_ENDED;
	columns_draw_row(&c->columns, a, y, ended ? ROLE_DIM : ROLE_NORMAL,
	    kind_of_line(c, line), &cell);
	draw_signs(c, env, a, y, line);
	if (line == c->list.cursor)
		paint(a, y, 0, a->r.w,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
	if (kind_of_line(c, line) != ROW_GROUP)
		draw_swatch(c, a, y, cell.row->context);
}

void
contexts_draw_table(
    struct contexts *c, const struct view_env *env, struct area *a)
{
	bool all = c->list.n <= c->list.height;
	int room = all || a->r.w >= NARROW_COLS ? a->r.w : a->r.w - PLACE_COLS;

	columns_fit(&c->columns, context_columns, N_COLUMNS,
	    &(struct columns_room){.width = room,
		.keep = (int)c->table.sort,
		.compared = baseline_name(env->session) != NULL,
		.table = env});
	draw_contexts_title(c, env, a);
	if (c->first_y > 1)
		draw_notes(c, env, a);
	for (size_t i = 0; i < c->list.height; i++)
		if (c->list.top + i < c->list.n)
			draw_context(
			    c, env, a, (int)i + c->first_y, c->list.top + i);
}
