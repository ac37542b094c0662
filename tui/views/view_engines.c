/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engines: a meter each, its queue, its history, and what runs on it. Or
 * those of a class together: what they do is summed up, then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

struct engines {
	struct view view;
	struct row_list list;
	bool by_class;
	struct text text; /* for printing */
};

/* What a row is about: engines of a class stand side by side in the device. */
struct engine_group {
	unsigned first, n;
};

/* Columns from left to right; a width of 0: not shown. */
struct columns {
	int name, meter, percent, change, queue, blocked, history;
	int client, context, priority, step;
};

static int
name_width(const struct device *dev, bool by_class)
{
	size_t longest = by_class ? sizeof("VECS x16") - 1 : 5;

	for (unsigned i = 0; i < dev->n_engines && !by_class; i++)
		if (strlen(dev->engines[i].name) > longest)
			longest = strlen(dev->engines[i].name);
	return (int)longest + 1;
}

/* Of what runs now, and as much for the others: else it is not there. */
#define STEP_MIN 19

/* What is narrow stays readable; meter, history and step share the rest. */
static struct columns
make_columns(int w, int name, bool compared)
{
	struct columns c = {
	    .name = name, .percent = 5, .queue = 6, .client = 7, .context = 5};
	int rest;

	if (compared && w >= 56)
		c.change = 9; /* +100.0pt */
	if (w >= 48)
		c.priority = 6;
	if (w >= 72)
		c.blocked = 6;
	rest = w - c.name - c.percent - c.change - c.queue - c.blocked -
	    c.client - c.context - c.priority;
	if (rest >= 2 * STEP_MIN || w >= 110)
		c.step = rest * 35 / 100 > STEP_MIN ? rest * 35 / 100
						    : STEP_MIN;
	if (w >= 60)
		c.history = (rest - c.step) * 45 / 100;
	c.meter = rest - c.step - c.history;
	return c;
}

static size_t
n_rows(const struct engines *e, const struct device *dev)
{
	size_t n = 0;

	for (unsigned i = 0; i < dev->n_engines; i++)
		n += !e->by_class || i == 0 ||
		    dev->engines[i].class != dev->engines[i - 1].class;
	return n;
}

static struct engine_group
row_at(const struct engines *e, const struct device *dev, size_t at)
{
	struct engine_group row = {0, 0};

	if (!e->by_class)
		return (struct engine_group){(unsigned)at, 1};
	for (unsigned i = 0; i < dev->n_engines; i++) {
		if (i > 0 &&
		    dev->engines[i].class == dev->engines[i - 1].class) {
			row.n++;
			continue;
		}
		if (i > 0 && at-- == 0)
			break;
		row = (struct engine_group){i, 1};
	}
	return row;
}

/* Where not all rows are seen, it says which ones are. */
static void
draw_busy_title(
    const struct engines *e, struct area *a, int x, int width, enum role role)
{
	size_t last = e->list.top + e->list.height;

	if (e->list.n > e->list.height && width >= 8)
		putf(a, 0, x, width, role, "%s%zu-%zu of %zu",
		    width >= 16 ? "BUSY, " : "", e->list.top + 1, last,
		    e->list.n);
	else
		put(a, 0, x, width, role,
		    width >= 16 ? "BUSY and waiting" : "BUSY");
}

static void
draw_engines_title(const struct engines *e, struct area *a,
    const struct columns *c, const struct view_env *env)
{
	enum role role = view_title_role(env);
	int x = 0;

	fill(a, 0, 0, a->r.w, role);
	put(a, 0, x, c->name, role, e->by_class ? "CLASS" : "ENGINE");
	x += c->name;
	draw_busy_title(e, a, x + 1, c->meter - 2, role);
	x += c->meter + c->percent;
	if (c->change > 0)
		put_right(a, 0, x, c->change, role, "CHANGE");
	x += c->change;
	put_right(a, 0, x, c->queue, role, "QUEUE");
	x += c->queue;
	if (c->blocked > 0)
		put_right(a, 0, x, c->blocked, role, "BLKD");
	x += c->blocked;
	if (c->history > 0)
		put(a, 0, x + 1, c->history - 1, role, "HISTORY");
	x += c->history;
	if (e->by_class) {
		put(a, 0, x + 2, a->r.w, role, "CLIENT:CTX NOW");
		return;
	}
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
	put_cut_skip(a, y, x, width, role, text, len, 0);
}

