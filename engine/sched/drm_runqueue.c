/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/drm_runqueue.h"

#include <stddef.h>

void
drm_runqueue_free(struct drm_runqueue *q)
{
	heap_free(&q->now);
	heap_free(&q->then);
}

void
drm_runqueue_add(struct drm_runqueue *q, uint64_t key, struct drm_link *link)
{
	link->key = key;
	heap_push(key > q->turn ? &q->now : &q->then, key, 0, link);
}

/* The first that was not withdrawn: keys do not come back. */
static const struct heap_entry *
peek(struct heap *heap)
{
	const struct heap_entry *entry;

	while ((entry = heap_peek(heap)) != NULL) {
		const struct drm_link *link = entry->item;

		if (link->key == entry->key)
			return entry;
		heap_pop(heap);
	}
	return NULL;
}

struct drm_link *
drm_runqueue_first(struct drm_runqueue *q)
{
	const struct heap_entry *entry = peek(&q->now);

	if (entry == NULL)
		entry = peek(&q->then);
	return entry != NULL ? entry->item : NULL;
}

void
drm_runqueue_withdraw(struct drm_link *link)
{
	link->key = 0;
}

static void
swap(struct drm_runqueue *q)
{
	struct heap heap = q->now;

	q->now = q->then;
	q->then = heap;
}

/* Only here, where one is taken, may a new round begin: until then one that
 * becomes ready after the turn still comes first. */
struct drm_link *
drm_runqueue_take(struct drm_runqueue *q, bool turns)
{
	const struct heap_entry *entry;
	struct drm_link *link;

	if (peek(&q->now) == NULL)
		swap(q);
	entry = peek(&q->now);
	link = entry->item;
	if (turns)
		q->turn = entry->key;
	heap_pop(&q->now);
	link->key = 0;
	return link;
}

/* The smaller heap goes into the larger one: so nothing that was added is
 * moved more often than others are added. */
void
drm_runqueue_restart(struct drm_runqueue *q)
{
	q->turn = 0;
	if (q->now.n < q->then.n)
		swap(q);
	for (size_t i = 0; i < q->then.n; i++) {
		const struct heap_entry *entry = &q->then.entries[i];

		heap_push(&q->now, entry->key, entry->seq, entry->item);
	}
	q->then.n = 0;
}
