/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of the Requests view: the requests in flight, in order, and those that
 * ended last, as far as they pass the filter.
 */
#include "tui/views/requests.h"

#include <stdlib.h>

#include "base/mem.h"
#include "engine/explain/trail.h"
#include "engine/sched/sched.h"

/* Rows that may be collected per tick. */
#define ROWS_PER_TICK 2500
/* Requests in flight that may be compared to find a place in the queue. */
#define COMPARE_MAX 500

struct request *
row_request(const struct requests_row *row)
{
	struct request *rq = row->rq == NULL
	    ? NULL
	    : request_get((struct request_ref){row->rq, row->seq});

	return rq != NULL && rq->state != REQUEST_ENDED ? rq : NULL;
}

const struct trail_request *
ended_request(const struct session *s, uint64_t seq)
{
	const struct trail_request *past = trail_request(s->trail, seq);

	return past != NULL && past->end_ns != NSEC_NEVER ? past : NULL;
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
print_filtered(void *arg, int column, struct text *room)
{
	request_columns[column].print(room, arg);
}

static bool
passes_request(struct request_rows *rows, const struct session *s,
    const struct request *rq, uint64_t seq)
{
	struct request_cell cell = {.session = s, .seq = seq, .rq = rq};

	if (rows->filter.n_words == 0)
		return true;
	if (rq == NULL)
		cell.past = ended_request(s, seq);
	return filter_passes(&rows->filter, print_filtered, &cell, &rows->cell);
}

/* Adds a row unless the filter hides it. rq: NULL: it has ended. */
static void
add_request_row(struct request_rows *rows, const struct session *s,
    struct request *rq, uint64_t seq)
{
	uint32_t key = rq != NULL && rows->by_engine ? engine_key_of(rq) : 0;

	if (!passes_request(rows, s, rq, seq)) {
		rows->n_hidden++;
		return;
	}
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

	rows->n = rows->n_hidden = 0;
	for (size_t i = 0; i < f->n; i++)
		add_request_row(rows, s, f->list[i], f->list[i]->seq);
	if (rows->n > 0)
		qsort_r(rows->list, rows->n, sizeof(*rows->list),
		    compare_request_rows, (void *)(uintptr_t)s);
	for (uint64_t i = 1; i <= done && !rows->hide_done; i++)
		add_request_row(rows, s, NULL,
		    f->recent[(f->n_ended - i) % INFLIGHT_RECENT]);
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

bool
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

size_t
request_rows_find(const struct request_rows *rows, uint64_t seq)
{
	size_t i = 0;

	while (i < rows->n && rows->list[i].seq != seq)
		i++;
	return i;
}

void
request_rows_free(struct request_rows *rows)
{
	free(rows->list);
	filter_free(&rows->filter);
	text_free(&rows->cell);
	*rows = (struct request_rows){0};
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
