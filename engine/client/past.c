/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts and clients that are over become sums. See past.h. */
#include "engine/client/past.h"

#include "base/region.h"
#include "engine/client/client_run.h"
#include "engine/client/outside.h"
#include "engine/sim.h"

/* A context that is none: sums of others. */
static struct context *
new_sums(struct client *c)
{
	static const struct context_def nothing;

	return context_new(c, &nothing);
}

void
past_init(struct sim *sim)
{
	struct past *past = &sim->outsiders.past;
	struct outside *blank = region_alloc(sim->region, 1, sizeof *blank);

	client_init(&blank->client, sim, UINT32_MAX,
	    &(struct client_options){.background = true});
	blank->client.name = "";
	blank->client.state = CLIENT_ENDED;
	blank->left = true;
	past->blank = blank;
	past->newest = &past->oldest;
	past->sums = new_sums(&blank->client);
}

static void
add_to_sums(struct context *sums, const struct context *context)
{
	const struct device *dev = &sums->client->sim->device;

	sums->batches += context->batches;
	sums->busy_ns = nsec_total(sums->busy_ns, context->busy_ns);
	sums->sema_ns = nsec_total(sums->sema_ns, context->sema_ns);
	sums->ban.guilty += context->ban.guilty;
	sums->ban.active += context->ban.active;
	for (unsigned i = 0; i < dev->n_engines; i++)
		sums->run_ns[i] = nsec_total(
		    sums->run_ns[i], context->run_ns[i]);
	histogram_merge(&sums->times, &context->times);
}

/* Frees a timeline. The last one of the client gets its place. */
static void
free_ring(struct sim *sim, struct ring *ring)
{
	struct client *c = ring->context->client;

	if (sim->config.sched->ring_freed != NULL)
		sim->config.sched->ring_freed(sim, ring);
	c->rings[ring->index] = c->rings[--c->n_rings];
	c->rings[ring->index]->index = ring->index;
	ring_set_def(ring, NULL, false);
	pool_put(&sim->rings, ring);
}

/* Frees a context with its timelines. An engine that had it last must switch to
 * any other. */
static void
free_context(struct sim *sim, struct context *context)
{
	struct ring *ring, *next;

	for (ring = context->timelines; ring != NULL; ring = next) {
		next = ring->next_of_context;
		free_ring(sim, ring);
	}
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		if (sim->device.engines[i].last == context)
			sim->device.engines[i].last = sim->outsiders.past.sums;
	histogram_free(&context->times);
	context_set_def(context, NULL, false);
	pool_put(&sim->contexts, context);
}

/* Contexts. */

void
past_add_context(struct context *context)
{
	struct outside *o = outside_of(context->client);

	if (!context->settled || !context->released)
		return;
	context->next_closing = NULL;
	*o->newest = context;
	o->newest = &context->next_closing;
	o->n_past++;
}

bool
past_sum_context(struct outside *o, uint32_t *index)
{
	struct context *context = o->oldest;

	/* Timelines that were made with their context are in order. */
	if (o->n_past <= PAST_CONTEXTS || o->ordered)
		return false;
	o->oldest = context->next_closing;
	o->n_past--;
	if (o->sums == NULL)
		o->sums = new_sums(&o->client);
	add_to_sums(o->sums, context);
	o->n_summed++;
	*index = context->index;
	free_context(o->client.sim, context);
	return true;
}

const struct context *
client_past(const struct client *c)
{
	return c->walker == NULL ? outside_of(c)->sums : NULL;
}

/* Clients. */

void
past_add_client(struct outside *o)
{
	struct past *past = &o->client.sim->outsiders.past;

	*past->newest = o;
	past->newest = &o->next_ended;
	past->n_ended++;
}

/* Frees a client, whose id is that of the blank one from now on. */
static void
free_client(struct sim *sim, struct outside *o)
{
	struct client *c = &o->client;

	for (uint32_t i = 0; i < c->n_contexts; i++)
		free_context(sim, c->contexts[i]);
	if (o->sums != NULL)
		free_context(sim, o->sums);
	sim->clients[c->id] = &sim->outsiders.past.blank->client;
	region_put(c->contexts);
	region_put(c->rings);
	region_put((void *)(uintptr_t)c->command);
	region_put(o->name);
	region_put(o);
}

static void
sum_client(struct sim *sim, struct outside *o)
{
	struct past *past = &sim->outsiders.past;
	const struct client *c = &o->client;

	for (uint32_t i = 0; i < c->n_contexts; i++)
		add_to_sums(past->sums, c->contexts[i]);
	if (o->sums != NULL)
		add_to_sums(past->sums, o->sums);
	past->n_summed++;
	past->n_ended--;
	sim->outsiders.n_changes++;
	free_client(sim, o);
}

/* Adds the contexts that a client which has ended has beyond those that are kept
 * to its sums: it may have left without destroying one of thousands. */
static void
trim_contexts(struct outside *o)
{
	struct client *c = &o->client;
	uint32_t index, n = 0;

	if (o->n_past <= PAST_CONTEXTS)
		return;
	while (past_sum_context(o, &index))
		c->contexts[index] = NULL;
	for (uint32_t i = 0; i < c->n_contexts; i++) {
		if (c->contexts[i] == NULL)
			continue;
		c->contexts[i]->index = n;
		c->contexts[n++] = c->contexts[i];
	}
	if (n < c->n_contexts)
		c->sim->outsiders.n_changes++;
	c->n_contexts = n;
}

void
past_sum_clients(struct sim *sim)
{
	struct past *past = &sim->outsiders.past;
	struct outside **at = &past->oldest, *o;

	for (o = past->oldest; o != NULL; o = o->next_ended)
		trim_contexts(o);
	while (past->n_ended > PAST_CLIENTS && (o = *at) != NULL) {
		if (!o->left || o->n_held > 0) {
			at = &o->next_ended;
			continue;
		}
		*at = o->next_ended;
		if (*at == NULL)
			past->newest = at;
		sum_client(sim, o);
	}
}
