/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts of a simulation in the driver, in whose engine maps each ring is a
 * slot. A descriptor that changes its map while it runs gets a new context; the
 * old one goes with its last request.
 */
#include <stdlib.h>
#include <string.h>

#include "device/hardware/context.h"
#include "device/hardware/record_private.h"
#include "engine/client/client.h"

/* Its id may be another one's from then on. */
static void
destroy_context(const struct record *r, struct record_gpu *gpu)
{
	if (!gpu->destroyed)
		gpu_context_free(r->hw, gpu->id);
	gpu->destroyed = true;
}

void
record_gpu_put(struct record *r, struct record_gpu *gpu)
{
	if (gpu == NULL || --gpu->n_users > 0)
		return;
	destroy_context(r, gpu);
	free(gpu);
}

/* Slots. */

/* True if the ring is a slot of the context as it is defined now. */
static bool
is_slot_of(const struct ring *ring, const struct context *context)
{
	return ring->context == context && !ring->owns_def && !ring->retired;
}

static struct slot_setup
setup_of(const struct ring *ring)
{
	const struct ring_def *def = ring->def;

	return (struct slot_setup){
	    .engines = def->engines,
	    .bonds = def->bonds,
	    .n_bonds = def->n_bonds,
	    .n_rows = def->n_rows,
	    .n_siblings = def->n_siblings,
	    .rows = def->rows,
	};
}

static uint32_t
count_slots(const struct client *c, const struct context *context)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_rings; i++)
		n += is_slot_of(c->rings[i], context);
	return n;
}

/* Writes the slots of a context as its rings are defined. */
static void
list_slots(const struct client *c, const struct context *context,
    struct slot_setup *slots)
{
	for (uint32_t i = 0; i < c->n_rings; i++)
		if (is_slot_of(c->rings[i], context))
			*slots++ = setup_of(c->rings[i]);
}

static bool
bonds_equal(const struct slot_setup *a, const struct slot_setup *b)
{
	if (a->n_bonds != b->n_bonds)
		return false;
	for (uint32_t i = 0; i < a->n_bonds; i++)
		if (a->bonds[i].master != b->bonds[i].master ||
		    a->bonds[i].siblings != b->bonds[i].siblings)
			return false;
	return true;
}

static bool
same_slot(const struct slot_setup *a, const struct slot_setup *b)
{
	return a->engines == b->engines && a->n_rows == b->n_rows &&
	    a->n_siblings == b->n_siblings && bonds_equal(a, b) &&
	    (a->n_rows == 0 ||
		memcmp(a->rows, b->rows, (size_t)a->n_rows * a->n_siblings) ==
		    0);
}

static bool
same_slots(
    const struct record_context *rc, const struct slot_setup *slots, uint32_t n)
{
	if (rc->n_slots != n)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!same_slot(&rc->slots[i], &slots[i]))
			return false;
	return true;
}

static void *
copy_to(struct arena *arena, const void *from, size_t n, size_t size)
{
	void *to = arena_array(arena, n, size);

	if (n > 0)
		memcpy(to, from, n * size);
	return to;
}

/* Keeps a copy of slots, whose definitions may go. */
static void
keep_slots(
    struct record_context *rc, const struct slot_setup *slots, uint32_t n)
{
	arena_free(&rc->memory);
	rc->memory = (struct arena){0};
	rc->slots = copy_to(&rc->memory, slots, n, sizeof *slots);
	rc->n_slots = n;
	for (uint32_t i = 0; i < n; i++) {
		struct slot_setup *s = &rc->slots[i];

		s->bonds = copy_to(
		    &rc->memory, s->bonds, s->n_bonds, sizeof *s->bonds);
		s->rows = copy_to(
		    &rc->memory, s->rows, (size_t)s->n_rows * s->n_siblings, 1);
	}
}

/* Contexts. */

int
record_priority(const struct record *r, int priority)
{
	return priority > 0 && !r->hw->facts.has[FEATURE_RAISED_PRIORITY]
	    ? 0
	    : priority;
}

