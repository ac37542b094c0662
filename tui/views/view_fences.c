/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fences view: every request in flight, what it waits for, who waits for
 * it, and how far it is. Only rows on the screen are explained. The rows that
 * the selected request waits for, and those that wait for it, stand out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/check/hold.h"
#include "parser/mem.h"
#include "parser/text.h"
#include "tui/screen/units.h"
#include "tui/views/fence_rows.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

/* Waiters are counted up to this. */
#define MAX_WAITERS 999

struct fences {
	struct view view;
	struct list list;
	struct fence_rows rows;
	struct text text;   /* for printing */
	struct chain chain; /* of the selected one */
	const struct request *selected;
};

/* Columns from left to right; a width of 0: not shown. */
struct columns {
	int request, client, context, step, what, engine;
	int state, age, ran, bar, waiters, hold;
};

/* What is narrow stays; the text of the step and of what it waits for share
 * the rest. */
static struct columns
make_columns(int w, const struct sim *sim)
{
	struct columns c = {
	    .client = 7, .context = 5, .step = 5, .engine = 8, .state = 10};
	int rest;

	c.request = snprintf(NULL, 0, "%" PRIu64, sim->n_submitted) + 1;
	if (c.request < 5)
		c.request = 5;
	if (w >= 56)
		c.age = 8;
	if (w >= 74)
		c.ran = 8;
	if (w >= 92)
		c.waiters = 9;
	if (w >= 98)
		c.bar = 10;
	if (w >= 110)
		c.state = 13;
	rest = w - c.request - c.client - c.context - c.step - c.engine -
	    c.state - c.age - c.ran - c.bar - c.waiters;
	if (rest >= 48)
		c.what = rest * 45 / 100;
	if (rest >= 14)
		c.hold = rest - c.what;
	return c;
}

static void
draw_title(const struct fences *f, struct area *a, const struct columns *c,
    const struct view_env *env)
{
	enum role role = view_title_role(env);
	bool engines = f->rows.by_engine;
	int x = 0;

	fill(a, 0, 0, a->r.w, role);
	put_right(a, 0, x, c->request, engines ? role : ROLE_SORTED, "REQ");
	x += c->request;
	put_right(a, 0, x, c->client, role, "CLIENT");
	x += c->client;
	put_right(a, 0, x, c->context, role, "CTX");
	x += c->context;
	put_right(a, 0, x, c->step, role, "STEP");
	x += c->step + c->what;
	put(a, 0, x + 1, c->engine - 1, engines ? ROLE_SORTED : role, "ENGINE");
	x += c->engine;
	put(a, 0, x, c->state, role, "STATE");
	x += c->state;
	put_right(a, 0, x, c->age, role, c->age > 0 ? "AGE" : "");
	x += c->age;
	put_right(a, 0, x, c->ran, role, c->ran > 0 ? "RAN" : "");
	x += c->ran + c->bar;
	put_right(a, 0, x, c->waiters, role, c->waiters > 0 ? "WAITERS" : "");
	x += c->waiters;
	if (c->hold > 0)
		put(a, 0, x + 2, c->hold - 2, role, "WAITS FOR");
}

static void
put_number(struct area *a, int y, int x, int width, enum role role, uint64_t n)
{
	char buf[UNITS_LEN];

	snprintf(buf, sizeof(buf), "%" PRIu64, n);
	put_right(a, y, x, width, role, buf);
}

static void
put_duration(struct area *a, int y, int x, int width, enum role role, nsec ns)
{
	char buf[UNITS_LEN];

	if (width > 0)
		put_right(a, y, x, width, role, format_duration(buf, ns));
}

static nsec
ran_of(const struct sim *sim, const struct request *rq)
{
	return rq->run_ns +
	    (rq->piece_ns != NSEC_NEVER ? sim->now - rq->piece_ns : 0);
}

/* "client 2 step 3 on VCS1"; only so much of it as the row of own does not
 * say already. */
static void
name_request(
    const struct request *rq, const struct request *own, struct text *out)
{
	if (rq->client != own->client)
		text_addf(out, "client %u ", rq->client->id);
	text_addf(out, "step %u", rq->step);
	if (rq->engine != NULL && rq->engine != own->engine)
		text_addf(out, " on %s", rq->engine->name);
}

