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

/* Returns the request of f, which signals, for when the wait is over; zero: it
 * has ended. */
static struct request_ref
signaler_after(const struct fence *f)
{
	if (f->kind == FENCE_FINISHED || f->kind == FENCE_SOFTWARE)
		return (struct request_ref){0};
	return request_ref(fence_request(f));
}

void
instant_wake(struct waiter *w)
{
	struct request *rq = waiter_owner(w);
	const struct fence *f = w->fence;

	if (f->error != 0)
		inherit_error(rq, f);
	w->fence = NULL;
	w->signaler = signaler_after(f);
	if (--rq->n_waits == 0)
		mark_ready(rq->client->sim, rq, f);
}

/* The batch of the owner of w waits no more for the end of one request. */
void
instant_wake_end(struct waiter *w)
{
	struct request *rq = waiter_owner(w);
	struct sim *sim = rq->client->sim;
	const struct fence *f = w->fence;

	w->fence = NULL;
	w->signaler = (struct request_ref){0};
	if (--rq->n_unended > 0)
		return;
	observers_notify(sim, cleared, rq, f);
	sim->config.sched->can_run(sim, rq);
}

/* Lets w, for which a request has come as far as the owner needs it to be ready,
 * go on with the end of that. */
void
instant_wake_start(struct waiter *w)
{
	struct request *rq = waiter_owner(w);
	const struct fence *f = w->fence;

	waiter_set(w, WAKE_END, rq);
	fence_add_waiter(&fence_request(f)->finished, w);
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

void
instant_wake_bonded(struct waiter *w)
{
	const struct hw_engine *master = fence_request(w->fence)->engine;

	if (master != NULL)
		instant_bond(waiter_owner(w), master->index);
	instant_wake(w);
}

/* Returns a new wait of rq, without a fence or an owner. */
static struct waiter *
add_wait(struct sim *sim, struct request *rq)
{
	struct waiter *w = pool_get(&sim->waiters);

	w->next_of_owner = rq->waits;
	rq->waits = w;
	return w;
}

static void
wait_on(
    struct sim *sim, struct request *rq, struct fence *f, enum wake_kind kind)
{
	struct waiter *w = add_wait(sim, rq);

	waiter_set(w, kind, rq);
	rq->n_waits++;
	fence_add_waiter(f, w);
}

void
instant_wait(struct sim *sim, struct request *rq, struct fence *f)
{
	wait_on(sim, rq, f, WAKE_REQUEST);
}

void
instant_wait_start(
    struct sim *sim, struct request *rq, struct request *signaler)
{
	bool bonded = rq->is_virtual && request_slot(rq)->n_bonds > 0;

	if (!fence_signalled(&signaler->scheduled))
		wait_on(sim, rq, &signaler->scheduled,
		    bonded ? WAKE_BONDED : WAKE_REQUEST);
}

void
instant_wait_end(struct sim *sim, struct request *rq, struct request *signaler,
    struct fence *start)
{
	struct waiter *w = add_wait(sim, rq);

	rq->n_unended++;
	if (fence_signalled(start)) {
		waiter_set(w, WAKE_END, rq);
		fence_add_waiter(&signaler->finished, w);
	} else {
		waiter_set(w, WAKE_START, rq);
		rq->n_waits++;
		fence_add_waiter(start, w);
	}
}

bool
instant_is_end_wait(const struct waiter *w)
{
	return w->fence != NULL && waiter_kind(w) == WAKE_END;
}

void
instant_note_signaler(
    struct sim *sim, struct request *rq, struct request *signaler)
{
	struct waiter *w = add_wait(sim, rq);

	w->fence = NULL;
	w->signaler = request_ref(signaler);
}

/* Frees the waits of rq, which is ready, that are over and of which no more is to
 * be known. */
static void
release_waits(struct sim *sim, struct request *rq)
{
	struct waiter **at = &rq->waits, *w;
	bool inherits = sim->config.sched->inherits;

	while ((w = *at) != NULL) {
		if (w->fence != NULL || (inherits && w->signaler.rq != NULL)) {
			at = &w->next_of_owner;
		} else {
			*at = w->next_of_owner;
			pool_put(&sim->waiters, w);
		}
	}
}

void
instant_stop_waiting(struct waiter *w)
{
	struct request *rq = waiter_owner(w);
	const struct fence *f = w->fence;

	fence_remove_waiter(w);
	w->signaler = (struct request_ref){0};
	if (--rq->n_waits == 0)
		mark_ready(rq->client->sim, rq, f);
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
		release_waits(sim, rq);
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
			/* A step that gave nothing away may have cancelled
			 * requests for which others waited. */
		} while (
		    sim->config.sched->step(sim) || sim->ready_first != NULL);
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
