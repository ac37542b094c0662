/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The DRM GPU scheduler over plain rings (doc/model/drm.md). Over plain rings
 * jobs end in the order in which they were put there, and only the ring
 * (drm_ring.h) knows that: a credit, an entity's score and the fences of a job
 * are given back by whichever ends. Behind guc jobs end out of order, and there
 * too a timer is to watch the oldest that is left (doc/model/drm.md
 * "Timeouts").
 */
#ifndef ENGINE_SCHED_SCHED_DRM_H
#define ENGINE_SCHED_SCHED_DRM_H

#include "engine/sched/sched.h"

extern const struct sched_ops sched_drm;      /* policy fifo */
extern const struct sched_ops sched_drm_rr;   /* policy rr */
extern const struct sched_ops sched_drm_fair; /* policy fair */

#endif
