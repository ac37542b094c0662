/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entities of the DRM GPU scheduler (doc/model/drm.md "Entities and levels").
 * An entity holds the jobs of one ring of a client (client.h) in the order of
 * submission; it is attached to the scheduler of one engine, in one level.
 */
#ifndef ENGINE_SCHED_DRM_ENTITY_H
#define ENGINE_SCHED_DRM_ENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/gpu/engine.h"
#include "engine/sched/drm_fair.h"
#include "engine/sched/drm_level.h"
#include "engine/sched/drm_policy.h"
#include "engine/sched/drm_runqueue.h"

struct request;

/* The scheduler of one engine. */
struct drm_scheduler {
	const struct drm_policy *policy;
	union { /* the policy's own */
		struct drm_runqueue levels[N_DRM_LEVELS];
		struct fair_queue fair;
	};
	uint64_t score; /* attached entities, jobs that have not ended */
	/* What the policy said last; forgotten when that may have changed. */
	struct drm_entity *choice;
	bool has_chosen;
};

struct drm_entity {
	struct drm_scheduler *scheduler; /* NULL: not attached */
	uint8_t engine;                  /* index, of the scheduler */
	uint8_t level;                   /* enum drm_level */
	bool guilty;                     /* a job of it hung (drm_ring.h) */
	bool killed;                     /* its jobs go to no ring any more */
	uint32_t queued;                 /* jobs that are not on the ring */
	uint64_t number;                 /* in the order of attachment */
	struct request *head;            /* the first of them, if ready */
	/* The policy's own. Last, as there is only as much of it as the policy
	 * has (its entity_size). */
	union {
		struct drm_link link;    /* fifo, rr */
		struct fair_member fair; /* fair */
	};
};

/* Leaves where it was for the tail of a level of schedulers[engine], with a
 * number higher than all before; but stays where it is if that is there. */
void drm_entity_attach(struct drm_entity *entity,
    struct drm_scheduler *schedulers, unsigned engine, enum drm_level level,
    uint64_t *last_number);
/* It has no jobs. */
void drm_entity_detach(struct drm_entity *entity);

/* A job was submitted to it; its head, rq, is ready; its head, which is the
 * policy's choice, has been put on the ring; a job ended, having run so long. */
void drm_entity_submitted(struct drm_entity *entity);
void drm_entity_ready(struct drm_entity *entity, struct request *rq);
void drm_entity_issued(struct drm_entity *entity);
void drm_entity_ended(struct drm_entity *entity, nsec ran);

/* From now on its jobs go to no ring. Returns its head if that was ready, to
 * be dropped; else NULL. */
struct request *drm_entity_kill(struct drm_entity *entity);
/* A job of a killed entity, which was ready, has ended without the ring. */
void drm_entity_dropped(struct drm_entity *entity);

/* The entity whose head goes next; NULL: none is ready. */
static inline struct drm_entity *
drm_scheduler_choice(struct drm_scheduler *scheduler)
{
	if (!scheduler->has_chosen)
		scheduler->choice = scheduler->policy->first(scheduler);
	scheduler->has_chosen = true;
	return scheduler->choice;
}

/* The engine with the lowest score, the first of several. */
unsigned drm_best_engine(
    const struct drm_scheduler *schedulers, engine_mask engines);

#endif
