/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts: created in one call, whose chain of extensions sets the address
 * space, the engine map, persistence and priority.
 */
#include "device/hardware/context.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "device/hardware/driver.h"
#include "device/hardware/hardware.h"
#include "device/hardware/map.h"

#define MAX_SETS 4

/* Parameters that the creation sets, each an extension. */
struct context_sets {
	struct drm_i915_gem_context_create_ext_setparam list[MAX_SETS];
	unsigned n;
};

static void
add_set(
    struct context_sets *sets, uint64_t param, uint32_t size, uint64_t value)
{
	struct drm_i915_gem_context_create_ext_setparam *set =
	    &sets->list[sets->n];

	*set = (struct drm_i915_gem_context_create_ext_setparam){
	    .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
	    .param = {.param = param, .size = size, .value = value},
	};
	if (sets->n > 0)
		sets->list[sets->n - 1].base.next_extension = (uintptr_t)set;
	sets->n++;
}

/* Returns the feature that a slot of a map needs; N_FEATURES: none. */
static enum facts_feature
feature_of_slot(const struct slot_setup *slot)
{
	if (slot->n_rows > 0)
		return FEATURE_PARALLEL;
	if (slot->n_bonds > 0)
		return FEATURE_BONDS;
	return (slot->engines & (slot->engines - 1)) != 0 ? FEATURE_BALANCING
							  : N_FEATURES;
}

/* Checks what the setup needs before the driver refuses it with a number. */
static bool
check_context(const struct facts *facts, const struct gpu_context_setup *setup,
    struct text *err)
{
	if (setup->priority > 0 &&
	    !facts_need(facts, FEATURE_RAISED_PRIORITY, err))
		return false;
	for (uint32_t i = 0; i < setup->n_slots; i++) {
		enum facts_feature feature = feature_of_slot(&setup->slots[i]);

		if (feature != N_FEATURES && !facts_need(facts, feature, err))
			return false;
	}
	return true;
}

static bool
refuse_context(
    const struct hardware *hw, const char *what, int rc, struct text *err)
{
	text_addf(err, "%s: %s: %s", hw->facts.path, what, strerror(-rc));
	if (rc == -EIO)
		text_adds(err, ", after hangs of this run or by a ban");
	return false;
}

bool
gpu_context_new(struct hardware *hw, const struct gpu_context_setup *setup,
    uint32_t *id, struct text *err)
{
	struct context_sets sets = {.n = 0};
	struct engine_map map;
	int rc;

	if (!check_context(&hw->facts, setup, err))
		return false;
	map_build(&map, &hw->facts, setup->slots, setup->n_slots);
	add_set(&sets, I915_CONTEXT_PARAM_VM, 0, setup->space);
	add_set(&sets, I915_CONTEXT_PARAM_ENGINES, map.size, map.value);
	if (hw->facts.has[FEATURE_NON_PERSISTENT])
		add_set(&sets, I915_CONTEXT_PARAM_PERSISTENCE, 0, 0);
	if (setup->priority != 0)
		add_set(&sets, I915_CONTEXT_PARAM_PRIORITY, 0,
		    (uint64_t)(int64_t)setup->priority);
	rc = driver_context_create(hw->fd, &sets.list[0].base, id);
	map_free(&map);
	return rc == 0 || refuse_context(hw, "no context", rc, err);
}

void
gpu_context_free(const struct hardware *hw, uint32_t id)
{
	driver_context_destroy(hw->fd, id);
}

bool
gpu_context_set_priority(
    const struct hardware *hw, uint32_t id, int priority, struct text *err)
{
	int rc = driver_context_set(hw->fd, id, I915_CONTEXT_PARAM_PRIORITY, 0,
	    (uint64_t)(int64_t)priority);

	if (rc == -EPERM || rc == -EACCES)
		return facts_need(&hw->facts, FEATURE_RAISED_PRIORITY, err);
	return rc == 0 || refuse_context(hw, "priority", rc, err);
}

bool
gpu_context_set_slices(const struct hardware *hw, uint32_t id, uint32_t slot,
    uint32_t mask, struct text *err)
{
	struct drm_i915_gem_context_param_sseu sseu = {
	    .engine = {0, (uint16_t)slot},
	    .flags = I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX};
	struct drm_i915_gem_context_param get = {.ctx_id = id,
	    .size = sizeof sseu,
	    .param = I915_CONTEXT_PARAM_SSEU,
	    .value = (uintptr_t)&sseu};
	int rc;

	if (!facts_need(&hw->facts, FEATURE_SSEU, err))
		return false;
	/* The other masks stay as they are. */
	rc = driver_ioctl(hw->fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &get);
	sseu.slice_mask = mask != 0 ? mask
				    : (UINT64_C(1) << hw->facts.slices) - 1;
	if (rc == 0)
		rc = driver_ioctl(
		    hw->fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &get);
	return rc == 0 || refuse_context(hw, "slice mask", rc, err);
}

int
gpu_context_resets(
    const struct hardware *hw, uint32_t id, struct gpu_context_resets *resets)
{
	struct drm_i915_reset_stats arg = {.ctx_id = id};
	int rc = driver_ioctl(hw->fd, DRM_IOCTL_I915_GET_RESET_STATS, &arg);

	*resets = (struct gpu_context_resets){
	    arg.batch_active, arg.batch_pending};
	return rc;
}
