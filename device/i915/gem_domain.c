/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hints of programs about the use of an object: domains, caching, tiling, whether
 * its content is needed. Nothing is rendered, so that most of them are only kept
 * and returned when asked for.
 */
#include <errno.h>
#include <limits.h>

#include "device/i915/ioctls.h"
#include "device/i915/object.h"
#include "device/i915/seen.h"
#include "device/i915/uapi.h"

#define DOMAINS_OF_GPU                                                         \
	(I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER |                    \
	    I915_GEM_DOMAIN_COMMAND | I915_GEM_DOMAIN_INSTRUCTION |            \
	    I915_GEM_DOMAIN_VERTEX)

/* Bytes of a row of a fence register, at most; of a tile's row. */
#define PITCH_MAX    (0x800u * 128)
#define TILE_X_WIDTH 512u
#define TILE_Y_WIDTH 128u

int
i915_gem_set_domain(struct i915 *dev, struct i915_call *call)
{
	const struct drm_i915_gem_set_domain *arg = (void *)call->arg;
	struct i915_object *o;
	int rc;

	if (dev->config->discrete)
		return -ENODEV;
	if ((arg->read_domains | arg->write_domain) & DOMAINS_OF_GPU)
		return -EINVAL;
	if (arg->write_domain && arg->read_domains != arg->write_domain)
		return -EINVAL;
	if (!arg->read_domains)
		return 0;
	if (arg->write_domain & (arg->write_domain - 1))
		return -EINVAL;
	o = i915_object_find(call->file, arg->handle);
	if (!o)
		return -ENOENT;
	if ((rc = i915_object_pin(o)))
		return rc;
	/* Clients ask so whether the memory of a userptr object is there. */
	if (o->user && (rc = i915_userptr_look(o)))
		return rc;
	rc = i915_reservation_wait(
	    dev, call, &o->reservation, arg->write_domain != 0);
	i915_seen_object_wait(dev, call, o, rc);
	return rc;
}

int
i915_gem_sw_finish(struct i915 *dev, struct i915_call *call)
{
	const struct drm_i915_gem_sw_finish *arg = (void *)call->arg;

	(void)dev;
	return i915_object_find(call->file, arg->handle) ? 0 : -ENOENT;
}

int
i915_gem_madvise(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_madvise *arg = (void *)call->arg;
	struct i915_object *o;

	if (arg->madv != I915_MADV_WILLNEED && arg->madv != I915_MADV_DONTNEED)
		return -EINVAL;
	o = i915_object_find(call->file, arg->handle);
	if (!o)
		return -ENOENT;
	o->dont_need = arg->madv == I915_MADV_DONTNEED;
	/* Without pages its content goes at once. */
	if (i915_object_unneeded(o))
		i915_object_purge(dev, o);
	arg->retained = !o->purged;
	return 0;
}

static bool
tiling_ok(const struct drm_i915_gem_set_tiling *arg)
{
	unsigned tile = arg->tiling_mode == I915_TILING_Y ? TILE_Y_WIDTH
							  : TILE_X_WIDTH;

	if (arg->tiling_mode == I915_TILING_NONE)
		return true;
	return arg->tiling_mode <= I915_TILING_LAST && arg->stride &&
	    arg->stride % tile == 0 && arg->stride <= PITCH_MAX;
}

/* Gen 7 swaps address bits by the two memory channels, later ones do not. */
static uint32_t
swizzle(const struct i915 *dev, uint32_t tiling)
{
	if (dev->config->graphics >= 800 || tiling == I915_TILING_NONE)
		return I915_BIT_6_SWIZZLE_NONE;
	return tiling == I915_TILING_X ? I915_BIT_6_SWIZZLE_9_10
				       : I915_BIT_6_SWIZZLE_9;
}

/* From Xe-HP on the GGTT has no fence registers. */
static bool
has_fence_registers(const struct i915 *dev)
{
	return dev->config->graphics < 1255;
}

int
i915_gem_set_tiling(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_set_tiling *arg = (void *)call->arg;
	struct i915_object *o;

	if (!has_fence_registers(dev))
		return -EOPNOTSUPP;
	o = i915_object_find(call->file, arg->handle);
	if (!o)
		return -ENOENT;
	if (!tiling_ok(arg))
		return -EINVAL;
	if (arg->tiling_mode == I915_TILING_NONE)
		arg->stride = 0;
	o->tiling = arg->tiling_mode;
	o->stride = arg->stride;
	arg->swizzle_mode = swizzle(dev, arg->tiling_mode);
	return 0;
}

int
i915_gem_get_tiling(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_get_tiling *arg = (void *)call->arg;
	const struct i915_object *o;

	if (!has_fence_registers(dev))
		return -EOPNOTSUPP;
	o = i915_object_find(call->file, arg->handle);
	if (!o)
		return -ENOENT;
	arg->tiling_mode = o->tiling;
	arg->swizzle_mode = swizzle(dev, o->tiling);
	arg->phys_swizzle_mode = arg->swizzle_mode;
	return 0;
}

int
i915_gem_get_aperture(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_get_aperture *arg = (void *)call->arg;

	(void)dev;
	arg->aper_size = UINT64_C(1) << 32;
	arg->aper_available_size = UINT64_C(1) << 32;
	return 0;
}

static int
caching_refused(const struct i915 *dev)
{
	if (dev->config->discrete)
		return -ENODEV;
	return dev->config->graphics >= 1270 ? -EOPNOTSUPP : 0;
}

int
i915_gem_set_caching(struct i915 *dev, struct i915_call *call)
{
	const struct drm_i915_gem_caching *arg = (void *)call->arg;
	struct i915_object *o;
	int rc = caching_refused(dev);

	if (rc)
		return rc;
	if (arg->caching > I915_CACHING_DISPLAY)
		return -EINVAL;
	o = i915_object_find(call->file, arg->handle);
	if (!o)
		return -ENOENT;
	if (o->user)
		return arg->caching == I915_CACHING_CACHED ? 0 : -ENXIO;
	rc = i915_reservation_wait(dev, call, &o->reservation, true);
	if (rc)
		return rc;
	o->caching = arg->caching;
	return 0;
}

int
i915_gem_get_caching(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_caching *arg = (void *)call->arg;
	const struct i915_object *o;
	int rc = caching_refused(dev);

	if (rc)
		return rc;
	o = i915_object_find(call->file, arg->handle);
	if (!o)
		return -ENOENT;
	arg->caching = o->caching;
	return 0;
}
