/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts of clients from outside: checking what is asked for, making them and
 * their timelines, changing, closing and banning them.
 */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "engine/client/client_run.h"
#include "engine/client/outside.h"
#include "engine/compile/program.h"
#include "engine/sched/steps.h"
#include "engine/sim.h"
#include "parser/step.h"

/* Checking. */

static engine_mask
engines_of_slot(const struct slot_setup *slot)
{
	engine_mask mask = 0;

	if (slot->n_rows == 0)
		return slot->engines;
	for (uint32_t i = 0; i < slot->n_rows * slot->n_siblings; i++)
		mask |= (engine_mask)1 << slot->rows[i];
	return mask;
}

static bool
has_one_class(const struct sim *sim, engine_mask engines)
{
	unsigned first = (unsigned)__builtin_ctzll(engines);

	for (; engines != 0; engines &= engines - 1) {
		if (sim->device.engines[__builtin_ctzll(engines)].class !=
		    sim->device.engines[first].class)
			return false;
	}
	return true;
}

/* Returns true if the scheduler can have the slot, asked as if a program with
 * one context wanted it. */
static bool
is_accepted(const struct sim *sim, uint32_t number,
    const struct slot_setup *slot, struct text *err)
{
	engine_mask engines = engines_of_slot(slot);
	struct context_def def = {
	    .number = number,
	    .map = engines,
	    .n_bonds = slot->n_bonds,
	    .n_rows = slot->n_rows,
	    .n_siblings = slot->n_siblings,
	};
	struct program p = {
	    .contexts = &def,
	    .n_contexts = 1,
	    .mixed_balance = slot->n_rows == 0 && !has_one_class(sim, engines),
	};

	return sched_accepts(sim->config.sched, &p, &sim->config.profile, err);
}

static bool
check_slot(const struct sim *sim, uint32_t number, uint32_t i,
    const struct slot_setup *slot, struct text *err)
{
	engine_mask engines = engines_of_slot(slot);

	if (engines == 0 || engines >> sim->device.n_engines != 0) {
		text_addf(err,
		    "slot %u has engines that are none: expected a mask of %u "
		    "engines",
		    i, sim->device.n_engines);
		return false;
	}
	return is_accepted(sim, number, slot, err);
}

static bool
check_wanted_slices(struct sim *sim, uint32_t sseu, struct text *err)
{
	return device_check_slices(
	    &sim->device, sseu == 0 ? -1 : (int64_t)sseu, err);
}

static bool
check_setup(
    struct client *c, const struct context_setup *setup, struct text *err)
{
	if (c->ban.banned) {
		text_adds(err, "the client is banned");
		return false;
	}
	if (!value_check(VALUE_PRIORITY, setup->priority, err) ||
	    !check_wanted_slices(c->sim, setup->sseu, err))
		return false;
	for (uint32_t i = 0; i < setup->n_slots; i++) {
		if (!check_slot(
			c->sim, setup->number, i, &setup->slots[i], err))
			return false;
	}
	return true;
}

/* Making. */

/* Returns a definition with its lists, for the ring to free. */
static struct ring_def *
slot_def(struct region *region, const struct slot_setup *slot, uint32_t context)
{
	size_t bonds = slot->n_bonds * sizeof(struct bond);
	size_t rows = slot->n_rows * slot->n_siblings;
	struct ring_def *def = region_alloc(
	    region, 1, sizeof *def + bonds + rows);
	struct bond *own_bonds = (struct bond *)(def + 1);
	uint8_t *own_rows = (uint8_t *)own_bonds + bonds;

	def->context = context;
	def->engines = engines_of_slot(slot);
	def->engine = (uint8_t)__builtin_ctzll(def->engines);
	def->is_virtual = slot->n_rows > 0 ||
	    (def->engines & (def->engines - 1)) != 0;
	if (!def->is_virtual)
		return def;
	def->n_bonds = slot->n_bonds;
	def->n_rows = slot->n_rows;
	def->n_siblings = slot->n_siblings;
	if (bonds > 0)
		memcpy(own_bonds, slot->bonds, bonds);
	if (rows > 0)
		memcpy(own_rows, slot->rows, rows);
	def->bonds = own_bonds;
	def->rows = own_rows;
	return def;
}

