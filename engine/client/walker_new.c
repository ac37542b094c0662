/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory of a walker, from walker_new() on: the contexts and rings of its
 * program, and the seeds of its random numbers.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "engine/client/walker_run.h"
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

static void
init_contexts(struct client *c, const struct program *p)
{
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

struct walker *
walker_new(struct sim *sim, uint32_t id, struct workload *workload,
    const struct client_options *options)
{
	struct walker *w = mem_calloc(1, sizeof *w);

	client_init(&w->client, sim, id, options);
	w->client.walker = w;
	w->client.name = workload->name;
	w->workload = workload;
	w->program = workload->program;
	w->repeat = options->background ? 0 : options->repeat;
	w->started_ns = sim->now;
	random_client(sim->random, &w->duration_state, &w->size_state);
	w->instance = instance_new(
	    w->program, workload->shared, sim->device.n_engines);
	init_contexts(&w->client, w->program);
	return w;
}

void
walker_release(struct walker *w)
{
	while (w->instance != NULL) {
		struct instance *instance = w->instance;

		w->instance = instance->next;
		instance_free(instance);
	}
	if (w->next_instance != NULL)
		instance_free(w->next_instance);
}
