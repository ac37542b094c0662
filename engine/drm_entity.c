/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/drm_entity.h"

#include <stddef.h>

enum drm_level
drm_level_of(int priority)
{
	if (priority == 0)
		return DRM_NORMAL;
	return priority > 0 ? DRM_HIGH : DRM_LOW;
}

void
drm_runqueue_free(struct drm_runqueue *q)
{
	heap_free(&q->now);
	heap_free(&q->then);
}

void
drm_runqueue_add(struct drm_runqueue *q, uint64_t key, struct request *head)
{
	heap_push(key > q->turn ? &q->now : &q->then, key, 0, head);
}

struct request *
drm_runqueue_first(const struct drm_runqueue *q)
{
	const struct heap_entry *entry = heap_peek(&q->now);

	if (entry == NULL)
		entry = heap_peek(&q->then);
	return entry != NULL ? entry->item : NULL;
}

static void
swap(struct drm_runqueue *q)
{
	struct heap heap = q->now;

	q->now = q->then;
	q->then = heap;
}

/* Only here, where one is taken, may a new round begin: until then one that
 * becomes ready after the turn still comes first. */
struct request *
drm_runqueue_take(struct drm_runqueue *q, bool turns)
{
	const struct heap_entry *entry;
	struct request *head;

	if (heap_peek(&q->now) == NULL)
		swap(q);
	entry = heap_peek(&q->now);
	head = entry->item;
	if (turns)
		q->turn = entry->key;
	heap_pop(&q->now);
	return head;
}

/* The smaller heap goes into the larger one: so nothing that was added is
 * moved more often than others are added. */
void
drm_runqueue_restart(struct drm_runqueue *q)
{
	q->turn = 0;
	if (q->now.n < q->then.n)
		swap(q);
	for (size_t i = 0; i < q->then.n; i++) {
		const struct heap_entry *entry = &q->then.entries[i];

		heap_push(&q->now, entry->key, entry->seq, entry->item);
	}
	q->then.n = 0;
}

void
drm_entity_detach(struct drm_entity *entity)
{
	struct drm_scheduler *scheduler = entity->scheduler;
	struct drm_runqueue *q;

	if (scheduler == NULL)
		return;
	q = &scheduler->levels[entity->level];
	scheduler->score--;
	/* "If that entity has been detached since, from the first." */
	if (q->turn == entity->number)
		drm_runqueue_restart(q);
	entity->scheduler = NULL;
}

void
drm_entity_attach(struct drm_entity *entity, struct drm_scheduler *schedulers,
    unsigned engine, enum drm_level level, uint64_t *last_number)
{
	struct drm_scheduler *scheduler = &schedulers[engine];

	if (entity->scheduler == scheduler && entity->level == level)
		return;
	drm_entity_detach(entity);
	entity->scheduler = scheduler;
	entity->engine = (uint8_t)engine;
	entity->level = (uint8_t)level;
	entity->number = ++*last_number;
	scheduler->score++;
}

unsigned
drm_best_engine(const struct drm_scheduler *schedulers, engine_mask engines)
{
	unsigned best = (unsigned)__builtin_ctzll(engines);

	for (engine_mask m = engines; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);

		if (schedulers[i].score < schedulers[best].score)
			best = i;
	}
	return best;
}
