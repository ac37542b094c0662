/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_SCHED_DEPENDENCY_H
#define ENGINE_SCHED_DEPENDENCY_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/gpu/engine.h"
#include "engine/gpu/request.h"

struct dependency;
struct request;
struct sim;
struct waiter;

/*
 * What a request waits for, kept as edges from it to its signalers, for those
 * schedulers that pass priority on along them.
 */

struct edge {
	struct edge *next;
	struct request *rq; /* edge_signaler tells whether it is still that */
	uint64_t seq : 63;
	uint64_t weak : 1; /* for its start only (s-n) */
};

/* The signaler while it has not ended, else NULL. */
static inline struct request *
edge_signaler(const struct edge *edge)
{
	return request_get((struct request_ref){edge->rq, edge->seq});
}

void edge_add(
    struct sim *sim, struct request *rq, struct request *signaler, bool weak);
void edge_release_all(struct sim *sim, struct request *rq);

/*
 * Raises all that rq waits for, and what those wait for in turn, to its
 * priority if they are lower; raised is told of each. Below a request that
 * has started nothing is visited (doc/model/execlists.md "Inheritance"),
 * unless through_started.
 */
void dependency_raise(struct sim *sim, struct request *rq, bool through_started,
    void (*raised)(struct sim *sim, struct request *rq));

/*
 * Which waits of a request are the engine's own (it polls for the end of what
 * runs on another engine) and which are the CPU's: doc/model/execlists.md
 * "Ready".
 */

/* Makes rq, whose priority is that of its submission, wait for n dependencies;
 * without semaphores for what runs on the engines unused. can_run as for
 * instant_wait_end. */
void semaphore_waits(struct sim *sim, struct request *rq,
    const struct dependency *deps, size_t n, engine_mask unused,
    void (*can_run)(struct waiter *w));
/* The engines of its semaphores if it has any and all of them are over; else 0
 * (doc/model/execlists.md "Saturation"). */
engine_mask semaphore_saturated(const struct request *rq);

#endif
