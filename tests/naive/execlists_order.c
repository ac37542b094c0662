/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scheduler execlists: waits of a request, and the order of requests that wait for
 * an engine. Each rule is named by its heading in the page of the rules.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "tests/naive/execlists.h"

bool
naive_execlists_has_started(const struct naive_request *rq)
{
	return rq->row.start != NSEC_NEVER;
}

bool
naive_execlists_is_waiting(const struct naive_request *rq)
{
	return rq->row.ready != NSEC_NEVER && rq->row.end == NSEC_NEVER &&
	    rq->on == NONE;
}

/* Slices: "(client, context, virtual or not)". */
bool
naive_execlists_same_context(
    const struct naive_request *a, const struct naive_request *b)
{
	return a->row.client == b->row.client &&
	    a->row.context == b->row.context &&
	    a->target->is_virtual == b->target->is_virtual;
}

/*
 * Ready: of the waits for the end of a request that runs on another engine,
 * both engines fixed, the waiter's priority at submission >= 0, per source
 * engine the one for the earliest submitted is a semaphore.
 */
static void
choose_semaphores(struct naive_world *w, struct naive_request *rq)
{
	int earliest[NAIVE_MAX_ENGINES];

	for (unsigned e = 0; e < NAIVE_MAX_ENGINES; e++)
		earliest[e] = NONE;
	for (unsigned i = 0; i < rq->n_waits; i++) {
		int of = (int)rq->waits[i].which;
		const struct naive_target *target;

		if (rq->waits[i].cause != FOR_RESULT ||
		    naive_ended(w, (unsigned)of))
			continue;
		target = w->requests[of].target;
		if (target->is_virtual || target->first == rq->target->first)
			continue;
		if (earliest[target->first] == NONE ||
		    of < earliest[target->first])
			earliest[target->first] = of;
	}
	if (rq->target->is_virtual || rq->priority < 0)
		return;
	for (unsigned e = 0; e < NAIVE_MAX_ENGINES; e++) {
		if (earliest[e] != NONE)
			naive_list_add(&rq->semaphores, earliest[e]);
	}
}

static bool
is_semaphore(const struct naive_request *rq, unsigned of)
{
	for (unsigned i = 0; i < rq->semaphores.n; i++) {
		if (rq->semaphores.items[i] == (int)of)
			return true;
	}
	return false;
}

/*
 * Ready: a semaphore is over, for readiness, as soon as that request has
 * started; the other waits for another engine, and every wait from or on a
 * virtual engine, at the end. Waits for what runs on the same fixed engine:
 * ready when it is ready. s-n waits for the start.
 */
bool
naive_execlists_is_over(const struct naive_world *w,
    const struct naive_request *rq, struct naive_wait wait)
{
	const struct naive_request *of = &w->requests[wait.which];

	switch (wait.cause) {
	case FOR_RESULT:
	case FOR_TIMELINE:
		if (naive_same_engine(rq, of))
			return of->row.ready != NSEC_NEVER;
		if (is_semaphore(rq, wait.which))
			return naive_execlists_has_started(of);
		return of->row.end != NSEC_NEVER;
	case FOR_START: return naive_execlists_has_started(of);
	case FOR_SIGNAL: return w->fences[wait.which].signalled;
	}
	return false;
}

bool
naive_execlists_waits_for_end(struct naive_wait wait)
{
	return wait.cause == FOR_RESULT || wait.cause == FOR_TIMELINE;
}

/* A request can run when all that it waits for the end of has ended (its
 * predecessor on the timeline included). */
bool
naive_execlists_can_run(
    const struct naive_world *w, const struct naive_request *rq)
{
	for (unsigned i = 0; i < rq->n_waits; i++) {
		if (naive_execlists_waits_for_end(rq->waits[i]) &&
		    !naive_ended(w, rq->waits[i].which))
			return false;
	}
	return true;
}

/* Order: the time at which the request came to its level counts "was raised
 * while waiting". */
static void
raise(struct naive_world *w, struct naive_request *rq, int priority)
{
	if (rq->priority >= priority)
		return;
	rq->priority = priority;
	if (naive_execlists_is_waiting(rq))
		rq->level = w->now;
}

/*
 * Inheritance, at submission, before anything else happens: every unfinished
 * request that the new one waits for, and what those wait for in turn, is
 * raised to its priority if lower. Below a request that has started nothing is
 * visited. Software fences pass nothing on.
 */
static void
inherit(struct naive_world *w, unsigned row)
{
	bool *reached = mem_calloc(row + 1, sizeof *reached);
	int priority = w->requests[row].priority;

	reached[row] = true;
	for (unsigned i = row + 1; i-- > w->first_open;) {
		struct naive_request *rq = &w->requests[i];

		if (!reached[i] || naive_ended(w, i))
			continue;
		raise(w, rq, priority);
		for (unsigned k = 0;
		     !naive_execlists_has_started(rq) && k < rq->n_waits; k++) {
			if (rq->waits[k].cause != FOR_SIGNAL)
				reached[rq->waits[k].which] = true;
		}
	}
	free(reached);
}

void
naive_execlists_submitted(struct naive_world *w, unsigned row)
{
	choose_semaphores(w, &w->requests[row]);
	inherit(w, row);
}

/*
 * Order of those that wait for an engine: priority, highest first; in one
 * level those that can run before those that would poll; then by the time at
 * which the request came to its level, the same nanosecond by order of
 * submission.
 */
bool
naive_execlists_is_before(
    const struct naive_world *w, unsigned row_a, unsigned row_b)
{
	const struct naive_request *a = &w->requests[row_a];
	const struct naive_request *b = &w->requests[row_b];

	if (a->priority != b->priority)
		return a->priority > b->priority;
	if (naive_execlists_can_run(w, a) != naive_execlists_can_run(w, b))
		return naive_execlists_can_run(w, a);
	if (a->level != b->level)
		return a->level < b->level;
	return row_a < row_b;
}

/* Slices: "let F be the first of the waiting requests of other contexts for
 * this engine". NONE: there is none. */
int
naive_execlists_find_rival(
    const struct naive_world *w, const struct naive_request *of, unsigned e)
{
	int first = NONE;

	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		const struct naive_request *rq = &w->requests[i];

		if (!naive_execlists_is_waiting(rq) || !rq->may[e] ||
		    naive_execlists_same_context(rq, of))
			continue;
		if (first == NONE ||
		    naive_execlists_is_before(w, i, (unsigned)first))
			first = (int)i;
	}
	return first;
}

/* Slices: "if F's priority is higher than the running one's, or equal and F
 * can run". */
bool
naive_execlists_yields_to(
    const struct naive_world *w, const struct naive_request *rq, int row)
{
	const struct naive_request *rival;

	if (row == NONE)
		return false;
	rival = &w->requests[row];
	if (rival->priority == rq->priority)
		return naive_execlists_can_run(w, rival);
	return rival->priority > rq->priority;
}
