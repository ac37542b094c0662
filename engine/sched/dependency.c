/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dependencies of requests: inheritance of priority along their waits, and
 * semaphores.
 */
#include "engine/sched/dependency.h"

#include "engine/instant.h"
#include "engine/sim.h"

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
		for (const struct waiter *w = at->waits; w != NULL;
		     w = w->next_of_owner) {
			struct request *signaler = waiter_signaler(w);

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

/* Notes, at the first request of a context, whether its requests may use semaphores. */
static void
note_first_use(const struct request *rq)
{
	struct context *context = rq->context;

	if (context->is_used)
		return;
	context->is_used = true;
	context->polls = rq->priority >= 0;
}

/* The first priority of its context counts, in older kernels that of rq itself. */
static bool
may_use_semaphores(const struct request *rq)
{
	const struct profile *profile = &rq->client->sim->config.profile;

	if (!profile->semaphores || rq->is_virtual)
		return false;
	return profile->kernel < PROFILE_KERNEL(5, 14) ? rq->priority >= 0
						       : rq->context->polls;
}

/* Returns the engines on which rq can wait by semaphore, and in earliest the
 * seq of the first signaler on each: rq is ready when that one has started, and
 * then polls for its end. */
static engine_mask
find_semaphores(const struct request *rq, const struct dependency *deps,
    size_t n, engine_mask unused, uint64_t earliest[DEVICE_MAX_ENGINES])
{
	engine_mask sources = 0;

	if (!may_use_semaphores(rq))
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
await_start(struct sim *sim, struct request *rq, struct request *s)
{
	if (fence_signalled(&s->scheduled))
		instant_note_signaler(sim, rq, s);
	else
		instant_wait_start(sim, rq, s);
}

void
semaphore_waits(struct sim *sim, struct request *rq,
    const struct dependency *deps, size_t n, engine_mask unused)
{
	uint64_t earliest[DEVICE_MAX_ENGINES];
	engine_mask sources;

	note_first_use(rq);
	sources = find_semaphores(rq, deps, n, unused, earliest);
	rq->semaphores = sources;
	for (size_t i = 0; i < n; i++) {
		struct request *s = deps[i].signaler;

		if (!waits_for_end(&deps[i])) {
			await_start(sim, rq, s);
		} else if (both_fixed(rq, s) && s->engine == rq->engine) {
			instant_wait_end(sim, rq, s, &s->queued);
		} else if (both_fixed(rq, s) &&
		    (sources >> s->engine->index & 1) &&
		    earliest[s->engine->index] == s->seq) {
			instant_wait_end(sim, rq, s, &s->scheduled);
		} else {
			instant_wait(sim, rq, &s->finished);
		}
	}
}

/* Waits without a semaphore were over before rq was ready: any left for a
 * request on those engines is a semaphore that rq still polls. */
engine_mask
semaphore_saturated(const struct request *rq)
{
	if (rq->n_unended == 0)
		return rq->semaphores;
	for (const struct waiter *w = rq->waits; w != NULL;
	     w = w->next_of_owner) {
		const struct request *s = w->fence != NULL
		    ? fence_request(w->fence)
		    : NULL;

		if (s != NULL && !s->is_virtual &&
		    (rq->semaphores >> s->engine->index & 1))
			return 0;
	}
	return rq->semaphores;
}
