/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting for syncobjs, and moving a fence from one to another. Timeouts are
 * absolute. Rules: doc/model/i915.md "Syncobjs".
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/nsec.h"
#include "device/i915/ioctls.h"
#include "device/i915/seen.h"
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

/* The fences of a wait, as they were when the call came or when a fence came:
 * what a syncobj is given later does not matter. */
struct wait_state {
	struct i915_program *program; /* counted for it */
	uint32_t n;
	struct wait_item {
		struct i915_syncobj *s;
		uint64_t point;
		struct i915_fence *fence; /* NULL: none yet */
	} * items;
};

static void
wait_state_free(struct i915 *dev, void *data)
{
	struct wait_state *state = data;

	for (uint32_t i = 0; i < state->n; i++) {
		i915_fence_put(dev, state->items[i].fence);
		i915_syncobj_put(dev, state->items[i].s);
	}
	free(state->items);
	i915_give(state->program, I915_LIMIT_SYNCOBJS, state->n);
	i915_program_put(dev, state->program);
	free(state);
}

/* Reads what the call waits for. */
static int
wait_begin(
    struct i915 *dev, struct i915_call *call, const struct syncobj_wait *w)
{
	struct i915_program *program = call->file->marked.program;
	struct i915_syncobj **objs;
	struct wait_state *state;
	void *points = NULL;
	int rc = i915_syncobjs_read(dev, call, w->handles, w->count, &objs);

	if (!rc && w->points)
		rc = i915_copy_array(
		    dev, call, &points, w->points, w->count, sizeof(uint64_t));
	if (!rc)
		rc = i915_take(dev, program, I915_LIMIT_SYNCOBJS, w->count);
	if (!rc) {
		state = mem_calloc(1, sizeof(*state));
		state->program = i915_program_ref(program);
		state->n = w->count;
		state->items = mem_calloc(w->count, sizeof(*state->items));
		for (uint32_t i = 0; i < w->count; i++) {
			state->items[i].s = i915_syncobj_get(objs[i]);
			if (points)
				state->items[i].point =
				    ((const uint64_t *)points)[i];
		}
		call->state = state;
		call->state_free = wait_state_free;
	}
	free(objs);
	free(points);
	return rc;
}

/* Finds the fence of an item, if one has come. Returns 0, or -EINVAL where the
 * call does not wait for one to come. */
static int
wait_find(
    struct i915 *dev, const struct syncobj_wait *w, struct wait_item *item)
{
	unsigned come = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
	    DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
	int rc;

	if (item->fence)
		return 0;
	rc = i915_syncobj_fence(dev, item->s, item->point, &item->fence);
	if (rc == 1)
		item->fence = i915_fence_stub(dev);
	return rc < 0 && !(w->flags & come) ? -EINVAL : 0;
}

static bool
wait_over(const struct syncobj_wait *w, const struct wait_item *item)
{
	return item->fence &&
	    (w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE ||
		item->fence->signalled);
}

/* Waits for one or all. Returns the first that has signalled, or an error. */
static int
wait_items(struct i915 *dev, struct i915_call *call,
    const struct syncobj_wait *w, struct wait_state *state)
{
	bool all = w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
	bool missing = false;
	int64_t first = -1;

	for (uint32_t i = 0; i < state->n; i++)
		if (wait_find(dev, w, &state->items[i]))
			return -EINVAL;
	for (uint32_t i = 0; i < state->n; i++) {
		struct wait_item *item = &state->items[i];

		if (wait_over(w, item)) {
			first = first < 0 ? i : first;
			continue;
		}
		/* Waits for all by waiting for one after the other. */
		if (!(all && missing) && item->fence)
			i915_wait(dev, call, item->fence);
		else if (!(all && missing))
			i915_wait_bell(dev, call, &item->s->bell);
		missing = true;
	}
	if (first >= 0 && !(all && missing))
		return (int)first;
	return i915_waits(dev, call);
}

static void
tell_witness(
    struct i915 *dev, struct i915_call *call, const struct wait_state *state)
{
	struct i915_fence **over;
	size_t n = 0;

	if (!dev->witness)
		return;
	over = mem_calloc(state->n + 1u, sizeof *over);
	for (uint32_t i = 0; i < state->n; i++)
		if (state->items[i].fence && state->items[i].fence->signalled)
			over[n++] = state->items[i].fence;
	i915_seen_fence_waits(dev, call, over, n);
	free(over);
}

static int
wait_serve(struct i915 *dev, struct i915_call *call,
    const struct syncobj_wait *w, uint32_t *first)
{
	int rc;

	/* Programs ask so whether a kernel knows the flag DEADLINE. */
	if (w->count == 0 && i915_since(dev, 6, 6))
		return 0;
	i915_deadline(call, w->timeout_ns > 0 ? (uint64_t)w->timeout_ns : 0);
	if (!call->state && (rc = wait_begin(dev, call, w)))
		return rc;
	rc = wait_items(dev, call, w, call->state);
	if (rc < 0)
		return rc;
	tell_witness(dev, call, call->state);
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
	if (arg->dst_point && (rc = i915_syncobj_room(dev, to, 1)))
		return rc;
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
