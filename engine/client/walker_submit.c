/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Submissions of a walker: a batch step becomes a submission; its references to
 * other steps become the requests, fences and objects that they mean now.
 */
#include "base/region.h"
#include "engine/backend.h"
#include "engine/client/walker_run.h"
#include "engine/gpu/submission.h"
#include "engine/sim.h"

static struct submission_wait
wait_of(const struct instance *instance, const struct fence_use *use)
{
	const struct object *output;

	if (use->software)
		return (struct submission_wait){.kind = AFTER_SIGNAL,
		    .fence = &instance->fences[use->fence]};
	output =
	    &instance->objects[instance->program->ops[use->step].batch.output];
	/* The output keeps its first engine after its writer's end. */
	return (struct submission_wait){
	    .kind = use->submit ? AFTER_START : AFTER_END,
	    .started_on = (uint8_t)(output->first_engine + 1),
	    .request = output->writer,
	};
}

/* Returns the waits of b, in a list of the simulation that is used again for
 * each submission. */
static const struct submission_wait *
waits_of(
    struct sim *sim, const struct instance *instance, const struct op_batch *b)
{
	if (sim->cap_waits < b->n_fences) {
		sim->cap_waits = b->n_fences;
		sim->waits = region_resize(sim->region, sim->waits,
		    sim->cap_waits, sizeof *sim->waits);
	}
	for (uint32_t i = 0; i < b->n_fences; i++)
		sim->waits[i] = wait_of(instance, &b->fences[i]);
	return sim->waits;
}

static nsec
preemption_of(const struct context *context, const struct op_batch *b)
{
	return context->preempt_ns != PREEMPT_BY_PROGRAM
	    ? context->preempt_ns
	    : b->preempt_us * NSEC_PER_USEC;
}

void
walker_submit(struct walker *w, const struct op *op, const nsec *durations_ns)
{
	const struct op_batch *b = &op->batch;
	const struct instance *instance = w->instance;
	struct ring *ring = w->client.rings[b->ring];
	struct sim *sim = w->client.sim;
	struct submission s = {
	    .ring = ring,
	    .allowed = ring->def->engines,
	    .preempt_ns = preemption_of(ring->context, b),
	    .durations_ns = durations_ns,
	    .waits = b->n_fences > 0 ? waits_of(sim, instance, b) : NULL,
	    .uses = b->uses,
	    .n_waits = b->n_fences,
	    .n_uses = b->n_uses,
	    .objects = {instance->objects, instance->shared->objects},
	    .origin = {.instance = w->instance,
		.op = op,
		.iteration = w->iteration,
		.step = w->pc},
	    .free_output = sim->config.profile.xe,
	};

	w->submitted = true;
	sim->backend->submit(sim, &s);
}

void
walker_terminate(struct walker *w, uint32_t step)
{
	const struct op *op = &w->program->ops[step];
	struct sim *sim = w->client.sim;
	struct request *rq = request_get(
	    w->instance->objects[op->batch.output].writer);

	if (rq != NULL)
		sim->backend->end(sim, rq, 0);
	else
		sim->backend->instant_run(sim);
}
