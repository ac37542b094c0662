/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shorthands of tests of the virtual i915: calls that programs make. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/i915_lab.h"

#define CREATE_FENCE _IOWR(SW_SYNC_MAGIC, 0, struct sw_sync_create_fence)
#define COUNT_UP     _IOW(SW_SYNC_MAGIC, 1, uint32_t)

struct i915_lab *
i915_lab_new(uint32_t kernel)
{
	struct i915_lab *lab = calloc(1, sizeof(*lab));

	i915_lab_init(lab);
	if (kernel != 0)
		lab->config.kernel = kernel;
	i915_lab_start(lab);
	return lab;
}

void
i915_lab_delete(struct i915_lab *lab)
{
	i915_lab_free(lab);
	free(lab);
}

/* Ends the test unless rc is 0. */
static void
must(int rc, const char *what)
{
	if (rc == 0)
		return;
	fprintf(stderr, "%s: %d\n", what, rc);
	abort();
}

uint32_t
uapi_create(struct i915_lab *lab, int fd, uint64_t size)
{
	struct drm_i915_gem_create arg = {.size = size};

	must(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CREATE, &arg), "GEM_CREATE");
	return arg.handle;
}

uint32_t
uapi_context(struct i915_lab *lab, int fd)
{
	struct drm_i915_gem_context_create arg = {0};

	must(uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &arg),
	    "CONTEXT_CREATE");
	return arg.ctx_id;
}

int
uapi_submit(struct i915_lab *lab, int fd, uint32_t ctx, uint64_t flags,
    struct drm_i915_gem_exec_object2 *objects, uint32_t n)
{
	struct drm_i915_gem_execbuffer2 arg = {
	    .buffers_ptr = (uintptr_t)objects,
	    .buffer_count = n,
	    .flags = flags,
	    .rsvd1 = ctx,
	};

	return uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &arg);
}

int
uapi_set_param(struct i915_lab *lab, int fd, uint32_t ctx, uint64_t param,
    uint32_t size, uint64_t value)
{
	struct drm_i915_gem_context_param arg = {
	    .ctx_id = ctx, .size = size, .param = param, .value = value};

	return uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &arg);
}

int
uapi_fence(struct i915_lab *lab, int timeline, uint32_t value)
{
	struct sw_sync_create_fence arg = {.value = value, .name = "test"};

	must(uapi_ioctl(lab, timeline, CREATE_FENCE, &arg), "CREATE_FENCE");
	return arg.fence;
}

void
uapi_count_up(struct i915_lab *lab, int timeline, uint32_t steps)
{
	must(uapi_ioctl(lab, timeline, COUNT_UP, &steps), "INC");
}

int
uapi_fence_status(struct i915_lab *lab, int fd, uint32_t *n)
{
	struct sync_file_info arg = {0};

	must(uapi_ioctl(lab, fd, SYNC_IOC_FILE_INFO, &arg), "FILE_INFO");
	if (n != NULL)
		*n = arg.num_fences;
	return arg.status;
}

int
uapi_close_handle(struct i915_lab *lab, int fd, uint32_t handle)
{
	struct drm_gem_close arg = {.handle = handle};

	return uapi_ioctl(lab, fd, DRM_IOCTL_GEM_CLOSE, &arg);
}
