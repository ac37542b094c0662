/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which engine limits the run that is watched (engine/explain/limits.h), over
 * the last LIMITS_WINDOWS windows of load: 2 s at 4 frames a second. Views read
 * `limits`, which changes when a window of load is full, once per frame at most.
 */
#ifndef RUN_LIVE_LIMITS_WATCH_H
#define RUN_LIVE_LIMITS_WATCH_H

#include <stdint.h>

#include "engine/explain/limits.h"

#define LIMITS_WINDOWS 8

struct load_history;

struct limits_watch {
	struct limits limits; /* to == from: nothing is known yet */
	uint64_t n;           /* windows of load that were seen */
	struct limits_mark marks[LIMITS_WINDOWS]; /* of their ends, a ring */
};

/* Forgets all: a new run begins. */
void limits_watch_clear(struct limits_watch *w);
/* Finds the limits anew if h has a new window. trail: that of sim. */
void limits_watch_sample(struct limits_watch *w, const struct load_history *h,
    const struct sim *sim, const struct trail *trail);

#endif
