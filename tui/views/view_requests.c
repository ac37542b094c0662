/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Requests view: collects its rows, the requests in flight and those that
 * ended last, in order; keeps the cursor on the selected request, and makes the
 * requests in its chain of waits stand out. Only rows on the screen are
 * explained.
 */
#include "tui/views/requests.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/explain/explain.h"
#include "engine/sched/sched.h"

/* Rows that may be collected per tick. */
#define ROWS_PER_TICK 2500
/* Requests in flight that may be compared to find a place in the queue. */
#define COMPARE_MAX 500
/* Waits of one request that are looked at. */
#define WAITS_MAX 64

/* Returns the row's request, NULL once it has ended. */
static struct request *
row_request(const struct requests_row *row)
{
	struct request *rq = row->rq == NULL
	    ? NULL
	    : request_get((struct request_ref){row->rq, row->seq});

	return rq != NULL && rq->state != REQUEST_ENDED ? rq : NULL;
}

enum { KEY_RUNNING, KEY_READY, KEY_BLOCKED };

/* Returns a key that sorts by engine and state; requests that may run on
 * several engines come last. */
static uint32_t
engine_key_of(const struct request *rq)
{
	uint32_t engine = rq->engine != NULL ? rq->engine->index
					     : DEVICE_MAX_ENGINES;
	uint32_t state = rq->state == REQUEST_RUNNING ? KEY_RUNNING
	    : rq->state == REQUEST_READY              ? KEY_READY
						      : KEY_BLOCKED;

	return engine * 4 + state;
}

/* True if a is before b in the scheduler's queue, or became ready first where
 * the scheduler has no order. */
static bool
is_queued_before(
    const struct session *s, const struct request *a, const struct request *b)
{
	const struct sched_ops *sched = s->run.sim->config.sched;
	nsec a_ready = fence_time(&a->queued), b_ready = fence_time(&b->queued);

	if (sched->before != NULL)
		return sched->before(a, b);
	return a_ready != b_ready ? a_ready < b_ready : a->seq < b->seq;
}

static int
compare_request_rows(const void *pa, const void *pb, void *arg)
{
	const struct requests_row *a = pa, *b = pb;
	const struct session *s = arg;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->key % 4 == KEY_READY && !s->run.sim->config.sched->takes_turns)
		return is_queued_before(s, a->rq, b->rq)
		    ? -1
		    : is_queued_before(s, b->rq, a->rq);
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static void
add_request_row(
    struct request_rows *rows, struct request *rq, uint64_t seq, uint32_t key)
{
	rows->list = mem_grow(
	    rows->list, rows->n, &rows->cap, sizeof(*rows->list));
	rows->list[rows->n++] = (struct requests_row){seq, rq, key};
}

static void
collect_request_rows(struct request_rows *rows, const struct session *s)
{
	const struct inflight *f = &s->inflight;
	uint64_t done = f->n_ended < INFLIGHT_RECENT ? f->n_ended
						     : INFLIGHT_RECENT;

	rows->n = 0;
	for (size_t i = 0; i < f->n; i++)
		add_request_row(rows, f->list[i], f->list[i]->seq,
		    rows->by_engine ? engine_key_of(f->list[i]) : 0);
	if (rows->n > 0)
		qsort_r(rows->list, rows->n, sizeof(*rows->list),
		    compare_request_rows, (void *)(uintptr_t)s);
	for (uint64_t i = 1; i <= done && !rows->hide_done; i++)
		add_request_row(rows, NULL,
		    f->recent[(f->n_ended - i) % INFLIGHT_RECENT], 0);
}

/* Rows are never old while the run is paused or stepped. */
static bool
is_due(const struct request_rows *rows, const struct session *s)
{
	if (rows->stale)
		return true;
	if (rows->events == s->run.sim->n_events)
		return false;
	return !session_moves(s) ||
	    s->samples - rows->samples > s->inflight.n / ROWS_PER_TICK;
}

/* Collects the rows if that is due; true: they may have moved. */
static bool
request_rows_update(struct request_rows *rows, const struct session *s)
{
	if (!is_due(rows, s))
		return false;
	collect_request_rows(rows, s);
	rows->stale = false;
	rows->samples = s->samples;
	rows->events = s->run.sim->n_events;
	return true;
}

/* Returns the row of a request, or rows->n. */
static size_t
request_rows_find(const struct request_rows *rows, uint64_t seq)
{
	size_t i = 0;

	while (i < rows->n && rows->list[i].seq != seq)
		i++;
	return i;
}

static void
request_rows_free(struct request_rows *rows)
{
	free(rows->list);
	*rows = (struct request_rows){0};
}

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
			if (w->fence != NULL)
				chain_add(c, fence_request(w->fence));
	}
}

struct queue_place
place_in_queue(const struct session *s, const struct request *rq)
{
	const struct inflight *f = &s->inflight;
	struct queue_place p = {1, 1};

	if (f->n > COMPARE_MAX)
		return (struct queue_place){0, 0};
	for (size_t i = 0; i < f->n; i++) {
		const struct request *other = f->list[i];

		if (other == rq || other->state != REQUEST_READY ||
		    !(other->allowed & rq->allowed))
			continue;
		p.of++;
		p.place += is_queued_before(s, other, rq);
	}
	if (s->run.sim->config.sched->takes_turns)
		p.place = 0;
	return p;
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
	    .past = trail_request(s->trail, row->seq),
	    .state_cols = f->columns.widths[COLUMN_STATE],
	};

	if (cell.past != NULL && cell.past->end_ns == NSEC_NEVER)
		cell.past = NULL;
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
 * stays, and selects the request under it if the view has the focus. */
static void
follow_request(struct requests *f, const struct view_env *env)
{
	size_t at = request_rows_find(&f->rows, env->selection->request);

	if (at < f->rows.n)
		f->list.cursor = at;
	else if (env->focus)
		select_request_row(f, env);
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

static void
requests_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct requests *f = (struct requests *)v;

	update_requests(f, env);
	f->n_submitted = env->session->run.sim->n_submitted;
	columns_fit(&f->columns, request_columns, n_request_columns,
	    &(struct columns_room){.width = a->r.w, .keep = -1, .table = f});
	list_fit(&f->list, f->rows.n, a->r.h - 1);
	draw_request_titles(f, env, a);
	for (size_t i = 0; i < f->list.height; i++)
		if (f->list.top + i < f->rows.n)
			draw_request_row(
			    f, env, a, (int)i + 1, f->list.top + i);
	if (f->rows.n == 0)
		put(a, 1, 1, a->r.w - 1, ROLE_DIM, "nothing is in flight");
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
	select_its_context(f, env);
}

static bool
requests_mouse(
    struct view *v, const struct view_env *env, int x, int y, enum mouse what)
{
	struct requests *f = (struct requests *)v;

	(void)x;
	if (list_mouse(&f->list, y - 1, what))
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
