/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contexts table. Rows stand in order of client and context; `order` is
 * how they are shown. Only rows on the screen are sampled and drawn; sorting
 * a long table is done less often, so that its cost per second is bounded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/mem.h"
#include "parser/text.h"
#include "tui/views/context_columns.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

/* Rows that may be sorted per tick. */
#define SORT_ROWS_PER_TICK 1000

struct contexts {
	struct view view;
	struct list list;
	struct context_row *rows;
	size_t n_rows, cap_rows;
	size_t n_clients; /* of those that have rows */
	uint32_t *order;  /* NULL: as the rows stand */
	double *keys;     /* what a row was sorted by last */
	enum context_column sort;
	bool inverted;
	uint64_t sorted_at;    /* in samples of the session */
	int widths[N_COLUMNS]; /* as drawn last; 0: no room */
	struct text cell;      /* for printing */
};

static size_t
row_at(const struct contexts *c, size_t place)
{
	return c->order != NULL ? c->order[place] : place;
}

/* Clients are only ever added to a run. */
static void
add_new_rows(struct contexts *c, const struct session *s)
{
	const struct sim *sim = s->run.sim;
	size_t before = c->n_rows;

	for (; c->n_clients < sim->n_clients; c->n_clients++) {
		const struct client *client = sim->clients[c->n_clients];

		for (uint32_t i = 0; i < client->n_contexts; i++) {
			c->rows = mem_grow(
			    c->rows, c->n_rows, &c->cap_rows, sizeof(*c->rows));
			c->rows[c->n_rows++] = (struct context_row){
			    .context = client->contexts[i]};
		}
	}
	if (c->n_rows == before || c->order == NULL)
		return;
	c->order = mem_realloc(c->order, c->n_rows, sizeof(*c->order));
	for (size_t i = before; i < c->n_rows; i++)
		c->order[i] = (uint32_t)i;
}

/* Over the same windows as the engines; before the first, so far. */
static void
sample(struct context_row *row, const struct session *s)
{
	const struct sim *sim = s->run.sim;
	bool full = row->seen_at < s->history.now;
	nsec busy;

	if (sim->now <= row->seen_at || (!full && row->seen_at > 0))
		return;
	busy = sim_context_busy(sim, row->context);
	row->busy = (float)((double)(busy - row->busy_seen) /
	    (double)(sim->now - row->seen_at));
	if (!full)
		return;
	row->busy_seen = busy;
	row->seen_at = sim->now;
}

struct sorting {
	const double *keys;
	double sign;
};

/* Equal rows stay in the order of clients. */
static int
compare(const void *pa, const void *pb, void *arg)
{
	const struct sorting *s = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	double d = (s->keys[a] - s->keys[b]) * s->sign;

	if (d != 0)
		return d < 0 ? -1 : 1;
	return a < b ? -1 : a > b;
}

static bool
is_sorted(const struct contexts *c, struct sorting *sorting)
{
	for (size_t i = 1; i < c->n_rows; i++)
		if (compare(&c->order[i - 1], &c->order[i], sorting) > 0)
			return false;
	return true;
}

static void
make_order(struct contexts *c)
{
	if (c->order != NULL)
		return;
	c->order = mem_realloc(NULL, c->n_rows + 1, sizeof(*c->order));
	for (size_t i = 0; i < c->n_rows; i++)
		c->order[i] = (uint32_t)i;
}

static void
reverse_order(struct contexts *c)
{
	for (size_t i = 0; i < c->n_rows; i++)
		c->order[i] = (uint32_t)(c->n_rows - 1 - i);
}

static void
drop_order(struct contexts *c)
{
	free(c->order);
	c->order = NULL;
}

static void
sort_rows(struct contexts *c, const struct session *s)
{
	const struct column_info *info = &context_columns[c->sort];
	struct sorting sorting = {
	    .sign = info->descends == c->inverted ? 1 : -1};

	c->sorted_at = s->samples;
	drop_order(c);
	if (c->sort == COLUMN_CLIENT && !c->inverted)
		return;
	make_order(c);
	if (c->sort == COLUMN_CLIENT) {
		reverse_order(c);
		return;
	}
	c->keys = mem_realloc(c->keys, c->n_rows + 1, sizeof(*c->keys));
	for (size_t i = 0; i < c->n_rows; i++)
		c->keys[i] = info->key(&c->rows[i]);
	sorting.keys = c->keys;
	if (!is_sorted(c, &sorting))
		qsort_r(
		    c->order, c->n_rows, sizeof(*c->order), compare, &sorting);
}

