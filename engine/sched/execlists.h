/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_SCHED_EXECLISTS_H
#define ENGINE_SCHED_EXECLISTS_H

#include <stdbool.h>

#include "base/mem.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/exec.h"
#include "engine/sched/priolist.h"
#include "engine/sim.h"

struct execlists;
struct hw_engine;
struct sim;

/*
 * What execlists keeps of each engine, and the rules on who may have it
 * (doc/model/execlists.md, quoted by heading). For sched_execlists.c, which
 * decides, and execlists_timer.c, which sees to it that it is asked in time.
 */

/* In one port, linked by next. */
struct committed {
	struct priolist_place *first, *last;
};

struct port {
	struct priolist waiting;
	struct committed first; /* behind what has the engine */
	struct committed second;
	nsec slice_end;
	const struct ring *slice_of; /* on the engine when it began */
	struct event point;        /* the next preemption point that matters */
	nsec point_ns;             /* its time; NSEC_NEVER: not armed */
	const struct ring *ended;  /* whose batch was the last that ended; NULL:
				     something has had the engine since */
	const struct ring *yields; /* has polled there, and yields until another
				      one has the engine; NULL: none */
	engine_mask saturated;     /* whose ends no semaphore waits for there */
	const struct ring *over;   /* its batch has ended with its slice over */
	struct request **waiters;  /* of execlists_find_followers */
	size_t n_waiters, cap_waiters;
	/* Somebody is to have the engine, since then, instead of the request
	 * with that seq; NSEC_NEVER: nobody. */
	nsec wanted_ns;
	uint64_t wanted_of;
	struct timer preempt_timeout;
};

struct execlists {
	struct port ports[DEVICE_MAX_ENGINES];
	engine_mask waited_for; /* engines with requests in port.waiting */
	engine_mask committed;  /* with requests in port.first or second */
	bool commits;           /* the profile has committed_port */
	engine_mask sliced;     /* engines with a slice running */
	engine_mask look;       /* where a step may find something to do */
	engine_mask changed;    /* at this instant: timers are set anew */
	struct pool places;
	engine_mask over;      /* engines with something in port.over */
	engine_mask can_begin; /* what polls there can run now */
	/* While a submission raises others. */
	struct request **raised;
	size_t n_raised, cap_raised;
	uint64_t mark;
};

static inline struct port *
port_of(const struct sim *sim, const struct hw_engine *e)
{
	struct execlists *x = sim->sched_data;

	return &x->ports[e->index];
}

/*
 * A request came or went, a timer fired: steps look at these engines, until
 * they find nothing more to do. Nobody can get an engine otherwise: for the
 * preemption point at which somebody could, execlists_timer.c sets a timer.
 */
static inline void
ports_changed(struct execlists *x, engine_mask engines)
{
	x->look |= engines;
	x->changed |= engines;
}

static inline void
port_changed(struct sim *sim, const struct hw_engine *e)
{
	struct execlists *x = sim->sched_data;

	ports_changed(x, e->bit);
}

/* Does something poll there? */
bool port_is_polled(const struct hw_engine *e);
/* Can what has e be taken off it now? A poller always can. */
bool port_is_at_point(const struct sim *sim, const struct hw_engine *e);

/* "A request preempts": strictly greater, never by a negative one. */
bool port_preempts(int priority, const struct request *running);
/* "Slices" and "A poller": the first of other contexts than the ring's, if it
 * takes over from what has that priority; else NULL. Where there is one in the
 * second port, that. */
struct request *port_successor(
    const struct port *port, const struct ring *ring, int priority);
/* Do requests of other contexts wait for e, which has one? */
bool port_is_contended(const struct hw_engine *e);

/* rq is given to the hardware: port's, as an engine or to be committed
 * (doc/model/execlists.md "Saturation"). */
void port_learn_saturation(
    const struct sim *sim, struct port *port, const struct request *rq);

/* Has its time run out? */
bool slice_has_run_out(const struct sim *sim, const struct hw_engine *e);
bool slice_is_running(const struct sim *sim, const struct hw_engine *e);
/* The same, or what is there yields as if it had (sticky_yield). */
bool slice_is_over(const struct sim *sim, const struct hw_engine *e);
void slice_begin(struct sim *sim, const struct hw_engine *e);
void slice_drop(struct sim *sim, const struct hw_engine *e);

/*
 * The lists in which requests wait for engines under execlists: one list of
 * each engine, and a place in that of every engine that a request may have
 * (doc/model/execlists.md).
 */

/* Puts a request behind those of its level, level_ns and seq; takes it out. */
void execlists_enqueue(struct sim *sim, struct request *rq);
void execlists_dequeue(struct sim *sim, struct request *rq);
/* Out of the list of one engine only. */
void execlists_remove_place(struct execlists *x, struct priolist_place *place);
/* Behind all of its level that are there now; waiting or not before. */
void execlists_to_tail(struct sim *sim, struct request *rq);

/* One that waits and has been raised: the second puts all that were noted to the
 * tail of their new levels. */
void execlists_note_raised(struct sim *sim, struct request *rq);
void execlists_move_raised(struct sim *sim);

/* A waiter's wake: one that its request waited for the end of has ended. */
void execlists_can_run(struct waiter *w);

/* Those of its level and engine that wait for the end of rq, directly or through
 * each other: the first finds them, in order of submission, into the port's
 * list; the second puts those to the tail, and leaves the list empty. */
void execlists_find_followers(
    struct sim *sim, struct port *port, struct request *rq);
void execlists_defer_followers(struct sim *sim, struct port *port);

/*
 * The two ports of an engine with requests in them that wait for it, but stand in
 * its queue no more (doc/model/execlists.md "Two ports", which the comments here
 * quote). Only where the profile has committed_port.
 */

static inline bool
commit_is_committed(const struct request *rq)
{
	return rq->places != NULL && rq->places->list == PLACE_COMMITTED;
}

/* "Filling", on those of the engines that can. */
void commit_fill(struct sim *sim, engine_mask engines);
/* "Going on": who takes the engine, which is free, and how soon; it still is
 * committed. */
struct request *commit_next(
    struct sim *sim, const struct hw_engine *e, enum follows *how);
/* The first in the first port has the engine now. */
void commit_pop(struct sim *sim, const struct hw_engine *e);
/* "Outranked"? */
bool commit_is_outranked(const struct sim *sim, const struct hw_engine *e);
/* All that is committed there goes back to the queue; false: nothing was. */
bool commit_unwind(struct sim *sim, const struct hw_engine *e);

/* For invariants.h: how many are; breaks if they are not as they should be. */
unsigned commit_check(const struct sim *sim, const struct hw_engine *e);

/*
 * What execlists does when nothing is left in an instant: slices begin and are
 * dropped, the next preemption point that matters is looked up, and the
 * preempt timeout runs or stops.
 *
 * The preempt timeout runs from the instant at which a request may preempt what
 * has the engine, or a slice is over with somebody who takes over, or a
 * heartbeat pulse is to have its turn, until the engine is given up or that is
 * so no more; then the engine is reset (doc/model/execlists.md "Hangs").
 */

/* Before anything runs. */
void execlists_timer_init(struct execlists *x);
void execlists_instant_over(struct sim *sim);
/* sched.h's ends. */
bool execlists_ends(const struct sim *sim, const struct hw_engine *e);

#endif
