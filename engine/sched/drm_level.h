/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Levels of the DRM GPU scheduler (doc/model/drm.md "Entities and levels"), the
 * highest first. KERNEL is never used by clients.
 */
#ifndef ENGINE_SCHED_DRM_LEVEL_H
#define ENGINE_SCHED_DRM_LEVEL_H

enum drm_level { DRM_KERNEL, DRM_HIGH, DRM_NORMAL, DRM_LOW, N_DRM_LEVELS };

static inline enum drm_level
drm_level_of(int priority)
{
	if (priority == 0)
		return DRM_NORMAL;
	return priority > 0 ? DRM_HIGH : DRM_LOW;
}

#endif
