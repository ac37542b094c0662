/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Timeline view, as keys and the mouse change it: zoom, scrolling, the
 * cursor and the block that it selects. It follows the present until the cursor
 * leaves it; the past is what the trail remembers.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "tui/views/idle_engines.h"
#include "tui/views/timeline.h"

#define COLUMN_NS (500 * NSEC_PER_USEC) /* at the start */

/* Keeps the cursor at the present while following; other views use the cursor
 * even if this one is not shown. */
static void
timeline_tick(struct view *view, const struct view_env *env)
{
	struct timeline *v = (struct timeline *)view;

	if (v->follow)
		v->cursor = env->selection->at = now_of(env);
}

static void
fit_axis(struct timeline *v, const struct view_env *env, int cols)
{
	if (cols < 1)
		cols = 1;
	v->axis.cols = cols;
	if (cols > v->cap_cells) {
		v->cap_cells = cols;
		v->cells = mem_realloc(
		    v->cells, (size_t)cols, sizeof(*v->cells));
		v->differs = mem_realloc(
		    v->differs, (size_t)cols, sizeof(*v->differs));
	}
	if (v->follow)
		axis_follow(&v->axis, now_of(env));
	timeline_tick(&v->view, env);
}

static void
timeline_draw(struct view *view, const struct view_env *env, struct area *a)
{
	struct timeline *v = (struct timeline *)view;

	fit_axis(v, env, a->r.w - TIMELINE_NAME_COLS);
	timeline_draw_all(v, env, a);
}

/* Selects the request under the cursor, which keys then act on. */
static void
select_block(struct timeline *v, const struct view_env *env)
{
	const struct trail *t = trail_of(env);
	unsigned engine = v->engine;
	const struct trail_span *s = trail_span(
	    t, engine, trail_span_at(t, engine, v->cursor));
	const struct trail_request *r = s != NULL ? trail_request(t, s->request)
						  : NULL;

	env->selection->at = v->cursor;
	env->selection->miss = 0;
	select_request(env->selection, r != NULL ? r->id : 0);
	if (r != NULL)
		select_context(
		    env->selection, env->session, r->client, r->context);
}

/* Selects the engine in the cursor's row. */
static void
select_engine_row(struct timeline *v, const struct view_env *env)
{
	v->engine = engines_at(device_of(env), v->idle, v->list.cursor);
	select_block(v, env);
}

static void
move_cursor(struct timeline *v, const struct view_env *env, nsec to)
{
	nsec now = now_of(env);

	v->follow = to >= now;
	v->cursor = to < now ? to : now;
	axis_show(&v->axis, v->cursor);
	select_block(v, env);
}

/* Moves the cursor to the middle of the next column. */
static void
step_cursor(struct timeline *v, const struct view_env *env, int by)
{
	nsec column = v->axis.column, at = v->cursor - v->cursor % column;

	if (by < 0)
		at = at > column ? at - column : 0;
	else
		at += column;
	move_cursor(v, env, at + column / 2);
}

static void
jump_block(struct timeline *v, const struct view_env *env, bool forward)
{
	const struct trail *t = trail_of(env);
	unsigned engine = v->engine;
	uint64_t id;
	const struct trail_span *s;

	if (forward)
		id = trail_next_span(t, engine, v->cursor);
	else
		id = trail_previous_span(t, engine, v->cursor);
	s = trail_span(t, engine, id);
	if (s != NULL)
		move_cursor(v, env, s->taken_ns);
}

static void
page(struct timeline *v, const struct view_env *env, bool back)
{
	nsec by = (nsec)v->axis.cols * v->axis.column / 2;

	if (back)
		move_cursor(v, env, v->cursor > by ? v->cursor - by : 0);
	else
		move_cursor(v, env, v->cursor + by);
}

