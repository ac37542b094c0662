/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time that a timeline shows: columns of equal length from a start. Pure
 * figures, so that zooming and scrolling can be tried without a screen. */
#ifndef TUI_VIEWS_TIMELINE_H
#define TUI_VIEWS_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/explain/trail.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

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

/*
 * One engine against time: what a trail knows of it, column by column. Where
 * an engine did more than can be looked at in a frame, whose a column is told
 * from a few of its spans; how full it is is always exact.
 */

struct timeline_cell {
	uint64_t request; /* that had most of it; 0: nobody had any */
	uint64_t span;    /* of that request */
	float busy;       /* share of the column in which batches ran, */
	float held;       /* and in which the engine was held without */
	bool several;     /* another one had a quarter of it, or more */
	bool first, last; /* the span begins, ends in it */
	bool unknown;     /* it is before what the trail remembers */
};

/* Fills cells[0..axis->cols) with what the engine did up to now. */
void timeline_row(const struct trail *t, unsigned engine,
    const struct axis *axis, nsec now, struct timeline_cell *cells);

/* What the timeline's keys (view_timeline.c) and its picture (timeline_draw.c)
 * share. */

struct timeline {
	struct view view;
	struct row_list list; /* engines */
	struct axis axis;
	nsec cursor;
	bool follow;
	int first_y;                 /* of the engines, as drawn last */
	struct timeline_cell *cells; /* of the row that is drawn, axis.cols */
	int cap_cells;
};

#define TIMELINE_NAME_COLS  7 /* before the columns of time */
#define TIMELINE_EXTRA_ROWS 3 /* ticks, events, what the cursor is on */
/* And one for its workload, where there are any. */
static inline int
timeline_extra_rows(const struct view_env *env)
{
	return TIMELINE_EXTRA_ROWS + (env->session->layer.layer != NULL);
}

static inline const struct trail *
trail_of(const struct view_env *env)
{
	return env->session->trail;
}

static inline nsec
now_of(const struct view_env *env)
{
	return env->session->run.sim->now;
}

static inline unsigned
engine_of(const struct timeline *v)
{
	return (unsigned)v->list.cursor;
}

/* The axis has its place, the cells are as many as its columns. Sets first_y
 * and fits the list. */
void timeline_draw_all(
    struct timeline *v, const struct view_env *env, struct area *a);

#endif
