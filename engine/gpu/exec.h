/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The port of an engine: a scheduler puts a request on it, and it runs there
 * until it ends. Costs of switching are the profile's.
 */
#ifndef ENGINE_GPU_EXEC_H
#define ENGINE_GPU_EXEC_H

#include <stdbool.h>

#include "engine/hang/hang.h"
#include "engine/observer.h"

struct sim;
struct hw_engine;
struct request;

void port_init(struct hw_engine *e);

/* How the engine comes from what left it to what follows: how soon that can
 * begin (doc/model/execlists.md "Between two batches"). */
enum follows {
	FOLLOWS_CHOICE, /* chosen anew: completion_ns */
	FOLLOWS_RING,   /* it was on the same ring already: same_ring_ns */
	FOLLOWS_PORT,   /* it was in the second port: next_port_ns */
};

/*
 * Puts rq on e, which is free (hw_engine_is_free). Its batch begins, or goes on, once switching has
 * been paid for, at once where that costs nothing; but while it can't run yet
 * (n_unended) it polls: it holds the engine until port_begin.
 */
void port_take(
    struct sim *sim, struct hw_engine *e, struct request *rq, enum follows how);
/* For one that goes by the order of a ring, on which it is since that time:
 * FOLLOWS_RING if it was there before something left e. */
enum follows port_follows_ring(const struct hw_engine *e, nsec since);

/*
 * Puts all rows of a parallel step (parallel.h), whose first is rq, each on
 * its engine; all of these are free. All begin when the last engine could.
 */
void port_take_rows(struct sim *sim, struct hw_engine *const *engines,
    struct request *rq, enum follows how);

/* The batch of the request that polls on e begins. */
void port_begin(struct sim *sim, struct hw_engine *e);

/* Takes the request off e before its end, for by, which is to have e; it is
 * ready, to be put on again. */
struct request *port_take_off(struct sim *sim, struct hw_engine *e,
    enum leaving why, const struct request *by);

/* Ends the batch of the request on e now, with an error (-errno; 0: its own,
 * if any). */
void port_end(struct sim *sim, struct hw_engine *e, int error);

/* As port_take_off, but what the batch has run since it first began is lost,
 * if it runs; that counts as no preemption. For resets. */
struct request *port_take_back(struct sim *sim, struct hw_engine *e);

/* What is on e is given up at that time: reset then, if it still has it. */
void port_give_up_at(
    struct sim *sim, struct hw_engine *e, nsec time, enum hang_cause cause);

/* Is the batch of the request on e running (not switching, not polling)? */
bool port_is_running(const struct hw_engine *e);

/* The batch that runs on e, which is finite, ends when its work is done
 * (pace.h): not when that was expected before. */
void port_set_end(struct sim *sim, struct hw_engine *e);

/* T: an infinite batch ends now if it runs, else when it gets an engine,
 * after 0 ns. */
void port_terminate(struct sim *sim, struct request *rq);

/*
 * Gives a request that has not ended an error (-errno), unless it has one: if
 * its batch runs, it ends now with it. Else it keeps its place, waits for what
 * it waits for, and when it gets an engine it runs 0 ns: its payload is
 * skipped, and those behind it need not know (doc/model/hangs.md "Resets"). A
 * request that waits for its end inherits the error (settle.h).
 */
void port_fail(struct sim *sim, struct request *rq, int error);

/* Gives rq, whose batch runs and which has no error, one with which it ends at
 * that time, or later or earlier if it gets on at another pace until then;
 * NSEC_NEVER: when something ends it. */
void port_fail_at(struct sim *sim, struct request *rq, int error, nsec time);

/* Completes a request that never got an engine, with an error. */
void port_cancel(struct sim *sim, struct request *rq, int error);

/* An execbuf that fails: rq, of which only the observers know, is not ready,
 * does not start nor end but at this instant, and is on no engine or ring. */
void port_refuse(struct sim *sim, struct request *rq, int error);

#endif
