/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policies, and their run queues: of one level in order of a key (fifo,
 * rr), and of all levels by virtual runtime (fair). */
#include "engine/sched/drm.h"

#include <stddef.h>

#include "base/util.h"
#include "engine/gpu/request.h"

void
drm_runqueue_add(struct drm_runqueue *q, uint64_t key, struct drm_link *link)
{
	link->key = key;
	heap_push(key > q->turn ? &q->now : &q->next_round, key, 0, link);
}

/* Returns the first entry that was not withdrawn: no key is used twice. */
static const struct heap_entry *
runqueue_peek(struct heap *heap)
{
	const struct heap_entry *entry;

	while ((entry = heap_peek(heap)) != NULL) {
		const struct drm_link *link = entry->item;

		if (link->key == entry->key)
			return entry;
		heap_pop(heap);
	}
	return NULL;
}

struct drm_link *
drm_runqueue_first(struct drm_runqueue *q)
{
	const struct heap_entry *entry = runqueue_peek(&q->now);

	if (entry == NULL)
		entry = runqueue_peek(&q->next_round);
	return entry != NULL ? entry->item : NULL;
}

void
drm_runqueue_withdraw(struct drm_link *link)
{
	link->key = 0;
}

static void
runqueue_swap(struct drm_runqueue *q)
{
	struct heap heap = q->now;

	q->now = q->next_round;
	q->next_round = heap;
}

/* A new round begins only here, when an entity is taken. Until then an entity
 * that becomes ready after the turn is still before those of the next round. */
struct drm_link *
drm_runqueue_take(struct drm_runqueue *q, bool turns)
{
	const struct heap_entry *entry;
	struct drm_link *link;

	if (runqueue_peek(&q->now) == NULL)
		runqueue_swap(q);
	entry = runqueue_peek(&q->now);
	link = entry->item;
	if (turns)
		q->turn = entry->key;
	heap_pop(&q->now);
	link->key = 0;
	return link;
}

/* Moves the smaller heap into the larger: the work stays in proportion to the
 * number of insertions. */
void
drm_runqueue_restart(struct drm_runqueue *q)
{
	q->turn = 0;
	if (q->now.n < q->next_round.n)
		runqueue_swap(q);
	for (size_t i = 0; i < q->next_round.n; i++) {
		const struct heap_entry *entry = &q->next_round.entries[i];

		heap_push(&q->now, entry->key, entry->seq, entry->item);
	}
	q->next_round.n = 0;
}

/* Virtual runtime grows by GPU time << shift: kernel gets twice the share of
 * high, high four times that of normal, normal eight times that of low. */
static const unsigned fair_shifts[N_DRM_LEVELS] = {
    [DRM_KERNEL] = 1,
    [DRM_HIGH] = 2,
    [DRM_NORMAL] = 4,
    [DRM_LOW] = 7,
};

/* Limits of a charge and of a virtual runtime: sums stay within 64 bits. */
#define MAX_CHARGE_NS   ((nsec)1 << 50)
#define MAX_VRUNTIME_NS ((int64_t)1 << 61)

static int64_t
fair_weighted(nsec ns, unsigned level)
{
	nsec charged = ns < MAX_CHARGE_NS ? ns : MAX_CHARGE_NS;

	return (int64_t)(charged << fair_shifts[level]);
}

static int64_t
fair_sum(int64_t a, int64_t b)
{
	return a + b < MAX_VRUNTIME_NS ? a + b : MAX_VRUNTIME_NS;
}

static struct pairing *
fair_heap_of(struct fair_queue *q, const struct fair_member *m)
{
	return m->is_ready ? &q->ready : &q->blocked;
}

static void
fair_add(struct fair_queue *q, struct fair_member *m, bool is_ready)
{
	/* Unsigned keys in the order of signed numbers. */
	m->node.key = (uint64_t)m->vruntime ^ (uint64_t)1 << 63;
	m->is_queued = true;
	m->is_ready = is_ready;
	pairing_add(fair_heap_of(q, m), &m->node);
}

static void
fair_drop(struct fair_queue *q, struct fair_member *m)
{
	pairing_remove(fair_heap_of(q, m), &m->node);
	m->is_queued = false;
}

static struct fair_member *
fair_member_of(struct pairing_node *node)
{
	return container_of(node, struct fair_member, node);
}

/* Returns the member with the least virtual runtime, ready or not; NULL: the
 * queue is empty. */
static const struct fair_member *
fair_least(const struct fair_queue *q)
{
	struct pairing_node *blocked = q->blocked.first;
	struct pairing_node *ready = q->ready.first;

	if (ready == NULL)
		return blocked != NULL ? fair_member_of(blocked) : NULL;
	if (blocked == NULL || pairing_before(ready, blocked))
		return fair_member_of(ready);
	return fair_member_of(blocked);
}

/* Returns the virtual runtime, relative to the head, of a member that joins
 * with no offset saved. Below the head's level it is pushed back by 1 us plus
 * its own and the queue's average job, weighted; above it comes just before the
 * head. At the same level the shorter average job is first. */
static int64_t
fair_offset_at_head(const struct fair_queue *q, const struct fair_member *m,
    const struct fair_member *head)
{
	nsec us = 1 + m->average_ns / NSEC_PER_USEC +
	    q->average_ns / NSEC_PER_USEC;

	if (m->level > head->level)
		return fair_weighted(us * NSEC_PER_USEC, m->level);
	if (m->level < head->level)
		return -1;
	return m->average_ns <= q->average_ns ? -1 : 1;
}

/* Restores the offset to the minimum that the member had when it left. */
void
fair_queue_join(struct fair_queue *q, struct fair_member *m)
{
	const struct fair_member *head = fair_least(q);

	if (head != NULL) {
		if (m->vruntime == 0)
			m->vruntime = fair_offset_at_head(q, m, head);
		m->vruntime = fair_sum(head->vruntime, m->vruntime);
	}
	fair_add(q, m, false);
}

