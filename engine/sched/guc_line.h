/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queues that wait for one engine, in the order in which they stand
 * (doc/model/guc.md "Places": band, then place). Most come with a new place,
 * behind all others of their band: for those there is a list per band. Who
 * comes back to an old place stands in a pairing heap instead. Either way one
 * can leave from the middle: a queue can wait for several engines, and leaves
 * all other lines when it takes one.
 */
#ifndef ENGINE_SCHED_GUC_LINE_H
#define ENGINE_SCHED_GUC_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pairing.h"

struct guc_queue;

/* Where one queue stands in the line of one engine. */
struct guc_stand {
	struct guc_stand *next_of_queue;
	struct guc_queue *queue;
	/* Its key is band, place, engine: the lower, the further in front. In
	 * the list of its band next and prev are the neighbours. */
	struct pairing_node node;
	bool is_listed;
};

static inline struct guc_stand *
guc_stand_of(const struct pairing_node *node)
{
	return (struct guc_stand *)((uintptr_t)node -
	    offsetof(struct guc_stand, node));
}

/* place is less than 1 << 56. */
static inline uint64_t
guc_stand_key(int band, uint64_t place, unsigned engine)
{
	return (uint64_t)(1 - band) << 62 | place << 6 | engine;
}

static inline int
guc_stand_band(const struct guc_stand *stand)
{
	return 1 - (int)(stand->node.key >> 62);
}

/* The list that it may stand in. */
static inline unsigned
guc_stand_list(const struct guc_stand *stand)
{
	return (unsigned)(stand->node.key >> 62);
}

static inline unsigned
guc_stand_engine(const struct guc_stand *stand)
{
	return stand->node.key & 63;
}

#define GUC_BANDS 3

struct guc_list {
	struct pairing_node *first, *last;
};

struct guc_line {
	struct guc_stand *first;          /* of all; NULL: nobody waits */
	struct guc_list lists[GUC_BANDS]; /* the high band first */
	struct pairing heap;
};

/* By its key, which is set and stays while it is in a line. */
void guc_line_add(struct guc_line *line, struct guc_stand *stand);
void guc_line_remove(struct guc_line *line, struct guc_stand *stand);

#endif
