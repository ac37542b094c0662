/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/client/turn.h"

#include "engine/sim.h"

void
turn_add(struct sim *sim, struct client *client)
{
	bool passed = client->id <= sim->pass_client;

	if (client->state == CLIENT_RUNNABLE)
		return;
	client->state = CLIENT_RUNNABLE;
	heap_push(&sim->runnable, sim->pass + passed, client->id, client);
}

bool
turn_is_pending(const struct sim *sim)
{
	return heap_peek(&sim->runnable) != NULL;
}

struct client *
turn_take(struct sim *sim)
{
	const struct heap_entry *entry = heap_peek(&sim->runnable);
	struct client *client;

	if (entry == NULL)
		return NULL;
	client = entry->item;
	sim->pass = entry->key;
	sim->pass_client = client->id;
	heap_pop(&sim->runnable);
	return client;
}
