/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slots of contexts as a capture keeps them: engine maps, bonds and parallel
 * rows, which may change while a program runs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/context.h"
#include "run/capture_private.h"

/* The number of the bit of INFER_ENGINE() of an engine of the device. */
static unsigned
bit_of_engine(const struct sim *sim, unsigned engine)
{
	const struct hw_engine *e = &sim->device.engines[engine];

	return (unsigned)__builtin_ctzll(
	    INFER_ENGINE((unsigned)e->class, e->instance + 1u));
}

uint64_t
capture_bits_of_engines(const struct sim *sim, engine_mask mask)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < sim->device.n_engines; i++)
		if ((mask >> i & 1) != 0)
			bits |= 1ull << bit_of_engine(sim, i);
	return bits;
}

static void
describe_slot(const struct sim *sim, const struct i915_slot *from,
    struct capture_slot *slot)
{
	size_t n = (size_t)from->width * from->n_siblings;

	slot->setup.n_rows = from->width;
	slot->setup.n_siblings = from->n_siblings;
	slot->setup.engines = slot->engines;
	slot->setup.bonds = slot->bonds;
	for (size_t i = 0; i < n && i < CAPTURE_ENGINES; i++)
		slot->engines[i] = (uint8_t)bit_of_engine(
		    sim, from->engines[i]);
	for (size_t i = 0; i < from->n_bonds && i < INFER_MAX_BONDS; i++)
		slot->bonds[slot->setup.n_bonds++] = (struct infer_bond){
		    .master = (uint8_t)bit_of_engine(
			sim, from->bonds[i].master),
		    .siblings = capture_bits_of_engines(
			sim, from->bonds[i].engines)};
}

/* A number for the context, of all that the process has. */
static uint32_t
context_number(struct capture_process *p, const struct i915_seen_submit *seen)
{
	uint32_t i = 0;

	while (i < p->n_files && p->files[i] != seen->file)
		i++;
	if (i == p->n_files && i < CAPTURE_THREADS)
		p->files[p->n_files++] = seen->file;
	return i << 20 | (seen->context & 0xfffff);
}

static bool
has_same_bonds(const struct capture_slot *a, const struct capture_slot *b)
{
	if (a->setup.n_bonds != b->setup.n_bonds)
		return false;
	for (uint32_t i = 0; i < a->setup.n_bonds; i++)
		if (a->bonds[i].master != b->bonds[i].master ||
		    a->bonds[i].siblings != b->bonds[i].siblings)
			return false;
	return true;
}

static bool
is_same_slot(const struct capture_slot *a, const struct capture_slot *b)
{
	return a->setup.n_rows == b->setup.n_rows &&
	    a->setup.n_siblings == b->setup.n_siblings &&
	    memcmp(a->engines, b->engines, sizeof(a->engines)) == 0 &&
	    has_same_bonds(a, b);
}

/* The number of a destroyed context may be that of another one now. */
struct capture_slot *
capture_slot_of(struct capture *c, struct capture_process *p)
{
	const struct i915_seen_submit *seen = &c->pending.seen;
	uint32_t context = context_number(p, seen);
	uint64_t key = (uint64_t)context << 8 | seen->place;
	struct chain_node *node = chains_find(&c->slots, p, key);
	struct capture_slot *old = NULL, *slot = mem_calloc(1, sizeof(*slot));

	if (node != NULL)
		old = container_of(node, struct capture_slot, node);
	describe_slot(c->sim, seen->slot, slot);
	if (old != NULL && is_same_slot(old, slot)) {
		free(slot);
		return old;
	}
	if (old != NULL) {
		chains_remove(&c->slots, &old->node);
		old->listed = false;
	}
	slot->context = context;
	slot->place = seen->place;
	slot->node.p = p;
	slot->node.n = key;
	slot->listed = true;
	chains_add(&c->slots, &slot->node);
	return slot;
}
