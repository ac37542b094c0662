/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tell the device's witness (witness.h), if it has one. */
#ifndef DEVICE_I915_SEEN_H
#define DEVICE_I915_SEEN_H

#include "device/i915/device.h"

struct exec;

/* A request, whose fence is f, is to be submitted. */
void i915_seen_submission(
    struct i915 *dev, const struct exec *e, const struct i915_fence *f);
/* A wait for all uses of an object is over, if rc is 0. */
void i915_seen_object_wait(struct i915 *dev, const struct i915_call *call,
    const struct i915_object *o, int rc);
/* A wait for fences, which have all signalled, is over. */
void i915_seen_fence_waits(struct i915 *dev, const struct i915_call *call,
    struct i915_fence *const *fences, size_t n);
/* A software fence was made; a timeline of such is set to value. */
void i915_seen_new_fence(
    struct i915 *dev, const struct i915_call *call, const struct i915_fence *f);
void i915_seen_advance(struct i915 *dev, const struct i915_call *call,
    uint64_t timeline, uint32_t value);

#endif
