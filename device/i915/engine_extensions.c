/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Extensions of engine maps: load balancing, bonds, parallel submission. Rules:
 * doc/model/i915.md "Engine maps".
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "device/i915/context.h"
#include "device/i915/uapi.h"

/* Reads n engines of a list. Returns 0, -EFAULT, or -EINVAL: one is unknown. */
static int
siblings_read(struct i915 *dev, struct i915_call *call, uint64_t user, size_t n,
    uint8_t *engines)
{
	for (size_t i = 0; i < n; i++) {
		struct i915_engine_class_instance ci;
		int rc = i915_copy_in(
		    call, &ci, user + i * sizeof(ci), sizeof(ci));
		int engine;

		if (rc)
			return rc;
		engine = i915_engine_find(
		    dev, ci.engine_class, ci.engine_instance);
		if (engine < 0)
			return -EINVAL;
		engines[i] = (uint8_t)engine;
	}
	return 0;
}

static int
load_balance(
    struct i915 *dev, struct i915_call *call, uint64_t user, void *data)
{
	struct i915_engines *e = data;
	struct i915_context_engines_load_balance ext;
	struct i915_slot *slot;
	uint8_t *engines;
	int rc;

	if (dev->config->scheduler == I915_RING)
		return -ENODEV;
	rc = i915_copy_in(call, &ext, user, sizeof(ext));
	if (rc)
		return rc;
	if (ext.engine_index >= e->n)
		return -EINVAL;
	slot = &e->slots[ext.engine_index];
	if (slot->kind != I915_SLOT_HOLE)
		return -EEXIST;
	if (ext.flags || ext.mbz64)
		return -EINVAL;
	if (ext.num_siblings == 0)
		return 0;
	engines = mem_calloc(ext.num_siblings, 1);
	rc = siblings_read(
	    dev, call, user + sizeof(ext), ext.num_siblings, engines);
	if (rc) {
		free(engines);
		return rc;
	}
	slot->kind = ext.num_siblings == 1 ? I915_SLOT_ENGINE
					   : I915_SLOT_BALANCED;
	slot->width = 1;
	slot->n_siblings = ext.num_siblings;
	slot->engines = engines;
	return 0;
}

/* Devices that have bonds at all. */
static bool
bonds_exist(const struct i915 *dev)
{
	unsigned id = dev->config->pci_id & 0xff00;

	if (dev->config->scheduler == I915_GUC)
		return false;
	if (!i915_since(dev, 5, 14) || dev->config->graphics < 1200)
		return true;
	/* Tiger Lake, Rocket Lake, Alder Lake S. */
	return id == 0x9a00 || id == 0x4c00 ||
	    (dev->config->pci_id & 0xffe0) == 0x4680;
}

/* Adds the bond to a virtual engine. */
static int
bond_add(
    struct i915_slot *slot, uint8_t master, const uint8_t *engines, size_t n)
{
	struct gpu_bond bond = {.master = master};

	for (size_t i = 0; i < n; i++) {
		size_t j = 0;

		while (j < slot->n_siblings && slot->engines[j] != engines[i])
			j++;
		if (j == slot->n_siblings)
			return -EINVAL;
		bond.engines |= 1u << engines[i];
	}
	slot->bonds = mem_realloc(
	    slot->bonds, slot->n_bonds + 1, sizeof(*slot->bonds));
	slot->bonds[slot->n_bonds++] = bond;
	return 0;
}

static int
bond_check(const struct i915 *dev, const struct i915_engines *e,
    const struct i915_context_engines_bond *ext)
{
	const struct i915_slot *slot;

	if (ext->virtual_index >= e->n)
		return -EINVAL;
	slot = &e->slots[ext->virtual_index];
	if (slot->kind == I915_SLOT_HOLE || slot->kind == I915_SLOT_PARALLEL)
		return -EINVAL;
	if (slot->kind == I915_SLOT_BALANCED && i915_since(dev, 5, 14))
		return -EINVAL;
	if (ext->flags || ext->mbz64[0] || ext->mbz64[1] || ext->mbz64[2] ||
	    ext->mbz64[3] || ext->num_bonds > GPU_ENGINES_MAX)
		return -EINVAL;
	return 0;
}

