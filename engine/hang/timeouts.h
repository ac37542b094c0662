/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_HANG_TIMEOUTS_H
#define ENGINE_HANG_TIMEOUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/event.h"

struct hw_engine;
struct request;
struct sim;
struct sim_config;

/*
 * The heartbeat of an engine (doc/model/hangs.md "Heartbeat"): while it
 * has work, a pulse is sent through it now and then, which one that does not
 * answer shows to hang. A pulse that is not answered until the next beat is
 * raised; when the highest was not, the engine is reset.
 *
 * A pulse is no request: it takes no time, arms no slice and counts as no
 * preemption. The scheduler finds out when it gets its turn (sched.h). Beats
 * come at whole seconds only where the profile has jiffies (jiffies.h).
 */

/* How urgent a pulse is. */
enum pulse {
	PULSE_NONE,
	PULSE_MIN,    /* -1024 */
	PULSE_NORMAL, /* 0 */
	PULSE_HIGH,   /* 1025: above all users */
	PULSE_BARRIER,
};

struct heartbeat {
	struct timer timer; /* the next beat */
	bool awake;
	uint8_t pulse;  /* enum pulse; that waits for its turn */
	nsec raised_ns; /* when it came to that */
};

/* Before anything runs. */
void heartbeat_init(struct sim *sim);
/* An instant is over: engines wake up and fall asleep. An engine sleeps when
 * it has no request at the end of an instant. */
void heartbeat_update(struct sim *sim);

/* Priority of the pulse that waits for e; INT_MIN: none does. */
int heartbeat_priority(const struct hw_engine *e);
/* The pulse, if any, had its turn. */
void heartbeat_answered(struct hw_engine *e);

/*
 * The watchdog of requests (doc/model/hangs.md "Watchdog"): one that has
 * not ended so long after it became ready is cancelled with -EINTR. If its
 * batch runs it is revoked (revoke.h), else it runs 0 ns when it gets an
 * engine. All have the same time, so they expire in the order in which they
 * became ready: one list, and one timer for the first.
 */

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
