/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which waiting queue takes an engine, and which one (doc/model/guc.md "Choice
 * of an engine" and "Parallel slots").
 */
#ifndef ENGINE_SCHED_GUC_CHOICE_H
#define ENGINE_SCHED_GUC_CHOICE_H

#include <stdbool.h>

#include "engine/sched/guc_queue.h"

struct guc_choice {
	struct guc_queue *queue;
	/* That are free, or whose queues give way to it now. */
	engine_mask engines;
	/* It can't have all of the set: those who give way do so, and the
	 * engines are kept for it. */
	bool holds;
};

/* False: no waiting queue can take anything. guc->held, and what engines are
 * kept for, is as it is now. */
bool guc_choose(struct sim *sim, struct guc_choice *choice);

#endif
