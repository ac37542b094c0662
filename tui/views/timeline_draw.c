/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the Timeline view is laid out: title, ticks, a row for each engine that had
 * work, events, and the details of the block under the cursor. Engines have
 * their rows first.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/views/idle_engines.h"
#include "tui/views/timeline.h"

#define NAME_COLS TIMELINE_NAME_COLS
#define MIN_TICK  8 /* columns from one tick to the next */

/* Finds the idle engines, and the row of the selected engine among the others;
 * of the next one, if it is idle itself. */
static void
timeline_fit_engines(struct timeline *v, const struct view_env *env, int rows)
{
	const struct device *dev = device_of(env);

	v->idle = timeline_idle_engines(env);
	v->list.cursor = engines_row(dev, v->idle, v->engine);
	list_fit(&v->list, engines_shown(dev, v->idle), rows);
	v->engine = engines_at(dev, v->idle, v->list.cursor);
}

/* Returns the spans per column of the engine with the most of them. */
static uint64_t
most_in_a_column(const struct timeline *v, const struct view_env *env)
{
	nsec right = nsec_earlier(axis_right(&v->axis), now_of(env));
	uint64_t most = 0;

	for (unsigned e = 0; e < device_of(env)->n_engines; e++) {
		struct trail_range r = trail_spans(
		    trail_of(env), e, v->axis.left, right);

		if (r.end - r.first > most)
			most = r.end - r.first;
	}
	return most / (uint64_t)v->axis.cols;
}

/* Prints the range, and how much a column has of it. */
static void
print_range(
    const struct timeline *v, const struct view_env *env, struct text *out)
{
	char column[UNITS_LEN], from[UNITS_LEN], to[UNITS_LEN];
	nsec step = v->axis.column, now = now_of(env);
	uint64_t most = most_in_a_column(v, env);

	format_duration(column, step);
	format_time_step(from, v->axis.left, step);
	format_time_step(to, nsec_earlier(axis_right(&v->axis), now), step);
	text_addf(out, "%s to %s, %s a column", from, to, column);
	if (most > 1)
		text_addf(out, " of up to %s batches",
		    format_count_brief(column, most));
	text_adds(out, ", ");
}

/* Returns which time the range is of. */
static const char *
range_state(
    const struct timeline *v, const struct view_env *env, enum role *role)
{
	if (session_is_past(env->session)) {
		*role = ROLE_WARN; /* as in the header */
		return v->follow ? "past" : "past, held (F returns)";
	}
	return v->follow ? "live" : "held (F follows)";
}

/* Prints which engines have no row: those out of sight, which keys reach, and
 * the idle ones, by name if there is room. */
static void
print_left_out(const struct timeline *v, const struct view_env *env, int room,
    struct text *out)
{
	const struct device *dev = device_of(env);
	size_t n_idle = dev->n_engines - engines_shown(dev, v->idle);
	struct text idle = {0};

	if (v->list.height < v->list.n)
		text_addf(out, "%zu of %zu engines (j k)%s", v->list.height,
		    v->list.n, n_idle > 0 ? "; " : "");
	engines_name_idle(dev, v->idle, INT_MAX, &idle);
	if ((int)(out->len + idle.len) <= room)
		text_adds(out, text_str(&idle));
	else
		text_addf(out, "idle: %zu", n_idle);
	text_free(&idle);
}

static void
draw_timeline_title(
    const struct timeline *v, const struct view_env *env, struct area *a)
{
	enum role role = view_title_role(env);
	struct text range = {0}, left_out = {0};
	enum role state_role = role;
	const char *state = range_state(v, env, &state_role);
	int room, x = VIEW_NUMBER_COLS;

	fill(a, 0, 0, a->r.w, role);
	print_range(v, env, &range);
	x += put(a, 0, x, a->r.w, role, text_str(&range));
	x += put(a, 0, x, a->r.w, state_role, state) + 2;
	room = a->r.w - x;
	print_left_out(v, env, room, &left_out);
	if ((int)left_out.len <= room)
		put(a, 0, x, room, role, text_str(&left_out));
	else if (v->list.height < v->list.n)
		put(a, 0, a->r.w - (int)left_out.len, a->r.w, role,
		    text_str(&left_out));
	text_free(&range);
	text_free(&left_out);
}

/* Returns the distance of ticks, in columns, that leaves room for their
 * times. */
static int
tick_distance(const struct timeline *v)
{
	int width = MIN_TICK, every;
	char buf[UNITS_LEN];

	for (;; width = every + 1) {
		every = axis_tick(&v->axis, width);
		format_time_step(
		    buf, axis_right(&v->axis), (nsec)every * v->axis.column);
		if ((int)strlen(buf) + 2 <= every)
			return every;
	}
}

/* Draws times at round distances, with no digits that are the same in all. */
static void
draw_ticks(const struct timeline *v, struct area *a, int y)
{
	int every = tick_distance(v);
	nsec step = (nsec)every * v->axis.column;
	int first = every - (int)(v->axis.left / v->axis.column % (nsec)every);
	char buf[UNITS_LEN];

	for (int col = first % every; col < v->axis.cols; col += every) {
		put_char(a, y, NAME_COLS + col, ROLE_DIM,
		    a->screen->unicode ? L'╷' : L'|');
		put(a, y, NAME_COLS + col + 1, every - 1, ROLE_DIM,
		    format_time_step(buf, axis_time(&v->axis, col), step));
	}
}

