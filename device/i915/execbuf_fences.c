/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fences of an execbuf: a sync_file in, syncobjs and points of timelines in and
 * out, and those of its objects. Rules: doc/model/i915.md "Execbuf".
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "device/i915/execbuf.h"

#define EXEC_FENCE_KNOWN (I915_EXEC_FENCE_WAIT | I915_EXEC_FENCE_SIGNAL)

/* Adds one of FENCE_ARRAY. */
static int
fence_binary(struct i915 *dev, struct exec *e,
    const struct drm_i915_gem_exec_fence *user)
{
	struct exec_fence *f = &e->fences[e->n_fences];

	if (user->flags & ~(uint32_t)EXEC_FENCE_KNOWN)
		return -EINVAL;
	f->syncobj = i915_syncobj_find(e->call->file, user->handle);
	if (!f->syncobj)
		return -ENOENT;
	f->signal = user->flags & I915_EXEC_FENCE_SIGNAL;
	if (user->flags & I915_EXEC_FENCE_WAIT &&
	    i915_syncobj_fence(dev, f->syncobj, 0, &f->wait) < 0)
		return -EINVAL;
	e->n_fences++;
	return 0;
}

static int
fences_array(struct i915 *dev, struct exec *e)
{
	size_t n = e->arg->num_cliprects;
	void *users;
	int rc = i915_copy_array(dev, e->call, &users, e->arg->cliprects_ptr, n,
	    sizeof(struct drm_i915_gem_exec_fence));

	if (rc || !n)
		return rc;
	e->fences = mem_calloc(n, sizeof(*e->fences));
	for (size_t i = 0; !rc && i < n; i++)
		rc = fence_binary(
		    dev, e, &((struct drm_i915_gem_exec_fence *)users)[i]);
	free(users);
	return rc;
}

/* Adds one of TIMELINE_FENCES; a point of 0 is the syncobj's fence. */
static int
fence_point(struct i915 *dev, struct exec *e,
    const struct drm_i915_gem_exec_fence *user, uint64_t value)
{
	struct exec_fence *f = &e->fences[e->n_fences];
	bool wait = user->flags & I915_EXEC_FENCE_WAIT;
	struct i915_fence *found;
	int rc;

	if (user->flags & ~(uint32_t)EXEC_FENCE_KNOWN)
		return -EINVAL;
	f->syncobj = i915_syncobj_find(e->call->file, user->handle);
	if (!f->syncobj)
		return -ENOENT;
	f->signal = user->flags & I915_EXEC_FENCE_SIGNAL;
	f->value = value;
	if (f->signal && value && (rc = i915_syncobj_room(dev, f->syncobj, 1)))
		return rc;
	rc = i915_syncobj_fence(dev, f->syncobj, value, &found);
	if (rc < 0 && user->flags && !f->signal)
		return -EINVAL;
	if (wait && f->signal && value) {
		i915_fence_put(dev, found);
		return -EINVAL;
	}
	if (wait)
		f->wait = found;
	else
		i915_fence_put(dev, found);
	e->n_fences++;
	return 0;
}

static int
timeline_fences(
    struct i915 *dev, struct i915_call *call, uint64_t user, void *data)
{
	struct drm_i915_gem_execbuffer_ext_timeline_fences ext;
	struct exec *e = data;
	void *users, *values = NULL;
	int rc = i915_copy_in(call, &ext, user, sizeof(ext));

	if (rc || !ext.fence_count)
		return rc;
	if ((rc = i915_array_check(dev, e->n_fences + ext.fence_count)) ||
	    (rc = i915_copy_array(dev, call, &users, ext.handles_ptr,
		 ext.fence_count, sizeof(struct drm_i915_gem_exec_fence))))
		return rc;
	rc = i915_copy_array(dev, call, &values, ext.values_ptr,
	    ext.fence_count, sizeof(uint64_t));
	if (!rc) {
		e->fences = mem_realloc(e->fences,
		    e->n_fences + (size_t)ext.fence_count, sizeof(*e->fences));
		for (size_t i = 0; i < ext.fence_count; i++)
			e->fences[e->n_fences + i] = (struct exec_fence){0};
	}
	for (size_t i = 0; !rc && i < ext.fence_count; i++)
		rc = fence_point(dev, e,
		    &((struct drm_i915_gem_exec_fence *)users)[i],
		    ((const uint64_t *)values)[i]);
	free(users);
	free(values);
	return rc;
}

