/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/client/turn.h"

#include "engine/client/cpu.h"
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
	return heap_peek(&sim->runnable) != NULL || cpu_is_free_for_one(sim);
}

struct client *
turn_take(struct sim *sim)
{
	const struct heap_entry *entry;
	struct client *client;

	if (sim->cpus.n > 0)
		cpu_hand_out(sim);
	entry = heap_peek(&sim->runnable);
	if (entry == NULL)
		return NULL;
	client = entry->item;
	sim->pass = entry->key;
	sim->pass_client = client->id;
	heap_pop(&sim->runnable);
	return client;
}
