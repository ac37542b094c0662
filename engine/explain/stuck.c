/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deadlocks beside background clients. A run is over when no event is left; but
 * background clients loop forever, so a deadlock of the others must be searched
 * for. A wait can never end if it leads, over fences, to an infinite batch or a
 * software fence of a client that itself can never go on. */
#include "engine/explain/explain.h"

#include "engine/client/origin.h"
#include "engine/instant.h"
#include "engine/sched/parallel.h"
#include "engine/sim.h"

#define MAX_DEPTH 64 /* a longer chain of waits is not followed */

/* The clients that are being examined, the innermost first. A chain that comes
 * back to one of them is a circular wait. */
struct path {
	const struct path *outer;
	const struct client *client;
	unsigned depth;
};

bool
sim_will_end(const struct sim *sim, const struct hw_engine *e)
{
	const struct sched_ops *sched = sim->config.sched;

	if (sched->hang_timeout && sim->config.profile.hang_ns > 0)
		return true;
	if (sched->job_timeout && sim->config.profile.job_timeout_ns > 0)
		return true;
	if (sim->watchdog.timeout > 0 || e->timeout_event.seq != 0)
		return true;
	return sched->ends != NULL && sched->ends(sim, e);
}

static bool request_is_stuck(
    const struct sim *sim, const struct request *rq, const struct path *outer);

static bool waits_are_stuck(
    const struct sim *sim, const struct waiter *w, const struct path *path);

static bool
client_is_stuck(
    const struct sim *sim, const struct client *c, const struct path *outer)
{
	struct path path = {outer, c, outer != NULL ? outer->depth + 1 : 0};
	const struct request *rq;

	for (const struct path *p = outer; p != NULL; p = p->outer) {
		if (p->client == c)
			return true;
	}
	switch (c->state) {
	case CLIENT_WAITING:
		return waits_are_stuck(sim, client_waits(c), &path);
	case CLIENT_RING_FULL:
	case CLIENT_DRAINING:
		rq = client_any_request(c);
		return rq != NULL && request_is_stuck(sim, rq, &path);
	default: return false;
	}
}

static bool
fence_is_stuck(
    const struct sim *sim, const struct waiter *w, const struct path *path)
{
	const struct request *rq = fence_request(w->fence);
	const struct request *owner = waiter_owner(w);

	if (rq != NULL)
		return request_is_stuck(sim, rq, path);
	/* A software fence: only requests of its client wait for it. */
	return sim->foreign.timeout == 0 &&
	    client_is_stuck(sim, owner->client, path);
}

static bool
keeps_from_ready(const struct waiter *w)
{
	return w->fence != NULL && !instant_is_end_wait(w);
}

/* Returns the request before it on its ring, if w waits for that to be issued
 * or to be ready; else NULL. */
static const struct request *
request_before(const struct waiter *w)
{
	const struct request *owner, *before;

	if (!keeps_from_ready(w) ||
	    (w->fence->kind != FENCE_ISSUED && w->fence->kind != FENCE_QUEUED))
		return NULL;
	owner = waiter_owner(w);
	before = fence_request(w->fence);
	return before->ring == owner->ring ? before : NULL;
}

static bool
waits_are_stuck(
    const struct sim *sim, const struct waiter *w, const struct path *path)
{
	for (; w != NULL; w = w->next_of_owner) {
		if (keeps_from_ready(w) && request_before(w) == NULL &&
		    fence_is_stuck(sim, w, path))
			return true;
	}
	return false;
}

/* Returns true if engine i has a request that never ends, or is kept for one
 * that never starts. */
static bool
engine_is_stuck(const struct sim *sim, unsigned i, const struct request *rq,
    const struct path *path)
{
	const struct hw_engine *e = &sim->device.engines[i];
	const struct request *other = e->running != NULL ? e->running
							 : e->kept_for;

	return other != NULL && other != rq &&
	    request_is_stuck(sim, other, path);
}

/* Returns true if all engines that rq may take are stuck; for a parallel step,
 * if each set has one that is. */
static bool
engines_are_stuck(
    const struct sim *sim, const struct request *rq, const struct path *path)
{
	const struct ring_def *def = request_slot(rq);
	engine_mask stuck = 0;

	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);

		if (engine_is_stuck(sim, i, rq, path))
			stuck |= (engine_mask)1 << i;
		else if (def->n_rows == 0)
			return false;
	}
	for (unsigned j = 0; def->n_rows > 0 && j < def->n_siblings; j++) {
		if ((parallel_set(def, j) & stuck) == 0)
			return false;
	}
	return true;
}

/* A ring that issues in order (drm) can be long: it is followed by a loop. */
static bool
blocked_is_stuck(
    const struct sim *sim, const struct request *rq, const struct path *path)
{
	while (rq->state == REQUEST_BLOCKED) {
		const struct request *before = NULL;

		if (waits_are_stuck(sim, rq->waits, path))
			return true;
		for (const struct waiter *w = rq->waits;
		     w != NULL && before == NULL; w = w->next_of_owner)
			before = request_before(w);
		if (before == NULL)
			return false;
		rq = before;
	}
	return request_is_stuck(sim, rq, path);
}

static bool
request_is_stuck(
    const struct sim *sim, const struct request *rq, const struct path *outer)
{
	struct path path = {outer, NULL, outer->depth + 1};

	if (path.depth > MAX_DEPTH)
		return false;
	switch (rq->state) {
	case REQUEST_BLOCKED: return blocked_is_stuck(sim, rq, &path);
	case REQUEST_READY: return engines_are_stuck(sim, rq, &path);
	case REQUEST_RUNNING:
		return rq->infinite && !sim_will_end(sim, rq->engine) &&
		    client_is_stuck(sim, rq->client, &path);
	default: return false;
	}
}

bool
sim_is_stuck(const struct sim *sim)
{
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];

		if (c->background || c->state == CLIENT_ENDED)
			continue;
		if (!client_is_stuck(sim, c, NULL))
			return false;
	}
	return true;
}
