/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Requests view: keeps the cursor on the selected request, and makes the
 * requests in its chain of waits stand out. Only rows on the screen are
 * explained.
 */
#include "tui/views/requests.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/explain/explain.h"
#include "engine/instant.h"

/* Waits of one request that are looked at. */
#define WAITS_MAX 64

static bool
chain_has(const struct chain *c, const struct request *rq)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->list[i] == rq)
			return true;
	return false;
}

static void
chain_add(struct chain *c, const struct request *rq)
{
	if (rq != NULL && c->n < CHAIN_MAX && !chain_has(c, rq))
		c->list[c->n++] = rq;
}

static void
chain_of(struct chain *c, const struct sim *sim, const struct request *rq)
{
	c->n = 0;
	chain_add(c, rq);
	for (size_t i = 0; i < c->n && i < CHAIN_MAX; i++) {
		const struct waiter *w = c->list[i]->waits;

		chain_add(c, blocked_on(sim, c->list[i]).by);
		for (int n = 0; w != NULL && n < WAITS_MAX;
		     n++, w = w->next_of_owner)
			if (w->fence != NULL && !instant_is_end_wait(w))
				chain_add(c, fence_request(w->fence));
	}
}

/* True if the request waits for the selected one or the other way round,
 * directly or through others. */
static bool
is_in_chain(
    const struct requests *f, const struct sim *sim, const struct request *rq)
{
	struct chain own;

	if (f->selected == NULL || rq == f->selected)
		return false;
	if (chain_has(&f->chain, rq))
		return true;
	chain_of(&own, sim, rq);
	return chain_has(&own, f->selected);
}

static enum role
role_of_row(
    const struct requests *f, const struct request_cell *cell, bool of_line)
{
	if (of_line)
		return ROLE_RELATED;
	if (cell->rq == NULL)
		return ROLE_DIM;
	return is_in_chain(f, cell->session->run.sim, cell->rq) ? ROLE_RELATED
								: ROLE_NORMAL;
}

static void
draw_request_row(const struct requests *f, const struct view_env *env,
    struct area *a, int y, size_t at)
{
	const struct session *s = env->session;
	const struct requests_row *row = &f->rows.list[at];
	struct request_cell cell = {
	    .session = s,
	    .seq = row->seq,
	    .rq = row_request(row),
	    .past = ended_request(s, row->seq),
	    .state_cols = f->columns.widths[COLUMN_STATE],
	    .text_shown = f->columns.widths[COLUMN_TEXT] > 0,
	};

	cell.text_role = role_of_row(
	    f, &cell, selects_line_of(env->selection, s, row->seq));
	columns_draw_row(&f->columns, a, y, cell.text_role, ROW_FLAT, &cell);
	if (row->seq == env->selection->request)
		paint(a, y, 0, a->r.w,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
}

static void
select_request_row(struct requests *f, const struct view_env *env)
{
	if (f->list.cursor < f->rows.n)
		env->selection->request = f->rows.list[f->list.cursor].seq;
}

/* Moves the cursor to the selected request. When that has gone, the cursor
 * stays, and selects the request under it if the view has the focus. While the user
 * has selected none, the cursor stays at the top. */
static void
follow_request(struct requests *f, const struct view_env *env)
{
	uint64_t request = env->selection->request;
	size_t at = request_rows_find(&f->rows, request);
	bool unasked = request == 0 || request == f->unasked;

	if (unasked)
		f->list.cursor = 0;
	if (!unasked && at < f->rows.n)
		f->list.cursor = at;
	else if (env->focus)
		select_request_row(f, env);
	f->unasked = unasked ? env->selection->request : 0;
}

/* Rows that are searched for the selected line. */
#define LINE_ROWS 500

/* Moves the cursor to the first request of the line that is selected in another
 * view, if it is among the first rows. */
static void
follow_line(struct requests *f, const struct view_env *env)
{
	for (size_t i = 0; i < f->rows.n && i < LINE_ROWS; i++)
		if (selects_line_of(
			env->selection, env->session, f->rows.list[i].seq)) {
			f->list.cursor = i;
			return;
		}
}

static void
update_requests(struct requests *f, const struct view_env *env)
{
	const struct session *s = env->session;
	bool moved = request_rows_update(&f->rows, s);
	size_t at;

	f->list.n = f->rows.n;
	if (f->list.cursor >= f->rows.n)
		f->list.cursor = f->rows.n > 0 ? f->rows.n - 1 : 0;
	at = f->list.cursor;
	if (env->selection->by_line && !env->focus)
		follow_line(f, env);
	else if (moved || at >= f->rows.n ||
	    f->rows.list[at].seq != env->selection->request)
		follow_request(f, env);
	at = f->list.cursor;
	f->selected = at < f->rows.n &&
		f->rows.list[at].seq == env->selection->request
	    ? row_request(&f->rows.list[at])
	    : NULL;
	if (f->selected != NULL)
		chain_of(&f->chain, s->run.sim, f->selected);
}

static void
draw_request_titles(
    const struct requests *f, const struct view_env *env, struct area *a)
{
	struct columns_order order = {
	    .column = f->rows.by_engine ? COLUMN_ENGINE : COLUMN_REQUEST};

	columns_draw_titles(&f->columns, a, view_title_role(env), &order, f);
	list_draw_place(&f->list, a, view_title_role(env));
}

static bool
has_note(const struct requests *f)
{
	return f->rows.filter.n_words > 0;
}

/* Draws the filter and the number of requests that it hides below the titles. */
static void
draw_filter_note(const struct requests *f, struct area *a)
{
	const struct request_rows *rows = &f->rows;
	int x = 1;

	x += put(a, 1, x, a->r.w, ROLE_LABEL, "filter ");
	x += put(a, 1, x, a->r.w - 30, ROLE_STRONG, filter_text(&rows->filter));
	putf(a, 1, x + 2, a->r.w - x - 2, ROLE_NORMAL, "%zu of %zu, %zu hidden",
	    rows->n, rows->n + rows->n_hidden, rows->n_hidden);
}

static void
requests_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct requests *f = (struct requests *)v;
	int first;