static struct ring *
add_timeline(
    struct outside *o, struct context *context, const struct slot_setup *slot)
{
	struct client *c = &o->client;
	struct ring_def *def = slot_def(c->sim->region, slot, context->index);
	struct ring *ring = ring_new(context, def), **at = &context->timelines;

	ring->owns_def = true;
	ring->index = c->n_rings;
	while (*at != NULL)
		at = &(*at)->next_of_context;
	*at = ring;
	c->sim->outsiders.n_changes++;
	c->rings = region_grow(c->sim->region, c->rings, c->n_rings,
	    &o->cap_rings, sizeof *c->rings);
	c->rings[c->n_rings++] = ring;
	if (context->sseu_split)
		ring->sseu = device_all_slices(&c->sim->device);
	return ring;
}

static struct context_def *
definition_of(const struct client *c, const struct context_setup *setup)
{
	struct context_def *def = region_alloc(c->sim->region, 1, sizeof *def);

	def->number = setup->number;
	def->first_ring = c->n_rings;
	def->n_rings = setup->n_slots;
	for (uint32_t i = 0; i < setup->n_slots; i++)
		def->map |= engines_of_slot(&setup->slots[i]);
	return def;
}

static struct context_def *
own_definition(const struct context *context)
{
	return (struct context_def *)(uintptr_t)context->def;
}

static uint32_t
wanted_slices(const struct sim *sim, uint32_t sseu)
{
	return sseu == 0 ? device_all_slices(&sim->device) : sseu;
}

/* Adds the context to its client, in place of a past one if there are many. */
static void
add_context(struct outside *o, struct context *context)
{
	struct client *c = &o->client;

	if (!past_sum_context(o, &context->index)) {
		c->contexts = region_grow(c->sim->region, c->contexts,
		    c->n_contexts, &o->cap_contexts, sizeof *c->contexts);
		context->index = c->n_contexts++;
	}
	c->contexts[context->index] = context;
}

struct context *
backend_context_new(
    struct client *c, const struct context_setup *setup, struct text *err)
{
	struct outside *o = outside_of(c);
	struct context_def *def;
	struct context *context;

	if (!check_setup(c, setup, err))
		return NULL;
	def = definition_of(c, setup);
	context = context_new(c, def);
	context->owns_def = true;
	context->serial = o->n_made++;
	o->n_held++;
	o->ordered |= setup->n_slots > 0;
	context->priority = setup->priority;
	context->sseu = wanted_slices(c->sim, setup->sseu);
	context->is_used = context->polls = setup->has_engines;
	context->persistent = setup->persistent;
	context->unbannable = !setup->bannable;
	context->unrecoverable = !setup->recoverable;
	add_context(o, context);
	c->sim->outsiders.n_changes++;
	for (uint32_t i = 0; i < setup->n_slots; i++)
		add_timeline(o, context, &setup->slots[i]);
	return context;
}

struct ring *
backend_timeline(const struct context *context, uint32_t slot)
{
	return context->client->rings[context->def->first_ring + slot];
}

struct ring *
backend_timeline_new(
    struct context *context, const struct slot_setup *slot, struct text *err)
{
	struct sim *sim = context->client->sim;
	uint32_t number = context->def->number;

	if (!check_slot(sim, number, 0, slot, err))
		return NULL;
	own_definition(context)->map |= engines_of_slot(slot);
	return add_timeline(outside_of(context->client), context, slot);
}

/* Changing. */

void
backend_context_set_priority(struct context *context, int priority)
{
	context->priority = (int16_t)priority;
}

bool
backend_context_set_sseu(
    struct context *context, uint32_t sseu, struct text *err)
{
	struct sim *sim = context->client->sim;

