/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory of a client, from client_new() to client_free(): its contexts and
 * rings, the instances of its programs with their objects and fences, and the
 * seeds of its random numbers.
 */
#include "engine/client/client.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/client/client_run.h"
#include "engine/sim.h"

/* Random numbers: glibc's rand(), with its 128 bytes of state, but not
 * global. */

struct random {
	struct random_data data;
	char state[128];
	uint32_t master;
	bool same_for_all;
};

static uint32_t
draw(struct random *r)
{
	int32_t value = 0;

	random_r(&r->data, &value);
	return (uint32_t)value;
}

struct random *
random_new(uint32_t seed, bool same_for_all)
{
	struct random *r = mem_calloc(1, sizeof *r);

	initstate_r(seed, r->state, sizeof r->state, &r->data);
	r->master = draw(r);
	r->same_for_all = same_for_all;
	return r;
}

void
random_free(struct random *r)
{
	free(r);
}

/* Seeds the generators of the next client, in the order of clients. */
static void
random_client(struct random *r, uint32_t *durations, uint32_t *sizes)
{
	if (r->same_for_all) {
		*durations = *sizes = r->master;
		return;
	}
	*durations = draw(r);
	*sizes = draw(r);
}

/* Contexts and rings. */

void
context_set_def(struct context *context, const struct context_def *def,
    struct context_def *own)
{
	free(context->own_def);
	context->def = def;
	context->own_def = own;
}

void
ring_set_def(
    struct ring *ring, const struct ring_def *def, struct ring_def *own)
{
	free(ring->own_def);
	ring->def = def;
	ring->own_def = own;
}

struct context *
context_new(struct client *c, const struct context_def *def)
{
	struct context *context = pool_get(&c->sim->contexts);

	memset(context, 0, context_size(&c->sim->device));
	context->client = c;
	context->def = def;
	context->priority = c->priority;
	context->preempt_ns = PREEMPT_BY_PROGRAM;
	context->sseu = c->small_sseu ? 1 : device_all_slices(&c->sim->device);
	if (def->n_batches > 0)
		histogram_reserve(&context->times);
	return context;
}

/* Returns the room of a ring in requests (doc/model/sharing.md "Costs by
 * class"): that of the class of its first engine. */
static uint32_t
room_of(const struct sim *sim, const struct ring_def *def)
{
	const struct hw_engine *first =
	    &sim->device.engines[__builtin_ctzll(def->engines)];

	return profile_ring_requests(&sim->config.profile, first->class);
}

struct ring *
ring_new(struct context *context, const struct ring_def *def)
{
	struct sim *sim = context->client->sim;
	struct ring *ring = pool_get(&sim->rings);

	*ring = (struct ring){0};
	ring->def = def;
	ring->context = context;
	ring->last_engine = -1;
	ring->room = room_of(sim, def);
	return ring;
}

static void
init_contexts(struct client *c)
{
	const struct program *p = c->program;

	c->contexts = mem_calloc(p->n_contexts, sizeof *c->contexts);
	for (uint32_t i = 0; i < p->n_contexts; i++) {
		c->contexts[i] = context_new(c, &p->contexts[i]);
		c->contexts[i]->index = i;
	}
	c->n_contexts = p->n_contexts;
	c->rings = mem_calloc(p->n_rings, sizeof *c->rings);
	for (uint32_t i = 0; i < p->n_rings; i++)
		c->rings[i] = ring_new(
		    c->contexts[p->rings[i].context], &p->rings[i]);
	c->n_rings = p->n_rings;
}

/* Clients. */

struct client *
client_new(struct sim *sim, uint32_t id, struct workload *workload,
    const struct client_options *options)
{
	struct client *c = mem_calloc(1, sizeof *c);

	c->id = id;
	c->sim = sim;
	c->workload = workload;
	c->program = workload->program;
	c->repeat = options->background ? 0 : options->repeat;
	c->background = options->background;
	c->priority = (int16_t)options->priority;
	c->small_sseu = options->small_sseu;
	c->state = CLIENT_IDLING; /* until it is runnable */
	c->begun_ns = c->started_ns = sim->now;
	random_client(sim->random, &c->duration_state, &c->size_state);
	c->instance = instance_new(
	    c->program, workload->shared, sim->device.n_engines);
	init_contexts(c);
	return c;
}

