/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sw_sync: timelines of fences that a program signals by counting up. */
#ifndef DEVICE_I915_SW_SYNC_H
#define DEVICE_I915_SW_SYNC_H

#include "device/i915/device.h"

/* Opens a timeline. */
int i915_sw_sync_open(struct i915 *dev, struct i915_call *call);

#endif
