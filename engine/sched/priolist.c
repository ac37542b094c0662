/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The priority levels of a queue, and the lists of a level with their treaps. */
#include "engine/sched/priolist.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/region.h"
#include "base/util.h"
#include "engine/gpu/request.h"

/* Steps from an end of a list before it gets a tree. */
#define NEAR 8

/* Returns the place's height in the tree, a hash of its seq: the highest is the
 * root. The same run always has the same tree. */
static uint32_t
tree_height(const struct priolist_place *place)
{
	return (uint32_t)(place->seq * 0x9e3779b97f4a7c15ull >> 32);
}

static void
tree_set_child(struct priolist_place **link, struct priolist_place *child,
    struct priolist_place *parent)
{
	*link = child;
	if (child != NULL)
		child->parent = parent;
}

/* Returns the link of the tree that points to place. */
static struct priolist_place **
tree_link_of(struct place_tree *tree, const struct priolist_place *place)
{
	struct priolist_place *parent = place->parent;

	if (parent == NULL)
		return &tree->root;
	return parent->left == place ? &parent->left : &parent->right;
}

/* Puts place, which is behind all others, at the right edge of the tree. The
 * edge ends at before; NULL: the tree is empty. */
static void
tree_append(struct place_tree *tree, struct priolist_place *before,
    struct priolist_place *place)
{
	struct priolist_place *above = before;

	while (above != NULL && tree_height(above) < tree_height(place))
		above = above->parent;
	tree_set_child(
	    &place->left, above != NULL ? above->right : tree->root, place);
	tree_set_child(
	    above != NULL ? &above->right : &tree->root, place, above);
	place->right = NULL;
}

/* Makes a tree of the whole list. */
static __attribute__((noinline)) void
tree_build(struct place_tree *tree)
{
	for (struct priolist_place *p = tree->first; p != NULL; p = p->next)
		tree_append(tree, p->prev, p);
}

/* A walk down to where place belongs. before is the last place passed on the
 * left: in the end the predecessor. */
struct tree_walk {
	const struct priolist_place *place;
	struct priolist_place *at, *before;
};

/* Takes one step down. Returns true if it goes left. */
static bool
walk_down(struct tree_walk *w)
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

/* Splits the tree below w->at in two around place. */
static void
tree_split(struct tree_walk *w, struct priolist_place *place)
{
	struct priolist_place **left = &place->left, *of_left = place;
	struct priolist_place **right = &place->right, *of_right = place;

	while (w->at != NULL) {
		struct priolist_place *top = w->at;

		if (walk_down(w)) {
			tree_set_child(right, top, of_right);
			of_right = top;
			right = &top->left;
		} else {
			tree_set_child(left, top, of_left);
			of_left = top;
			left = &top->right;
		}
	}
	*left = *right = NULL;
}

/* Puts place into the tree. Returns its predecessor in the list; NULL: it is
 * the first. */
static __attribute__((noinline)) struct priolist_place *
tree_insert(struct place_tree *tree, struct priolist_place *place)
{
	struct tree_walk w = {.place = place, .at = tree->root};
	struct priolist_place **link = &tree->root, *parent = NULL;

	while (w.at != NULL && tree_height(w.at) >= tree_height(place)) {
		parent = w.at;
		link = walk_down(&w) ? &parent->left : &parent->right;
	}
	tree_split(&w, place);
	tree_set_child(link, place, parent);
	return w.before;
}

/* Finds the predecessor of place (NULL: place is the first) within NEAR steps
 * from the end of the list, or at its beginning; false: it is not there. */
static bool
find_near_end(const struct place_tree *tree, const struct priolist_place *place,
    struct priolist_place **before)
{
	struct priolist_place *at = tree->last;
	unsigned steps = 0;

	while (at != NULL && place_is_before(place, at) && steps++ < NEAR)
		at = at->prev;
	if (steps > NEAR && place_is_before(place, tree->first))
		at = NULL;
	*before = at;
	return steps <= NEAR || at == NULL;
}

/* Returns the predecessor of place; NULL: place is the first. If the list has a
 * tree, place is in it then. */
static struct priolist_place *
find_predecessor(struct place_tree *tree, struct priolist_place *place)
{
	struct priolist_place *before = tree->last;

	if (tree->root == NULL) {
		if (find_near_end(tree, place, &before))
			return before;
		tree_build(tree);
	}
	if (place_is_before(place, tree->last))
		return tree_insert(tree, place);
	tree_append(tree, tree->last, place);
	return tree->last;
}

void
place_tree_add(struct place_tree *tree, struct priolist_place *place)
{
	struct priolist_place *before = find_predecessor(tree, place);

	place->prev = before;
	place->next = before != NULL ? before->next : tree->first;
	*(before != NULL ? &before->next : &tree->first) = place;
	*(place->next != NULL ? &place->next->prev : &tree->last) = place;
}