static void
create_context(struct record *r, struct record_context *rc)
{
	struct gpu_context_setup setup = {.space = rc->client->space,
	    .priority = record_priority(r, rc->context->priority),
	    .slots = rc->slots,
	    .n_slots = rc->n_slots};
	struct record_gpu *gpu = mem_calloc(1, sizeof *gpu);
	struct text err = {0};

	record_gpu_put(r, rc->gpu);
	rc->gpu = NULL;
	if (!gpu_context_new(r->hw, &setup, &gpu->id, &err)) {
		record_fail(r, &err);
		free(gpu);
		return;
	}
	gpu->priority = setup.priority;
	gpu->n_users = 1;
	rc->gpu = gpu;
}

static struct record_context *
context_for(
    struct record *r, struct record_client *client, struct context *context)
{
	struct record_context *rc = context->device;

	if (rc == NULL) {
		rc = mem_calloc(1, sizeof *rc);
		rc->context = context;
		rc->next = r->contexts;
		r->contexts = rc;
		context->device = rc;
	}
	rc->client = client;
	return rc;
}

/* Lets ring be that slot of rc, whose context may be new. */
static void
place_ring(struct record *r, struct record_context *rc, struct ring *ring,
    uint32_t slot, bool is_new)
{
	struct record_ring *rr = ring->sched_data;

	if (rr == NULL) {
		rr = mem_calloc(1, sizeof *rr);
		rr->last = &rr->first;
		rr->next = r->rings;
		r->rings = rr;
		ring->sched_data = rr;
		rc->n_open++;
		rc->client->n_users++;
	}
	rr->context = rc;
	rr->slot = slot;
	rr->engines = ring->def->engines;
	if (is_new)
		rr->slices = 0;
}

static void
open_context(struct record *r, const struct client *c,
    struct record_client *client, struct context *context)
{
	uint32_t n = count_slots(c, context), slot = 0;
	struct slot_setup *slots = mem_calloc(n + 1, sizeof *slots);
	struct record_context *rc;
	bool is_new;

	list_slots(c, context, slots);
	rc = n > 0 ? context_for(r, client, context) : NULL;
	is_new = rc != NULL && (rc->gpu == NULL || !same_slots(rc, slots, n));
	if (is_new) {
		keep_slots(rc, slots, n);
		create_context(r, rc);
	}
	for (uint32_t i = 0; rc != NULL && i < c->n_rings; i++)
		if (is_slot_of(c->rings[i], context))
			place_ring(r, rc, c->rings[i], slot++, is_new);
	free(slots);
}

void
record_open_contexts(struct followed *device, struct client *c)
{
	struct record *r = record_of(device);
	struct record_client *client = record_client_for(r, c);

	for (uint32_t i = 0; client != NULL && i < c->n_contexts; i++)
		open_context(r, c, client, c->contexts[i]);
}

void
record_close_ring(struct followed *device, struct ring *ring)
{
	struct record *r = record_of(device);
	struct record_ring *rr = ring->sched_data;
	struct record_context *rc = rr->context;

	ring->sched_data = NULL;
	if (--rc->n_open == 0) {
		/* Its last request destroys it, if it has any. */
		record_gpu_put(r, rc->gpu);
		rc->gpu = NULL;
	}
	record_client_put(r, rc->client);
}

void
record_kill(struct followed *device, struct client *c)
{
	struct record *r = record_of(device);

	/* Requests of a persistent context complete. */
	if (c->killed == KILL_PERSISTENT)
		return;
	for (struct record_request *q = r->requests; q != NULL; q = q->next) {
		if (!q->submitted || q->ring->context->context->client != c)
			continue;
		q->killed = true;
		/* The kernel revokes what runs. */
		destroy_context(r, q->gpu);
	}
}

void
record_contexts_free(struct record *r)
{
	while (r->contexts != NULL) {
		struct record_context *rc = r->contexts;

		r->contexts = rc->next;
		record_gpu_put(r, rc->gpu);
		arena_free(&rc->memory);
		free(rc);
	}
	while (r->rings != NULL) {
		struct record_ring *rr = r->rings;

		r->rings = rr->next;
		free(rr);
	}
}