static int
fences_extensions(struct i915 *dev, struct exec *e)
{
	static i915_extension_fn *const serve[] = {
	    [DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES] = timeline_fences,
	};

	if (e->arg->flags & I915_EXEC_FENCE_ARRAY || e->arg->num_cliprects)
		return -EINVAL;
	return i915_extensions(
	    dev, e->call, e->arg->cliprects_ptr, serve, 1, e);
}

int
i915_exec_fences(struct i915 *dev, struct exec *e)
{
	uint64_t in = I915_EXEC_FENCE_IN | I915_EXEC_FENCE_SUBMIT;
	int rc = 0;

	if (e->arg->flags & I915_EXEC_USE_EXTENSIONS)
		rc = fences_extensions(dev, e);
	else if (e->arg->flags & I915_EXEC_FENCE_ARRAY)
		rc = fences_array(dev, e);
	if (rc || !(e->arg->flags & in))
		return rc;
	if ((e->arg->flags & in) == in)
		return -EINVAL;
	e->in = i915_sync_file_fence(
	    dev, e->call->caller, (int32_t)(uint32_t)e->arg->rsvd2);
	return e->in ? 0 : -EINVAL;
}

/* Adds those of fences that are pending, but for the request's own timeline. */
static void
dependencies_add(struct i915 *dev, const struct exec *e,
    struct i915_fences *fences, enum gpu_after when,
    struct gpu_dependency **after, size_t *n, size_t *cap)
{
	struct i915_fences leaves = {0};

	i915_fences_leaves(dev, fences, &leaves);
	for (size_t i = 0; i < leaves.n; i++) {
		struct i915_fence *f = leaves.list[i];
		struct gpu_dependency d = {.after = when};

		if (f->timeline == e->slot->fences)
			continue;
		if (f->kind != I915_FENCE_REQUEST)
			d.after = GPU_AFTER_END;
		d.fence = i915_fence_id(dev, f);
		*after = mem_grow(*after, *n, cap, sizeof(**after));
		(*after)[(*n)++] = d;
	}
	i915_fences_free(dev, &leaves);
	i915_fences_free(dev, fences);
}

void
i915_exec_dependencies(struct i915 *dev, struct exec *e,
    struct gpu_dependency **after, size_t *n_after)
{
	struct i915_fences end = {0}, start = {0};
	size_t cap = 0;

	*after = NULL;
	*n_after = 0;
	for (size_t i = 0; i < e->n; i++) {
		uint64_t flags = e->objects[i].entry.flags;

		if (!(flags & EXEC_OBJECT_ASYNC))
			i915_reservation_waits(
			    &e->objects[i].object->reservation,
			    flags & EXEC_OBJECT_WRITE, &end);
	}
	for (size_t i = 0; i < e->n_fences; i++)
		if (e->fences[i].wait)
			i915_fences_add(&end, e->fences[i].wait);
	if (e->context->single_timeline && e->context->last)
		i915_fences_add(&end, e->context->last);
	if (e->in && e->arg->flags & I915_EXEC_FENCE_SUBMIT)
		i915_fences_add(&start, e->in);
	else if (e->in)
		i915_fences_add(&end, e->in);
	dependencies_add(dev, e, &end, GPU_AFTER_END, after, n_after, &cap);
	dependencies_add(dev, e, &start, GPU_AFTER_START, after, n_after, &cap);
}

void
i915_exec_signals(struct i915 *dev, const struct exec *e, struct i915_fence *f)
{
	for (size_t i = 0; i < e->n_fences; i++) {
		const struct exec_fence *fence = &e->fences[i];

		if (fence->signal && fence->value)
			i915_syncobj_add_point(
			    dev, fence->syncobj, fence->value, f);
		else if (fence->signal)
			i915_syncobj_replace(dev, fence->syncobj, f);
	}
}

void
i915_exec_fences_free(struct i915 *dev, struct exec *e)
{
	for (size_t i = 0; i < e->n_fences; i++)
		i915_fence_put(dev, e->fences[i].wait);
	free(e->fences);
}
