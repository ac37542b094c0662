/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scheduler `execlists`: priorities, preemption, timeslices, semaphores. */
#ifndef ENGINE_SCHED_SCHED_EXECLISTS_H
#define ENGINE_SCHED_SCHED_EXECLISTS_H

#include "engine/sched/sched.h"

extern const struct sched_ops sched_execlists;

#endif
