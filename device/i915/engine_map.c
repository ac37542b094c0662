/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Engine maps: what each slot of a context may run on. Without a map a context
 * has a slot for each ring of old. Rules: doc/model/i915.md "Engine maps".
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "device/i915/context.h"
#include "device/i915/uapi.h"

int
i915_engine_find(const struct i915 *dev, unsigned class, unsigned instance)
{
	const struct i915_config *config = dev->config;

	for (size_t i = 0; i < config->n_engines; i++)
		if (config->engines[i].class == class &&
		    config->engines[i].instance == instance)
			return (int)i;
	return -1;
}

static void
slot_engine(struct i915_slot *slot, int engine)
{
	if (engine < 0)
		return;
	slot->kind = I915_SLOT_ENGINE;
	slot->width = slot->n_siblings = 1;
	slot->engines = mem_calloc(1, 1);
	slot->engines[0] = (uint8_t)engine;
}

struct i915_engines *
i915_engines_legacy(const struct i915 *dev)
{
	static const struct {
		unsigned class, instance;
	} rings[N_I915_LEGACY] = {
	    [I915_LEGACY_RENDER] = {GPU_RENDER, 0},
	    [I915_LEGACY_COPY] = {GPU_COPY, 0},
	    [I915_LEGACY_VIDEO_1] = {GPU_VIDEO, 0},
	    [I915_LEGACY_VIDEO_2] = {GPU_VIDEO, 1},
	    [I915_LEGACY_VIDEO_ENHANCE] = {GPU_VIDEO_ENHANCE, 0},
	};
	struct i915_engines *e = mem_calloc(1, sizeof(*e));

	e->n = N_I915_LEGACY;
	for (size_t i = 0; i < e->n; i++)
		slot_engine(&e->slots[i],
		    i915_engine_find(dev, rings[i].class, rings[i].instance));
	return e;
}

void
i915_engines_free(struct i915 *dev, struct i915_engines *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->n; i++) {
		struct i915_slot *slot = &e->slots[i];

		if (slot->timeline)
			dev->gpu->ops->timeline_free(dev->gpu, slot->timeline);
		free(slot->engines);
		free(slot->bonds);
	}
	free(e);
}

/* Reads the entry of a slot: an engine, or a hole for an extension. */
static int
slot_read(struct i915 *dev, struct i915_call *call, uint64_t user,
    struct i915_slot *slot)
{
	struct i915_engine_class_instance ci;
	int rc = i915_copy_in(call, &ci, user, sizeof(ci)), engine;

	if (rc)
		return rc;
	if (ci.engine_class == (uint16_t)I915_ENGINE_CLASS_INVALID &&
	    ci.engine_instance == (uint16_t)I915_ENGINE_CLASS_INVALID_NONE)
		return 0;
	engine = i915_engine_find(dev, ci.engine_class, ci.engine_instance);
	if (engine < 0)
		return -ENOENT;
	slot_engine(slot, engine);
	return 0;
}

int
i915_engines_read(struct i915 *dev, struct i915_call *call, uint64_t user,
    uint64_t size, struct i915_engines **engines)
{
	size_t head = sizeof(uint64_t), one = 4;
	struct i915_engines *e;
	uint64_t extensions;
	int rc;

	if (size < head || (size - head) % one ||
	    (size - head) / one > I915_SLOTS_MAX)
		return -EINVAL;
	e = mem_calloc(1, sizeof(*e));
	e->user = true;
	e->n = (size_t)(size - head) / one;
	rc = i915_copy_in(call, &extensions, user, sizeof(extensions));
	for (size_t i = 0; !rc && i < e->n; i++)
		rc = slot_read(dev, call, user + head + i * one, &e->slots[i]);
	if (!rc)
		rc = i915_engine_extensions(dev, call, extensions, e);
	if (rc)
		i915_engines_free(dev, e);
	else
		*engines = e;
	return rc;
}

/* The kernel makes engines of a map at the context's first use, and refuses
 * then. */
int
i915_engines_check(const struct i915 *dev, const struct i915_engines *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct i915_slot *slot = &e->slots[i];
		uint32_t seen = 0, classes = i915_slot_classes(dev, slot);

		if (slot->kind != I915_SLOT_BALANCED)
			continue;
		for (size_t j = 0; j < slot->n_siblings; j++) {
			if (seen >> slot->engines[j] & 1)
				return -EINVAL;
			seen |= 1u << slot->engines[j];
		}
		if (classes & (classes - 1))
			return -EINVAL;
	}
	return 0;
}

uint32_t
i915_slot_classes(const struct i915 *dev, const struct i915_slot *slot)
{
	uint32_t classes = 0;

	for (size_t i = 0; i < slot->width * slot->n_siblings; i++)
		classes |= 1u << dev->config->engines[slot->engines[i]].class;
	return classes;
}

int
i915_engines_write(struct i915 *dev, struct i915_call *call,
    const struct i915_engines *e, struct drm_i915_gem_context_param *param)
{
	size_t size = sizeof(uint64_t) +
	    e->n * sizeof(struct i915_engine_class_instance);
	uint64_t extensions = 0, at = param->value + sizeof(extensions);
	int rc;

	if (param->size == 0) {
		param->size = (uint32_t)size;
		return 0;
	}
	if (param->size < size)
		return -EINVAL;
	rc = i915_copy_out(call, param->value, &extensions, sizeof(extensions));
	for (size_t i = 0; !rc && i < e->n; i++) {
		struct i915_engine_class_instance ci = {
		    (uint16_t)I915_ENGINE_CLASS_INVALID,
		    (uint16_t)I915_ENGINE_CLASS_INVALID_NONE};
		const struct gpu_engine *engine;

		if (e->slots[i].kind == I915_SLOT_ENGINE) {
			engine = &dev->config->engines[e->slots[i].engines[0]];
			ci.engine_class = engine->class;
			ci.engine_instance = engine->instance;
		}
		rc = i915_copy_out(call, at + i * sizeof(ci), &ci, sizeof(ci));
	}
	param->size = (uint32_t)size;
	return rc;
}

void
i915_slot_start(
    struct i915 *dev, struct i915_context *c, struct i915_slot *slot)
{
	struct gpu_slot gpu = {
	    .index = (unsigned)(slot - c->engines->slots),
	    .width = slot->width,
	    .bonds = slot->bonds,
	    .n_bonds = slot->n_bonds,
	};

	if (slot->timeline)
		return;
	for (size_t i = 0; i < slot->width; i++)
		for (size_t j = 0; j < slot->n_siblings; j++)
			gpu.rows[i] |= 1u
			    << slot->engines[i * slot->n_siblings + j];
	slot->timeline = dev->gpu->ops->timeline_new(dev->gpu, c->gpu, &gpu);
	slot->fences = ++dev->last_timeline;
	if (slot->sseu.slices)
		dev->gpu->ops->timeline_sseu(
		    dev->gpu, slot->timeline, &slot->sseu);
}
