/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Syncobjs of programs, with their timelines. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "device/wire/mark.h"
#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

#define EVENTFD DRM_IOWR(0xcf, struct i915_syncobj_eventfd)
#define MS      1000000

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

static int
wait_on(struct i915_lab *lab, unsigned thread, int fd,
    struct drm_syncobj_wait *arg, const uint32_t *handles, uint32_t n,
    uint32_t flags, int64_t timeout)
{
	*arg = (struct drm_syncobj_wait){.handles = (uintptr_t)handles,
	    .timeout_nsec = timeout,
	    .count_handles = n,
	    .flags = flags};
	return uapi_ioctl_on(lab, thread, fd, DRM_IOCTL_SYNCOBJ_WAIT, arg);
}

TEST(syncobj_wait)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t h[2] = {syncobj(lab, fd, 0), syncobj(lab, fd, 0)};
	uint32_t submit = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	uint32_t all = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
	struct drm_syncobj_wait arg;
	int t0, t1, after = (int)lab->now + 5 * MS;

	/* iris' probe: empty, with the flag, expired. */
	assert_int_equal(wait_on(lab, 0, fd, &arg, h, 1, submit, 0), -ETIME);
	assert_int_equal(wait_on(lab, 0, fd, &arg, h, 1, 0, 0), -EINVAL);
	assert_int_equal(wait_on(lab, 0, fd, &arg, h, 0, 0, 0), 0);
	assert_int_equal(wait_on(lab, 0, fd, &arg, h, 1, 64, 0), -EINVAL);
	assert_int_equal(
	    wait_on(lab, 0, fd, &arg, (uint32_t[]){99}, 1, 0, 0), -ENOENT);
	assert_int_equal(
	    wait_on(lab, 0, fd, &arg, (void *)8, 1, 0, 0), -EFAULT);
	assert_int_equal(
	    wait_on(lab, 0, fd, &arg, h, UINT32_MAX, 0, 0), -ENOMEM);
	/* For a fence to come, and then to signal. */
	assert_int_equal(
	    wait_on(lab, 1, fd, &arg, h, 1, submit, after), UAPI_WAITS);
	t0 = put_fence(lab, fd, h[0]);
	t1 = put_fence(lab, fd, h[1]);
	assert_int_equal(lab->threads[1].result, UAPI_WAITS);
	uapi_count_up(lab, t0, 1);
	assert_int_equal(lab->threads[1].result, 0);
	assert_int_equal(arg.first_signaled, 0);
	/* Any, all. */
	t0 = put_fence(lab, fd, h[0]);
	assert_int_equal(wait_on(lab, 1, fd, &arg, h, 2, 0, after), UAPI_WAITS);
	uapi_count_up(lab, t1, 1);
	assert_int_equal(lab->threads[1].result, 0);
	assert_int_equal(arg.first_signaled, 1);
	assert_int_equal(
	    wait_on(lab, 1, fd, &arg, h, 2, all, after), UAPI_WAITS);
	uapi_count_up(lab, t0, 1);
	assert_int_equal(lab->threads[1].result, 0);
	/* Timeouts are absolute. */
	put_fence(lab, fd, h[0]);
	assert_int_equal(wait_on(lab, 1, fd, &arg, h, 1, 0, after), UAPI_WAITS);
	uapi_advance(lab, 5 * MS);
	assert_int_equal(lab->threads[1].result, -ETIME);
	i915_lab_delete(lab);
}

/* A wait is for the fence that was there, or for the first that comes. */
TEST(wait_snapshot)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t h = syncobj(lab, fd, 0);
	uint32_t submit = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	struct drm_syncobj_array reset = {
	    .handles = (uintptr_t)&h, .count_handles = 1};
	struct drm_syncobj_destroy destroy = {.handle = h};
	struct drm_syncobj_wait arg, later;
	int after = (int)lab->now + 5 * MS, t = put_fence(lab, fd, h), second;

	assert_int_equal(
	    wait_on(lab, 1, fd, &arg, &h, 1, 0, after), UAPI_WAITS);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_RESET, &reset), 0);
	assert_int_equal(
	    wait_on(lab, 2, fd, &later, &h, 1, submit, after), UAPI_WAITS);
	second = put_fence(lab, fd, h);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_RESET, &reset), 0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
	uapi_count_up(lab, t, 1);
	assert_int_equal(lab->threads[1].result, 0);
	assert_int_equal(lab->threads[2].result, UAPI_WAITS);
	uapi_count_up(lab, second, 1);
	assert_int_equal(lab->threads[2].result, 0);
	i915_lab_delete(lab);
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

/* Makes a point of the fence that a syncobj of its own has. */
static int
put_point(struct i915_lab *lab, int fd, uint32_t handle, uint64_t point)
{
	uint32_t from = syncobj(lab, fd, 0);
	int t = put_fence(lab, fd, from);
	struct drm_syncobj_transfer arg = {
	    .src_handle = from, .dst_handle = handle, .dst_point = point};

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_TRANSFER, &arg), 0);
	return t;
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

