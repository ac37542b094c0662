/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counters of a trace: how much of each window of 10 ms an engine was busy,
 * in percent, and how much of that it switched or polled; and the queue, which
 * has its value of each instant. A value is written when it changes.
 */
#include "base/util.h"
#include "engine/gpu/request.h"
#include "engine/sim.h"
#include "trace/trace_private.h"

#define WINDOW_NS ((nsec)10000000)
/* A time without events that is longer is not cut into windows. */
#define MOST_WINDOWS 1000

/* Length of [from, to) within [begin, end). */
static nsec
common_ns(nsec from, nsec to, nsec begin, nsec end)
{
	from = nsec_later(from, begin);
	to = to < end ? to : end;
	return from < to ? to - from : 0;
}

nsec
trace_polls_since(const struct trace *t, const struct hw_engine *e)
{
	nsec now = t->sim->now;
	nsec polled = hw_engine_sema(e, now) - t->engines[e->index].sema_ns;

	return polled > 0 ? now - polled : NSEC_NEVER;
}

/* Adds what the engine did up to then to the sums of the window. */
static void
count_load(struct trace *t, const struct hw_engine *e, nsec then)
{
	struct engine_row *row = &t->engines[e->index];
	nsec polled = row->began == NSEC_NEVER ? trace_polls_since(t, e)
					       : row->polled;
	nsec ready = polled < row->began ? polled : row->began;

	if (row->held != NSEC_NEVER && row->counted < then) {
		nsec from = row->counted;

		row->sums[LOAD_BUSY] += common_ns(
		    row->held, NSEC_NEVER, from, then);
		row->sums[LOAD_SWITCHING] += common_ns(
		    row->held, ready, from, then);
		row->sums[LOAD_POLLING] += common_ns(
		    polled, row->began, from, then);
		row->sums[LOAD_POLLING] += common_ns(
		    row->waits, NSEC_NEVER, from, then);
	}
	row->counted = nsec_later(row->counted, then);
}

/* Writes the means of the window that ends then, and begins the next. */
static void
close_load_window(struct trace *t, nsec then)
{
	double length = (double)(then - t->window);

	for (unsigned i = 0; i < t->sim->device.n_engines; i++) {
		const struct hw_engine *e = &t->sim->device.engines[i];
		struct engine_row *row = &t->engines[i];

		count_load(t, e, then);
		for (unsigned k = 0; k < N_LOADS; k++) {
			/* In tenths of a percent. */
			double value = (double)(uint64_t)((double)row->sums[k] *
					       1000 / length +
					   0.5) /
			    10;

			if (value != row->loads[k])
				trace_put_counter(t, e, k, t->window, value);
			row->loads[k] = value;
			row->sums[k] = 0;
		}
	}
	t->window = then;
	t->window_end = then - then % WINDOW_NS + WINDOW_NS;
}

static void
put_queues(struct trace *t)
{
	for (unsigned i = 0; i < t->sim->device.n_engines; i++) {
		const struct hw_engine *e = &t->sim->device.engines[i];
		struct engine_row *row = &t->engines[i];

		if (e->queue_depth != row->queued)
			trace_put_counter(
			    t, e, LOAD_QUEUED, t->counted, e->queue_depth);
		row->queued = e->queue_depth;
	}
}

void
trace_update_loads(struct trace *t)
{
	nsec now = t->sim->now;

	if (t->counted != now)
		put_queues(t);
	t->counted = now;
	for (unsigned n = 0; t->window_end <= now; n++)
		close_load_window(t,
		    n < MOST_WINDOWS ? t->window_end : now - now % WINDOW_NS);
}

void
trace_begin_loads(struct trace *t)
{
	nsec now = t->sim->now;

	t->counted = t->window = now;
	t->window_end = now - now % WINDOW_NS + WINDOW_NS;
	for (unsigned i = 0; i < t->sim->device.n_engines; i++) {
		const struct hw_engine *e = &t->sim->device.engines[i];
		struct request *rq = e->running;
		bool runs = rq != NULL && rq->piece_ns != NSEC_NEVER;
		bool polls = runs && request_polls(rq);

		t->engines[i] = (struct engine_row){
		    .rq = runs && !polls ? rq : NULL,
		    .began = runs ? now : NSEC_NEVER,
		    .held = rq != NULL ? nsec_later(now, e->busy_since)
				       : NSEC_NEVER,
		    .waits = polls ? now : NSEC_NEVER,
		    .poll_from = NSEC_NEVER,
		    .polled = NSEC_NEVER,
		    .sema_ns = hw_engine_sema(e, now),
		    .counted = now,
		};
	}
}

void
trace_end_loads(struct trace *t)
{
	trace_update_loads(t);
	put_queues(t);
	if (t->window < t->sim->now)
		close_load_window(t, t->sim->now);
}

void
trace_load_took(struct trace *t, const struct hw_engine *e, nsec completion)
{
	struct engine_row *row = &t->engines[e->index];

	row->counted = t->sim->now;
	row->held = t->sim->now + completion;
	row->began = row->polled = NSEC_NEVER;
	row->waits = row->poll_from = NSEC_NEVER;
	row->sema_ns = hw_engine_sema(e, t->sim->now);
}

void
trace_load_began(struct trace *t, const struct hw_engine *e)
{
	struct engine_row *row = &t->engines[e->index];

	row->polled = trace_polls_since(t, e);
	row->began = t->sim->now;
}

void
trace_load_polls(struct trace *t, const struct hw_engine *e, bool polls)
{
	struct engine_row *row = &t->engines[e->index];

	count_load(t, e, t->sim->now);
	row->waits = polls ? t->sim->now : NSEC_NEVER;
}

void
trace_load_left(struct trace *t, const struct hw_engine *e)
{
	struct engine_row *row = &t->engines[e->index];

	count_load(t, e, t->sim->now);
	row->held = row->began = row->polled = NSEC_NEVER;
	row->waits = row->poll_from = NSEC_NEVER;
	row->sema_ns = hw_engine_sema(e, t->sim->now);
}
