/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting for syncobjs, and moving a fence from one to another. Timeouts are
 * absolute. Rules: doc/model/i915.md "Syncobjs".
 */
#include <errno.h>
#include <stdlib.h>

#include "base/nsec.h"
#include "device/i915/ioctls.h"
#include "device/i915/syncobj_event.h"
#include "device/i915/uapi.h"

/* How long TRANSFER waits for a fence to come, as the kernel has it. */
#define TRANSFER_NS (5 * NSEC_PER_SEC)

/* WAIT or TIMELINE_WAIT. */
struct syncobj_wait {
	uint64_t handles, points; /* points 0: none */
	int64_t timeout_ns;
	uint32_t count, flags;
};

/* One syncobj of a wait. Returns 1: it has signalled (or is available); 0: it
 * is waited for; -EINVAL: there is nothing to wait for. Sets *f, unless 1 or
 * the syncobj is waited for. */
static int
wait_one(struct i915 *dev, const struct syncobj_wait *w,
    const struct i915_syncobj *s, uint64_t point, struct i915_fence **f)
{
	unsigned come = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
	    DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
	int rc = i915_syncobj_fence(dev, s, point, f);

	if (rc < 0)
		return w->flags & come ? 0 : -EINVAL;
	if (rc == 0 && !(w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE) &&
	    !(*f)->signalled)
		return 0;
	i915_fence_put(dev, *f);
	*f = NULL;
	return 1;
}

/* Waits for one or all. Returns the first that has signalled, or an error. */
static int
wait_objects(struct i915 *dev, struct i915_call *call,
    const struct syncobj_wait *w, struct i915_syncobj **objs,
    const uint64_t *points)
{
	bool all = w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
	int64_t first = -1;
	bool missing = false, error = false;

	for (uint32_t i = 0; i < w->count; i++) {
		struct i915_fence *f;
		int rc = wait_one(dev, w, objs[i], points ? points[i] : 0, &f);

		error |= rc < 0;
		if (rc > 0 && first < 0)
			first = i;
		if (rc == 0 && !(all && missing)) {
			if (f)
				i915_wait(dev, call, f);
			else
				i915_wait_bell(dev, call, &objs[i]->bell);
		}
		missing |= rc == 0;
		i915_fence_put(dev, f);
	}
	if (error)
		return -EINVAL;
	if (first >= 0 && !(all && missing))
		return (int)first;
	return i915_waits(dev, call);
}

static int
wait_serve(struct i915 *dev, struct i915_call *call,
    const struct syncobj_wait *w, uint32_t *first)
{
	struct i915_syncobj **objs;
	void *points = NULL;
	int rc;

	i915_deadline(call, w->timeout_ns > 0 ? (uint64_t)w->timeout_ns : 0);
	rc = i915_syncobjs_read(dev, call, w->handles, w->count, &objs);
	if (!rc && w->points)
		rc = i915_copy_array(
		    dev, call, &points, w->points, w->count, sizeof(uint64_t));
	if (!rc)
		rc = wait_objects(dev, call, w, objs, points);
	free(objs);
	free(points);
	if (rc < 0)
		return rc;
	*first = (uint32_t)rc;
	return 0;
}

/* Flags of both waits. */
static unsigned
wait_flags(const struct i915 *dev)
{
	unsigned flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL |
	    DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;

	if (i915_since(dev, 6, 6))
		flags |= DRM_SYNCOBJ_WAIT_FLAGS_WAIT_DEADLINE;
	return flags;
}

int
i915_syncobj_wait(struct i915 *dev, struct i915_call *call)
{
	struct drm_syncobj_wait *arg = (void *)call->arg;
	struct syncobj_wait w = {
	    arg->handles, 0, arg->timeout_nsec, arg->count_handles, arg->flags};

	if (arg->flags & ~wait_flags(dev))
		return -EINVAL;
	return wait_serve(dev, call, &w, &arg->first_signaled);
}

int
i915_syncobj_timeline_wait(struct i915 *dev, struct i915_call *call)
{
	struct drm_syncobj_timeline_wait *arg = (void *)call->arg;
	struct syncobj_wait w = {arg->handles, arg->points, arg->timeout_nsec,
	    arg->count_handles, arg->flags};

	if (arg->flags &
	    ~(wait_flags(dev) | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
		return -EINVAL;
	return wait_serve(dev, call, &w, &arg->first_signaled);
}

int
i915_syncobj_transfer(struct i915 *dev, struct i915_call *call)
{
	const struct drm_syncobj_transfer *arg = (void *)call->arg;
	struct i915_syncobj *from, *to;
	struct i915_fence *f;
	int rc;

	if (arg->pad ||
	    arg->flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT)
		return -EINVAL;
	to = i915_syncobj_find(call->file, arg->dst_handle);
	from = i915_syncobj_find(call->file, arg->src_handle);
	if (!to || !from)
		return -ENOENT;
	rc = i915_syncobj_fence(dev, from, arg->src_point, &f);
	if (rc < 0 && arg->flags) {
		i915_deadline(call, nsec_after(dev->now, TRANSFER_NS));
		return i915_wait_bell(dev, call, &from->bell);
	}
	if (rc < 0)
		return rc;
	if (rc == 1)
		f = i915_fence_stub(dev);
	if (arg->dst_point)
		i915_syncobj_add_point(dev, to, arg->dst_point, f);
	else
		i915_syncobj_replace(dev, to, f);
	i915_fence_put(dev, f);
	return 0;
}
