/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Engines view: one row for each engine that had work, or for each engine
 * class with the sums and means of its engines; below them the idle engines, and
 * which engine limits the run.
 */
#include "tui/views/engines.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "tui/views/foreign_rows.h"
#include "tui/views/idle_engines.h"
#include "tui/views/uses.h"

#define GAP 2
/* Columns of the legend of the meters. */
#define LEGEND_COLS ((int)sizeof("# run % switch = poll : blocked") - 1)

/* Requests in flight that may be counted per frame and row. */
#define COUNT_MAX 2000

/* True if the engine begins a row: it is the first of its class that had work,
 * or rows are engines. */
static bool
begins_group(const struct engines *e, const struct device *dev, unsigned i)
{
	unsigned class = dev->engines[i].class;

	if (e->idle & dev->engines[i].bit)
		return false;
	for (unsigned k = i; e->by_class && k-- > 0;)
		if (dev->engines[k].class == class &&
		    !(e->idle & dev->engines[k].bit))
			return false;
	return true;
}

static size_t
count_groups(const struct engines *e, const struct device *dev)
{
	size_t n = 0;

	for (unsigned i = 0; i < dev->n_engines; i++)
		n += begins_group(e, dev, i);
	return n;
}

/* Returns all engines of the class, idle ones too. */
static struct engine_group
class_of(const struct device *dev, unsigned i)
{
	unsigned class = dev->engines[i].class;
	struct engine_group group = {i, 0};

	while (group.first > 0 && dev->engines[group.first - 1].class == class)
		group.first--;
	while (group.first + group.n < dev->n_engines &&
	    dev->engines[group.first + group.n].class == class)
		group.n++;
	return group;
}

static struct engine_group
engine_group_at(const struct engines *e, const struct device *dev, size_t at)
{
	unsigned i = 0;

	while (
	    i < dev->n_engines - 1 && !(begins_group(e, dev, i) && at-- == 0))
		i++;
	return e->by_class ? class_of(dev, i) : (struct engine_group){i, 1};
}

/* Counts ready requests. One that may run on several engines of the group is in
 * the queue of each of them but counts once; when too many requests are in
 * flight to look at, the queues are added up instead. */
static uint32_t
count_queued(const struct session *s, struct engine_group group)
{
	const struct device *dev = &s->run.sim->device;
	engine_mask mask = 0;
	uint32_t n = 0;

	for (unsigned i = group.first; i < group.first + group.n; i++) {
		mask |= (engine_mask)1 << i;
		n += dev->engines[i].queued;
	}
	if (group.n == 1 || s->inflight.n > COUNT_MAX)
		return n;
	n = 0;
	for (size_t i = 0; i < s->inflight.n; i++)
		n += s->inflight.list[i]->state == REQUEST_READY &&
		    (s->inflight.list[i]->allowed & mask) != 0;
	return n;
}

static struct load
load_of(const struct session *s, struct engine_group group)
{
	struct load load = {.queued = count_queued(s, group)};

	for (unsigned i = group.first; i < group.first + group.n; i++) {
		for (int use = 0; use < N_USES; use++)
			load.shares[use] += s->history.engines[i].shares[use] /
			    (float)group.n;
		load.blocked += s->run.sim->device.engines[i].blocked;
	}
	return load;
}

static struct engine_cell
cell_of(const struct engines *e, struct engine_group group)
{
	const struct session *s = e->session;

	return (struct engine_cell){
	    .engines = e,
	    .session = s,
	    .first = &s->run.sim->device.engines[group.first],
	    .group = group,
	    .load = load_of(s, group),
	};
}

static void
draw_group(const struct engines *e, const struct columns *c, struct area *a,
    int y, struct engine_group group)
{
	struct engine_cell cell = cell_of(e, group);

	columns_draw_row(c, a, y, ROLE_NORMAL, ROW_FLAT, &cell);
}

/* Draws the legend of the meters above them, if it fits there. */
static bool
draw_legend_above(const struct columns *c, struct area *a)
{
	int x = 0, w;

	for (int i = 0; i < engine_meter_column; i++)
		x += c->widths[i];
	w = c->widths[engine_meter_column] - 1;
	if (w < LEGEND_COLS)
		return false;
	put_uses_legend(a, 0, x + 1, w);
	return true;
}

/* Draws the idle engines in one row, and the legend beside them. */
static void
draw_idle(const struct engines *e, struct area *a, int y, bool legend)
{
	const struct device *dev = &e->session->run.sim->device;
	struct text t = {0};
	int x = VIEW_NUMBER_COLS, room = a->r.w - x;

	if (legend && room > LEGEND_COLS + GAP)
		room -= LEGEND_COLS + GAP;
	engines_name_idle(dev, e->idle, room, &t);
	put_cut(a, y, x, room, ROLE_DIM, text_str(&t));
	if (legend)
		put_uses_legend(a, y, a->r.w - LEGEND_COLS, LEGEND_COLS);
	text_free(&t);
}

/* Draws which engine limits the run, in as many words as fit. */
static void
draw_limits(const struct session *s, struct area *a, int y)
{
	const struct limits *l = &s->limits.limits;
	int x = VIEW_NUMBER_COLS, room = a->r.w - x;
	struct text t = {0};

	limits_long(l, s->run.sim, &t);
	if (columns(a->screen, text_str(&t), t.len) > room) {
		text_clear(&t);
		limits_short(l, s->run.sim, &t);
	}
	put_cut(a, y, x, room, l->found ? ROLE_WARN : ROLE_DIM, text_str(&t));
	text_free(&t);
}

