/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of an instant (doc/model/common.md "Within one instant"): what is
 * due ends, what that made ready joins, engines take work one decision at a
 * time; until nothing changes. Clients are not run here.
 */
#ifndef ENGINE_INSTANT_H
#define ENGINE_INSTANT_H

#include <stdbool.h>

struct sim;
struct request;
struct fence;
struct waiter;

/* rq is not ready before f, which has not signalled. If f is the end of a
 * request that has a fatal error by then, rq gets that error too, except with
 * a scheduler that does not hand errors on (sched.h). */
void instant_wait(struct sim *sim, struct request *rq, struct fence *f);
/* rq is not ready before signaler has started. Where that is says, for a
 * virtual request of a context with bonds, where rq may run. */
void instant_wait_start(
    struct sim *sim, struct request *rq, struct request *signaler);
/* rq can't run before signaler has ended, whether it is ready or not; can_run
 * is called when that was the last one. */
void instant_wait_end(struct sim *sim, struct request *rq,
    struct request *signaler, void (*can_run)(struct waiter *w));
/* For can_run: counts, and gives w back; true: it was the last. */
bool instant_end_wait(struct waiter *w);
/* The batch that rq has a submit fence on first started on that engine. */
void instant_bond(struct request *rq, unsigned master);
/* rq has all its waits: it joins at once if it has none. */
void instant_submitted(struct sim *sim, struct request *rq);
void instant_run(struct sim *sim);
/* At the end of an instant: what engines and their queues do until the next. */
void instant_statistics(struct sim *sim);

#endif
