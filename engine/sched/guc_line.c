/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/guc_line.h"

#include <stddef.h>

/* Of two heaps, neither empty, one. */
static struct guc_stand *
meld(struct guc_stand *a, struct guc_stand *b)
{
	struct guc_stand *top = a->key < b->key ? a : b;
	struct guc_stand *below = top == a ? b : a;

	below->prev = top;
	below->next = top->child;
	if (top->child != NULL)
		top->child->prev = below;
	top->child = below;
	return top;
}

/* Melds the children of one that goes: in pairs, then the pairs from the last
 * to the first. */
static struct guc_stand *
meld_children(struct guc_stand *child)
{
	struct guc_stand *pairs = NULL, *top = NULL;

	while (child != NULL) {
		struct guc_stand *a = child, *b = child->next;

		child = b != NULL ? b->next : NULL;
		if (b != NULL)
			a = meld(a, b);
		a->next = pairs;
		pairs = a;
	}
	while (pairs != NULL) {
		struct guc_stand *next = pairs->next;

		top = top != NULL ? meld(top, pairs) : pairs;
		pairs = next;
	}
	if (top != NULL)
		top->next = top->prev = NULL;
	return top;
}

void
guc_line_add(struct guc_line *line, struct guc_stand *stand)
{
	stand->child = stand->next = stand->prev = NULL;
	line->first = line->first != NULL ? meld(line->first, stand) : stand;
}

void
guc_line_remove(struct guc_line *line, struct guc_stand *stand)
{
	struct guc_stand *rest = meld_children(stand->child);

	if (stand == line->first) {
		line->first = rest;
		return;
	}
	if (stand->prev->child == stand)
		stand->prev->child = stand->next;
	else
		stand->prev->next = stand->next;
	if (stand->next != NULL)
		stand->next->prev = stand->prev;
	if (rest != NULL)
		line->first = meld(line->first, rest);
}
