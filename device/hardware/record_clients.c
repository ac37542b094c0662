/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients of a simulation in the driver: each has an address space, its pages
 * and its objects, until its rings are closed and its requests have ended.
 */
#include <stdlib.h>

#include "device/hardware/record_private.h"
#include "engine/client/client.h"

static struct record_client *
client_new(struct record *r)
{
	struct record_client *c = mem_calloc(1, sizeof *c);
	struct text err = {0};

	if (!memory_space_new(r->hw, &c->space, &err)) {
		record_fail(r, &err);
		free(c);
		return NULL;
	}
	c->next = r->clients;
	r->clients = c;
	return c;
}

struct record_client *
record_client_for(struct record *r, const struct client *c)
{
	for (uint32_t i = 0; i < c->n_contexts; i++) {
		const struct record_context *rc = c->contexts[i]->device;

		if (rc != NULL && rc->client != NULL)
			return rc->client;
	}
	return client_new(r);
}

static void
free_record_object(struct chain_node *node)
{
	free(node);
}

struct object_owner {
	const struct hardware *hw;
	const struct record_client *client; /* NULL: any */
};

/* Closes an object, unless it is of another owner. */
static int
close_object(const struct chain_node *node, const void *with)
{
	const struct record_object *o = (const void *)node;
	const struct object_owner *owner = with;
	struct gpu_object object = o->object;

	if (owner->client != NULL && o->client != owner->client)
		return 0;
	memory_object_free(owner->hw, &object);
	return 1;
}

static void
close_objects(struct record *r, const struct record_client *c)
{
	struct object_owner owner = {r->hw, c};

	chains_sweep(&r->objects, close_object, &owner, free_record_object);
}

void
record_client_put(struct record *r, struct record_client *c)
{
	struct record_client **at = &r->clients;

	if (c == NULL || --c->n_users > 0)
		return;
	for (struct record_context *rc = r->contexts; rc != NULL; rc = rc->next)
		if (rc->client == c)
			rc->client = NULL;
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	close_objects(r, c);
	pages_free(r->hw, &c->pool);
	memory_space_free(r->hw, c->space);
	free(c);
}

const struct gpu_object *
record_object(struct record *r, struct record_client *client,
    const struct record_use *use)
{
	struct chain_node *node = chains_find(
	    &r->objects, use->objects, use->use.object);
	struct record_object *o = (struct record_object *)(void *)node;
	struct text err = {0};

	if (o != NULL)
		return &o->object;
	o = mem_calloc(1, sizeof *o);
	o->node.p = use->objects;
	o->node.n = use->use.object;
	o->client = use->use.shared ? NULL : client;
	if (!memory_object_new(r->hw, PAGE_BYTES, false, &o->object, &err)) {
		record_fail(r, &err);
		free(o);
		return NULL;
	}
	chains_add(&r->objects, &o->node);
	return &o->object;
}

void
record_clients_free(struct record *r)
{
	close_objects(r, NULL);
	chains_free(&r->objects);
	while (r->clients != NULL) {
		r->clients->n_users = 1;
		record_client_put(r, r->clients);
	}
}