static int
bond(struct i915 *dev, struct i915_call *call, uint64_t user, void *data)
{
	struct i915_engines *e = data;
	struct i915_context_engines_bond ext;
	uint8_t engines[GPU_ENGINES_MAX];
	struct i915_slot *slot;
	int rc, master;

	if (!bonds_exist(dev))
		return -ENODEV;
	rc = i915_copy_in(call, &ext, user, sizeof(ext));
	if (rc || (rc = bond_check(dev, e, &ext)))
		return rc;
	master = i915_engine_find(
	    dev, ext.master.engine_class, ext.master.engine_instance);
	if (master < 0)
		return -EINVAL;
	rc = siblings_read(
	    dev, call, user + sizeof(ext), ext.num_bonds, engines);
	slot = &e->slots[ext.virtual_index];
	/* On a single engine there is nothing to choose. */
	if (rc || slot->kind != I915_SLOT_BALANCED)
		return rc;
	return bond_add(slot, (uint8_t)master, engines, ext.num_bonds);
}

/* Each row is the one before, moved on by one logical instance. */
static bool
parallel_rows(const struct i915 *dev, const uint8_t *engines, unsigned width,
    unsigned n_siblings)
{
	const struct gpu_engine *all = dev->config->engines;
	uint64_t before = 0;

	for (size_t i = 0; i < width; i++) {
		uint64_t row = 0;

		for (size_t j = 0; j < n_siblings; j++) {
			const struct gpu_engine *engine =
			    &all[engines[i * n_siblings + j]];

			if (engine->class == GPU_RENDER ||
			    engine->class == GPU_COMPUTE ||
			    engine->class != all[engines[0]].class)
				return false;
			row |= UINT64_C(1) << engine->logical;
		}
		if (i > 0 && row != before << 1)
			return false;
		before = row;
	}
	return true;
}

/* Linux 5.16 has it with the GuC, 5.17 without, for one sibling. */
static int
parallel_check(const struct i915 *dev, const struct i915_engines *e,
    const struct i915_context_engines_parallel_submit *ext)
{
	bool guc = dev->config->scheduler == I915_GUC;

	if (!i915_since(dev, 5, 16))
		return -EINVAL;
	if (!guc && !i915_since(dev, 5, 17))
		return -ENODEV;
	if (dev->config->scheduler == I915_RING || dev->config->no_parallel)
		return -ENODEV;
	if (!guc && ext->num_siblings != 1)
		return -EINVAL;
	if (ext->engine_index >= e->n ||
	    e->slots[ext->engine_index].kind != I915_SLOT_HOLE)
		return -EINVAL;
	if (ext->flags || ext->mbz16 || ext->mbz64[0] || ext->mbz64[1] ||
	    ext->mbz64[2])
		return -EINVAL;
	if (ext->width < 2 || ext->width > GPU_WIDTH_MAX ||
	    ext->num_siblings < 1 || ext->num_siblings > GPU_ENGINES_MAX)
		return -EINVAL;
	return 0;
}

static int
parallel(struct i915 *dev, struct i915_call *call, uint64_t user, void *data)
{
	struct i915_engines *e = data;
	struct i915_context_engines_parallel_submit ext;
	struct i915_slot *slot;
	uint8_t *engines;
	size_t n;
	int rc = i915_copy_in(call, &ext, user, sizeof(ext));

	if (rc || (rc = parallel_check(dev, e, &ext)))
		return rc;
	n = (size_t)ext.width * ext.num_siblings;
	engines = mem_calloc(n, 1);
	rc = siblings_read(dev, call, user + sizeof(ext), n, engines);
	if (!rc && !parallel_rows(dev, engines, ext.width, ext.num_siblings))
		rc = -EINVAL;
	if (rc) {
		free(engines);
		return rc;
	}
	slot = &e->slots[ext.engine_index];
	slot->kind = I915_SLOT_PARALLEL;
	slot->width = ext.width;
	slot->n_siblings = ext.num_siblings;
	slot->engines = engines;
	return 0;
}

int
i915_engine_extensions(struct i915 *dev, struct i915_call *call, uint64_t user,
    struct i915_engines *e)
{
	static i915_extension_fn *const serve[] = {
	    [I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE] = load_balance,
	    [I915_CONTEXT_ENGINES_EXT_BOND] = bond,
	    [I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT] = parallel,
	};

	return i915_extensions(dev, call, user, serve, 3, e);
}
