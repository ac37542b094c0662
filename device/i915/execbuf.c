/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EXECBUFFER2: a batch becomes a request. Nothing has happened when the call
 * waits, for room in the ring or for an object that moves, but that addresses
 * were written, which the next attempt finds there. Rules: doc/model/i915.md
 * "Execbuf".
 */
#include "device/i915/execbuf.h"
#include "device/i915/ioctls.h"
#include "device/i915/seen.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"

#define EXEC_BSD_SHIFT 13
#define EXEC_ILLEGAL                                                           \
	((uint64_t)__I915_EXEC_UNKNOWN_FLAGS | I915_EXEC_CONSTANTS_MASK |      \
	    I915_EXEC_RESOURCE_STREAMER)

static int
exec_check(const struct i915 *dev, const struct exec *e)
{
	struct drm_i915_gem_execbuffer2 *arg = e->arg;
	uint64_t lists = I915_EXEC_FENCE_ARRAY | I915_EXEC_USE_EXTENSIONS;

	if (arg->buffer_count < 1 || arg->buffer_count > INT_MAX)
		return -EINVAL;
	if (arg->flags & EXEC_ILLEGAL)
		return -EINVAL;
	if (!(arg->flags & lists) && (arg->num_cliprects || arg->cliprects_ptr))
		return -EINVAL;
	/* Old X drivers left garbage there. */
	if (arg->DR4 == UINT32_MAX)
		arg->DR4 = 0;
	if (arg->DR1 || arg->DR4)
		return -EINVAL;
	if ((arg->batch_start_offset | arg->batch_len) & 7)
		return -EINVAL;
	if (arg->flags & I915_EXEC_SECURE) {
		if (dev->config->graphics >= 1100)
			return -ENODEV;
		if (!i915_is_master(dev, e->call->file) ||
		    !(e->call->caller->capabilities & I915_CAP_ADMIN))
			return -EPERM;
	}
	return 0;
}

/* The slot of a ring of old, -EINVAL: no such ring. Without a choice of the
 * video engine each file has one, in turn. */
static int
legacy_slot(struct i915 *dev, struct exec *e)
{
	uint64_t ring = e->arg->flags & I915_EXEC_RING_MASK;
	uint64_t video = e->arg->flags & I915_EXEC_BSD_MASK;
	struct i915_file *file = e->call->file;
	bool two = i915_engine_find(dev, GPU_VIDEO, 1) >= 0;

	if (ring != I915_EXEC_BSD && video)
		return -EINVAL;
	switch (ring) {
	case I915_EXEC_DEFAULT:
	case I915_EXEC_RENDER: return I915_LEGACY_RENDER;
	case I915_EXEC_BLT: return I915_LEGACY_COPY;
	case I915_EXEC_VEBOX: return I915_LEGACY_VIDEO_ENHANCE;
	case I915_EXEC_BSD: break;
	default: return -EINVAL;
	}
	if (!two)
		return I915_LEGACY_VIDEO_1;
	switch (video >> EXEC_BSD_SHIFT) {
	case 0:
		if (file->bsd < 0)
			file->bsd = dev->video_next++ & 1;
		return I915_LEGACY_VIDEO_1 + file->bsd;
	case 1: return I915_LEGACY_VIDEO_1;
	case 2: return I915_LEGACY_VIDEO_2;
	default: return -EINVAL;
	}
}

static int
exec_select(struct i915 *dev, struct exec *e)
{
	struct i915_engines *engines;
	int rc, slot;

	rc = i915_context_use(
	    dev, e->call->file, (uint32_t)e->arg->rsvd1, &e->context);
	if (rc)
		return rc;
	engines = e->context->engines;
	slot = engines->user ? (int)(e->arg->flags & I915_EXEC_RING_MASK)
			     : legacy_slot(dev, e);
	if (slot < 0 || (size_t)slot >= engines->n ||
	    engines->slots[slot].kind == I915_SLOT_HOLE)
		return -EINVAL;
	e->slot = &engines->slots[slot];
	if (e->slot->width > 1 &&
	    (e->arg->buffer_count < e->slot->width ||
		e->arg->batch_start_offset || e->arg->batch_len))
		return -EINVAL;
	if (e->arg->flags & I915_EXEC_GEN7_SOL_RESET &&
	    (dev->config->graphics / 100 != 7 ||
		i915_slot_classes(dev, e->slot) != 1u << GPU_RENDER))
		return -EINVAL;
	if (dev->gpu->ops->wedged(dev->gpu) ||
	    dev->gpu->ops->context_banned(dev->gpu, e->context->gpu))
		return -EIO;
	return 0;
}

/* Waits until the ring has room. */
static int
exec_room(struct i915 *dev, struct exec *e)
{
	struct chain_node *node;
	uint64_t request;

	i915_slot_start(dev, e->context, e->slot);
	request = dev->gpu->ops->room(dev->gpu, e->slot->timeline);
	node = request ? chains_find(&dev->requests, NULL, request) : NULL;
	if (!node)
		return e->call->begun && (e->call->rq.flags & WIRE_RESTARTS)
		    ? -ERESTART
		    : 0;
	if (e->call->rq.flags & O_NONBLOCK)
		return -EWOULDBLOCK;
	return i915_wait(dev, e->call,
	    &container_of(node, struct i915_request, node)->fence);
}

static struct gpu_batch *
exec_batch(struct i915 *dev, const struct exec *e, size_t row)
{
	const struct exec_object *o = &e->objects[exec_first_batch(e) + row];

	if (!dev->gpu->ops->batch)
		return NULL;
	return dev->gpu->ops->batch(dev->gpu, e->slot->timeline, (unsigned)row,
	    e->context->space,
	    o->binding->address + e->arg->batch_start_offset);
}

