/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SSEU: how many slices, subslices and execution units a slot of a context may
 * power. Graphics 11 has it, and devices whose profile says so. Rules:
 * doc/model/i915.md "SSEU".
 */
#include <errno.h>

#include "device/i915/context.h"
#include "device/i915/uapi.h"

/* Finds the slot that the parameter means. Returns 0 or -EINVAL. */
static int
sseu_slot(struct i915 *dev, const struct i915_context *c,
    const struct drm_i915_gem_context_param_sseu *sseu, struct i915_slot **slot)
{
	unsigned instance = sseu->engine.engine_instance;
	bool by_index = sseu->flags & I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX;
	int engine;

	if (sseu->rsvd || sseu->flags & ~I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX ||
	    by_index != c->engines->user)
		return -EINVAL;
	if (by_index) {
		if (instance >= c->engines->n ||
		    c->engines->slots[instance].kind == I915_SLOT_HOLE)
			return -EINVAL;
		*slot = &c->engines->slots[instance];
		return 0;
	}
	engine = i915_engine_find(dev, sseu->engine.engine_class, instance);
	for (size_t i = 0; engine >= 0 && i < c->engines->n; i++) {
		*slot = &c->engines->slots[i];
		if ((*slot)->kind == I915_SLOT_ENGINE &&
		    (*slot)->engines[0] == engine)
			return 0;
	}
	return -EINVAL;
}

static unsigned
all_of(unsigned n)
{
	return n < 32 ? (1u << n) - 1 : UINT32_MAX;
}

int
i915_sseu_get(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	const struct i915_config *config = dev->config;
	struct drm_i915_gem_context_param_sseu sseu;
	struct i915_slot *slot;
	int rc;

	if (param->size == 0) {
		param->size = sizeof(sseu);
		return 0;
	}
	if (param->size < sizeof(sseu))
		return -EINVAL;
	rc = i915_copy_in(call, &sseu, param->value, sizeof(sseu));
	if (rc || (rc = sseu_slot(dev, c, &sseu, &slot)))
		return rc;
	if (slot->sseu.slices) {
		sseu.slice_mask = slot->sseu.slices;
		sseu.subslice_mask = slot->sseu.subslices;
		sseu.min_eus_per_subslice = slot->sseu.min_eus;
		sseu.max_eus_per_subslice = slot->sseu.max_eus;
	} else {
		sseu.slice_mask = all_of(config->slices);
		sseu.subslice_mask = all_of(config->subslices);
		sseu.min_eus_per_subslice = config->eus;
		sseu.max_eus_per_subslice = config->eus;
	}
	param->size = sizeof(sseu);
	return i915_copy_out(call, param->value, &sseu, sizeof(sseu));
}

/* The configurations of graphics 11: doc/model/i915.md "SSEU". */
static bool
sseu_gen11_ok(const struct i915_config *config,
    const struct drm_i915_gem_context_param_sseu *sseu)
{
	unsigned slices = (unsigned)__builtin_popcountll(sseu->slice_mask);
	unsigned subslices = (unsigned)__builtin_popcountll(
	    sseu->subslice_mask);

	if (slices != 1 && slices != config->slices)
		return false;
	if (slices > 1 && subslices != config->subslices)
		return false;
	if (subslices != config->subslices &&
	    subslices != config->subslices / 2u)
		return false;
	return sseu->min_eus_per_subslice == config->eus &&
	    sseu->max_eus_per_subslice == config->eus;
}

static bool
sseu_ok(const struct i915_config *config,
    const struct drm_i915_gem_context_param_sseu *sseu)
{
	if (!sseu->slice_mask || !sseu->subslice_mask ||
	    !sseu->min_eus_per_subslice || !sseu->max_eus_per_subslice ||
	    sseu->max_eus_per_subslice < sseu->min_eus_per_subslice)
		return false;
	if (sseu->slice_mask & ~(uint64_t)all_of(config->slices) ||
	    sseu->subslice_mask & ~(uint64_t)all_of(config->subslices) ||
	    sseu->max_eus_per_subslice > config->eus)
		return false;
	return config->graphics / 100 != 11 || sseu_gen11_ok(config, sseu);
}

int
i915_sseu_set(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	const struct i915_config *config = dev->config;
	struct drm_i915_gem_context_param_sseu sseu;
	struct i915_slot *slot;
	int rc;

	if (param->size < sizeof(sseu))
		return -EINVAL;
	if (config->graphics / 100 != 11 && !config->any_sseu)
		return -ENODEV;
	rc = i915_copy_in(call, &sseu, param->value, sizeof(sseu));
	if (rc)
		return rc;
	if (!c->engines)
		c->engines = i915_engines_legacy(dev);
	if ((rc = sseu_slot(dev, c, &sseu, &slot)))
		return rc;
	if (i915_slot_classes(dev, slot) != 1u << GPU_RENDER)
		return c->in_use ? -ENODEV : -EINVAL;
	if (!sseu_ok(config, &sseu))
		return -EINVAL;
	slot->sseu = (struct gpu_sseu){(uint8_t)sseu.slice_mask,
	    (uint8_t)sseu.subslice_mask, (uint8_t)sseu.min_eus_per_subslice,
	    (uint8_t)sseu.max_eus_per_subslice};
	if (slot->timeline)
		dev->gpu->ops->timeline_sseu(
		    dev->gpu, slot->timeline, &slot->sseu);
	param->size = sizeof(sseu);
	return 0;
}
