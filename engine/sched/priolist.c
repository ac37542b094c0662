/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/priolist.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/gpu/request.h"

/* Steps from the end of a list that has no tree yet. */
#define NEAR 8

/* Its height in the tree, as good as random: higher ones are nearer to the
 * root. The same run has the same tree. */
static uint32_t
height(const struct place *place)
{
	return (uint32_t)(place->seq * 0x9e3779b97f4a7c15ull >> 32);
}

static void
set_child(struct place **link, struct place *child, struct place *parent)
{
	*link = child;
	if (child != NULL)
		child->parent = parent;
}

/* Where the tree refers to place. */
static struct place **
link_of(struct place_tree *tree, const struct place *place)
{
	struct place *parent = place->parent;

	if (parent == NULL)
		return &tree->root;
	return parent->left == place ? &parent->left : &parent->right;
}

/* Puts place, which stands behind all that are in the tree, on its right edge,
 * which ends at before (NULL: the tree is empty). */
static void
append(struct place_tree *tree, struct place *before, struct place *place)
{
	struct place *above = before;

	while (above != NULL && height(above) < height(place))
		above = above->parent;
	set_child(
	    &place->left, above != NULL ? above->right : tree->root, place);
	set_child(above != NULL ? &above->right : &tree->root, place, above);
	place->right = NULL;
}

/* Makes a tree of all that are linked. */
static __attribute__((noinline)) void
build(struct place_tree *tree)
{
	for (struct place *p = tree->first; p != NULL; p = p->next)
		append(tree, p->prev, p);
}

/* A walk down to where place belongs, and what it has passed last on the left:
 * its neighbour in the end. */
struct walk {
	const struct place *place;
	struct place *at, *before;
};

/* One down; true: to the left. */
static bool
go_down(struct walk *w)
{
	bool left = place_is_before(w->place, w->at);

	if (left) {
		w->at = w->at->left;
	} else {
		w->before = w->at;
		w->at = w->at->right;
	}
	return left;
}

/* Cuts what is below w->at in two around place. */
static void
split(struct walk *w, struct place *place)
{
	struct place **left = &place->left, *of_left = place;
	struct place **right = &place->right, *of_right = place;

	while (w->at != NULL) {
		struct place *top = w->at;

		if (go_down(w)) {
			set_child(right, top, of_right);
			of_right = top;
			right = &top->left;
		} else {
			set_child(left, top, of_left);
			of_left = top;
			left = &top->right;
		}
	}
	*left = *right = NULL;
}

/* The place behind which this one goes; NULL: it is the first. */
static __attribute__((noinline)) struct place *
put_in(struct place_tree *tree, struct place *place)
{
	struct walk w = {.place = place, .at = tree->root};
	struct place **link = &tree->root, *parent = NULL;

	while (w.at != NULL && height(w.at) >= height(place)) {
		parent = w.at;
		link = go_down(&w) ? &parent->left : &parent->right;
	}
	split(&w, place);
	set_child(link, place, parent);
	return w.before;
}

/* Finds the place behind which this one goes (NULL: it is the first) where that
 * is near an end of the list; false: it is not. */
static bool
find_near(const struct place_tree *tree, const struct place *place,
    struct place **before)
{
	struct place *at = tree->last;
	unsigned steps = 0;

	while (at != NULL && place_is_before(place, at) && steps++ < NEAR)
		at = at->prev;
	if (steps > NEAR && place_is_before(place, tree->first))
		at = NULL;
	*before = at;
	return steps <= NEAR || at == NULL;
}

/* The place behind which this one goes, which is part of the tree now if there
 * is one. */
static struct place *
find(struct place_tree *tree, struct place *place)
{
	struct place *before = tree->last;

	if (tree->root == NULL) {
		if (find_near(tree, place, &before))
			return before;
		build(tree);
	}
	if (place_is_before(place, tree->last))
		return put_in(tree, place);
	append(tree, tree->last, place);
	return tree->last;
}

void
place_tree_add(struct place_tree *tree, struct place *place)
{
	struct place *before = find(tree, place);

	place->prev = before;
	place->next = before != NULL ? before->next : tree->first;
	*(before != NULL ? &before->next : &tree->first) = place;
	*(place->next != NULL ? &place->next->prev : &tree->last) = place;
}

/* Makes one tree of two, at *link of parent: all of left stand before all of
 * right. */
static void
join(struct place **link, struct place *parent, struct place *left,
    struct place *right)
{
	while (left != NULL && right != NULL) {
		if (height(left) >= height(right)) {
			set_child(link, left, parent);
			parent = left;
			link = &left->right;
			left = left->right;
		} else {
			set_child(link, right, parent);
			parent = right;
			link = &right->left;
			right = right->left;
		}
	}
	set_child(link, left != NULL ? left : right, parent);
}

void
place_tree_remove(struct place_tree *tree, struct place *place)
{
	if (tree->root != NULL)
		join(link_of(tree, place), place->parent, place->left,
		    place->right);
	*(place->prev != NULL ? &place->prev->next
			      : &tree->first) = place->next;
	*(place->next != NULL ? &place->next->prev : &tree->last) = place->prev;
}

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
