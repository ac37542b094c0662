/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Contexts view, as keys, commands and the mouse change it: cursor,
 * sorting, tags, tree, filter. Its lines are in context_table.c, how they look
 * in contexts_draw.c.
 */
#include "tui/views/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tui/views/contexts.h"
#include "tui/views/foreign_rows.h"
#include "tui/views/list.h"
#include "tui/views/selection.h"

/* Lines that are sampled at least: the pane may grow before it is drawn again. */
#define LEAST_SAMPLED 64

/* True if the line is the selection's. In a flat table a whole client is its
 * first context; a folded crowd has the selection of each of its contexts. */
static bool
is_selected(const struct contexts *c, size_t line, const struct selection *sel)
{
	const struct context *context = table_row(&c->table, line)->context;
	bool whole = sel->whole_client && c->table.tree;
	const struct crowd *crowd = table_crowd(&c->table, line);
	size_t client;

	if (crowd != NULL)
		return crowd ==
		    table_crowd_of(&c->table, sel->client, sel->context) &&
		    (sel->crowd || *table_folded(&c->table, line));
	if (context->client->id != sel->client)
		return false;
	if (table_is_client(&c->table, line, &client))
		return whole || c->table.folded[client];
	return !whole && context->index == sel->context;
}

/* Returns the number of rows: those of other programs are below the lines. */
static size_t
count_rows(const struct contexts *c, const struct view_env *env)
{
	return c->table.n_lines + foreign_count(env->session, &c->table);
}

/* Selects what is under the cursor. A crowd's line keeps the context of the crowd
 * that is selected already. */
static void
select_context_line(struct contexts *c, const struct view_env *env)
{
	struct selection *sel = env->selection;
	const struct context *context;
	const struct crowd *crowd;
	size_t client, line = c->list.cursor;

	sel->foreign = 0;
	if (line >= c->table.n_lines) {
		line -= c->table.n_lines;
		if (line < foreign_count(env->session, &c->table))
			sel->foreign =
			    foreign_at(env->session, &c->table, line)->id + 1;
		return;
	}
	crowd = table_crowd(&c->table, c->list.cursor);
	sel->crowd = crowd != NULL;
	if (crowd != NULL &&
	    crowd == table_crowd_of(&c->table, sel->client, sel->context)) {
		sel->whole_client = false;
		return;
	}
	context = table_row(&c->table, c->list.cursor)->context;
	sel->client = context->client->id;
	sel->context = context->index;
	sel->whole_client = table_is_client(&c->table, c->list.cursor, &client);
}

/* Moves the cursor after the lines have changed: to the selected context, or
 * nowhere if it stays. Then selects the context under it. */
static void
place_cursor(struct contexts *c, const struct view_env *env)
{
	size_t n = count_rows(c, env),
	       other = foreign_selected(
		   env->session, &c->table, env->selection);

	for (size_t i = 0; i < c->table.n_lines && !c->stays; i++)
		if (is_selected(c, i, env->selection)) {
			c->list.cursor = i;
			break;
		}
	if (other != SIZE_MAX && !c->stays)
		c->list.cursor = c->table.n_lines + other;
	c->list.n = n;
	/* Only the user goes to the rows below, if there are others. */
	if (other == SIZE_MAX && (c->table.n_lines > 0 || c->table.n_rows == 0))
		n = c->table.n_lines;
	if (c->list.cursor >= n)
		c->list.cursor = n > 0 ? n - 1 : 0;
	if (n > 0)
		select_context_line(c, env);
	else
		env->selection->foreign = 0;
}

/* Brings the figures of crowds up to date, if the user waits for them: without
 * ticks they follow what keys do. */
static void
update_crowds(struct context_table *t, const struct view_env *env)
{
	struct crowds *crowds = &t->crowds;

	crowds->wanted |= !session_moves(env->session) && !crowds->waited_for;
	if (crowds->wanted || crowds->waited_for)
		crowds_go_on(t, env->session);
	if (crowds->waited_for)
		*env->unfinished = true;
}

static void
contexts_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct contexts *c = (struct contexts *)v;
	bool changed = table_add_new_rows(&c->table, env->session);

	if (table_continue_filter(&c->table, env->session) || changed ||
	    c->list.n != count_rows(c, env))
		place_cursor(c, env);
	if (table_progress(&c->table) < 100)
		*env->unfinished = true;
	if (c->table.look == LOOK_CROWDS)
		update_crowds(&c->table, env);
	c->first_y = contexts_have_notes(c, env) ? 2 : 1;
	list_fit(&c->list, count_rows(c, env), a->r.h - c->first_y);
	contexts_draw_table(c, env, a);
}

