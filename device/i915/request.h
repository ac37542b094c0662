/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests of the virtual i915: what execbuf submits, from then until it has
 * ended. A request keeps its objects and its address space, also when the
 * program has closed them.
 */
#ifndef DEVICE_I915_REQUEST_H
#define DEVICE_I915_REQUEST_H

#include "device/i915/context.h"

struct i915_request {
	struct i915_fence fence;            /* first */
	struct chain_node node;             /* n: fence.id, while in flight */
	struct i915_file *file;             /* NULL: closed, or ended */
	struct i915_request *older, *newer; /* of the file */
	struct i915_program *program;
	struct i915_context *context;
	struct i915_space *space;
	struct i915_object **objects;
	size_t n_objects;
	size_t first_batch, n_batches; /* in objects */
	bool *captured; /* by object: wanted in error states; NULL: none */
	uint64_t submitted_ns;
};

/* request.c */
/* Returns as how many requests one of n objects counts, for their memory. */
uint64_t i915_request_weight(size_t n_objects);
/* Makes a request of a slot, which owns objects (a reference each) from now on.
 * The reference is the flight's. */
struct i915_request *i915_request_new(struct i915 *dev, struct i915_call *call,
    struct i915_context *context, struct i915_slot *slot,
    struct i915_object **objects, size_t n_objects);
/* Ends a request that was not submitted. */
void i915_request_abandon(struct i915 *dev, struct i915_request *rq);
/* The file is closed: its requests go on without it. */
void i915_requests_orphan(struct i915_file *file);
/* capture.c */
/* True unless the context of that request is left out of error states. */
bool i915_is_captured(void *data, uint64_t request);
/* Appends memory of the request, which hung on that engine. */
void i915_capture(
    void *data, uint64_t request, unsigned engine, struct text *out);

/* Ends all requests in flight with an error. */
void i915_requests_lost(struct i915 *dev, int error);

#endif
