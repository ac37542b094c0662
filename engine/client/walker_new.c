/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory of a walker, from walker_new() on: the contexts and rings of its
 * program, and the seeds of its random numbers.
 */
#include <stdlib.h>

#include "base/region.h"
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
random_new(struct region *region, uint32_t seed, bool same_for_all)
{
	struct random *r = region_alloc(region, 1, sizeof *r);

	initstate_r(seed, r->state, sizeof r->state, &r->data);
	r->master = draw(r);
	r->same_for_all = same_for_all;
	return r;
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
	c->contexts = region_alloc(
	    c->sim->region, p->n_contexts, sizeof *c->contexts);
	for (uint32_t i = 0; i < p->n_contexts; i++) {
		c->contexts[i] = context_new(c, &p->contexts[i]);
		c->contexts[i]->index = i;
	}
	c->n_contexts = p->n_contexts;
	c->rings = region_alloc(c->sim->region, p->n_rings, sizeof *c->rings);
	for (uint32_t i = 0; i < p->n_rings; i++)
		c->rings[i] = ring_new(
		    c->contexts[p->rings[i].context], &p->rings[i]);
	c->n_rings = p->n_rings;
}

struct walker *
walker_new(struct sim *sim, uint32_t id, struct workload *workload,
    const struct client_options *options)
{
	struct walker *w = region_alloc(sim->region, 1, sizeof *w);

	client_init(&w->client, sim, id, options);
	w->client.walker = w;
	w->client.name = workload->name;
	w->workload = workload;
	w->program = workload->program;
	w->repeat = options->background ? 0 : options->repeat;
	w->started_ns = sim->now;
	random_client(sim->random, &w->duration_state, &w->size_state);
	w->instance = instance_new(sim, w->program, workload->shared);
	init_contexts(&w->client, w->program);
	return w;
}
