/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eventfds that are written when a point of a syncobj comes or signals. */
#ifndef DEVICE_I915_SYNCOBJ_EVENT_H
#define DEVICE_I915_SYNCOBJ_EVENT_H

#include "device/i915/sync.h"

/* Frees those that wait for a fence to come; s is being freed. */
void i915_syncobj_events_free(struct i915 *dev, struct i915_syncobj *s);

/* syncobj.c */
int i915_syncobjs_read(struct i915 *dev, struct i915_call *call, uint64_t user,
    uint32_t n, struct i915_syncobj ***objs);

#endif
