/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event queue, timers in front of it, and jiffies. Disarming only changes
 * the event: its entry stays in the heap and is recognised as stale by its seq.
 */
#include "engine/event.h"

#include <stdbool.h>
#include <stddef.h>

#define FEW_ENTRIES 1024 /* fewer are never swept */

static bool
is_armed(const struct heap_entry *entry)
{
	const struct event *event = entry->item;

	return event->seq == entry->seq;
}

/* Removes stale entries: an event far away that is armed again and again leaves
 * one each time. Sweeping at twice the entries that are left bounds both the
 * memory and the cost. */
static __attribute__((noinline)) void
sweep(struct event_queue *q)
{
	if (q->heap.n >= FEW_ENTRIES)
		heap_sweep(&q->heap, is_armed);
	q->sweep_at = 2 * q->heap.n + FEW_ENTRIES;
}

void
event_arm(struct event_queue *q, struct event *event, nsec time)
{
	if (q->heap.n >= q->sweep_at)
		sweep(q);
	event->seq = ++q->last_seq;
	heap_push(&q->heap, time, event->seq, event);
}

static void
fire_timer(struct sim *sim, struct event *event)
{
	struct timer *timer = (struct timer *)(void *)event;

	timer->due = NSEC_NEVER;
	timer->fire(sim, timer);
}

void
timer_init(
    struct timer *timer, void (*fire)(struct sim *sim, struct timer *timer))
{
	*timer = (struct timer){
	    .event.fire = fire_timer, .due = NSEC_NEVER, .fire = fire};
}

void
timer_set(struct event_queue *q, struct timer *timer, nsec due)
{
	timer->due = due;
	if (due == NSEC_NEVER || (timer->event.seq != 0 && timer->entry <= due))
		return;
	timer->entry = due;
	event_arm(q, &timer->event, due);
}

/* Moves the entry of a timer that was postponed since the entry was made.
 * Returns false for all other events. */
static bool
move_if_postponed(struct event_queue *q, struct event *event)
{
	struct timer *timer = (struct timer *)(void *)event;

	if (event->fire != fire_timer || timer->due <= timer->entry)
		return false;
	event->seq = 0;
	heap_pop(&q->heap);
	timer_set(q, timer, timer->due);
	return true;
}

/* Returns the entry of the first armed event, NULL for none; drops stale ones
 * on the way. */
static const struct heap_entry *
first_armed(struct event_queue *q)
{
	const struct heap_entry *entry;

	while ((entry = heap_peek(&q->heap)) != NULL) {
		struct event *event = entry->item;

		if (event->seq != entry->seq)
			heap_pop(&q->heap);
		else if (!move_if_postponed(q, event))
			return entry;
	}
	return NULL;
}

nsec
event_next_time(struct event_queue *q)
{
	const struct heap_entry *entry = first_armed(q);

	return entry != NULL ? entry->key : NSEC_NEVER;
}

/* Most often the first entry, stale or not, is in the future: its event need
 * not be read. */
bool
event_is_due(struct event_queue *q, nsec now)
{
	const struct heap_entry *entry = heap_peek(&q->heap);

	if (entry == NULL || entry->key > now)
		return false;
	entry = first_armed(q);
	return entry != NULL && entry->key <= now;
}

struct event *
event_take_due(struct event_queue *q, nsec now)
{
	const struct heap_entry *entry;
	struct event *event;

	if (!event_is_due(q, now))
		return NULL;
	entry = heap_peek(&q->heap);
	event = entry->item;
	event->seq = 0;
	heap_pop(&q->heap);
	return event;
}

/* Returns the number of the first tick at t or after it. */
static uint64_t
tick_at(const struct profile *p, nsec t)
{
	return t / NSEC_PER_SEC * p->hz +
	    (t % NSEC_PER_SEC * p->hz + NSEC_PER_SEC - 1) / NSEC_PER_SEC;
}

/* Returns the time of that tick, rounded up to ns. */
static nsec
tick_time(const struct profile *p, uint64_t tick)
{
	return tick / p->hz * NSEC_PER_SEC +
	    (tick % p->hz * NSEC_PER_SEC + p->hz - 1) / p->hz;
}

nsec
jiffies_tick(const struct profile *p, nsec t)
{
	nsec tick = (uint32_t)NSEC_PER_SEC / p->hz, over;

	if (t == NSEC_NEVER)
		return t;
	if (tick * p->hz != NSEC_PER_SEC)
		return tick_time(p, tick_at(p, t));
	over = t % tick;
	return over > 0 ? t + (tick - over) : t;
}

nsec
jiffies_second(const struct profile *p, nsec t)
{
	uint64_t tick;

	if (p->hz == 0)
		return t;
	tick = tick_at(p, t);
	return tick_time(p, tick + p->hz - tick % p->hz);
}

nsec
jiffies_heartbeat(const struct profile *p, nsec now, nsec interval)
{
	uint64_t tick;

	if (p->hz == 0)
		return now + interval;
	tick = tick_at(p, now + interval);
	if (interval >= NSEC_PER_SEC)
		tick += p->hz - tick % p->hz;
	return tick_time(p, tick + 1);
}
