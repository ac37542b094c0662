/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EXECBUFFER2 in parts: the call is checked, its fences and objects are found,
 * then it is submitted. Rules: doc/model/i915.md "Execbuf".
 */
#ifndef DEVICE_I915_EXECBUF_H
#define DEVICE_I915_EXECBUF_H

#include "device/i915/request.h"
#include "device/i915/sync.h"
#include "device/i915/uapi.h"

struct exec_object {
	struct drm_i915_gem_exec_object2 entry; /* offset: not canonical */
	struct i915_object *object;             /* the file's reference */
	struct i915_binding *binding;
	bool moved; /* its address is not what the program said */
};

/* A syncobj of the call. */
struct exec_fence {
	struct i915_syncobj *syncobj; /* the file's reference */
	struct i915_fence *wait;      /* a reference, NULL: none */
	uint64_t value;               /* 0: no timeline */
	bool signal;
};

struct exec {
	struct i915_call *call;
	struct drm_i915_gem_execbuffer2 *arg;
	struct i915_context *context;
	struct i915_slot *slot;
	struct exec_object *objects;
	size_t n;
	uint64_t visit; /* stamps objects of this call */
	struct exec_fence *fences;
	size_t n_fences;
	struct i915_fence *in; /* of the file descriptor, the sync_file's */
	bool relocate;
};

/* Bit 47 goes on to bit 63. */
static inline uint64_t
exec_canonical(uint64_t address)
{
	return (uint64_t)((int64_t)(address << 16) >> 16);
}

static inline size_t
exec_first_batch(const struct exec *e)
{
	return e->arg->flags & I915_EXEC_BATCH_FIRST ? 0
						     : e->n - e->slot->width;
}

static inline bool
exec_is_batch(const struct exec *e, size_t i)
{
	size_t first = exec_first_batch(e);

	return i >= first && i < first + e->slot->width;
}

/* execbuf_objects.c */
/* Finds and checks all objects. Returns 0 or -errno. */
int i915_exec_lookup(struct i915 *dev, struct exec *e);

/* execbuf_place.c */
/* Gives each its address. Returns 0, -errno or I915_WAITS. */
int i915_exec_place(struct i915 *dev, struct exec *e);

/* execbuf_relocate.c */
/* Writes addresses into objects. Returns 0, -errno or I915_WAITS. */
int i915_exec_relocate(struct i915 *dev, struct exec *e);

/* execbuf_fences.c */
/* Reads the syncobjs and the sync_file of the call. Returns 0 or -errno. */
int i915_exec_fences(struct i915 *dev, struct exec *e);
/* Adds what the request has to wait for. */
void i915_exec_dependencies(struct i915 *dev, struct exec *e,
    struct gpu_dependency **after, size_t *n_after);
/* Gives the request's fence to the syncobjs. */
void i915_exec_signals(
    struct i915 *dev, const struct exec *e, struct i915_fence *f);
void i915_exec_fences_free(struct i915 *dev, struct exec *e);

#endif
