/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Engines view: one row for each engine, or for each engine class with the
 * sums and means of its engines.
 */
#include "tui/views/engines.h"

#include <stdlib.h>

#include "base/mem.h"

/* Requests in flight that may be counted per frame and row. */
#define COUNT_MAX 2000

static size_t
count_groups(const struct engines *e, const struct device *dev)
{
	size_t n = 0;

	for (unsigned i = 0; i < dev->n_engines; i++)
		n += !e->by_class || i == 0 ||
		    dev->engines[i].class != dev->engines[i - 1].class;
	return n;
}

static struct engine_group
engine_group_at(const struct engines *e, const struct device *dev, size_t at)
{
	struct engine_group group = {0, 0};

	if (!e->by_class)
		return (struct engine_group){(unsigned)at, 1};
	for (unsigned i = 0; i < dev->n_engines; i++) {
		if (i > 0 &&
		    dev->engines[i].class == dev->engines[i - 1].class) {
			group.n++;
			continue;
		}
		if (i > 0 && at-- == 0)
			break;
		group = (struct engine_group){i, 1};
	}
	return group;
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

static void
draw_group(const struct engines *e, const struct columns *c, struct area *a,
    int y, struct engine_group group)
{
	const struct session *s = e->session;
	struct engine_cell cell = {
	    .engines = e,
	    .session = s,
	    .first = &s->run.sim->device.engines[group.first],
	    .group = group,
	    .load = load_of(s, group),
	};

	columns_draw_row(c, a, y, ROLE_NORMAL, ROW_FLAT, &cell);
}

static void
engines_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct engines *e = (struct engines *)v;
	const struct device *dev = &env->session->run.sim->device;
	struct columns c;

	e->session = env->session;
	list_fit(&e->list, count_groups(e, dev), a->r.h - 1);
	columns_fit(&c, engine_columns, n_engine_columns,
	    &(struct columns_room){.width = a->r.w,
		.keep = -1,
		.compared = baseline_name(env->session) != NULL,
		.table = e});
	columns_draw_titles(&c, a, view_title_role(env),
	    &(struct columns_order){.column = -1}, e);
	for (size_t i = 0; i < e->list.height; i++) {
		size_t at = e->list.top + i;

		if (at < e->list.n)
			draw_group(
			    e, &c, a, (int)i + 1, engine_group_at(e, dev, at));
	}
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
	return (int)count_groups(
	    (const struct engines *)v, &env->session->run.sim->device);
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