/* Forgets the request that was selected in the past. */
static bool
timeline_follow(struct view *view, const struct view_env *env)
{
	struct timeline *v = (struct timeline *)view;
	bool stood = !v->follow;

	v->follow = true;
	if (stood)
		env->selection->miss = 0;
	timeline_tick(view, env);
	return stood;
}

static bool
timeline_act(struct view *view, const struct view_env *env, enum action action)
{
	struct timeline *v = (struct timeline *)view;

	switch (action) {
	case ACT_LEFT: step_cursor(v, env, -1); break;
	case ACT_RIGHT: step_cursor(v, env, 1); break;
	case ACT_HALF_UP:
	case ACT_PAGE_UP: page(v, env, true); break;
	case ACT_HALF_DOWN:
	case ACT_PAGE_DOWN: page(v, env, false); break;
	case ACT_FIRST: move_cursor(v, env, trail_since(trail_of(env))); break;
	case ACT_LAST: timeline_follow(view, env); break;
	case ACT_BLOCK_NEXT: jump_block(v, env, true); break;
	case ACT_BLOCK_PREV: jump_block(v, env, false); break;
	case ACT_ZOOM_IN: axis_zoom(&v->axis, true, v->cursor); break;
	case ACT_ZOOM_OUT: axis_zoom(&v->axis, false, v->cursor); break;
	default: /* the engine above or below */
		if (!list_act(&v->list, action))
			return false;
		select_engine_row(v, env);
	}
	return true;
}

/* A click moves the cursor, the wheel zooms around the pointer. */
static bool
timeline_mouse(struct view *view, const struct view_env *env, int x, int y,
    enum mouse what)
{
	struct timeline *v = (struct timeline *)view;
	int col = x - TIMELINE_NAME_COLS;
	nsec at;

	if (col < 0 || y < 1)
		return false;
	at = axis_time(&v->axis, col);
	if (what != MOUSE_CLICK) {
		axis_zoom(&v->axis, what == MOUSE_WHEEL_UP, at);
		return true;
	}
	if (list_mouse(&v->list,
		y < v->first_y ? -1 : (y - v->first_y) / v->rows_each, what))
		select_engine_row(v, env);
	move_cursor(v, env, at + v->axis.column / 2);
	return true;
}

/* Moves the cursor to a time that another view shows, such as a miss. */
static void
timeline_show(struct view *view, const struct view_env *env, nsec at)
{
	struct timeline *v = (struct timeline *)view;

	move_cursor(v, env, at);
}

/* A new run begins at time 0. */
static void
timeline_launched(struct view *view, const struct view_env *env)
{
	struct timeline *v = (struct timeline *)view;

	if (now_of(env) >= v->cursor)
		return;
	v->follow = true;
	v->axis.left = v->cursor = env->selection->at = 0;
}

static int
timeline_wants(const struct view *view, const struct view_env *env)
{
	const struct device *dev = device_of(env);

	(void)view;
	return (int)engines_shown(dev, timeline_idle_engines(env)) *
	    (session_trace(env->session) != NULL ? 2 : 1) +
	    timeline_extra_rows(env);
}

static void
timeline_free(struct view *view)
{
	struct timeline *v = (struct timeline *)view;

	free(v->cells);
	free(v->differs);
	free(v);
}

static const struct view_ops timeline_ops = {
    .name = "Timeline",
    .scope = SCOPE_TIMELINE,
    .draw = timeline_draw,
    .act = timeline_act,
    .mouse = timeline_mouse,
    .show_time = timeline_show,
    .follow = timeline_follow,
    .tick = timeline_tick,
    .launched = timeline_launched,
    .wants = timeline_wants,
    .free = timeline_free,
};

struct view *
view_timeline_new(void)
{
	struct timeline *v = mem_calloc(1, sizeof(*v));

	v->view.ops = &timeline_ops;
	v->axis = (struct axis){.column = COLUMN_NS, .cols = 1};
	v->follow = true;
	v->rows_each = 1;
	return &v->view;
}
