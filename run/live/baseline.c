/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See reference.h. */
#include "run/live/baseline.h"

#include <stdlib.h>

#include "base/text.h"
#include "run/live/live.h"
#include "run/live/session.h"
#include "run/live/shadow.h"
#include "run/waiting.h"

#define LATELY_NS NSEC_PER_SEC

static void
forget_lately(struct reference *r)
{
	figures_free(&r->lately[0]);
	figures_free(&r->lately[1]);
	r->n_lately = 0;
}

static void
forget(struct reference *r)
{
	figures_free(&r->from);
	figures_free(&r->to);
	forget_lately(r);
	beside_free(r->beside);
	r->beside = NULL;
	r->kind = REFERENCE_NONE;
}

/* When the last change was is known on. */
void
session_forget_reference(struct session *s)
{
	forget(&s->reference);
}

void
reference_end(struct session *s)
{
	forget(&s->reference);
	figures_free(&s->reference.changed_at);
}

/* Live figures begin anew. */
static void
begin_lately(struct session *s)
{
	struct reference *r = &s->reference;

	forget_lately(r);
	if (r->kind != REFERENCE_SNAPSHOT)
		return;
	figures_take(&r->lately[0], s->run.sim);
	r->n_lately = 1;
}

void
reference_change(struct session *s)
{
	s->reference.changed = true;
}

/* Many changes at the same time are one. */
void
reference_before(struct session *s)
{
	struct reference *r = &s->reference;

	if (!r->changed)
		return;
	r->changed = false;
	figures_free(&r->changed_at);
	figures_take(&r->changed_at, s->run.sim);
	begin_lately(s);
}

/* What passes on the screen while somebody looks, or more. */
static nsec
lately_span(const struct session *s)
{
	double speed = s->clock.speed;

	return speed > 1 ? (nsec)((double)LATELY_NS * speed) : LATELY_NS;
}

void
reference_after(struct session *s)
{
	struct reference *r = &s->reference;

	if (r->n_lately == 0 ||
	    s->run.sim->now - r->lately[r->n_lately - 1].at < lately_span(s))
		return;
	if (r->n_lately == 2) {
		figures_free(&r->lately[0]);
		r->lately[0] = r->lately[1];
	}
	figures_take(&r->lately[1], s->run.sim);
	r->n_lately = 2;
}

bool
session_snapshot(struct session *s)
{
	struct reference *r = &s->reference;

	reference_before(s);
	if (s->run.sim->now == r->changed_at.at)
		return false;
	forget(r);
	r->kind = REFERENCE_SNAPSHOT;
	figures_copy(&r->from, &r->changed_at);
	figures_take(&r->to, s->run.sim);
	begin_lately(s);
	return true;
}

/* Launches the plan here and under sched. The shadow is launched first, because
 * a restart cannot be taken back. */
static struct beside *
restart_both(struct session *s, nsec wall, const struct sched_ops *sched,
    struct text *err)
{
	bool *was = waiting_update(s->plan);
	struct beside *b = beside_new(s->plan, sched, err);

	if (b == NULL || !session_restart(s, wall, err)) {
		beside_free(b);
		waiting_take_back(s->plan, was);
		return NULL;
	}
	free(was);
	beside_follow(b, s->run.sim);
	return b;
}

bool
session_compare(
    struct session *s, nsec wall, const char *scheduler, struct text *err)
{
	struct reference *r = &s->reference;
	const struct sched_ops *sched = sched_find(scheduler, err);
	struct beside *b;

	if (sched == NULL)
		return false;
	if (sched == s->plan->sched) {
		text_addf(err, "%s is what runs here already", sched->name);
		return false;
	}
	b = restart_both(s, wall, sched, err);
	if (b == NULL)
		return false;
	session_forget_reference(s);
	r->kind = REFERENCE_BESIDE;
	r->beside = b;
	r->sched = sched;
	return true;
}

