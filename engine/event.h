/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Virtual time: events and timers that fire at a time of the run, and the
 * jiffies to which some timers of the driver are rounded up. All times are ns
 * since the start of the run.
 */
#ifndef ENGINE_EVENT_H
#define ENGINE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/nsec.h"
#include "engine/profile.h"

struct sim;

/* An event is part of the object that it happens to, and is armed for one time
 * at most. Zeroed but for fire: not armed. */
struct event {
	void (*fire)(struct sim *sim, struct event *event);
	uint64_t seq; /* of its entry in the queue; 0: not armed */
};

/*
 * A timer is an event that is postponed or cancelled far more often than it
 * fires: setting it to a later time only stores that time. See timer_init().
 */
struct timer {
	struct event event; /* private */
	nsec entry;         /* private: time of its entry in the queue */
	nsec due;           /* NSEC_NEVER: off */
	void (*fire)(struct sim *sim, struct timer *timer);
};

/* Events by time; events of one time in the order of arming. Entries of events
 * that were disarmed or armed again are dropped when they come up. All zero:
 * empty. */
struct event_queue {
	struct heap heap;
	uint64_t last_seq;
	size_t sweep_at; /* number of entries at which stale ones are removed */
};

/* Arms an event that is not armed; time is not in the past. The queue keeps the
 * pointer until the event has fired or is disarmed. */
void event_arm(struct event_queue *q, struct event *event, nsec time);
/* Cancels an event; does nothing if it is not armed. */
static inline void
event_disarm(struct event *event)
{
	event->seq = 0;
}

/* Turns the timer off, whatever its bytes were. */
void timer_init(
    struct timer *timer, void (*fire)(struct sim *sim, struct timer *timer));
/* Sets the only time at which the timer fires; NSEC_NEVER: off. */
void timer_set(struct event_queue *q, struct timer *timer, nsec due);
static inline bool
timer_is_set(const struct timer *timer)
{
	return timer->due != NSEC_NEVER;
}

/* Returns the time of the first event; NSEC_NEVER: none is armed. */
nsec event_next_time(struct event_queue *q);
/* Returns true if an event is armed for now or before. */
bool event_is_due(struct event_queue *q, nsec now);
/* Disarms and returns the first event that is due; NULL: none is. */
struct event *event_take_due(struct event_queue *q, nsec now);

/*
 * Jiffies (doc/model/execlists.md "Jiffies"): ticks at the multiples of 1/hz s.
 * A profile with hz 0 has none, and its timers are exact.
 */
/* Returns the first tick at t or after it; hz is not 0. */
nsec jiffies_tick(const struct profile *p, nsec t);
/* Returns when a timer set to t fires: at a tick, or at t if hz is 0.
 * NSEC_NEVER stays. */
static inline nsec
jiffies_expiry(const struct profile *p, nsec t)
{
	return p->hz == 0 ? t : jiffies_tick(p, t);
}
/* Returns when a timer fires that is set to t, rounded up to the whole second behind
 * it; t if hz is 0. */
nsec jiffies_second(const struct profile *p, nsec t);
/* Returns the time of the next heartbeat: one tick after the first at or after
 * now + interval, or, if interval is 1 s or more, after the next whole second
 * behind that. */
nsec jiffies_heartbeat(const struct profile *p, nsec now, nsec interval);

#endif
