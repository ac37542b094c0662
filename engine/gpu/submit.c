/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Submission: the model as a backend. A submitted step becomes a request, whose
 * dependencies follow from its ring, its objects and its fences; the scheduler
 * decides how it waits for them.
 */
#include "engine/backend.h"

#include <errno.h>

#include "base/mem.h"
#include "engine/client/walker_run.h"
#include "engine/gpu/exec.h"
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
	sim->deps = mem_grow(
	    sim->deps, sim->n_deps, &sim->cap_deps, sizeof *sim->deps);
	sim->deps[sim->n_deps++] = (struct dependency){signaler, cause};
}

/* Adds the dependencies through objects, and makes rq their reader or writer
 * (struct object). */
static void
wait_for_objects(struct sim *sim, struct request *rq)
{
	const struct op_batch *b = &rq->op->batch;

	for (uint32_t i = 0; i < b->n_uses; i++) {
		const struct object_use *use = &b->uses[i];
		struct object *o = use->shared
		    ? &rq->instance->shared->objects[use->object]
		    : &rq->instance->objects[use->object];

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
wait_for_start(struct sim *sim, struct request *rq, const struct object *output)
{
	struct request *signaler = request_get(output->writer);

	/* Bonds apply at once if the signaler has started. The output keeps its
	 * first engine after its end. */
	if (signaler == NULL || fence_signalled(&signaler->scheduled)) {
		if (rq->is_virtual && output->first_engine >= 0)
			instant_bond(rq, (unsigned)output->first_engine);
	}
	note_wait_for(sim, output->writer, WAIT_SUBMIT);
}

static void
wait_for_fences(struct sim *sim, struct request *rq)
{
	const struct op_batch *b = &rq->op->batch;
	struct instance *instance = rq->instance;

	for (uint32_t i = 0; i < b->n_fences; i++) {
		const struct fence_use *use = &b->fences[i];

		if (use->software) {
			struct fence *f = &instance->fences[use->fence];

			if (!fence_signalled(f))
				instant_wait(sim, rq, f);
			continue;
		}

		const struct op *target = &instance->program->ops[use->step];
		struct object *output =
		    &instance->objects[target->batch.output];

		if (use->submit)
			wait_for_start(sim, rq, output);
		else
			note_wait_for(sim, output->writer, WAIT_FENCE);
	}
}

static struct request *
new_request(struct sim *sim, struct walker *walker, uint32_t step)
{
	const struct op *op = &walker->program->ops[step];
	struct request *rq = request_new(sim);
	const struct ring_def *def;

	rq->client = &walker->client;
	rq->instance = walker->instance;
	rq->op = op;
	rq->step = step;
	rq->iteration = walker->iteration;
	rq->ring = walker->client.rings[op->batch.ring];
	rq->context = rq->ring->context;
	rq->priority = (int16_t)rq->context->priority;
	rq->submit_ns = sim->now;
	rq->preempt_ns = rq->context->preempt_ns != PREEMPT_BY_PROGRAM
	    ? rq->context->preempt_ns
	    : op->batch.preempt_us * NSEC_PER_USEC;
	def = rq->ring->def;
	rq->background = walker->client.background;
	rq->is_virtual = def->is_virtual;
	rq->allowed = def->engines;
	if (!def->is_virtual)
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
	rq->instance->in_flight++;
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

static void
model_submit(struct sim *sim, struct walker *walker, uint32_t step,
    const uint64_t *durations_ns)
{
	struct request *rq = new_request(sim, walker, step);
	struct ring *ring = rq->ring;

	sim->n_deps = 0;
	rq->duration_ns = durations_ns[0];
	rq->infinite = durations_ns[0] == NSEC_NEVER;
	if (instance_context(rq)->n_rows > 0)
		parallel_add_rows(sim, rq, durations_ns);
	if (rq->context->ban.banned) {
		refuse_request(sim, rq, -EIO);
		return;
	}
	note_wait_for(sim, ring->last, WAIT_TIMELINE);
	wait_for_fences(sim, rq);
	wait_for_objects(sim, rq);
	sim->config.sched->depends(sim, rq, sim->deps, sim->n_deps);
	invariants_submitted(sim, rq);
	ring_append(ring, rq);
	iterations_submitted(walker, rq);
	ring->last = request_ref(rq);
	/* All rows of a parallel step count as one on the ring. */
	ring->in_flight++;
	for (struct request *row = rq; row != NULL; row = row->next_row)
		count_submitted(sim, row);
	instant_submitted(sim, rq);
	instant_run(sim);
}

static void
model_terminate(struct sim *sim, struct walker *walker, uint32_t step)
{
	const struct op *op = &walker->program->ops[step];
	struct request *rq = request_get(
	    walker->instance->objects[op->batch.output].writer);

	if (rq != NULL)
		exec_terminate(sim, rq);
	instant_run(sim);
}

const struct backend_ops model_backend = {
    .has_room = model_has_room,
    .submit = model_submit,
    .terminate = model_terminate,
    .instant_run = instant_run,
};
