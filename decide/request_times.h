/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queue waits and latencies of the foreground's requests, each kept, so that
 * percentiles are exact: a limit of a goal is compared with them.
 */
#ifndef DECIDE_REQUEST_TIMES_H
#define DECIDE_REQUEST_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/histogram.h"
#include "engine/observer.h"

struct sim;

/* Values that are kept of each measure, 8 bytes each; of runs with more the
 * histograms of the engine are used. */
#define REQUEST_TIMES_MOST (1u << 21)

struct request_times {
	struct observer observer;
	const struct sim *sim;
	struct measured {
		uint64_t *list; /* ns, in no order */
		size_t n, cap;
		bool too_many; /* some are missing */
	} of[N_MEASURES];
};

/* Begins with the requests that end from now on. times must not move until
 * request_times_end(). */
void request_times_begin(struct request_times *times, struct sim *sim);
void request_times_end(struct request_times *times);
/* Sets *ns to the smallest value that at least per_mille of 1000 values do not
 * exceed, 0 without values. Reorders them. False: there were too many. */
bool request_times_percentile(struct request_times *times, enum measure m,
    unsigned per_mille, uint64_t *ns);

#endif
