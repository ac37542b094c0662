/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_SCHED_DRM_H
#define ENGINE_SCHED_DRM_H

#include "engine/sched.h"

extern const struct sched_ops sched_drm;    /* policy fifo */
extern const struct sched_ops sched_drm_rr; /* policy rr */

#endif
