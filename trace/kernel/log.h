/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as a kernel logs it: events of the simulation become records of the
 * kernel's events, in the order of time (doc/model/traces.md "A run as
 * events"). The owner writes the records.
 */
#ifndef TRACE_KERNEL_LOG_H
#define TRACE_KERNEL_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "engine/gpu/engine.h"
#include "engine/observer.h"
#include "trace/kernel/events.h"
#include "trace/outputs.h"

struct kernel_log {
	struct observer observer;
	/* Writes a record, which lives as long as the call. Set by the owner. */
	void (*put)(struct kernel_log *log, const struct kernel_record *r);
	/* Called before the first record of a task. NULL: of no interest. */
	void (*task)(struct kernel_log *log, int32_t pid, const char *comm);
	unsigned sets;    /* to log: 1 << enum kernel_set */
	bool fence_waits; /* waits as dma_fence's events, not as i915's */

	/* Private. */
	struct output_launch launch;
	struct chains timelines, jobs, tasks;
	uint64_t n_timelines, n_jobs;
	int32_t n_tasks;
	bool guc;                             /* the scheduler */
	uint32_t running[DEVICE_MAX_ENGINES]; /* jobs on each engine */
	struct text name;
};

/* All sets, as struct kernel_log has them. */
#define KERNEL_ALL_SETS ((1u << N_KERNEL_SETS) - 1)

/* Logs what happens in launch from now on; log has its put, task and sets, and
 * is zero besides, or watched an earlier launch. Requests that were submitted
 * before are not logged. */
void kernel_log_watch(
    struct kernel_log *log, const struct output_launch *launch);
/* Stops, if it watches a launch, and forgets its requests. */
void kernel_log_leave(struct kernel_log *log);
/* Frees what the log holds, after kernel_log_leave(). */
void kernel_log_free(struct kernel_log *log);

/* Reads a list of sets, "i915,drm,drm617"; dma_fence's events are in each.
 * False with what was expected in err. */
bool kernel_sets_read(const char *list, unsigned *sets, struct text *err);

#endif
