/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/guc.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/sim.h"

static void
append(struct guc_line *line, struct guc_stand *stand)
{
	struct guc_list *list = &line->lists[guc_stand_list(stand)];
	struct pairing_node *node = &stand->node;

	node->next = NULL;
	node->prev = list->last;
	if (node->prev != NULL)
		node->prev->next = node;
	else
		list->first = node;
	list->last = node;
}

static void
take_out(struct guc_line *line, struct guc_stand *stand)
{
	struct guc_list *list = &line->lists[guc_stand_list(stand)];
	struct pairing_node *node = &stand->node;

	if (node->prev != NULL)
		node->prev->next = node->next;
	else
		list->first = node->next;
	if (node->next != NULL)
		node->next->prev = node->prev;
	else
		list->last = node->prev;
}

/* Of the highest band's list, and of the heap. */
static struct guc_stand *
find_first(const struct guc_line *line)
{
	struct pairing_node *first = NULL, *old = line->heap.first;

	for (unsigned i = 0; i < GUC_BANDS && first == NULL; i++)
		first = line->lists[i].first;
	if (first == NULL || (old != NULL && old->key < first->key))
		first = old;
	return first != NULL ? guc_stand_of(first) : NULL;
}

void
guc_line_add(struct guc_line *line, struct guc_stand *stand)
{
	const struct pairing_node *last =
	    line->lists[guc_stand_list(stand)].last;

	stand->is_listed = last == NULL || last->key < stand->node.key;
	if (stand->is_listed)
		append(line, stand);
	else
		pairing_add(&line->heap, &stand->node);
	if (line->first == NULL || stand->node.key < line->first->node.key)
		line->first = stand;
}

void
guc_line_remove(struct guc_line *line, struct guc_stand *stand)
{
	if (stand->is_listed)
		take_out(line, stand);
	else
		pairing_remove(&line->heap, &stand->node);
	if (stand == line->first)
		line->first = find_first(line);
}

/*
 * No queue has anything better behind its first request than that: who joins
 * raises all before it (doc/model/guc.md "Bands"). So the band of a queue is
 * that of its first, and a queue comes to a lower one only on an engine.
 */

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
		q->is_parallel = ring->context->def->n_rows > 0;
		q->last_set = -1;
		q->held_set = -1;
		q->off_ns = NSEC_NEVER;
		ring->sched_data = q;
	}
	return q;
}

static void
wait_in_line(struct sim *sim, struct guc_queue *q)
{
	struct guc *guc = sim->sched_data;
	engine_mask engines = q->ring->first->allowed;

	q->state = GUC_WAITS;
	for (engine_mask m = engines; m != 0; m &= m - 1) {
		unsigned i = guc_first(m);
		struct guc_stand *stand = pool_get(&guc->stands);

		stand->queue = q;
		stand->node.key = guc_stand_key(q->band, q->place, i);
		stand->next_of_queue = q->stands;
		q->stands = stand;
		guc_line_add(&guc->engines[i].line, stand);
	}
	guc->waited_for |= engines;
	guc_changed(guc, engines);
	guc->n_sets += q->is_parallel;
}

static void
leave_line(struct sim *sim, struct guc_queue *q)
{
	struct guc *guc = sim->sched_data;
	struct guc_stand *stand = q->stands;

	while (stand != NULL) {
		struct guc_stand *next = stand->next_of_queue;
		unsigned i = guc_stand_engine(stand);
		struct guc_line *line = &guc->engines[i].line;

		guc_line_remove(line, stand);
		guc_changed(guc, (engine_mask)1 << i);
		if (line->first == NULL)
			guc->waited_for &= ~((engine_mask)1 << i);
		else
			__builtin_prefetch(line->first->queue);
		pool_put(&guc->stands, stand);
		stand = next;
	}
	q->stands = NULL;
	guc->n_sets -= q->is_parallel;
}

/* "Its quantum is engine time since it took its place." */
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
	if (guc_ids_want(sim, q))
		wait_in_line(sim, q);
	else
		q->state = GUC_REGISTERS;
}

void
guc_queue_registered(struct sim *sim, struct guc_queue *q)
{
	take_place(sim, q);
	wait_in_line(sim, q);
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
	if (q->state != GUC_WAITS) {
		q->band = (int8_t)rq->priority;
		guc_changed(guc, q->on);
	} else if (!q->raised) {
		q->raised = true;
		guc->raised = mem_grow(guc->raised, guc->n_raised,
		    &guc->cap_raised, sizeof(struct guc_queue *));
		guc->raised[guc->n_raised++] = q;
	}
}

static int
compare_places(const void *a, const void *b)
{
	uint64_t x = (*(struct guc_queue *const *)a)->place;
	uint64_t y = (*(struct guc_queue *const *)b)->place;

	return x < y ? -1 : x > y;
}

/* "Several at once: in the order of their old places." */
void
guc_queues_settle(struct sim *sim)
{
	struct guc *guc = sim->sched_data;

	if (guc->n_raised > 1)
		qsort(guc->raised, guc->n_raised, sizeof(struct guc_queue *),
		    compare_places);
	for (size_t i = 0; i < guc->n_raised; i++) {
		struct guc_queue *q = guc->raised[i];

		leave_line(sim, q);
		q->raised = false;
		q->band = (int8_t)q->ring->first->priority;
		take_place(sim, q);
		wait_in_line(sim, q);
	}
	guc->n_raised = 0;
}

static nsec
used(const struct sim *sim, const struct guc_queue *q)
{
	if (q->state != GUC_ON_ENGINE)
		return q->used_ns;
	return q->used_ns + (sim->now - q->since_ns);
}

bool
guc_queue_is_used_up(const struct sim *sim, const struct guc_queue *q)
{
	nsec quantum = sim->config.profile.quantum_ns;

	return quantum > 0 && used(sim, q) >= quantum;
}

nsec
guc_queue_used_up_at(const struct sim *sim, const struct guc_queue *q)
{
	nsec quantum = sim->config.profile.quantum_ns;
	nsec so_far = used(sim, q);

	if (quantum == 0)
		return NSEC_NEVER;
	return sim->now + (so_far < quantum ? quantum - so_far : 0);
}

/* The owner of RCS may close CCS, and the other way around (guc_yield.h). */
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

	leave_line(sim, q);
	q->state = GUC_ON_ENGINE;
	q->on = engines;
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

	q->used_ns = used(sim, q);
	for (engine_mask m = q->on; m != 0; m &= m - 1)
		guc->engines[guc_first(m)].owner = NULL;
	guc->owned &= ~q->on;
	guc->between &= ~q->on;
	owners_changed(guc, q->on);
	q->on = 0;
	q->state = GUC_IDLE;
	if (q->n_ready == 0) {
		guc_ids_idle(sim, q);
		return;
	}
	if (used_up)
		take_place(sim, q);
	wait_in_line(sim, q);
}
