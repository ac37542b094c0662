/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The baseline of live figures: a snapshot, a shadow, or a trace (baseline_trace.c). The shadow is a second
 * run of the same plan under another scheduler; an observer of the first run
 * queues the controls that are done to it, and the shadow gets them at the same
 * virtual times.
 */
#include "run/live/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "engine/client/control.h"
#include "engine/sched/steps.h"
#include "run/live/live.h"
#include "run/live/session.h"
#include "run/plan.h"

/* A control that the shadow has not reached yet. */
struct pending {
	nsec at;
	struct control control; /* its name and program are owned */
};

struct shadow {
	struct observer observer; /* of first */
	struct sim *first;        /* that it follows; NULL: none yet */
	struct run run;
	const struct sched_ops *sched;
	struct pending *pending;
	size_t n, cap;
	struct text problem; /* "": none */
};

static void
control_get(struct control *c)
{
	if (c->program != NULL)
		c->program = program_ref(c->program);
	if (c->name != NULL)
		c->name = mem_strdup(c->name);
	c->source = NULL;
}

static void
control_put(struct control *c)
{
	if (c->program != NULL)
		program_unref(c->program);
	free((char *)c->name);
}

static void
on_shadowed_control(struct observer *o, const struct control *control)
{
	struct shadow *b = container_of(o, struct shadow, observer);
	struct pending *p;

	b->pending = mem_grow(b->pending, b->n, &b->cap, sizeof(*b->pending));
	p = &b->pending[b->n++];
	*p = (struct pending){b->first->now, *control};
	control_get(&p->control);
}

static struct shadow *
shadow_new(
    const struct plan *plan, const struct sched_ops *sched, struct text *err)
{
	struct plan other = *plan; /* its documents are shared */
	struct shadow *b = mem_calloc(1, sizeof(*b));

	other.sched = b->sched = sched;
	b->observer.controlled = on_shadowed_control;
	if (plan_launch(&other, &b->run, err))
		return b;
	free(b);
	return NULL;
}

static void
shadow_follow(struct shadow *b, struct sim *sim)
{
	b->first = sim;
	b->run.sim->poll = sim->poll;
	b->run.sim->poll_data = sim->poll_data;
	sim_add_observer(sim, &b->observer);
}

static void
shadow_free(struct shadow *b)
{
	if (b == NULL)
		return;
	if (b->first != NULL)
		sim_remove_observer(b->first, &b->observer);
	for (size_t i = 0; i < b->n; i++)
		control_put(&b->pending[i].control);
	free(b->pending);
	run_free(&b->run);
	text_free(&b->problem);
	free(b);
}

static bool
shadow_accepts(
    const struct shadow *b, const struct control *c, struct text *why)
{
	return c->program == NULL ||
	    sched_accepts(
		b->sched, c->program, &b->run.sim->config.profile, why);
}

/* A control that the shadow refuses ends the comparison: from here on it would
 * be another run. */
static void
apply_control(struct shadow *b, const struct control *c)
{
	struct text why = {0};

	if (!shadow_accepts(b, c, &why) || !sim_control(b->run.sim, c, &why))
		text_addf(
		    &b->problem, "%s: %s", b->sched->name, text_str(&why));
	text_free(&why);
}

/* False: it is not there yet, or held. */
static bool
shadow_run_to(struct shadow *b, nsec at, uint64_t max_events)
{
	struct sim *sim = b->run.sim;

	if (sim_go(sim, at, max_events) == SIM_HELD)
		return false;
	if (sim->state == SIM_STOPPED && b->problem.len == 0)
		text_addf(
		    &b->problem, "%s: a key stopped its run", b->sched->name);
	return sim->state != SIM_RUNNING || sim->now >= at;
}

static void
forget_pending(struct shadow *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		control_put(&b->pending[i].control);
	b->n -= n;
	memmove(b->pending, b->pending + n, b->n * sizeof(*b->pending));
}

static bool
shadow_advance(struct shadow *b, nsec now, uint64_t max_events)
{
	size_t done = 0;
	bool there = true;

	for (; done < b->n && b->problem.len == 0; done++) {
		struct pending *p = &b->pending[done];

		there = shadow_run_to(b, p->at, max_events);
		if (!there)
			break;
		apply_control(b, &p->control);
	}
	if (b->problem.len > 0)
		done = b->n;
	if (done > 0)
		forget_pending(b, done);
	if (b->problem.len > 0)
		return true;
	return there && shadow_run_to(b, now, max_events);
}

