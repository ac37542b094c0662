/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RCS and CCS take turns (doc/model/guc.md "Render and compute"): in each window
 * one of the two classes goes first, for part of it the other. While an engine of
 * the class that goes first has a queue of one client, engines of the other class
 * are closed to queues of other clients: those give way at their next preemption
 * point, and take no engine.
 */
#ifndef ENGINE_SCHED_GUC_YIELD_H
#define ENGINE_SCHED_GUC_YIELD_H

#include <stdbool.h>

#include "engine/event.h"
#include "engine/gpu/engine.h"

struct sim;
struct guc_queue;

struct guc_yield {
	engine_mask render, compute; /* none: no such policy on this GPU */
	engine_mask all;             /* both */
	nsec window;
	nsec share;        /* of compute, at the end of each window */
	struct timer turn; /* the other class goes first from then on */
};

/* Before anything runs. */
void guc_yield_init(struct sim *sim, struct guc_yield *yield);
/* The queue that keeps q from engine i, of RCS or CCS, now; NULL: none. */
const struct guc_queue *guc_yield_closed_by(
    const struct sim *sim, unsigned i, const struct guc_queue *q);
/* Nothing is left in the instant: the next turn comes only where both classes
 * have work. */
void guc_yield_update(struct sim *sim);

#endif
