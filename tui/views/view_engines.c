/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engines: a meter each, its queue, its history, and what runs on it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/mem.h"
#include "tui/screen/units.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

struct engines {
	struct view view;
	struct list list;
};

/* Columns from left to right; a width of 0: not shown. */
struct columns {
	int name, meter, percent, queue, blocked, history;
	int client, context, priority, step;
};

/* What is narrow stays readable; meter, history and step share the rest. */
static struct columns
make_columns(int w)
{
	struct columns c = {
	    .name = 6, .percent = 5, .queue = 6, .client = 7, .context = 5};
	int rest;

	if (w >= 48)
		c.priority = 6;
	if (w >= 72)
		c.blocked = 6;
	rest = w - c.name - c.percent - c.queue - c.blocked - c.client -
	    c.context - c.priority;
	if (w >= 110)
		c.step = rest * 35 / 100;
	if (w >= 60)
		c.history = (rest - c.step) * 45 / 100;
	c.meter = rest - c.step - c.history;
	return c;
}

static void
draw_title(struct area *a, const struct columns *c, const struct view_env *env)
{
	enum role role = view_title_role(env);
	int x = 0;

	fill(a, 0, 0, a->r.w, role);
	put(a, 0, x, c->name, role, "ENGINE");
	x += c->name;
	put(a, 0, x + 1, c->meter - 2, role,
	    c->meter >= 18 ? "BUSY and waiting" : "BUSY");
	x += c->meter + c->percent;
	put_right(a, 0, x, c->queue, role, "QUEUE");
	x += c->queue;
	if (c->blocked > 0)
		put_right(a, 0, x, c->blocked, role, "BLKD");
	x += c->blocked;
	if (c->history > 0)
		put(a, 0, x + 1, c->history - 1, role, "HISTORY");
	x += c->history;
	put_right(a, 0, x, c->client, role, "CLIENT");
	x += c->client;
	put_right(a, 0, x, c->context, role, "CTX");
	x += c->context;
	if (c->priority > 0)
		put_right(a, 0, x, c->priority, role, "PRI");
	x += c->priority;
	if (c->step > 0)
		put(a, 0, x + 2, c->step - 2, role, "RUNS NOW");
}

/* The text of the step that a request was submitted by. */
static void
draw_step(struct area *a, int y, int x, int width, const struct session *s,
    const struct request *rq, enum role role)
{
	const char *text;
	size_t len;

	text = session_step_text(s, rq, &len);
	put_n(a, y, x, width, role, text, len);
}

/* A free engine; it may be held for a parallel step (guc). */
static void
draw_free(struct area *a, int y, int x, const struct columns *c,
    const struct session *s, const struct request *held_for)
{
	put_right(a, y, x, c->client, ROLE_DIM, held_for ? "held" : "-");
	x += c->client + c->context + c->priority;
	if (c->step > 0 && held_for != NULL)
		draw_step(a, y, x + 2, c->step - 2, s, held_for, ROLE_DIM);
}

static void
draw_running(struct area *a, int y, int x, const struct columns *c,
    const struct session *s, const struct request *rq)
{
	char buf[UNITS_LEN];

	snprintf(buf, sizeof(buf), "%u", rq->client->id);
	put_right(a, y, x, c->client, ROLE_NORMAL, buf);
	x += c->client;
	snprintf(buf, sizeof(buf), "%u", rq->context->def->number);
	put_right(a, y, x, c->context, ROLE_NORMAL, buf);
	x += c->context;
	if (c->priority > 0) {
		snprintf(buf, sizeof(buf), "%d", rq->priority);
		put_right(a, y, x, c->priority, ROLE_NORMAL, buf);
		x += c->priority;
	}
	if (c->step > 0)
		draw_step(a, y, x + 2, c->step - 2, s, rq, ROLE_NORMAL);
}

static void
put_depth(struct area *a, int y, int x, int width, uint32_t n)
{
	char buf[UNITS_LEN];

	put_right(a, y, x, width, n > 0 ? ROLE_NORMAL : ROLE_DIM,
	    format_count(buf, n));
}

static void
draw_engine(struct area *a, int y, const struct columns *c,
    const struct session *s, unsigned i)
{
	const struct hw_engine *e = &s->run.sim->device.engines[i];
	const struct engine_history *h = &s->history.engines[i];
	unsigned char percent[HISTORY_SAMPLES];
	char buf[UNITS_LEN];
	int x = c->name, n;

	put(a, y, 0, c->name - 1, ROLE_LABEL, e->name);
	put_meter(a, y, x, c->meter, h->busy, h->waiting);
	x += c->meter;
	snprintf(buf, sizeof(buf), "%.0f%%", h->busy * 100);
	put_right(a, y, x, c->percent, ROLE_STRONG, buf);
	x += c->percent;
	put_depth(a, y, x, c->queue, e->queued);
	x += c->queue;
	if (c->blocked > 0)
		put_depth(a, y, x, c->blocked, e->blocked);
	x += c->blocked;
	if (c->history > 1) {
		n = history_engine(&s->history, i, c->history - 1, percent);
		put_history(a, y, x + 1, c->history - 1, percent, n);
	}
	x += c->history;
	if (e->running != NULL)
		draw_running(a, y, x, c, s, e->running);
	else
		draw_free(a, y, x, c, s, e->kept_for);
}

static void
engines_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct engines *e = (struct engines *)v;
	const struct session *s = env->session;
	struct columns c = make_columns(a->r.w);

	list_fit(&e->list, s->run.sim->device.n_engines, a->r.h - 1);
	draw_title(a, &c, env);
	for (size_t i = 0; i < e->list.height; i++) {
		size_t at = e->list.top + i;

		if (at >= e->list.n)
			break;
		draw_engine(a, (int)i + 1, &c, s, (unsigned)at);
	}
}

static bool
engines_act(struct view *v, const struct view_env *env, enum action action)
{
	struct engines *e = (struct engines *)v;

	(void)env;
	return list_act(&e->list, action);
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
	(void)v;
	return (int)env->session->run.sim->device.n_engines;
}

static void
engines_free(struct view *v)
{
	free(v);
}

static const struct view_ops engines_ops = {
    .name = "Engines",
    .scope = SCOPE_LIST,
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