static void
contexts_tick(struct view *v, const struct view_env *env)
{
	struct contexts *c = (struct contexts *)v;
	struct context_table *t = &c->table;
	bool changed = table_tick(t, env->session);
	size_t end = c->list.top +
	    (c->list.height > LEAST_SAMPLED ? c->list.height : LEAST_SAMPLED);

	for (size_t i = c->list.top; i < end && i < t->n_lines; i++)
		table_sample(t, env->session, i);
	if (changed || c->list.n != count_rows(c, env))
		place_cursor(c, env);
}

static void
contexts_launched(struct view *v, const struct view_env *env)
{
	struct contexts *c = (struct contexts *)v;

	table_launched(&c->table, env->session);
	place_cursor(c, env);
}

static void
sort_by(struct contexts *c, const struct view_env *env,
    enum context_column column, bool inverted)
{
	table_sort_by(&c->table, env->session, column, inverted);
	place_cursor(c, env);
}

/* Returns the next column that is shown and can be sorted by. */
static enum context_column
next_sortable(const struct contexts *c, int step)
{
	int i = (int)c->table.sort;

	do
		i = (i + step + N_COLUMNS) % N_COLUMNS;
	while (context_columns[i].key == NULL ||
	    (c->columns.widths[i] == 0 && i != COLUMN_CLIENT));
	return (enum context_column)i;
}

static bool
act_sort(struct contexts *c, const struct view_env *env, enum action action)
{
	enum context_column sort = c->table.sort;

	switch (action) {
	case ACT_SORT_NEXT: sort_by(c, env, next_sortable(c, 1), false); break;
	case ACT_SORT_PREV: sort_by(c, env, next_sortable(c, -1), false); break;
	case ACT_SORT_INVERT: sort_by(c, env, sort, !c->table.inverted); break;
	case ACT_SORT_CLIENT: sort_by(c, env, COLUMN_CLIENT, false); break;
	case ACT_SORT_BUSY: sort_by(c, env, COLUMN_RUN, false); break;
	case ACT_SORT_LATENCY: sort_by(c, env, COLUMN_LATENCY, false); break;
	case ACT_SORT_MISSES: sort_by(c, env, COLUMN_MISSES, false); break;
	default: return false;
	}
	return true;
}

/* Tags all contexts of a client, or untags them if all are tagged. */
static void
tag_client(struct tag_set *tags, const struct client *client)
{
	bool all = true;

	for (uint32_t i = 0; i < client->n_contexts; i++)
		all &= tags_has(tags, client->id, i);
	for (uint32_t i = 0; i < client->n_contexts; i++)
		if (tags_has(tags, client->id, i) == all &&
		    !tags_toggle(tags, client->id, i))
			return;
}

struct tagging {
	struct tag_set *tags;
	bool all, toggle;
};

static bool
tag_one(void *arg, uint32_t client, uint32_t context)
{
	struct tagging *t = arg;
	bool has = tags_has(t->tags, client, context);

	if (!t->toggle)
		t->all &= has;
	else if (has == t->all)
		return tags_toggle(t->tags, client, context);
	return true;
}

/* Tags all contexts of a crowd, or untags them if all are tagged. */
static void
tag_crowd(
    const struct contexts *c, struct tag_set *tags, const struct crowd *crowd)
{
	struct tagging t = {.tags = tags, .all = true};

	table_each_of_crowd(&c->table, crowd, tag_one, &t);
	t.toggle = true;
	table_each_of_crowd(&c->table, crowd, tag_one, &t);
}

/* Tags as htop does: the cursor moves on. */
static void
tag_line(struct contexts *c, const struct view_env *env)
{
	const struct context *context;
	const struct crowd *crowd;
	size_t client;

	if (c->list.cursor >= c->table.n_lines)
		return;
	context = table_row(&c->table, c->list.cursor)->context;
	crowd = table_crowd(&c->table, c->list.cursor);
	if (crowd != NULL)
		tag_crowd(c, env->tags, crowd);
	else if (table_is_client(&c->table, c->list.cursor, &client))
		tag_client(env->tags, context->client);
	else
		tags_toggle(env->tags, context->client->id, context->index);
	list_act(&c->list, ACT_DOWN);
	select_context_line(c, env);
}

