/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GEM: objects are made, named, closed, read and written by programs. Rules:
 * doc/model/i915.md "Objects".
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/mem.h"
#include "device/i915/ioctls.h"
#include "device/i915/object.h"
#include "device/i915/uapi.h"

/* Bytes that PREAD and PWRITE copy at a time. */
#define COPY_MAX 65536
/* Bytes that one PREAD or PWRITE copies at a time. */
#define PART_MAX (16u << 20)

/* The extensions of GEM_CREATE_EXT. */
struct create_ext {
	unsigned n_regions;
	bool system; /* is one of them */
};

static int
create_size(uint64_t *size)
{
	uint64_t pages = *size / I915_PAGE + (*size % I915_PAGE != 0);

	/* Rounded up, the last page of all is 0. */
	if (*size == 0 || *size > UINT64_MAX - I915_PAGE + 1)
		return -EINVAL;
	if (pages > INT_MAX)
		return -E2BIG;
	*size = pages * I915_PAGE;
	return 0;
}

int
i915_gem_create(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_create *arg = (void *)call->arg;
	struct i915_object *o;
	uint64_t size = arg->size;
	int rc = create_size(&size);

	if (rc)
		return rc;
	arg->size = size;
	return i915_object_new(dev, call, size, &o, &arg->handle);
}

/* Reads one region of the list. Returns its bit, or -errno. */
static int
create_region(
    struct i915 *dev, struct i915_call *call, uint64_t user, unsigned seen)
{
	struct drm_i915_gem_memory_class_instance region;
	int rc = i915_copy_in(call, &region, user, sizeof(region));

	if (rc)
		return rc;
	if (region.memory_instance != 0 ||
	    region.memory_class > I915_MEMORY_CLASS_DEVICE ||
	    (region.memory_class == I915_MEMORY_CLASS_DEVICE &&
		!dev->config->discrete))
		return -EINVAL;
	return seen >> region.memory_class & 1 ? -EINVAL
					       : 1 << region.memory_class;
}

static int
create_regions(
    struct i915 *dev, struct i915_call *call, uint64_t user, void *data)
{
	struct create_ext *create = data;
	struct drm_i915_gem_create_ext_memory_regions ext;
	unsigned seen = 0;
	int rc = i915_copy_in(call, &ext, user, sizeof(ext));

	if (rc)
		return rc;
	if (create->n_regions || ext.pad || ext.num_regions == 0 ||
	    ext.num_regions > 2)
		return -EINVAL;
	for (unsigned i = 0; i < ext.num_regions; i++) {
		uint64_t at = ext.regions +
		    i * sizeof(struct drm_i915_gem_memory_class_instance);

		if ((rc = create_region(dev, call, at, seen)) < 0)
			return rc;
		seen |= (unsigned)rc;
	}
	create->n_regions = ext.num_regions;
	create->system = seen & 1;
	return 0;
}

/* There is no PXP. */
static int
create_protected(
    struct i915 *dev, struct i915_call *call, uint64_t user, void *data)
{
	struct drm_i915_gem_create_ext_protected_content ext;
	int rc = i915_copy_in(call, &ext, user, sizeof(ext));

	(void)dev;
	(void)data;
	if (rc)
		return rc;
	return ext.flags ? -EINVAL : -ENODEV;
}

static int
create_pat(struct i915 *dev, struct i915_call *call, uint64_t user, void *data)
{
	struct i915_create_ext_set_pat ext;
	int rc = i915_copy_in(call, &ext, user, sizeof(ext));

	(void)data;
	if (rc)
		return rc;
	if (!i915_since(dev, 6, 5))
		return -EINVAL;
	if (dev->config->graphics < 1270)
		return -ENODEV;
	return ext.pat_index > 4 ? -EINVAL : 0;
}

int
i915_gem_create_ext(struct i915 *dev, struct i915_call *call)
{
	static i915_extension_fn *const serve[] = {
	    [I915_GEM_CREATE_EXT_MEMORY_REGIONS] = create_regions,
	    [I915_GEM_CREATE_EXT_PROTECTED_CONTENT] = create_protected,
	    [I915_CREATE_EXT_SET_PAT] = create_pat,
	};
	struct drm_i915_gem_create_ext *arg = (void *)call->arg;
	struct create_ext create = {0};
	struct i915_object *o;
	uint64_t size = arg->size;
	uint32_t flags = I915_GEM_CREATE_EXT_FLAG_NEEDS_CPU_ACCESS;
	int rc;

	if (arg->flags & ~flags)
		return -EINVAL;
	rc = i915_extensions(dev, call, arg->extensions, serve, 3, &create);
	if (rc)
		return rc;
	if (arg->flags & flags && (create.n_regions < 2 || !create.system))
		return -EINVAL;
	if ((rc = create_size(&size)) ||
	    (rc = i915_object_new(dev, call, size, &o, &arg->handle)))
		return rc;
	arg->size = size;
	return 0;
}

