/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See fence_draw.h. */
#include "tui/views/fence_draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "engine/explain/explain.h"
#include "engine/gpu/pace.h"

/* Waiters are counted up to this. */
#define MAX_WAITERS 999

/* What is narrow stays; the text of the step and of what it waits for share
 * the rest. */
struct fence_columns
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

void
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
	print_engine(s, rq, &t);
	pen_left(p, 1, c->engine, p->role, text_str(&t));
	text_clear(&t);
	role = print_state(s, rq, c->state, &t);
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

void
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

void
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
	print_engine(s, rq, out);
	text_addc(out, ' ');
	print_hold(s, rq, out);
}
