/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/event.h"

#include <stdbool.h>
#include <stddef.h>

#define FEW_ENTRIES 1024

static bool
is_armed(const struct heap_entry *entry)
{
	const struct event *event = entry->item;

	return event->seq == entry->seq;
}

/* An event far away that is armed anew again and again leaves an entry each
 * time: they are dropped when there are as many as of those that are armed. */
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

/* A timer that was put off since its entry was made: gets a new one. */
static bool
is_put_off(struct event_queue *q, struct event *event)
{
	struct timer *timer = (struct timer *)(void *)event;

	if (event->fire != fire_timer || timer->due <= timer->entry)
		return false;
	event->seq = 0;
	heap_pop(&q->heap);
	timer_set(q, timer, timer->due);
	return true;
}

static const struct heap_entry *
first_armed(struct event_queue *q)
{
	const struct heap_entry *entry;

	while ((entry = heap_peek(&q->heap)) != NULL) {
		struct event *event = entry->item;

		if (event->seq != entry->seq)
			heap_pop(&q->heap);
		else if (!is_put_off(q, event))
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

/* Most often the entry says no, and its event need not be looked at. */
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

/* The number of the first tick at t or after it. */
static uint64_t
tick_at(const struct profile *p, nsec t)
{
	return t / NSEC_PER_SEC * p->hz +
	    (t % NSEC_PER_SEC * p->hz + NSEC_PER_SEC - 1) / NSEC_PER_SEC;
}

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
