/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plain ring of an engine under the DRM GPU scheduler: it runs its jobs in
 * the order in which they were put there (doc/model/drm.md "Selection"), and
 * one timer watches the oldest of them (doc/model/drm.md "Timeouts").
 *
 * When the timer expires the engine is reset and the job's karma rises. With
 * more of it than the profile's hang_limit the job ends with -ETIMEDOUT and its
 * entity is guilty: whatever that puts on a ring from then on ends with
 * -ECANCELED after 0 ns (section 5.4); what is on the ring already has been
 * handed over and runs. With less the job begins anew, as drivers did while
 * they resubmitted after a reset; that is deprecated, and the mock of section
 * 5.7 has the job off the ring at once: as here with hang_limit 0. Those behind
 * it go on after it, when the reset is over. Jobs of level KERNEL have no
 * karma: they end at once, and nobody is guilty.
 */
#ifndef ENGINE_SCHED_DRM_RING_H
#define ENGINE_SCHED_DRM_RING_H

#include <stdbool.h>

#include "engine/event.h"

struct sim;
struct hw_engine;
struct request;

struct drm_ring {
	struct hw_engine *engine;      /* runs the oldest job */
	struct request *first, **last; /* that follow it, linked by next */
	unsigned credits;              /* taken */
	struct timer timer;
};

void drm_ring_init(struct drm_ring *ring, struct hw_engine *engine);
/* May another job be put on it? */
bool drm_ring_has_credit(const struct sim *sim, const struct drm_ring *ring);
/* It runs at once if no other does; guilty: its entity is. */
void drm_ring_put(
    struct sim *sim, struct drm_ring *ring, struct request *rq, bool guilty);
/* Do jobs follow the one that runs, or that ran? */
bool drm_ring_is_followed(const struct drm_ring *ring);
/* The one that follows runs. */
void drm_ring_go_on(struct sim *sim, struct drm_ring *ring);
/* The oldest, which a reset took off the engine, is to begin anew. */
void drm_ring_replay(
    struct sim *sim, struct drm_ring *ring, struct request *rq);
/* The oldest has ended. */
void drm_ring_ended(struct sim *sim, struct drm_ring *ring);

#endif
