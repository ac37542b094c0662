/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Syncobjs of programs, with their timelines. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

#define EVENTFD DRM_IOWR(0xcf, struct i915_syncobj_eventfd)

static uint32_t
syncobj(struct i915_lab *lab, int fd, uint32_t flags)
{
	struct drm_syncobj_create arg = {.flags = flags};

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_CREATE, &arg), 0);
	return arg.handle;
}

/* Puts a pending software fence into the syncobj; returns its timeline. */
static int
put_fence(struct i915_lab *lab, int fd, uint32_t handle)
{
	int t = uapi_open(lab, 0, "dev/sw_sync");
	struct drm_syncobj_handle arg = {.handle = handle,
	    .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
	    .fd = uapi_fence(lab, t, 1)};

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &arg), 0);
	return t;
}

static uint64_t
query(struct i915_lab *lab, int fd, uint32_t handle, uint32_t flags)
{
	uint64_t value = 77;
	struct drm_syncobj_timeline_array arg = {.handles = (uintptr_t)&handle,
	    .points = (uintptr_t)&value,
	    .count_handles = 1,
	    .flags = flags};

	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_QUERY, &arg), 0);
	return value;
}

static int
wait_point(struct i915_lab *lab, int fd, uint32_t handle, uint64_t point,
    uint32_t flags)
{
	struct drm_syncobj_timeline_wait arg = {.handles = (uintptr_t)&handle,
	    .points = (uintptr_t)&point,
	    .count_handles = 1,
	    .flags = flags};

	return uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &arg);
}

TEST(eventfd)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	int e = eventfd(0, EFD_NONBLOCK), t;
	struct i915_syncobj_eventfd arg = {
	    .handle = syncobj(lab, fd, 0), .fd = e};
	uint64_t n;

	assert_int_equal(uapi_ioctl(lab, fd, EVENTFD, &arg), 0);
	t = put_fence(lab, fd, arg.handle);
	assert_true(read(e, &n, sizeof(n)) < 0);
	uapi_count_up(lab, t, 1);
	assert_int_equal(read(e, &n, sizeof(n)), sizeof(n));
	/* At once, since it has signalled. */
	assert_int_equal(uapi_ioctl(lab, fd, EVENTFD, &arg), 0);
	assert_int_equal(read(e, &n, sizeof(n)), sizeof(n));
	/* Never: it goes with the syncobj. */
	arg.handle = syncobj(lab, fd, 0);
	assert_int_equal(uapi_ioctl(lab, fd, EVENTFD, &arg), 0);
	arg.handle = 99;
	assert_int_equal(uapi_ioctl(lab, fd, EVENTFD, &arg), -ENOENT);
	arg.handle = 1;
	arg.fd = 9999;
	assert_int_equal(uapi_ioctl(lab, fd, EVENTFD, &arg), -EBADF);
	close(e);
	i915_lab_delete(lab);
}

/* A chain of a hundred thousand pending points is freed, and signals, without
 * a stack as deep. */
TEST(long_chain)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t h = syncobj(lab, fd, 0);
	int t = put_fence(lab, fd, h);
	uint64_t point;
	struct drm_syncobj_timeline_array arg = {.handles = (uintptr_t)&h,
	    .points = (uintptr_t)&point,
	    .count_handles = 1};

	for (point = 1; point <= 100000; point++)
		assert_int_equal(uapi_ioctl(lab, fd,
				     DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &arg),
		    0);
	assert_int_equal(query(lab, fd, h, 0), 0);
	assert_int_equal(wait_point(lab, fd, h, 100000, 0), -ETIME);
	assert_int_equal(wait_point(lab, fd, h, 1, 0), -ETIME);
	assert_int_equal(wait_point(lab, fd, h, 50000, 0), -ETIME);
	assert_int_equal(wait_point(lab, fd, h, 100001, 0), -EINVAL);
	uapi_count_up(lab, t, 1);
	assert_int_equal(query(lab, fd, h, 0), 100000);
	i915_lab_delete(lab);
}
