/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parallel submission (G; doc/model/guc.md "Parallel slots"): a step has one
 * batch per row, and all rows run at the same time. Each row is a request. The
 * first row's request waits, is waited for, and is on the ring; those of the
 * other rows, linked by next_row, follow it.
 *
 * Set j of a context is sibling j of every row.
 */
#ifndef ENGINE_SCHED_PARALLEL_H
#define ENGINE_SCHED_PARALLEL_H

#include "engine/compile/program.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/exec.h"

struct sim;
struct request;

/* Adds to rq, the first row's request, those of the other rows. durations (ns)
 * has one element per row. */
void parallel_add_rows(
    struct sim *sim, struct request *rq, const nsec *durations);
/* Makes the other rows ready, as rq is. */
void parallel_ready(struct sim *sim, struct request *rq);
/* Gives the other rows the priority of rq. */
void parallel_raised(struct request *rq);
/* Puts all rows on the engines of set j of their context. */
void parallel_take(
    struct sim *sim, struct request *rq, unsigned j, enum follows how);

/* Returns the engines of set j. */
engine_mask parallel_set(const struct ring_def *def, unsigned j);

#endif
