/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Invariants of guc: its queues, wait queues and engines agree. */
#include "engine/sched/guc.h"

#ifdef GPUWL_INVARIANTS

#include "engine/client/client.h"
#include "engine/client/origin.h"
#include "engine/invariants/invariants.h"
#include "engine/sched/parallel.h"
#include "engine/sim.h"

/* Returns true if all of a set is free, and none of it is kept for another. */
static bool
can_have_set(const struct sim *sim, const struct request *rq, engine_mask set)
{
	for (; set != 0; set &= set - 1) {
		const struct hw_engine *e =
		    &sim->device.engines[guc_first(set)];

		if (!hw_engine_is_free(e) ||
		    (e->kept_for != NULL && e->kept_for != rq))
			return false;
	}
	return true;
}

/* Returns true if the first queue that waits for engine i may not have it. */
static bool
first_is_closed(const struct sim *sim, unsigned i)
{
	const struct guc *guc = sim->sched_data;
	const struct guc_wait *first = guc->engines[i].waitq.first;

	return first != NULL &&
	    guc_closed_by(sim, guc, i, first->queue) != NULL;
}

bool
guc_may_idle(
    const struct sim *sim, const struct request *rq, const struct hw_engine *e)
{
	const struct ring_def *def = request_slot(rq);
	const struct guc_queue *q = rq->ring->sched_data;

	if (q->state == GUC_REGISTERING || guc_ctb_holds(sim, q, rq))
		return true;
	if (first_is_closed(sim, e->index))
		return true;
	/* A queue runs its requests one after the other. */
	if (rq->ring->first != rq)
		return true;
	if (def->n_rows == 0)
		return e->kept_for != NULL;
	for (unsigned j = 0; j < def->n_siblings; j++) {
		if (can_have_set(sim, rq, parallel_set(def, j)))
			return false;
	}
	return true;
}

/* Checks a queue: if it waits, it has an entry in the wait queue of each engine
 * that it may take; if it is on engines, it owns them. */
static void
check_queue(const struct sim *sim, const struct guc_queue *q)
{
	const struct guc *guc = sim->sched_data;
	const struct request *first = q->ring->first;
	engine_mask waits = 0, owned = 0;
	uint32_t n = 0;

	for (const struct request *rq = first; rq != NULL;
	     rq = rq->next_of_ring)
		n += rq->state == REQUEST_READY || rq->state == REQUEST_RUNNING;
	for (const struct guc_wait *s = q->waits; s != NULL;
	     s = s->next_of_queue)
		waits |= guc_bit(guc_wait_engine(s));
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		if (guc->engines[i].owner == q)
			owned |= guc_bit(i);
	}
	if (n < guc_ctb_count(sim, q))
		invariants_broken(sim, first,
		    "its queue waits for room with more than it has");
	n -= guc_ctb_count(sim, q);
	if (n != q->n_ready)
		invariants_broken(sim, first,
		    "its queue has %u handed over, %u found", q->n_ready, n);
	if (owned != q->on || (owned != 0) != (q->state == GUC_ON_ENGINE))
		invariants_broken(
		    sim, first, "its queue is on engines that others have");
	if ((n == 0) != (q->state == GUC_IDLE) ||
	    waits != (q->state == GUC_WAITING ? first->allowed : 0))
		invariants_broken(
		    sim, first, "its queue does not wait where it should");
	if (n > 0 && q->band != first->priority)
		invariants_broken(sim, first,
		    "its queue is in band %d, and it in %d", q->band,
		    first->priority);
}

/* Returns the next node of a heap, in preorder; NULL after the last. */
static const struct pairing_node *
next_of_heap(const struct pairing_node *n)
{
	if (n->child != NULL)
		return n->child;
	while (n != NULL && n->next == NULL) {
		while (n->prev != NULL && n->prev->child != n)
			n = n->prev;
		n = n->prev; /* the parent */
	}
	return n != NULL ? n->next : NULL;
}

/* Checks that a node is right for wait queue i, and not before another. */
static void
check_wait(const struct sim *sim, const struct pairing_node *n,
    const struct pairing_node *before, unsigned i)
{
	const struct guc_queue *q = guc_wait_of(n)->queue;

	if (q->state != GUC_WAITING ||
	    n->key != guc_wait_key(q->band, q->place, i))
		invariants_broken(sim, q->ring->first,
		    "its queue is wrongly in the wait queue of %s",
		    sim->device.engines[i].name);
	if (n->key < before->key)
		invariants_broken(sim, q->ring->first,
		    "its queue is behind one that should follow it");
}

static void
check_list(const struct sim *sim, const struct guc_band_list *list, unsigned i)
{
	const struct pairing_node *n = list->first;

	for (; n != NULL; n = n->next)
		check_wait(sim, n, n->prev != NULL ? n->prev : n, i);
}

static void
check_heap(const struct sim *sim, const struct pairing *heap, unsigned i)
{
	const struct pairing_node *n = heap->first, *below;

	for (; n != NULL; n = next_of_heap(n)) {
		check_wait(sim, n, n, i);
		for (below = n->child; below != NULL; below = below->next)
			check_wait(sim, below, n, i);
	}
}

static void
check_waitq(const struct sim *sim, unsigned i)
{
	const struct guc *guc = sim->sched_data;
	const struct guc_waitq *waitq = &guc->engines[i].waitq;

	for (unsigned k = 0; k < GUC_BANDS; k++) {
		check_list(sim, &waitq->lists[k], i);
		if (waitq->lists[k].first != NULL)
			check_wait(
			    sim, waitq->lists[k].first, &waitq->first->node, i);
	}
	check_heap(sim, &waitq->heap, i);
	if (waitq->heap.first != NULL)
		check_wait(sim, waitq->heap.first, &waitq->first->node, i);
}

static void
guc_check_engine(const struct sim *sim, unsigned i)
{
	const struct guc *guc = sim->sched_data;
	const struct guc_engine *engine = &guc->engines[i];
	const struct request *rq = sim->device.engines[i].running;

	if ((engine->owner != NULL) != ((guc->owned & guc_bit(i)) != 0) ||
	    (engine->waitq.first != NULL) !=
		((guc->waited_for & guc_bit(i)) != 0))
		invariants_broken(sim, rq,
		    "GuC has lost track of the owner of %s",
		    sim->device.engines[i].name);
	if (engine->owner != NULL
		? rq == NULL || rq->ring->sched_data != engine->owner
		: rq != NULL)
		invariants_broken(sim, rq,
		    "%s runs a request of another queue than its owner",
		    sim->device.engines[i].name);
	check_waitq(sim, i);
}

void
guc_check(const struct sim *sim)
{
	const struct guc *guc = sim->sched_data;

	for (unsigned i = 0; i < sim->device.n_engines; i++)
		guc_check_engine(sim, i);
	for (const struct request *rq = sim->invariants->first; rq != NULL;
	     rq = rq->check.after) {
		if (rq->row == 0 && rq->ring->first == rq)
			check_queue(sim, rq->ring->sched_data);
	}
	if (guc->between != 0 || guc->n_ready > 0 || guc->n_raised > 0)
		invariants_broken(sim, NULL,
		    "GuC has something left to do when an instant is over");
}

#endif
