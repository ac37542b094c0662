/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Execution: a scheduler puts a request on an engine, where its batch begins
 * after the profile's switching costs and runs until it ends, is preempted, or
 * is reset. The end of a request is accounted for here too (retirement).
 */
#ifndef ENGINE_GPU_EXEC_H
#define ENGINE_GPU_EXEC_H

#include <stdbool.h>

#include "engine/hang/hang.h"
#include "engine/observer.h"

struct sim;
struct hw_engine;
struct request;

/* To be called once for each engine. */
void exec_init(struct hw_engine *e);

/* How a request follows the one that left the engine, and so how soon it can
 * begin (doc/model/execlists.md "Between two batches"). */
enum follows {
	FOLLOWS_CHOICE, /* chosen after that: completion_ns */
	FOLLOWS_RING,   /* behind it on the same ring: same_ring_ns */
	FOLLOWS_PORT,   /* in the second port: next_port_ns */
};

/*
 * Puts rq on e, which is free (hw_engine_is_free). Its batch begins or resumes
 * after switching, at once if that costs nothing. While rq can't run yet
 * (n_unended) it polls: it holds the engine until exec_begin().
 */
void exec_take(
    struct sim *sim, struct hw_engine *e, struct request *rq, enum follows how);
/* Returns FOLLOWS_RING if rq was on its ring, since that time, before the last
 * request left e; else FOLLOWS_CHOICE. */
enum follows exec_follows_ring(const struct hw_engine *e, nsec since);

/*
 * Puts all rows of a parallel step (sched/parallel.h), whose first is rq, each
 * on its engine; all engines are free. The batches begin together, when the
 * last engine can.
 */
void exec_take_rows(struct sim *sim, struct hw_engine *const *engines,
    struct request *rq, enum follows how);

/* Begins the batch of the request that polls on e, once it has switched. */
void exec_begin(struct sim *sim, struct hw_engine *e);

/* Takes the request off e and returns it, ready to be put on an engine again;
 * by is the request that is to have e, or NULL. */
struct request *exec_preempt(struct sim *sim, struct hw_engine *e,
    enum leaving why, const struct request *by);

/* Ends the batch of the request on e now, with an error (-errno), or if 0 with
 * the one that the request has, if any. */
void exec_end(struct sim *sim, struct hw_engine *e, int error);

/* Takes the request off e for a reset and returns it, ready. The work that its
 * batch has done is lost if it runs. Not counted as a preemption. */
struct request *exec_rewind(struct sim *sim, struct hw_engine *e);

/* Lets the request on e hang at that time (hang/reset.c), if it is on e until
 * then. */
void exec_set_timeout(
    struct sim *sim, struct hw_engine *e, nsec time, enum hang_cause cause);

/* Returns true if a batch runs on e: it does not switch nor poll. */
bool exec_is_running(const struct hw_engine *e);

/* Moves the end of the finite batch on e to when its work is done at its pace
 * (pace.h). */
void exec_set_end(struct sim *sim, struct hw_engine *e);

/* Ends rq, an infinite request, for T: after more ns of work if its batch runs,
 * else after as much when it has an engine. Finite rows of a parallel step still
 * do their work. */
void exec_terminate(struct sim *sim, struct request *rq, nsec more);

/* Gives rq, whose batch runs and which has no error, an error with which it
 * ends at that time; a change of pace moves it. NSEC_NEVER: when something ends
 * it. */
void exec_fail_at(struct sim *sim, struct request *rq, int error, nsec time);

/* Ends a request that was on no engine, with an error. */
void exec_cancel(struct sim *sim, struct request *rq, int error);

/* Ends rq, which a failed execbuf was for, with an error. Only observers know
 * of it: it was on no ring and no engine, and nothing waits for it. */
void exec_refuse(struct sim *sim, struct request *rq, int error);

#endif
