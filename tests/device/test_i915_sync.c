/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fences in the hands of programs: sw_sync, sync_files, syncobjs with their
 * timelines, dma-bufs. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/wire/mark.h"
#include "tests/support/i915_lab.h"

#define CREATE_FENCE _IOWR(SW_SYNC_MAGIC, 0, struct sw_sync_create_fence)
#define INC          _IOW(SW_SYNC_MAGIC, 1, uint32_t)
#define EVENTFD      DRM_IOWR(0xcf, struct i915_syncobj_eventfd)
#define MS           1000000

static struct i915_lab *
start(void)
{
	struct i915_lab *lab = calloc(1, sizeof(*lab));

	i915_lab_init(lab);
	lab->config.kernel = I915_LINUX(6, 6);
	i915_lab_start(lab);
	return lab;
}

static void
finish(struct i915_lab *lab)
{
	i915_lab_free(lab);
	free(lab);
}

static int
fence(struct i915_lab *lab, int timeline, uint32_t value)
{
	struct sw_sync_create_fence arg = {.value = value, .name = "test"};

	assert_int_equal(uapi_ioctl(lab, timeline, CREATE_FENCE, &arg), 0);
	return arg.fence;
}

static void
count_up(struct i915_lab *lab, int timeline, uint32_t steps)
{
	assert_int_equal(uapi_ioctl(lab, timeline, INC, &steps), 0);
}

static int
merge(struct i915_lab *lab, int a, int b)
{
	struct sync_merge_data arg = {.name = "both", .fd2 = b};

	assert_int_equal(uapi_ioctl(lab, a, SYNC_IOC_MERGE, &arg), 0);
	return arg.fence;
}

/* Returns the status; *n is the number of fences. */
static int
status(struct i915_lab *lab, int fd, uint32_t *n)
{
	struct sync_file_info arg = {0};

	assert_int_equal(uapi_ioctl(lab, fd, SYNC_IOC_FILE_INFO, &arg), 0);
	if (n)
		*n = arg.num_fences;
	return arg.status;
}

/* doc/model/i915.md "Software fences". */
static void
test_sw_sync(void **state)
{
	struct i915_lab *lab = start();
	int t = uapi_open(lab, 0, "dev/sw_sync");
	int one = fence(lab, t, 1), two = fence(lab, t, 2);
	int past = fence(lab, t, 0);

	(void)state;
	assert_int_equal(status(lab, past, NULL), 1);
	assert_int_equal(status(lab, one, NULL), 0);
	assert_false(uapi_fd(lab, one)->readable);
	count_up(lab, t, 1);
	assert_true(uapi_fd(lab, one)->readable);
	assert_int_equal(status(lab, one, NULL), 1);
	assert_int_equal(status(lab, two, NULL), 0);
	/* The counter wraps. */
	count_up(lab, t, UINT32_MAX);
	assert_int_equal(status(lab, two, NULL), 1);
	two = fence(lab, t, 1);
	uapi_close(lab, t);
	assert_int_equal(status(lab, two, NULL), -ENOENT);
	finish(lab);
}

static void (*reply_of_lab)(struct i915_caller *caller,
    const struct wire_reply *rp, const void *bytes, int fd);
static struct i915_lab *watched_lab;
static int watched;
static bool was_readable;

static void
reply_watched(struct i915_caller *caller, const struct wire_reply *rp,
    const void *bytes, int fd)
{
	was_readable = uapi_fd(watched_lab, watched)->readable;
	reply_of_lab(caller, rp, bytes, fd);
}

/* A program that polls a fence right behind the call that signals it. */
static void
test_fences_signal_before_the_reply(void **state)
{
	struct i915_lab *lab = start();
	int t = uapi_open(lab, 0, "dev/sw_sync");

	(void)state;
	watched_lab = lab;
	watched = fence(lab, t, 1);
	reply_of_lab = lab->threads[0].caller.reply;
	lab->threads[0].caller.reply = reply_watched;
	count_up(lab, t, 1);
	assert_true(was_readable);
	lab->threads[0].caller.reply = reply_of_lab;
	finish(lab);
}

