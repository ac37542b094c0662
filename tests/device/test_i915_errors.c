/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers and refusals of each ioctl of the virtual i915, by device, kernel and
 * node: a row is a call with one object (handle 1), a userptr (handle 2), a
 * context (1), an empty syncobj (1), and a signalled one (2). Rules:
 * doc/model/i915.md, whose heading a row names.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

/* Rows name the fields that they are about. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

enum device { TGL, TGL_61, ADL, DG2, MTL, KBL, IVB, GUC, N_DEVICES };

static const struct {
	uint16_t pci_id;
	unsigned graphics, kernel;
	enum i915_scheduler scheduler;
	bool discrete;
} devices[N_DEVICES] = {
    [TGL] = {0x9a49, 1200, I915_LINUX(5, 13), I915_EXECLISTS, false},
    [TGL_61] = {0x9a49, 1200, I915_LINUX(6, 1), I915_EXECLISTS, false},
    [ADL] = {0x46a6, 1200, I915_LINUX(6, 1), I915_EXECLISTS, false},
    [DG2] = {0x56a0, 1255, I915_LINUX(6, 11), I915_GUC, true},
    [MTL] = {0x7d55, 1270, I915_LINUX(6, 11), I915_GUC, false},
    [KBL] = {0x5916, 900, I915_LINUX(6, 1), I915_EXECLISTS, false},
    [IVB] = {0x0166, 700, I915_LINUX(6, 1), I915_RING, false},
    [GUC] = {0x9a49, 1200, I915_LINUX(6, 11), I915_GUC, false},
};

static char page[4096];

#define ALL (-1)

struct row {
	const char *rule;
	int device;
	bool card;
	unsigned long request;
	const void *arg;
	int result;
};

#define ROW(rule, device, request, type, result, ...)                          \
	{                                                                      \
		rule, device, false, request, &(struct type){__VA_ARGS__},     \
		    result                                                     \
	}
#define CARD(rule, device, request, type, result, ...)                         \
	{                                                                      \
		rule, device, true, request, &(struct type){__VA_ARGS__},      \
		    result                                                     \
	}

#define GETPARAM                                                               \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_I915_GETPARAM, struct drm_i915_getparam)
#define PARAM(device, n, result)                                               \
	ROW("Parameters", device, GETPARAM, drm_i915_getparam, result, n,      \
	    (void *)page)
#define CREATE_EXT DRM_IOCTL_I915_GEM_CREATE_EXT
#define SETPARAM   DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM
#define GETCTX     DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM
#define CTXSET(device, n, size, value, result)                                 \
	ROW("Context parameters", device, SETPARAM,                            \
	    drm_i915_gem_context_param, result, 1, size, n, (uint64_t)(value))
#define CTXGET(device, n, size, result)                                        \
	ROW("Context parameters", device, GETCTX, drm_i915_gem_context_param,  \
	    result, 1, size, n, (uintptr_t)page)
#define EXEC(device, result, ...)                                              \
	ROW("Execbuf", device, DRM_IOCTL_I915_GEM_EXECBUFFER2,                 \
	    drm_i915_gem_execbuffer2, result, .buffers_ptr = (uintptr_t)one,   \
	    .buffer_count = 1, __VA_ARGS__)
#define EXEC_OBJECT(device, result, ...)                                       \
	ROW("Execbuf", device, DRM_IOCTL_I915_GEM_EXECBUFFER2,                 \
	    drm_i915_gem_execbuffer2, result,                                  \
	    .buffers_ptr = (uintptr_t) &                                       \
		(struct drm_i915_gem_exec_object2){__VA_ARGS__},               \
	    .buffer_count = 1)

static struct drm_i915_gem_exec_object2 one[] = {{.handle = 1}};
static const struct drm_i915_gem_exec_object2 twice[] = {
    {.handle = 1}, {.handle = 1}};

/* Memory regions of GEM_CREATE_EXT. */
static const struct drm_i915_gem_memory_class_instance regions[] = {
    {I915_MEMORY_CLASS_DEVICE, 0}, {I915_MEMORY_CLASS_SYSTEM, 0}};
static const struct drm_i915_gem_create_ext_memory_regions system_only = {
    .base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS,
    .num_regions = 1,
    .regions = (uintptr_t)&regions[1]};
static const struct drm_i915_gem_create_ext_memory_regions both_regions = {
    .base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS,
    .num_regions = 2,
    .regions = (uintptr_t)regions};
static const struct drm_i915_gem_create_ext_protected_content pxp = {
    .base.name = I915_GEM_CREATE_EXT_PROTECTED_CONTENT};
static const struct i915_user_extension unknown_ext = {.name = 99};
static const struct i915_create_ext_set_pat pat = {
    .base.name = I915_CREATE_EXT_SET_PAT};
static const struct drm_i915_gem_context_create_ext_setparam clone = {
    .base.name = 1}; /* CLONE, until Linux 5.14 */
