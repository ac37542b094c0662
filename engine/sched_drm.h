/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The DRM GPU scheduler over plain rings (rules/drm-guc.md "drm"). Over plain
 * rings jobs end in the order in which they were put there; where they do not
 * (guc), fences may signal out of order, but a timeout still watches the
 * oldest (facts/i915-scheduling.md section 5.5).
 */
#ifndef ENGINE_SCHED_DRM_H
#define ENGINE_SCHED_DRM_H

#include "engine/sched.h"

extern const struct sched_ops sched_drm;      /* policy fifo */
extern const struct sched_ops sched_drm_rr;   /* policy rr */
extern const struct sched_ops sched_drm_fair; /* policy fair */

#endif