/* Marks the engine that limits the run, and that of the selection. */
static void
draw_mark(
    const struct engines *e, struct area *a, int y, struct engine_group group)
{
	const struct session *s = e->session;
	const struct limits *l = &s->limits.limits;
	bool selected = false;

	for (unsigned i = group.first; i < group.first + group.n; i++)
		selected |= (e->selected & s->run.sim->device.engines[i].bit) !=
		    0;
	if (selected)
		put_char(
		    a, y, 1, ROLE_RELATED, selection_sign(a->screen->unicode));

	if (l->found && l->engine >= group.first &&
	    l->engine < group.first + group.n)
		put_char(a, y, 0, ROLE_WARN, a->screen->unicode ? L'▸' : L'>');
}

/* Rows below those of the engines: the idle ones, and what limits the run. */
static int
rows_below(const struct engines *e)
{
	return 1 + (e->idle != 0);
}

static void
draw_rows(const struct engines *e, const struct columns *c, struct area *a)
{
	const struct device *dev = &e->session->run.sim->device;

	for (size_t i = 0; i < e->list.height; i++) {
		struct engine_group group;

		if (e->list.top + i >= e->list.n)
			break;
		group = engine_group_at(e, dev, e->list.top + i);
		draw_group(e, c, a, (int)i + 1, group);
		draw_mark(e, a, (int)i + 1, group);
	}
}

/* Draws each of n engines in a part of `room` rows, at least `each`, and below them
 * what is below. */
static void
draw_zoomed(struct engines *e, const struct view_env *env, struct area *a,
    int n, int each, int room)
{
	const struct device *dev = &e->session->run.sim->device;
	bool all = engines_zoomed_rows(n * (each + 1), (size_t)n) > each;
	int y = 1, spare = all ? room - n * each : 0, rows;

	list_fit(&e->list, (size_t)n, n);
	engines_draw_zoomed_title(e->session, a, view_title_role(env));
	for (int i = 0; i < n; i++, y += rows) {
		struct engine_group group = engine_group_at(e, dev, (size_t)i);
		struct engine_cell cell = cell_of(e, group);

		rows = each + (i < spare);
		engines_draw_zoomed(&cell, a, y, rows);
		draw_mark(e, a, y, group);
	}
	if (e->idle != 0)
		draw_idle(e, a, y++, false);
	draw_limits(e->session, a, y);
}

/* Engines come first where there is little room; then what limits the run. */
static void
engines_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct engines *e = (struct engines *)v;
	const struct device *dev = &env->session->run.sim->device;
	int room = a->r.h - 1, below, n, each;
	struct columns c;
	bool legend;

	e->session = env->session;
	e->idle = foreign_idle(env->session);
	e->selected = selected_engines(env->selection, env->session);
	n = (int)count_groups(e, dev);
	below = rows_below(e);
	each = engines_zoomed_rows(room - below, (size_t)n);
	if (each > 0) {
		draw_zoomed(e, env, a, n, each, room - below);
		return;
	}
	if (room - below < n)
		below = room > n ? room - n : room > 4;
	list_fit(&e->list, (size_t)n, room - below);
	columns_fit(&c, engine_columns, n_engine_columns,
	    &(struct columns_room){.width = a->r.w,
		.keep = -1,
		.compared = baseline_name(env->session) != NULL,
		.table = e});
	columns_draw_titles(&c, a, view_title_role(env),
	    &(struct columns_order){.column = -1}, e);
	list_draw_place(&e->list, a, view_title_role(env));
	legend = e->list.n <= e->list.height && draw_legend_above(&c, a);
	draw_rows(e, &c, a);
	if (below > 1)
		draw_idle(e, a, room - below + 1, !legend);
	if (below > 0)
		draw_limits(env->session, a, room - below + (below > 1) + 1);
}

static bool
engines_act(struct view *v, const struct view_env *env, enum action action)
{
	struct engines *e = (struct engines *)v;

	(void)env;
	if (action != ACT_CLASSES)
		return list_act(&e->list, action);
	e->by_class = !e->by_class;
	e->list.top = 0;
	return true;
}

static bool
engines_mouse(
    struct view *v, const struct view_env *env, int x, int y, enum mouse what)
{
	struct engines *e = (struct engines *)v;

	(void)env;
	(void)x;
	return list_mouse(&e->list, y - 1, what);
}

static int
engines_wants(const struct view *v, const struct view_env *env)
{
	struct engines e = *(const struct engines *)v;
	const struct device *dev = &env->session->run.sim->device;

	e.idle = foreign_idle(env->session);
	return (int)count_groups(&e, dev) + rows_below(&e);
}

static void
engines_free(struct view *v)
{
	free(v);
}

static const struct view_ops engines_ops = {
    .name = "Engines",
    .scope = SCOPE_ENGINES,
    .draw = engines_draw,
    .act = engines_act,
    .mouse = engines_mouse,
    .wants = engines_wants,
    .free = engines_free,
};

struct view *
view_engines_new(void)
{
	struct engines *e = mem_calloc(1, sizeof(*e));

	e->view.ops = &engines_ops;
	e->list.pager = true;
	return &e->view;
}
