/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of a program as an object (userptr): what may be one, which are used by
 * an execbuf, and how the program takes the memory away again.
 */
#include <errno.h>
#include <limits.h>

#include "device/i915/ioctls.h"
#include "device/i915/object.h"
#include "device/i915/uapi.h"

/* Flags that this kernel and GPU refuse. Read-only pages do not work on
 * graphics 11 and 12. */
static int
userptr_flags(const struct i915 *dev, const struct i915_call *call)
{
	const struct drm_i915_gem_userptr *arg = (const void *)call->arg;
	unsigned known = I915_USERPTR_READ_ONLY | I915_USERPTR_UNSYNCHRONIZED |
	    (i915_since(dev, 5, 15) ? I915_USERPTR_PROBE : 0);
	unsigned version = dev->config->graphics / 100;

	if (arg->flags & ~known)
		return -EINVAL;
	if (arg->flags & I915_USERPTR_UNSYNCHRONIZED &&
	    !(call->caller->capabilities & I915_CAP_ADMIN))
		return -EPERM;
	if (arg->flags & I915_USERPTR_READ_ONLY &&
	    (version < 8 || version == 11 || version == 12))
		return -ENODEV;
	return 0;
}

/* Each page must be there. */
static int
userptr_probe(const struct i915 *dev, const struct i915_call *call)
{
	const struct drm_i915_gem_userptr *arg = (const void *)call->arg;
	char byte;

	if (i915_array_check(dev, arg->user_size / I915_PAGE))
		return -ENOMEM;

	for (uint64_t at = 0; at < arg->user_size; at += I915_PAGE) {
		int rc = i915_copy_in(call, &byte, arg->user_ptr + at, 1);

		if (rc)
			return rc;
	}
	return 0;
}

int
i915_gem_userptr(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_userptr *arg = (void *)call->arg;
	struct i915_object *o;
	uint64_t end;
	int rc = userptr_flags(dev, call);

	if (rc && rc != -EPERM)
		return rc;
	if (arg->user_size / I915_PAGE > INT_MAX)
		return -E2BIG;
	if (!arg->user_size || (arg->user_ptr | arg->user_size) % I915_PAGE)
		return -EINVAL;
	if (__builtin_add_overflow(arg->user_ptr, arg->user_size, &end) ||
	    end > UINT64_C(1) << 47)
		return -EFAULT;
	if (rc)
		return rc;
	if (arg->flags & I915_USERPTR_PROBE && (rc = userptr_probe(dev, call)))
		return rc;
	rc = i915_object_new(dev, call, arg->user_size, &o, &arg->handle);
	if (rc)
		return rc;
	o->user = call->caller->memory;
	o->user->refs++;
	o->address = arg->user_ptr;
	o->user_next = dev->userptrs;
	o->user_at = &dev->userptrs;
	if (o->user_next)
		o->user_next->user_at = &o->user_next;
	dev->userptrs = o;
	o->read_only = arg->flags & I915_USERPTR_READ_ONLY;
	o->unsynchronized = arg->flags & I915_USERPTR_UNSYNCHRONIZED;
	return 0;
}

/* Looks at each page of small objects, else at that many pages. */
#define LOOKS 4096

int
i915_userptr_look(struct i915_object *o)
{
	uint64_t pages = o->size / I915_PAGE;
	uint64_t step = (pages + LOOKS - 1) / LOOKS * I915_PAGE;
	const struct user_memory_ops *ops = o->user->ops;
	char byte;

	for (uint64_t at = 0; !o->present && at < o->size; at += step) {
		int rc = (ops->fetch ? ops->fetch : ops->read)(
		    o->user, &byte, o->address + at, 1);

		if (rc)
			return rc;
	}
	o->present = true;
	return 0;
}

int
i915_userptr_of_exec(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_exec_object2 entry;
	struct drm_i915_gem_execbuffer2 exec;

	if (!call->file ||
	    i915_copy_in(call, &exec, call->rq.pointer, sizeof(exec)) ||
	    i915_array_check(dev, exec.buffer_count))
		return 0;
	for (uint64_t i = call->rq.number; i < exec.buffer_count; i++) {
		const struct i915_object *o;

		if (i915_copy_in(call, &entry,
			exec.buffers_ptr + i * sizeof(entry), sizeof(entry)))
			return 0;
		o = i915_object_find(call->file, entry.handle);
		if (!o || !o->user || o->program->node.n != call->caller->pid)
			continue;
		call->rp.map_offset = o->address;
		call->rp.map_size = o->size;
		return (int)i + 1;
	}
	return 0;
}

/* Memory is unmapped when the GPU has left the objects in it, as the kernel's
 * notifier of such changes waits. */
int
i915_userptr_unmap(struct i915 *dev, struct i915_call *call)
{
	uint64_t first = call->rq.number, size = call->rq.pointer;

	for (struct i915_object *o = dev->userptrs; o; o = o->user_next) {
		int rc;

		if (o->program->node.n != call->caller->pid ||
		    o->address >= first + size || first >= o->address + o->size)
			continue;
		if ((rc = i915_reservation_wait(
			 dev, call, &o->reservation, true)))
			return rc;
		o->present &= o->unsynchronized;
	}
	return 0;
}
