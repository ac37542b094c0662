/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine maps and their extensions, for I915_CONTEXT_PARAM_ENGINES. */
#include "device/hardware/map.h"

#include <string.h>

#include <i915_drm.h>

#define ENGINE_BYTES sizeof(struct i915_engine_class_instance)

struct map_builder {
	struct arena *memory;
	const struct facts *facts;
	uint64_t *link; /* where the next extension's address goes */
};

static struct i915_engine_class_instance
name_of(const struct map_builder *b, unsigned engine)
{
	const struct facts_engine *e = &b->facts->engines[engine];

	return (struct i915_engine_class_instance){
	    e->i915_class, e->i915_instance};
}

/* Returns size zeroed bytes of an extension, and puts it into the chain. */
static void *
add_extension(struct map_builder *b, uint32_t name, size_t size)
{
	struct i915_user_extension *base = arena_alloc(b->memory, size);

	memset(base, 0, size);
	base->name = name;
	*b->link = (uintptr_t)base;
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	b->link = (uint64_t *)(void *)&base->next_extension;
	return base;
}

/* Writes the engines of a mask; returns their number. */
static uint16_t
put_siblings(const struct map_builder *b, engine_mask mask, void *to)
{
	struct i915_engine_class_instance *engines = to;
	uint16_t n = 0;

	for (; mask != 0; mask &= mask - 1)
		engines[n++] = name_of(b, (unsigned)__builtin_ctzll(mask));
	return n;
}

static void
balance_slot(struct map_builder *b, uint16_t slot, engine_mask engines)
{
	size_t n = (size_t)__builtin_popcountll(engines);
	struct i915_context_engines_load_balance *balance = add_extension(b,
	    I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE,
	    sizeof *balance + n * ENGINE_BYTES);

	balance->engine_index = slot;
	balance->num_siblings = put_siblings(b, engines, balance + 1);
}

static void
bond_slot(struct map_builder *b, uint16_t slot, const struct bond *bond)
{
	size_t n = (size_t)__builtin_popcountll(bond->siblings);
	struct i915_context_engines_bond *ext = add_extension(
	    b, I915_CONTEXT_ENGINES_EXT_BOND, sizeof *ext + n * ENGINE_BYTES);

	ext->virtual_index = slot;
	ext->master = name_of(b, bond->master);
	ext->num_bonds = put_siblings(b, bond->siblings, ext + 1);
}

static void
parallel_slot(
    struct map_builder *b, uint16_t index, const struct slot_setup *slot)
{
	size_t n = (size_t)slot->n_rows * slot->n_siblings;
	struct i915_context_engines_parallel_submit *ext = add_extension(b,
	    I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT,
	    sizeof *ext + n * ENGINE_BYTES);

	ext->engine_index = index;
	ext->width = (uint16_t)slot->n_rows;
	ext->num_siblings = (uint16_t)slot->n_siblings;
	for (size_t i = 0; i < n; i++)
		ext->engines[i] = name_of(b, slot->rows[i]);
}

/* Returns what the map itself says of a slot: its engine, or a hole that an
 * extension fills. */
static struct i915_engine_class_instance
put_slot(struct map_builder *b, uint16_t index, const struct slot_setup *slot)
{
	bool parallel = slot->n_rows > 0;

	if (!parallel && __builtin_popcountll(slot->engines) == 1)
		return name_of(b, (unsigned)__builtin_ctzll(slot->engines));
	if (parallel)
		parallel_slot(b, index, slot);
	else
		balance_slot(b, index, slot->engines);
	for (uint32_t i = 0; !parallel && i < slot->n_bonds; i++)
		bond_slot(b, index, &slot->bonds[i]);
	return (struct i915_engine_class_instance){
	    (uint16_t)I915_ENGINE_CLASS_INVALID,
	    (uint16_t)I915_ENGINE_CLASS_INVALID_NONE};
}

void
map_build(struct engine_map *map, const struct facts *facts,
    const struct slot_setup *slots, uint32_t n_slots)
{
	struct i915_context_param_engines *param;
	struct map_builder b = {.memory = &map->memory, .facts = facts};
	void *memory;

	*map = (struct engine_map){0};
	map->size = (uint32_t)(sizeof *param + n_slots * ENGINE_BYTES);
	memory = arena_alloc(b.memory, map->size);
	b.link = memory;
	*b.link = 0; /* its first member: extensions */
	map->value = (uintptr_t)memory;
	param = memory;
	for (uint32_t i = 0; i < n_slots; i++)
		param->engines[i] = put_slot(&b, (uint16_t)i, &slots[i]);
}

void
map_free(struct engine_map *map)
{
	arena_free(&map->memory);
	*map = (struct engine_map){0};
}