/* Adds the fence to the objects: later users wait for it as the flags of its objects
 * say. */
static void
exec_use(struct i915 *dev, struct exec *e, struct i915_fence *f)
{
	uint32_t classes = i915_slot_classes(dev, e->slot);

	for (size_t i = 0; i < e->n; i++) {
		uint64_t flags = e->objects[i].entry.flags;

		i915_reservation_add(dev, &e->objects[i].object->reservation, f,
		    classes, flags & EXEC_OBJECT_WRITE,
		    !(flags & EXEC_OBJECT_ASYNC));
	}
	if (e->context->single_timeline) {
		i915_fence_put(dev, e->context->last);
		e->context->last = i915_fence_get(f);
	}
	i915_exec_signals(dev, e, f);
}

static void
exec_submit(struct i915 *dev, struct exec *e, struct i915_request *rq)
{
	struct gpu_batch *batches[GPU_WIDTH_MAX];
	struct gpu_dependency *after;
	struct gpu_submission s = {
	    .request = rq->fence.id,
	    .timeline = e->slot->timeline,
	    .batches = batches,
	};

	for (size_t i = 0; i < e->slot->width; i++)
		batches[i] = exec_batch(dev, e, i);
	i915_exec_dependencies(dev, e, &after, &s.n_after);
	s.after = after;
	i915_fence_get(&rq->fence);
	i915_seen_submission(dev, e, &rq->fence);
	exec_use(dev, e, &rq->fence);
	dev->gpu->ops->submit(dev->gpu, &s);
	i915_fence_put(dev, &rq->fence);
	free(after);
}

/* Returns which objects are wanted in error states; NULL: none. */
static bool *
exec_captured(const struct exec *e)
{
	bool *captured = NULL;

	for (size_t i = 0; i < e->n; i++) {
		if (!(e->objects[i].entry.flags & EXEC_OBJECT_CAPTURE))
			continue;
		if (!captured)
			captured = mem_calloc(e->n, sizeof(*captured));
		captured[i] = true;
	}
	return captured;
}

/* Makes the request, with its descriptor if the program wants one. */
static int
exec_request(struct i915 *dev, struct exec *e)
{
	struct i915_object **objects = mem_calloc(e->n, sizeof(*objects));
	bool out = e->arg->flags & I915_EXEC_FENCE_OUT;
	struct i915_request *rq;
	int fd = -1;

	for (size_t i = 0; i < e->n; i++)
		objects[i] = i915_object_get(e->objects[i].object);
	rq = i915_request_new(dev, e->call, e->context, e->slot, objects, e->n);
	rq->first_batch = exec_first_batch(e);
	rq->n_batches = e->slot->width;
	rq->captured = exec_captured(e);
	if (out)
		fd = i915_sync_file_new(dev, e->call, &rq->fence, "");
	if (out && fd < 0) {
		i915_request_abandon(dev, rq);
		return fd;
	}
	exec_submit(dev, e, rq);
	if (!out)
		return 0;
	/* The number is the upper half of rsvd2, which only _WR returns. */
	e->arg->rsvd2 &= UINT32_MAX;
	i915_store_fd(e->call, fd,
	    offsetof(struct drm_i915_gem_execbuffer2, rsvd2) + 4, true);
	return 0;
}

/* Writes the addresses back that the program did not know. Not being able to write
 * the list is not an error: the objects keep their addresses. */
static void
exec_offsets(struct exec *e)
{
	for (size_t i = 0; i < e->n; i++) {
		uint64_t at = e->arg->buffers_ptr +
		    i * sizeof(struct drm_i915_gem_exec_object2) +
		    offsetof(struct drm_i915_gem_exec_object2, offset);
		uint64_t offset;

		if (!e->objects[i].moved)
			continue;
		offset = exec_canonical(e->objects[i].binding->address);
		i915_copy_out(e->call, at, &offset, sizeof(offset));
	}
}

static int
exec_read(struct i915 *dev, struct exec *e)
{
	void *entries;
	int rc = i915_copy_array(dev, e->call, &entries, e->arg->buffers_ptr,
	    e->arg->buffer_count, sizeof(struct drm_i915_gem_exec_object2));

	if (rc)
		return rc;
	e->n = e->arg->buffer_count;
	e->objects = mem_calloc(e->n, sizeof(*e->objects));
	for (size_t i = 0; i < e->n; i++)
		e->objects[i].entry =
		    ((struct drm_i915_gem_exec_object2 *)entries)[i];
	free(entries);
	return 0;
}

static int
exec_steps(struct i915 *dev, struct exec *e)
{
	struct i915_program *program;
	int rc;

	if ((rc = exec_check(dev, e)) || (rc = exec_read(dev, e)) ||
	    (rc = i915_exec_fences(dev, e)) || (rc = exec_select(dev, e)) ||
	    (rc = exec_room(dev, e)) || (rc = i915_exec_lookup(dev, e)) ||
	    (rc = i915_exec_place(dev, e)) || (rc = i915_exec_relocate(dev, e)))
		return rc;
	exec_offsets(e);
	program = e->context->program;
	rc = i915_take(
	    dev, program, I915_LIMIT_REQUESTS, i915_request_weight(e->n));
	return rc ? rc : exec_request(dev, e);
}

int
i915_gem_execbuffer2(struct i915 *dev, struct i915_call *call)
{
	struct exec e = {.call = call, .arg = (void *)call->arg};
	int rc = exec_steps(dev, &e);

	i915_exec_fences_free(dev, &e);
	free(e.objects);
	return rc;
}