static void
print_hold(const struct session *s, const struct request *rq, struct text *out)
{
	struct hold hold = hold_of(s->run.sim, rq);

	switch (hold.kind) {
	case HOLD_NOTHING:
	case HOLD_END: break;
	case HOLD_START: text_adds(out, "start of "); break;
	case HOLD_SOFTWARE:
		text_addf(out, "the fence of step %u", hold.step);
		break;
	case HOLD_ENGINE: text_adds(out, "behind "); break;
	case HOLD_SCHEDULER: text_adds(out, hold.why); break;
	case HOLD_RESET: text_adds(out, "engine is being reset"); break;
	case HOLD_SEMAPHORE: text_adds(out, "end of "); break;
	}
	if (hold.by != NULL)
		name_request(hold.by, rq, out);
}

/* "ready 2/8"; without an order "ready 1 of 8"; as much as has room. */
static void
print_ready(const struct session *s, const struct request *rq, int width,
    struct text *out)
{
	struct queue_place p = place_in_queue(s, rq);
	size_t room = (size_t)width - 1;

	if (p.place > 0)
		text_addf(out, "ready %u/%u", p.place, p.of);
	else if (p.of > 0)
		text_addf(out, "ready 1 of %u", p.of);
	if (out->len > room && p.place > 0) {
		text_clear(out);
		text_addf(out, "ready %u", p.place);
	}
	if (out->len == 0 || out->len > room) {
		text_clear(out);
		text_adds(out, "ready");
	}
}

static enum role
print_state(const struct session *s, const struct request *rq, int width,
    struct text *out)
{

	switch (rq->state) {
	case REQUEST_BLOCKED: text_adds(out, "blocked"); return ROLE_WAITING;
	case REQUEST_READY: print_ready(s, rq, width, out); return ROLE_WARN;
	default: break;
	}
	text_adds(out,
	    rq->piece_ns != NSEC_NEVER ? "running"
		: rq->n_unended > 0    ? "polling"
				       : "switching");
	return ROLE_GOOD;
}

/* Where it is; of several that it may have, the first, with a sign. */
static void
print_engine(
    const struct session *s, const struct request *rq, struct text *out)
{
	const struct hw_engine *engines = s->run.sim->device.engines;

	if (rq->engine != NULL)
		text_adds(out, rq->engine->name);
	else if (rq->allowed != 0)
		text_addf(out, "%s%s",
		    engines[__builtin_ctzll(rq->allowed)].name,
		    rq->allowed & (rq->allowed - 1) ? "+" : "");
}

static void
draw_what(struct area *a, int y, int x, int width, const struct session *s,
    const struct request *rq, enum role role)
{
	size_t len;
	const char *text = session_step_text(s, rq, &len);

	put_n(a, y, x, width, role, text, len);
}

/* How far it is, of what it will take. */
static void
draw_bar(struct area *a, int y, int x, const struct columns *c,
    const struct sim *sim, const struct request *rq)
{
	nsec ran = ran_of(sim, rq);

	if (c->bar == 0 || (ran == 0 && rq->state != REQUEST_RUNNING))
		return;
	if (rq->infinite)
		put(a, y, x + 2, c->bar - 2, ROLE_DIM, "no end");
	else if (rq->duration_ns > 0)
		put_meter(a, y, x + 1, c->bar - 1,
		    (double)ran / (double)rq->duration_ns, 0);
}