void
client_free(struct client *c)
{
	while (c->instance != NULL) {
		struct instance *instance = c->instance;

		c->instance = instance->next;
		instance_free(instance);
	}
	if (c->next_instance != NULL)
		instance_free(c->next_instance);
	for (uint32_t i = 0; i < c->n_contexts; i++) {
		histogram_free(&c->contexts[i]->times);
		ban_free(&c->contexts[i]->ban);
		context_set_def(c->contexts[i], NULL, NULL);
		pool_put(&c->sim->contexts, c->contexts[i]);
	}
	for (uint32_t i = 0; i < c->n_rings; i++) {
		ring_set_def(c->rings[i], NULL, NULL);
		pool_put(&c->sim->rings, c->rings[i]);
	}
	free(c->contexts);
	free(c->rings);
	free(c);
}

/* Instances of programs. */

struct shared_objects *
shared_objects_new(uint32_t n)
{
	struct shared_objects *shared = mem_calloc(
	    1, sizeof *shared + n * sizeof *shared->objects);

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
	free(shared);
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
fences_new(uint32_t n)
{
	struct fence_array *array = mem_calloc(
	    1, sizeof *array + n * sizeof *array->list);

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
		free(array_of(fences));
}

static void
init_memory(struct instance *instance)
{
	const struct program *p = instance->program;

	instance->objects = mem_calloc(p->n_objects, sizeof *instance->objects);
	for (uint32_t i = 0; i < p->n_objects; i++)
		instance->objects[i].first_engine = -1;
	if (p->n_fences > 0)
		instance->fences = fences_new(p->n_fences);
}

static void
init_queues(struct instance *instance, unsigned n_engines)
{
	const struct program *p = instance->program;

	if (!p->uses_queue_depth)
		return;
	instance->links = mem_calloc(p->n_ops, sizeof *instance->links);
	instance->queues = mem_calloc(n_engines, sizeof *instance->queues);
	for (unsigned i = 0; i < n_engines; i++)
		instance->queues[i] = (struct queue_list){
		    NO_INDEX, NO_INDEX, 0};
}

struct instance *
instance_new(const struct program *program, struct shared_objects *shared,
    unsigned n_engines)
{
	struct instance *instance = mem_calloc(1, sizeof *instance);

	instance->program = program_ref(program);
	instance->shared = shared_objects_ref(shared);
	init_memory(instance);
	init_queues(instance, n_engines);
	return instance;
}

void
instance_free(struct instance *instance)
{
	for (uint32_t i = 0; i < instance->program->n_objects; i++)
		object_free(&instance->objects[i]);
	free(instance->objects);
	fences_free(instance->fences);
	free(instance->links);
	free(instance->queues);
	shared_objects_free(instance->shared);
	program_unref(instance->program);
	free(instance);
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

const struct context_def *
instance_context(const struct request *rq)
{
	return &rq->instance->program->contexts[rq->op->batch.context];
}

/* Returns the first p step that the client has yet to reach in this iteration;
 * NULL: none. */
static const struct op *
next_period_of(const struct client *c)
{
	const struct program *p = c->program;
	uint32_t from = c->pc + (c->phase > 0), lo = 0, hi = p->n_periods;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (p->periods[mid] < from)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < p->n_periods ? &p->ops[p->periods[lo]] : NULL;
}

bool
client_is_overdue(const struct client *c, nsec *due_ns)
{
	const struct op *period;

	if (c->program->n_periods == 0 || c->killed != KILL_NOT ||
	    c->state == CLIENT_DRAINING || c->state == CLIENT_ENDED)
		return false;
	period = next_period_of(c);
	if (period == NULL)
		return false;
	*due_ns = nsec_after(c->started_ns, period->delay);
	return c->sim->now > *due_ns;
}
