/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preemption points: a batch can be taken off its engine at every multiple,
 * above 0, of its X of its own run time; not where it begins or goes on
 * (doc/model/execlists.md "Preemption points", doc/model/guc.md "Preemption
 * points"). With arbitration_us, X only says whether it has any
 * (doc/model/execlists.md "Distance of preemption points").
 */
#ifndef ENGINE_SCHED_PREEMPT_H
#define ENGINE_SCHED_PREEMPT_H

#include <stdbool.h>

#include "base/nsec.h"

struct sim;
struct hw_engine;
struct request;

/* Has the batch any points at all, on this GPU? */
bool preempt_is_possible(const struct sim *sim, const struct request *rq);
/* Is the batch that runs on e at one now? */
bool preempt_is_at_point(const struct sim *sim, const struct hw_engine *e);
/* Its first one at t or after it; only while it runs and has points. */
nsec preempt_next_point(
    const struct sim *sim, const struct request *rq, nsec t);

/* When it ends by itself; only while it runs. NSEC_NEVER: it is infinite. */
nsec preempt_end(const struct request *rq);
/* Will what has e let go of it by itself, by a point at from or later or by its
 * end, until to? */
bool preempt_releases(
    const struct sim *sim, const struct hw_engine *e, nsec from, nsec to);
/* A heartbeat pulse gets its turn at a preemption point: is what runs on e without
 * any in time, as they are farther apart than the beats or the preempt timeout?
 * False without heartbeats. */
bool preempt_is_late_for_pulse(
    const struct sim *sim, const struct hw_engine *e);

/* For how long somebody who is to have e waits for it before e is reset; 0:
 * for ever (doc/model/hangs.md "Preempt timeout"). */
nsec preempt_timeout(const struct sim *sim, const struct hw_engine *e);

#endif
