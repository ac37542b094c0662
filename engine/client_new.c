/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A client's memory: what its program names. */
#include <stdlib.h>

#include "engine/client_run.h"
#include "engine/random.h"
#include "engine/sim.h"
#include "parser/mem.h"

static struct context *
context_new(struct client *c, const struct client_options *options, uint32_t i)
{
	struct context *context = mem_calloc(1, sizeof *context);

	context->client = c;
	context->def = &c->program->contexts[i];
	context->index = i;
	context->priority = options->priority;
	context->sseu = options->small_sseu
	    ? 1
	    : device_all_slices(&c->sim->device);
	return context;
}

static struct ring *
ring_new(struct client *c, uint32_t i)
{
	struct ring *ring = mem_calloc(1, sizeof *ring);

	ring->def = &c->program->rings[i];
	ring->context = c->contexts[ring->def->context];
	ring->last_engine = -1;
	return ring;
}

static void
init_contexts(struct client *c, const struct client_options *options)
{
	const struct program *p = c->program;

	c->contexts = mem_calloc(p->n_contexts + 1, sizeof *c->contexts);
	for (; c->n_contexts < p->n_contexts; c->n_contexts++)
		c->contexts[c->n_contexts] = context_new(
		    c, options, c->n_contexts);
	c->rings = mem_calloc(p->n_rings + 1, sizeof *c->rings);
	for (; c->n_rings < p->n_rings; c->n_rings++)
		c->rings[c->n_rings] = ring_new(c, c->n_rings);
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
	c->state = CLIENT_IDLING; /* until its first turn */
	c->started_ns = sim->now;
	random_client(sim->random, &c->duration_state, &c->size_state);
	c->image = image_new(
	    c->program, workload->shared, sim->device.n_engines);
	init_contexts(c, options);
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
	for (uint32_t i = 0; i < c->n_contexts; i++)
		free(c->contexts[i]);
	for (uint32_t i = 0; i < c->n_rings; i++)
		free(c->rings[i]);
	free(c->contexts);
	free(c->rings);
	free(c);
}
