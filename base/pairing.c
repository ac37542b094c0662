/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/pairing.h"

#include <stddef.h>

/* Of two heaps, neither empty, one. */
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

/* Melds the children of one that goes: in pairs, then the pairs from the last
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
