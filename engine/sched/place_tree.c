/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/place_tree.h"

#include <stddef.h>

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
