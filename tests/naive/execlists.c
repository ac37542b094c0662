/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scheduler execlists. Each rule is named by its heading in the page of the
 * rules ("Slices"). In order: taking an engine and leaving it; slices; the steps
 * of one instant.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "tests/naive/execlists.h"

#define TIMESLICE NSEC_PER_MSEC

/* A request can run: "one that is ready and cannot run yet, given an engine,
 * polls there: it holds the engine, its batch has not started". */
static bool
is_polling(const struct naive_request *rq)
{
	return rq->on != NONE && rq->piece == NSEC_NEVER;
}

/* NULL: the engine is free. */
static struct naive_request *
running_on(const struct naive_world *w, unsigned e)
{
	int row = w->engines[e].running;

	return row == NONE ? NULL : &w->requests[row];
}

static void
begin(struct naive_world *w, struct naive_request *rq)
{
	rq->piece = w->now;
	rq->row.engine = rq->on;
	if (!naive_execlists_has_started(rq)) {
		rq->row.start = w->now;
		rq->first_on = rq->on;
	}
	/* T: what it is off the engine for, or not started: 0 ns more. */
	if (rq->terminated)
		rq->due = w->now;
	else if (rq->infinite)
		rq->due = NSEC_NEVER;
	else
		rq->due = w->now + rq->duration - rq->row.run;
}

/* Slices: a slice "goes on through directly following batches of the same
 * context and is dropped when another context takes the engine". */
static void
take(struct naive_world *w, unsigned row, int e)
{
	struct naive_request *rq = &w->requests[row];
	struct naive_engine *engine = &w->engines[e];

	if (engine->last != NONE &&
	    !naive_execlists_same_context(rq, &w->requests[engine->last]))
		engine->slice = NSEC_NEVER;
	naive_take(w, row, e);
	rq->on = e;
	rq->taken = w->now;
	rq->due = NSEC_NEVER;
	if (naive_execlists_can_run(w, rq))
		begin(w, rq);
}

/* Times: run_ns is the time that its batch ran, all pieces, no polling; busy
 * the held time, polling included, on the engine where it was spent. */
static void
count_piece(struct naive_world *w, struct naive_request *rq)
{
	rq->row.held += w->now - rq->taken;
	w->result->engines[rq->on].busy += w->now - rq->taken;
	if (!is_polling(rq))
		rq->row.run += w->now - rq->piece;
}

static void
leave(struct naive_world *w, struct naive_request *rq)
{
	count_piece(w, rq);
	w->engines[rq->on].running = NONE;
	rq->on = NONE;
	rq->piece = NSEC_NEVER;
}

/* Times: preemptions is how often its batch was taken off unfinished. */
static void
take_off(struct naive_world *w, struct naive_request *rq)
{
	if (!is_polling(rq)) {
		rq->row.preemptions++;
		w->result->engines[rq->on].preemptions++;
	}
	leave(w, rq);
}

/*
 * Slices: behind the one that goes to the tail of its level "(in order of
 * submission) those of its level and engine that wait for its end, directly or
 * through each other". Waits are for earlier requests, so one pass finds them.
 */
static void
send_followers_to_tail(struct naive_world *w, unsigned of, unsigned e)
{
	bool *follows = mem_calloc(w->n_requests, sizeof *follows);
	int priority = w->requests[of].priority;

	follows[of] = true;
	for (unsigned i = of + 1; i < w->n_requests; i++) {
		struct naive_request *rq = &w->requests[i];

		if (!naive_execlists_is_waiting(rq) ||
		    rq->priority != priority || rq->target->is_virtual ||
		    rq->target->first != (int)e)
			continue;
		for (unsigned k = 0; k < rq->n_waits; k++) {
			if (naive_execlists_waits_for_end(rq->waits[k]) &&
			    follows[rq->waits[k].which])
				follows[i] = true;
		}
		if (follows[i])
			rq->level = w->now;
	}
	free(follows);
}

/* Slices: over its time, "its own last nanosecond counts". */
static bool
slice_is_over(const struct naive_world *w, unsigned e)
{
	nsec slice = w->engines[e].slice;

	return slice != NSEC_NEVER && w->now >= slice + TIMESLICE;
}

static nsec
run_time(const struct naive_world *w, const struct naive_request *rq)
{
	return rq->row.run + (w->now - rq->piece);
}

/* Preemption points: every multiple, above 0, of X of its own run time. Its
 * start, and its going on after an interruption, are none. For one that polls
 * every instant is a preemption point. */
