/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The uAPI of DRM, i915, sync_file, dma-buf and sw_sync as the virtual i915
 * speaks it: the headers of libdrm and of the kernel, and the numbers and
 * structures that Debian's headers do not have yet or never had.
 */
#ifndef DEVICE_I915_UAPI_H
#define DEVICE_I915_UAPI_H

#include <libdrm/drm.h>
#include <libdrm/i915_drm.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>

/* drm.h */
#define DRM_CAP_LAST 0x15 /* ATOMIC_ASYNC_PAGE_FLIP, Linux 6.8 */

#ifndef DRM_SYNCOBJ_WAIT_FLAGS_WAIT_DEADLINE
#define DRM_SYNCOBJ_WAIT_FLAGS_WAIT_DEADLINE (1 << 3) /* Linux 6.6 */
#endif

/* DRM_IOCTL_SYNCOBJ_EVENTFD, nr 0xcf, Linux 6.6. */
struct i915_syncobj_eventfd {
	uint32_t handle;
	uint32_t flags; /* WAIT_AVAILABLE */
	uint64_t point;
	int32_t fd;
	uint32_t pad;
};

/* i915_drm.h */
#define I915_CREATE_EXT_SET_PAT          2  /* Linux 6.5 */
#define I915_CONTEXT_PARAM_LOW_LATENCY   14 /* Linux 6.9 */
#define I915_CONTEXT_PARAM_CONTEXT_IMAGE 15 /* Linux 6.11, for debugging */
#define I915_QUERY_GUC_VERSION           7  /* Linux 6.9 */
#define I915_PARAM_OA_FREQUENCY          57 /* Linux 6.1 */
#define I915_PARAM_PXP                   58
#define I915_PARAM_FREQ_HINT             59 /* Linux 6.9 */

struct i915_create_ext_set_pat {
	struct i915_user_extension base;
	uint32_t pat_index;
	uint32_t rsvd;
};

struct i915_guc_version {
	uint32_t branch, major, minor, patch;
};

/* sync_file.h: SYNC_IOC_SET_DEADLINE, nr 5, Linux 6.6. */
struct i915_set_deadline {
	uint64_t deadline_ns;
	uint64_t pad;
};

/* sw_sync.c of the kernel, which has no header. */
#define SW_SYNC_MAGIC 'W'

struct sw_sync_create_fence {
	uint32_t value;
	char name[32];
	int32_t fence; /* descriptor, returned */
};

struct sw_sync_deadline {
	uint64_t deadline_ns; /* returned */
	uint32_t pad;
	int32_t fence; /* descriptor */
};

_Static_assert(sizeof(struct sw_sync_create_fence) == 40, "as the kernel's");
_Static_assert(sizeof(struct i915_syncobj_eventfd) == 24, "as the kernel's");

#endif
