/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See beside.h. */
#include "run/live/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/client/control.h"
#include "run/plan.h"

/* A control that it has still to get. */
struct pending {
	nsec at;
	struct control control; /* name and program are held */
};

struct beside {
	struct observer observer; /* of the first simulation */
	struct sim *first;        /* NULL: follows none yet */
	struct run run;
	const struct sched_ops *sched;
	struct pending *pending;
	size_t n, cap;
	struct text problem; /* "": none */
};

static void
hold(struct control *c)
{
	if (c->program != NULL)
		c->program = program_ref(c->program);
	if (c->name != NULL)
		c->name = mem_strdup(c->name);
	c->source = NULL;
}

static void
let_go(struct control *c)
{
	if (c->program != NULL)
		program_unref(c->program);
	free((char *)c->name);
}

static void
on_controlled(struct observer *o, const struct control *control)
{
	struct beside *b = (struct beside *)o; /* its first member */
	struct pending *p;

	b->pending = mem_grow(b->pending, b->n, &b->cap, sizeof(*b->pending));
	p = &b->pending[b->n++];
	*p = (struct pending){b->first->now, *control};
	hold(&p->control);
}

struct beside *
beside_new(
    const struct plan *plan, const struct sched_ops *sched, struct text *err)
{
	struct plan other = *plan; /* its documents are shared */
	struct beside *b = mem_calloc(1, sizeof(*b));

	other.sched = b->sched = sched;
	b->observer.controlled = on_controlled;
	if (plan_launch(&other, &b->run, err))
		return b;
	free(b);
	return NULL;
}

void
beside_follow(struct beside *b, struct sim *sim)
{
	b->first = sim;
	b->run.sim->poll = sim->poll;
	b->run.sim->poll_data = sim->poll_data;
	sim_add_observer(sim, &b->observer);
}

void
beside_free(struct beside *b)
{
	if (b == NULL)
		return;
	if (b->first != NULL)
		sim_remove_observer(b->first, &b->observer);
	for (size_t i = 0; i < b->n; i++)
		let_go(&b->pending[i].control);
	free(b->pending);
	run_free(&b->run);
	text_free(&b->problem);
	free(b);
}

static bool
takes(const struct beside *b, const struct control *c, struct text *why)
{
	return c->program == NULL || b->sched->accepts == NULL ||
	    b->sched->accepts(c->program, &b->run.sim->config.profile, why);
}

/* Where that can't be done it would be another run from here on. */
static void
apply(struct beside *b, const struct control *c)
{
	struct text why = {0};

	if (!takes(b, c, &why) || !sim_control(b->run.sim, c, &why))
		text_addf(
		    &b->problem, "%s: %s", b->sched->name, text_str(&why));
	text_free(&why);
}

static bool
run_to(struct beside *b, nsec at, uint64_t max_events)
{
	struct sim *sim = b->run.sim;

	sim_run(sim, at, max_events);
	if (sim->state == SIM_STOPPED && b->problem.len == 0)
		text_addf(
		    &b->problem, "%s: a key stopped its run", b->sched->name);
	return sim->state != SIM_RUNNING || sim->now >= at;
}

static void
forget_pending(struct beside *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		let_go(&b->pending[i].control);
	b->n -= n;
	memmove(b->pending, b->pending + n, b->n * sizeof(*b->pending));
}

bool
beside_advance(struct beside *b, nsec now, uint64_t max_events)
{
	size_t done = 0;
	bool there = true;

	for (; done < b->n && b->problem.len == 0; done++) {
		struct pending *p = &b->pending[done];

		there = run_to(b, p->at, max_events);
		if (!there)
			break;
		apply(b, &p->control);
	}
	if (b->problem.len > 0)
		done = b->n;
	if (done > 0)
		forget_pending(b, done);
	if (b->problem.len > 0)
		return true;
	return there && run_to(b, now, max_events);
}

const struct sim *
beside_sim(const struct beside *b)
{
	return b->run.sim;
}

const char *
beside_problem(const struct beside *b)
{
	return b->problem.len > 0 ? text_str(&b->problem) : NULL;
}
