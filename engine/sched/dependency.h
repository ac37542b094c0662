/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dependencies of requests: their waits, along which execlists and guc pass
 * priority on; and the choice between waiting before the engine and polling a
 * semaphore on it.
 */
#ifndef ENGINE_SCHED_DEPENDENCY_H
#define ENGINE_SCHED_DEPENDENCY_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/gpu/engine.h"
#include "engine/gpu/request.h"

struct dependency;
struct sim;

/*
 * Raises all requests that rq waits for, and those that they wait for in turn,
 * to its priority if theirs is lower; calls raised for each. Does not go beyond
 * a request that has started (doc/model/execlists.md "Inheritance"), unless
 * through_started.
 */
void dependency_raise(struct sim *sim, struct request *rq, bool through_started,
    void (*raised)(struct sim *sim, struct request *rq));

/*
 * Makes rq wait for its n dependencies: with semaphores where that is possible
 * (doc/model/execlists.md "Ready"), except for requests on the engines in
 * unused. rq has the priority of its submission.
 */
void semaphore_waits(struct sim *sim, struct request *rq,
    const struct dependency *deps, size_t n, engine_mask unused);
/* Returns the engines that rq has semaphores on, if all of these waits are
 * over: they gained nothing (doc/model/execlists.md "Saturation"). Else 0. */
engine_mask semaphore_saturated(const struct request *rq);

#endif
