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

static void
add_to_heap(struct guc_line *line, struct guc_stand *stand)
{
	stand->child = stand->next = stand->prev = NULL;
	stand->is_listed = false;
	line->heap = line->heap != NULL ? meld(line->heap, stand) : stand;
}

static void
remove_from_heap(struct guc_line *line, struct guc_stand *stand)
{
	struct guc_stand *rest = meld_children(stand->child);

	if (stand == line->heap) {
		line->heap = rest;
		return;
	}
	if (stand->prev->child == stand)
		stand->prev->child = stand->next;
	else
		stand->prev->next = stand->next;
	if (stand->next != NULL)
		stand->next->prev = stand->prev;
	if (rest != NULL)
		line->heap = meld(line->heap, rest);
}

static void
append(struct guc_line *line, struct guc_stand *stand)
{
	unsigned i = guc_stand_list(stand);

	stand->child = stand->next = NULL;
	stand->prev = line->lists[i].last;
	stand->is_listed = true;
	if (stand->prev != NULL)
		stand->prev->next = stand;
	else
		line->lists[i].first = stand;
	line->lists[i].last = stand;
}

static void
take_out(struct guc_line *line, struct guc_stand *stand)
{
	unsigned i = guc_stand_list(stand);

	if (stand->prev != NULL)
		stand->prev->next = stand->next;
	else
		line->lists[i].first = stand->next;
	if (stand->next != NULL)
		stand->next->prev = stand->prev;
	else
		line->lists[i].last = stand->prev;
}

static struct guc_stand *
find_first(const struct guc_line *line)
{
	struct guc_stand *first = line->heap;

	for (unsigned i = 0; i < GUC_BANDS; i++) {
		struct guc_stand *stand = line->lists[i].first;

		if (stand == NULL)
			continue;
		if (first == NULL || stand->key < first->key)
			first = stand;
		break;
	}
	return first;
}

void
guc_line_add(struct guc_line *line, struct guc_stand *stand)
{
	const struct guc_stand *last = line->lists[guc_stand_list(stand)].last;

	if (last == NULL || last->key < stand->key)
		append(line, stand);
	else
		add_to_heap(line, stand);
	if (line->first == NULL || stand->key < line->first->key)
		line->first = stand;
}

void
guc_line_remove(struct guc_line *line, struct guc_stand *stand)
{
	if (stand->is_listed)
		take_out(line, stand);
	else
		remove_from_heap(line, stand);
	if (stand == line->first)
		line->first = find_first(line);
}
