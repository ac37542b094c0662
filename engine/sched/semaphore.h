/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which waits of a request are the engine's own (it polls for the end of what
 * runs on another engine) and which are the CPU's: doc/model/execlists.md
 * "Ready".
 */
#ifndef ENGINE_SCHED_SEMAPHORE_H
#define ENGINE_SCHED_SEMAPHORE_H

#include <stddef.h>

#include "engine/gpu/engine.h"

struct sim;
struct request;
struct waiter;
struct dependency;

/* Makes rq, whose priority is that of its submission, wait for n dependencies;
 * without semaphores for what runs on the engines unused. can_run as for
 * settle_wait_end. */
void semaphore_waits(struct sim *sim, struct request *rq,
    const struct dependency *deps, size_t n, engine_mask unused,
    void (*can_run)(struct waiter *w));
/* The engines of its semaphores if it has any and all of them are over; else 0
 * (doc/model/execlists.md "Saturation"). */
engine_mask semaphore_useless(const struct request *rq);

#endif
