/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests that wait in one level of an engine's queue (priolist.h), in the
 * order of the time at which they came to the level, then of submission. A list,
 * as nearly all come to one of its ends. From the first that belongs far from
 * both until it is empty the list has a treap beside it: to put one in costs the
 * logarithm of their number wherever it belongs.
 */
#ifndef ENGINE_SCHED_PLACE_TREE_H
#define ENGINE_SCHED_PLACE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"

struct request;

/* In which list of its level (priolist.h). */
enum place_list {
	PLACE_VIRTUAL, /* goes first (virtual_tie) */
	PLACE_RUNS,    /* can run */
	PLACE_POLLS,   /* would poll */
	N_PLACE_LISTS,
	PLACE_COMMITTED = N_PLACE_LISTS, /* in a port: execlists_commit.h */
};

/* A request's place in the list of one engine. */
struct place {
	struct place *next_of_request;
	struct request *rq;
	struct place *prev, *next;           /* in its level */
	struct place *left, *right, *parent; /* private: of the tree, if any */
	nsec level_ns;                       /* as it was put in */
	uint64_t seq;
	uint8_t engine;
	uint8_t list;     /* enum place_list, as it was put in */
	int16_t priority; /* likewise */
};

/* All zeros: empty. Places are the caller's. */
struct place_tree {
	struct place *root; /* private; NULL: a list alone */
	struct place *first, *last;
};

/* Does a stand before b, where both are in the same order? */
static inline bool
place_is_before(const struct place *a, const struct place *b)
{
	if (a->level_ns != b->level_ns)
		return a->level_ns < b->level_ns;
	return a->seq < b->seq;
}

/* Puts place where its level_ns and seq say. */
void place_tree_add(struct place_tree *tree, struct place *place);
void place_tree_remove(struct place_tree *tree, struct place *place);

#endif
