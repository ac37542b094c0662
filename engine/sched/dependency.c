/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dependencies of requests: edges to their signalers, inheritance of priority
 * along the edges, and semaphores.
 */
#include "engine/sched/dependency.h"

#include "engine/instant.h"
#include "engine/sim.h"

void
edge_add(
    struct sim *sim, struct request *rq, struct request *signaler, bool weak)
{
	struct edge *edge = pool_get(&sim->edges);

	edge->rq = signaler;
	edge->seq = signaler->seq;
	edge->weak = weak;
	edge->next = rq->edges;
	rq->edges = edge;
}

void
edge_release_all(struct sim *sim, struct request *rq)
{
	struct edge *edge = rq->edges;

	while (edge != NULL) {
		struct edge *next = edge->next;

		pool_put(&sim->edges, edge);
		edge = next;
	}
	rq->edges = NULL;
}

/*
 * A signaler of sufficient priority needs no visit: whatever it waits for was
 * raised with it. The list of requests to visit uses their next links, which
 * are unused in requests that neither start nor end now.
 */
void
dependency_raise(struct sim *sim, struct request *rq, bool through_started,
    void (*raised)(struct sim *sim, struct request *rq))
{
	int16_t priority = rq->priority;
	struct request *visit = rq;

	rq->next = NULL;
	while (visit != NULL) {
		struct request *at = visit;

		visit = at->next;
		for (struct edge *e = at->edges; e != NULL; e = e->next) {
			struct request *signaler = edge_signaler(e);

			if (signaler == NULL || signaler->priority >= priority)
				continue;
			signaler->priority = priority;
			raised(sim, signaler);
			if (!through_started &&
			    fence_signalled(&signaler->scheduled))
				continue;
			signaler->next = visit;
			visit = signaler;
		}
	}
}

/* Semaphores ("Ready"). */

static bool
waits_for_end(const struct dependency *dep)
{
	return dep->cause != WAIT_SUBMIT;
}

static bool
both_fixed(const struct request *a, const struct request *b)
{
	return !a->is_virtual && !b->is_virtual;
}

/* Returns the engines on which rq can wait by semaphore, and in earliest the
 * seq of the first signaler on each: rq is ready when that one has started, and
 * then polls for its end. */
static engine_mask
find_semaphores(const struct request *rq, const struct dependency *deps,
    size_t n, engine_mask unused, uint64_t earliest[DEVICE_MAX_ENGINES])
{
	engine_mask sources = 0;

	if (!rq->client->sim->config.profile.semaphores || rq->is_virtual ||
	    rq->priority < 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		const struct request *s = deps[i].signaler;

		if (!waits_for_end(&deps[i]) || s->is_virtual ||
		    s->engine == rq->engine)
			continue;

		unsigned engine = s->engine->index;

		if (unused >> engine & 1)
			continue;
		if (!(sources >> engine & 1) || s->seq < earliest[engine])
			earliest[engine] = s->seq;
		sources |= (engine_mask)1 << engine;
	}
	return sources;
}

static void
wait_if_pending(struct sim *sim, struct request *rq, struct fence *f)
{
	if (!fence_signalled(f))
		instant_wait(sim, rq, f);
}

void
semaphore_waits(struct sim *sim, struct request *rq,
    const struct dependency *deps, size_t n, engine_mask unused,
    void (*can_run)(struct waiter *w))
{
	uint64_t earliest[DEVICE_MAX_ENGINES];
	engine_mask sources = find_semaphores(rq, deps, n, unused, earliest);

	rq->semaphores = sources;
	for (size_t i = 0; i < n; i++) {
		struct request *s = deps[i].signaler;

		if (!waits_for_end(&deps[i])) {
			instant_wait_start(sim, rq, s);
		} else if (both_fixed(rq, s) && s->engine == rq->engine) {
			wait_if_pending(sim, rq, &s->queued);
			instant_wait_end(sim, rq, s, can_run);
		} else if (both_fixed(rq, s) &&
		    (sources >> s->engine->index & 1) &&
		    earliest[s->engine->index] == s->seq) {
			wait_if_pending(sim, rq, &s->scheduled);
			instant_wait_end(sim, rq, s, can_run);
		} else {
			instant_wait(sim, rq, &s->finished);
		}
	}
}

/* Waits without a semaphore were over before rq was ready: any edge left to a
 * request on those engines is a semaphore that rq still polls. */
engine_mask
semaphore_saturated(const struct request *rq)
{
	if (rq->n_unended == 0)
		return rq->semaphores;
	for (const struct edge *e = rq->edges; e != NULL; e = e->next) {
		const struct request *s = e->weak ? NULL : edge_signaler(e);

		if (s != NULL && !s->is_virtual &&
		    (rq->semaphores >> s->engine->index & 1))
			return 0;
	}
	return rq->semaphores;
}
