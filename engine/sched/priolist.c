/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/priolist.h"

#include <stdlib.h>
#include <string.h>

#include "engine/request.h"
#include "parser/mem.h"

void
priolist_free(struct priolist *list)
{
	free(list->levels);
	*list = (struct priolist){0};
}

/* Where the level of that priority is, or would be. */
static size_t
find_level(const struct priolist *list, int priority)
{
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (list->levels[middle].priority > priority)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct level *
get_level(struct priolist *list, int16_t priority)
{
	size_t i = find_level(list, priority);

	if (i < list->n && list->levels[i].priority == priority)
		return &list->levels[i];
	list->levels = mem_grow(
	    list->levels, list->n, &list->cap, sizeof *list->levels);
	memmove(&list->levels[i + 1], &list->levels[i],
	    (list->n++ - i) * sizeof *list->levels);
	list->levels[i] = (struct level){.priority = priority};
	return &list->levels[i];
}

static void
drop_level(struct priolist *list, struct level *level)
{
	size_t i = (size_t)(level - list->levels);

	memmove(level, level + 1, (--list->n - i) * sizeof *level);
}

static bool
came_before(const struct request *a, const struct request *b)
{
	if (a->level_ns != b->level_ns)
		return a->level_ns < b->level_ns;
	return a->seq < b->seq;
}

static void
insert(struct place_tree *places, struct place *place)
{
	place->level_ns = place->rq->level_ns;
	place->seq = place->rq->seq;
	place_tree_add(places, place);
}

void
priolist_add(struct priolist *list, struct place *place)
{
	const struct request *rq = place->rq;
	struct level *level = get_level(list, rq->priority);

	place->priority = rq->priority;
	place->polls = rq->n_unended > 0;
	insert(&level->lists[place->polls], place);
}

void
priolist_remove(struct priolist *list, struct place *place)
{
	struct level *level = &list->levels[find_level(list, place->priority)];

	place_tree_remove(&level->lists[place->polls], place);
	if (level->lists[0].first == NULL && level->lists[1].first == NULL)
		drop_level(list, level);
}

void
priolist_can_run(struct priolist *list, struct place *place)
{
	struct level *level = &list->levels[find_level(list, place->priority)];

	place_tree_remove(&level->lists[1], place);
	place->polls = false;
	insert(&level->lists[0], place);
}

struct request *
priolist_first(const struct priolist *list)
{
	const struct level *level = list->levels;

	if (list->n == 0)
		return NULL;
	return level->lists[level->lists[0].first == NULL].first->rq;
}

static struct request *
first_other(const struct place_tree *list, const struct ring *other_than)
{
	const struct place *place = list->first;

	while (place != NULL && place->rq->ring == other_than)
		place = place->next;
	return place != NULL ? place->rq : NULL;
}

/* Of a ring one at most is able to run: none is skipped twice. */
struct request *
priolist_first_above(
    const struct priolist *list, int priority, const struct ring *other_than)
{
	for (size_t i = 0; i < list->n * 2; i++) {
		const struct level *level = &list->levels[i / 2];
		struct request *rq;

		if (level->priority < priority ||
		    (level->priority == priority && i % 2 == 1))
			return NULL;
		rq = first_other(&level->lists[i % 2], other_than);
		if (rq != NULL)
			return rq;
	}
	return NULL;
}

bool
priolist_before(const struct request *a, const struct request *b)
{
	bool a_polls = a->n_unended > 0, b_polls = b->n_unended > 0;

	if (a->priority != b->priority)
		return a->priority > b->priority;
	if (a_polls != b_polls)
		return b_polls;
	return came_before(a, b);
}