/* doc/model/i915.md "Syncobjs": a point waits for those before it. */
TEST(timeline)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t h = syncobj(lab, fd, 0);
	int one, two;
	uint32_t last = DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED;
	uint32_t available = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
	uint64_t point = 9;
	struct drm_syncobj_timeline_array signal = {.handles = (uintptr_t)&h,
	    .points = (uintptr_t)&point,
	    .count_handles = 1};

	assert_int_equal(query(lab, fd, h, 0), 0);
	one = put_point(lab, fd, h, 3);
	two = put_point(lab, fd, h, 5);
	assert_int_equal(query(lab, fd, h, 0), 0);
	assert_int_equal(query(lab, fd, h, last), 5);
	uapi_count_up(lab, two, 1);
	assert_int_equal(query(lab, fd, h, 0), 0);
	assert_int_equal(wait_point(lab, fd, h, 5, 0), -ETIME);
	assert_int_equal(wait_point(lab, fd, h, 5, available), 0);
	assert_int_equal(wait_point(lab, fd, h, 6, 0), -EINVAL);
	uapi_count_up(lab, one, 1);
	assert_int_equal(query(lab, fd, h, 0), 5);
	assert_int_equal(wait_point(lab, fd, h, 2, 0), 0);
	assert_int_equal(wait_point(lab, fd, h, 5, 0), 0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &signal), 0);
	assert_int_equal(query(lab, fd, h, 0), 9);
	/* In between: the lower point alone. */
	one = put_point(lab, fd, h, 12);
	put_point(lab, fd, h, 15);
	assert_int_equal(wait_point(lab, fd, h, 11, 0), -ETIME);
	uapi_count_up(lab, one, 1);
	assert_int_equal(wait_point(lab, fd, h, 11, 0), 0);
	assert_int_equal(query(lab, fd, h, 0), 12);
	assert_int_equal(wait_point(lab, fd, h, 13, 0), -ETIME);
	/* A point that does not rise begins a new series. */
	put_point(lab, fd, h, 4);
	assert_int_equal(query(lab, fd, h, last), 15);
	i915_lab_delete(lab);
}

TEST(syncobj_arrays)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t h[2] = {syncobj(lab, fd, 1), syncobj(lab, fd, 0)};
	struct drm_syncobj_array arg = {
	    .handles = (uintptr_t)h, .count_handles = 2};
	struct drm_syncobj_wait wait;
	struct drm_syncobj_destroy destroy = {.handle = h[0]};

	assert_int_equal(wait_on(lab, 0, fd, &wait, h, 1, 0, 0), 0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_SIGNAL, &arg), 0);
	assert_int_equal(wait_on(lab, 0, fd, &wait, h, 2,
			     DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL, 0),
	    0);
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_RESET, &arg), 0);
	assert_int_equal(wait_on(lab, 0, fd, &wait, h, 1, 0, 0), -EINVAL);
	arg.pad = 1;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_RESET, &arg), -EINVAL);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), -EINVAL);
	i915_lab_delete(lab);
}

/* A syncobj as a descriptor lives after its file. */
TEST(syncobj_export)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int a = uapi_open(lab, 0, "dev/dri/renderD128");
	int b = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_syncobj_handle arg = {.handle = syncobj(lab, a, 1)};
	struct drm_syncobj_handle fence_of = {.handle = syncobj(lab, a, 0),
	    .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE};
	struct drm_syncobj_wait wait;
	unsigned long out = DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD;

	assert_int_equal(uapi_ioctl(lab, a, out, &fence_of), -EINVAL);
	fence_of.handle = 99;
	assert_int_equal(uapi_ioctl(lab, a, out, &fence_of), -ENOENT);
	assert_int_equal(uapi_ioctl(lab, a, out, &arg), 0);
	assert_int_equal(uapi_fd(lab, arg.fd)->kind, MARK_SYNCOBJ);
	uapi_close(lab, a);
	arg.handle = 0;
	assert_int_equal(
	    uapi_ioctl(lab, b, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &arg), 0);
	assert_int_equal(arg.handle, 1);
	assert_int_equal(wait_on(lab, 0, b, &wait, &arg.handle, 1, 0, 0), 0);
	arg.fd = b;
	assert_int_equal(
	    uapi_ioctl(lab, b, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &arg), -EINVAL);
	i915_lab_delete(lab);
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

/* TRANSFER waits 5 s for a fence to come. */
TEST(transfer_waits)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_syncobj_transfer arg = {.src_handle = syncobj(lab, fd, 0),
	    .dst_handle = syncobj(lab, fd, 0)};
	unsigned long transfer = DRM_IOCTL_SYNCOBJ_TRANSFER;

	assert_int_equal(uapi_ioctl(lab, fd, transfer, &arg), -EINVAL);
	arg.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	assert_int_equal(uapi_ioctl(lab, fd, transfer, &arg), UAPI_WAITS);
	uapi_advance(lab, UINT64_C(5000) * MS);
	assert_int_equal(lab->threads[0].result, -ETIME);
	assert_int_equal(uapi_ioctl_on(lab, 1, fd, transfer, &arg), UAPI_WAITS);
	put_fence(lab, fd, arg.src_handle);
	assert_int_equal(lab->threads[1].result, 0);
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
