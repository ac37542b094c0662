/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Timeline view: engines against time. The axis maps times to columns of
 * the screen, cells hold what an engine did in each column; both are computed
 * without a screen.
 */
#ifndef TUI_VIEWS_TIMELINE_H
#define TUI_VIEWS_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/explain/trail.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

/* Columns of equal length from a start. */
struct axis {
	nsec left;   /* where the first column begins: a multiple of column */
	nsec column; /* length of a column, at least AXIS_MIN_NS */
	int cols;
};

#define AXIS_MIN_NS 100
#define AXIS_MAX_NS (10 * NSEC_PER_SEC)

/* The time at which a column begins. */
static inline nsec
axis_time(const struct axis *a, int col)
{
	return a->left + (nsec)col * a->column;
}

/* The time after the last column. */
static inline nsec
axis_right(const struct axis *a)
{
	return axis_time(a, a->cols);
}

/* Returns the column of a time: -1 before the first, cols after the last. */
int axis_column(const struct axis *a, nsec time);
/* Changes the length of columns to the next of 1, 2, 5, 10...; the time keep
 * stays in its column. */
void axis_zoom(struct axis *a, bool in, nsec keep);
/* Scrolls so that now is in the last column. */
void axis_follow(struct axis *a, nsec now);
/* Scrolls if time is not shown: it is then a quarter of the width from the end
 * of the axis. */
void axis_show(struct axis *a, nsec time);
/* Returns the distance of ticks, in columns, that leaves width columns for
 * each. */
int axis_tick(const struct axis *a, int width);

/*
 * The work of an engine in one column of time. Where it ran more requests than a
 * frame can look at, the request is chosen from some of them; the shares are
 * always exact.
 */
struct timeline_cell {
	uint64_t request; /* the request that had most of the column; 0: none */
	uint64_t span;    /* span of that request */
	float shares[N_USES]; /* of the column */
	bool several;         /* another request had a quarter of it or more */
	bool first, last;     /* the span begins, ends in this column */
	bool unknown;         /* before the oldest span in the trail */
};

/* Fills cells[0..axis->cols) with what the engine did until now. */
void timeline_row(const struct trail *t, unsigned engine,
    const struct axis *axis, nsec now, struct timeline_cell *cells);

/* The view's state, shared by view_timeline.c and timeline_draw.c. */

struct timeline {
	struct view view;
	struct row_list list; /* the engines that are not idle */
	unsigned engine;      /* the selected one, of the device */
	engine_mask idle;     /* without work in the run: they have no row */
	struct axis axis;
	nsec cursor;
	bool follow;
	int first_y;   /* first row of the engines, as drawn last */
	int rows_each; /* rows of an engine: 2 with that of the trace */
	bool *
	    differs; /* columns in which the run is not as the trace: axis.cols */
	struct timeline_cell *cells; /* of the row being drawn: axis.cols */
	int cap_cells;
};

#define TIMELINE_NAME_COLS 7 /* in front of the columns of time */
/* Rows besides the engines: ticks, events, details of the cursor; one more for
 * workloads where a layer is, two where a trace is. */
static inline int
timeline_extra_rows(const struct view_env *env)
{
	return 3 + (env->session->layer.layer != NULL) +
	    2 * (session_trace(env->session) != NULL);
}

/* Short forms for what every function of the view needs. */
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

static inline const struct device *
device_of(const struct view_env *env)
{
	return &env->session->run.sim->device;
}

/* Draws the view, whose axis and cells are set up. Sets first_y and fits the
 * list. */
void timeline_draw_all(
    struct timeline *v, const struct view_env *env, struct area *a);
/* Draws the cells of an engine in row y (timeline_blocks.c). */
void timeline_draw_blocks(struct timeline *v, const struct view_env *env,
    struct area *a, int y, unsigned engine);
/* Returns a bar as high as the share of a column. several: requests share it,
 * which ASCII shows. */
wchar_t timeline_bar(const struct screen *s, float share, bool several);

/* Draws what the block is in one row; with its workload if that has no row of
 * its own, which timeline_draw_workload() draws. */
void timeline_draw_detail(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, bool workload);
void timeline_draw_workload(const struct timeline *v,
    const struct view_env *env, struct area *a, int y);
/* Draws all that is known of the block in TIMELINE_PANEL_ROWS rows. */
#define TIMELINE_PANEL_ROWS 6
void timeline_draw_panel(const struct timeline *v, const struct view_env *env,
    struct area *a, int y);

/* timeline_trace.c: a trace that the run is compared with. */

/* Returns the engines without work in the run, and in the trace if there is one. */
engine_mask timeline_idle_engines(const struct view_env *env);
/* Draws what the trace has of an engine in row y, after timeline_draw_blocks() of the
 * engine. Sets differs[col] where the run did something else. */
void timeline_draw_trace(struct timeline *v, const struct view_env *env,
    struct area *a, int y, unsigned engine, bool *differs);
/* Draws marks where it did. */
void timeline_draw_differences(const struct timeline *v,
    const struct view_env *env, struct area *a, int y, const bool *differs);
/* Draws the request of the trace under the cursor. */
void timeline_draw_trace_detail(const struct timeline *v,
    const struct view_env *env, struct area *a, int y);

/* Draws a legend and rows - 1 contexts (timeline_contexts.c): those with requests
 * in the time shown, the selected one among them. */
void timeline_draw_contexts(struct timeline *v, const struct view_env *env,
    struct area *a, int y, int rows);

#endif