/* Joins two trees at *link of parent: all of left are before all of right. */
static void
tree_join(struct priolist_place **link, struct priolist_place *parent,
    struct priolist_place *left, struct priolist_place *right)
{
	while (left != NULL && right != NULL) {
		if (tree_height(left) >= tree_height(right)) {
			tree_set_child(link, left, parent);
			parent = left;
			link = &left->right;
			left = left->right;
		} else {
			tree_set_child(link, right, parent);
			parent = right;
			link = &right->left;
			right = right->left;
		}
	}
	tree_set_child(link, left != NULL ? left : right, parent);
}

void
place_tree_remove(struct place_tree *tree, struct priolist_place *place)
{
	if (tree->root != NULL)
		tree_join(tree_link_of(tree, place), place->parent, place->left,
		    place->right);
	*(place->prev != NULL ? &place->prev->next
			      : &tree->first) = place->next;
	*(place->next != NULL ? &place->next->prev : &tree->last) = place->prev;
}

/* Returns the index of the level of that priority, or where it would be. */
static size_t
find_level(const struct priolist *list, int priority)
{
	/* Most often there is one level, or it is the first. */
	if (list->n > 0 && list->levels[0].priority == priority)
		return 0;
	return lower_bound(i, 0, list->n, list->levels[i].priority > priority);
}

/* Inserts a new level at index i. */
static __attribute__((noinline)) struct level *
add_level(struct priolist *list, size_t i, int16_t priority)
{
	list->levels = region_grow(list->region, list->levels, list->n,
	    &list->cap, sizeof *list->levels);
	if (i < list->n)
		memmove(&list->levels[i + 1], &list->levels[i],
		    (list->n - i) * sizeof *list->levels);
	list->n++;
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

	if (i < --list->n)
		memmove(level, level + 1, (list->n - i) * sizeof *level);
}

static bool
came_before(const struct request *a, const struct request *b)
{
	if (a->level_ns != b->level_ns)
		return a->level_ns < b->level_ns;
	return a->seq < b->seq;
}

static void
insert_in_level(struct place_tree *places, struct priolist_place *place)
{
	place->level_ns = place->rq->level_ns;
	place->seq = place->rq->seq;
	place_tree_add(places, place);
}

/* Returns the list of its level in which rq belongs (enum place_list). */
static uint8_t
list_of(const struct priolist *list, const struct request *rq)
{
	if (rq->n_unended > 0)
		return PLACE_POLLS;
	return (list->virtual_first & rq->is_virtual) ? PLACE_VIRTUAL
						      : PLACE_RUNS;
}

void
priolist_add(struct priolist *list, struct priolist_place *place)
{
	const struct request *rq = place->rq;
	struct level *level = get_level(list, rq->priority);

	place->priority = rq->priority;
	place->list = list_of(list, rq);
	insert_in_level(&level->lists[place->list], place);
}

static bool
is_empty(const struct level *level)
{
	return level->lists[PLACE_RUNS].first == NULL &&
	    level->lists[PLACE_POLLS].first == NULL &&
	    level->lists[PLACE_VIRTUAL].first == NULL;
}

void
priolist_remove(struct priolist *list, struct priolist_place *place)
{
	struct level *level = &list->levels[find_level(list, place->priority)];

	place_tree_remove(&level->lists[place->list], place);
	if (is_empty(level))
		drop_level(list, level);
}

void
priolist_can_run(struct priolist *list, struct priolist_place *place)
{
	struct level *level = &list->levels[find_level(list, place->priority)];

	place_tree_remove(&level->lists[PLACE_POLLS], place);
	place->list = PLACE_RUNS;
	insert_in_level(&level->lists[PLACE_RUNS], place);
}

static struct priolist_place *
first_of_level(const struct priolist *list, const struct level *level)
{
	struct priolist_place *runs = level->lists[PLACE_RUNS].first;
	struct priolist_place *polls = level->lists[PLACE_POLLS].first;

	if (level->lists[PLACE_VIRTUAL].first != NULL)
		return level->lists[PLACE_VIRTUAL].first;
	if (runs == NULL || polls == NULL)
		return runs != NULL ? runs : polls;
	return list->in_order && place_is_before(polls, runs) ? polls : runs;
}

struct request *
priolist_first(const struct priolist *list)
{
	return list->n > 0 ? first_of_level(list, list->levels)->rq : NULL;
}

/* At most one request of a ring can run, so that few are skipped. */
static struct request *
first_other(const struct place_tree *list, const struct ring *other_than)
{
	const struct priolist_place *place = list->first;

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
		return first_of_level(list, level)->rq;
	rq = first_other(&level->lists[PLACE_VIRTUAL], other_than);
	return rq != NULL ? rq
			  : first_other(&level->lists[PLACE_RUNS], other_than);
}

/* Compares two requests of one level by their lists: below 0 if a is before b,
 * above 0 if it is behind. */
static int
compare_lists(const struct priolist *list, const struct request *a,
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
	kinds = compare_lists(list, a, b);
	return kinds != 0 ? kinds < 0 : came_before(a, b);
}
