/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queues of guc, and how they wait for engines: bands, places, quanta. */
#include "engine/sched/guc.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/region.h"
#include "engine/sim.h"

/* Returns the index of the list of its band. */
static unsigned
guc_wait_list(const struct guc_wait *wait)
{
	return (unsigned)(wait->node.key >> 62);
}

static void
band_list_append(struct guc_waitq *waitq, struct guc_wait *wait)
{
	struct guc_band_list *list = &waitq->lists[guc_wait_list(wait)];
	struct pairing_node *node = &wait->node;

	node->next = NULL;
	node->prev = list->last;
	if (node->prev != NULL)
		node->prev->next = node;
	else
		list->first = node;
	list->last = node;
}

static void
band_list_remove(struct guc_waitq *waitq, struct guc_wait *wait)
{
	struct guc_band_list *list = &waitq->lists[guc_wait_list(wait)];
	struct pairing_node *node = &wait->node;

	if (node->prev != NULL)
		node->prev->next = node->next;
	else
		list->first = node->next;
	if (node->next != NULL)
		node->next->prev = node->prev;
	else
		list->last = node->prev;
}

/* Returns the first entry: that of the highest band with a list, or of the
 * heap. */
static struct guc_wait *
waitq_find_first(const struct guc_waitq *waitq)
{
	struct pairing_node *first = NULL, *old = waitq->heap.first;

	for (unsigned i = 0; i < GUC_BANDS && first == NULL; i++)
		first = waitq->lists[i].first;
	if (first == NULL || (old != NULL && old->key < first->key))
		first = old;
	return first != NULL ? guc_wait_of(first) : NULL;
}

void
guc_waitq_add(struct guc_waitq *waitq, struct guc_wait *wait)
{
	const struct pairing_node *last =
	    waitq->lists[guc_wait_list(wait)].last;

	wait->is_listed = last == NULL || last->key < wait->node.key;
	if (wait->is_listed)
		band_list_append(waitq, wait);
	else
		pairing_add(&waitq->heap, &wait->node);
	if (waitq->first == NULL || wait->node.key < waitq->first->node.key)
		waitq->first = wait;
}

void
guc_waitq_remove(struct guc_waitq *waitq, struct guc_wait *wait)
{
	if (wait->is_listed)
		band_list_remove(waitq, wait);
	else
		pairing_remove(&waitq->heap, &wait->node);
	if (wait == waitq->first)
		waitq->first = waitq_find_first(waitq);
}

/* A queue and its band. No request of a queue is in a higher band than one
 * before it, as it raises those ("Bands"). So the band of a queue is that of
 * its first request, and it falls only while the queue is on an engine. */

size_t
guc_queue_size(const struct profile *profile)
{
	bool whole = guc_tdr_timeout(profile) > 0 || profile->guc_ids > 0 ||
	    profile->guc_register_ns > 0 || guc_ctb_is_limited(profile);

	return whole ? sizeof(struct guc_queue)
		     : offsetof(struct guc_queue, tdr);
}

struct guc_queue *
guc_queue_of(struct guc *guc, struct ring *ring)
{
	struct guc_queue *q = ring->sched_data;

	if (q == NULL) {
		q = pool_get(&guc->queues);
		memset(q, 0, guc->queues.size);
		q->ring = ring;
		q->is_parallel = ring->def->n_rows > 0;
		q->last_set = -1;
		q->held_set = -1;
		q->off_ns = NSEC_NEVER;
		q->quantum_ns =
		    &ring->context->client->sim->config.profile.quantum_ns;
		ring->sched_data = q;
	}
	return q;
}

static void
enter_waitqs(struct sim *sim, struct guc_queue *q)
{
	struct guc *guc = sim->sched_data;
	engine_mask engines = q->ring->first->allowed;

	q->state = GUC_WAITING;
	for (engine_mask m = engines; m != 0; m &= m - 1) {
		unsigned i = guc_first(m);
		struct guc_wait *wait = pool_get(&guc->waits);

		wait->queue = q;
		wait->node.key = guc_wait_key(q->band, q->place, i);
		wait->next_of_queue = q->waits;
		q->waits = wait;
		guc_waitq_add(&guc->engines[i].waitq, wait);
	}
	guc->waited_for |= engines;
	guc_changed(guc, engines);
	guc->n_sets += q->is_parallel;
}

static void
leave_waitqs(struct sim *sim, struct guc_queue *q)
{
	struct guc *guc = sim->sched_data;
	struct guc_wait *wait = q->waits;

	while (wait != NULL) {
		struct guc_wait *next = wait->next_of_queue;
		unsigned i = guc_wait_engine(wait);
		struct guc_waitq *waitq = &guc->engines[i].waitq;

		guc_waitq_remove(waitq, wait);
		guc_changed(guc, (engine_mask)1 << i);
		if (waitq->first == NULL)
			guc->waited_for &= ~((engine_mask)1 << i);
		else
			__builtin_prefetch(waitq->first->queue);
		pool_put(&guc->waits, wait);
		wait = next;
	}
	q->waits = NULL;
	guc->n_sets -= q->is_parallel;
}

/* Gives the queue a new place, and with it a new quantum. */
static void
take_place(struct sim *sim, struct guc_queue *q)
{
	struct guc *guc = sim->sched_data;

	q->place = ++guc->last_place;
	q->used_ns = 0;
	q->since_ns = sim->now;
}