	update_requests(f, env);
	first = f->first_y = 1 + has_note(f);
	f->n_submitted = env->session->run.sim->n_submitted;
	f->of_programs = session_is_served(env->session);
	columns_fit(&f->columns, request_columns, n_request_columns,
	    &(struct columns_room){.width = a->r.w, .keep = -1, .table = f});
	list_fit(&f->list, f->rows.n, a->r.h - first);
	draw_request_titles(f, env, a);
	if (has_note(f))
		draw_filter_note(f, a);
	for (size_t i = 0; i < f->list.height; i++)
		if (f->list.top + i < f->rows.n)
			draw_request_row(
			    f, env, a, (int)i + first, f->list.top + i);
	if (f->rows.n + f->rows.n_hidden == 0)
		put(a, first, 1, a->r.w - 1, ROLE_DIM, "nothing is in flight");
}

/* Selects the context of the request under the cursor. */
static void
select_its_context(const struct requests *f, const struct view_env *env)
{
	const struct session *s = env->session;
	const struct requests_row *row = &f->rows.list[f->list.cursor];
	const struct trail_request *r = trail_request(s->trail, row->seq);
	const struct request *rq = row_request(row);

	if (rq != NULL)
		select_context(env->selection, s, rq->client->id,
		    rq->context->def->number);
	else if (r != NULL)
		select_context(env->selection, s, r->client, r->context);
}

static void
select_row(struct requests *f, const struct view_env *env)
{
	if (f->list.cursor >= f->rows.n)
		return;
	select_request(env->selection, f->rows.list[f->list.cursor].seq);
	f->unasked = 0;
	select_its_context(f, env);
}

static bool
requests_mouse(
    struct view *v, const struct view_env *env, int x, int y, enum mouse what)
{
	struct requests *f = (struct requests *)v;

	(void)x;
	if (list_mouse(&f->list, y - f->first_y, what))
		select_row(f, env);
	return true;
}

static bool
requests_find(struct view *v, const struct view_env *env, const char *text,
    size_t from, int step)
{
	struct requests *f = (struct requests *)v;
	struct needle needle = needle_of(text, strlen(text));

	for (struct list_walk w = walk_begin(f->rows.n, from, step);
	     walk_goes_on(&w); walk_step(&w)) {
		const struct requests_row *row = &f->rows.list[w.at];

		text_clear(&f->text);
		request_print_searched(
		    env->session, row->seq, row_request(row), &f->text);
		if (needle_find(&needle, text_str(&f->text), f->text.len, 0) ==
		    NOWHERE)
			continue;
		f->list.cursor = w.at;
		select_row(f, env);
		return true;
	}
	return false;
}

static void
requests_set_filter(
    struct view *v, const struct view_env *env, const char *text)
{
	struct requests *f = (struct requests *)v;

	(void)env;
	filter_set(&f->rows.filter, text, request_columns, n_request_columns);
	f->rows.stale = true;
}

static const char *
requests_filter(const struct view *v)
{
	return filter_text(&((const struct requests *)v)->rows.filter);
}

static size_t
requests_place(const struct view *v)
{
	return ((const struct requests *)v)->list.cursor;
}

static bool
requests_act(struct view *v, const struct view_env *env, enum action action)
{
	struct requests *f = (struct requests *)v;

	if (list_act(&f->list, action)) {
		select_row(f, env);
		return true;
	}
	switch (action) {
	case ACT_SORT_REQUESTS: f->rows.by_engine = !f->rows.by_engine; break;
	case ACT_HIDE_DONE: f->rows.hide_done = !f->rows.hide_done; break;
	default: return false;
	}
	f->rows.stale = true;
	return true;
}

/* Forgets the old run. When only a program was replaced, requests go on. */
static void
requests_launched(struct view *v, const struct view_env *env)
{
	struct requests *f = (struct requests *)v;

	f->rows.n = 0;
	f->rows.stale = true;
	f->selected = NULL;
	if (env->session->n_swaps > 0)
		return;
	f->list = (struct row_list){.height = f->list.height};
	env->selection->request = 0;
}

static void
free_requests(struct view *v)
{
	struct requests *f = (struct requests *)v;

	request_rows_free(&f->rows);
	text_free(&f->text);
	free(f);
}

static const struct view_ops requests_ops = {
    .name = "Requests",
    .scope = SCOPE_REQUESTS,
    .draw = requests_draw,
    .act = requests_act,
    .mouse = requests_mouse,
    .find = requests_find,
    .place = requests_place,
    .set_filter = requests_set_filter,
    .filter = requests_filter,
    .launched = requests_launched,
    .free = free_requests,
};

struct view *
view_requests_new(void)
{
	struct requests *f = mem_calloc(1, sizeof(*f));

	f->view.ops = &requests_ops;
	f->rows.stale = true;
	return &f->view;
}
