/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entities and run queues of the DRM GPU scheduler (rules/drm-guc.md "drm").
 * An entity holds the jobs of one ring of a client (client.h) in the order of
 * submission; it is attached to the scheduler of one engine, in one level.
 */
#ifndef ENGINE_DRM_ENTITY_H
#define ENGINE_DRM_ENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/heap.h"
#include "engine/hw_engine.h"

struct request;

/* KERNEL, above them all, is never used by clients. */
enum drm_level { DRM_HIGH, DRM_NORMAL, DRM_LOW, N_DRM_LEVELS };

enum drm_level drm_level_of(int priority);

/*
 * The entities of a level that have a ready head, by a key that none has
 * twice: policy fifo: the order of submission of the head; rr: the order of
 * attachment of the entity. With turns, the first one is the one after the
 * turn, in a circle.
 */
struct drm_runqueue {
	struct heap now;  /* keys after the turn */
	struct heap then; /* the others: after the last the first again */
	uint64_t turn;    /* key taken last; 0: none, or no turns */
};

void drm_runqueue_free(struct drm_runqueue *q);
void drm_runqueue_add(
    struct drm_runqueue *q, uint64_t key, struct request *head);
/* The head whose turn it is; NULL when none is ready. */
struct request *drm_runqueue_first(const struct drm_runqueue *q);
/* Takes that head out, and with turns moves the turn to it. */
struct request *drm_runqueue_take(struct drm_runqueue *q, bool turns);
/* The turn begins anew, from the first. */
void drm_runqueue_restart(struct drm_runqueue *q);

/* The scheduler of one engine. */
struct drm_scheduler {
	struct drm_runqueue levels[N_DRM_LEVELS];
	uint64_t score; /* attached entities, jobs that have not ended */
};

/* To what an entity is attached. */
struct drm_entity {
	struct drm_scheduler *scheduler; /* NULL: not attached */
	uint8_t engine;                  /* index, of the scheduler */
	uint8_t level;                   /* enum drm_level */
	uint64_t number;                 /* in the order of attachment */
};

/* Leaves where it was for the tail of a level of schedulers[engine], with a
 * number higher than all before; but stays where it is if that is there. */
void drm_entity_attach(struct drm_entity *entity,
    struct drm_scheduler *schedulers, unsigned engine, enum drm_level level,
    uint64_t *last_number);
/* It has no jobs. */
void drm_entity_detach(struct drm_entity *entity);

/* The engine with the lowest score, the first of several. */
unsigned drm_best_engine(
    const struct drm_scheduler *schedulers, engine_mask engines);

#endif