void
reference_ending(struct session *s)
{
	beside_free(s->reference.beside);
	s->reference.beside = NULL;
}

/* What was kept of another run is compared with the new one from its start;
 * the run beside starts anew as well, if it can. */
void
reference_launched(struct session *s)
{
	struct reference *r = &s->reference;
	struct text why = {0};

	figures_free(&r->changed_at);
	r->changed = false;
	begin_lately(s);
	if (r->kind != REFERENCE_BESIDE)
		return;
	r->beside = beside_new(s->plan, r->sched, &why);
	text_free(&why);
	if (r->beside != NULL)
		beside_follow(r->beside, s->run.sim);
	else
		session_forget_reference(s);
}

bool
reference_advance(struct session *s, uint64_t max_events)
{
	struct beside *beside = s->reference.beside;

	return beside == NULL ||
	    beside_advance(beside, s->run.sim->now, max_events);
}

const char *
reference_name(const struct session *s)
{
	switch (s->reference.kind) {
	case REFERENCE_SNAPSHOT: return "snapshot";
	case REFERENCE_BESIDE: return s->reference.sched->name;
	default: return NULL;
	}
}

const char *
reference_problem(const struct session *s)
{
	return s->reference.beside != NULL ? beside_problem(s->reference.beside)
					   : NULL;
}

nsec
reference_since(const struct session *s)
{
	return s->reference.lately[0].at;
}

/* The context of the same client and number in another run; NULL. */
static const struct context *
find_like(const struct sim *sim, const struct context *context)
{
	uint32_t id = context->client->id;

	return id < sim->n_clients
	    ? live_find_context(sim->clients[id], context->def->number)
	    : NULL;
}

static bool
other_context(const struct reference *r, const struct context *context,
    struct context_rates *rates)
{
	static const struct figures nothing;
	const struct context_figures *to;
	const struct context *like;

	if (r->kind == REFERENCE_SNAPSHOT) {
		to = figures_context(&r->to, context);
		if (to != NULL)
			*rates = figures_context_rates(
			    figures_context(&r->from, context), to,
			    r->to.at - r->from.at);
		return to != NULL;
	}
	like = find_like(beside_sim(r->beside), context);
	if (like != NULL)
		*rates = figures_context_since(
		    &nothing, beside_sim(r->beside), like);
	return like != NULL;
}

struct difference
reference_context(const struct session *s, const struct context *context)
{
	struct difference d = {
	    .live = figures_context_since(
		&s->reference.lately[0], s->run.sim, context),
	    .measured = s->run.sim->now > reference_since(s),
	};

	d.known = d.measured && s->reference.kind != REFERENCE_NONE &&
	    other_context(&s->reference, context, &d.other);
	return d;
}

/* Totals of the other side: from, to. */
static bool
other_totals(
    const struct reference *r, struct figures *from, struct figures *to)
{
	*from = (struct figures){0};
	switch (r->kind) {
	case REFERENCE_SNAPSHOT:
		*from = r->from;
		*to = r->to;
		return true;
	case REFERENCE_BESIDE:
		*to = figures_totals(beside_sim(r->beside));
		return true;
	default: return false;
	}
}

bool
reference_engine(
    const struct session *s, unsigned engine, double *live, double *other)
{
	struct figures from, to, now;

	if (!other_totals(&s->reference, &from, &to) ||
	    s->run.sim->now == reference_since(s))
		return false;
	now = figures_totals(s->run.sim);
	*live = figures_busy(&s->reference.lately[0], &now, engine);
	*other = figures_busy(&from, &to, engine);
	return true;
}

bool
reference_totals(
    const struct session *s, struct rates *live, struct rates *other)
{
	struct figures from, to, now;

	if (!other_totals(&s->reference, &from, &to))
		return false;
	now = figures_totals(s->run.sim);
	*live = figures_rates(&s->reference.lately[0], &now);
	*other = figures_rates(&from, &to);
	return true;
}
