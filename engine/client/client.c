/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory of a client, from client_init() to client_free(): its contexts and
 * rings.
 */
#include "engine/client/client.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/client/outside.h"
#include "engine/client/walker_run.h"
#include "engine/sim.h"

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

void
client_release(struct client *c)
{
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
}

void
client_free(struct client *c)
{
	struct walker *w = c->walker;

	if (w != NULL)
		walker_release(w);
	client_release(c);
	if (w != NULL)
		free(w);
	else
		outside_free(outside_of(c));
}
