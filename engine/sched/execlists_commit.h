/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two ports of an engine with requests in them that wait for it, but stand in
 * its queue no more (doc/model/execlists.md "Two ports", which the comments here
 * quote). Only where the profile has committed_port.
 */
#ifndef ENGINE_SCHED_EXECLISTS_COMMIT_H
#define ENGINE_SCHED_EXECLISTS_COMMIT_H

#include <stdbool.h>

#include "engine/gpu/exec.h"
#include "engine/sched/execlists_port.h"

static inline bool
commit_is_committed(const struct request *rq)
{
	return rq->places != NULL && rq->places->list == PLACE_COMMITTED;
}

/* "Filling", on those of the engines that can. */
void commit_fill(struct sim *sim, engine_mask engines);
/* "Going on": who takes the engine, which is free, and how soon; it still is
 * committed. */
struct request *commit_next(
    struct sim *sim, const struct hw_engine *e, enum follows *how);
/* The first in the first port has the engine now. */
void commit_pop(struct sim *sim, const struct hw_engine *e);
/* "Outranked"? */
bool commit_is_outranked(const struct sim *sim, const struct hw_engine *e);
/* All that is committed there goes back to the queue; false: nothing was. */
bool commit_unwind(struct sim *sim, const struct hw_engine *e);

/* For invariants.h: how many are; breaks if they are not as they should be. */
unsigned commit_check(const struct sim *sim, const struct hw_engine *e);

#endif