static void
draw_live(struct fences *f, const struct view_env *env, struct area *a, int y,
    const struct columns *c, const struct request *rq, enum role role)
{
	const struct session *s = env->session;
	const struct sim *sim = s->run.sim;
	unsigned waiters;
	enum role state;
	int x = 0;

	put_number(a, y, x, c->request, role, rq->seq);
	x += c->request;
	put_number(a, y, x, c->client, role, rq->client->id);
	x += c->client;
	put_number(a, y, x, c->context, role, rq->context->def->number);
	x += c->context;
	put_number(a, y, x, c->step, role, rq->step);
	x += c->step;
	if (c->what > 0)
		draw_what(a, y, x + 2, c->what - 2, s, rq, role);
	x += c->what;
	text_clear(&f->text);
	print_engine(s, rq, &f->text);
	put(a, y, x + 1, c->engine - 2, role, text_str(&f->text));
	x += c->engine;
	text_clear(&f->text);
	state = print_state(s, rq, c->state, &f->text);
	put(a, y, x, c->state, state, text_str(&f->text));
	x += c->state;
	put_duration(a, y, x, c->age, role, sim->now - rq->submit_ns);
	x += c->age;
	if (ran_of(sim, rq) > 0)
		put_duration(a, y, x, c->ran, role, ran_of(sim, rq));
	x += c->ran;
	draw_bar(a, y, x, c, sim, rq);
	x += c->bar;
	waiters = c->waiters > 0 ? count_waiters(rq, MAX_WAITERS) : 0;
	if (waiters > 0)
		put_number(a, y, x, c->waiters, role, waiters);
	x += c->waiters;
	text_clear(&f->text);
	print_hold(s, rq, &f->text);
	if (c->hold > 0)
		put(a, y, x + 2, c->hold - 2, role, text_str(&f->text));
}

/* One that has ended, as the trail remembers it. */
static void
draw_done(struct fences *f, const struct view_env *env, struct area *a, int y,
    const struct columns *c, uint64_t seq)
{
	const struct session *s = env->session;
	const struct trail_request *r = trail_request(s->trail, seq);
	const struct hw_engine *engines = s->run.sim->device.engines;
	int x = 0;

	put_number(a, y, x, c->request, ROLE_DIM, seq);
	x += c->request;
	if (r == NULL)
		return;
	put_number(a, y, x, c->client, ROLE_DIM, r->client);
	x += c->client;
	put_number(a, y, x, c->context, ROLE_DIM, r->context);
	x += c->context;
	put_number(a, y, x, c->step, ROLE_DIM, r->step);
	x += c->step + c->what;
	if (r->engine != TRAIL_NO_ENGINE)
		put(a, y, x + 1, c->engine - 2, ROLE_DIM,
		    engines[r->engine].name);
	x += c->engine;
	text_clear(&f->text);
	text_adds(&f->text, r->error == 0 ? "done" : "error ");
	if (r->error != 0)
		text_adds(&f->text, strerrorname_np(-r->error));
	put(a, y, x, c->state, r->error == 0 ? ROLE_DIM : ROLE_BAD,
	    text_str(&f->text));
	x += c->state;
	if (r->end_ns != NSEC_NEVER)
		put_duration(
		    a, y, x, c->age, ROLE_DIM, r->end_ns - r->submit_ns);
	x += c->age;
	put_duration(a, y, x, c->ran, ROLE_DIM, r->run_ns);
}

/* Does it belong to the selected request: one waits for the other? */
static bool
is_related(
    const struct fences *f, const struct sim *sim, const struct request *rq)
{
	struct chain own;

	if (f->selected == NULL || rq == f->selected)
		return false;
	if (chain_has(&f->chain, rq))
		return true;
	chain_of(&own, sim, rq);
	return chain_has(&own, f->selected);
}

