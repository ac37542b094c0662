/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A witness of a virtual i915: its functions are called for what programs do
 * that tells why they submit when they do. It must not call the device.
 * Memory that the arguments point to is valid until the return. Times are ns of
 * the device's time.
 */
#ifndef DEVICE_I915_WITNESS_H
#define DEVICE_I915_WITNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct i915;
struct i915_slot;

/* A call of a thread; it is over now. */
struct i915_seen_call {
	uint32_t pid, tid; /* tid 0: not known */
	uint64_t began_ns, now_ns;
};

/* A fence: no other has the same timeline and number. */
struct i915_seen_fence {
	uint64_t timeline, seqno;
	bool software; /* else of a request */
	bool start;    /* its request's start is waited for */
};

/* An object: no other of the device has its serial. */
struct i915_seen_object {
	uint64_t serial;
	bool write;
	bool async; /* it orders nothing */
	bool batch;
};

struct i915_seen_submit {
	struct i915_seen_call call;
	struct i915_seen_fence fence; /* of its end */
	uint64_t file;                /* that made the context */
	uint32_t context;             /* id in that file */
	unsigned place;               /* of the slot in the map */
	const struct i915_slot *slot;
	const struct i915_seen_object *objects;
	size_t n_objects;
	/* Fences that the program names, whether they have signalled or not. */
	const struct i915_seen_fence *after;
	size_t n_after;
};

struct i915_witness;

/* All functions are needed. */
struct i915_witness_ops {
	/* A request is submitted to the GPU next. */
	void (*submits)(
	    struct i915_witness *w, const struct i915_seen_submit *seen);
	/* A call has waited, or need not wait, for all that uses the object. */
	void (*waited_object)(struct i915_witness *w,
	    const struct i915_seen_call *call, uint64_t serial);
	/* ... for fences, all of them. */
	void (*waited_fences)(struct i915_witness *w,
	    const struct i915_seen_call *call,
	    const struct i915_seen_fence *fences, size_t n);
	/* A software fence was made. */
	void (*made_fence)(struct i915_witness *w,
	    const struct i915_seen_call *call,
	    const struct i915_seen_fence *fence);
	/* A call sets the counter of a timeline of software fences: those with
	 * a number up to value signal next. */
	void (*advanced)(struct i915_witness *w,
	    const struct i915_seen_call *call, uint64_t timeline,
	    uint32_t value);
};

struct i915_witness {
	const struct i915_witness_ops *ops;
};

/* Sets the witness of a device, which must outlive it or be set to NULL
 * (none). */
void i915_set_witness(struct i915 *dev, struct i915_witness *w);

#endif
