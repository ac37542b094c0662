/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parallel submission (G; doc/model/guc.md "Parallel slots"): a step is one
 * batch for each row, all of which run at the same time. Each is a request; the
 * first row's is the one that waits, is waited for and stands on the ring, and
 * those of the other rows, linked by next_row, go where it goes.
 *
 * The aligned set j of a context is sibling j of every row.
 */
#ifndef ENGINE_SCHED_PARALLEL_H
#define ENGINE_SCHED_PARALLEL_H

#include "engine/compile/program.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/exec.h"

struct sim;
struct request;

/* Adds to rq, which has been made for the first row, those of the others.
 * durations: one per row. */
void parallel_add_rows(
    struct sim *sim, struct request *rq, const nsec *durations);
/* All of them are ready. */
void parallel_ready(struct sim *sim, struct request *rq);
/* All of them have come to its priority. */
void parallel_raised(struct request *rq);
/* Puts them on the engines of set j of their context. */
void parallel_take(
    struct sim *sim, struct request *rq, unsigned j, enum follows how);

/* The engines of set j. */
engine_mask parallel_set(const struct context_def *def, unsigned j);

#endif
