/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run queue of one level, as policies fifo and rr have it (doc/model/drm.md
 * "Selection"): the entities that have a ready head, by a key that none has
 * twice: fifo: the order of submission of the head; rr: the order of attachment
 * of the entity. With turns, the first one is the one after the turn, in a
 * circle.
 */
#ifndef ENGINE_SCHED_DRM_RUNQUEUE_H
#define ENGINE_SCHED_DRM_RUNQUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"

/* What an entity has of it; its memory stays readable as long as the queue is
 * there, so that one that was withdrawn can be recognised. */
struct drm_link {
	uint64_t key; /* in the queue with it; 0: not there */
};

struct drm_runqueue {
	struct heap now;  /* keys after the turn */
	struct heap then; /* the others: after the last the first again */
	uint64_t turn;    /* key taken last; 0: none, or no turns */
};

void drm_runqueue_free(struct drm_runqueue *q);
void drm_runqueue_add(
    struct drm_runqueue *q, uint64_t key, struct drm_link *link);
/* The one whose turn it is; NULL when none has a ready head. */
struct drm_link *drm_runqueue_first(struct drm_runqueue *q);
/* Takes that one out, and with turns moves the turn to it. */
struct drm_link *drm_runqueue_take(struct drm_runqueue *q, bool turns);
/* Takes one out before its turn. */
void drm_runqueue_withdraw(struct drm_link *link);
/* The turn begins anew, from the first. */
void drm_runqueue_restart(struct drm_runqueue *q);

#endif