static void
test_merge(void **state)
{
	struct i915_lab *lab = start();
	int a = uapi_open(lab, 0, "dev/sw_sync");
	int b = uapi_open(lab, 0, "dev/sw_sync");
	int a1 = fence(lab, a, 1), a2 = fence(lab, a, 2), b1 = fence(lab, b, 1);
	int same = merge(lab, a1, a2), both = merge(lab, same, b1);
	struct sync_merge_data bad = {.fd2 = 9999};
	uint32_t n;

	(void)state;
	/* Of a timeline only the later one counts. */
	assert_int_equal(status(lab, same, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(status(lab, both, &n), 0);
	assert_int_equal(n, 2);
	count_up(lab, a, 2);
	assert_true(uapi_fd(lab, same)->readable);
	assert_false(uapi_fd(lab, both)->readable);
	count_up(lab, b, 1);
	assert_true(uapi_fd(lab, both)->readable);
	assert_int_equal(uapi_ioctl(lab, a1, SYNC_IOC_MERGE, &bad), -ENOENT);
	bad = (struct sync_merge_data){.fd2 = b1, .flags = 1};
	assert_int_equal(uapi_ioctl(lab, a1, SYNC_IOC_MERGE, &bad), -EINVAL);
	finish(lab);
}

/* The two calls of FILE_INFO. */
static void
test_file_info(void **state)
{
	struct i915_lab *lab = start();
	int a = uapi_open(lab, 0, "dev/sw_sync");
	int b = uapi_open(lab, 0, "dev/sw_sync");
	int both = merge(lab, fence(lab, a, 1), fence(lab, b, 1));
	struct sync_fence_info fences[2] = {0};
	struct sync_file_info arg = {
	    .num_fences = 2, .sync_fence_info = (uintptr_t)fences};

	(void)state;
	assert_int_equal(uapi_ioctl(lab, both, SYNC_IOC_FILE_INFO, &arg), 0);
	assert_string_equal(arg.name, "both");
	assert_string_equal(fences[0].driver_name, "sw_sync");
	assert_string_equal(fences[1].obj_name, "lab-4711");
	arg.num_fences = 1;
	assert_int_equal(
	    uapi_ioctl(lab, both, SYNC_IOC_FILE_INFO, &arg), -EINVAL);
	uapi_advance(lab, 7);
	count_up(lab, a, 1);
	/* One of two: both are told, each with its status. */
	arg.num_fences = 2;
	assert_int_equal(uapi_ioctl(lab, both, SYNC_IOC_FILE_INFO, &arg), 0);
	assert_int_equal(arg.status, 0);
	assert_int_equal(fences[0].status + fences[1].status, 1);
	count_up(lab, b, 1);
	arg.num_fences = 2;
	assert_int_equal(uapi_ioctl(lab, both, SYNC_IOC_FILE_INFO, &arg), 0);
	assert_int_equal(arg.num_fences, 2);
	assert_int_equal(arg.status, 1);
	assert_int_equal(fences[0].timestamp_ns, lab->now);
	arg.pad = 1;
	assert_int_equal(
	    uapi_ioctl(lab, both, SYNC_IOC_FILE_INFO, &arg), -EINVAL);
	assert_int_equal(uapi_ioctl(lab, both, _IO('>', 77), NULL), -ENOTTY);
	assert_int_equal(uapi_ioctl(lab, a, _IO('W', 77), NULL), -ENOTTY);
	finish(lab);
}

/* A hang's error is the fence's status. */
static void
test_error_status(void **state)
{
	struct i915_lab *lab = start();
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_i915_gem_exec_object2 o = {
	    .handle = uapi_create(lab, fd, 4096)};
	struct drm_i915_gem_execbuffer2 arg = {.buffers_ptr = (uintptr_t)&o,
	    .buffer_count = 1,
	    .flags = I915_EXEC_FENCE_OUT};

	(void)state;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &arg), 0);
	uapi_end(lab, 0, -EIO);
	assert_int_equal(status(lab, (int)(arg.rsvd2 >> 32), NULL), -EIO);
	finish(lab);
}

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
	    .fd = fence(lab, t, 1)};

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

/* Descriptors of a fence are readable before calls that waited for it end. */
static void
test_fences_signal_before_waits_end(void **state)
{
	struct i915_lab *lab = start();
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	int t = uapi_open(lab, 0, "dev/sw_sync"), one = fence(lab, t, 1);
	struct drm_syncobj_create create = {0};
	struct drm_syncobj_handle import = {.fd = one,
	    .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE};
	struct drm_syncobj_wait wait;

	(void)state;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
	import.handle = create.handle;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import), 0);
	assert_int_equal(
	    wait_on(lab, 1, fd, &wait, &create.handle, 1, 0, INT64_MAX),
	    UAPI_WAITS);
	watched_lab = lab;
	watched = merge(lab, one, one);
	was_readable = false;
	reply_of_lab = lab->threads[1].caller.reply;
	lab->threads[1].caller.reply = reply_watched;
	count_up(lab, t, 1);
	assert_int_equal(lab->threads[1].result, 0);
	assert_true(was_readable);
	lab->threads[1].caller.reply = reply_of_lab;
	finish(lab);
}

