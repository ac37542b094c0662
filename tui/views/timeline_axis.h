/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time that a timeline shows: columns of equal length from a start. Pure
 * figures, so that zooming and scrolling can be tried without a screen. */
#ifndef TUI_VIEWS_TIMELINE_AXIS_H
#define TUI_VIEWS_TIMELINE_AXIS_H

#include <stdbool.h>

#include "base/nsec.h"

struct axis {
	nsec left;   /* where the first column begins: a multiple of column */
	nsec column; /* what one is long, at least AXIS_MIN_NS */
	int cols;
};

#define AXIS_MIN_NS 100
#define AXIS_MAX_NS (10 * NSEC_PER_SEC)

static inline nsec
axis_time(const struct axis *a, int col)
{
	return a->left + (nsec)col * a->column;
}

static inline nsec
axis_right(const struct axis *a)
{
	return axis_time(a, a->cols);
}

/* The column that a time falls in: below 0, or cols and more, outside. */
int axis_column(const struct axis *a, nsec time);
/* The next length of the row 1, 2, 5, 10...; the time at keep stays there. */
void axis_zoom(struct axis *a, bool in, nsec keep);
/* The last column is the one that now falls in. */
void axis_follow(struct axis *a, nsec now);
/* Scrolls as little as needed, and not at all if time is seen; then a quarter
 * of the width is seen beyond it. */
void axis_show(struct axis *a, nsec time);
/* The distance of ticks that leaves at least width columns for each, in
 * columns. */
int axis_tick(const struct axis *a, int width);

#endif
