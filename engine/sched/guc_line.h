/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queues that wait for one engine, in the order in which they stand
 * (rules/drm-guc.md "guc": band, then place). A pairing heap: one queue can
 * wait for several engines, and leaves the middle of all other lines when it
 * takes one.
 */
#ifndef ENGINE_SCHED_GUC_LINE_H
#define ENGINE_SCHED_GUC_LINE_H

#include <stdint.h>

struct guc_queue;

/* Where one queue stands in the line of one engine. */
struct guc_stand {
	struct guc_stand *next_of_queue;
	struct guc_queue *queue;
	uint64_t key; /* the lower, the further in front; none twice in a line
		       */
	uint8_t engine;
	/* Of the line: the first child, the next one of the same parent, the
	 * one before it or the parent. */
	struct guc_stand *child, *next, *prev;
};

struct guc_line {
	struct guc_stand *first; /* NULL: nobody waits */
};

void guc_line_add(struct guc_line *line, struct guc_stand *stand);
void guc_line_remove(struct guc_line *line, struct guc_stand *stand);

#endif