static void
test_syncobj_wait(void **state)
{
	struct i915_lab *lab = start();
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t h[2] = {syncobj(lab, fd, 0), syncobj(lab, fd, 0)};
	uint32_t submit = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	uint32_t all = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
	struct drm_syncobj_wait arg;
	int t0, t1, after = (int)lab->now + 5 * MS;

	(void)state;
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
	count_up(lab, t0, 1);
	assert_int_equal(lab->threads[1].result, 0);
	assert_int_equal(arg.first_signaled, 0);
	/* Any, all. */
	t0 = put_fence(lab, fd, h[0]);
	assert_int_equal(wait_on(lab, 1, fd, &arg, h, 2, 0, after), UAPI_WAITS);
	count_up(lab, t1, 1);
	assert_int_equal(lab->threads[1].result, 0);
	assert_int_equal(arg.first_signaled, 1);
	assert_int_equal(
	    wait_on(lab, 1, fd, &arg, h, 2, all, after), UAPI_WAITS);
	count_up(lab, t0, 1);
	assert_int_equal(lab->threads[1].result, 0);
	/* Timeouts are absolute. */
	put_fence(lab, fd, h[0]);
	assert_int_equal(wait_on(lab, 1, fd, &arg, h, 1, 0, after), UAPI_WAITS);
	uapi_advance(lab, 5 * MS);
	assert_int_equal(lab->threads[1].result, -ETIME);
	finish(lab);
}

