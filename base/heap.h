/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A 4-ary min-heap of pointers ordered by (key, seq): the event queue and the
 * queues of engines. Equal keys come out in order of seq.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_entry {
	uint64_t key;
	uint64_t seq;
	void *item;
};

struct heap {
	struct heap_entry *entries;
	size_t n, cap;
};

/* All zeros: empty. Items are the caller's, here and below. */
void heap_free(struct heap *h);
void heap_push(struct heap *h, uint64_t key, uint64_t seq, void *item);
/* The first entry, NULL when empty. Valid until the next change. */
static inline const struct heap_entry *
heap_peek(const struct heap *h)
{
	return h->n > 0 ? &h->entries[0] : NULL;
}
/* Removes the first entry; only when not empty. */
void heap_pop(struct heap *h);
/* Removes all entries that keep does not want. */
void heap_sweep(struct heap *h, bool (*keep)(const struct heap_entry *entry));

#endif