static const struct sim *
shadow_sim(const struct shadow *b)
{
	return b->run.sim;
}

static const char *
shadow_problem(const struct shadow *b)
{
	return b->problem.len > 0 ? text_str(&b->problem) : NULL;
}

static void
forget_recent(struct baseline *r)
{
	figures_free(&r->recent[0]);
	figures_free(&r->recent[1]);
	r->n_recent = 0;
}

static void
forget_baseline(struct baseline *r)
{
	figures_free(&r->from);
	figures_free(&r->to);
	forget_recent(r);
	shadow_free(r->shadow);
	r->shadow = NULL;
	r->kind = BASELINE_NONE;
}

/* Keeps changed_at. */
void
session_forget_baseline(struct session *s)
{
	forget_baseline(&s->baseline);
	s->is_beside = false;
}

void
baseline_end(struct session *s)
{
	session_set_trace(s, NULL, NULL);
	forget_baseline(&s->baseline);
	figures_free(&s->baseline.changed_at);
}

/* Restarts live figures at the current time. */
static void
begin_recent(struct session *s)
{
	struct baseline *r = &s->baseline;

	forget_recent(r);
	if (r->kind != BASELINE_SNAPSHOT)
		return;
	figures_take(&r->recent[0], s->run.sim);
	r->n_recent = 1;
}

void
baseline_change(struct session *s)
{
	s->baseline.changed = true;
}

/* Changes at the same time count as one. */
void
baseline_before(struct session *s)
{
	struct baseline *r = &s->baseline;

	if (!r->changed)
		return;
	r->changed = false;
	figures_free(&r->changed_at);
	figures_take(&r->changed_at, s->run.sim);
	begin_recent(s);
}

void
baseline_after(struct session *s)
{
	struct baseline *r = &s->baseline;

	baseline_trace_follow(s);
	if (r->n_recent == 0 ||
	    s->run.sim->now - r->recent[r->n_recent - 1].at < session_second(s))
		return;
	if (r->n_recent == 2) {
		figures_free(&r->recent[0]);
		r->recent[0] = r->recent[1];
	}
	figures_take(&r->recent[1], s->run.sim);
	r->n_recent = 2;
}

bool
session_snapshot(struct session *s)
{
	struct baseline *r = &s->baseline;

	baseline_before(s);
	if (s->run.sim->now == r->changed_at.at)
		return false;
	session_forget_baseline(s);
	r->kind = BASELINE_SNAPSHOT;
	figures_copy(&r->from, &r->changed_at);
	figures_take(&r->to, s->run.sim);
	begin_recent(s);
	return true;
}

/* Launches the plan here and under sched. The shadow is launched first, because
 * a restart cannot be taken back. */
static struct shadow *
restart_both(struct session *s, nsec wall, const struct sched_ops *sched,
    struct text *err)
{
	bool *was = plan_update_waiting(s->plan);
	struct shadow *b;

	/* Kept programs were checked for the plan's own scheduler only. */
	plan_drop_programs(s->plan);
	b = shadow_new(s->plan, sched, err);
	if (b == NULL || !session_restart(s, wall, err)) {
		shadow_free(b);
		plan_restore_waiting(s->plan, was);
		return NULL;
	}
	free(was);
	shadow_follow(b, s->run.sim);
	return b;
}

bool
session_compare(
    struct session *s, nsec wall, const char *scheduler, struct text *err)
{
	struct baseline *r = &s->baseline;
	const struct sched_ops *sched = sched_find(scheduler, err);
	struct shadow *b;

	if (sched == NULL)
		return false;
	if (plan_is_of_gpu(s->plan)) {
		text_adds(err,
		    "a GPU has one scheduler, the kernel's: compare schedulers "
		    "without -D");
		return false;
	}
	if (session_is_served(s)) {
		text_adds(err,
		    "programs run once, not under two schedulers beside each "
		    "other: compare descriptors without a device");
		return false;
	}
	if (sched == s->plan->sched) {
		text_addf(err, "%s runs here already: compare with another one",
		    sched->name);
		return false;
	}
	b = restart_both(s, wall, sched, err);
	if (b == NULL)
		return false;
	session_forget_baseline(s);
	r->kind = BASELINE_SHADOW;
	r->shadow = b;
	r->sched = sched;
	r->here = s->plan->sched;
	return true;
}

void
baseline_ending(struct session *s)
{
	shadow_free(s->baseline.shadow);
	s->baseline.shadow = NULL;
}