static bool
is_selected(const struct context_row *row, const struct selection *sel)
{
	const struct client *client = row->context->client;

	return client->id == sel->client && row->context->index == sel->context;
}

/* The cursor goes where the selected context is now. */
static void
follow_selection(struct contexts *c, const struct selection *sel)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (is_selected(&c->rows[row_at(c, i)], sel)) {
			c->list.cursor = i;
			return;
		}
}

static void
select_cursor(struct contexts *c, struct selection *sel)
{
	const struct context *context;

	if (c->list.cursor >= c->n_rows)
		return;
	context = c->rows[row_at(c, c->list.cursor)].context;
	sel->client = context->client->id;
	sel->context = context->index;
}

/* Which columns fit, and how wide the last one is that takes the rest. */
static void
fit_columns(int width, int widths[N_COLUMNS])
{
	int used = 0;

	memset(widths, 0, N_COLUMNS * sizeof(*widths));
	for (int level = 0; level < N_COLUMNS; level++)
		for (int i = 0; i < N_COLUMNS; i++) {
			const struct column_info *info = &context_columns[i];

			if (info->importance != level ||
			    used + info->width > width)
				continue;
			widths[i] = info->width;
			used += info->width;
		}
	/* What is left goes to the columns of text. */
	if (widths[COLUMN_ENGINES] > 0 && widths[COLUMN_WORKLOAD] > 0) {
		int more = (width - used) / 2;

		widths[COLUMN_ENGINES] += more;
		used += more;
	}
	if (widths[COLUMN_WORKLOAD] > 0)
		widths[COLUMN_WORKLOAD] += width - used;
	else if (widths[COLUMN_ENGINES] > 0)
		widths[COLUMN_ENGINES] += width - used;
}

static void
put_cell(struct area *a, int y, int x, int width,
    const struct column_info *info, enum role role, const char *text)
{
	if (info->left)
		put(a, y, x + 2, width - 2, role, text);
	else
		put_right(a, y, x + (x > 0), width - (x > 0), role, text);
}

/* The name of the column that is sorted by, and which way. */
static void
draw_sorted_title(const struct contexts *c, struct area *a, int x, int width)
{
	const struct column_info *info = &context_columns[c->sort];
	bool down = info->descends != c->inverted;
	const char *sign = a->screen->unicode ? (down ? "▾" : "▴")
					      : (down ? "v" : "^");
	char title[32];

	snprintf(title, sizeof(title), "%s%s%s", info->left ? "" : sign,
	    info->title, info->left ? sign : "");
	put_cell(a, 0, x, width, info, ROLE_SORTED, title);
}

static void
draw_title(const struct contexts *c, const struct view_env *env, struct area *a)
{
	enum role role = view_title_role(env);
	int x = 0;

	fill(a, 0, 0, a->r.w, role);
	for (int i = 0; i < N_COLUMNS; x += c->widths[i], i++) {
		const struct column_info *info = &context_columns[i];

		if (c->widths[i] > 0 && (int)c->sort == i)
			draw_sorted_title(c, a, x, c->widths[i]);
		else if (c->widths[i] > 0)
			put_cell(
			    a, 0, x, c->widths[i], info, role, info->title);
	}
}

static enum role
cell_role(const struct context_row *row, int column)
{
	const struct client *client = row->context->client;

	if (client->state == CLIENT_ENDED)
		return ROLE_DIM;
	if (column == COLUMN_MISSES && client->period.missed > 0)
		return ROLE_BAD;
	if (column == COLUMN_BUSY && row->busy > 0)
		return ROLE_STRONG;
	return ROLE_NORMAL;
}

/* NULL: the program that its client has got does not have it. */
static const struct context_facts *
facts_of(const struct session *s, const struct context *context)
{
	const struct program *p = context->client->program;
	const struct version *version = versions_find(&s->run.versions, p);

	if (version == NULL || context->index >= p->n_contexts)
		return NULL;
	return &version->facts[context->index];
}

static void
draw_row(struct contexts *c, const struct view_env *env, struct area *a, int y,
    struct context_row *row)
{
	const struct session *s = env->session;
	struct context_cell cell = {s, row, facts_of(s, row->context)};
	int x = 0;

