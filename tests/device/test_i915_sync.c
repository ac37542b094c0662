/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fences of programs: sw_sync, sync_files, dma-bufs. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

static int
merge(struct i915_lab *lab, int a, int b)
{
	struct sync_merge_data arg = {.name = "both", .fd2 = b};

	assert_int_equal(uapi_ioctl(lab, a, SYNC_IOC_MERGE, &arg), 0);
	return arg.fence;
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
TEST(fences_signal_before_the_reply)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int t = uapi_open(lab, 0, "dev/sw_sync");

	watched_lab = lab;
	watched = uapi_fence(lab, t, 1);
	reply_of_lab = lab->threads[0].caller.reply;
	lab->threads[0].caller.reply = reply_watched;
	uapi_count_up(lab, t, 1);
	assert_true(was_readable);
	lab->threads[0].caller.reply = reply_of_lab;
	i915_lab_delete(lab);
}

/* The two calls of FILE_INFO. */
TEST(file_info)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int a = uapi_open(lab, 0, "dev/sw_sync");
	int b = uapi_open(lab, 0, "dev/sw_sync");
	int both = merge(lab, uapi_fence(lab, a, 1), uapi_fence(lab, b, 1));
	struct sync_fence_info fences[2] = {0};
	struct sync_file_info arg = {
	    .num_fences = 2, .sync_fence_info = (uintptr_t)fences};

	assert_int_equal(uapi_ioctl(lab, both, SYNC_IOC_FILE_INFO, &arg), 0);
	assert_string_equal(arg.name, "both");
	assert_string_equal(fences[0].driver_name, "sw_sync");
	assert_string_equal(fences[1].obj_name, "lab-4711");
	arg.num_fences = 1;
	assert_int_equal(
	    uapi_ioctl(lab, both, SYNC_IOC_FILE_INFO, &arg), -EINVAL);
	uapi_advance(lab, 7);
	uapi_count_up(lab, a, 1);
	/* One of two: both are told, each with its status. */
	arg.num_fences = 2;
	assert_int_equal(uapi_ioctl(lab, both, SYNC_IOC_FILE_INFO, &arg), 0);
	assert_int_equal(arg.status, 0);
	assert_int_equal(fences[0].status + fences[1].status, 1);
	uapi_count_up(lab, b, 1);
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
	i915_lab_delete(lab);
}

/* Descriptors of a fence are readable before calls that waited for it end. */
TEST(fences_signal_before_waits_end)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	int t = uapi_open(lab, 0, "dev/sw_sync"), one = uapi_fence(lab, t, 1);
	struct drm_syncobj_create create = {0};
	struct drm_syncobj_handle import = {.fd = one,
	    .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE};
	struct drm_syncobj_wait wait = {.count_handles = 1,
	    .handles = (uintptr_t)&create.handle,
	    .timeout_nsec = INT64_MAX};

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
	import.handle = create.handle;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import), 0);
	assert_int_equal(
	    uapi_ioctl_on(lab, 1, fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait),
	    UAPI_WAITS);
	watched_lab = lab;
	watched = merge(lab, one, one);
	was_readable = false;
	reply_of_lab = lab->threads[1].caller.reply;
	lab->threads[1].caller.reply = reply_watched;
	uapi_count_up(lab, t, 1);
	assert_int_equal(lab->threads[1].result, 0);
	assert_true(was_readable);
	lab->threads[1].caller.reply = reply_of_lab;
	i915_lab_delete(lab);
}

TEST(dma_buf)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 6));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	int t = uapi_open(lab, 0, "dev/sw_sync");
	struct drm_i915_gem_exec_object2 o = {
	    .handle = uapi_create(lab, fd, 4096)};
	struct drm_prime_handle out = {.handle = o.handle, .flags = DRM_RDWR};
	struct dma_buf_sync sync = {.flags = DMA_BUF_SYNC_READ};
	struct dma_buf_export_sync_file export = {.flags = DMA_BUF_SYNC_WRITE};
	struct dma_buf_import_sync_file import = {
	    .flags = DMA_BUF_SYNC_WRITE, .fd = uapi_fence(lab, t, 1)};

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
	assert_int_equal(uapi_fence_status(lab, export.fd, NULL), 1);
	/* A request waits for the fence that was put there. */
	assert_int_equal(
	    uapi_ioctl(lab, out.fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &import),
	    0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(lab->requests[1].n_after, 1);
	uapi_count_up(lab, t, 1);
	assert_int_equal(lab->signalled[0], lab->requests[1].after[0].fence);
	close(out.fd);
	i915_lab_delete(lab);
}
