/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See fence_draw.h. */
#include "tui/views/fences.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/explain/explain.h"
#include "engine/gpu/pace.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

/* Waiters are counted up to this. */
#define MAX_WAITERS 999

/* From left to right; a width of 0: not shown. */
struct fence_columns {
	int request, client, context, step, what, engine;
	int state, age, ran, bar, waiters, hold;
};

/* What is narrow stays; the text of the step and of what it waits for share
 * the rest. */
static struct fence_columns
fence_columns_make(int w, const struct sim *sim)
{
	struct fence_columns c = {
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

/* Where the next cell of a row goes. */
struct pen {
	struct area *a;
	int y, x;
	enum role role;
};

/* To the right end of a cell. */
static void
pen_right(struct pen *p, int width, const char *text)
{
	if (width > 0)
		put_right(p->a, p->y, p->x, width, p->role, text);
	p->x += width;
}

/* To the left end of one, behind a gap. */
static void
pen_left(struct pen *p, int gap, int width, enum role role, const char *text)
{
	if (width > gap)
		put_cut(p->a, p->y, p->x + gap, width - gap - 1, role, text);
	p->x += width;
}

static void
pen_number(struct pen *p, int width, uint64_t n)
{
	char buf[UNITS_LEN];

	snprintf(buf, sizeof(buf), "%" PRIu64, n);
	pen_right(p, width, buf);
}

static void
pen_duration(struct pen *p, int width, nsec ns)
{
	char buf[UNITS_LEN];

	pen_right(p, width, format_duration(buf, ns));
}

static void
fence_draw_title(struct area *a, const struct fence_columns *c, enum role role,
    bool by_engine, bool all)
{
	struct pen p = {a, 0, 0, role};

	fill(a, 0, 0, a->r.w, role);
	p.role = by_engine ? role : ROLE_SORTED;
	pen_right(&p, c->request, "REQ");
	p.role = role;
	pen_right(&p, c->client, "CLIENT");
	pen_right(&p, c->context, "CTX");
	pen_right(&p, c->step, "STEP");
	p.x += c->what;
	pen_left(&p, 1, c->engine, by_engine ? ROLE_SORTED : role, "ENGINE");
	if (c->hold > 0 || all)
		pen_left(&p, 0, c->state, role, "STATE");
	else /* room for where one is in the list */
		p.x += c->state;
	pen_right(&p, c->age, "AGE");
	pen_right(&p, c->ran, "RAN");
	p.x += c->bar;
	pen_right(&p, c->waiters, "WAITERS");
	pen_left(&p, 2, c->hold, role, "WAITS FOR");
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
add_request_name(
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
	struct blocker blocker = blocked_on(s->run.sim, rq);

	switch (blocker.kind) {
	case BLOCKED_NOT:
	case BLOCKED_ON_END: break;
	case BLOCKED_ON_START: text_adds(out, "start of "); break;
	case BLOCKED_ON_SOFTWARE_FENCE:
		text_addf(out, "the fence of step %u", blocker.step);
		break;
	case BLOCKED_ON_ENGINE: text_adds(out, "behind "); break;
	case BLOCKED_ON_SCHEDULER: text_adds(out, blocker.why); break;
	case BLOCKED_ON_RESET: text_adds(out, "engine is being reset"); break;
	case BLOCKED_ON_SEMAPHORE: text_adds(out, "end of "); break;
	}
	if (blocker.by != NULL)
		add_request_name(blocker.by, rq, out);
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
print_request_state(const struct session *s, const struct request *rq,
    int width, struct text *out)
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
print_request_engine(
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
draw_what(
    struct pen *p, int width, const struct session *s, const struct request *rq)
{
	size_t len;
	const char *text = session_step_text(s, rq, &len);

	if (width > 2)
		put_cut_skip(
		    p->a, p->y, p->x + 2, width - 2, p->role, text, len, 0);
	p->x += width;
}

/* done: work, of that which there is. */
static void
draw_bar(struct pen *p, int width, nsec done, const struct request *rq)
{
	int x = p->x;

	p->x += width;
	if (width == 0 || (done == 0 && rq->state != REQUEST_RUNNING))
		return;
	if (rq->infinite)
		put(p->a, p->y, x + 2, width - 2, ROLE_DIM, "no end");
	else if (rq->duration_ns > 0)
		put_meter(p->a, p->y, x + 1, width - 1,
		    (double)done / (double)rq->duration_ns, 0);
}

static void
draw_waiters(struct pen *p, int width, const struct request *rq)
{
	unsigned n = width > 0 ? count_waiters(rq, MAX_WAITERS) : 0;

	if (n > 0)
		pen_number(p, width, n);
	else
		p->x += width;
}

static void
draw_live(struct pen *p, const struct fence_columns *c, const struct session *s,
    const struct request *rq)
{
	const struct sim *sim = s->run.sim;
	nsec ran = ran_of(sim, rq);
	struct text t = {0};
	enum role role;

	pen_number(p, c->request, rq->seq);
	pen_number(p, c->client, rq->client->id);
	pen_number(p, c->context, rq->context->def->number);
	pen_number(p, c->step, rq->step);
	draw_what(p, c->what, s, rq);
	print_request_engine(s, rq, &t);
	pen_left(p, 1, c->engine, p->role, text_str(&t));
	text_clear(&t);
	role = print_request_state(s, rq, c->state, &t);
	pen_left(p, 0, c->state, role, text_str(&t));
	pen_duration(p, c->age, sim->now - rq->submit_ns);
	if (ran > 0)
		pen_duration(p, c->ran, ran);
	else
		p->x += c->ran;
	draw_bar(p, c->bar, pace_done(rq, sim->now), rq);
	draw_waiters(p, c->waiters, rq);
	text_clear(&t);
	print_hold(s, rq, &t);
	pen_left(p, 2, c->hold + 1, p->role, text_str(&t));
	text_free(&t);
}

static void
draw_error(struct pen *p, int width, int error)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%s", strerrorname_np(-error));
	pen_left(p, 0, width, ROLE_BAD, buf);
}

static void
draw_done(struct pen *p, const struct fence_columns *c, const struct session *s,
    uint64_t seq)
{
	const struct trail_request *r = trail_request(s->trail, seq);
	const struct hw_engine *engines = s->run.sim->device.engines;

	p->role = ROLE_DIM;
	pen_number(p, c->request, seq);
	if (r == NULL || r->end_ns == NSEC_NEVER)
		return;
	pen_number(p, c->client, r->client);
	pen_number(p, c->context, r->context);
	pen_number(p, c->step, r->step);
	p->x += c->what;
	pen_left(p, 1, c->engine, p->role,
	    r->engine != TRAIL_NO_ENGINE ? engines[r->engine].name : "");
	if (r->error == 0)
		pen_left(p, 0, c->state, p->role, "done");
	else
		draw_error(p, c->state, r->error);
	pen_duration(p, c->age, r->end_ns - r->submit_ns);
	pen_duration(p, c->ran, r->run_ns);
}

static void
fence_draw_row(struct area *a, int y, const struct fence_columns *c,
    const struct session *s, const struct fence_row *row, enum role role)
{
	const struct request *rq = row_request(row);
	struct pen p = {a, y, 0, role};

	if (rq != NULL)
		draw_live(&p, c, s, rq);
	else
		draw_done(&p, c, s, row->seq);
}

static void
fence_print(
    const struct session *s, const struct fence_row *row, struct text *out)
{
	const struct request *rq = row_request(row);
	size_t len;
	const char *what;

	text_addf(out, "%" PRIu64 " ", row->seq);
	if (rq == NULL)
		return;
	what = session_step_text(s, rq, &len);
	text_add(out, what, len);
	text_addc(out, ' ');
	print_request_engine(s, rq, out);
	text_addc(out, ' ');
	print_hold(s, rq, out);
}

/*
 * The fences view: every request in flight, what it waits for, who waits for
 * it, and how far it is. Only rows on the screen are explained. The rows that
 * the selected request waits for, and those that wait for it, stand out.
 */

struct fences {
	struct view view;
	struct row_list list;
	struct fence_rows rows;
	struct text text;   /* for searching */
	struct chain chain; /* of the selected one */
	const struct request *selected;
};

/* Does it belong to the selected request: one waits for the other? */
static bool
is_in_chain(
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
draw_fence_row(const struct fences *f, const struct view_env *env,
    struct area *a, int y, const struct fence_columns *c, size_t at)
{
	const struct session *s = env->session;
	const struct fence_row *row = &f->rows.list[at];
	const struct request *rq = row_request(row);
	bool related = rq != NULL && is_in_chain(f, s->run.sim, rq);

	fence_draw_row(a, y, c, s, row, related ? ROLE_RELATED : ROLE_NORMAL);
	if (row->seq == env->selection->request)
		paint(a, y, 0, a->r.w,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
}

static void
select_fence_row(struct fences *f, const struct view_env *env)
{
	if (f->list.cursor < f->rows.n)
		env->selection->request = f->rows.list[f->list.cursor].seq;
}

/* The cursor goes where the selected request is now. When that has gone, the
 * cursor stays where it is, and if it is looked at selects what is there. */
static void
follow_request(struct fences *f, const struct view_env *env)
{
	size_t at = fence_rows_find(&f->rows, env->selection->request);

	if (at < f->rows.n)
		f->list.cursor = at;
	else if (env->focus)
		select_fence_row(f, env);
}

static void
update_fences(struct fences *f, const struct view_env *env)
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
		follow_request(f, env);
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
	struct fence_columns c = fence_columns_make(
	    a->r.w, env->session->run.sim);

	update_fences(f, env);
	list_fit(&f->list, f->rows.n, a->r.h - 1);
	fence_draw_title(a, &c, view_title_role(env), f->rows.by_engine,
	    f->list.n <= f->list.height);
	list_draw_place(&f->list, a, view_title_role(env));
	for (size_t i = 0; i < f->list.height; i++)
		if (f->list.top + i < f->rows.n)
			draw_fence_row(
			    f, env, a, (int)i + 1, &c, f->list.top + i);
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
	select_fence_row(f, env);
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
fences_find(struct view *v, const struct view_env *env, const char *text,
    size_t from, int step)
{
	struct fences *f = (struct fences *)v;
	struct needle needle = needle_of(text, strlen(text));

	for (struct list_walk w = walk_begin(f->rows.n, from, step);
	     walk_goes_on(&w); walk_step(&w)) {
		text_clear(&f->text);
		fence_print(env->session, &f->rows.list[w.at], &f->text);
		if (needle_find(&needle, text_str(&f->text), f->text.len, 0) ==
		    NOWHERE)
			continue;
		f->list.cursor = w.at;
		select_row(f, env);
		return true;
	}
	return false;
}

static size_t
fences_place(const struct view *v)
{
	return ((const struct fences *)v)->list.cursor;
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
	f->list = (struct row_list){.height = f->list.height};
	env->selection->request = 0;
}

static void
free_fences(struct view *v)
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
    .find = fences_find,
    .place = fences_place,
    .launched = fences_launched,
    .free = free_fences,
};

struct view *
view_fences_new(void)
{
	struct fences *f = mem_calloc(1, sizeof(*f));

	f->view.ops = &fences_ops;
	f->rows.stale = true;
	return &f->view;
}
