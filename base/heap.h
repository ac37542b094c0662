/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two priority queues, both ordered by (key, seq), least first.
 *
 * struct heap is an array of pointers with a copy of their key: fast to push
 * and pop. struct pairing links nodes that are part of the items: adding takes
 * one comparison, and any node can be removed.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct region;

struct heap_entry {
	uint64_t key;
	uint64_t seq;
	void *item;
};

/* All zero: empty. The caller owns the items. */
struct heap {
	struct heap_entry *entries;
	size_t n, cap;
	struct region *region; /* that the entries are in; NULL: in none */
};

/* Frees the entries of a heap in no region. */
void heap_free(struct heap *h);
void heap_push(struct heap *h, uint64_t key, uint64_t seq, void *item);
/* Returns the first entry, NULL when empty. Valid until the next change. */
static inline const struct heap_entry *
heap_peek(const struct heap *h)
{
	return h->n > 0 ? &h->entries[0] : NULL;
}
/* Removes the first entry. The heap must not be empty. */
void heap_pop(struct heap *h);
/* Removes every entry for which keep returns false. */
void heap_sweep(struct heap *h, bool (*keep)(const struct heap_entry *entry));

struct pairing_node {
	/* The caller sets both before pairing_add() and leaves them until the
	 * node is removed. No two nodes of a heap have the same (key, seq). */
	uint64_t key, seq;
	struct pairing_node *next; /* sibling */
	struct pairing_node *prev; /* sibling, or the parent of a first child */
	struct pairing_node *child; /* first */
};

struct pairing {
	struct pairing_node *first; /* NULL: empty */
};

void pairing_add(struct pairing *heap, struct pairing_node *node);
/* Removes a node that is in the heap. */
void pairing_remove(struct pairing *heap, struct pairing_node *node);

static inline bool
pairing_before(const struct pairing_node *a, const struct pairing_node *b)
{
	if (a->key != b->key)
		return a->key < b->key;
	return a->seq < b->seq;
}

#endif
