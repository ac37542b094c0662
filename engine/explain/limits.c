/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the engine that limits a run, from the totals of engines, and what
 * clients waited for, from a trail. */
#include "engine/explain/limits.h"

#include <string.h>

#include "engine/explain/why.h"
#include "engine/sim.h"

/* doc/model/causes.md "What limits" */
#define LIMIT_HELD   0.90
#define LIMIT_QUEUED 0.50

static struct limits_totals
totals_of(const struct hw_engine *e, nsec now)
{
	struct engine_times times = hw_engine_times(e, now);

	return (struct limits_totals){
	    .ran = times.ns[USE_RUNNING],
	    .switched = times.ns[USE_SWITCHING],
	    .slices = hw_engine_sseu(e, now),
	    .queued = hw_engine_queued(e, now),
	    .area = hw_engine_queue_area(e, now),
	};
}

void
limits_mark(struct limits_mark *mark, const struct sim *sim)
{
	mark->at = sim->now;
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		mark->engines[i] = totals_of(&sim->device.engines[i], sim->now);
}

/* The engine. */

/* The shares of an engine in the window. */
struct use {
	double held, ran, switched, slices, queued, queue;
};

static struct use
use_of(const struct limits_totals *then, const struct hw_engine *e, nsec from,
    nsec now)
{
	struct limits_totals t = totals_of(e, now);
	double span = (double)(now - from);
	nsec ran = t.ran - then->ran, switched = t.switched - then->switched;

	return (struct use){
	    .held = (double)(ran + switched) / span,
	    .ran = (double)ran / span,
	    .switched = (double)switched / span,
	    .slices = (double)(t.slices - then->slices) / span,
	    .queued = (double)(t.queued - then->queued) / span,
	    .queue = (double)(t.area - then->area) / span,
	};
}

static bool
use_limits(const struct use *u)
{
	return u->held >= LIMIT_HELD && u->queued >= LIMIT_QUEUED;
}

/* Returns true if a comes before b: engines that limit by their queues, before
 * the others by their use. */
static bool
use_is_worse(const struct use *a, const struct use *b)
{
	if (use_limits(a) != use_limits(b))
		return use_limits(a);
	return use_limits(a) ? a->queue > b->queue : a->held > b->held;
}

static void
find_engine(
    struct limits *l, const struct limits_mark *then, const struct sim *sim)
{
	struct use most = {.held = -1};

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct use u = use_of(
		    &then->engines[i], &sim->device.engines[i], l->from, l->to);

		if (most.held >= 0 && !use_is_worse(&u, &most))
			continue;
		most = u;
		l->engine = i;
	}
	l->found = use_limits(&most);
	l->held = most.held;
	l->ran = most.ran;
	l->switched = most.switched;
	l->slices = most.slices;
	l->queued = most.queued;
	l->queue = most.queue;
}

/* The clients. */

/* A client whose waits are walked. */
struct client_look {
	struct limits *limits;
	const struct trail *trail;
	double weight; /* of a ns in the mean over clients */
	bool alone;    /* contexts are named, not clients */
	uint32_t client;
	nsec waited; /* for the engine that limits */
};

/* Puts w among the waiters, most first. */
static void
name_waiter(struct limits *l, struct limits_waiter w)
{
	unsigned i = l->n_waiters;

	if (i == LIMITS_WAITERS) {
		l->n_more++;
		if (l->waiters[--i].share >= w.share)
			return;
	} else {
		l->n_waiters++;
	}
	for (; i > 0 && l->waiters[i - 1].share < w.share; i--)
		l->waiters[i] = l->waiters[i - 1];
	l->waiters[i] = w;
}

/* Adds to the waiter of that context, whose place may change. */
static void
name_context(struct limits *l, uint32_t client, uint32_t context, double share)
{
	for (unsigned i = 0; i < l->n_waiters; i++) {
		if (l->waiters[i].context != context)
			continue;
		share += l->waiters[i].share;
		for (l->n_waiters--; i < l->n_waiters; i++)
			l->waiters[i] = l->waiters[i + 1];
		break;
	}
	name_waiter(l, (struct limits_waiter){client, context, share});
}

/* Adds a time in which the batch that a client waits for is ready and without an
 * engine. */
