/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Something that will happen at a virtual time. Embedded in what it happens
 * to; armed at most once at a time.
 */
#ifndef ENGINE_EVENT_H
#define ENGINE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/nsec.h"
#include "engine/profile.h"

struct sim;

struct event {
	void (*fire)(struct sim *sim, struct event *event);
	uint64_t seq; /* of its entry in the queue; 0: not armed */
};

/*
 * An event that is put off, or off altogether, far more often than it happens:
 * to set it later costs no more than to note when. Zeroed but for fire: off.
 */
struct timer {
	struct event event; /* private */
	nsec entry;         /* private: time of its entry in the queue */
	nsec due;           /* NSEC_NEVER: off */
	void (*fire)(struct sim *sim, struct timer *timer);
};

/* Events by time, those of one instant in the order of arming. Entries of
 * events that were disarmed since are dropped as they come up. */
struct event_queue {
	struct heap heap;
	uint64_t last_seq;
	size_t sweep_at; /* entries, of which half may be dropped then */
};

/* It fires at that time, which is not over; it is not armed yet. The queue keeps
 * the pointer until it has fired or is disarmed. */
void event_arm(struct event_queue *q, struct event *event, nsec time);
static inline void
event_disarm(struct event *event)
{
	event->seq = 0;
}
/* Off, whatever it was. */
void timer_init(
    struct timer *timer, void (*fire)(struct sim *sim, struct timer *timer));
/* Fires at due, instead of when it was set to; NSEC_NEVER: not at all. */
void timer_set(struct event_queue *q, struct timer *timer, nsec due);
static inline bool
timer_is_set(const struct timer *timer)
{
	return timer->due != NSEC_NEVER;
}
/* Time of the first event, NSEC_NEVER when there is none. */
nsec event_next_time(struct event_queue *q);
bool event_is_due(struct event_queue *q, nsec now);
/* Takes out the first event if it is due at now or before; else NULL. */
struct event *event_take_due(struct event_queue *q, nsec now);

/*
 * Timers of the driver that count in jiffies (doc/model/execlists.md "Jiffies"):
 * ticks come at the multiples of 1/hz s. A profile with hz 0 has none: its
 * timers are exact.
 */

nsec jiffies_tick(const struct profile *p, nsec t);

/* When a timer fires that is to fire at t, which may be NSEC_NEVER: the first
 * tick at t or after it. */
static inline nsec
jiffies_expiry(const struct profile *p, nsec t)
{
	return p->hz == 0 ? t : jiffies_tick(p, t);
}

/* When the next beat comes, interval after now: from 1 s on at the first whole
 * second after that, and one tick later in any case. */
nsec jiffies_heartbeat(const struct profile *p, nsec now, nsec interval);

#endif