/* Where annotations say what it does now: that; else its step. */
static void
draw_runs(struct area *a, int y, int x, int width, const struct session *s,
    const struct request *rq)
{
	struct text now = {0};

	if (layer_watch_now(&s->layer, rq, &now))
		put_cut(a, y, x, width, ROLE_ANNOTATION, text_str(&now));
	else
		draw_step(a, y, x, width, s, rq, ROLE_NORMAL);
	text_free(&now);
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
		draw_runs(a, y, x + 2, c->step - 2, s, rq);
}

static void
put_depth(struct area *a, int y, int x, int width, uint32_t n)
{
	char buf[UNITS_LEN];

	put_right(a, y, x, width, n > 0 ? ROLE_NORMAL : ROLE_DIM,
	    format_count(buf, n));
}

/* What runs on each engine of a class that is not free; of a class of one,
 * its step too. */
static void
draw_all_running(struct engines *e, struct area *a, int y, int x,
    const struct columns *c, const struct session *s, struct engine_group row)
{
	const struct hw_engine *only = &s->run.sim->device.engines[row.first];
	int step = x + c->client + c->context + c->priority;

	text_clear(&e->text);
	for (unsigned i = row.first; i < row.first + row.n; i++) {
		const struct hw_engine *hw = &s->run.sim->device.engines[i];

		if (hw->running == NULL)
			continue;
		text_addf(&e->text, "%s%u:%u", e->text.len > 0 ? ", " : "",
		    hw->running->client->id, hw->running->context->def->number);
		if (row.n > 1)
			text_addf(&e->text, " on %s", hw->name);
	}
	if (e->text.len > 0)
		put_cut(a, y, x + 2, a->r.w, ROLE_NORMAL, text_str(&e->text));
	else
		put(a, y, x + 2, a->r.w, ROLE_DIM, "-");
	if (row.n == 1 && only->running != NULL && c->step > 0)
		draw_step(
		    a, y, step + 2, c->step - 2, s, only->running, ROLE_NORMAL);
}

/* Requests in flight that may be counted per frame and row. */
#define COUNT_MAX 2000

/* A request that may take any of several engines waits for each of them, but
 * is one. Where too many are in flight to be counted, they are not told
 * apart. */
static uint32_t
count_queued(const struct session *s, struct engine_group row)
{
	const struct device *dev = &s->run.sim->device;
	engine_mask mask = 0;
	uint32_t n = 0;

	for (unsigned i = row.first; i < row.first + row.n; i++) {
		mask |= (engine_mask)1 << i;
		n += dev->engines[i].queued;
	}
	if (row.n == 1 || s->inflight.n > COUNT_MAX)
		return n;
	n = 0;
	for (size_t i = 0; i < s->inflight.n; i++)
		n += s->inflight.list[i]->state == REQUEST_READY &&
		    (s->inflight.list[i]->allowed & mask) != 0;
	return n;
}

struct load {
	float busy, waiting; /* the mean of all */
	uint32_t queued, blocked;
};

static struct load
load_of(const struct session *s, struct engine_group row)
{
	struct load load = {.queued = count_queued(s, row)};

	for (unsigned i = row.first; i < row.first + row.n; i++) {
		load.busy += s->history.engines[i].busy / (float)row.n;
		load.waiting += s->history.engines[i].waiting / (float)row.n;
		load.blocked += s->run.sim->device.engines[i].blocked;
	}
	return load;
}

