/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the timeline's keys (view_timeline.c) and its picture (timeline_draw.c)
 * share. */
#ifndef TUI_VIEWS_TIMELINE_H
#define TUI_VIEWS_TIMELINE_H

#include "tui/views/list.h"
#include "tui/views/timeline_row.h"
#include "tui/views/view.h"

struct timeline {
	struct view view;
	struct list list; /* engines */
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
