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

void exec_init(struct hw_engine *e);

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
 * (n_unended) it polls: it holds the engine until exec_begin.
 */
void exec_take(
    struct sim *sim, struct hw_engine *e, struct request *rq, enum follows how);
/* For one that goes by the order of a ring, on which it is since that time:
 * FOLLOWS_RING if it was there before something left e. */
enum follows exec_follows_ring(const struct hw_engine *e, nsec since);

/*
 * Puts all rows of a parallel step (parallel.h), whose first is rq, each on
 * its engine; all of these are free. All begin when the last engine could.
 */
void exec_take_rows(struct sim *sim, struct hw_engine *const *engines,
    struct request *rq, enum follows how);

/* The batch of the request that polls on e begins. */
void exec_begin(struct sim *sim, struct hw_engine *e);

/* Takes the request off e before its end, for by, which is to have e; it is
 * ready, to be put on again. */
struct request *exec_preempt(struct sim *sim, struct hw_engine *e,
    enum leaving why, const struct request *by);

/* Ends the batch of the request on e now, with an error (-errno; 0: its own,
 * if any). */
void exec_end(struct sim *sim, struct hw_engine *e, int error);

/* As exec_preempt, but what the batch has run since it first began is lost,
 * if it runs; that counts as no preemption. For resets. */
struct request *exec_rewind(struct sim *sim, struct hw_engine *e);

/* What is on e is given up at that time: reset then, if it still has it. */
void exec_set_timeout(
    struct sim *sim, struct hw_engine *e, nsec time, enum hang_cause cause);

/* Is the batch of the request on e running (not switching, not polling)? */
bool exec_is_running(const struct hw_engine *e);

/* The batch that runs on e, which is finite, ends when its work is done
 * (pace.h): not when that was expected before. */
void exec_set_end(struct sim *sim, struct hw_engine *e);

/* T: an infinite batch ends now if it runs, else when it gets an engine,
 * after 0 ns. */
void exec_terminate(struct sim *sim, struct request *rq);

/* Gives rq, whose batch runs and which has no error, one with which it ends at
 * that time, or later or earlier if it gets on at another pace until then;
 * NSEC_NEVER: when something ends it. */
void exec_fail_at(struct sim *sim, struct request *rq, int error, nsec time);

/* Completes a request that never got an engine, with an error. */
void exec_cancel(struct sim *sim, struct request *rq, int error);

/* An execbuf that fails: rq, of which only the observers know, is not ready,
 * does not start nor end but at this instant, and is on no engine or ring. */
void exec_refuse(struct sim *sim, struct request *rq, int error);

#endif
