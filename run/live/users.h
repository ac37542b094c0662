/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contexts that had each engine in the last window of load, most first. They
 * come from the trail, at most USERS_SPANS spans of an engine; where it had more,
 * from USERS_SAMPLES instants of the window, so that the cost is bounded: some
 * 50 us for an engine and window.
 */
#ifndef RUN_LIVE_USERS_H
#define RUN_LIVE_USERS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/gpu/engine.h"

struct load_history;
struct trail;

#define USERS_SPANS   256
#define USERS_SAMPLES 128
#define USERS_NAMED   3

/* A context, and the share of the window in which it held the engine. */
struct engine_user {
	uint32_t client, context; /* number in the text */
	double share;             /* 0 to 1 */
	uint64_t request;         /* its last one there, by the trail */
	int priority;             /* the highest in force of its requests */
	bool raised; /* above that of the request when it was submitted */
};

struct engine_users {
	struct engine_user list[USERS_NAMED];
	unsigned n;      /* of list */
	unsigned n_more; /* further ones */
	bool sampled;    /* shares are estimates, within some 4 % */
};

struct users_watch {
	uint64_t n; /* windows of load that were seen */
	nsec to;    /* the end of the last one */
	struct engine_users engines[DEVICE_MAX_ENGINES];
};

/* Finds the users anew if h has a new window. */
void users_watch_sample(struct users_watch *w, const struct load_history *h,
    const struct device *dev, const struct trail *trail);

#endif
