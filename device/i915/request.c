/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests from their submission to their end, which the GPU reports.
 */
#include "device/i915/request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"

/* The last reference to its fence has gone; it has ended before. */
static void
request_free(struct i915 *dev, struct i915_fence *f)
{
	(void)dev;
	free(container_of(f, struct i915_request, fence));
}

/* Adds it to the file's requests, the newest at the end. */
static void
request_link(struct i915_file *file, struct i915_request *rq)
{
	rq->file = file;
	rq->older = file->newest;
	if (file->newest)
		file->newest->newer = rq;
	else
		file->oldest = rq;
	file->newest = rq;
}

static void
request_unlink(struct i915_request *rq)
{
	struct i915_file *file = rq->file;

	if (!file)
		return;
	*(rq->older ? &rq->older->newer : &file->oldest) = rq->newer;
	*(rq->newer ? &rq->newer->older : &file->newest) = rq->older;
	rq->file = NULL;
	rq->older = rq->newer = NULL;
}

uint64_t
i915_request_weight(size_t n_objects)
{
	return 1 + n_objects / 256;
}

struct i915_request *
i915_request_new(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct i915_slot *slot,
    struct i915_object **objects, size_t n_objects)
{
	struct i915_request *rq = mem_calloc(1, sizeof(*rq));
	struct i915_fence *f = &rq->fence;

	i915_fence_init(dev, f, I915_FENCE_REQUEST);
	f->id = ++dev->last_id;
	f->timeline = slot->fences;
	f->seqno = ++slot->seqno;
	f->free = request_free;
	snprintf(f->name, sizeof(f->name), "%.15s[%u]", c->program->name,
	    call->file->pid);
	rq->node.n = f->id;
	chains_add(&dev->requests, &rq->node);
	request_link(call->file, rq);
	rq->program = i915_program_ref(c->program);
	rq->context = i915_context_get(c);
	rq->space = i915_space_get(c->space);
	i915_space_begin(rq->space);
	rq->objects = objects;
	rq->n_objects = n_objects;
	rq->submitted_ns = dev->now;
	return rq;
}

/* Ends it: frees what it kept, and reports it to its waiters. */
static void
request_end(struct i915 *dev, struct i915_request *rq, uint64_t ns, int error)
{
	uint64_t weight = i915_request_weight(rq->n_objects);

	chains_remove(&dev->requests, &rq->node);
	request_unlink(rq);
	i915_fence_signal(dev, &rq->fence, ns, error);
	for (size_t i = 0; i < rq->n_objects; i++)
		i915_object_put(dev, rq->objects[i]);
	free(rq->objects);
	free(rq->captured);
	rq->objects = NULL;
	rq->captured = NULL;
	i915_space_end(rq->space);
	i915_space_put(dev, rq->space);
	i915_context_put(dev, rq->context);
	i915_give(rq->program, I915_LIMIT_REQUESTS, weight);
	i915_program_put(dev, rq->program);
	i915_fence_put(dev, &rq->fence);
}

void
i915_request_abandon(struct i915 *dev, struct i915_request *rq)
{
	request_end(dev, rq, dev->now, -ECANCELED);
}

void
i915_requests_orphan(struct i915_file *file)
{
	while (file->oldest)
		request_unlink(file->oldest);
}

void
i915_requests_lost(struct i915 *dev, int error)
{
	for (size_t i = 0; i < dev->requests.cap; i++)
		while (dev->requests.heads[i])
			request_end(dev,
			    container_of(dev->requests.heads[i],
				struct i915_request, node),
			    dev->now, error);
}

static void
event_started(void *data, uint64_t request, uint64_t ns)
{
	(void)data;
	(void)request;
	(void)ns;
}

static void
event_ended(void *data, uint64_t request, uint64_t ns, int error)
{
	struct i915 *dev = data;
	struct chain_node *node = chains_find(&dev->requests, NULL, request);

	dev->interrupts++;
	if (node)
		request_end(dev, container_of(node, struct i915_request, node),
		    ns, error);
}

static void
event_hung(void *data)
{
	struct i915 *dev = data;

	if (dev->resets == 0)
		i915_hang_handle(dev);
	i915_uevents_hung(dev);
}

const struct gpu_events i915_gpu_events = {
    event_started, event_ended, event_hung, i915_is_captured, i915_capture};
