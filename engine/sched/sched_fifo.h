/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scheduler `fifo`: everything in the order in which it became ready. */
#ifndef ENGINE_SCHED_SCHED_FIFO_H
#define ENGINE_SCHED_SCHED_FIFO_H

#include "engine/sched/sched.h"

extern const struct sched_ops sched_fifo;

#endif
