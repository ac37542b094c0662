/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fences of execbuf: into requests and out of them, arrays, timelines. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "device/wire/mark.h"
#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

typedef struct drm_i915_gem_exec_object2 entry;

static int
submit_fences(struct i915_lab *lab, int fd, entry *o, uint64_t flags,
    uint64_t in_out, int *out)
{
	struct drm_i915_gem_execbuffer2 arg = {.buffers_ptr = (uintptr_t)o,
	    .buffer_count = 1,
	    .flags = flags,
	    .rsvd2 = in_out};
	int rc = uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &arg);

	if (out)
		*out = (int)(arg.rsvd2 >> 32);
	return rc;
}

TEST(fences_in_out)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128"), out;
	entry a = {.handle = uapi_create(lab, fd, 4096)};
	entry b = {.handle = uapi_create(lab, fd, 4096)};
	uint64_t in = I915_EXEC_FENCE_IN, submit = I915_EXEC_FENCE_SUBMIT;

	assert_int_equal(submit_fences(lab, fd, &a,
			     I915_EXEC_FENCE_OUT | I915_EXEC_RENDER, 0, &out),
	    0);
	assert_int_equal(uapi_fd(lab, out)->kind, MARK_FENCE);
	assert_int_equal(
	    submit_fences(lab, fd, &b, in | I915_EXEC_BLT, (uint32_t)out, NULL),
	    0);
	assert_int_equal(submit_fences(lab, fd, &b, submit | I915_EXEC_VEBOX,
			     (uint32_t)out, NULL),
	    0);
	assert_true(uapi_after(lab, 1, 0, GPU_AFTER_END));
	assert_true(uapi_after(lab, 2, 0, GPU_AFTER_START));
	assert_int_equal(
	    submit_fences(lab, fd, &b, in | submit, (uint32_t)out, NULL),
	    -EINVAL);
	assert_int_equal(
	    submit_fences(lab, fd, &b, in, (uint32_t)fd, NULL), -EINVAL);
	assert_int_equal(
	    submit_fences(lab, fd, &b, in, UINT32_MAX, NULL), -EINVAL);
	/* Readable at the end, not before. */
	assert_false(uapi_fd(lab, out)->readable);
	uapi_end(lab, 0, 0);
	assert_true(uapi_fd(lab, out)->readable);
	i915_lab_delete(lab);
}

/* A fence of a file that was closed still signals. */
TEST(fence_outlives_file)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128"), out;
	entry a = {.handle = uapi_create(lab, fd, 4096)};

	assert_int_equal(
	    submit_fences(lab, fd, &a, I915_EXEC_FENCE_OUT, 0, &out), 0);
	uapi_close(lab, fd);
	assert_false(uapi_fd(lab, out)->readable);
	uapi_end(lab, 0, 0);
	assert_true(uapi_fd(lab, out)->readable);
	i915_lab_delete(lab);
}

TEST(fence_array)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o = {.handle = uapi_create(lab, fd, 4096)};
	struct drm_syncobj_create sync = {0};
	struct drm_i915_gem_exec_fence fence = {
	    .flags = I915_EXEC_FENCE_SIGNAL};
	struct drm_i915_gem_execbuffer2 arg = {.buffers_ptr = (uintptr_t)&o,
	    .buffer_count = 1,
	    .flags = I915_EXEC_FENCE_ARRAY | I915_EXEC_RENDER,
	    .num_cliprects = 1,
	    .cliprects_ptr = (uintptr_t)&fence};
	unsigned long exec = DRM_IOCTL_I915_GEM_EXECBUFFER2;

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_CREATE, &sync), 0);
	fence.handle = sync.handle;
	assert_int_equal(uapi_ioctl(lab, fd, exec, &arg), 0);
	fence.flags = I915_EXEC_FENCE_WAIT;
	arg.flags = I915_EXEC_FENCE_ARRAY | I915_EXEC_BLT;
	assert_int_equal(uapi_ioctl(lab, fd, exec, &arg), 0);
	assert_true(uapi_after(lab, 1, 0, GPU_AFTER_END));
	fence.handle = 99;
	assert_int_equal(uapi_ioctl(lab, fd, exec, &arg), -ENOENT);
	fence.handle = sync.handle;
	fence.flags = 4;
	assert_int_equal(uapi_ioctl(lab, fd, exec, &arg), -EINVAL);
	fence.flags = I915_EXEC_FENCE_WAIT;
	sync = (struct drm_syncobj_create){0};
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_CREATE, &sync), 0);
	fence.handle = sync.handle;
	assert_int_equal(uapi_ioctl(lab, fd, exec, &arg), -EINVAL);
	arg.flags |= I915_EXEC_USE_EXTENSIONS;
	assert_int_equal(uapi_ioctl(lab, fd, exec, &arg), -EINVAL);
	i915_lab_delete(lab);
}

/* Points of a timeline, as anv submits them. */
TEST(timeline_fences)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o = {.handle = uapi_create(lab, fd, 4096)};
	struct drm_syncobj_create sync = {0};
	struct drm_i915_gem_exec_fence fence = {
	    .handle = 1, .flags = I915_EXEC_FENCE_SIGNAL};
	uint64_t value = 5;
	struct drm_i915_gem_execbuffer_ext_timeline_fences ext = {
	    .base.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES,
	    .fence_count = 1,
	    .handles_ptr = (uintptr_t)&fence,
	    .values_ptr = (uintptr_t)&value};
	struct drm_i915_gem_execbuffer2 arg = {.buffers_ptr = (uintptr_t)&o,
	    .buffer_count = 1,
	    .flags = I915_EXEC_USE_EXTENSIONS | I915_EXEC_RENDER,
	    .cliprects_ptr = (uintptr_t)&ext};
	unsigned long exec = DRM_IOCTL_I915_GEM_EXECBUFFER2;

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_CREATE, &sync), 0);
	assert_int_equal(uapi_ioctl(lab, fd, exec, &arg), 0);
	fence.flags = I915_EXEC_FENCE_WAIT;
	arg.flags = I915_EXEC_USE_EXTENSIONS | I915_EXEC_BLT;
	value = 3;
	assert_int_equal(uapi_ioctl(lab, fd, exec, &arg), 0);
	assert_true(uapi_after(lab, 1, 0, GPU_AFTER_END));
	value = 6;
	assert_int_equal(uapi_ioctl(lab, fd, exec, &arg), -EINVAL);
	value = 5;
	fence.flags = I915_EXEC_FENCE_WAIT | I915_EXEC_FENCE_SIGNAL;
	assert_int_equal(uapi_ioctl(lab, fd, exec, &arg), -EINVAL);
	i915_lab_delete(lab);
}
