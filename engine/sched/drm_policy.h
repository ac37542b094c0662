/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A policy: which entity of a scheduler puts its head on the ring next. fifo
 * and rr keep the levels apart, strictly (doc/model/drm.md "Selection"); fair
 * has one queue ("Shares").
 */
#ifndef ENGINE_SCHED_DRM_POLICY_H
#define ENGINE_SCHED_DRM_POLICY_H

#include <stddef.h>

#include "base/nsec.h"

struct drm_scheduler;
struct drm_entity;

struct drm_policy {
	size_t entity_size; /* bytes of a struct drm_entity that it uses */
	/* The entity has its first job that is not on the ring. May be NULL. */
	void (*joins)(struct drm_entity *entity);
	/* Its head is ready. */
	void (*ready)(struct drm_entity *entity);
	/* Whose head goes next; NULL: none is ready. */
	struct drm_entity *(*first)(struct drm_scheduler *scheduler);
	/* The first one's head has been put on the ring. */
	void (*take)(struct drm_entity *entity);
	/* Its jobs that are not on the ring will not come to it, though its
	 * head may be ready. */
	void (*withdraw)(struct drm_entity *entity);
	/* A job of it has ended, having run for so long. May be NULL. */
	void (*ended)(struct drm_entity *entity, nsec ran);
	/* It has no jobs, and leaves the scheduler. May be NULL. */
	void (*leaves)(struct drm_entity *entity);
	/* Frees its queues. May be NULL. */
	void (*free)(struct drm_scheduler *scheduler);
};

extern const struct drm_policy drm_policy_fifo, drm_policy_rr, drm_policy_fair;

#endif
