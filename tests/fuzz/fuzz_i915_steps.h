/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the inputs of fuzz_i915.c that record_i915.c writes: the rest is in
 * the functions that take them. */
#ifndef TESTS_FUZZ_FUZZ_I915_STEPS_H
#define TESTS_FUZZ_FUZZ_I915_STEPS_H

#include <stdint.h>
#include <sys/ioctl.h>

#include "device/i915/uapi.h"

/* Steps, of which others have these as low bits. */
enum {
	STEP_END_ALL = 0x20, /* all requests end */
	STEP_OPEN = 0x05,    /* a message: caller, kind, place of the path */
	STEP_HANGUP = 0x02,  /* of a descriptor */
	STEP_WORDS = 0xfe,   /* place and number, 16 bits each, words */
	STEP_IOCTL = 0xff,   /* caller, row, descriptor, flags, words */
};

/* Descriptors that there are before the first step. */
#define WORLD_MARKS 4
/* First bytes: limits that real programs keep, refusals told. Others are those
 * of the device. */
#define WORLD_WIDE 0x60
#define WORLD_TGL  (WORLD_WIDE | 0x01)
#define WORLD_KBL  (WORLD_WIDE | 0x80)
#define WORLD_IVB  (WORLD_WIDE | 0x81)
#define WORLD_5_13 0x02
/* Where programs' memory is. */
#define MEMORY_BASE 0x1000
#define MEMORY_SIZE 0x8000
/* Where recorded structures go, behind those that the fuzzer makes itself. */
#define RECORDED_BASE 0x2000

#define SIZED(nr, type) _IOC(_IOC_READ | _IOC_WRITE, 'd', nr, sizeof(type))

/* Ioctls by their byte in an input: new ones go to the end. */
/* clang-format off */
#define FUZZ_I915_REQUESTS \
	DRM_IOCTL_I915_GEM_CREATE, \
	DRM_IOCTL_GEM_CLOSE, \
	DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, \
	DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, \
	DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, \
	DRM_IOCTL_I915_GEM_WAIT, \
	DRM_IOCTL_I915_GEM_BUSY, \
	DRM_IOCTL_I915_GEM_PREAD, \
	DRM_IOCTL_I915_GEM_PWRITE, \
	DRM_IOCTL_I915_GEM_MMAP, \
	DRM_IOCTL_I915_GEM_MMAP_OFFSET, \
	DRM_IOCTL_I915_GEM_SET_DOMAIN, \
	DRM_IOCTL_I915_GEM_CREATE_EXT, \
	DRM_IOCTL_I915_GEM_USERPTR, \
	DRM_IOCTL_I915_GEM_MADVISE, \
	DRM_IOCTL_I915_GEM_THROTTLE, \
	DRM_IOCTL_GEM_FLINK, \
	DRM_IOCTL_GEM_OPEN, \
	DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, \
	DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, \
	DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, \
	DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, \
	DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, \
	DRM_IOCTL_I915_GEM_VM_CREATE, \
	DRM_IOCTL_I915_GEM_VM_DESTROY, \
	DRM_IOCTL_I915_GET_RESET_STATS, \
	DRM_IOCTL_I915_QUERY, \
	SIZED(0x46, uint64_t[2]), \
	DRM_IOCTL_PRIME_HANDLE_TO_FD, \
	DRM_IOCTL_PRIME_FD_TO_HANDLE, \
	DRM_IOCTL_SYNCOBJ_CREATE, \
	DRM_IOCTL_SYNCOBJ_DESTROY, \
	DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, \
	DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, \
	DRM_IOCTL_SYNCOBJ_WAIT, \
	DRM_IOCTL_SYNCOBJ_RESET, \
	DRM_IOCTL_SYNCOBJ_SIGNAL, \
	DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, \
	DRM_IOCTL_SYNCOBJ_QUERY, \
	DRM_IOCTL_SYNCOBJ_TRANSFER, \
	DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, \
	SIZED(0xcf, struct i915_syncobj_eventfd), \
	SYNC_IOC_MERGE, \
	SYNC_IOC_FILE_INFO, \
	_IOWR('W', 0, struct sw_sync_create_fence), \
	_IOW('W', 1, uint32_t), \
	DMA_BUF_IOCTL_SYNC, \
	DMA_BUF_IOCTL_EXPORT_SYNC_FILE, \
	DMA_BUF_IOCTL_IMPORT_SYNC_FILE, \
	DRM_IOCTL_VERSION, \
	DRM_IOCTL_GET_UNIQUE, \
	DRM_IOCTL_GET_MAGIC, \
	DRM_IOCTL_AUTH_MAGIC, \
	DRM_IOCTL_SET_MASTER, \
	DRM_IOCTL_GET_CAP, \
	DRM_IOCTL_SET_CLIENT_CAP, \
	DRM_IOCTL_I915_GEM_SET_TILING, \
	DRM_IOCTL_I915_GEM_GET_TILING, \
	DRM_IOCTL_I915_GEM_GET_APERTURE, \
	DRM_IOCTL_I915_GEM_SET_CACHING, \
	DRM_IOCTL_I915_GEM_GET_CACHING, \
	DRM_IOCTL_I915_GEM_SW_FINISH, \
	DRM_IOCTL_I915_REG_READ, \
	DRM_IOCTL_I915_PERF_OPEN, \
	_IOW('>', 5, struct i915_set_deadline), \
	_IOWR('W', 2, struct sw_sync_deadline), \
	_IO('$', 0)
/* clang-format on */

#endif
