/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How requests become ready, and the loop of one instant: events, ready
 * requests, scheduling decisions, until nothing changes.
 */
#include "engine/instant.h"

#include <errno.h>

#include "engine/client/origin.h"
#include "engine/client/outside.h"
#include "engine/gpu/exec.h"
#include "engine/hang/timeouts.h"
#include "engine/invariants/invariants.h"
#include "engine/sim.h"

/* Puts rq on the list of requests for enqueue_ready(): a list, so that a long
 * chain of requests that release each other takes a loop and no recursion. */
static void
mark_ready(struct sim *sim, struct request *rq, const struct fence *last)
{
	observers_notify(sim, ready, rq, last);
	rq->next = NULL;
	*sim->ready_last = rq;
	sim->ready_last = &rq->next;
}

/* Fails rq with the error of f, the end of a request that rq waited for on the
 * CPU (doc/model/hangs.md "Errors travel"). Semaphores and waits for a start do
 * not pass errors on, nor does the DRM scheduler that waits under Xe. */
static void
inherit_error(struct request *rq, const struct fence *f)
{
	const struct sim_config *config = &rq->client->sim->config;

	bool passes = f->kind == FENCE_FINISHED || f->kind == FENCE_SOFTWARE;

	if (passes && request_error_is_fatal(f->error) &&
	    config->sched->propagates_errors && !config->profile.xe)
		request_fail(rq, f->error);
}

static void
wake_request(struct waiter *w)
{
	struct request *rq = w->owner;
	const struct fence *f = w->fence;

	if (f->error != 0)
		inherit_error(rq, f);
	w->fence = NULL;
	if (--rq->n_waits == 0)
		mark_ready(rq->client->sim, rq, f);
}

/* doc/model/common.md "Bonds": a master without a bond restricts nothing. */
void
instant_bond(struct request *rq, unsigned master)
{
	const struct ring_def *def = request_slot(rq);

	for (uint32_t i = 0; i < def->n_bonds; i++) {
		if (def->bonds[i].master == master)
			rq->allowed &= def->bonds[i].siblings;
	}
}

static void
wake_bonded(struct waiter *w)
{
	const struct hw_engine *master = fence_request(w->fence)->engine;

	if (master != NULL)
		instant_bond(w->owner, master->index);
	wake_request(w);
}

static void
wait_on(struct sim *sim, struct request *rq, struct fence *f,
    void (*wake)(struct waiter *))
{
	struct waiter *w = pool_get(&sim->waiters);

	w->owner = rq;
	w->wake = wake;
	w->next_of_owner = rq->waits;
	rq->waits = w;
	rq->n_waits++;
	fence_add_waiter(f, w);
}

void
instant_wait(struct sim *sim, struct request *rq, struct fence *f)
{
	wait_on(sim, rq, f, wake_request);
}

void
instant_wait_start(
    struct sim *sim, struct request *rq, struct request *signaler)
{
	bool bonded = rq->is_virtual && request_slot(rq)->n_bonds > 0;

	if (!fence_signalled(&signaler->scheduled))
		wait_on(sim, rq, &signaler->scheduled,
		    bonded ? wake_bonded : wake_request);
}

void
instant_wait_end(struct sim *sim, struct request *rq, struct request *signaler,
    void (*can_run)(struct waiter *w))
{
	struct waiter *w = pool_get(&sim->waiters);

	w->owner = rq;
	w->wake = can_run;
	rq->n_unended++;
	fence_add_waiter(&signaler->finished, w);
}

bool
instant_end_wait(struct waiter *w)
{
	struct request *rq = w->owner;
	struct sim *sim = rq->client->sim;
	const struct fence *f = w->fence;

	pool_put(&sim->waiters, w);
	if (--rq->n_unended > 0)
		return false;
	observers_notify(sim, cleared, rq, f);
	return true;
}

void
instant_submitted(struct sim *sim, struct request *rq)
{
	if (!rq->is_virtual)
		device_add_blocked(&sim->device, rq->engine, 1);
	if (rq->n_waits == 0)
		mark_ready(sim, rq, NULL);
}

/* Hands all ready requests to the scheduler. A request whose bonds leave no
 * engine ends with -ENODEV. */
static void
enqueue_ready(struct sim *sim)
{
	struct request *rq;

	while ((rq = sim->ready_first) != NULL) {
		sim->ready_first = rq->next;
		if (rq->next == NULL)
			sim->ready_last = &sim->ready_first;
		waiter_release_all(&sim->waiters, &rq->waits);
		rq->state = REQUEST_READY;
		if (!rq->is_virtual)
			device_add_blocked(&sim->device, rq->engine, -1);
		fence_signal(&rq->queued, sim->now, 0);
		if (rq->origin.instance == NULL)
			outside_ready(rq);
		watchdog_ready(sim, rq);
		if (rq->allowed != 0)
			sim->config.sched->ready(sim, rq);
		else
			exec_cancel(sim, rq, -ENODEV);
	}
}

void
instant_run(struct sim *sim)
{
	struct event *event;

	do {
		while (
		    (event = event_take_due(&sim->events, sim->now)) != NULL) {
			sim->n_events++;
			event->fire(sim, event);
			invariants_event(sim);
			if (sim_stops(sim))
				return;
		}
		if (sim->config.sched->all_ended != NULL)
			sim->config.sched->all_ended(sim);
		do {
			enqueue_ready(sim);
			if (sim_stops(sim))
				return;
		} while (sim->config.sched->step(sim));
	} while (event_is_due(&sim->events, sim->now));
}

void
instant_statistics(struct sim *sim)
{
	for (engine_mask m = sim->device.touched; m != 0; m &= m - 1) {
		struct hw_engine *e = &sim->device.engines[__builtin_ctzll(m)];

		if (hw_engine_instant_over(e, sim->now))
			observers_notify(sim, waits, e);
	}
	sim->device.touched = 0;
}