static void
fold(struct contexts *c, const struct view_env *env, bool folded)
{
	const bool *now = table_folded(&c->table, c->list.cursor);

	if (now == NULL || *now == folded)
		return;
	table_fold(&c->table, env->session, c->list.cursor, folded);
	place_cursor(c, env);
}

static void
toggle_fold(struct contexts *c, const struct view_env *env)
{
	const bool *now = table_folded(&c->table, c->list.cursor);

	if (now != NULL)
		fold(c, env, !*now);
}

/* Shows crowds, which a tree has none of, or each context. */
static void
toggle_crowds(struct contexts *c, const struct view_env *env)
{
	struct context_table *t = &c->table;
	bool shown = t->look == LOOK_CROWDS;

	t->tree = false;
	table_set_crowds(t, env->session, shown ? CROWDS_NEVER : CROWDS_ALWAYS);
}

static bool
contexts_act(struct view *v, const struct view_env *env, enum action action)
{
	struct contexts *c = (struct contexts *)v;
	struct context_table *t = &c->table;

	if (list_act(&c->list, action)) {
		select_context_line(c, env);
		return true;
	}
	switch (action) {
	case ACT_TAG: tag_line(c, env); return true;
	case ACT_UNTAG_ALL: tags_clear(env->tags); return true;
	case ACT_FOLD: fold(c, env, true); return true;
	case ACT_UNFOLD: fold(c, env, false); return true;
	case ACT_TOGGLE_FOLD: toggle_fold(c, env); return true;
	case ACT_CROWDS: toggle_crowds(c, env); break;
	case ACT_FOLLOW: c->stays = !c->stays; break;
	case ACT_TREE: table_set_tree(t, env->session, !t->tree); break;
	case ACT_HIDE_IDLE:
		table_hide_idle(t, env->session, !t->hide_idle);
		break;
	default: return act_sort(c, env, action);
	}
	place_cursor(c, env);
	return true;
}

/* Sorts by the column whose title was clicked; a second click inverts. */
static void
click_title(struct contexts *c, const struct view_env *env, int x)
{
	int i = columns_at(&c->columns, x);

	if (i == N_COLUMNS || context_columns[i].key == NULL)
		return;
	sort_by(c, env, (enum context_column)i,
	    i == (int)c->table.sort && !c->table.inverted);
}

static bool
contexts_mouse(
    struct view *v, const struct view_env *env, int x, int y, enum mouse what)
{
	struct contexts *c = (struct contexts *)v;

	if (what == MOUSE_CLICK && y == 0)
		click_title(c, env, x);
	else if (list_mouse(&c->list, y - c->first_y, what))
		select_context_line(c, env);
	return true;
}

static bool
foreign_has(struct contexts *c, const struct view_env *env, size_t row,
    const struct needle *needle)
{
	text_clear(&c->text);
	foreign_label(foreign_at(env->session, &c->table, row), &c->text);
	return needle_find(needle, text_str(&c->text), c->text.len, 0) !=
	    NOWHERE;
}

/* True if a COL_FOUND cell of the line contains the text. */
static bool
line_has(struct contexts *c, const struct view_env *env, size_t line,
    const struct needle *needle)
{
	struct context_cell cell;
	bool found = needle->len == 0;

	if (line >= c->table.n_lines)
		return foreign_has(c, env, line - c->table.n_lines, needle);
	cell = contexts_cell(c, env->session, line);

	for (int i = 0; i < N_COLUMNS && !found; i++) {
		if (!(context_columns[i].flags & COL_FOUND))
			continue;
		contexts_print(c, line, i, &cell);
		found = needle_find(needle, text_str(&c->text), c->text.len,
			    0) != NOWHERE;
	}
	return found;
}

static bool
contexts_find(struct view *v, const struct view_env *env, const char *text,
    size_t from, int step)
{
	struct contexts *c = (struct contexts *)v;
	struct needle needle = needle_of(text, strlen(text));

	for (struct list_walk w = walk_begin(count_rows(c, env), from, step);
	     walk_goes_on(&w); walk_step(&w))
		if (line_has(c, env, w.at, &needle)) {
			c->list.cursor = w.at;
			select_context_line(c, env);
			return true;
		}
	return false;
}

static size_t
contexts_place(const struct view *v)
{
	return ((const struct contexts *)v)->list.cursor;
}

static void
list_columns(struct text *err)
{
	for (int i = 0; i < N_COLUMNS; i++)
		if (context_columns[i].key != NULL)
			text_addf(err, " %s", context_columns[i].title);
}