static int
history_of(const struct session *s, struct engine_group row, int max,
    unsigned char mean[HISTORY_SAMPLES])
{
	unsigned sums[HISTORY_SAMPLES] = {0};
	int n = 0;

	for (unsigned i = row.first; i < row.first + row.n; i++) {
		n = load_history_engine(&s->history, i, max, mean);
		for (int j = 0; j < n; j++)
			sums[j] += mean[j];
	}
	/* A little is not nothing. */
	for (int j = 0; j < n; j++)
		mean[j] = (unsigned char)((sums[j] + row.n - 1) / row.n);
	return n;
}

static void
draw_name(const struct engines *e, struct area *a, int y, int width,
    const struct device *dev, struct engine_group row)
{
	const struct hw_engine *first = &dev->engines[row.first];

	if (!e->by_class)
		put(a, y, 0, width, ROLE_LABEL, first->name);
	else if (row.n == 1)
		put(a, y, 0, width, ROLE_LABEL,
		    engine_class_names[first->class]);
	else
		putf(a, y, 0, width, ROLE_LABEL, "%s x%u",
		    engine_class_names[first->class], row.n);
}

/* Lately, or here, against what it is compared with, in points: 78 % against
 * 72 % of the engines' time are +6.0. */
static void
draw_change(struct area *a, int y, int x, int width, const struct session *s,
    struct engine_group row)
{
	double change = 0, live, other;

	for (unsigned i = 0; i < row.n; i++) {
		if (!baseline_engine(s, row.first + i, &live, &other)) {
			put_right(a, y, x, width, ROLE_DIM, "-");
			return;
		}
		change += (live - other) * 100 / row.n;
	}
	putf(
	    a, y, x + 1, width - 1, ROLE_NORMAL, "%+*.1fpt", width - 3, change);
}

static void
draw_engine_row(struct engines *e, struct area *a, int y,
    const struct columns *c, const struct session *s, struct engine_group row)
{
	const struct hw_engine *hw = &s->run.sim->device.engines[row.first];
	struct load load = load_of(s, row);
	unsigned char percent[HISTORY_SAMPLES];
	char buf[UNITS_LEN];
	int x = c->name, n;

	draw_name(e, a, y, c->name - 1, &s->run.sim->device, row);
	put_meter(a, y, x, c->meter, load.busy, load.waiting);
	x += c->meter;
	snprintf(buf, sizeof(buf), "%.0f%%", load.busy * 100);
	put_right(a, y, x, c->percent, ROLE_STRONG, buf);
	x += c->percent;
	if (c->change > 0)
		draw_change(a, y, x, c->change, s, row);
	x += c->change;
	put_depth(a, y, x, c->queue, load.queued);
	x += c->queue;
	if (c->blocked > 0)
		put_depth(a, y, x, c->blocked, load.blocked);
	x += c->blocked;
	if (c->history > 1) {
		n = history_of(s, row, c->history - 1, percent);
		put_history(a, y, x + 1, c->history - 1, percent, n);
	}
	x += c->history;
	if (e->by_class)
		draw_all_running(e, a, y, x, c, s, row);
	else if (hw->running != NULL)
		draw_running(a, y, x, c, s, hw->running);
	else
		draw_free(a, y, x, c, s, hw->kept_for);
}

static void
engines_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct engines *e = (struct engines *)v;
	const struct session *s = env->session;
	const struct device *dev = &s->run.sim->device;
	struct columns c = make_columns(
	    a->r.w, name_width(dev, e->by_class), baseline_name(s) != NULL);

	list_fit(&e->list, n_rows(e, dev), a->r.h - 1);
	draw_engines_title(e, a, &c, env);
	for (size_t i = 0; i < e->list.height; i++) {
		size_t at = e->list.top + i;

		if (at < e->list.n)
			draw_engine_row(
			    e, a, (int)i + 1, &c, s, row_at(e, dev, at));
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
	return (int)n_rows(
	    (const struct engines *)v, &env->session->run.sim->device);
}

static void
engines_free(struct view *v)
{
	struct engines *e = (struct engines *)v;

	text_free(&e->text);
	free(e);
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
