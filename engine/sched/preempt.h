/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preemption points: a batch can be taken off its engine when its own run time
 * is a multiple, above 0, of its X; not at the instant at which it begins or
 * goes on (doc/model/execlists.md "Preemption points", doc/model/guc.md
 * "Preemption points"). If the profile has arbitration_us, that is the distance
 * of the points, and X only says whether there are any (doc/model/execlists.md
 * "Distance of preemption points").
 */
#ifndef ENGINE_SCHED_PREEMPT_H
#define ENGINE_SCHED_PREEMPT_H

#include <stdbool.h>

#include "base/nsec.h"

struct sim;
struct hw_engine;
struct request;

/* Returns true if the batch has preemption points on this GPU. */
bool preempt_is_possible(const struct sim *sim, const struct request *rq);
/* Returns true if the batch that runs on e is at one now. */
bool preempt_is_at_point(const struct sim *sim, const struct hw_engine *e);
/* Returns the time of the first point of rq at t or later. rq runs and has
 * points. */
nsec preempt_next_point(
    const struct sim *sim, const struct request *rq, nsec t);

/* Returns when the batch of rq, which runs, ends by itself; NSEC_NEVER if it is
 * infinite. */
nsec preempt_end(const struct request *rq);
/* Returns true if the batch on e leaves it by time to, at its end or at a point
 * that is at from or later. */
bool preempt_releases(
    const struct sim *sim, const struct hw_engine *e, nsec from, nsec to);
/* Returns true if heartbeat pulses come too late for the batch on e: it has no
 * points, or they are farther apart than the beats or the preempt timeout.
 * False without heartbeats. */
bool preempt_is_late_for_pulse(
    const struct sim *sim, const struct hw_engine *e);

/* Returns the preempt timeout of e in ns; 0: none (doc/model/hangs.md "Preempt
 * timeout"). */
nsec preempt_timeout(const struct sim *sim, const struct hw_engine *e);

#endif
