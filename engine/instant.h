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
 * an engine, before, once start, a fence of the signaler, has signalled. When
 * it waits for no end any more, sched_ops.can_run is called. */
void instant_wait_end(struct sim *sim, struct request *rq,
    struct request *signaler, struct fence *start);
/* Returns true if w waits for an end that only the batch of its owner has to
 * wait for: the owner may be ready before. */
bool instant_is_end_wait(const struct waiter *w);
/* Wake a wait of these kinds, WAKE_REQUEST first. For waiter_wake(). */
void instant_wake(struct waiter *w);
void instant_wake_bonded(struct waiter *w);
void instant_wake_start(struct waiter *w);
void instant_wake_end(struct waiter *w);
/* Notes that rq depends on signaler, for which it need not wait. */
void instant_note_signaler(
    struct sim *sim, struct request *rq, struct request *signaler);
/* Ends w, a wait of a request before it is ready, whose fence has not
 * signalled. */
void instant_stop_waiting(struct waiter *w);
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
