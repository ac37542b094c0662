/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Submission: the model as a backend. A submission becomes a request, whose
 * dependencies follow from its ring, its objects and its fences; the scheduler
 * decides how it waits for them.
 */
#include "engine/backend.h"

#include <errno.h>

#include "base/region.h"
#include "engine/client/walker_run.h"
#include "engine/gpu/exec.h"
#include "engine/gpu/submission.h"
#include "engine/hang/timeouts.h"
#include "engine/instant.h"
#include "engine/invariants/invariants.h"
#include "engine/sched/parallel.h"
#include "engine/sim.h"

static bool
model_has_room(struct sim *sim, const struct ring *ring)
{
	(void)sim;
	return ring->in_flight < ring->room;
}

/* Adds a dependency on a request, unless it has ended. */
static void
note_wait_for(struct sim *sim, struct request_ref ref, enum wait_cause cause)
{
	struct request *signaler = request_get(ref);

	if (signaler == NULL)
		return; /* has ended */
	sim->deps = region_grow(sim->region, sim->deps, sim->n_deps,
	    &sim->cap_deps, sizeof *sim->deps);
	sim->deps[sim->n_deps++] = (struct dependency){signaler, cause};
}

/* Adds the dependencies through objects, and makes rq their reader or writer
 * (struct object). */
static void
wait_for_objects(
    struct sim *sim, struct request *rq, const struct submission *s)
{
	for (uint32_t i = 0; i < s->n_uses; i++) {
		const struct object_use *use = &s->uses[i];
		struct object *o = &s->objects[use->shared][use->object];

		if (i == 0 && s->free_output) {
			object_set_writer(o, rq);
			continue;
		}
		note_wait_for(sim, o->writer, WAIT_OBJECT);
		if (!use->write) {
			object_add_reader(o, rq);
			continue;
		}
		for (uint32_t k = 0; k < o->n_readers; k++)
			note_wait_for(sim, object_reader(o, k), WAIT_OBJECT);
		object_set_writer(o, rq);
	}
}

/* Adds the dependency of a submit fence. */
static void
wait_for_start(
    struct sim *sim, struct request *rq, const struct submission_wait *wait)
{
	struct request *signaler = request_get(wait->request);

	/* Bonds apply at once if the signaler has started, and not if it has
	 * ended: doc/model/common.md "Bonds". */
	if (rq->is_virtual && signaler != NULL && wait->started_on > 0 &&
	    fence_signalled(&signaler->scheduled))
		instant_bond(rq, wait->started_on - 1u);
	note_wait_for(sim, wait->request, WAIT_SUBMIT);
}

static void
wait_for_fences(struct sim *sim, struct request *rq, const struct submission *s)
{
	bool foreign = false;

	for (uint32_t i = 0; i < s->n_waits; i++) {
		const struct submission_wait *wait = &s->waits[i];

		switch (wait->kind) {
		case AFTER_END:
			note_wait_for(sim, wait->request, WAIT_FENCE);
			break;
		case AFTER_START: wait_for_start(sim, rq, wait); break;
		case AFTER_SIGNAL:
			if (!fence_signalled(wait->fence)) {
				instant_wait(sim, rq, wait->fence);
				foreign = true;
			}
			break;
		}
	}
	if (foreign)
		foreign_waits_add(sim, rq);
}

static struct request *
new_request(struct sim *sim, const struct submission *s)
{
	struct request *rq = request_new(sim);
	const struct ring_def *def = s->ring->def;
	bool background = s->ring->context->client->background;
	bool infinite = s->durations_ns[0] == NSEC_NEVER;
	bool is_virtual = def->is_virtual, asks = s->asks;

	/* One access to the byte that they share. */
	rq->is_virtual = is_virtual;
	rq->background = background;
	rq->infinite = infinite;
	rq->asks = asks;
	rq->ring = s->ring;
	rq->context = s->ring->context;
	rq->client = rq->context->client;
	rq->origin = s->origin;
	rq->priority = rq->context->priority;
	rq->submit_ns = sim->now;
	rq->preempt_ns = s->preempt_ns;
	rq->duration_ns = s->durations_ns[0];
	rq->allowed = s->allowed;
	if (!is_virtual)
		rq->engine = &sim->device.engines[def->engine];
	return rq;
}

static void
notify_submitted(struct sim *sim, struct request *rq)
{
	observers_notify(sim, submitted, rq);
}

static void
count_submitted(struct sim *sim, struct request *rq)
{
	rq->context->in_flight++;
	rq->client->in_flight++;
	if (rq->origin.instance != NULL)
		rq->origin.instance->in_flight++;
	notify_submitted(sim, rq);
}

/* Fails an execbuf: observers see requests that end at once. */
static void
refuse_request(struct sim *sim, struct request *rq, int error)
{
	for (struct request *row = rq; row != NULL; row = row->next_row)
		invariants_refused(sim);
	for (struct request *row = rq; row != NULL; row = row->next_row)
		notify_submitted(sim, row);
	exec_refuse(sim, rq, error);
}

/* Adds rq to the requests in flight of its ring, but not to ring->last. */
static void
ring_append(struct ring *ring, struct request *rq)
{
	struct request *before = request_get(ring->last);

	if (before != NULL)
		before->next_of_ring = rq;
	else
		ring->first = rq;
}

static struct request_ref
model_submit(struct sim *sim, const struct submission *s)
{
	struct request *rq = new_request(sim, s);
	struct ring *ring = rq->ring;
	struct request_ref ref = request_ref(rq);

	sim->n_deps = 0;
	if (ring->def->n_rows > 0)
		parallel_add_rows(sim, rq, s->durations_ns);
	if (rq->context->ban.banned) {
		refuse_request(sim, rq, -EIO);
		return (struct request_ref){0};
	}
	note_wait_for(sim, ring->last, WAIT_TIMELINE);
	wait_for_fences(sim, rq, s);
	wait_for_objects(sim, rq, s);
	sim->config.sched->depends(sim, rq, sim->deps, sim->n_deps);
	invariants_submitted(sim, rq);
	ring_append(ring, rq);
	if (rq->origin.instance != NULL)
		iterations_submitted(rq->client->walker, rq);
	ring->last = request_ref(rq);
	/* All rows of a parallel step count as one on the ring. */
	ring->in_flight++;
	for (struct request *row = rq; row != NULL; row = row->next_row)
		count_submitted(sim, row);
	instant_submitted(sim, rq);
	instant_run(sim);
	return ref;
}

static void
model_end(struct sim *sim, struct request *rq, nsec more)
{
	exec_terminate(sim, rq, more);
	instant_run(sim);
}

const struct backend_ops model_backend = {
    .has_room = model_has_room,
    .submit = model_submit,
    .end = model_end,
    .instant_run = instant_run,
};
