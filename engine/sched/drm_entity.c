/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/drm_entity.h"

#include <stddef.h>

void
drm_entity_detach(struct drm_entity *entity)
{
	struct drm_scheduler *scheduler = entity->scheduler;

	if (scheduler == NULL)
		return;
	scheduler->score--;
	if (scheduler->policy->leaves != NULL)
		scheduler->policy->leaves(entity);
	scheduler->has_chosen = false;
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

void
drm_entity_submitted(struct drm_entity *entity)
{
	struct drm_scheduler *scheduler = entity->scheduler;

	scheduler->score++;
	if (entity->queued++ == 0 && !entity->killed &&
	    scheduler->policy->joins != NULL)
		scheduler->policy->joins(entity);
}

void
drm_entity_ready(struct drm_entity *entity, struct request *rq)
{
	entity->head = rq;
	entity->scheduler->policy->ready(entity);
	entity->scheduler->has_chosen = false;
}

void
drm_entity_issued(struct drm_entity *entity)
{
	entity->queued--;
	entity->scheduler->policy->take(entity);
	entity->scheduler->has_chosen = false;
	entity->head = NULL;
}

void
drm_entity_ended(struct drm_entity *entity, nsec ran)
{
	struct drm_scheduler *scheduler = entity->scheduler;

	scheduler->score--;
	if (scheduler->policy->ended != NULL)
		scheduler->policy->ended(entity, ran);
}

struct request *
drm_entity_kill(struct drm_entity *entity)
{
	struct request *head = entity->head;

	if (entity->killed)
		return NULL;
	entity->killed = true;
	entity->head = NULL;
	entity->scheduler->policy->withdraw(entity);
	entity->scheduler->has_chosen = false;
	return head;
}

void
drm_entity_dropped(struct drm_entity *entity)
{
	entity->head = NULL;
	entity->queued--;
	entity->scheduler->score--;
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
