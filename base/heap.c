/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two priority queues: a 4-ary heap, which is half as deep as a binary one and
 * has the children of an entry side by side; and a pairing heap.
 */
#include "base/heap.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/region.h"

#define ARITY 4

static inline bool
entry_before(const struct heap_entry *a, const struct heap_entry *b)
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
		h->entries = region_grow(
		    h->region, h->entries, h->n, &h->cap, sizeof entry);

	struct heap_entry *e = h->entries;
	size_t i = h->n++;

	while (i > 0) {
		size_t parent = (i - 1) / ARITY;

		if (!entry_before(&entry, &e[parent]))
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

	/* Never overwrites an entry that is still to be looked at. */
	h->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct heap_entry entry = h->entries[i];

		if (keep(&entry))
			heap_push(h, entry.key, entry.seq, entry.item);
	}
}

/* Index of the smallest child of i, which has one at least. */
static inline size_t
least_child(const struct heap_entry *e, size_t n, size_t i)
{
	size_t first = i * ARITY + 1;
	size_t end = first + ARITY < n ? first + ARITY : n;
	size_t least = first;

	for (size_t c = first + 1; c < end; c++) {
		if (entry_before(&e[c], &e[least]))
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

		if (!entry_before(&e[child], &last))
			break;
		e[i] = e[child];
		i = child;
	}
	if (h->n > 0)
		e[i] = last;
}

/* Joins two heaps, neither empty, into one. */
static struct pairing_node *
meld(struct pairing_node *a, struct pairing_node *b)
{
	struct pairing_node *top = pairing_before(a, b) ? a : b;
	struct pairing_node *below = top == a ? b : a;

	below->prev = top;
	below->next = top->child;
	if (top->child != NULL)
		top->child->prev = below;
	top->child = below;
	return top;
}

/* Joins the children of a removed node: in pairs, then the pairs from the last
 * to the first. */
static struct pairing_node *
meld_children(struct pairing_node *child)
{
	struct pairing_node *pairs = NULL, *top = NULL;

	while (child != NULL) {
		struct pairing_node *a = child, *b = child->next;

		child = b != NULL ? b->next : NULL;
		if (b != NULL)
			a = meld(a, b);
		a->next = pairs;
		pairs = a;
	}
	while (pairs != NULL) {
		struct pairing_node *next = pairs->next;

		top = top != NULL ? meld(top, pairs) : pairs;
		pairs = next;
	}
	if (top != NULL)
		top->next = top->prev = NULL;
	return top;
}

void
pairing_add(struct pairing *heap, struct pairing_node *node)
{
	node->child = node->next = node->prev = NULL;
	heap->first = heap->first != NULL ? meld(heap->first, node) : node;
}

void
pairing_remove(struct pairing *heap, struct pairing_node *node)
{
	struct pairing_node *rest = meld_children(node->child);

	if (node == heap->first) {
		heap->first = rest;
		return;
	}
	if (node->prev->child == node)
		node->prev->child = node->next;
	else
		node->prev->next = node->next;
	if (node->next != NULL)
		node->next->prev = node->prev;
	if (rest != NULL)
		heap->first = meld(heap->first, rest);
}
