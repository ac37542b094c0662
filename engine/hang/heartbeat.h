/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#ifndef ENGINE_HANG_HEARTBEAT_H
#define ENGINE_HANG_HEARTBEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/event.h"

struct sim;
struct hw_engine;

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

#endif
