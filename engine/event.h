/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Something that will happen at a virtual time. Embedded in what it happens
 * to; armed at most once at a time.
 */
#ifndef ENGINE_EVENT_H
#define ENGINE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/heap.h"
#include "engine/nsec.h"

struct sim;

struct event {
	void (*fire)(struct sim *sim, struct event *event);
	uint64_t seq; /* of its entry in the queue; 0: not armed */
};

/* Events by time, those of one instant in the order of arming. Entries of
 * events that were disarmed since are dropped as they come up. */
struct event_queue {
	struct heap heap;
	uint64_t last_seq;
};

void event_arm(struct event_queue *q, struct event *event, nsec time);
static inline void
event_disarm(struct event *event)
{
	event->seq = 0;
}
/* Time of the first event, NSEC_NEVER when there is none. */
nsec event_next_time(struct event_queue *q);
/* Takes out the first event if it is due at now or before; else NULL. */
struct event *event_take_due(struct event_queue *q, nsec now);

#endif
