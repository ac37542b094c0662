/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * execlists: what it keeps of each engine, and the parts that it consists of
 * (doc/model/execlists.md, whose headings the comments quote):
 *
 *   execlists.c        makes the decisions
 *   execlists_port.c   the rules on which request may have an engine; the two
 *                      hardware ports
 *   execlists_queue.c  the queues in which requests wait for engines
 *   execlists_timer.c  timeslices, preemption points and preempt timeouts
 */
#ifndef ENGINE_SCHED_EXECLISTS_H
#define ENGINE_SCHED_EXECLISTS_H

#include <stdbool.h>

#include "base/mem.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/exec.h"
#include "engine/sched/priolist.h"
#include "engine/sim.h"

/* The places of the requests in one hardware port, linked by next. */
struct committed {
	struct priolist_place *first, *last;
};

/* The state of one engine. */
struct port {
	struct priolist waiting;
	struct committed first; /* behind the request on the engine */
	struct committed second;
	nsec slice_end;
	const struct ring *slice_of; /* ring on the engine when it began */
	nsec slice_dropped_ns;       /* when nothing else wanted the engine */
	struct event point;       /* the next preemption point that matters */
	nsec point_ns;            /* its time; NSEC_NEVER: not armed */
	const struct ring *ended; /* ring of the batch that ended last; NULL:
					the engine was taken since */
	const struct ring
	    *yields;           /* ring that has polled here, and yields until
				      another has the engine; NULL: none */
	engine_mask saturated; /* engines that requests here use no
				      semaphores for */
	const struct ring
	    *over; /* ring whose batch ended with its slice over */
	struct request **waiters; /* of find_followers() */
	size_t n_waiters, cap_waiters;
	/* Requests that were put to the tail, whose followers were not yet
	 * (execlists_defer). */
	struct request_ref *deferred;
	size_t n_deferred, cap_deferred;
	/* When a preemption of request wanted_of (its seq) was first due;
	 * NSEC_NEVER: none is. */
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
	engine_mask changed;    /* at this instant: their timers are set anew */
	struct pool places;
	engine_mask over;      /* engines with a ring in port.over */
	engine_mask can_begin; /* engines whose polling request can run now */
	/* Waiting requests that a submission has raised. */
	struct request **raised;
	size_t n_raised, cap_raised;
	engine_mask deferred; /* engines with requests in port.deferred */
};

static inline struct port *
port_of(const struct sim *sim, const struct hw_engine *e)
{
	struct execlists *x = sim->sched_data;

	return &x->ports[e->index];
}

/*
 * Notes that something has changed on these engines: steps examine them until
 * they find nothing to do. No other engine can change hands; a timer of
 * execlists_timer.c notes the preemption point at which one could.
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

/* Returns true if the request on e polls. */
bool port_is_polled(const struct hw_engine *e);
/* Returns true if the request on e can be taken off now: it is at a preemption
 * point, or it polls. */
bool port_is_at_point(const struct sim *sim, const struct hw_engine *e);

/* Returns true if a request of that priority preempts the running one ("A
 * request preempts"): if it is strictly greater, and not negative. */
bool port_preempts(int priority, const struct request *running);
/* Returns the request that takes over from one of that ring and priority when
 * its slice is over or it polls: the first of another context, from the second
 * port if there is one in it ("Slices", "A poller"). NULL: none. */
struct request *port_successor(
    const struct port *port, const struct ring *ring, int priority);
/* Returns true if requests of other contexts wait for e, which has one. */
bool port_is_contended(const struct hw_engine *e);

/* Learns from rq, which is given to the hardware, on the engine or in a port,
 * which semaphores gain nothing ("Saturation"). */
void port_learn_saturation(
    const struct sim *sim, struct port *port, const struct request *rq);

/* Returns true if the slice on e has reached its end. */
bool slice_has_run_out(const struct sim *sim, const struct hw_engine *e);
/* Returns true if a slice runs on e, which may have reached its end. */
bool slice_is_running(const struct sim *sim, const struct hw_engine *e);
/* As slice_has_run_out, or the request on e yields as if it had
 * (sticky_yield). */
