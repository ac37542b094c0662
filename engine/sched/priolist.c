/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/priolist.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/gpu/request.h"

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

/* A new one, which is to be the i-th. */
static __attribute__((noinline)) struct level *
add_level(struct priolist *list, size_t i, int16_t priority)
{
	list->levels = mem_grow(
	    list->levels, list->n, &list->cap, sizeof *list->levels);
	memmove(&list->levels[i + 1], &list->levels[i],
	    (list->n++ - i) * sizeof *list->levels);
	list->levels[i] = (struct level){.priority = priority};
	return &list->levels[i];
}

static struct level *
get_level(struct priolist *list, int16_t priority)
{
	size_t i = find_level(list, priority);

	if (i < list->n && list->levels[i].priority == priority)
		return &list->levels[i];
	return add_level(list, i, priority);
}

static __attribute__((noinline)) void
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

/* In which list of its level rq stands. */
static uint8_t
list_of(const struct priolist *list, const struct request *rq)
{
	if (rq->n_unended > 0)
		return PLACE_POLLS;
	return (list->virtual_first & rq->is_virtual) ? PLACE_VIRTUAL
						      : PLACE_RUNS;
}

void
priolist_add(struct priolist *list, struct place *place)
{
	const struct request *rq = place->rq;
	struct level *level = get_level(list, rq->priority);

	place->priority = rq->priority;
	place->list = list_of(list, rq);
	insert(&level->lists[place->list], place);
}

static bool
is_empty(const struct level *level)
{
	return level->lists[PLACE_RUNS].first == NULL &&
	    level->lists[PLACE_POLLS].first == NULL &&
	    level->lists[PLACE_VIRTUAL].first == NULL;
}

void
priolist_remove(struct priolist *list, struct place *place)
{
	struct level *level = &list->levels[find_level(list, place->priority)];

	place_tree_remove(&level->lists[place->list], place);
	if (is_empty(level))
		drop_level(list, level);
}

void
priolist_can_run(struct priolist *list, struct place *place)
{
	struct level *level = &list->levels[find_level(list, place->priority)];

	place_tree_remove(&level->lists[PLACE_POLLS], place);
	place->list = PLACE_RUNS;
	insert(&level->lists[PLACE_RUNS], place);
}

static struct place *
first_of(const struct priolist *list, const struct level *level)
{
	struct place *runs = level->lists[PLACE_RUNS].first;
	struct place *polls = level->lists[PLACE_POLLS].first;

	if (level->lists[PLACE_VIRTUAL].first != NULL)
		return level->lists[PLACE_VIRTUAL].first;
	if (runs == NULL || polls == NULL)
		return runs != NULL ? runs : polls;
	return list->in_order && place_is_before(polls, runs) ? polls : runs;
}

struct request *
priolist_first(const struct priolist *list)
{
	return list->n > 0 ? first_of(list, list->levels)->rq : NULL;
}

/* At most one of a ring is able to run: none is skipped twice. */
static struct request *
first_other(const struct place_tree *list, const struct ring *other_than)
{
	const struct place *place = list->first;

	while (place != NULL && place->rq->ring == other_than)
		place = place->next;
	return place != NULL ? place->rq : NULL;
}

struct request *
priolist_first_above(
    const struct priolist *list, int priority, const struct ring *other_than)
{
	const struct level *level = list->levels;
	struct request *rq;

	if (list->n == 0 || level->priority < priority)
		return NULL;
	if (level->priority > priority)
		return first_of(list, level)->rq;
	rq = first_other(&level->lists[PLACE_VIRTUAL], other_than);
	return rq != NULL ? rq
			  : first_other(&level->lists[PLACE_RUNS], other_than);
}

/* For two in one level: does a, and not b, go first for its kind? */
static int
compare_kinds(const struct priolist *list, const struct request *a,
    const struct request *b)
{
	if (list->virtual_first && a->is_virtual != b->is_virtual)
		return a->is_virtual ? -1 : 1;
	if (list->in_order)
		return 0;
	return (a->n_unended > 0) - (b->n_unended > 0);
}

bool
priolist_before(const struct priolist *list, const struct request *a,
    const struct request *b)
{
	int kinds;

	if (a->priority != b->priority)
		return a->priority > b->priority;
	kinds = compare_kinds(list, a, b);
	return kinds != 0 ? kinds < 0 : came_before(a, b);
}
