/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/event.h"

#include <stddef.h>

void
event_arm(struct event_queue *q, struct event *event, nsec time)
{
	event->seq = ++q->last_seq;
	heap_push(&q->heap, time, event->seq, event);
}

static const struct heap_entry *
first(struct event_queue *q)
{
	const struct heap_entry *entry;

	while ((entry = heap_peek(&q->heap)) != NULL) {
		const struct event *event = entry->item;

		if (event->seq == entry->seq)
			return entry;
		heap_pop(&q->heap);
	}
	return NULL;
}

nsec
event_next_time(struct event_queue *q)
{
	const struct heap_entry *entry = first(q);

	return entry != NULL ? entry->key : NSEC_NEVER;
}

struct event *
event_take_due(struct event_queue *q, nsec now)
{
	const struct heap_entry *entry = first(q);
	struct event *event;

	if (entry == NULL || entry->key > now)
		return NULL;
	event = entry->item;
	event->seq = 0;
	heap_pop(&q->heap);
	return event;
}
