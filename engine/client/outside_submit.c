/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests that owners outside submit, end and cancel; their software fences and
 * objects.
 */
#include <assert.h>
#include <stdlib.h>

#include "engine/client/outside.h"
#include "engine/gpu/exec.h"
#include "engine/gpu/pace.h"
#include "engine/hang/hang.h"
#include "engine/sim.h"

/* Fences. */

struct fence *
backend_fence_new(struct sim *sim)
{
	struct fence *fence = pool_get(&sim->outsiders.fences);

	fence_init(fence, FENCE_SOFTWARE);
	return fence;
}

void
backend_fence_signal(struct sim *sim, struct fence *fence, int error)
{
	fence_signal(fence, sim->now, error);
	sim->backend->instant_run(sim);
	outsiders_touch(sim);
}

void
backend_fence_free(struct sim *sim, struct fence *fence)
{
	assert(fence_signalled(fence));
	pool_put(&sim->outsiders.fences, fence);
}

/* Objects. */

uint32_t
backend_object_new(struct sim *sim)
{
	struct outsiders *all = &sim->outsiders;
	uint32_t i;

	if (all->n_free > 0) {
		i = all->free_objects[--all->n_free];
	} else {
		all->objects = region_grow(sim->region, all->objects,
		    all->n_objects, &all->cap_objects, sizeof *all->objects);
		i = (uint32_t)all->n_objects++;
	}
	all->objects[i] = (struct object){.first_engine = -1};
	return i;
}

void
backend_object_free(struct sim *sim, uint32_t object)
{
	struct outsiders *all = &sim->outsiders;

	object_free(&all->objects[object]);
	all->objects[object] = (struct object){.first_engine = -1};
	all->free_objects = region_grow(sim->region, all->free_objects,
	    all->n_free, &all->cap_free, sizeof *all->free_objects);
	all->free_objects[all->n_free++] = object;
}

/* Requests. */

static struct outside_request *
new_outside_request(struct sim *sim, const struct outside_submission *from)
{
	struct outside_request *r = pool_get(&sim->outsiders.requests);

	*r = (struct outside_request){
	    .tag = from->tag,
	    .label = from->label != NULL
		? region_strdup(sim->region, from->label)
		: NULL,
	};
	return r;
}

/* Returns where the request may run: its engines of the timeline. */
static engine_mask
allowed_of(const struct outside_submission *from)
{
	engine_mask all = from->timeline->def->engines;

	return from->allowed != 0 && from->timeline->def->n_rows == 0
	    ? all & from->allowed
	    : all;
}

static enum submitted
why_not(struct sim *sim, struct ring *ring)
{
	if (ring->context->closed || ring->context->client->killed != KILL_NOT)
		return SUBMIT_CLOSED;
	if (sim->backend->has_room(sim, ring))
		return SUBMITTED;
	ring->drain = true;
	return SUBMIT_NO_ROOM;
}

enum submitted
backend_submit(struct sim *sim, const struct outside_submission *from,
    struct request_ref *rq)
{
	struct outside *o = outside_of(from->timeline->context->client);
	nsec never[DEVICE_MAX_ENGINES];
	enum submitted result = why_not(sim, from->timeline);
	struct request_ref ref = {0};
	struct submission s = {
	    .ring = from->timeline,
	    .allowed = allowed_of(from),
	    .preempt_ns = from->preempt_ns,
	    .durations_ns = from->asks ? never : from->durations_ns,
	    .asks = from->asks,
	    .waits = from->waits,
	    .uses = from->uses,
	    .n_waits = from->n_waits,
	    .n_uses = from->n_uses,
	    .objects = {sim->outsiders.objects, NULL},
	};

	if (result == SUBMITTED) {
		for (unsigned i = 0; i < DEVICE_MAX_ENGINES; i++)
			never[i] = NSEC_NEVER;
		s.origin.outside = new_outside_request(sim, from);
		s.origin.step = o->n_submissions++;
		ref = sim->backend->submit(sim, &s);
		if (ref.seq == 0)
			result = SUBMIT_BANNED;
		outsiders_touch(sim);
	}
	if (rq != NULL)
		*rq = ref;
	return result;
}

void
backend_end(struct sim *sim, struct request_ref ref, nsec more)
{
	struct request *rq = request_get(ref);

	if (rq != NULL)
		sim->backend->end(sim, request_first_row(rq), more);
	outsiders_touch(sim);
}

void
backend_set_points(struct request *rq, nsec preempt_ns)
{
	if (rq->next_row == NULL)
		rq->preempt_ns = preempt_ns;
}

void
backend_set_label(struct request *rq, const char *label)
{
	struct outside_request *r = rq->origin.outside;

	region_put(r->label);
	r->label = region_strdup(rq->client->sim->region, label);
}

/* The driver captures the error state before it resets: doc/model/virtual.md
 * "Faults". */
#define CAPTURE_NS (10 * NSEC_PER_MSEC)

void
backend_cs_error(struct request *rq)
{
	struct sim *sim = rq->client->sim;

	rq = request_first_row(rq);
	exec_set_timeout(
	    sim, rq->engine, nsec_after(sim->now, CAPTURE_NS), HANG_CS_ERROR);
}

void
backend_set_polling(struct request *rq, const struct memory_poll *poll)
{
	struct sim *sim = rq->client->sim;
	struct hw_engine *e = rq->engine;
	bool polled = e->poll_since != NSEC_NEVER, polls = poll != NULL;
	bool changes = polled != polls ||
	    (polls && poll->found != e->poll.found);

	hw_engine_set_polling(e, polls, sim->now);
	if (polls)
		e->poll = *poll;
	if (changes)
		observers_notify(sim, polls, rq);
	if (sim->config.sched->polls != NULL)
		sim->config.sched->polls(sim, e, polls);
}

nsec
backend_work(const struct sim *sim, const struct request *rq)
{
	return pace_done(rq, sim->now);
}

void
backend_cancel(struct sim *sim, struct request_ref ref, int error)
{
	struct request *rq = request_get(ref);

	if (rq != NULL)
		revoke_request(sim, rq, error, REVOKE_GRACE, HANG_REVOKED);
	sim->backend->instant_run(sim);
	outsiders_touch(sim);
}
