/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guc: doc/model/guc.md. */
#ifndef ENGINE_SCHED_SCHED_GUC_H
#define ENGINE_SCHED_SCHED_GUC_H

#include "engine/sched/guc_ids.h"
#include "engine/sched/sched.h"

extern const struct sched_ops sched_guc;

/* Of ids and registrations, for views; NULL with another scheduler. */
const struct guc_counters *sched_guc_counters(const struct sim *sim);

#endif
