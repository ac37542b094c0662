/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One instant of virtual time on the device (doc/model/common.md "Within one
 * instant"): due events fire, requests whose waits are over are given to the
 * scheduler, and the scheduler puts requests on engines, one decision at a
 * time, until nothing changes. Clients run elsewhere (sim.c).
 */
#ifndef ENGINE_INSTANT_H
#define ENGINE_INSTANT_H

#include <stdbool.h>

struct sim;
struct request;
struct fence;
struct waiter;

/* Makes rq wait, before it is ready, for f, which has not signalled. rq
 * inherits a fatal error of f if f is the end of a request; not under Xe, nor
 * under a scheduler without hands_errors_on (sched/sched.h). */
void instant_wait(struct sim *sim, struct request *rq, struct fence *f);
/* Makes rq wait, before it is ready, for the start of signaler. A virtual
 * request of a context with bonds may then only run where the bond of the
 * signaler's engine allows. */
void instant_wait_start(
    struct sim *sim, struct request *rq, struct request *signaler);
/* Makes the batch of rq wait for the end of signaler; rq may be ready, and on
 * an engine, before. can_run is called at that end, and must call
 * instant_end_wait(). */
void instant_wait_end(struct sim *sim, struct request *rq,
    struct request *signaler, void (*can_run)(struct waiter *w));
/* Frees w, the waiter that can_run got. Returns true if the batch waits for no
 * other end. */
bool instant_end_wait(struct waiter *w);
/* Restricts rq to the engines that its bonds allow beside engine master, where
 * the batch of its submit fence first started. */
void instant_bond(struct request *rq, unsigned master);
/* Marks rq ready if it waits for nothing. To be called once all its waits are
 * added. */
void instant_submitted(struct sim *sim, struct request *rq);
/* Runs events, ready requests and the scheduler until nothing is left to do at
 * sim->now, or sim_stops(). */
void instant_run(struct sim *sim);
/* Updates the queue and waiting statistics of the engines that changed. To be
 * called once at the end of an instant. */
void instant_statistics(struct sim *sim);

#endif
