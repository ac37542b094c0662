/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting for the GPU: GEM_WAIT, whose timeout is relative and is returned,
 * and THROTTLE. Rules: doc/model/i915.md "Waiting".
 */
#include <errno.h>

#include "base/nsec.h"
#include "device/i915/ioctls.h"
#include "device/i915/request.h"
#include "device/i915/seen.h"
#include "device/i915/uapi.h"

/* Requests older than this are waited for by THROTTLE. */
#define THROTTLE_NS (20 * NSEC_PER_MSEC)

/* A program waits for these requests: they get the priority of the display. */
static void
wait_boost(struct i915 *dev, const struct i915_reservation *r)
{
	struct i915_fences uses = {0}, leaves = {0};

	i915_reservation_waits(r, true, &uses);
	i915_fences_leaves(dev, &uses, &leaves);
	for (size_t i = 0; i < leaves.n; i++)
		if (leaves.list[i]->kind == I915_FENCE_REQUEST)
			dev->gpu->ops->boost(dev->gpu, leaves.list[i]->id);
	i915_fences_free(dev, &leaves);
	i915_fences_free(dev, &uses);
}

int
i915_gem_wait(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_wait *arg = (void *)call->arg;
	bool bounded = arg->timeout_ns > 0, first = !call->begun;
	const struct i915_object *o;
	int rc;

	if (arg->flags)
		return -EINVAL;
	o = i915_object_find(call->file, arg->bo_handle);
	if (!o)
		return -ENOENT;
	i915_deadline(call,
	    arg->timeout_ns < 0
		? I915_NEVER
		: nsec_total(dev->now, (uint64_t)arg->timeout_ns));
	rc = i915_reservation_wait(dev, call, &o->reservation, true);
	if (rc == I915_WAITS && first)
		wait_boost(dev, &o->reservation);
	i915_seen_object_wait(dev, call, o, rc);
	if (rc != I915_WAITS && bounded)
		arg->timeout_ns = call->deadline_ns > dev->now
		    ? (int64_t)(call->deadline_ns - dev->now)
		    : 0;
	return rc;
}

int
i915_gem_throttle(struct i915 *dev, struct i915_call *call)
{
	struct i915_request *rq;

	if (dev->gpu->ops->wedged(dev->gpu))
		return -EIO;
	for (rq = call->file->oldest; rq; rq = rq->newer) {
		if (rq->submitted_ns + THROTTLE_NS > dev->now)
			break;
		if (!rq->fence.signalled)
			return i915_wait(dev, call, &rq->fence);
	}
	return 0;
}
