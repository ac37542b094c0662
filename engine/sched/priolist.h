/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queue of one engine under execlists: requests in levels of priority,
 * highest first. Within a level, requests that can run are before those that
 * would poll; then the time at which they came to the level decides, then the
 * order of submission (doc/model/execlists.md "Order of those that wait for an
 * engine"). Two knobs of doc/model/execlists.md change that: virtual requests
 * are before all others of their level ("Virtual requests"); those that would
 * poll are among the others ("Two ports").
 *
 * A level keeps its requests in lists, as nearly all of them come to one end. A
 * list gets a treap beside it when one belongs far from both ends, until the
 * list is empty: then any insertion costs the logarithm of their number.
 */
#ifndef ENGINE_SCHED_PRIOLIST_H
#define ENGINE_SCHED_PRIOLIST_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"

struct region;
struct request;
struct ring;

/* The lists of a level, and where else a place can be. */
enum place_list {
	PLACE_VIRTUAL, /* virtual requests, with virtual_first */
	PLACE_RUNS,    /* can run */
	PLACE_POLLS,   /* would poll */
	N_PLACE_LISTS,
	PLACE_COMMITTED = N_PLACE_LISTS, /* in a port (execlists.h) */
};

/* A request's place in the queue of one engine. The caller owns it. */
struct priolist_place {
	struct priolist_place *next_of_request;
	struct request *rq;
	struct priolist_place *prev, *next;           /* in its list */
	struct priolist_place *left, *right, *parent; /* private: tree */
	nsec level_ns; /* copies of the request's, when it was added */
	uint64_t seq;
	uint8_t engine;
	uint8_t list; /* enum place_list */
	int16_t priority;
};

/* A list in the order of level_ns and seq. All zeros: empty. */
struct place_tree {
	struct priolist_place *root; /* private; NULL: no tree */
	struct priolist_place *first, *last;
};

/* Returns true if a is before b by level_ns and seq. */
static inline bool
place_is_before(const struct priolist_place *a, const struct priolist_place *b)
{
	if (a->level_ns != b->level_ns)
		return a->level_ns < b->level_ns;
	return a->seq < b->seq;
}

/* Puts place where its level_ns and seq say. */
void place_tree_add(struct place_tree *tree, struct priolist_place *place);
/* Removes place, which is in the list. */
void place_tree_remove(struct place_tree *tree, struct priolist_place *place);

struct level {
	int16_t priority;
	struct place_tree lists[N_PLACE_LISTS];
};

/* All zeros: no request waits, and both knobs are off. */
struct priolist {
	struct level *levels; /* highest first, none of them empty */
	size_t n, cap;
	struct region *region; /* that levels are in */
	bool virtual_first;    /* virtual requests are first in their level */
	bool in_order; /* requests that would poll are among the others */
};

/* Adds place, by the priority, level_ns and seq of its request. */
void priolist_add(struct priolist *list, struct priolist_place *place);
/* Removes place, by the priority it was added with. */
void priolist_remove(struct priolist *list, struct priolist_place *place);
/* Moves place: its request, which would have polled, can run now. */
void priolist_can_run(struct priolist *list, struct priolist_place *place);
/* Returns the highest priority, without reading a request; INT_MIN when none
 * waits. */
static inline int
priolist_top(const struct priolist *list)
{
	return list->n > 0 ? list->levels[0].priority : INT_MIN;
}
/* Returns the first request; NULL when none waits. */
struct request *priolist_first(const struct priolist *list);
/* Returns the first request that has a higher priority, or has this priority,
 * can run and is of another ring than other_than; NULL: none. No request of
 * other_than may have a higher priority. */
struct request *priolist_first_above(
    const struct priolist *list, int priority, const struct ring *other_than);

/* Returns true if a is before b in a list with these knobs. */
bool priolist_before(const struct priolist *list, const struct request *a,
    const struct request *b);

#endif
