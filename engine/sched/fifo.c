/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fifo (doc/model/common.md "Order on an engine"): each engine runs one request
 * at a time, in the order in which they became ready, then in the order of
 * submission. A virtual request is in the queue of every sibling; its engine is
 * chosen when one is free.
 */
#include "engine/sched/sched.h"

#include <stdlib.h>

#include "base/region.h"
#include "engine/gpu/exec.h"
#include "engine/instant.h"
#include "engine/invariants/invariants.h"
#include "engine/sim.h"

/* Ready requests of each engine, by ready time and seq. An entry whose request
 * went to a sibling is stale, and is dropped when it comes up. */
struct fifo {
	struct heap queues[DEVICE_MAX_ENGINES];
	engine_mask waited_for; /* engines whose queues have entries */
};

static void *
fifo_create(struct sim *sim)
{
	struct fifo *fifo = region_alloc(sim->region, 1, sizeof *fifo);

	for (unsigned i = 0; i < DEVICE_MAX_ENGINES; i++)
		fifo->queues[i].region = sim->region;
	return fifo;
}

static void
fifo_wait(struct sim *sim, struct request *rq, const struct dependency *dep)
{
	struct request *signaler = dep->signaler;
	struct fence *f = &signaler->finished;

	if (dep->cause == WAIT_SUBMIT) {
		instant_wait_start(sim, rq, signaler);
		return;
	}
	/* On one physical engine the queue keeps the order. */
	if (!rq->is_virtual && !signaler->is_virtual &&
	    rq->engine == signaler->engine)
		f = &signaler->queued;
	if (!fence_signalled(f))
		instant_wait(sim, rq, f);
}

static void
fifo_depends(struct sim *sim, struct request *rq, const struct dependency *deps,
    size_t n)
{
	for (size_t i = 0; i < n; i++)
		fifo_wait(sim, rq, &deps[i]);
}

static void
fifo_ready(struct sim *sim, struct request *rq)
{
	struct fifo *fifo = sim->sched_data;

	fifo->waited_for |= rq->allowed;
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);

		heap_push(&fifo->queues[i], rq->queued.time, rq->seq, rq);
		device_add_queued(&sim->device, &sim->device.engines[i], 1);
	}
}

/* Returns the first entry of a queue that is not stale; NULL: none. */
static const struct heap_entry *
oldest_of(struct heap *queue)
{
	const struct heap_entry *entry;

	while ((entry = heap_peek(queue)) != NULL) {
		const struct request *rq = entry->item;

		if (rq->seq == entry->seq && rq->state == REQUEST_READY)
			return entry;
		heap_pop(queue);
	}
	return NULL;
}

/* Returns the first of all requests that wait for a free engine; NULL: none. */
static struct request *
oldest_of_idle(struct sim *sim)
{
	struct fifo *fifo = sim->sched_data;
	const struct heap_entry *best = NULL;

	for (engine_mask m = fifo->waited_for & sim->device.free; m != 0;
	     m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);
		const struct heap_entry *entry = oldest_of(&fifo->queues[i]);

		if (entry == NULL) {
			fifo->waited_for &= ~((engine_mask)1 << i);
			continue;
		}
		if (best == NULL || entry->key < best->key ||
		    (entry->key == best->key && entry->seq < best->seq))
			best = entry;
	}
	return best != NULL ? best->item : NULL;
}

/* Returns the engine that rq takes. A virtual request takes the sibling that
 * its ring was on last if that is free, else the first free one. */
static struct hw_engine *
fifo_engine_of(struct sim *sim, const struct request *rq)
{
	struct hw_engine *engines = sim->device.engines;
	int last = rq->ring->last_engine;

	if (!rq->is_virtual)
		return rq->engine;
	if (last >= 0 && (rq->allowed >> last & 1) &&
	    hw_engine_is_free(&engines[last]))
		return &engines[last];
	for (engine_mask m = rq->allowed;; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);

		if (hw_engine_is_free(&engines[i]))
			return &engines[i];
	}
}

static bool
fifo_step(struct sim *sim)
{
	struct request *rq = oldest_of_idle(sim);
	struct hw_engine *e;

	if (rq == NULL)
		return false;
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1)
		device_add_queued(
		    &sim->device, &sim->device.engines[__builtin_ctzll(m)], -1);
	e = fifo_engine_of(sim, rq);
	/* A virtual request was on no engine's ring before. */
	exec_take(sim, e, rq,
	    rq->is_virtual ? FOLLOWS_CHOICE
			   : exec_follows_ring(e, fence_time(&rq->queued)));
	return true;
}

static void
fifo_replay(struct sim *sim, struct hw_engine *e, struct request *rq)
{
	(void)e;
	fifo_ready(sim, rq);
}

#ifdef GPUWL_INVARIANTS
static void
fifo_check(const struct sim *sim)
{
	const struct fifo *fifo = sim->sched_data;

	for (unsigned i = 0; i < sim->device.n_engines; i++)
		invariants_heap(sim, &sim->device.engines[i], &fifo->queues[i]);
}
#endif

const struct sched_ops sched_fifo = {
    .name = "fifo",
    .ignores_priority = true,
    .never_preempts = true,
    .summary = "in the order of readiness, one at a time, never preempted",
    .takes_bonds = true,
    .propagates_errors = true,
    .hang_timeout = true,
    .stops_at_points = true,
    .create = fifo_create,
    .depends = fifo_depends,
    .ready = fifo_ready,
    .step = fifo_step,
    .replay = fifo_replay,
#ifdef GPUWL_INVARIANTS
    .check = fifo_check,
#endif
};
