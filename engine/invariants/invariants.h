/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What holds in every simulation, whatever runs on it: checked in builds with
 * GPUWL_INVARIANTS (SAN=1, DEBUG=1), nothing at all in others. What a request
 * waits for is noted here a second time, as it was submitted, so that no
 * counter of the engine is believed.
 *
 * A rule that is broken is a mistake of the engine, never of a descriptor: it
 * ends the process (SIGABRT) with a line on standard error that names the
 * rule, the request and the virtual time.
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
	struct request *first, *last; /* in flight, by submission */
	uint64_t n_in_flight;
	nsec now; /* the latest that was seen */

	/* Totals of its own. */
	uint64_t n_submitted, n_refused, n_ended, n_ran;

	/* How often all is checked: see invariants_instant. */
	uint64_t seen_events, credit, cost;

	uint64_t last_mark;
	uint32_t *in_flight; /* by context of the client that is checked */
	size_t cap_in_flight;
};

void invariants_create(struct sim *sim);
void invariants_destroy(struct sim *sim);

/* sim->deps of rq are known, and its scheduler has made it wait. */
void invariants_submitted(struct sim *sim, struct request *rq);
/* A request, or a row of it, was submitted in vain. */
void invariants_refused(struct sim *sim);
/* An event has happened. */
void invariants_event(struct sim *sim);
/* The batch on e begins, or goes on. */
void invariants_begin(struct sim *sim, const struct hw_engine *e);
/* rq has ended, and is accounted for. */
void invariants_ended(struct sim *sim, struct request *rq);
/* An f is about to make a fence anew. */
void invariants_fence(const struct client *c, const struct fence *f);
/* The instant is over. All is checked after as many events as there is to
 * look at: so that costs no more with many clients than with few. */
void invariants_instant(struct sim *sim);
/* Checks all that holds at the end of an instant, now. */
void invariants_check(struct sim *sim);

/* For schedulers that check what is theirs (sched.h). rq may be NULL. */
void __attribute__((noreturn, format(printf, 3, 4))) invariants_broken(
    const struct sim *sim, const struct request *rq, const char *fmt, ...);

/* The requests in the queue of e are ready, may run there, are all that it
 * counts (except the given number beside the queue), and stand in order. A heap
 * is keyed by the time of readiness, and may hold some that were taken
 * since. */
void invariants_heap(
    const struct sim *sim, const struct hw_engine *e, const struct heap *queue);
void invariants_priolist(const struct sim *sim, const struct hw_engine *e,
    const struct priolist *list, uint32_t beside);

/* For invariants_instant.c: something that rq waits for, as it was submitted,
 * has not happened. */
bool invariants_has_waits(const struct sim *sim, const struct request *rq);

#else

static inline void
invariants_create(struct sim *sim)
{
	(void)sim;
}

static inline void
invariants_destroy(struct sim *sim)
{
	(void)sim;
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
