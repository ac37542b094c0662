/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Features that no parameter says: a context is created that has it, and
 * destroyed again. So the version of the kernel is never guessed from.
 */
#include "device/hardware/facts_private.h"

#include <errno.h>

#include "device/hardware/driver.h"
#include "device/hardware/map.h"

/* Records the result of a trial, 0 or -errno. */
static void
set_feature(struct facts *facts, enum facts_feature feature, int rc)
{
	facts->has[feature] = rc == 0;
	facts->why[feature] = -rc;
}

int
facts_try_slots(
    const struct facts *facts, int fd, const struct slot_setup *slots, int n)
{
	struct engine_map map;
	uint32_t id;
	int rc;

	map_build(&map, facts, slots, (uint32_t)n);
	struct drm_i915_gem_context_create_ext_setparam set = {
	    .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
	    .param = {.param = I915_CONTEXT_PARAM_ENGINES,
		.size = map.size,
		.value = map.value},
	};

	rc = driver_context_create(fd, &set.base, &id);
	if (rc == 0)
		driver_context_destroy(fd, id);
	map_free(&map);
	return rc;
}

/* Returns the first two engines of a class that has two, else all of the first
 * class. */
static engine_mask
find_pair(const struct facts *facts)
{
	for (unsigned i = 1; i < facts->n_engines; i++)
		if (facts->engines[i].class == facts->engines[i - 1].class &&
		    facts->engines[i].class != CLASS_RCS &&
		    facts->engines[i].class != CLASS_CCS)
			return UINT64_C(3) << (i - 1);
	return 1;
}

static void
try_virtual(struct facts *facts, int fd)
{
	engine_mask pair = find_pair(facts);
	uint8_t first = (uint8_t)__builtin_ctzll(pair);
	struct bond bond = {.master = first, .siblings = pair};
	struct slot_setup slot = {.engines = pair};
	const uint8_t rows[] = {first, (uint8_t)(first + 1)};
	struct slot_setup parallel = {
	    .n_rows = 2, .n_siblings = 1, .rows = rows};
	bool two = (pair & (pair - 1)) != 0;

	if (facts->submission == BY_RINGS)
		return;
	set_feature(facts, FEATURE_BALANCING,
	    two ? facts_try_slots(facts, fd, &slot, 1) : 0);
	slot.bonds = &bond;
	slot.n_bonds = 1;
	set_feature(facts, FEATURE_BONDS,
	    two ? facts_try_slots(facts, fd, &slot, 1) : -ENODEV);
	set_feature(facts, FEATURE_PARALLEL,
	    two ? facts_try_slots(facts, fd, &parallel, 1) : -ENODEV);
}

/* Sets the slice mask that the context has. Returns 0 or -errno. */
static int
try_sseu(int fd, uint32_t id)
{
	struct drm_i915_gem_context_param_sseu sseu = {
	    .engine = {I915_ENGINE_CLASS_RENDER, 0}};
	struct drm_i915_gem_context_param arg = {.ctx_id = id,
	    .size = sizeof sseu,
	    .param = I915_CONTEXT_PARAM_SSEU,
	    .value = (uintptr_t)&sseu};
	int rc = driver_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &arg);

	return rc != 0
	    ? rc
	    : driver_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &arg);
}

static void
try_parameters(struct facts *facts, int fd)
{
	uint32_t id;

	if (driver_context_create(fd, NULL, &id) != 0)
		return;
	set_feature(facts, FEATURE_RAISED_PRIORITY,
	    driver_context_set(fd, id, I915_CONTEXT_PARAM_PRIORITY, 0, 1));
	set_feature(facts, FEATURE_NON_PERSISTENT,
	    driver_context_set(fd, id, I915_CONTEXT_PARAM_PERSISTENCE, 0, 0));
	set_feature(facts, FEATURE_SSEU, try_sseu(fd, id));
	driver_context_destroy(fd, id);
}

/* Creates a context in an address space of its own. Returns 0 or -errno. */
static int
try_space(int fd)
{
	struct drm_i915_gem_vm_control vm = {0};
	int rc = driver_ioctl(fd, DRM_IOCTL_I915_GEM_VM_CREATE, &vm);
	struct drm_i915_gem_context_create_ext_setparam set = {
	    .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
	    .param = {.param = I915_CONTEXT_PARAM_VM, .value = vm.vm_id},
	};
	uint32_t id;

	if (rc != 0)
		return rc;
	rc = driver_context_create(fd, &set.base, &id);
	if (rc == 0)
		driver_context_destroy(fd, id);
	driver_ioctl(fd, DRM_IOCTL_I915_GEM_VM_DESTROY, &vm);
	return rc;
}

void
facts_try(struct facts *facts, int fd)
{
	struct slot_setup slot = {.engines = 1};
	int rc = try_space(fd);

	if (rc == 0)
		rc = facts_try_slots(facts, fd, &slot, 1);
	set_feature(facts, FEATURE_MAPS, rc);
	if (facts->has[FEATURE_MAPS])
		try_virtual(facts, fd);
	try_parameters(facts, fd);
}