static void
draw_row(struct fences *f, const struct view_env *env, struct area *a, int y,
    const struct columns *c, size_t at)
{
	const struct fence_row *row = &f->rows.list[at];
	const struct request *rq = row_request(row);

	if (rq == NULL)
		draw_done(f, env, a, y, c, row->seq);
	else
		draw_live(f, env, a, y, c, rq,
		    is_related(f, env->session->run.sim, rq) ? ROLE_RELATED
							     : ROLE_NORMAL);
	if (row->seq == env->selection->request)
		paint(a, y, 0, a->r.w,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
}

static void
select_cursor(struct fences *f, const struct view_env *env)
{
	if (f->list.cursor < f->rows.n)
		env->selection->request = f->rows.list[f->list.cursor].seq;
}

/* The cursor goes where the selected request is now. When that has gone, the
 * cursor stays where it is, and if it is looked at selects what is there. */
static void
follow_selection(struct fences *f, const struct view_env *env)
{
	size_t at = fence_rows_find(&f->rows, env->selection->request);

	if (at < f->rows.n)
		f->list.cursor = at;
	else if (env->focus)
		select_cursor(f, env);
}

static void
update(struct fences *f, const struct view_env *env)
{
	const struct session *s = env->session;
	bool moved = fence_rows_update(&f->rows, s);
	size_t at;

	f->list.n = f->rows.n;
	if (f->list.cursor >= f->rows.n)
		f->list.cursor = f->rows.n > 0 ? f->rows.n - 1 : 0;
	at = f->list.cursor;
	if (moved || at >= f->rows.n ||
	    f->rows.list[at].seq != env->selection->request)
		follow_selection(f, env);
	at = f->list.cursor;
	f->selected = at < f->rows.n &&
		f->rows.list[at].seq == env->selection->request
	    ? row_request(&f->rows.list[at])
	    : NULL;
	if (f->selected != NULL)
		chain_of(&f->chain, s->run.sim, f->selected);
}

static void
fences_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct fences *f = (struct fences *)v;
	struct columns c = make_columns(a->r.w, env->session->run.sim);

	update(f, env);
	list_fit(&f->list, f->rows.n, a->r.h - 1);
	draw_title(f, a, &c, env);
	for (size_t i = 0; i < f->list.height; i++)
		if (f->list.top + i < f->rows.n)
			draw_row(f, env, a, (int)i + 1, &c, f->list.top + i);
	if (f->rows.n == 0)
		put(a, 1, 1, a->r.w - 1, ROLE_DIM, "nothing is in flight");
}

/* The context of the selected request is selected with it. */
static void
select_its_context(const struct fences *f, const struct view_env *env)
{
	const struct session *s = env->session;
	const struct fence_row *row = &f->rows.list[f->list.cursor];
	const struct trail_request *r = trail_request(s->trail, row->seq);
	const struct request *rq = row_request(row);

	if (rq != NULL)
		select_context(env->selection, s, rq->client->id,
		    rq->context->def->number);
	else if (r != NULL)
		select_context(env->selection, s, r->client, r->context);
}

static void
select_row(struct fences *f, const struct view_env *env)
{
	if (f->list.cursor >= f->rows.n)
		return;
	select_cursor(f, env);
	select_its_context(f, env);
}

static bool
fences_mouse(
    struct view *v, const struct view_env *env, int x, int y, enum mouse what)
{
	struct fences *f = (struct fences *)v;

	(void)x;
	if (list_mouse(&f->list, y - 1, what))
		select_row(f, env);
	return true;
}

static bool
fences_act(struct view *v, const struct view_env *env, enum action action)
{
	struct fences *f = (struct fences *)v;

	if (list_act(&f->list, action)) {
		select_row(f, env);
		return true;
	}
	switch (action) {
	case ACT_SORT_FENCES: f->rows.by_engine = !f->rows.by_engine; break;
	case ACT_HIDE_DONE: f->rows.hide_done = !f->rows.hide_done; break;
	default: return false;
	}
	f->rows.stale = true;
	return true;
}

/* Of a new run nothing is known any more; requests go on when a program is
 * taken over. */
static void
fences_launched(struct view *v, const struct view_env *env)
{
	struct fences *f = (struct fences *)v;

	f->rows.n = 0;
	f->rows.stale = true;
	f->selected = NULL;
	if (env->session->n_swaps > 0)
		return;
	f->list = (struct list){.height = f->list.height};
	env->selection->request = 0;
}

static void
fences_free(struct view *v)
{
	struct fences *f = (struct fences *)v;

	fence_rows_free(&f->rows);
	text_free(&f->text);
	free(f);
}

static const struct view_ops fences_ops = {
    .name = "Fences",
    .scope = SCOPE_FENCES,
    .draw = fences_draw,
    .act = fences_act,
    .mouse = fences_mouse,
    .launched = fences_launched,
    .free = fences_free,
};

struct view *
view_fences_new(void)
{
	struct fences *f = mem_calloc(1, sizeof(*f));

	f->view.ops = &fences_ops;
	f->rows.stale = true;
	return &f->view;
}