static void
add_turn(struct client_look *look, const struct why_part *p, double share)
{
	struct limits *l = look->limits;
	const struct trail_request *r = trail_request(look->trail, p->request);

	if (p->engine == TRAIL_NO_ENGINE)
		return;
	l->turns[p->engine] += share;
	if (p->engine != l->engine)
		return;
	l->waits += share;
	look->waited += p->to - p->from;
	if (look->alone && r != NULL)
		name_context(l, look->client, r->context, share);
}

static void
look_leaf(void *data, const struct why_part *path, unsigned n)
{
	struct client_look *look = data;
	const struct why_part *p = &path[n - 1];
	double share = (double)(p->to - p->from) * look->weight;

	switch (p->role) {
	case WHY_QUEUED:
	case WHY_OFF: add_turn(look, p, share); break;
	case WHY_SWITCH:
	case WHY_SSEU:
	case WHY_POLLS:
	case WHY_RUNS: look->limits->served += share; break;
	case WHY_CLIENT: look->limits->blocks[p->how] += share; break;
	default: break;
	}
}

/* Returns from, or later: the start of the last max waits of the client. */
static nsec
last_waits(const struct trail *t, uint32_t client, nsec from, unsigned max)
{
	const struct trail_wait *w;
	nsec start = NSEC_NEVER;

	for (uint64_t id = trail_last_wait(t, client);
	     max > 0 && (w = trail_wait(t, id)) != NULL && w->to_ns > from;
	     id = w->before, max--)
		start = w->from_ns;
	return nsec_later(from, start);
}

static void
look_at_client(struct limits *l, struct why *why, uint32_t client, unsigned n,
    unsigned waits)
{
	nsec from = last_waits(why->trail, client, l->from, waits);
	struct client_look look = {
	    .limits = l,
	    .trail = why->trail,
	    .alone = n == 1,
	    .client = client,
	};

	if (from >= l->to)
		return;
	look.weight = 1.0 / ((double)(l->to - from) * n);
	why_walk_client(
	    why, client, (struct why_window){from, l->to}, look_leaf, &look);
	if (look.waited > 0 && n > 1)
		name_waiter(l,
		    (struct limits_waiter){client, 0,
			(double)look.waited / (double)(l->to - from)});
}

static bool
is_looked_at(const struct client *c)
{
	return c->state != CLIENT_ENDED;
}

/* Looks at clients at equal distances in the list of those that live. */
static void
find_waits(struct limits *l, const struct sim *sim, const struct trail *trail)
{
	struct why why = {0};
	size_t n = sim->n_clients - sim->n_gone, at = 0;
	unsigned looked = n < LIMITS_CLIENTS ? (unsigned)n : LIMITS_CLIENTS;

	why_begin(&why, trail, sim);
	l->n_clients = looked;
	for (size_t i = 0, next = 0; i < sim->n_clients && next < looked; i++) {
		if (!is_looked_at(sim->clients[i]))
			continue;
		if (at++ != next * n / looked)
			continue;
		next++;
		look_at_client(
		    l, &why, (uint32_t)i, looked, LIMITS_WAITS / looked);
	}
	why_free(&why);
}

void
limits_find(struct limits *l, const struct limits_mark *then,
    const struct sim *sim, const struct trail *trail)
{
	*l = (struct limits){.from = then->at, .to = sim->now};
	if (l->to <= l->from)
		return;
	find_engine(l, then, sim);
	if (trail != NULL)
		find_waits(l, sim, trail);
}

/* Watching. */

void
limits_watch_clear(struct limits_watch *w)
{
	memset(w, 0, sizeof *w);
}

/* Returns the mark from which on the limits are found. */
static const struct limits_mark *
oldest_mark(const struct limits_watch *w)
{
	static const struct limits_mark launch;

	return w->n < LIMITS_WINDOWS ? &launch
				     : &w->marks[w->n % LIMITS_WINDOWS];
}

void
limits_watch_sample(struct limits_watch *w, uint64_t windows,
    const struct sim *sim, const struct trail *trail)
{
	if (windows == w->windows)
		return;
	w->windows = windows;
	limits_find(&w->limits, oldest_mark(w), sim, trail);
	limits_mark(&w->marks[w->n % LIMITS_WINDOWS], sim);
	w->n++;
}
