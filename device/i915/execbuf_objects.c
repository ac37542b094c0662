/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of an execbuf: found and checked. Rules: doc/model/i915.md "Execbuf".
 */
#include <errno.h>

#include "device/i915/execbuf.h"

static int
entry_check(struct i915 *dev, const struct exec *e,
    struct drm_i915_gem_exec_object2 *entry)
{
	uint64_t known = ~(uint64_t)__EXEC_OBJECT_UNKNOWN_FLAGS;

	if (i915_full_ppgtt(dev))
		known &= ~(uint64_t)EXEC_OBJECT_NEEDS_GTT;
	if (entry->relocation_count && i915_is_new(dev)) {
		dev->refused_why = "this generation has no relocations";
		return -EINVAL;
	}
	if (entry->flags & ~known)
		return -EINVAL;
	if (entry->alignment & (entry->alignment - 1))
		return -EINVAL;
	if (entry->flags & EXEC_OBJECT_PINNED &&
	    (entry->offset % I915_PAGE ||
		entry->offset != exec_canonical(entry->offset)))
		return -EINVAL;
	if (entry->flags & EXEC_OBJECT_PAD_TO_SIZE &&
	    entry->pad_to_size % I915_PAGE)
		return -EINVAL;
	if (entry->flags & EXEC_OBJECT_CAPTURE &&
	    (dev->config->discrete || dev->config->graphics > 1200) &&
	    e->context->state.recoverable)
		return -EINVAL;
	entry->offset &= (UINT64_C(1) << 48) - 1;
	return 0;
}

static int
batch_check(const struct exec *e, const struct exec_object *o)
{
	uint64_t start = e->arg->batch_start_offset, size = o->object->size;

	if (o->entry.flags & EXEC_OBJECT_WRITE)
		return -EINVAL;
	if (start >= size || e->arg->batch_len > size - start)
		return -EINVAL;
	return 0;
}

int
i915_exec_lookup(struct i915 *dev, struct exec *e)
{
	e->visit = ++dev->visit;
	for (size_t i = 0; i < e->n; i++) {
		struct exec_object *o = &e->objects[i];
		int rc;

		o->object = i915_object_find(e->call->file, o->entry.handle);
		if (!o->object)
			return -ENOENT;
		if (o->object->visit == e->visit)
			return -EINVAL;
		o->object->visit = e->visit;
		o->object->index = i;
		rc = entry_check(dev, e, &o->entry);
		if (!rc)
			rc = i915_object_pin(o->object);
		if (!rc && o->object->user)
			rc = i915_userptr_look(o->object);
		if (!rc && exec_is_batch(e, i))
			rc = batch_check(e, o);
		if (rc)
			return rc;
	}
	return 0;
}
