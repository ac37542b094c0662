/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests that wait for one engine, in levels of priority, highest first.
 * Inside a level those that can run stand before those that would have to poll;
 * then by the time at which they came to the level, then by order of submission
 * (doc/model/execlists.md "Order of those that wait for an engine"). Knobs of
 * nearness change that (doc/model/execlists.md): virtual requests stand before
 * all others of their level ("Virtual requests"), and those that would poll
 * stand among the others ("Two ports").
 */
#ifndef ENGINE_SCHED_PRIOLIST_H
#define ENGINE_SCHED_PRIOLIST_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sched/place_tree.h"

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
void priolist_add(struct priolist *list, struct place *place);
void priolist_remove(struct priolist *list, struct place *place);
/* Its request, which polled, can run now. */
void priolist_can_run(struct priolist *list, struct place *place);
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
struct ring;
struct request *priolist_first_above(
    const struct priolist *list, int priority, const struct ring *other_than);

/* Does a stand before b in the order above, in a list with these knobs? */
bool priolist_before(const struct priolist *list, const struct request *a,
    const struct request *b);

#endif