void
guc_queue_add(struct sim *sim, struct request *rq)
{
	struct guc_queue *q = rq->ring->sched_data;

	if (q->n_ready++ > 0)
		return;
	q->band = (int8_t)rq->priority;
	guc_tdr_begin(sim, q);
	take_place(sim, q);
	if (q->state != GUC_IDLE)
		return;
	if (guc_ids_acquire(sim, q))
		enter_waitqs(sim, q);
	else
		q->state = GUC_REGISTERING;
}

void
guc_queue_registered(struct sim *sim, struct guc_queue *q)
{
	take_place(sim, q);
	enter_waitqs(sim, q);
}

void
guc_queue_ended(struct sim *sim, struct guc_queue *q)
{
	struct guc *guc = sim->sched_data;

	guc->between |= (engine_mask)1 << guc_first(q->on);
	guc_changed(guc, q->on);
	guc_tdr_end(sim, q);
	if (--q->n_ready == 0)
		return;
	q->band = (int8_t)q->ring->first->next_of_ring->priority;
	guc_tdr_begin(sim, q);
}

void
guc_queue_raised(struct sim *sim, struct request *rq)
{
	struct guc *guc = sim->sched_data;
	struct guc_queue *q = rq->ring->sched_data;

	guc_ctb_raised(sim, rq);
	if (q->n_ready == 0 || q->ring->first != rq)
		return;
	if (q->state != GUC_WAITING) {
		q->band = (int8_t)rq->priority;
		guc_changed(guc, q->on);
	} else if (!q->raised) {
		q->raised = true;
		guc->raised = region_grow(sim->region, guc->raised,
		    guc->n_raised, &guc->cap_raised,
		    sizeof(struct guc_queue *));
		guc->raised[guc->n_raised++] = q;
	}
}

static int
compare_old_places(const void *a, const void *b)
{
	uint64_t x = (*(struct guc_queue *const *)a)->place;
	uint64_t y = (*(struct guc_queue *const *)b)->place;

	return x < y ? -1 : x > y;
}

/* Several at once take their places in the order of their old ones. */
void
guc_queues_move_raised(struct sim *sim)
{
	struct guc *guc = sim->sched_data;

	if (guc->n_raised > 1)
		qsort(guc->raised, guc->n_raised, sizeof(struct guc_queue *),
		    compare_old_places);
	for (size_t i = 0; i < guc->n_raised; i++) {
		struct guc_queue *q = guc->raised[i];

		leave_waitqs(sim, q);
		q->raised = false;
		q->band = (int8_t)q->ring->first->priority;
		take_place(sim, q);
		enter_waitqs(sim, q);
	}
	guc->n_raised = 0;
}

static nsec
quantum_used(const struct sim *sim, const struct guc_queue *q)
{
	if (q->state != GUC_ON_ENGINE)
		return q->used_ns;
	return q->used_ns + (sim->now - q->since_ns);
}

bool
guc_queue_is_used_up(const struct sim *sim, const struct guc_queue *q)
{
	nsec quantum = *q->quantum_ns;

	return quantum > 0 && quantum_used(sim, q) >= quantum;
}

nsec
guc_queue_used_up_at(const struct sim *sim, const struct guc_queue *q)
{
	nsec quantum = *q->quantum_ns;
	nsec so_far = quantum_used(sim, q);

	if (quantum == 0)
		return NSEC_NEVER;
	return sim->now + (so_far < quantum ? quantum - so_far : 0);
}

/* The owner of an engine of RCS may close those of CCS, and the other way
 * around. */
static void
owners_changed(struct guc *guc, engine_mask engines)
{
	if ((engines & guc->yield.all) != 0)
		engines |= guc->yield.all & (guc->owned | guc->waited_for);
	guc_changed(guc, engines);
}

bool
guc_queue_gave_way(const struct sim *sim, const struct guc_queue *q)
{
	return q->off_ns == sim->now;
}

void
guc_queue_enter(struct sim *sim, struct guc_queue *q, engine_mask engines)
{
	struct guc *guc = sim->sched_data;

	leave_waitqs(sim, q);
	q->state = GUC_ON_ENGINE;
	q->on = engines;
	q->quantum_ns =
	    &sim->device.engines[guc_first(engines)].knobs.quantum_ns;
	q->since_ns = sim->now;
	for (engine_mask m = engines; m != 0; m &= m - 1)
		guc->engines[guc_first(m)].owner = q;
	guc->owned |= engines;
	owners_changed(guc, engines);
}

void
guc_queue_leave(struct sim *sim, struct guc_queue *q)
{
	struct guc *guc = sim->sched_data;
	bool used_up = guc_queue_is_used_up(sim, q);

	q->used_ns = quantum_used(sim, q);
	for (engine_mask m = q->on; m != 0; m &= m - 1)
		guc->engines[guc_first(m)].owner = NULL;
	guc->owned &= ~q->on;
	guc->between &= ~q->on;
	owners_changed(guc, q->on);
	q->on = 0;
	q->quantum_ns = &sim->config.profile.quantum_ns;
	q->state = GUC_IDLE;
	if (q->n_ready == 0) {
		guc_ids_idle(sim, q);
		return;
	}
	if (used_up)
		take_place(sim, q);
	enter_waitqs(sim, q);
}
