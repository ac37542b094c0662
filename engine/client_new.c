/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A client's memory: a few arrays sized by its program. */
#include <stdlib.h>

#include "engine/client_run.h"
#include "engine/random.h"
#include "engine/sim.h"
#include "parser/mem.h"

static void
init_contexts(struct client *c, const struct client_options *options)
{
	const struct program *p = c->program;
	uint32_t sseu = options->small_sseu
	    ? 1
	    : device_all_slices(&c->sim->device);

	c->contexts = mem_calloc(p->n_contexts + 1, sizeof *c->contexts);
	for (uint32_t i = 0; i < p->n_contexts; i++) {
		c->contexts[i].client = c;
		c->contexts[i].def = &p->contexts[i];
		c->contexts[i].priority = options->priority;
		c->contexts[i].sseu = sseu;
	}
	c->rings = mem_calloc(p->n_rings + 1, sizeof *c->rings);
	for (uint32_t i = 0; i < p->n_rings; i++) {
		c->rings[i].def = &p->rings[i];
		c->rings[i].context = &c->contexts[p->rings[i].context];
		c->rings[i].last_engine = -1;
	}
}

static void
init_memory(struct client *c)
{
	const struct program *p = c->program;

	c->objects = mem_calloc(p->n_objects + 1, sizeof *c->objects);
	for (uint32_t i = 0; i < p->n_objects; i++)
		c->objects[i].first_engine = -1;
	/* Until its f is reached, a fence counts as signalled. */
	c->fences = mem_calloc(p->n_fences + 1, sizeof *c->fences);
	for (uint32_t i = 0; i < p->n_fences; i++)
		fence_init(&c->fences[i], FENCE_SOFTWARE);
	for (uint32_t i = 0; i < p->n_fences; i++)
		c->fences[i].time = 0;
}

static void
init_queues(struct client *c)
{
	const struct program *p = c->program;
	unsigned n_engines = c->sim->device.n_engines;

	if (!p->uses_queue_depth)
		return;
	c->links = mem_calloc(p->n_ops, sizeof *c->links);
	c->queues = mem_calloc(n_engines, sizeof *c->queues);
	for (unsigned i = 0; i < n_engines; i++)
		c->queues[i] = (struct queue_list){NO_INDEX, NO_INDEX, 0};
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
	init_contexts(c, options);
	init_memory(c);
	init_queues(c);
	return c;
}

void
client_free(struct client *c)
{
	for (uint32_t i = 0; i < c->program->n_objects; i++)
		object_free(&c->objects[i]);
	free(c->contexts);
	free(c->rings);
	free(c->objects);
	free(c->fences);
	free(c->links);
	free(c->queues);
	free(c);
}