static const struct drm_i915_gem_context_create_ext_setparam of_another = {
    .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
    .param = {.ctx_id = 1, .param = I915_CONTEXT_PARAM_PRIORITY}};
static const struct drm_i915_gem_context_create_ext_setparam protected = {
    .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
    .param = {.param = I915_CONTEXT_PARAM_PROTECTED_CONTENT, .value = 1}};
#define EXT(e) ((uintptr_t) & (e))

/* Unknown; empty; with a flag that is unknown; signalled. */
static const struct drm_i915_gem_exec_fence fences[] = {
    {99, I915_EXEC_FENCE_WAIT}, {1, I915_EXEC_FENCE_WAIT}, {2, 4},
    {2, I915_EXEC_FENCE_WAIT}};

static const struct row rows[] = {
    /* DRM core */
    ROW("DRM core", ALL, DRM_IOCTL_VERSION, drm_version, 0, 0),
    ROW("DRM core", ALL, DRM_IOCTL_GET_UNIQUE, drm_unique, -EACCES, 0),
    CARD("DRM core", ALL, DRM_IOCTL_GET_UNIQUE, drm_unique, 0, 0),
    ROW("DRM core", ALL, DRM_IOCTL_GET_MAGIC, drm_auth, -EACCES, 0),
    CARD("DRM core", ALL, DRM_IOCTL_GET_MAGIC, drm_auth, 0, 0),
    ROW("DRM core", ALL, DRM_IOCTL_AUTH_MAGIC, drm_auth, -EACCES, 1),
    CARD("DRM core", ALL, DRM_IOCTL_AUTH_MAGIC, drm_auth, -EINVAL, 0),
    CARD("DRM core", ALL, DRM_IOCTL_AUTH_MAGIC, drm_auth, -EINVAL, 99),
    CARD("DRM core", ALL, DRM_IOCTL_SET_MASTER, drm_auth, 0, 0),
    CARD("DRM core", ALL, DRM_IOCTL_DROP_MASTER, drm_auth, 0, 0),
    ROW("DRM core", ALL, DRM_IOCTL_SET_MASTER, drm_auth, -EACCES, 0),
    ROW("DRM core", ALL, DRM_IOCTL_GET_CLIENT, drm_client, -EACCES, 0),
    CARD("DRM core", ALL, DRM_IOCTL_GET_CLIENT, drm_client, 0, 0),
    CARD("DRM core", ALL, DRM_IOCTL_GET_CLIENT, drm_client, -EINVAL, 1),
    ROW("DRM core", ALL, DRM_IOCTL_GET_STATS, drm_stats, -EACCES, 0),
    CARD("DRM core", ALL, DRM_IOCTL_GET_STATS, drm_stats, 0, 0),
    ROW("DRM core", ALL, DRM_IOCTL_GET_CAP, drm_get_cap, 0, DRM_CAP_PRIME, 0),
    ROW("DRM core", ALL, DRM_IOCTL_GET_CAP, drm_get_cap, 0, 6, 0),
    ROW("DRM core", ALL, DRM_IOCTL_GET_CAP, drm_get_cap, 0,
	DRM_CAP_SYNCOBJ_TIMELINE, 0),
    ROW("DRM core", ALL, DRM_IOCTL_GET_CAP, drm_get_cap, -EOPNOTSUPP,
	DRM_CAP_DUMB_BUFFER, 0),
    ROW("DRM core", ALL, DRM_IOCTL_GET_CAP, drm_get_cap, -EINVAL, 0x1000, 0),
    CARD("DRM core", ALL, DRM_IOCTL_SET_CLIENT_CAP, drm_set_client_cap,
	-EOPNOTSUPP, 1, 1),
    ROW("Ioctls", ALL, DRM_IO(0x3e), drm_auth, -EINVAL, 0),
    ROW("Ioctls", ALL, DRM_IO(0xff), drm_auth, -EINVAL, 0),
    ROW("Ioctls", ALL, _IO('e', 0), drm_auth, -ENOTTY, 0),
    /* Objects */
    ROW("Objects", ALL, DRM_IOCTL_GEM_CLOSE, drm_gem_close, 0, 1, 0),
    ROW("Objects", ALL, DRM_IOCTL_GEM_CLOSE, drm_gem_close, -EINVAL, 99, 0),
    ROW("Objects", ALL, DRM_IOCTL_GEM_CLOSE, drm_gem_close, -EINVAL, 0, 0),
    ROW("Objects", ALL, DRM_IOCTL_GEM_FLINK, drm_gem_flink, -EACCES, 1, 0),
    CARD("Objects", ALL, DRM_IOCTL_GEM_FLINK, drm_gem_flink, 0, 1, 0),
    CARD("Objects", ALL, DRM_IOCTL_GEM_FLINK, drm_gem_flink, -ENOENT, 99, 0),
    CARD("Objects", ALL, DRM_IOCTL_GEM_OPEN, drm_gem_open, -ENOENT, 99, 0, 0),
    ROW("Objects", ALL, DRM_IOCTL_GEM_OPEN, drm_gem_open, -EACCES, 1, 0, 0),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_CREATE, drm_i915_gem_create, -EINVAL,
	.size = 0),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_CREATE, drm_i915_gem_create, -E2BIG,
	.size = UINT64_C(1) << 60),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_CREATE, drm_i915_gem_create, -EINVAL,
	.size = UINT64_MAX),
    ROW("Objects", ALL, CREATE_EXT, drm_i915_gem_create_ext, -EINVAL,
	.size = 0),
    ROW("Objects", ALL, CREATE_EXT, drm_i915_gem_create_ext, -EINVAL, .size = 1,
	.flags = 2),
    ROW("Objects", ALL, CREATE_EXT, drm_i915_gem_create_ext, 0, .size = 1,
	.extensions = EXT(system_only)),
    ROW("Objects", TGL, CREATE_EXT, drm_i915_gem_create_ext, -EINVAL, .size = 1,
	.extensions = EXT(both_regions)),
    ROW("Objects", DG2, CREATE_EXT, drm_i915_gem_create_ext, 0, .size = 1,
	.flags = 1, .extensions = EXT(both_regions)),
    ROW("Objects", DG2, CREATE_EXT, drm_i915_gem_create_ext, -EINVAL, .size = 1,
	.flags = 1, .extensions = EXT(system_only)),
    ROW("Objects", ALL, CREATE_EXT, drm_i915_gem_create_ext, -ENODEV, .size = 1,
	.extensions = EXT(pxp)),
    ROW("Objects", ALL, CREATE_EXT, drm_i915_gem_create_ext, -EINVAL, .size = 1,
	.extensions = EXT(unknown_ext)),
    ROW("Objects", TGL, CREATE_EXT, drm_i915_gem_create_ext, -EINVAL, .size = 1,
	.extensions = EXT(pat)),
    ROW("Objects", ALL, CREATE_EXT, drm_i915_gem_create_ext, -EFAULT, .size = 1,
	.extensions = 8),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_PREAD, drm_i915_gem_pread, 0,
	.handle = 1, .size = 4096, .data_ptr = (uintptr_t)page),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_PREAD, drm_i915_gem_pread, -EINVAL,
	.handle = 1, .offset = 1, .size = 4096, .data_ptr = (uintptr_t)page),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_PREAD, drm_i915_gem_pread, -EINVAL,
	.handle = 1, .offset = UINT64_MAX, .size = 2,
	.data_ptr = (uintptr_t)page),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_PREAD, drm_i915_gem_pread, -ENOENT,
	.handle = 99, .size = 1, .data_ptr = (uintptr_t)page),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_PREAD, drm_i915_gem_pread, -EFAULT,
	.handle = 1, .size = 1, .data_ptr = 8),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_PWRITE, drm_i915_gem_pwrite, -EINVAL,
	.handle = 2, .size = 1, .data_ptr = (uintptr_t)page),
    ROW("Objects", ADL, DRM_IOCTL_I915_GEM_PREAD, drm_i915_gem_pread,
	-EOPNOTSUPP, .handle = 1, .size = 1),
    ROW("Objects", DG2, DRM_IOCTL_I915_GEM_PWRITE, drm_i915_gem_pwrite,
	-EOPNOTSUPP, .handle = 1, .size = 1),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_MMAP, drm_i915_gem_mmap, -EINVAL,
	.handle = 1, .size = 4096, .flags = 2),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_MMAP, drm_i915_gem_mmap, -ENOENT,
	.handle = 99, .size = 4096),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_MMAP, drm_i915_gem_mmap, -EINVAL,
	.handle = 1, .size = 8192),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_MMAP, drm_i915_gem_mmap, -ENXIO,
	.handle = 2, .size = 4096),
    ROW("Objects", DG2, DRM_IOCTL_I915_GEM_MMAP, drm_i915_gem_mmap, -EOPNOTSUPP,
	.handle = 1, .size = 4096),
    ROW("Objects", MTL, DRM_IOCTL_I915_GEM_MMAP, drm_i915_gem_mmap, -EOPNOTSUPP,
	.handle = 1, .size = 4096),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_MMAP_GTT, drm_i915_gem_mmap_gtt, 0,
	.handle = 1),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
	drm_i915_gem_mmap_offset, 0, .handle = 1, .flags = 2),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
	drm_i915_gem_mmap_offset, -EINVAL, .handle = 1, .flags = 5),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
	drm_i915_gem_mmap_offset, -ENOENT, .handle = 99, .flags = 4),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
	drm_i915_gem_mmap_offset, -ENODEV, .handle = 1, .flags = 4),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
	drm_i915_gem_mmap_offset, -ENODEV, .handle = 2, .flags = 2),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
	drm_i915_gem_mmap_offset, -EINVAL, .handle = 1, .flags = 2,
	.extensions = EXT(unknown_ext)),
    ROW("Objects", DG2, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
	drm_i915_gem_mmap_offset, 0, .handle = 1, .flags = 4),
    ROW("Objects", DG2, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
	drm_i915_gem_mmap_offset, -ENODEV, .handle = 1, .flags = 2),
    ROW("Objects", DG2, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
	drm_i915_gem_mmap_offset, -ENODEV, .handle = 1, .flags = 0),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_DOMAIN, drm_i915_gem_set_domain,
	0, 1, 0x80, 0x80),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_DOMAIN, drm_i915_gem_set_domain,
	-ENOENT, 99, 1, 0),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_DOMAIN, drm_i915_gem_set_domain,
	-EINVAL, 1, 2, 0),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_DOMAIN, drm_i915_gem_set_domain,
	-EINVAL, 1, 0x41, 0x41),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_DOMAIN, drm_i915_gem_set_domain,
	-EINVAL, 1, 1, 0x40),
    ROW("Objects", DG2, DRM_IOCTL_I915_GEM_SET_DOMAIN, drm_i915_gem_set_domain,
	-ENODEV, 1, 1, 0),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_SW_FINISH, drm_i915_gem_sw_finish, 0,
	1),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_TILING, drm_i915_gem_set_tiling,
	0, 1, 1, 512),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_TILING, drm_i915_gem_set_tiling,
	-EINVAL, 1, 3, 512),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_TILING, drm_i915_gem_set_tiling,
	-EINVAL, 1, 1, 100),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_TILING, drm_i915_gem_set_tiling,
	-ENOENT, 99, 0, 0),
    ROW("Objects", DG2, DRM_IOCTL_I915_GEM_SET_TILING, drm_i915_gem_set_tiling,
	-EOPNOTSUPP, 1, 0, 0),
    ROW("Objects", MTL, DRM_IOCTL_I915_GEM_GET_TILING, drm_i915_gem_get_tiling,
	-EOPNOTSUPP, 1),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_GET_TILING, drm_i915_gem_get_tiling,
	0, 1),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_GET_APERTURE,
	drm_i915_gem_get_aperture, 0, 0),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_MADVISE, drm_i915_gem_madvise, 0, 1,
	I915_MADV_DONTNEED),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_MADVISE, drm_i915_gem_madvise,
	-EINVAL, 1, 2),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_MADVISE, drm_i915_gem_madvise,
	-ENOENT, 99, 0),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_CACHING, drm_i915_gem_caching, 0,
	1, 1),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_CACHING, drm_i915_gem_caching,
	-EINVAL, 1, 3),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_CACHING, drm_i915_gem_caching,
	-ENOENT, 99, 1),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_SET_CACHING, drm_i915_gem_caching,
	-ENXIO, 2, 0),
    ROW("Objects", DG2, DRM_IOCTL_I915_GEM_SET_CACHING, drm_i915_gem_caching,
	-ENODEV, 1, 1),
    ROW("Objects", MTL, DRM_IOCTL_I915_GEM_GET_CACHING, drm_i915_gem_caching,
	-EOPNOTSUPP, 1, 0),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_USERPTR, drm_i915_gem_userptr,
	-EINVAL, .user_ptr = 1, .user_size = 4096),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_USERPTR, drm_i915_gem_userptr,
	-EINVAL, .user_ptr = 4096, .user_size = 0),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_USERPTR, drm_i915_gem_userptr,
	-EFAULT, .user_ptr = UINT64_MAX - 4095, .user_size = 4096),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_USERPTR, drm_i915_gem_userptr,
	-EINVAL, .user_ptr = 4096, .user_size = 4096, .flags = 8),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_USERPTR, drm_i915_gem_userptr,
	-EINVAL, .user_ptr = 4096, .user_size = 4096,
	.flags = I915_USERPTR_PROBE),
    ROW("Objects", TGL_61, DRM_IOCTL_I915_GEM_USERPTR, drm_i915_gem_userptr,
	-EFAULT, .user_ptr = 4096, .user_size = 4096,
	.flags = I915_USERPTR_PROBE),
    ROW("Objects", ALL, DRM_IOCTL_I915_GEM_USERPTR, drm_i915_gem_userptr,
	-EPERM, .user_ptr = 4096, .user_size = 4096,
	.flags = I915_USERPTR_UNSYNCHRONIZED),
    ROW("Objects", TGL, DRM_IOCTL_I915_GEM_USERPTR, drm_i915_gem_userptr,
	-ENODEV, .user_ptr = 4096, .user_size = 4096,
	.flags = I915_USERPTR_READ_ONLY),
    ROW("Objects", KBL, DRM_IOCTL_I915_GEM_USERPTR, drm_i915_gem_userptr, 0,
	.user_ptr = 4096, .user_size = 4096, .flags = I915_USERPTR_READ_ONLY),
    ROW("PRIME", ALL, DRM_IOCTL_PRIME_HANDLE_TO_FD, drm_prime_handle, -ENOENT,
	99, 0, 0),
    ROW("PRIME", ALL, DRM_IOCTL_PRIME_HANDLE_TO_FD, drm_prime_handle, -EINVAL,
	1, 1, 0),
    ROW("PRIME", ALL, DRM_IOCTL_PRIME_HANDLE_TO_FD, drm_prime_handle, -EINVAL,
	2, 0, 0),
    ROW("PRIME", ALL, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, -EBADF, 0,
	0, -1),
    /* Waiting */
    ROW("Implicit synchronisation", ALL, DRM_IOCTL_I915_GEM_BUSY,
	drm_i915_gem_busy, -ENOENT, 99, 0),
    ROW("Waiting", ALL, DRM_IOCTL_I915_GEM_WAIT, drm_i915_gem_wait, 0, 1, 0,
	-1),
    ROW("Waiting", ALL, DRM_IOCTL_I915_GEM_WAIT, drm_i915_gem_wait, -ENOENT, 99,
	0, 0),
    ROW("Waiting", ALL, DRM_IOCTL_I915_GEM_WAIT, drm_i915_gem_wait, -EINVAL, 1,
	1, 0),
    ROW("Waiting", ALL, DRM_IOCTL_I915_GEM_THROTTLE, drm_auth, 0, 0),
    /* Contexts */
    ROW("Contexts", ALL, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
	drm_i915_gem_context_create_ext, -EINVAL, .flags = 4),
    ROW("Contexts", ALL, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
	drm_i915_gem_context_create_ext, 0, .flags = 2),
    ROW("Contexts", ALL, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
	drm_i915_gem_context_create_ext, -EINVAL, .flags = 1,
	.extensions = EXT(unknown_ext)),
    ROW("Contexts", ALL, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
	drm_i915_gem_context_create_ext, -EINVAL, .flags = 1,
	.extensions = EXT(clone)),
    ROW("Contexts", ALL, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
	drm_i915_gem_context_create_ext, -EINVAL, .flags = 1,
	.extensions = EXT(of_another)),
    ROW("Contexts", TGL_61, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
	drm_i915_gem_context_create_ext, -ENODEV, .flags = 1,
	.extensions = EXT(protected)),
    ROW("Contexts", ALL, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
	drm_i915_gem_context_create_ext, -EFAULT, .flags = 1, .extensions = 8),
    ROW("Contexts", ALL, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
	drm_i915_gem_context_destroy, -ENOENT, 0, 0),
    ROW("Contexts", ALL, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
	drm_i915_gem_context_destroy, -ENOENT, 99, 0),
    ROW("Contexts", ALL, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
	drm_i915_gem_context_destroy, -EINVAL, 1, 1),
    ROW("Contexts", ALL, DRM_IOCTL_I915_GET_RESET_STATS, drm_i915_reset_stats,
	-ENOENT, 99),
    ROW("Contexts", ALL, DRM_IOCTL_I915_GET_RESET_STATS, drm_i915_reset_stats,
	-EINVAL, 1, 1),
    ROW("Contexts", TGL, DRM_IOCTL_I915_GEM_VM_CREATE, drm_i915_gem_vm_control,
	-EINVAL, .flags = 1),
    ROW("Contexts", TGL, DRM_IOCTL_I915_GEM_VM_CREATE, drm_i915_gem_vm_control,
	-EINVAL, .extensions = EXT(unknown_ext)),
    ROW("Contexts", IVB, DRM_IOCTL_I915_GEM_VM_CREATE, drm_i915_gem_vm_control,
	-ENODEV, 0),
    ROW("Contexts", TGL, DRM_IOCTL_I915_GEM_VM_DESTROY, drm_i915_gem_vm_control,
	-ENOENT, .vm_id = 99),
    CTXSET(ALL, 1, 0, 0, -EINVAL),
    CTXSET(ALL, 2, 0, 0, -EINVAL),
    CTXSET(ALL, 12, 0, 0, -EINVAL),
    CTXSET(ALL, 3, 0, 0, -EINVAL),
    CTXSET(ALL, 15, 0, 0, -EINVAL),
    CTXSET(ALL, 1000, 0, 0, -EINVAL),
    CTXSET(ALL, 4, 0, 1, 0),
    CTXSET(ALL, 4, 1, 1, -EINVAL),
    CTXSET(ALL, 5, 0, 0, -EPERM),
    CTXSET(ALL, 5, 0, 1, 0),
    CTXSET(TGL, 6, 0, -1023, 0),
    CTXSET(TGL, 6, 0, -1024, -EINVAL),
    CTXSET(TGL, 6, 0, 1024, -EINVAL),
    CTXSET(TGL, 6, 0, 1, -EPERM),
    CTXSET(TGL, 6, 8, 0, -EINVAL),
    CTXSET(IVB, 6, 0, 0, -ENODEV),
    CTXSET(TGL, 7, 8, 0, -EINVAL),
    CTXSET(TGL, 7, 32, (uintptr_t)page, -ENODEV),
    CTXSET(ALL, 8, 0, 0, 0),
    CTXSET(ALL, 8, 1, 0, -EINVAL),
    CTXSET(TGL, 9, 0, 99, -ENOENT),
    CTXSET(IVB, 9, 0, 1, -ENODEV),
    CTXSET(TGL, 10, 9, (uintptr_t)page, -EINVAL),
    CTXSET(TGL, 10, 8 + 4 * 65, (uintptr_t)page, -EINVAL),
    CTXSET(TGL, 10, 12, 8, -EFAULT),
    CTXSET(TGL, 10, 12, (uintptr_t)page, 0),
    CTXSET(TGL, 11, 0, 0, 0),
    CTXSET(TGL, 11, 0, 1, 0),
    CTXSET(TGL, 11, 1, 0, -EINVAL),
    CTXSET(IVB, 11, 0, 0, -ENODEV),
    CTXSET(ALL, 13, 0, 1, -EINVAL),
    CTXSET(ALL, 14, 0, 1, -EINVAL),
    CTXGET(TGL, 3, 0, 0),
    CTXGET(TGL, 4, 0, 0),
    CTXGET(TGL, 7, 0, 0),
    CTXGET(TGL, 7, 8, -EINVAL),
    CTXGET(TGL, 7, 32, 0),
    CTXGET(TGL, 9, 0, 0),
    CTXGET(IVB, 9, 0, -ENODEV),
    CTXGET(TGL, 10, 0, 0),
    CTXGET(TGL_61, 10, 0, -EINVAL),
    CTXGET(TGL, 11, 0, 0),
    CTXGET(TGL, 13, 0, -EINVAL),
    CTXGET(TGL_61, 13, 0, 0),
    CTXGET(ALL, 1, 0, -EINVAL),
    CTXGET(ALL, 1000, 0, -EINVAL),
    /* Parameters */
    PARAM(ALL, 4, 0),
    PARAM(ALL, 1, -ENODEV),
    PARAM(ALL, 2, -ENODEV),
    PARAM(ALL, 3, -ENODEV),
    PARAM(ALL, 14, -ENODEV),
    PARAM(ALL, 41, 0),
    PARAM(TGL, 46, 0),
    PARAM(DG2, 46, -EINVAL),
    PARAM(DG2, 47, -EINVAL),
    PARAM(TGL, 56, -EINVAL),
    PARAM(TGL_61, 56, 0),
    PARAM(TGL_61, 58, -ENODEV),
    PARAM(TGL, 58, -EINVAL),
    PARAM(TGL_61, 59, -EINVAL),
    PARAM(GUC, 59, 0),
    PARAM(ALL, 60, -EINVAL),
    PARAM(ALL, -1, -EINVAL),
    ROW("Parameters", ALL, GETPARAM, drm_i915_getparam, -EFAULT, 4, (void *)8),
    ROW("Parameters", ALL, DRM_IOCTL_I915_REG_READ, drm_i915_reg_read, 0,
	0x2358, 0),
    ROW("Parameters", ALL, DRM_IOCTL_I915_REG_READ, drm_i915_reg_read, 0,
	0x2359, 0),
    ROW("Parameters", ALL, DRM_IOCTL_I915_REG_READ, drm_i915_reg_read, -EINVAL,
	0x235a, 0),
    ROW("Parameters", ALL, DRM_IOCTL_I915_REG_READ, drm_i915_reg_read, -EINVAL,
	0x2000, 0),
    ROW("Queries", ALL, DRM_IOCTL_I915_QUERY, drm_i915_query, -EINVAL, 0, 1, 0),
    ROW("Queries", ALL, DRM_IOCTL_I915_QUERY, drm_i915_query, 0, 0, 0, 0),
    ROW("Queries", ALL, DRM_IOCTL_I915_QUERY, drm_i915_query, -EFAULT, 1, 0, 8),
    ROW("Queries", ALL, DRM_IOCTL_I915_PERF_OPEN, drm_i915_perf_open_param,
	-ENODEV, 0),
    ROW("Queries", ALL, DRM_IOCTL_I915_PERF_ADD_CONFIG, drm_i915_perf_oa_config,
	-EINVAL, {0}),
    ROW("Queries", ALL, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, drm_i915_reg_read,
	-EINVAL, 0, 0),
    /* Execbuf */
    EXEC(ALL, 0, .flags = 0),
    EXEC(ALL, -EINVAL, .flags = 1 | I915_EXEC_BSD_RING1),
    EXEC(ALL, -EINVAL, .flags = I915_EXEC_FENCE_IN | I915_EXEC_FENCE_SUBMIT),
    EXEC(ALL, -EFAULT, .flags = I915_EXEC_FENCE_ARRAY, .num_cliprects = 1,
	.cliprects_ptr = 8),
    EXEC(ALL, -ENOENT, .flags = I915_EXEC_FENCE_ARRAY, .num_cliprects = 1,
	.cliprects_ptr = (uintptr_t)&fences[0]),
    EXEC(ALL, -EINVAL, .flags = I915_EXEC_FENCE_ARRAY, .num_cliprects = 1,
	.cliprects_ptr = (uintptr_t)&fences[1]),
    EXEC(ALL, -EINVAL, .flags = I915_EXEC_FENCE_ARRAY, .num_cliprects = 1,
	.cliprects_ptr = (uintptr_t)&fences[2]),
    EXEC(ALL, 0, .flags = I915_EXEC_FENCE_ARRAY, .num_cliprects = 1,
	.cliprects_ptr = (uintptr_t)&fences[3]),
    EXEC(ALL, -EINVAL, .flags = I915_EXEC_CONSTANTS_REL_GENERAL | 1 << 6),
    EXEC(ALL, -EINVAL, .flags = I915_EXEC_RESOURCE_STREAMER),
    EXEC(ALL, -EINVAL, .flags = UINT64_C(1) << 22),
    EXEC(ALL, -EINVAL, .num_cliprects = 1),
    EXEC(ALL, -EINVAL, .cliprects_ptr = 1),
    EXEC(ALL, -EINVAL, .DR1 = 1),
    EXEC(ALL, -EINVAL, .DR4 = 1),
    EXEC(ALL, 0, .DR4 = UINT32_MAX),
    EXEC(ALL, -EINVAL, .batch_start_offset = 4),
    EXEC(ALL, -EINVAL, .batch_len = 4),
    EXEC(ALL, -EINVAL, .batch_len = 4104),
    EXEC(ALL, -EINVAL, .batch_start_offset = 4096),
    EXEC(TGL, -ENODEV, .flags = I915_EXEC_SECURE),
    EXEC(KBL, -EPERM, .flags = I915_EXEC_SECURE),
    EXEC(TGL, -EINVAL, .flags = I915_EXEC_GEN7_SOL_RESET),
    EXEC(IVB, 0, .flags = I915_EXEC_GEN7_SOL_RESET),
    EXEC(ALL, -ENOENT, .rsvd1 = 99),
    EXEC(ALL, -EINVAL, .flags = 5),
    EXEC(ALL, -EINVAL, .flags = I915_EXEC_FENCE_IN, .rsvd2 = UINT32_MAX),
    EXEC(ALL, -EINVAL,
	.flags = I915_EXEC_FENCE_ARRAY | I915_EXEC_USE_EXTENSIONS),
    EXEC(ALL, -EINVAL, .flags = I915_EXEC_USE_EXTENSIONS,
	.cliprects_ptr = EXT(unknown_ext)),
    ROW("Execbuf", ALL, DRM_IOCTL_I915_GEM_EXECBUFFER2,
	drm_i915_gem_execbuffer2, -EINVAL, .buffers_ptr = (uintptr_t)one),
    ROW("Execbuf", ALL, DRM_IOCTL_I915_GEM_EXECBUFFER2,
	drm_i915_gem_execbuffer2, -EINVAL, .buffers_ptr = (uintptr_t)twice,
	.buffer_count = 2),
    ROW("Execbuf", ALL, DRM_IOCTL_I915_GEM_EXECBUFFER2,
	drm_i915_gem_execbuffer2, -EFAULT, .buffers_ptr = 8, .buffer_count = 1),
    ROW("Execbuf", ALL, DRM_IOCTL_I915_GEM_EXECBUFFER2,
	drm_i915_gem_execbuffer2, -EINVAL, .buffers_ptr = (uintptr_t)one,
	.buffer_count = UINT32_MAX),
    EXEC_OBJECT(ALL, -ENOENT, .handle = 99),
    EXEC_OBJECT(ALL, -EINVAL, .handle = 1, .flags = EXEC_OBJECT_WRITE),
    EXEC_OBJECT(ALL, -EINVAL, .handle = 1, .flags = 256),
    EXEC_OBJECT(ALL, -EINVAL, .handle = 1, .alignment = 3),
    EXEC_OBJECT(TGL, -EINVAL, .handle = 1, .flags = EXEC_OBJECT_NEEDS_GTT),
    EXEC_OBJECT(ALL, -EINVAL, .handle = 1, .flags = EXEC_OBJECT_PAD_TO_SIZE,
	.pad_to_size = 1),
    EXEC_OBJECT(DG2, -EINVAL, .handle = 1, .flags = EXEC_OBJECT_CAPTURE),
    EXEC_OBJECT(MTL, -EINVAL, .handle = 1, .flags = EXEC_OBJECT_CAPTURE),
    EXEC_OBJECT(TGL, 0, .handle = 1, .flags = EXEC_OBJECT_CAPTURE),
    EXEC_OBJECT(ADL, -EINVAL, .handle = 1, .relocation_count = 1,
	.relocs_ptr = (uintptr_t)page),
    EXEC_OBJECT(
	TGL, -EFAULT, .handle = 1, .relocation_count = 1, .relocs_ptr = 8),
    /* Syncobjs */
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_CREATE, drm_syncobj_create, -EINVAL,
	0, 2),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_DESTROY, drm_syncobj_destroy,
	-EINVAL, 1, 1),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_DESTROY, drm_syncobj_destroy,
	-EINVAL, 99, 0),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle,
	-EINVAL, 99, 0, 0, 0),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle,
	-EINVAL, 1, 2, 0, 0),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle,
	-EINVAL, 1, 0, 0, 1),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle,
	-EINVAL, 1, 0, -1, 0),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle,
	-EINVAL, 1, 1, -1, 0),
    ROW("Syncobjs", TGL_61, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, -EINVAL,
	0),
    ROW("Syncobjs", TGL_61, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
	drm_syncobj_timeline_wait, -EINVAL, 0),
    ROW("Syncobjs", GUC, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, 0, 0),
    ROW("Syncobjs", GUC, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
	drm_syncobj_timeline_wait, 0, 0),
    ROW("Syncobjs", GUC, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, -EINVAL,
	.flags = 16),
    ROW("Syncobjs", TGL, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, -EINVAL,
	.handles = (uintptr_t)page, .count_handles = 1,
	.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_DEADLINE),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_RESET, drm_syncobj_array, -EINVAL,
	(uintptr_t)page, 0, 0),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_QUERY, drm_syncobj_timeline_array,
	-EINVAL, (uintptr_t)page, (uintptr_t)page, 1, 2),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL,
	drm_syncobj_timeline_array, -EINVAL, (uintptr_t)page, (uintptr_t)page,
	1, 1),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer,
	-ENOENT, 99, 1),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer,
	-EINVAL, 2, 1, .flags = 1),
    ROW("Syncobjs", ALL, DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer, 0, 2,
	1),
    ROW("Syncobjs", TGL, DRM_IOWR(0xcf, struct i915_syncobj_eventfd),
	i915_syncobj_eventfd, -EINVAL, 2),
};