bool slice_is_over(const struct sim *sim, const struct hw_engine *e);
/* Starts a slice for the request on e, from now. */
void slice_begin(struct sim *sim, const struct hw_engine *e);
/* Stops the slice on e, if there is one. */
void slice_drop(struct sim *sim, const struct hw_engine *e);

/*
 * The two ports, with requests that left the queue of an engine but do not run
 * yet ("Two ports"). Used only where the profile has committed_port.
 */

static inline bool
commit_is_committed(const struct request *rq)
{
	return rq->places != NULL && rq->places->list == PLACE_COMMITTED;
}

/* Fills the ports of those of the engines that can take more ("Filling"). */
void commit_fill(struct sim *sim, engine_mask engines);
/* Returns the request that takes e, which is free, and sets how it follows
 * ("Going on"). It stays committed until commit_pop. */
struct request *commit_next(
    struct sim *sim, const struct hw_engine *e, enum follows *how);
/* Removes the first request of the first port: it has the engine now. */
void commit_pop(struct sim *sim, const struct hw_engine *e);
/* Returns true if a waiting request outranks the committed ones
 * ("Outranked"). */
bool commit_is_outranked(const struct sim *sim, const struct hw_engine *e);
/* Puts all committed requests of e back into its queue; false: none was. */
bool commit_unwind(struct sim *sim, const struct hw_engine *e);
/* For engine/invariants: checks the ports of e, and returns the number of
 * requests in them. */
unsigned commit_check(const struct sim *sim, const struct hw_engine *e);

/*
 * The queues: one priolist per engine, and one place for a request in that of
 * each engine that it may take.
 */

/* Adds a request, by its priority, level_ns and seq. */
void execlists_enqueue(struct sim *sim, struct request *rq);
/* Removes a request from all queues and ports. */
void execlists_dequeue(struct sim *sim, struct request *rq);
/* Removes a place from the queue of its engine only. */
void execlists_remove_place(struct execlists *x, struct priolist_place *place);
/* Moves a request behind all others of its level, or adds it there if it does
 * not wait. */
void execlists_to_tail(struct sim *sim, struct request *rq);

/* Notes a waiting request that has been raised to a new level. */
void execlists_note_raised(struct sim *sim, struct request *rq);
/* Moves the noted requests to the tails of their levels. */
void execlists_move_raised(struct sim *sim);

/* sched_ops.can_run. */
void execlists_can_run(struct sim *sim, struct request *rq);

/*
 * The followers of a request are those in its level and queue that wait for its
 * end, directly or through each other. When it is put to the tail they go there
 * with it, which is done as late as possible, so that a slice costs the same
 * whatever waits: no order between requests that would poll matters while one of
 * their level can run. Until then the request has deferred, and its followers the
 * times at which they came to their places before.
 */
/* Defers rq, which has been put to the tail of the queue of e, its only engine. */
void execlists_defer(
    struct sim *sim, const struct hw_engine *e, struct request *rq);
/* Puts those that follow rq directly behind where it was put: rq, which was
 * deferred, ends. */
void execlists_hand_on(
    struct sim *sim, const struct hw_engine *e, struct request *rq);
/* Returns true if there may be deferred requests of these engines. */
static inline bool
execlists_has_deferred(const struct sim *sim, engine_mask engines)
{
	const struct execlists *x = sim->sched_data;

	return (x->deferred & engines) != 0;
}
/* Puts all followers where they belong: of deferred requests of these engines;
 * of these engines, if one that would poll is the first in the queue. */
void execlists_settle(struct sim *sim, engine_mask engines);
void execlists_settle_first(struct sim *sim, engine_mask engines);

/*
 * Timers, which are set when an instant is over: slices begin and are dropped,
 * the next preemption point that matters is armed, and the preempt timeout
 * starts or stops.
 *
 * The preempt timeout runs while a request may preempt the one on the engine,
 * or its slice is over and there is a successor, or a heartbeat pulse is due.
 * When it expires the engine is reset (doc/model/execlists.md "Hangs").
 */

/* Prepares the timers of all engines, before anything runs. */
void execlists_timer_init(struct execlists *x);
/* sched_ops.instant_over and sched_ops.ends. */
void execlists_instant_over(struct sim *sim);
bool execlists_ends(const struct sim *sim, const struct hw_engine *e);

#endif
