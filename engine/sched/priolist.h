/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_SCHED_PRIOLIST_H
#define ENGINE_SCHED_PRIOLIST_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"

struct request;
struct ring;

/*
 * Requests that wait in one level of an engine's queue (priolist.h), in the
 * order of the time at which they came to the level, then of submission. A list,
 * as nearly all come to one of its ends. From the first that belongs far from
 * both until it is empty the list has a treap beside it: to put one in costs the
 * logarithm of their number wherever it belongs.
 */

/* In which list of its level (priolist.h). */
enum place_list {
	PLACE_VIRTUAL, /* goes first (virtual_tie) */
	PLACE_RUNS,    /* can run */
	PLACE_POLLS,   /* would poll */
	N_PLACE_LISTS,
	PLACE_COMMITTED = N_PLACE_LISTS, /* in a port: execlists_commit.h */
};

/* A request's place in the list of one engine. */
struct priolist_place {
	struct priolist_place *next_of_request;
	struct request *rq;
	struct priolist_place *prev, *next; /* in its level */
	struct priolist_place *left, *right,
	    *parent;   /* private: of the tree, if any */
	nsec level_ns; /* as it was put in */
	uint64_t seq;
	uint8_t engine;
	uint8_t list;     /* enum place_list, as it was put in */
	int16_t priority; /* likewise */
};

/* All zeros: empty. Places are the caller's. */
struct place_tree {
	struct priolist_place *root; /* private; NULL: a list alone */
	struct priolist_place *first, *last;
};

/* Does a stand before b, where both are in the same order? */
static inline bool
place_is_before(const struct priolist_place *a, const struct priolist_place *b)
{
	if (a->level_ns != b->level_ns)
		return a->level_ns < b->level_ns;
	return a->seq < b->seq;
}

/* Puts place where its level_ns and seq say. */
void place_tree_add(struct place_tree *tree, struct priolist_place *place);
void place_tree_remove(struct place_tree *tree, struct priolist_place *place);

/*
 * Requests that wait for one engine, in levels of priority, highest first.
 * Inside a level those that can run stand before those that would have to poll;
 * then by the time at which they came to the level, then by order of submission
 * (doc/model/execlists.md "Order of those that wait for an engine"). Knobs of
 * nearness change that (doc/model/execlists.md): virtual requests stand before
 * all others of their level ("Virtual requests"), and those that would poll
 * stand among the others ("Two ports").
 */

struct level {
	int16_t priority;
	struct place_tree lists[N_PLACE_LISTS];
};

struct priolist {
	struct level *levels; /* highest first, none of them empty */
	size_t n, cap;
	bool virtual_first; /* of a level */
	bool in_order;      /* those that would poll, too */
};

/* All zeros: no request waits, and no knob is on. Places are the caller's. */
void priolist_free(struct priolist *list);
/* Puts place where its request's priority, level_ns and seq say. */
void priolist_add(struct priolist *list, struct priolist_place *place);
void priolist_remove(struct priolist *list, struct priolist_place *place);
/* Its request, which polled, can run now. */
void priolist_can_run(struct priolist *list, struct priolist_place *place);
/* The highest priority, without a look at any request; INT_MIN when nobody
 * waits. */
static inline int
priolist_top(const struct priolist *list)
{
	return list->n > 0 ? list->levels[0].priority : INT_MIN;
}
/* The first request; NULL when nobody waits. */
struct request *priolist_first(const struct priolist *list);
/* The first of a higher priority, or of this one and able to run, that is not
 * of the ring, whose requests have no higher priority; NULL: there is none. */
struct request *priolist_first_above(
    const struct priolist *list, int priority, const struct ring *other_than);

/* Does a stand before b in the order above, in a list with these knobs? */
bool priolist_before(const struct priolist *list, const struct request *a,
    const struct request *b);

#endif
