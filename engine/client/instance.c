/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instances of programs: the objects, software fences and queues of one client
 * that the steps of one program name.
 */
#include "base/region.h"
#include "base/util.h"
#include "engine/client/origin.h"
#include "engine/sim.h"

/* Programs are outside the region: the simulation has one reference of each, as
 * long as anything in the region uses it. */

static struct program_use **
find_use(struct sim *sim, const struct program *program)
{
	struct program_use **at = &sim->programs;

	while (*at != NULL && (*at)->program != program)
		at = &(*at)->next;
	return at;
}

void
program_use(struct sim *sim, const struct program *program)
{
	struct program_use *use = *find_use(sim, program);

	if (use == NULL) {
		use = region_alloc(sim->region, 1, sizeof *use);
		use->program = program_ref(program);
		use->next = sim->programs;
		sim->programs = use;
	}
	use->n++;
}

void
program_leave(struct sim *sim, const struct program *program)
{
	struct program_use **at = find_use(sim, program), *use = *at;

	if (--use->n > 0)
		return;
	*at = use->next;
	region_put(use);
	program_unref(program);
}

struct shared_objects *
shared_objects_new(struct sim *sim, uint32_t n)
{
	struct shared_objects *shared = region_alloc(
	    sim->region, 1, sizeof *shared + n * sizeof *shared->objects);

	shared->refs = 1;
	shared->n = n;
	for (uint32_t i = 0; i < n; i++)
		shared->objects[i].first_engine = -1;
	return shared;
}

struct shared_objects *
shared_objects_ref(struct shared_objects *shared)
{
	shared->refs++;
	return shared;
}

void
shared_objects_free(struct shared_objects *shared)
{
	if (--shared->refs > 0)
		return;
	for (uint32_t i = 0; i < shared->n; i++)
		object_free(&shared->objects[i]);
	region_put(shared);
}

/* The software fences that one or more instances hold. */
struct fence_array {
	unsigned refs;
	struct fence list[];
};

static struct fence_array *
array_of(struct fence *fences)
{
	return container_of(fences, struct fence_array, list);
}

/* Returns n fences that count as signalled, as they do until their f step. */
static struct fence *
fences_new(struct sim *sim, uint32_t n)
{
	struct fence_array *array = region_alloc(
	    sim->region, 1, sizeof *array + n * sizeof *array->list);

	array->refs = 1;
	for (uint32_t i = 0; i < n; i++) {
		fence_init(&array->list[i], FENCE_SOFTWARE);
		fence_signal(&array->list[i], 0, 0);
	}
	return array->list;
}

static void
fences_free(struct fence *fences)
{
	if (fences != NULL && --array_of(fences)->refs == 0)
		region_put(array_of(fences));
}

static void
init_memory(struct sim *sim, struct instance *instance)
{
	const struct program *p = instance->program;

	instance->objects = region_alloc(
	    sim->region, p->n_objects, sizeof *instance->objects);
	for (uint32_t i = 0; i < p->n_objects; i++)
		instance->objects[i].first_engine = -1;
	if (p->n_fences > 0)
		instance->fences = fences_new(sim, p->n_fences);
}

static void
init_queues(struct sim *sim, struct instance *instance)
{
	unsigned n_engines = sim->device.n_engines;
	const struct program *p = instance->program;

	if (!p->uses_queue_depth)
		return;
	instance->links = region_alloc(sim->region, 1,
	    p->n_ops * sizeof *instance->links +
		n_engines * sizeof(struct queue_list));
	for (unsigned i = 0; i < n_engines; i++)
		*instance_queue(instance, i) = (struct queue_list){
		    NO_INDEX, NO_INDEX, 0};
}

struct instance *
instance_new(struct sim *sim, const struct program *program,
    struct shared_objects *shared)
{
	struct instance *instance = region_alloc(
	    sim->region, 1, sizeof *instance);

	instance->program = program;
	program_use(sim, program);
	instance->shared = shared_objects_ref(shared);
	init_memory(sim, instance);
	init_queues(sim, instance);
	return instance;
}

void
instance_free(struct sim *sim, struct instance *instance)
{
	for (uint32_t i = 0; i < instance->program->n_objects; i++)
		object_free(&instance->objects[i]);
	region_put(instance->objects);
	fences_free(instance->fences);
	region_put(instance->links);
	shared_objects_free(instance->shared);
	program_leave(sim, instance->program);
	region_put(instance);
}

void
instance_share_fences(const struct instance *from, struct instance *to)
{
	if (from->fences == NULL)
		return;
	fences_free(to->fences);
	to->fences = from->fences;
	array_of(to->fences)->refs++;
}

void
instance_close_fences(struct instance *instance, nsec now)
{
	for (uint32_t i = 0; i < instance->program->n_fences; i++) {
		if (!fence_signalled(&instance->fences[i]))
			fence_signal(&instance->fences[i], now, 0);
	}
}

void
instance_leave(struct request *rq)
{
	struct instance **at = &rq->client->walker->instance;
	struct instance *instance = rq->origin.instance;

	if (--instance->in_flight > 0 || instance == *at)
		return;
	while (*at != instance)
		at = &(*at)->next;
	*at = instance->next;
	instance_free(rq->client->sim, instance);
}

void
instance_started(struct request *rq, const struct hw_engine *e)
{
	const struct request_origin *from = &rq->origin;
	struct object *output =
	    &from->instance->objects[from->op->batch.output];

	if (request_get(output->writer) == rq)
		output->first_engine = (int8_t)e->index;
}

const struct ring_def *
request_slot(const struct request *rq)
{
	const struct request_origin *from = &rq->origin;

	return from->instance != NULL
	    ? &from->instance->program->rings[from->op->batch.ring]
	    : rq->ring->def;
}
