/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A client's memory: what its program names. */
#include <stdlib.h>

#include "base/mem.h"
#include "engine/client/client_run.h"
#include "engine/random.h"
#include "engine/sim.h"

void
context_set_def(
    struct context *context, const struct context_def *def, bool owns)
{
	if (context->owns_def)
		free((void *)(uintptr_t)context->def);
	context->def = def;
	context->owns_def = owns;
}

void
ring_set_def(struct ring *ring, const struct ring_def *def, bool owns)
{
	if (ring->owns_def)
		free((void *)(uintptr_t)ring->def);
	ring->def = def;
	ring->owns_def = owns;
}

struct context *
context_new(struct client *c, const struct context_def *def)
{
	struct context *context = pool_get(&c->sim->contexts);

	*context = (struct context){0};
	context->client = c;
	context->def = def;
	context->priority = c->priority;
	context->preempt_ns = PREEMPT_BY_PROGRAM;
	context->sseu = c->small_sseu ? 1 : device_all_slices(&c->sim->device);
	if (def->n_batches > 0)
		histogram_reserve(&context->times);
	return context;
}

/* doc/model/sharing.md "Costs by class": of a virtual engine, the class of its
 * first one. */
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
	c->state = CLIENT_IDLING; /* until its first turn */
	c->begun_ns = c->started_ns = sim->now;
	random_client(sim->random, &c->duration_state, &c->size_state);
	c->image = image_new(
	    c->program, workload->shared, sim->device.n_engines);
	init_contexts(c);
	return c;
}

void
client_free(struct client *c)
{
	while (c->image != NULL) {
		struct image *image = c->image;

		c->image = image->next;
		image_free(image);
	}
	if (c->wanted != NULL)
		image_free(c->wanted);
	for (uint32_t i = 0; i < c->n_contexts; i++) {
		histogram_free(&c->contexts[i]->times);
		ban_free(&c->contexts[i]->ban);
		context_set_def(c->contexts[i], NULL, false);
		pool_put(&c->sim->contexts, c->contexts[i]);
	}
	for (uint32_t i = 0; i < c->n_rings; i++) {
		ring_set_def(c->rings[i], NULL, false);
		pool_put(&c->sim->rings, c->rings[i]);
	}
	free(c->contexts);
	free(c->rings);
	free(c);
}
