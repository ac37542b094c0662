/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guc: rules/drm-guc.md. */
#ifndef ENGINE_SCHED_GUC_H
#define ENGINE_SCHED_GUC_H

#include "engine/sched.h"

extern const struct sched_ops sched_guc;

#endif
