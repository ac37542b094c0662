/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The watchdog of requests (doc/model/hangs.md "Watchdog"): one that has
 * not ended so long after it became ready is cancelled with -EINTR. If its
 * batch runs it is revoked (revoke.h), else it runs 0 ns when it gets an
 * engine. All have the same time, so they expire in the order in which they
 * became ready: one list, and one timer for the first.
 */
#ifndef ENGINE_HANG_WATCHDOG_H
#define ENGINE_HANG_WATCHDOG_H

#include <stddef.h>

#include "engine/event.h"

struct sim;
struct sim_config;
struct request;

struct watchdog {
	nsec timeout; /* 0: off */
	struct request *first, *last;
	struct timer timer;
};

/* Before anything runs; the scheduler says whether there is one. */
void watchdog_init(struct sim *sim);
void watchdog_ready(struct sim *sim, struct request *rq);
void watchdog_ended(struct sim *sim, struct request *rq);

#endif
