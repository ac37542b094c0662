/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/drm_policy.h"

#include <stddef.h>

#include "engine/gpu/request.h"
#include "engine/sched/drm_entity.h"

static struct drm_entity *
entity_at(void *part, size_t offset)
{
	return (struct drm_entity *)(void *)((char *)part - offset);
}

/* Levels: the highest that has a ready head. */

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
			return entity_at(
			    link, offsetof(struct drm_entity, link));
	}
	return NULL;
}

static void
levels_withdraw(struct drm_entity *entity)
{
	drm_runqueue_withdraw(&entity->link);
}

static void
levels_free(struct drm_scheduler *scheduler)
{
	for (unsigned i = 0; i < N_DRM_LEVELS; i++)
		drm_runqueue_free(&scheduler->levels[i]);
}

/* "Policy fifo, the head that was submitted first." */

static void
fifo_ready(struct drm_entity *entity)
{
	drm_runqueue_add(level_of(entity), entity->head->seq, &entity->link);
}

static void
fifo_take(struct drm_entity *entity)
{
	drm_runqueue_take(level_of(entity), false);
}

const struct drm_policy drm_policy_fifo = {
    .entity_size = LINKED_SIZE,
    .ready = fifo_ready,
    .first = levels_first,
    .take = fifo_take,
    .withdraw = levels_withdraw,
    .free = levels_free,
};

/* "Policy rr, the next entity with a ready head after the one it chose last on
 * this level." */

static void
rr_ready(struct drm_entity *entity)
{
	drm_runqueue_add(level_of(entity), entity->number, &entity->link);
}

static void
rr_take(struct drm_entity *entity)
{
	drm_runqueue_take(level_of(entity), true);
}

/* "If that entity has been detached since, from the first." */
static void
rr_leaves(struct drm_entity *entity)
{
	struct drm_runqueue *q = level_of(entity);

	if (q->turn == entity->number)
		drm_runqueue_restart(q);
}

const struct drm_policy drm_policy_rr = {
    .entity_size = LINKED_SIZE,
    .ready = rr_ready,
    .first = levels_first,
    .take = rr_take,
    .withdraw = levels_withdraw,
    .leaves = rr_leaves,
    .free = levels_free,
};

/* Fair. */

static void
fair_joins(struct drm_entity *entity)
{
	entity->fair.level = entity->level;
	entity->fair.node.seq = entity->number;
	fair_queue_join(&entity->scheduler->fair, &entity->fair);
}

static void
fair_ready(struct drm_entity *entity)
{
	fair_queue_ready(&entity->scheduler->fair, &entity->fair);
}

static struct drm_entity *
fair_first(struct drm_scheduler *scheduler)
{
	struct fair_member *m = fair_queue_first(&scheduler->fair);

	if (m == NULL)
		return NULL;
	return entity_at(m, offsetof(struct drm_entity, fair));
}

static void
fair_take(struct drm_entity *entity)
{
	fair_queue_take(
	    &entity->scheduler->fair, &entity->fair, entity->queued > 0);
}

static void
fair_withdraw(struct drm_entity *entity)
{
	fair_queue_withdraw(&entity->scheduler->fair, &entity->fair);
}

static void
fair_ended(struct drm_entity *entity, nsec ran)
{
	fair_queue_ended(&entity->scheduler->fair, &entity->fair, ran);
}

const struct drm_policy drm_policy_fair = {
    .entity_size = sizeof(struct drm_entity),
    .joins = fair_joins,
    .ready = fair_ready,
    .first = fair_first,
    .take = fair_take,
    .withdraw = fair_withdraw,
    .ended = fair_ended,
};