static void
draw_timeline_cursor(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, bool own_row)
{
	int col = axis_column(&v->axis, v->cursor);

	if (col >= 0 && col < v->axis.cols && own_row)
		paint(a, y, NAME_COLS + col, 1,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
}

static void
draw_timeline_engine(struct timeline *v, const struct view_env *env,
    struct area *a, int y, unsigned engine)
{
	bool own = engine == v->engine;

	put(a, y, 0, NAME_COLS - 1, own ? ROLE_STRONG : ROLE_LABEL,
	    device_of(env)->engines[engine].name);
	timeline_draw_blocks(v, env, a, y, engine);
	if (own && env->focus)
		paint(a, y, 0, NAME_COLS - 1, ROLE_SELECTED_FOCUS);
	draw_timeline_cursor(v, env, a, y, own);
}

/* Draws missed periods and hangs. */
static void
draw_marks(
    const struct timeline *v, const struct view_env *env, struct area *a, int y)
{
	const struct trail *t = trail_of(env);
	nsec right = axis_right(&v->axis);
	struct trail_range misses = trail_misses(t, v->axis.left, right);
	struct trail_range hangs = trail_hangs(t, v->axis.left, right);

	put(a, y, 0, NAME_COLS - 1, ROLE_LABEL, "events");
	for (uint64_t i = misses.first; i < misses.end; i++)
		put_char(a, y,
		    NAME_COLS +
			axis_column(&v->axis, trail_miss(t, i)->came_ns),
		    ROLE_BAD, L'M');
	for (uint64_t i = hangs.first; i < hangs.end; i++)
		put_char(a, y,
		    NAME_COLS + axis_column(&v->axis, trail_hang(t, i)->time),
		    ROLE_BAD, L'H');
	draw_timeline_cursor(v, env, a, y, true);
}

#define LEAST_CONTEXT_ROWS 3 /* with their legend */

/* The rows besides those of engines. */
struct timeline_rows {
	bool ticks, events, workload, detail;
	bool differences, trace; /* of a trace */
	int contexts, panel;     /* 0: none */
};

/* Returns the rows that there is room for after the engines. */
static struct timeline_rows
choose_rows(const struct view_env *env, int room)
{
	bool traced = session_trace(env->session) != NULL;
	int spare = room - 2 - 2 * traced - TIMELINE_PANEL_ROWS;

	if (spare >= 0)
		return (struct timeline_rows){
		    .ticks = true,
		    .events = true,
		    .differences = traced,
		    .trace = traced,
		    .panel = TIMELINE_PANEL_ROWS,
		    .contexts = spare >= LEAST_CONTEXT_ROWS ? spare : 0,
		};
	return (struct timeline_rows){
	    .detail = room > 0,
	    .ticks = room > 1,
	    .differences = traced && room > 2,
	    .trace = traced && room > 3,
	    .events = room > (traced ? 4 : 2),
	    .workload = room > (traced ? 5 : 3) &&
		env->session->layer.layer != NULL,
	};
}

/* Draws the engines from row y on, at most as many rows. Returns the next row. */
static int
draw_engines(struct timeline *v, const struct view_env *env, struct area *a,
    int y, int rows)
{
	const struct device *dev = device_of(env);

	memset(v->differs, 0, (size_t)v->axis.cols * sizeof(*v->differs));
	v->first_y = y;
	for (size_t row = v->list.top; row < v->list.n && rows >= v->rows_each;
	     row++) {
		unsigned engine = engines_at(dev, v->idle, row);

		draw_timeline_engine(v, env, a, y, engine);
		if (v->rows_each > 1)
			timeline_draw_trace(
			    v, env, a, y + 1, engine, v->differs);
		y += v->rows_each;
		rows -= v->rows_each;
	}
	return y;
}

void
timeline_draw_all(
    struct timeline *v, const struct view_env *env, struct area *a)
{
	const struct device *dev = device_of(env);
	int y = 1, rows = a->r.h - 1;
	int engines = (int)engines_shown(dev, timeline_idle_engines(env));
	struct timeline_rows more;

	v->rows_each = session_trace(env->session) != NULL && rows > 2 ? 2 : 1;
	more = choose_rows(env, rows - engines * v->rows_each);
	rows -= more.detail + more.ticks + more.events + more.workload +
	    more.contexts + more.panel + more.differences + more.trace;
	timeline_fit_engines(v, env, rows / v->rows_each);
	draw_timeline_title(v, env, a);
	if (more.ticks)
		draw_ticks(v, a, y++);
	y = draw_engines(v, env, a, y, rows);
	if (more.differences)
		timeline_draw_differences(v, env, a, y++, v->differs);
	if (more.events)
		draw_marks(v, env, a, y++);
	if (more.contexts > 0)
		timeline_draw_contexts(v, env, a, y, more.contexts);
	if (more.panel > 0)
		timeline_draw_panel(v, env, a, a->r.h - more.panel);
	if (more.trace)
		timeline_draw_trace_detail(v, env, a,
		    a->r.h - 1 - more.panel - more.workload - more.detail);
	if (more.workload)
		timeline_draw_workload(v, env, a, a->r.h - 2);
	if (more.detail)
		timeline_draw_detail(v, env, a, a->r.h - 1, !more.workload);
}