int
i915_gem_close(struct i915 *dev, struct i915_call *call)
{
	const struct drm_gem_close *arg = (void *)call->arg;

	return i915_object_close(dev, call->file, arg->handle) ? 0 : -EINVAL;
}

int
i915_gem_flink(struct i915 *dev, struct i915_call *call)
{
	struct drm_gem_flink *arg = (void *)call->arg;
	struct i915_object *o = i915_object_find(call->file, arg->handle);

	if (!o)
		return -ENOENT;
	if (!o->name)
		o->name = i915_table_add(&dev->names, 1, o);
	arg->name = o->name;
	return 0;
}

int
i915_gem_open(struct i915 *dev, struct i915_call *call)
{
	struct drm_gem_open *arg = (void *)call->arg;
	struct i915_object *o = i915_table_get(&dev->names, arg->name);
	int rc;

	if (!o)
		return -ENOENT;
	if ((rc = i915_table_room(
		 dev, &call->file->objects, I915_LIMIT_OBJECTS)))
		return rc;
	arg->handle = i915_object_handle_new(dev, call->file, o);
	arg->size = o->size;
	return 0;
}

/* Copies between the program and an object, which the GPU has left; most bytes
 * at most. The argument then has the rest that is left to copy. */
static int
gem_copy(struct i915 *dev, struct i915_call *call, struct i915_object *o,
    bool write, uint64_t most)
{
	struct drm_i915_gem_pwrite *arg = (void *)call->arg;
	char *buffer = mem_calloc(1, COPY_MAX);
	int rc = 0;

	for (uint64_t done = 0; !rc && arg->size > 0 && done < most;) {
		uint64_t user = arg->data_ptr, at = arg->offset;
		size_t size = arg->size < COPY_MAX ? (size_t)arg->size
						   : COPY_MAX;

		done += size;
		arg->data_ptr += size;
		arg->offset += size;
		arg->size -= size;
		if (write) {
			rc = i915_copy_in(call, buffer, user, size);
			if (!rc)
				rc = i915_object_write(
				    dev, o, at, buffer, size);
		} else {
			rc = i915_object_read(dev, o, at, buffer, size);
			if (!rc)
				rc = i915_copy_out(call, user, buffer, size);
		}
	}
	free(buffer);
	return rc;
}

/* PREAD and PWRITE have the same argument. Long copies are done in parts, between
 * which other calls have their turn. */
static int
gem_transfer(struct i915 *dev, struct i915_call *call, bool write)
{
	const struct drm_i915_gem_pwrite *arg = (void *)call->arg;
	struct i915_object *o;
	int rc;

	if (i915_is_new(dev))
		return -EOPNOTSUPP;
	if (arg->size == 0)
		return 0;
	o = i915_object_find(call->file, arg->handle);
	if (!o)
		return -ENOENT;
	if (arg->offset > o->size || arg->size > o->size - arg->offset)
		return -EINVAL;
	if (o->user)
		return -EINVAL;
	call->begun = true;
	call->deadline_ns = I915_NEVER;
	rc = i915_reservation_wait(dev, call, &o->reservation, write);
	/* Writing needs no pages of the driver. */
	if (!rc && !write)
		rc = i915_object_pin(o);
	else if (!rc && i915_object_unneeded(o))
		rc = -EFAULT;
	if (!rc)
		rc = gem_copy(dev, call, o, write, PART_MAX);
	if (rc || arg->size == 0)
		return rc;
	call->deadline_ns = dev->now + 1;
	return I915_WAITS;
}

int
i915_gem_pread(struct i915 *dev, struct i915_call *call)
{
	return gem_transfer(dev, call, false);
}

int
i915_gem_pwrite(struct i915 *dev, struct i915_call *call)
{
	return gem_transfer(dev, call, true);
}
