/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory of a client from client_init() on: its contexts and rings.
 */
#include "engine/client/client.h"

#include <stddef.h>
#include <string.h>

#include "base/region.h"
#include "engine/client/outside.h"
#include "engine/client/walker_run.h"
#include "engine/sim.h"

void
context_set_def(
    struct context *context, const struct context_def *def, bool own)
{
	if (context->owns_def)
		region_put((void *)(uintptr_t)context->def);
	context->def = def;
	context->owns_def = own;
}

void
ring_set_def(struct ring *ring, const struct ring_def *def, bool own)
{
	if (ring->owns_def)
		region_put((void *)(uintptr_t)ring->def);
	ring->def = def;
	ring->owns_def = own;
}

struct context *
context_new(struct client *c, const struct context_def *def)
{
	struct context *context = pool_get(&c->sim->contexts);

	memset(context, 0, context_size(&c->sim->device));
	context->client = c;
	context->times.region = c->sim->region;
	context->def = def;
	context->priority = c->priority;
	context->preempt_ns = PREEMPT_BY_PROGRAM;
	context->sseu = c->small_sseu ? 1 : device_all_slices(&c->sim->device);
	if (def->n_batches > 0)
		histogram_reserve(&context->times);
	return context;
}

void
context_join_sseu(struct context *context)
{
	const struct client *c = context->client;

	if (!context->sseu_split)
		return;
	context->sseu_split = false;
	for (uint32_t i = 0; i < c->n_rings; i++)
		if (c->rings[i]->context == context)
			c->rings[i]->sseu = 0;
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

void
client_init(struct client *c, struct sim *sim, uint32_t id,
    const struct client_options *options)
{
	c->id = id;
	c->sim = sim;
	c->background = options->background;
	c->priority = (int16_t)options->priority;
	c->small_sseu = options->small_sseu;
	c->state = CLIENT_IDLING; /* until it is runnable */
	c->begun_ns = sim->now;
}
