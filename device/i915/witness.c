/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers for a witness: calls, objects and fences have numbers that are not used
 * again after they are gone.
 */
#include "device/i915/witness.h"

#include <stdlib.h>

#include "base/mem.h"
#include "device/i915/execbuf.h"
#include "device/i915/seen.h"

void
i915_set_witness(struct i915 *dev, struct i915_witness *w)
{
	dev->witness = w;
	if (dev->gpu->ops->look_ahead)
		dev->gpu->ops->look_ahead(dev->gpu, w);
}

static struct i915_seen_call
seen_call(const struct i915 *dev, const struct i915_call *call)
{
	return (struct i915_seen_call){
	    call->caller->pid, call->caller->tid, call->began_ns, dev->now};
}

static struct i915_seen_fence
seen_fence(const struct i915_fence *f)
{
	return (struct i915_seen_fence){.timeline = f->timeline,
	    .seqno = f->seqno,
	    .software = f->kind == I915_FENCE_SOFTWARE};
}

/* A list that grows. */
struct seen_fences {
	struct i915_seen_fence *list;
	size_t n, cap;
};

static void
add_seen(struct seen_fences *to, const struct i915_fence *f, bool start)
{
	to->list = mem_grow(to->list, to->n, &to->cap, sizeof(*to->list));
	to->list[to->n] = seen_fence(f);
	to->list[to->n++].start = start && f->kind == I915_FENCE_REQUEST;
}

/* Adds a fence, or all that it is of and that have not signalled. */
static void
add_leaves(
    struct i915 *dev, struct seen_fences *to, struct i915_fence *f, bool start)
{
	struct i915_fences leaves = {0};

	if (f->kind != I915_FENCE_ALL) {
		add_seen(to, f, start);
		return;
	}
	i915_fence_leaves(dev, f, &leaves);
	for (size_t i = 0; i < leaves.n; i++)
		add_seen(to, leaves.list[i], start);
	i915_fences_free(dev, &leaves);
}

static void
add_named(struct i915 *dev, struct seen_fences *to, const struct exec *e)
{
	for (size_t i = 0; i < e->n_fences; i++)
		if (e->fences[i].wait)
			add_leaves(dev, to, e->fences[i].wait, false);
	if (e->in)
		add_leaves(
		    dev, to, e->in, e->arg->flags & I915_EXEC_FENCE_SUBMIT);
}

static struct i915_seen_object *
seen_objects(const struct exec *e)
{
	struct i915_seen_object *list = mem_calloc(e->n, sizeof(*list));

	for (size_t i = 0; i < e->n; i++) {
		uint64_t flags = e->objects[i].entry.flags;

		list[i] = (struct i915_seen_object){
		    .serial = e->objects[i].object->serial,
		    .write = flags & EXEC_OBJECT_WRITE,
		    .async = flags & EXEC_OBJECT_ASYNC,
		    .batch = exec_is_batch(e, i)};
	}
	return list;
}

void
i915_seen_submission(
    struct i915 *dev, const struct exec *e, const struct i915_fence *f)
{
	struct seen_fences after = {0};
	struct i915_seen_object *objects;
	struct i915_seen_submit seen = {
	    .call = seen_call(dev, e->call),
	    .fence = seen_fence(f),
	    .file = e->call->file->id,
	    .context = e->context->id,
	    .place = (unsigned)(e->slot - e->context->engines->slots),
	    .slot = e->slot,
	    .n_objects = e->n,
	};

	if (!dev->witness)
		return;
	seen.objects = objects = seen_objects(e);
	add_named(dev, &after, e);
	seen.after = after.list;
	seen.n_after = after.n;
	dev->witness->ops->submits(dev->witness, &seen);
	free(after.list);
	free(objects);
}

void
i915_seen_object_wait(struct i915 *dev, const struct i915_call *call,
    const struct i915_object *o, int rc)
{
	struct i915_seen_call seen = seen_call(dev, call);

	if (dev->witness && rc == 0)
		dev->witness->ops->waited_object(
		    dev->witness, &seen, o->serial);
}

void
i915_seen_fence_waits(struct i915 *dev, const struct i915_call *call,
    struct i915_fence *const *fences, size_t n)
{
	struct i915_seen_call seen = seen_call(dev, call);
	struct seen_fences list = {0};

	if (!dev->witness)
		return;
	for (size_t i = 0; i < n; i++)
		if (fences[i]->kind != I915_FENCE_ALL)
			add_seen(&list, fences[i], false);
	if (list.n > 0)
		dev->witness->ops->waited_fences(
		    dev->witness, &seen, list.list, list.n);
	free(list.list);
}

void
i915_seen_new_fence(
    struct i915 *dev, const struct i915_call *call, const struct i915_fence *f)
{
	struct i915_seen_call by = seen_call(dev, call);
	struct i915_seen_fence seen = seen_fence(f);

	if (dev->witness)
		dev->witness->ops->made_fence(dev->witness, &by, &seen);
}

void
i915_seen_advance(struct i915 *dev, const struct i915_call *call,
    uint64_t timeline, uint32_t value)
{
	struct i915_seen_call by = seen_call(dev, call);

	if (dev->witness)
		dev->witness->ops->advanced(dev->witness, &by, timeline, value);
}