/* Makes a device with what the rows name. */
static struct i915_lab *
lab_of(enum device device, bool card, int *fd)
{
	struct i915_lab *lab = calloc(1, sizeof(*lab));
	struct drm_i915_gem_userptr user = {
	    .user_ptr = 4096, .user_size = 4096};
	struct drm_syncobj_create sync = {0};

	i915_lab_init(lab);
	lab->config.pci_id = devices[device].pci_id;
	lab->config.graphics = devices[device].graphics;
	lab->config.kernel = devices[device].kernel;
	lab->config.scheduler = devices[device].scheduler;
	lab->config.discrete = devices[device].discrete;
	i915_lab_start(lab);
	*fd = uapi_open(lab, 0, card ? "dev/dri/card0" : "dev/dri/renderD128");
	uapi_create(lab, *fd, 4096);
	assert_int_equal(
	    uapi_ioctl(lab, *fd, DRM_IOCTL_I915_GEM_USERPTR, &user), 0);
	uapi_context(lab, *fd);
	assert_int_equal(
	    uapi_ioctl(lab, *fd, DRM_IOCTL_SYNCOBJ_CREATE, &sync), 0);
	sync.flags = DRM_SYNCOBJ_CREATE_SIGNALED;
	assert_int_equal(
	    uapi_ioctl(lab, *fd, DRM_IOCTL_SYNCOBJ_CREATE, &sync), 0);
	return lab;
}

/* Returns 1 if the row fails on the device. */
static int
try_row(const struct row *row, size_t n, enum device device)
{
	union {
		char bytes[256];
		uint64_t words;
	} arg = {{0}};
	int fd, result;
	struct i915_lab *lab = lab_of(device, row->card, &fd);

	memset(page, 0, sizeof(page));
	memcpy(arg.bytes, row->arg, _IOC_SIZE(row->request));
	result = uapi_ioctl(lab, fd, row->request, arg.bytes);
	i915_lab_free(lab);
	free(lab);
	if (result == row->result)
		return 0;
	print_error("row %zu (%s, nr %#lx, device %d): %d, not %d\n", n,
	    row->rule, (unsigned long)_IOC_NR(row->request), device, result,
	    row->result);
	return 1;
}

TEST(rows)
{
	size_t n = sizeof(rows) / sizeof(rows[0]);
	int failed = 0;

	for (size_t i = 0; i < n; i++)
		for (int d = 0; d < N_DEVICES; d++)
			if (rows[i].device == ALL || rows[i].device == d)
				failed += try_row(&rows[i], i, (enum device)d);
	assert_int_equal(failed, 0);
}