/* A wait is for the fence that was there, or for the first that comes. */
static void
test_wait_snapshot(void **state)
{
	struct i915_lab *lab = start();
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t h = syncobj(lab, fd, 0);
	uint32_t submit = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	struct drm_syncobj_array reset = {
	    .handles = (uintptr_t)&h, .count_handles = 1};
	struct drm_syncobj_destroy destroy = {.handle = h};
	struct drm_syncobj_wait arg, later;
	int after = (int)lab->now + 5 * MS, t = put_fence(lab, fd, h), second;

	(void)state;
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
	count_up(lab, t, 1);
	assert_int_equal(lab->threads[1].result, 0);
	assert_int_equal(lab->threads[2].result, UAPI_WAITS);
	count_up(lab, second, 1);
	assert_int_equal(lab->threads[2].result, 0);
	finish(lab);
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
static void
test_timeline(void **state)
{
	struct i915_lab *lab = start();
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t h = syncobj(lab, fd, 0);
	int one, two;
	uint32_t last = DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED;
	uint32_t available = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
	uint64_t point = 9;
	struct drm_syncobj_timeline_array signal = {.handles = (uintptr_t)&h,
	    .points = (uintptr_t)&point,
	    .count_handles = 1};

	(void)state;
	assert_int_equal(query(lab, fd, h, 0), 0);
	one = put_point(lab, fd, h, 3);
	two = put_point(lab, fd, h, 5);
	assert_int_equal(query(lab, fd, h, 0), 0);
	assert_int_equal(query(lab, fd, h, last), 5);
	count_up(lab, two, 1);
	assert_int_equal(query(lab, fd, h, 0), 0);
	assert_int_equal(wait_point(lab, fd, h, 5, 0), -ETIME);
	assert_int_equal(wait_point(lab, fd, h, 5, available), 0);
	assert_int_equal(wait_point(lab, fd, h, 6, 0), -EINVAL);
	count_up(lab, one, 1);
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
	count_up(lab, one, 1);
	assert_int_equal(wait_point(lab, fd, h, 11, 0), 0);
	assert_int_equal(query(lab, fd, h, 0), 12);
	assert_int_equal(wait_point(lab, fd, h, 13, 0), -ETIME);
	/* A point that does not rise begins a new series. */
	put_point(lab, fd, h, 4);
	assert_int_equal(query(lab, fd, h, last), 15);
	finish(lab);
}

static void
test_syncobj_arrays(void **state)
{
	struct i915_lab *lab = start();
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t h[2] = {syncobj(lab, fd, 1), syncobj(lab, fd, 0)};
	struct drm_syncobj_array arg = {
	    .handles = (uintptr_t)h, .count_handles = 2};
	struct drm_syncobj_wait wait;
	struct drm_syncobj_destroy destroy = {.handle = h[0]};

	(void)state;
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
	finish(lab);
}

/* A syncobj as a descriptor lives after its file. */
static void
test_syncobj_export(void **state)
{
	struct i915_lab *lab = start();
	int a = uapi_open(lab, 0, "dev/dri/renderD128");
	int b = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_syncobj_handle arg = {.handle = syncobj(lab, a, 1)};
	struct drm_syncobj_handle fence_of = {.handle = syncobj(lab, a, 0),
	    .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE};
	struct drm_syncobj_wait wait;
	unsigned long out = DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD;

	(void)state;
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
	finish(lab);
}

static void
test_eventfd(void **state)
{
	struct i915_lab *lab = start();
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	int e = eventfd(0, EFD_NONBLOCK), t;
	struct i915_syncobj_eventfd arg = {
	    .handle = syncobj(lab, fd, 0), .fd = e};
	uint64_t n;

	(void)state;
	assert_int_equal(uapi_ioctl(lab, fd, EVENTFD, &arg), 0);
	t = put_fence(lab, fd, arg.handle);
	assert_true(read(e, &n, sizeof(n)) < 0);
	count_up(lab, t, 1);
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
	finish(lab);
}

/* TRANSFER waits 5 s for a fence to come. */
static void
test_transfer_waits(void **state)
{
	struct i915_lab *lab = start();
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_syncobj_transfer arg = {.src_handle = syncobj(lab, fd, 0),
	    .dst_handle = syncobj(lab, fd, 0)};
	unsigned long transfer = DRM_IOCTL_SYNCOBJ_TRANSFER;

	(void)state;
	assert_int_equal(uapi_ioctl(lab, fd, transfer, &arg), -EINVAL);
	arg.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	assert_int_equal(uapi_ioctl(lab, fd, transfer, &arg), UAPI_WAITS);
	uapi_advance(lab, UINT64_C(5000) * MS);
	assert_int_equal(lab->threads[0].result, -ETIME);
	assert_int_equal(uapi_ioctl_on(lab, 1, fd, transfer, &arg), UAPI_WAITS);
	put_fence(lab, fd, arg.src_handle);
	assert_int_equal(lab->threads[1].result, 0);
	finish(lab);
}

/* A chain of a hundred thousand pending points is freed, and signals, without
 * a stack as deep. */
static void
test_long_chain(void **state)
{
	struct i915_lab *lab = start();
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t h = syncobj(lab, fd, 0);
	int t = put_fence(lab, fd, h);
	uint64_t point;
	struct drm_syncobj_timeline_array arg = {.handles = (uintptr_t)&h,
	    .points = (uintptr_t)&point,
	    .count_handles = 1};

	(void)state;
	for (point = 1; point <= 100000; point++)
		assert_int_equal(uapi_ioctl(lab, fd,
				     DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &arg),
		    0);
	assert_int_equal(query(lab, fd, h, 0), 0);
	assert_int_equal(wait_point(lab, fd, h, 100000, 0), -ETIME);
	count_up(lab, t, 1);
	assert_int_equal(query(lab, fd, h, 0), 100000);
	finish(lab);
}

static void
test_dma_buf(void **state)
{
	struct i915_lab *lab = start();
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	int t = uapi_open(lab, 0, "dev/sw_sync");
	struct drm_i915_gem_exec_object2 o = {
	    .handle = uapi_create(lab, fd, 4096)};
	struct drm_prime_handle out = {.handle = o.handle, .flags = DRM_RDWR};
	struct dma_buf_sync sync = {.flags = DMA_BUF_SYNC_READ};
	struct dma_buf_export_sync_file export = {.flags = DMA_BUF_SYNC_WRITE};
	struct dma_buf_import_sync_file import = {
	    .flags = DMA_BUF_SYNC_WRITE, .fd = fence(lab, t, 1)};

	(void)state;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &out), 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(uapi_ioctl(lab, out.fd, DMA_BUF_IOCTL_SYNC, &sync), 0);
	sync.flags = DMA_BUF_SYNC_WRITE;
	assert_int_equal(
	    uapi_ioctl(lab, out.fd, DMA_BUF_IOCTL_SYNC, &sync), UAPI_WAITS);
	uapi_end_all(lab);
	assert_int_equal(lab->threads[0].result, 0);
	sync.flags = 0;
	assert_int_equal(
	    uapi_ioctl(lab, out.fd, DMA_BUF_IOCTL_SYNC, &sync), -EINVAL);
	assert_int_equal(
	    uapi_ioctl(lab, out.fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &export),
	    0);
	assert_int_equal(status(lab, export.fd, NULL), 1);
	/* A request waits for the fence that was put there. */
	assert_int_equal(
	    uapi_ioctl(lab, out.fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &import),
	    0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(lab->requests[1].n_after, 1);
	count_up(lab, t, 1);
	assert_int_equal(lab->signalled[0], lab->requests[1].after[0].fence);
	close(out.fd);
	finish(lab);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sw_sync),
	    cmocka_unit_test(test_fences_signal_before_the_reply),
	    cmocka_unit_test(test_fences_signal_before_waits_end),
	    cmocka_unit_test(test_merge),
	    cmocka_unit_test(test_file_info),
	    cmocka_unit_test(test_error_status),
	    cmocka_unit_test(test_syncobj_wait),
	    cmocka_unit_test(test_wait_snapshot),
	    cmocka_unit_test(test_timeline),
	    cmocka_unit_test(test_syncobj_arrays),
	    cmocka_unit_test(test_syncobj_export),
	    cmocka_unit_test(test_eventfd),
	    cmocka_unit_test(test_transfer_waits),
	    cmocka_unit_test(test_long_chain),
	    cmocka_unit_test(test_dma_buf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
