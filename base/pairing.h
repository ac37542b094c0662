/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pairing heap of nodes that are part of what is ordered: to add one takes
 * one comparison, and one can leave from the middle as well.
 */
#ifndef BASE_PAIRING_H
#define BASE_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

struct pairing_node {
	/* The order; no two in a heap have both in common. */
	uint64_t key, seq;
	/* The next one of the same parent, the one before it or the parent, and
	 * the first child. */
	struct pairing_node *next, *prev, *child;
};

struct pairing {
	struct pairing_node *first; /* NULL: it is empty */
};

/* key and seq are set, and stay as long as it is in a heap. */
void pairing_add(struct pairing *heap, struct pairing_node *node);
void pairing_remove(struct pairing *heap, struct pairing_node *node);

static inline bool
pairing_before(const struct pairing_node *a, const struct pairing_node *b)
{
	if (a->key != b->key)
		return a->key < b->key;
	return a->seq < b->seq;
}

#endif