bool
contexts_sort(struct view *v, const struct view_env *env, const char *column,
    struct text *err)
{
	struct contexts *c = (struct contexts *)v;
	bool inverted = *column == '-';
	int found = columns_find(context_columns, N_COLUMNS, column + inverted,
	    strlen(column + inverted));

	if (found < 0 || context_columns[found].key == NULL) {
		text_adds(err, "unknown column '");
		text_add_visible(err, column, strlen(column));
		text_adds(err, "': expected one of");
		list_columns(err);
		return false;
	}
	sort_by(c, env, (enum context_column)found, inverted);
	return true;
}

void
contexts_sorted_by(const struct view *v, struct text *out)
{
	const struct context_table *t = &((const struct contexts *)v)->table;

	text_addf(out, "%s%s", t->inverted ? "-" : "",
	    context_columns[t->sort].sort_name);
}

void
contexts_set_tree(struct view *v, const struct view_env *env, bool tree)
{
	struct contexts *c = (struct contexts *)v;

	table_set_tree(&c->table, env->session, tree);
	place_cursor(c, env);
}

bool
contexts_tree(const struct view *v)
{
	return ((const struct contexts *)v)->table.tree;
}

void
contexts_set_crowds(
    struct view *v, const struct view_env *env, enum crowd_mode mode)
{
	struct contexts *c = (struct contexts *)v;

	table_set_crowds(&c->table, env->session, mode);
	place_cursor(c, env);
}

enum crowd_mode
contexts_crowds(const struct view *v)
{
	return ((const struct contexts *)v)->table.crowds.mode;
}

bool
contexts_each_selected(
    const struct view *v, const struct selection *sel, tag_fn *fn, void *arg)
{
	const struct contexts *c = (const struct contexts *)v;
	const struct crowd *crowd = sel->crowd
	    ? table_crowd_of(&c->table, sel->client, sel->context)
	    : NULL;

	if (crowd != NULL)
		table_each_of_crowd(&c->table, crowd, fn, arg);
	return crowd != NULL;
}

void
contexts_set_hide_idle(struct view *v, const struct view_env *env, bool hide)
{
	struct contexts *c = (struct contexts *)v;

	table_hide_idle(&c->table, env->session, hide);
	place_cursor(c, env);
}

bool
contexts_hide_idle(const struct view *v)
{
	return ((const struct contexts *)v)->table.hide_idle;
}

static void
contexts_set_filter(
    struct view *v, const struct view_env *env, const char *text)
{
	struct contexts *c = (struct contexts *)v;

	table_set_filter(&c->table, env->session, text);
	place_cursor(c, env);
}

bool
contexts_shows_selected(struct view *v, const struct view_env *env)
{
	struct contexts *c = (struct contexts *)v;
	struct context_table *t = &c->table;

	table_add_new_rows(t, env->session);
	if (!table_is_filtered(t))
		return t->n_lines > 0;
	for (size_t i = 0; i < t->n_lines; i++)
		if (is_selected(c, i, env->selection))
			return true;
	return false;
}

static const char *
contexts_filter(const struct view *v)
{
	return filter_text(&((const struct contexts *)v)->table.filter);
}

static int
contexts_wants(const struct view *v, const struct view_env *env)
{
	const struct contexts *c = (const struct contexts *)v;
	size_t n = c->table.n_rows + (c->table.tree ? c->table.n_clients : 0) +
	    contexts_have_notes(c, env) +
	    foreign_count(env->session, &c->table);

	return n < 10000 ? (int)n : 10000;
}

static void
contexts_free(struct view *v)
{
	struct contexts *c = (struct contexts *)v;

	table_free(&c->table);
	text_free(&c->text);
	free(c);
}

static const struct view_ops contexts_ops = {
    .name = "Contexts",
    .scope = SCOPE_CONTEXTS,
    .draw = contexts_draw,
    .act = contexts_act,
    .mouse = contexts_mouse,
    .find = contexts_find,
    .place = contexts_place,
    .set_filter = contexts_set_filter,
    .filter = contexts_filter,
    .tick = contexts_tick,
    .launched = contexts_launched,
    .wants = contexts_wants,
    .free = contexts_free,
};

struct view *
view_contexts_new(void)
{
	struct contexts *c = mem_calloc(1, sizeof(*c));

	c->view.ops = &contexts_ops;
	return &c->view;
}