static bool
at_point(const struct naive_world *w, const struct naive_request *rq)
{
	nsec distance = naive_find_distance(w, rq);

	if (is_polling(rq))
		return true;
	return distance != 0 && rq->piece != w->now &&
	    run_time(w, rq) % distance == 0;
}

/* A request preempts at a preemption point if its priority is greater than
 * max(priority of the running one, -1). */
static bool
may_preempt(
    const struct naive_world *w, const struct naive_request *rq, unsigned e)
{
	const struct naive_request *running = running_on(w, e);

	return rq->may[e] && running != NULL && at_point(w, running) &&
	    rq->priority > running->priority && rq->priority > -1;
}

/* Virtual engines: it preempts on the first sibling, in the same order (the
 * one that it was on last, then that of engines). */
static int
find_preemptible(const struct naive_world *w, const struct naive_request *rq)
{
	int last = w->rings[rq->ring].last_engine;

	if (last != NONE && may_preempt(w, rq, (unsigned)last))
		return last;
	for (unsigned e = 0; e < w->n_engines; e++) {
		if (may_preempt(w, rq, e))
			return (int)e;
	}
	return NONE;
}

/* Slices: "let N be the next request of its context that waits for this
 * engine". NONE: there is none. */
static int
find_next_of_context(
    const struct naive_world *w, const struct naive_request *of, unsigned e)
{
	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		const struct naive_request *rq = &w->requests[i];

		if (naive_execlists_is_waiting(rq) && rq->may[e] &&
		    naive_execlists_same_context(rq, of))
			return (int)i;
	}
	return NONE;
}

/*
 * Slices: "if the batch ends with its slice over, then, when all that ends at
 * this instant has ended: [N], and F as above, sought for N. If there are both,
 * N goes to the tail of its level, and behind it those of its level and engine
 * that wait for N's end; nothing else moves. Either way a new slice is due."
 */
static void
end_slice(struct naive_world *w, unsigned row, unsigned e)
{
	int next;
	struct naive_request *n;

	if (!slice_is_over(w, e))
		return;
	w->engines[e].slice = NSEC_NEVER;
	next = find_next_of_context(w, &w->requests[row], e);
	if (next == NONE)
		return;
	n = &w->requests[next];
	if (!naive_execlists_yields_to(
		w, n, naive_execlists_find_rival(w, n, e)))
		return;
	n->level = w->now;
	send_followers_to_tail(w, (unsigned)next, e);
}

/* Within one instant: (1) all batches due end. */
static bool
end_due(struct naive_world *w)
{
	int ended[NAIVE_MAX_ENGINES];
	bool any = false;

	for (unsigned e = 0; e < w->n_engines; e++) {
		int row = w->engines[e].running;
		struct naive_request *rq = running_on(w, e);

		ended[e] = NONE;
		if (rq == NULL || is_polling(rq) || rq->due > w->now)
			continue;
		leave(w, rq);
		rq->row.end = w->now;
		w->result->engines[e].batches++;
		ended[e] = row;
		any = true;
	}
	for (unsigned e = 0; e < w->n_engines; e++) {
		if (ended[e] != NONE)
			end_slice(w, (unsigned)ended[e], e);
	}
	naive_skip_ended(w);
	return any;
}

static void
join_ready(struct naive_world *w)
{
	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		struct naive_request *rq = &w->requests[i];
		bool ready = rq->row.ready == NSEC_NEVER;

		for (unsigned k = 0; ready && k < rq->n_waits; k++)
			ready = naive_execlists_is_over(w, rq, rq->waits[k]);
		if (!ready)
			continue;
		rq->row.ready = rq->level = w->now;
		naive_restrict_to_bonds(w, rq);
	}
}

/* A request can run: "the batch begins the instant that it can". */
static bool
begin_pollers(struct naive_world *w)
{
	bool any = false;

	for (unsigned e = 0; e < w->n_engines; e++) {
		struct naive_request *rq = running_on(w, e);

		if (rq == NULL || !is_polling(rq) ||
		    !naive_execlists_can_run(w, rq))
			continue;
		begin(w, rq);
		any = true;
	}
	return any;
}

/* The first waiting request, in the order over all engines, for which find()
 * has an engine. NONE: there is none. */
static int
find_first(const struct naive_world *w,
    int (*find)(const struct naive_world *w, const struct naive_request *rq))
{
	int first = NONE;

	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		if (!naive_execlists_is_waiting(&w->requests[i]) ||
		    (first != NONE &&
			!naive_execlists_is_before(w, i, (unsigned)first)))
			continue;
		if (find(w, &w->requests[i]) != NONE)
			first = (int)i;
	}
	return first;
}

