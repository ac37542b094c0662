/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A 4-ary heap: half as deep as a binary one, four children in a row. */
#include "base/heap.h"

#include <stdlib.h>

#include "base/mem.h"

#define ARITY 4

static inline bool
before(const struct heap_entry *a, const struct heap_entry *b)
{
	if (a->key != b->key)
		return a->key < b->key;
	return a->seq < b->seq;
}

void
heap_free(struct heap *h)
{
	free(h->entries);
	*h = (struct heap){0};
}

void
heap_push(struct heap *h, uint64_t key, uint64_t seq, void *item)
{
	struct heap_entry entry = {key, seq, item};

	if (h->n == h->cap)
		h->entries = mem_grow(h->entries, h->n, &h->cap, sizeof entry);

	struct heap_entry *e = h->entries;
	size_t i = h->n++;

	while (i > 0) {
		size_t parent = (i - 1) / ARITY;

		if (!before(&entry, &e[parent]))
			break;
		e[i] = e[parent];
		i = parent;
	}
	e[i] = entry;
}

void
heap_sweep(struct heap *h, bool (*keep)(const struct heap_entry *entry))
{
	size_t n = h->n;

	/* Entries put back are never more than entries looked at. */
	h->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct heap_entry entry = h->entries[i];

		if (keep(&entry))
			heap_push(h, entry.key, entry.seq, entry.item);
	}
}

/* The smallest of the children of i that exist. */
static inline size_t
least_child(const struct heap_entry *e, size_t n, size_t i)
{
	size_t first = i * ARITY + 1;
	size_t end = first + ARITY < n ? first + ARITY : n;
	size_t least = first;

	for (size_t c = first + 1; c < end; c++) {
		if (before(&e[c], &e[least]))
			least = c;
	}
	return least;
}

void
heap_pop(struct heap *h)
{
	struct heap_entry *e = h->entries;
	struct heap_entry last = e[--h->n];
	size_t i = 0;

	while (i * ARITY + 1 < h->n) {
		size_t child = least_child(e, h->n, i);

		if (!before(&e[child], &last))
			break;
		e[i] = e[child];
		i = child;
	}
	if (h->n > 0)
		e[i] = last;
}
