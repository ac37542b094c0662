/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See fence_rows.h. */
#include "tui/views/fences.h"

#include <stdlib.h>

#include "base/mem.h"
#include "engine/explain/explain.h"
#include "engine/sched/sched.h"

/* Rows that may be collected per tick. */
#define ROWS_PER_TICK 2500
/* Requests that may be compared for the place of one. */
#define COMPARE_MAX 500
/* Of a request's own waits. */
#define WAITS_MAX 64

struct request *
row_request(const struct fence_row *row)
{
	struct request *rq = row->rq == NULL
	    ? NULL
	    : request_get((struct request_ref){row->rq, row->seq});

	return rq != NULL && rq->state != REQUEST_ENDED ? rq : NULL;
}

enum { KEY_RUNNING, KEY_READY, KEY_BLOCKED };

/* By engine: those that wait for any of several come last. */
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

/* As the scheduler has it; else in the order in which they became ready. */
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
compare_fence_rows(const void *pa, const void *pb, void *arg)
{
	const struct fence_row *a = pa, *b = pb;
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
add_fence_row(
    struct fence_rows *rows, struct request *rq, uint64_t seq, uint32_t key)
{
	rows->list = mem_grow(
	    rows->list, rows->n, &rows->cap, sizeof(*rows->list));
	rows->list[rows->n++] = (struct fence_row){seq, rq, key};
}

static void
collect_fence_rows(struct fence_rows *rows, const struct session *s)
{
	const struct inflight *f = &s->inflight;
	uint64_t done = f->n_ended < INFLIGHT_RECENT ? f->n_ended
						     : INFLIGHT_RECENT;

	rows->n = 0;
	for (size_t i = 0; i < f->n; i++)
		add_fence_row(rows, f->list[i], f->list[i]->seq,
		    rows->by_engine ? engine_key_of(f->list[i]) : 0);
	rows->n_live = rows->n;
	if (rows->n > 0)
		qsort_r(rows->list, rows->n, sizeof(*rows->list),
		    compare_fence_rows, (void *)(uintptr_t)s);
	for (uint64_t i = 1; i <= done && !rows->hide_done; i++)
		add_fence_row(rows, NULL,
		    f->recent[(f->n_ended - i) % INFLIGHT_RECENT], 0);
}

/* While one steps, rows are always those of now. */
static bool
is_due(const struct fence_rows *rows, const struct session *s)
{
	if (rows->stale)
		return true;
	if (rows->events == s->run.sim->n_events)
		return false;
	return !session_moves(s) ||
	    s->samples - rows->samples > s->inflight.n / ROWS_PER_TICK;
}

bool
fence_rows_update(struct fence_rows *rows, const struct session *s)
{
	if (!is_due(rows, s))
		return false;
	collect_fence_rows(rows, s);
	rows->stale = false;
	rows->samples = s->samples;
	rows->events = s->run.sim->n_events;
	return true;
}

size_t
fence_rows_find(const struct fence_rows *rows, uint64_t seq)
{
	size_t i = 0;

	while (i < rows->n && rows->list[i].seq != seq)
		i++;
	return i;
}

void
fence_rows_free(struct fence_rows *rows)
{
	free(rows->list);
	*rows = (struct fence_rows){0};
}

bool
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

void
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

static unsigned
count_of_fence(const struct fence *f, unsigned max)
{
	unsigned n = 0;

	for (const struct waiter *w = fence_waiters(f); w != NULL && n < max;
	     w = w->next_of_fence)
		n++;
	return n;
}

unsigned
count_waiters(const struct request *rq, unsigned max)
{
	unsigned n = count_of_fence(&rq->finished, max);

	n += count_of_fence(&rq->queued, max - n);
	return n + count_of_fence(&rq->scheduled, max - n);
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