/* (A): the first waiting request that has a free engine takes it. */
static bool
take_free(struct naive_world *w)
{
	int row = find_first(w, naive_find_free_engine);

	if (row == NONE)
		return false;
	take(w, (unsigned)row, naive_find_free_engine(w, &w->requests[row]));
	return true;
}

/* (B): the first that may preempt on an engine at a preemption point does. A
 * preempted request keeps its time. */
static bool
preempt(struct naive_world *w)
{
	int row = find_first(w, find_preemptible);
	int e;

	if (row == NONE)
		return false;
	e = find_preemptible(w, &w->requests[row]);
	take_off(w, running_on(w, (unsigned)e));
	take(w, (unsigned)row, e);
	return true;
}

/*
 * Slices: the running request goes to the tail of its level, and F takes the
 * engine. Otherwise it goes on with a new slice from this instant. A poller
 * gives way in the same manner, at once and without a slice, as soon as such
 * an F waits.
 */
static bool
give_way(struct naive_world *w, unsigned e)
{
	int row = w->engines[e].running;
	struct naive_request *rq = running_on(w, e);
	int rival;

	if (rq == NULL || !at_point(w, rq) ||
	    (!is_polling(rq) && !slice_is_over(w, e)))
		return false;
	rival = naive_execlists_find_rival(w, rq, e);
	if (naive_execlists_yields_to(w, rq, rival)) {
		take_off(w, rq);
		rq->level = w->now;
		send_followers_to_tail(w, (unsigned)row, e);
		take(w, (unsigned)rival, (int)e);
		return true;
	}
	if (is_polling(rq))
		return false;
	w->engines[e].slice = w->now;
	return true;
}

/* (C): the first engine at a preemption point whose slice is over, or that
 * polls, acts as above. */
static bool
rotate(struct naive_world *w)
{
	for (unsigned e = 0; e < w->n_engines; e++) {
		if (give_way(w, e))
			return true;
	}
	return false;
}

/* (1), then (2) what became ready joins, pollers that can run begin; (3) one
 * step; after each step again (2) and (3) until nothing changes, then (1). */
static void
settle(struct naive_world *w)
{
	end_due(w);
	do {
		do {
			do {
				join_ready(w);
			} while (begin_pollers(w));
		} while (take_free(w) || preempt(w) || rotate(w));
	} while (end_due(w));
}

/*
 * When nothing is left in the instant, slices begin and are dropped. If a
 * batch runs there and a ready request of another context that may use this
 * engine waits, whatever its priority, and no slice is running, one begins; if
 * none waits it is dropped; so also while the engine is idle or polled.
 */
static void
instant_over(struct naive_world *w)
{
	for (unsigned e = 0; e < w->n_engines; e++) {
		struct naive_engine *engine = &w->engines[e];
		const struct naive_request *rq = running_on(w, e);

		if (rq == NULL || is_polling(rq) ||
		    naive_execlists_find_rival(w, rq, e) == NONE)
			engine->slice = NSEC_NEVER;
		else if (engine->slice == NSEC_NEVER)
			engine->slice = w->now;
	}
}

/* The next preemption point at which a request waits for the engine. */
static nsec
next_point(const struct naive_world *w, unsigned e)
{
	const struct naive_request *rq = running_on(w, e);
	nsec distance;

	if (rq == NULL || is_polling(rq))
		return NSEC_NEVER;
	distance = naive_find_distance(w, rq);
	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		if (naive_execlists_is_waiting(&w->requests[i]) &&
		    w->requests[i].may[e] && distance != 0)
			return w->now + distance - run_time(w, rq) % distance;
	}
	return NSEC_NEVER;
}

static nsec
next(const struct naive_world *w)
{
	nsec first = NSEC_NEVER;

	for (unsigned e = 0; e < w->n_engines; e++) {
		if (next_point(w, e) < first)
			first = next_point(w, e);
	}
	return first;
}

static void
sum_up(struct naive_world *w)
{
	for (unsigned i = 0; i < w->n_requests; i++) {
		if (w->requests[i].on != NONE)
			count_piece(w, &w->requests[i]);
	}
}

const struct naive_rules naive_execlists = {
    .submitted = naive_execlists_submitted,
    .settle = settle,
    .instant_over = instant_over,
    .next = next,
    .sum_up = sum_up,
};
