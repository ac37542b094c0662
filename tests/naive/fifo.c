/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scheduler fifo: what happens within one instant (doc/model/common.md "Within
 * one instant"): first everything that ends, ends; then what that made ready
 * joins its queue; then free engines take work (a batch of 0 ns holds its
 * engine for that round); this again until nothing changes.
 */
#include "tests/naive/world.h"

/*
 * Common: a request waits for the end of those that its data dependencies,
 * its objects and its f-n name, except that one which runs on the same
 * physical engine need only be ready; for the start of its s-n, on the same
 * engine too; ready only when the request before it on its timeline is ready,
 * on a virtual engine: has ended.
 */
static bool
is_over(const struct naive_world *w, const struct naive_request *rq,
    struct naive_wait wait)
{
	const struct naive_request *of = &w->requests[wait.which];

	switch (wait.cause) {
	case FOR_RESULT:
	case FOR_TIMELINE:
		if (naive_same_engine(rq, of))
			return of->row.ready != NSEC_NEVER;
		return of->row.end != NSEC_NEVER;
	case FOR_START: return of->row.start != NSEC_NEVER;
	case FOR_SIGNAL: return w->fences[wait.which].signalled;
	}
	return false;
}

/* Common: a request is ready when everything that it waits for has happened.
 * Waits are for earlier requests, so one pass in order of submission does. */
static void
join_ready(struct naive_world *w)
{
	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		struct naive_request *rq = &w->requests[i];
		bool ready = rq->row.ready == NSEC_NEVER;

		for (unsigned k = 0; ready && k < rq->n_waits; k++)
			ready = is_over(w, rq, rq->waits[k]);
		if (!ready)
			continue;
		rq->row.ready = w->now;
		naive_restrict_to_bonds(w, rq);
	}
}

/*
 * Common: in the order in which they became ready, ties by order of
 * submission. Execlists, within one instant: one step at a time, the first
 * waiting request in that order over all engines that has a free engine takes
 * it.
 */
static bool
take_one(struct naive_world *w)
{
	int best = NONE;

	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		const struct naive_request *rq = &w->requests[i];

		if (rq->row.ready == NSEC_NEVER || rq->row.start != NSEC_NEVER)
			continue;
		if (best != NONE &&
		    w->requests[best].row.ready <= rq->row.ready)
			continue;
		if (naive_find_free_engine(w, rq) != NONE)
			best = (int)i;
	}
	if (best == NONE)
		return false;
	naive_start(
	    w, (unsigned)best, naive_find_free_engine(w, &w->requests[best]));
	return true;
}

static void
settle(struct naive_world *w)
{
	naive_end_due(w);
	do {
		do {
			join_ready(w);
		} while (take_one(w));
	} while (naive_end_due(w));
}

const struct naive_rules naive_fifo = {
    .settle = settle, .sum_up = naive_sum_up_whole};
