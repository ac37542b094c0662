/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that start programs on a served device, which programs those are,
 * and how often each was guilty of a hang. */
#ifndef DEVICE_SERVICE_RUNS_H
#define DEVICE_SERVICE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/observer.h"

struct sim;
struct text;

/* All zero: none. */
struct runs {
	struct observer observer;
	struct sim *sim;
	struct service_run *list;
	uint32_t *hung; /* the client of each hang */
	size_t n_hung, cap_hung;
};

void runs_begin(struct runs *runs, struct sim *sim);
void runs_end(struct runs *runs);
/* Process pid starts programs; it has gone. */
void runs_join(struct runs *runs, long pid);
void runs_leave(struct runs *runs, long pid);
/* Program pid was started by that process. Ignored if that has gone. */
void runs_add_program(struct runs *runs, long run, long pid);
/* Appends a line for each program that was started by process pid and has
 * submitted batches, after one line for all of them that became sums. */
void runs_summary(struct runs *runs, long pid, struct text *out);

#endif
