/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives out colours of contexts, the least used one, in turn. */
#include "tui/views/context_colours.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/client/client.h"
#include "engine/sim.h"

struct coloured {
	struct chain_node node;
	unsigned colour;
};

static void
free_coloured(struct chain_node *node)
{
	free(node);
}

void
context_colours_free(struct context_colours *c)
{
	chains_sweep(&c->known, NULL, NULL, free_coloured);
	chains_free(&c->known);
	free(c->seen);
	*c = (struct context_colours){0};
}

static uint64_t
colour_key(uint32_t client, uint32_t context)
{
	return (uint64_t)client << 32 | context;
}

static const struct coloured *
find_coloured(
    const struct context_colours *c, uint32_t client, uint32_t context)
{
	return (const struct coloured *)chains_find(
	    &c->known, NULL, colour_key(client, context));
}

/* Returns the colour with the fewest users, the first from next on. */
static unsigned
free_colour(const struct context_colours *c)
{
	unsigned least = c->next;

	for (unsigned i = 1; i < N_CONTEXT_COLOURS; i++) {
		unsigned colour = (c->next + i) % N_CONTEXT_COLOURS;

		if (c->users[colour] < c->users[least])
			least = colour;
	}
	return least;
}

static const struct coloured *
give_colour(struct context_colours *c, uint32_t client, uint32_t context)
{
	struct coloured *new = mem_calloc(1, sizeof(*new));

	new->node.n = colour_key(client, context);
	new->colour = free_colour(c);
	c->users[new->colour]++;
	c->next = (new->colour + 1) % N_CONTEXT_COLOURS;
	chains_add(&c->known, &new->node);
	return new;
}

enum role
context_colour(struct context_colours *c, uint32_t client, uint32_t context)
{
	const struct coloured *of = find_coloured(c, client, context);

	if (of == NULL)
		of = give_colour(c, client, context);
	return theme_context_role(of->colour);
}

/* Counts the contexts that may still submit, by colour. */
static void
count_users(struct context_colours *c, const struct sim *sim)
{
	memset(c->users, 0, sizeof(c->users));
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *client = sim->clients[i];

		for (uint32_t k = 0; k < client->n_contexts; k++) {
			const struct context *context = client->contexts[k];
			const struct coloured *of = find_coloured(
			    c, client->id, context->def->number);

			if (of != NULL && client->state != CLIENT_ENDED &&
			    !context->closed)
				c->users[of->colour]++;
		}
	}
}

/* Makes room for the clients there are. */
static void
see_clients(struct context_colours *c, const struct sim *sim)
{
	while (c->n_seen < sim->n_clients) {
		c->seen = mem_grow(
		    c->seen, c->n_seen, &c->cap_seen, sizeof(*c->seen));
		c->seen[c->n_seen++] = 0;
	}
}

void
context_colours_update(struct context_colours *c, const struct sim *sim)
{
	bool counted = false;

	see_clients(c, sim);
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *client = sim->clients[i];

		if (c->seen[i] == client->n_contexts)
			continue;
		c->seen[i] = client->n_contexts;
		if (!counted)
			count_users(c, sim);
		counted = true;
		for (uint32_t k = 0; k < client->n_contexts; k++)
			context_colour(
			    c, client->id, client->contexts[k]->def->number);
	}
}