void
fair_queue_ready(struct fair_queue *q, struct fair_member *m)
{
	fair_drop(q, m);
	fair_add(q, m, true);
}

struct fair_member *
fair_queue_first(const struct fair_queue *q)
{
	return q->ready.first != NULL ? fair_member_of(q->ready.first) : NULL;
}

static void
fair_save_offset(const struct fair_queue *q, struct fair_member *m)
{
	const struct fair_member *head = fair_least(q);

	if (head != NULL && m->vruntime > head->vruntime)
		m->vruntime -= head->vruntime;
	else
		m->vruntime = 0;
}

void
fair_queue_take(struct fair_queue *q, struct fair_member *m, bool more)
{
	fair_drop(q, m);
	if (!more) {
		fair_save_offset(q, m);
		return;
	}
	m->vruntime = fair_sum(
	    m->vruntime, fair_weighted(m->uncharged, m->level));
	m->uncharged = 0;
	fair_add(q, m, false);
}

/* Removes an entity whose jobs will not go to the ring. */
static void
fair_queue_withdraw(struct fair_queue *q, struct fair_member *m)
{
	if (m->is_queued)
		fair_drop(q, m);
}

static nsec
fair_average(nsec old, nsec ran)
{
	return old == 0 ? ran : (old * 3 + ran) / 4;
}

void
fair_queue_ended(struct fair_queue *q, struct fair_member *m, nsec ran)
{
	m->uncharged += ran;
	m->average_ns = fair_average(m->average_ns, ran);
	q->average_ns = fair_average(q->average_ns, ran);
}

/* Policies fifo and rr: the highest level with a ready head. */

static struct drm_runqueue *
level_of(const struct drm_entity *entity)
{
	return &entity->scheduler->levels[entity->level];
}

#define LINKED_SIZE                                                            \
	(offsetof(struct drm_entity, link) + sizeof(struct drm_link))

static struct drm_entity *
levels_first(struct drm_scheduler *scheduler)
{
	for (unsigned i = 0; i < N_DRM_LEVELS; i++) {
		struct drm_link *link = drm_runqueue_first(
		    &scheduler->levels[i]);

		if (link != NULL)
			return container_of(link, struct drm_entity, link);
	}
	return NULL;
}

static void
levels_withdraw(struct drm_entity *entity)
{
	drm_runqueue_withdraw(&entity->link);
}

static void
levels_init(struct drm_scheduler *scheduler, struct region *region)
{
	for (unsigned i = 0; i < N_DRM_LEVELS; i++) {
		scheduler->levels[i].now.region = region;
		scheduler->levels[i].next_round.region = region;
	}
}

/* Policy fifo: the head that was submitted first. */

static void
fifo_policy_ready(struct drm_entity *entity)
{
	drm_runqueue_add(level_of(entity), entity->head->seq, &entity->link);
}

static void
fifo_policy_take(struct drm_entity *entity)
{
	drm_runqueue_take(level_of(entity), false);
}

const struct drm_policy drm_policy_fifo = {
    .entity_size = LINKED_SIZE,
    .ready = fifo_policy_ready,
    .first = levels_first,
    .take = fifo_policy_take,
    .withdraw = levels_withdraw,
    .init = levels_init,
};

/* Policy rr: the entity after the one taken last on the level. */

static void
rr_policy_ready(struct drm_entity *entity)
{
	drm_runqueue_add(level_of(entity), entity->number, &entity->link);
}

static void
rr_policy_take(struct drm_entity *entity)
{
	drm_runqueue_take(level_of(entity), true);
}

/* If the entity taken last leaves, the circle starts again. */
static void
rr_policy_leaves(struct drm_entity *entity)
{
	struct drm_runqueue *q = level_of(entity);

	if (q->turn == entity->number)
		drm_runqueue_restart(q);
}

const struct drm_policy drm_policy_rr = {
    .entity_size = LINKED_SIZE,
    .ready = rr_policy_ready,
    .first = levels_first,
    .take = rr_policy_take,
    .withdraw = levels_withdraw,
    .leaves = rr_policy_leaves,
    .init = levels_init,
};

/* Policy fair. */

static void
fair_policy_joins(struct drm_entity *entity)
{
	entity->fair.level = entity->level;
	entity->fair.node.seq = entity->number;
	fair_queue_join(&entity->scheduler->fair, &entity->fair);
}

static void
fair_policy_ready(struct drm_entity *entity)
{
	fair_queue_ready(&entity->scheduler->fair, &entity->fair);
}

static struct drm_entity *
fair_policy_first(struct drm_scheduler *scheduler)
{
	struct fair_member *m = fair_queue_first(&scheduler->fair);

	if (m == NULL)
		return NULL;
	return container_of(m, struct drm_entity, fair);
}

static void
fair_policy_take(struct drm_entity *entity)
{
	fair_queue_take(
	    &entity->scheduler->fair, &entity->fair, entity->queued > 0);
}

static void
fair_policy_withdraw(struct drm_entity *entity)
{
	fair_queue_withdraw(&entity->scheduler->fair, &entity->fair);
}

static void
fair_policy_ended(struct drm_entity *entity, nsec ran)
{
	fair_queue_ended(&entity->scheduler->fair, &entity->fair, ran);
}

const struct drm_policy drm_policy_fair = {
    .entity_size = sizeof(struct drm_entity),
    .joins = fair_policy_joins,
    .ready = fair_policy_ready,
    .first = fair_policy_first,
    .take = fair_policy_take,
    .withdraw = fair_policy_withdraw,
    .ended = fair_policy_ended,
};
