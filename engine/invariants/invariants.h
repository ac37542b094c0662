/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules that hold in every simulation: checked in builds with GPUWL_INVARIANTS
 * (SAN=1, DEBUG=1), compiled out in others. The waits of each request are noted
 * here a second time at its submission, so that the engine's own counters are
 * checked and not trusted.
 *
 * A broken rule is an error of the engine, never of a descriptor: it aborts the
 * process, with a line on standard error that names the rule, the request and
 * the virtual time.
 */
#ifndef ENGINE_INVARIANTS_INVARIANTS_H
#define ENGINE_INVARIANTS_INVARIANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/request.h"

struct sim;
struct client;
struct heap;
struct priolist;

#ifdef GPUWL_INVARIANTS

struct invariants {
	struct pool noted;
	struct request *first, *last; /* in flight, in order of submission */
	uint64_t n_in_flight;
	nsec now; /* last time seen */

	/* Counted here. */
	uint64_t n_submitted, n_refused, n_ended, n_ran;

	/* How often all is checked: see invariants_instant(). */
	uint64_t seen_events, credit, cost;

	uint64_t last_mark;
	uint32_t *in_flight; /* by context, of the client being checked */
	size_t cap_in_flight;
};

/* Makes sim->invariants. */
void invariants_create(struct sim *sim);

/* These are to be called at the events that they are named after. */

/* rq was submitted: sim->deps are its dependencies, and it waits for them. */
void invariants_submitted(struct sim *sim, struct request *rq);
/* A request, or one row of it, was refused. */
void invariants_refused(struct sim *sim);
/* An event has fired. */
void invariants_event(struct sim *sim);
/* The batch on e begins or resumes. */
void invariants_begin(struct sim *sim, const struct hw_engine *e);
/* rq has ended and was accounted for. */
void invariants_ended(struct sim *sim, struct request *rq);
/* An f step is about to reset a fence. */
void invariants_fence(const struct client *c, const struct fence *f);
/* The instant is over. Checks everything, but only once there were enough
 * events since the last time to pay for it: so the cost per event does not grow
 * with the number of clients. */
void invariants_instant(struct sim *sim);
/* Checks everything that holds at the end of an instant. */
void invariants_check(struct sim *sim);

/* For one who keeps pointers into the simulation since sim->n_restored was that:
 * no snapshot was put back. */
void invariants_kept(const struct sim *sim, uint32_t n_restored);

/* Reports a broken rule and aborts. rq may be NULL. Schedulers call it for
 * rules of their own (sched/sched.h). */
void __attribute__((noreturn, format(printf, 3, 4))) invariants_broken(
    const struct sim *sim, const struct request *rq, const char *fmt, ...);

/* Check the queue of e: its requests are ready, may run there, are in order,
 * and are as many as e counts, with those beside the queue. A heap is keyed by
 * the time at which requests became ready, and may have stale entries. */
void invariants_heap(
    const struct sim *sim, const struct hw_engine *e, const struct heap *queue);
void invariants_priolist(const struct sim *sim, const struct hw_engine *e,
    const struct priolist *list, uint32_t beside);

/* Returns true if something that rq waits for, as noted at its submission, has
 * not happened. */
bool invariants_has_waits(const struct sim *sim, const struct request *rq);

#else

static inline void
invariants_create(struct sim *sim)
{
	(void)sim;
}

static inline void
invariants_kept(const struct sim *sim, uint32_t n_restored)
{
	(void)sim;
	(void)n_restored;
}

static inline void
invariants_submitted(struct sim *sim, struct request *rq)
{
	(void)sim;
	(void)rq;
}

static inline void
invariants_refused(struct sim *sim)
{
	(void)sim;
}

static inline void
invariants_event(struct sim *sim)
{
	(void)sim;
}

static inline void
invariants_begin(struct sim *sim, const struct hw_engine *e)
{
	(void)sim;
	(void)e;
}

static inline void
invariants_ended(struct sim *sim, struct request *rq)
{
	(void)sim;
	(void)rq;
}

static inline void
invariants_fence(const struct client *c, const struct fence *f)
{
	(void)c;
	(void)f;
}

static inline void
invariants_instant(struct sim *sim)
{
	(void)sim;
}

static inline void
invariants_check(struct sim *sim)
{
	(void)sim;
}

#endif
#endif
