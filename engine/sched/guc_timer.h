/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What GuC does about an engine that is not given up (doc/model/hangs.md
 * "Preempt timeout", "Heartbeat"), and how heartbeat pulses get through it.
 *
 * The preempt timeout is GuC's own: it runs from the instant at which a queue
 * of a higher band waits for the engine, or one of its owner's band and the
 * quantum of that is used up, until the owner gives way or that is so no more;
 * then GuC resets the engine. The owner's context is guilty if its request has
 * ever started ("only if its oldest unfinished request had started"). Nothing
 * takes off a parallel set, so it is hit as a batch without points is, whole.
 *
 * A pulse is a request of the kernel's context, in the band that its priority
 * maps to (section 2.2): -1024 low, 0 normal, 1025 high, as users have it; only
 * BARRIER is in the band above theirs. It comes to a new place with each band.
 * Like any queue it has its turn before those that stand behind it, and it
 * wants an engine whose owner is of a lower band, or of its own with the
 * quantum used up. A beat that finds the last one unanswered is a stall, for
 * which i915 resets the whole GPU: it can't reset one engine of GuC's.
 */
#ifndef ENGINE_SCHED_GUC_TIMER_H
#define ENGINE_SCHED_GUC_TIMER_H

#include <stdbool.h>

#include "engine/sched/guc_queue.h"

/* Before anything runs. */
void guc_timer_init(struct guc *guc);
/* A pulse waits for e, or has been raised. */
void guc_timer_pulse(struct sim *sim, struct hw_engine *e);
/* A queue is about to start a request on the engines that it is on: pulses that
 * stand before it have their turn. */
void guc_timer_starting(struct sim *sim, const struct guc_queue *q);
/* Nothing is left in the instant: looks at engine i again. */
void guc_timer_update(struct sim *sim, unsigned i);
/* sched.h's ends. */
bool guc_timer_ends(const struct sim *sim, const struct hw_engine *e);

#endif
