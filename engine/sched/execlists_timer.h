/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#ifndef ENGINE_SCHED_EXECLISTS_TIMER_H
#define ENGINE_SCHED_EXECLISTS_TIMER_H

#include <stdbool.h>

struct sim;
struct hw_engine;
struct execlists;

/* Before anything runs. */
void execlists_timer_init(struct execlists *x);
void execlists_instant_over(struct sim *sim);
/* sched.h's ends. */
bool execlists_ends(const struct sim *sim, const struct hw_engine *e);

#endif