	if (row->seen_at == 0) /* first seen: its mean so far */
		sample(row, s);
	for (int i = 0; i < N_COLUMNS; x += c->widths[i], i++) {
		const struct column_info *info = &context_columns[i];

		if (c->widths[i] == 0)
			continue;
		text_clear(&c->cell);
		info->print(&c->cell, &cell);
		put_cell(a, y, x, c->widths[i], info, cell_role(row, i),
		    text_str(&c->cell));
	}
	if (is_selected(row, env->selection))
		paint(a, y, 0, a->r.w,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
}

static void
contexts_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct contexts *c = (struct contexts *)v;

	add_new_rows(c, env->session);
	list_fit(&c->list, c->n_rows, a->r.h - 1);
	fit_columns(a->r.w, c->widths);
	draw_title(c, env, a);
	for (size_t i = 0; i < c->list.height; i++) {
		size_t at = c->list.top + i;

		if (at >= c->n_rows)
			break;
		draw_row(c, env, a, (int)i + 1, &c->rows[row_at(c, at)]);
	}
}

/* The wait between two sorts grows with the table. */
static bool
sort_is_due(const struct contexts *c, const struct session *s)
{
	return context_columns[c->sort].moves &&
	    s->samples - c->sorted_at > c->n_rows / SORT_ROWS_PER_TICK;
}

static void
contexts_tick(struct view *v, const struct view_env *env)
{
	struct contexts *c = (struct contexts *)v;
	const struct session *s = env->session;
	bool due;

	add_new_rows(c, env->session);
	due = sort_is_due(c, env->session);
	if (due && c->sort == COLUMN_BUSY)
		for (size_t i = 0; i < c->n_rows; i++)
			sample(&c->rows[i], s);
	else
		for (size_t i = 0; i < c->list.height; i++)
			if (c->list.top + i < c->n_rows)
				sample(&c->rows[row_at(c, c->list.top + i)], s);
	if (due) {
		sort_rows(c, env->session);
		follow_selection(c, env->selection);
	}
}

static void
contexts_launched(struct view *v, const struct view_env *env)
{
	struct contexts *c = (struct contexts *)v;

	c->n_rows = c->n_clients = 0;
	drop_order(c);
	add_new_rows(c, env->session);
	sort_rows(c, env->session);
	follow_selection(c, env->selection);
	c->list.n = c->n_rows;
}

static void
sort_by(struct contexts *c, const struct view_env *env,
    enum context_column column, bool inverted)
{
	const struct session *s = env->session;

	c->sort = column;
	c->inverted = inverted;
	if (column == COLUMN_BUSY)
		for (size_t i = 0; i < c->n_rows; i++)
			if (c->rows[i].seen_at < s->history.now)
				sample(&c->rows[i], s);
	sort_rows(c, env->session);
	follow_selection(c, env->selection);
}

/* Of those that are shown. */
static enum context_column
next_sortable(const struct contexts *c, int step)
{
	int i = (int)c->sort;

	do
		i = (i + step + N_COLUMNS) % N_COLUMNS;
	while (context_columns[i].key == NULL ||
	    (c->widths[i] == 0 && i != COLUMN_CLIENT));
	return (enum context_column)i;
}

static bool
contexts_act(struct view *v, const struct view_env *env, enum action action)
{
	struct contexts *c = (struct contexts *)v;

	if (list_act(&c->list, action)) {
		select_cursor(c, env->selection);
		return true;
	}
	switch (action) {
	case ACT_SORT_NEXT: sort_by(c, env, next_sortable(c, 1), false); break;
	case ACT_SORT_PREV: sort_by(c, env, next_sortable(c, -1), false); break;
	case ACT_SORT_INVERT: sort_by(c, env, c->sort, !c->inverted); break;
	case ACT_SORT_CLIENT: sort_by(c, env, COLUMN_CLIENT, false); break;
	case ACT_SORT_BUSY: sort_by(c, env, COLUMN_BUSY, false); break;
	case ACT_SORT_LATENCY: sort_by(c, env, COLUMN_LATENCY, false); break;
	case ACT_SORT_MISSES: sort_by(c, env, COLUMN_MISSES, false); break;
	default: return false;
	}
	return true;
}

static int
contexts_wants(const struct view *v, const struct view_env *env)
{
	const struct contexts *c = (const struct contexts *)v;

	(void)env;
	return c->n_rows < 10000 ? (int)c->n_rows : 10000;
}

static void
contexts_free(struct view *v)
{
	struct contexts *c = (struct contexts *)v;

	free(c->rows);
	free(c->order);
	free(c->keys);
	text_free(&c->cell);
	free(c);
}

static const struct view_ops contexts_ops = {
    .name = "Contexts",
    .scope = SCOPE_CONTEXTS,
    .draw = contexts_draw,
    .act = contexts_act,
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
