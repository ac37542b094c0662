/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver's timers that find hangs: the heartbeat of each engine, and the
 * watchdog of requests. Preempt and job timeouts are the schedulers'.
 */
#ifndef ENGINE_HANG_TIMEOUTS_H
#define ENGINE_HANG_TIMEOUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/event.h"

struct hw_engine;
struct request;
struct sim;

/*
 * The heartbeat of an engine (doc/model/hangs.md "Heartbeat"): while the engine
 * has work, a pulse is sent to it at each beat. A pulse without an answer by
 * the next beat is raised in priority; the highest without an answer causes a
 * reset.
 *
 * A pulse is not a request: it takes no time, arms no timeslice and counts as
 * no preemption. The scheduler decides when it gets its turn (sched.h's pulse).
 * Where the profile has jiffies, beats come at whole seconds.
 */

/* Urgency of a pulse, with its priority (heartbeat_priority). */
enum pulse {
	PULSE_NONE,
	PULSE_MIN,     /* -1024 */
	PULSE_NORMAL,  /* 0 */
	PULSE_HIGH,    /* 1025: above all users */
	PULSE_BARRIER, /* above all else */
};

struct heartbeat {
	struct timer timer; /* the next beat */
	uint8_t pulse;      /* enum pulse: the one that waits for its turn */
	nsec raised_ns;     /* when it was sent or last raised */
};

/* Prepares the heartbeats of all engines, before anything runs. */
void heartbeat_init(struct sim *sim);
/* Starts and stops heartbeats at the end of an instant: an engine without a
 * request then has none. */
void heartbeat_update(struct sim *sim);
/* Changes the time between two beats of e (0: none), which begin anew. */
void heartbeat_set_interval(
    struct sim *sim, struct hw_engine *e, nsec interval);
/* Stops the heartbeats of all engines, or lets them go on, each with its interval. */
void heartbeat_stop(struct sim *sim, bool stop);
/* Returns the priority of the pulse that waits for e; INT_MIN: none. */
int heartbeat_priority(const struct hw_engine *e);
/* Notes that the pulse, if there is one, had its turn. */
void heartbeat_answered(struct hw_engine *e);

/*
 * The watchdog of requests (doc/model/hangs.md "Watchdog"): a request that has
 * not ended within the timeout after it became ready is revoked with -EINTR
 * (hang.h). All have the same timeout, so they expire in the order in which
 * they became ready: one list, and one timer for its first.
 */
struct watchdog {
	nsec timeout; /* 0: off */
	struct request *first, *last;
	struct timer timer;
};

/* Prepares the watchdog, which is on if the scheduler has one and the profile a
 * request_timeout_ms; before anything runs. */
void watchdog_init(struct sim *sim);
/* Changes the timeout, in ns (0: off), of requests that are watched and of those that
 * become ready from now on. It has no effect where the watchdog was off at first. */
void watchdog_set_timeout(struct sim *sim, nsec timeout);
/* Watches rq, which becomes ready now. */
void watchdog_ready(struct sim *sim, struct request *rq);
/* Forgets rq, which ends now. */
void watchdog_ended(struct sim *sim, struct request *rq);

/*
 * Waits of requests for fences that are not the GPU's (doc/model/hangs.md "Foreign
 * fences"): all are given up after the same timeout, in order of submission.
 */
struct foreign_waits {
	nsec timeout; /* 0: off */
	struct foreign_wait *list;
	size_t n, cap, sweep_at;
	struct timer timer;
};

/* Prepares them: with a timeout if the scheduler has one and the profile a
 * fence_timeout_ms; before anything runs. */
void foreign_waits_init(struct sim *sim);
/* Limits the waits of rq, which is submitted now, for software fences. */
void foreign_waits_add(struct sim *sim, struct request *rq);

#endif
