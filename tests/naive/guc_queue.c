/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queues of scheduler guc. The rules quoted are those under `guc` on the
 * page of its rules. In order: what a queue has; its band, place and quantum;
 * who raises whom; when its head is handed over; the order of those that wait.
 *
 * A queue is what the other schedulers call a timeline: "each (client, context,
 * engine), each load balanced context and each parallel context".
 */
#include "tests/naive/guc.h"

#include <stdlib.h>

#include "base/mem.h"

/* "Band: priority below 0 low, 0 normal, above 0 high." */
static int
find_request_band(int priority)
{
	if (priority < 0)
		return LOW;
	return priority == 0 ? NORMAL : HIGH;
}

/* "A queue runs its requests one after the other": the one that it runs, or
 * would run next. NONE: it has nothing. */
int
naive_guc_next_request(const struct naive_world *w, unsigned queue)
{
	const struct naive_ring *q = &w->rings[queue];

	return q->handed.n > 0 ? q->handed.items[0] : NONE;
}

/* "The band of a queue is the best among its requests that are handed over and
 * have not ended; so it can fall back." */
int
naive_guc_band(const struct naive_world *w, unsigned queue)
{
	const struct naive_list *handed = &w->rings[queue].handed;
	int best = NOTHING;

	for (unsigned i = 0; i < handed->n; i++) {
		int band = w->requests[handed->items[i]].priority;

		if (band > best)
			best = band;
	}
	return best;
}

bool
naive_guc_is_on_engine(const struct naive_world *w, unsigned queue)
{
	return w->rings[queue].set != NONE;
}

/* "A queue with something handed over is on an engine, or waits." */
bool
naive_guc_is_waiting(const struct naive_world *w, unsigned queue)
{
	return !naive_guc_is_on_engine(w, queue) &&
	    naive_guc_next_request(w, queue) != NONE;
}

/* "Its quantum is engine time since it took its place": a new place is a new
 * quantum. */
void
naive_guc_take_place(struct naive_world *w, unsigned queue)
{
	struct naive_ring *q = &w->rings[queue];

	q->place = ++w->n_places;
	q->used = 0;
	q->since = w->now;
}

/* "A queue takes a new place when its band changes while it waits." */
static bool
has_changed(const struct naive_world *w, unsigned queue)
{
	return naive_guc_is_waiting(w, queue) &&
	    w->rings[queue].band != naive_guc_band(w, queue);
}

static void
follow_band(struct naive_world *w, unsigned queue)
{
	w->rings[queue].band = naive_guc_band(w, queue);
	naive_guc_take_place(w, queue);
}

/* "Several at once: in the order of their old places." */
static void
follow_bands(struct naive_world *w)
{
	int first;

	do {
		first = NONE;
		for (unsigned i = 0; i < w->n_rings; i++) {
			if (has_changed(w, i) &&
			    (first == NONE ||
				w->rings[i].place < w->rings[first].place))
				first = (int)i;
		}
		if (first != NONE)
			follow_band(w, (unsigned)first);
	} while (first != NONE);
}

/*
 * "A request that waits for others (data, objects, `f-n`, `s-n`, the ones
 * before it in its queue), and through them for more, raises all that have not
 * ended to its own band at its submit, never lowers." Waits are for earlier
 * requests, so one pass finds them. None waits for one that has ended.
 */
static void
raise_others(struct naive_world *w, unsigned row)
{
	bool *reached = mem_calloc(row + 1, sizeof *reached);
	int band = w->requests[row].priority;

	reached[row] = true;
	for (unsigned i = row + 1; i-- > w->first_open;) {
		struct naive_request *rq = &w->requests[i];

		if (!reached[i] || naive_ended(w, i))
			continue;
		if (rq->priority < band)
			rq->priority = band;
		for (unsigned k = 0; k < rq->n_waits; k++) {
			if (rq->waits[k].cause != FOR_SIGNAL)
				reached[rq->waits[k].which] = true;
		}
	}
	free(reached);
}

/* A request's priority is its band from here on: that "of the context when it
 * submits". */
void
naive_guc_submitted(struct naive_world *w, unsigned row)
{
	struct naive_request *rq = &w->requests[row];

	rq->priority = find_request_band(rq->priority);
	w->progress = w->now;
	raise_others(w, row);
	follow_bands(w);
}

/*
 * "For requests of its own queue nothing (order does it); for any other request
 * its end, on the same engine too; `s-n`: its first start; a software fence:
 * its signal." And "the one before it in its queue is ready".
 */
static bool
is_over(const struct naive_world *w, const struct naive_request *rq,
    struct naive_wait wait)
{
	const struct naive_request *of;

	if (wait.cause == FOR_SIGNAL)
		return w->fences[wait.which].signalled;
	of = &w->requests[wait.which];
	if (wait.cause == FOR_TIMELINE)
		return of->row.ready != NSEC_NEVER;
	if (of->ring == rq->ring)
		return true;
	if (wait.cause == FOR_START)
		return of->row.start != NSEC_NEVER;
	return of->row.end != NSEC_NEVER;
}

/* "A queue takes a new place when it gets something handed over while it has
 * nothing", or by that another band while it waits. */
static void
hand_over(struct naive_world *w, unsigned row)
{
	struct naive_request *rq = &w->requests[row];
	bool had_nothing = naive_guc_next_request(w, rq->ring) == NONE;

	rq->row.ready = w->now;
	naive_list_add(&w->rings[rq->ring].handed, (int)row);
	w->progress = w->now;
	if (had_nothing || has_changed(w, rq->ring))
		follow_band(w, rq->ring);
}

/* "The head of a queue is handed to GuC (`ready_ns`) when nothing is left that
 * it waits for. Several at one instant are handed over in order of
 * submission." */
void
naive_guc_look_at_heads(struct naive_world *w)
{
	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		const struct naive_request *rq = &w->requests[i];
		bool ready = rq->row.ready == NSEC_NEVER;

		for (unsigned k = 0; ready && k < rq->n_waits; k++)
			ready = is_over(w, rq, rq->waits[k]);
		if (ready)
			hand_over(w, i);
	}
}

/* "Waiting queues stand in the order of band, then of place." */
static bool
stands_before(const struct naive_world *w, unsigned a, unsigned b)
{
	int band_a = naive_guc_band(w, a), band_b = naive_guc_band(w, b);

	if (band_a != band_b)
		return band_a > band_b;
	return w->rings[a].place < w->rings[b].place;
}

/* The waiting queue that stands next after that one (NONE: the first). */
int
naive_guc_next_waiting(const struct naive_world *w, int after)
{
	int next = NONE;

	for (unsigned i = 0; i < w->n_rings; i++) {
		if (!naive_guc_is_waiting(w, i) ||
		    (after != NONE && !stands_before(w, (unsigned)after, i)))
			continue;
		if (next == NONE || stands_before(w, i, (unsigned)next))
			next = (int)i;
	}
	return next;
}

nsec
naive_guc_used(const struct naive_world *w, const struct naive_ring *q)
{
	return q->used + (q->set != NONE ? w->now - q->since : 0);
}

bool
naive_guc_is_used_up(const struct naive_world *w, const struct naive_ring *q)
{
	return naive_guc_used(w, q) >= NAIVE_GUC_QUANTUM;
}
