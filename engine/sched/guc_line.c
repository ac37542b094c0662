/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/guc_line.h"

#include <stddef.h>

static void
append(struct guc_line *line, struct guc_stand *stand)
{
	struct guc_list *list = &line->lists[guc_stand_list(stand)];
	struct pairing_node *node = &stand->node;

	node->next = NULL;
	node->prev = list->last;
	if (node->prev != NULL)
		node->prev->next = node;
	else
		list->first = node;
	list->last = node;
}

static void
take_out(struct guc_line *line, struct guc_stand *stand)
{
	struct guc_list *list = &line->lists[guc_stand_list(stand)];
	struct pairing_node *node = &stand->node;

	if (node->prev != NULL)
		node->prev->next = node->next;
	else
		list->first = node->next;
	if (node->next != NULL)
		node->next->prev = node->prev;
	else
		list->last = node->prev;
}

/* Of the highest band's list, and of the heap. */
static struct guc_stand *
find_first(const struct guc_line *line)
{
	struct pairing_node *first = NULL, *old = line->heap.first;

	for (unsigned i = 0; i < GUC_BANDS && first == NULL; i++)
		first = line->lists[i].first;
	if (first == NULL || (old != NULL && old->key < first->key))
		first = old;
	return first != NULL ? guc_stand_of(first) : NULL;
}

void
guc_line_add(struct guc_line *line, struct guc_stand *stand)
{
	const struct pairing_node *last =
	    line->lists[guc_stand_list(stand)].last;

	stand->is_listed = last == NULL || last->key < stand->node.key;
	if (stand->is_listed)
		append(line, stand);
	else
		pairing_add(&line->heap, &stand->node);
	if (line->first == NULL || stand->node.key < line->first->node.key)
		line->first = stand;
}

void
guc_line_remove(struct guc_line *line, struct guc_stand *stand)
{
	if (stand->is_listed)
		take_out(line, stand);
	else
		pairing_remove(&line->heap, &stand->node);
	if (stand == line->first)
		line->first = find_first(line);
}