	if (!check_wanted_slices(sim, sseu, err))
		return false;
	context->sseu = wanted_slices(sim, sseu);
	context_join_sseu(context);
	return true;
}

/* Gives each slot of the context a mask of its own: the context's. */
static void
split_sseu(struct context *context)
{
	const struct client *c = context->client;

	for (uint32_t i = 0; i < c->n_rings; i++)
		if (c->rings[i]->context == context && c->rings[i]->sseu == 0)
			c->rings[i]->sseu = context->sseu;
}

bool
backend_timeline_set_sseu(
    struct ring *timeline, uint32_t sseu, struct text *err)
{
	struct context *context = timeline->context;
	const struct client *c = context->client;
	bool same = true;

	if (!check_wanted_slices(c->sim, sseu, err))
		return false;
	split_sseu(context);
	context->sseu_split = true;
	timeline->sseu = wanted_slices(c->sim, sseu);
	for (uint32_t i = 0; i < c->n_rings; i++)
		same &= c->rings[i]->context != context ||
		    c->rings[i]->sseu == timeline->sseu;
	/* Users see the mask that all have. */
	if (same)
		context->sseu = timeline->sseu;
	return true;
}

void
backend_context_set_persistent(struct context *context, bool persistent)
{
	context->persistent = persistent;
}

void
backend_context_set_bannable(struct context *context, bool bannable)
{
	context->unbannable = !bannable;
}

void
backend_context_set_recoverable(struct context *context, bool recoverable)
{
	context->unrecoverable = !recoverable;
}

/* Closing. */

/* Returns true if the context has requests where the heartbeat was switched
 * off: nothing else would end them (doc/model/outside.md "Closed contexts"). */
static bool
is_unwatched(const struct context *context)
{
	const struct sim *sim = context->client->sim;

	if (sim->config.profile.heartbeat_ns == 0 ||
	    sim->config.sched->pulse == NULL)
		return false;
	for (const struct ring *r = context->timelines; r != NULL;
	     r = r->next_of_context) {
		if (r->in_flight > 0 &&
		    (r->def->engines & ~sim->device.beating) != 0)
			return true;
	}
	return false;
}

/* Revokes the requests of closed contexts that nothing watches any more. */
static void
revoke_unwatched(struct outside *o)
{
	struct context *c, *next;

	for (c = o->closing; c != NULL; c = next) {
		next = c->next_closing;
		if (c->revoked || !is_unwatched(c))
			continue;
		c->revoked = true;
		client_revoke_context(c);
	}
}

void
backend_heartbeat_off(struct sim *sim)
{
	for (uint32_t i = 0; i < sim->n_clients; i++) {
		struct client *c = sim->clients[i];

		if (c->walker == NULL && c->state != CLIENT_ENDED)
			revoke_unwatched(outside_of(c));
	}
	sim->backend->instant_run(sim);
	outsiders_touch(sim);
}

void
backend_context_destroy(struct context *context)
{
	struct outside *o = outside_of(context->client);
	struct sim *sim = context->client->sim;

	if (context->closed || context->client->state == CLIENT_ENDED)
		return;
	context->closed = true;
	context->revoked = !context->persistent || is_unwatched(context);
	if (context->revoked)
		client_revoke_context(context);
	context->next_closing = o->closing;
	o->closing = context;
	if (context->in_flight == 0)
		runnable_add(sim, context->client);
	sim->backend->instant_run(sim);
	outsiders_touch(sim);
}

void
backend_context_release(struct context *context)
{
	context->released = true;
	outside_of(context->client)->n_held--;
	past_add_context(context);
}

void
backend_context_ban(struct context *context)
{
	struct sim *sim = context->client->sim;

	context->ban.banned = true;
	revoke_context(sim, context, -EIO, REVOKE_GRACE);
	sim->backend->instant_run(sim);
	outsiders_touch(sim);
}