/* A snapshot of the run before is kept. A shadow is launched again; if its
 * scheduler refuses that, the comparison ends. */
void
baseline_launched(struct session *s)
{
	struct baseline *r = &s->baseline;
	struct text why = {0};

	figures_free(&r->changed_at);
	r->changed = false;
	begin_recent(s);
	baseline_trace_launched(s);
	if (r->kind == BASELINE_TRACE)
		baseline_trace_begin(s);
	if (r->kind != BASELINE_SHADOW)
		return;
	/* Swaps the sides when the run takes the scheduler of its shadow. */
	if (r->sched == s->plan->sched)
		r->sched = r->here;
	r->here = s->plan->sched;
	r->shadow = shadow_new(s->plan, r->sched, &why);
	text_free(&why);
	if (r->shadow != NULL)
		shadow_follow(r->shadow, s->run.sim);
	else
		session_forget_baseline(s);
}

bool
baseline_advance(struct session *s, uint64_t max_events)
{
	struct shadow *shadow = s->baseline.shadow;

	return shadow == NULL ||
	    shadow_advance(shadow, s->run.sim->now, max_events);
}

const char *
baseline_name(const struct session *s)
{
	switch (s->baseline.kind) {
	case BASELINE_SNAPSHOT: return "snapshot";
	case BASELINE_SHADOW: return s->baseline.sched->name;
	case BASELINE_TRACE: return "trace";
	default: return NULL;
	}
}

const char *
baseline_problem(const struct session *s)
{
	return s->baseline.shadow != NULL ? shadow_problem(s->baseline.shadow)
					  : NULL;
}

nsec
baseline_since(const struct session *s)
{
	return s->baseline.recent[0].at;
}

/* The context of the same client and number in another run; NULL: none. */
static const struct context *
find_like(const struct sim *sim, const struct context *context)
{
	uint32_t id = context->client->id;

	return id < sim->n_clients
	    ? live_find_context(sim->clients[id], context->def->number)
	    : NULL;
}

static bool
other_context(const struct baseline *r, const struct context *context,
    struct context_rates *rates)
{
	static const struct figures nothing;
	const struct context_figures *to;
	const struct context *like;

	if (r->kind != BASELINE_SHADOW) {
		to = figures_context(&r->to, context);
		if (to != NULL)
			*rates = figures_context_rates(
			    figures_context(&r->from, context), to,
			    r->to.at - r->from.at);
		return to != NULL;
	}
	like = find_like(shadow_sim(r->shadow), context);
	if (like != NULL)
		*rates = figures_context_since(
		    &nothing, shadow_sim(r->shadow), like);
	return like != NULL;
}

struct difference
baseline_context(const struct session *s, const struct context *context)
{
	struct difference d = {
	    .live = figures_context_since(
		&s->baseline.recent[0], s->run.sim, context),
	    .measured = s->run.sim->now > baseline_since(s),
	};

	d.known = d.measured && s->baseline.kind != BASELINE_NONE &&
	    other_context(&s->baseline, context, &d.other);
	/* A trace does not have periods. */
	if (s->baseline.kind == BASELINE_TRACE)
		d.other.missed = d.live.missed;
	return d;
}

/* Totals of the baseline at the begin and the end of its time. */
static bool
other_totals(const struct baseline *r, struct figures *from, struct figures *to)
{
	*from = (struct figures){0};
	switch (r->kind) {
	case BASELINE_TRACE:
	case BASELINE_SNAPSHOT:
		*from = r->from;
		*to = r->to;
		return true;
	case BASELINE_SHADOW:
		*to = figures_totals(shadow_sim(r->shadow));
		return true;
	default: return false;
	}
}

bool
baseline_engine(
    const struct session *s, unsigned engine, double *live, double *other)
{
	struct figures from, to, now;

	if (!other_totals(&s->baseline, &from, &to) ||
	    s->run.sim->now == baseline_since(s))
		return false;
	now = figures_totals(s->run.sim);
	*live = figures_share(
	    &s->baseline.recent[0], &now, engine, USE_RUNNING);
	*other = figures_share(&from, &to, engine, USE_RUNNING);
	return true;
}

bool
baseline_totals(
    const struct session *s, struct rates *live, struct rates *other)
{
	struct figures from, to, now;

	if (!other_totals(&s->baseline, &from, &to))
		return false;
	now = figures_totals(s->run.sim);
	*live = figures_rates(&s->baseline.recent[0], &now);
	*other = figures_rates(&from, &to);
	return true;
}
