/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects of the virtual i915: handles, names, memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

/* doc/model/i915.md "Objects": lowest free number from 1, per open file. */
TEST(handles)
{
	struct i915_lab *lab = i915_lab_new(0);
	int a = uapi_open(lab, 0, "dev/dri/card0");
	int b = uapi_open(lab, 0, "dev/dri/renderD128");

	assert_true(a >= 0 && b >= 0);
	assert_int_equal(uapi_create(lab, a, 1), 1);
	assert_int_equal(uapi_create(lab, a, 4096), 2);
	assert_int_equal(uapi_create(lab, a, 4096), 3);
	assert_int_equal(uapi_create(lab, b, 4096), 1);
	assert_int_equal(uapi_close_handle(lab, a, 2), 0);
	assert_int_equal(uapi_close_handle(lab, a, 2), -EINVAL);
	assert_int_equal(uapi_create(lab, a, 4096), 2);
	assert_int_equal(uapi_create(lab, a, 4096), 4);
	i915_lab_delete(lab);
}

/* A reopened descriptor is the same node with handles of its own. */
TEST(reopen)
{
	struct i915_lab *lab = i915_lab_new(0);
	int a = uapi_open(lab, 0, "dev/dri/card0");
	struct wire_request rq = {
	    .kind = WIRE_OPEN, .token = uapi_fd(lab, a)->token};
	int b = uapi_call(lab, 0, &rq, NULL);

	assert_true(b >= 0);
	assert_int_equal(uapi_create(lab, a, 4096), 1);
	assert_int_equal(uapi_close_handle(lab, b, 1), -EINVAL);
	assert_int_equal(uapi_open(lab, 0, "etc/passwd"), WIRE_NOT_MINE);
	i915_lab_delete(lab);
}

/* gem_exec_ctx: FLINK in one file, OPEN in another gives the same number. */
TEST(flink)
{
	struct i915_lab *lab = i915_lab_new(0);
	int a = uapi_open(lab, 0, "dev/dri/card0");
	int b = uapi_open(lab, 0, "dev/dri/card0");
	struct drm_gem_flink flink = {.handle = uapi_create(lab, a, 8192)};
	struct drm_gem_open open = {0};

	assert_int_equal(uapi_ioctl(lab, a, DRM_IOCTL_GEM_FLINK, &flink), 0);
	open.name = flink.name;
	assert_int_equal(uapi_ioctl(lab, b, DRM_IOCTL_GEM_OPEN, &open), 0);
	assert_int_equal(open.handle, flink.handle);
	assert_int_equal(open.size, 8192);
	/* Opened again it gets one more handle. */
	for (uint32_t handle = 2; handle <= 3; handle++) {
		assert_int_equal(
		    uapi_ioctl(lab, b, DRM_IOCTL_GEM_OPEN, &open), 0);
		assert_int_equal(open.handle, handle);
	}
	/* The name goes with the last handle. */
	uapi_close(lab, a);
	assert_int_equal(uapi_close_handle(lab, b, 1), 0);
	assert_int_equal(uapi_close_handle(lab, b, 1), -EINVAL);
	assert_int_equal(uapi_close_handle(lab, b, 3), 0);
	assert_int_equal(uapi_ioctl(lab, b, DRM_IOCTL_GEM_OPEN, &open), 0);
	assert_int_equal(open.handle, 1);
	assert_int_equal(uapi_close_handle(lab, b, 1), 0);
	assert_int_equal(uapi_close_handle(lab, b, 2), 0);
	assert_int_equal(
	    uapi_ioctl(lab, b, DRM_IOCTL_GEM_OPEN, &open), -ENOENT);
	i915_lab_delete(lab);
}

TEST(pread_pwrite)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/card0");
	char in[6000], out[6000] = {0};
	struct drm_i915_gem_pwrite w = {.handle = uapi_create(lab, fd, 8192),
	    .offset = 100,
	    .size = sizeof(in),
	    .data_ptr = (uintptr_t)in};
	struct drm_i915_gem_pread r = {.handle = w.handle,
	    .offset = 100,
	    .size = sizeof(out),
	    .data_ptr = (uintptr_t)out};

	memset(in, 'x', sizeof(in));
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PREAD, &r), 0);
	assert_memory_equal(in, out, sizeof(in));
	w.data_ptr = 8;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), -EFAULT);
	i915_lab_delete(lab);
}

/* A long copy is done in parts, so that others are served in between. */
TEST(long_pread)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint64_t size = UINT64_C(40) << 20;
	char *out = calloc(1, size);
	char last = 'y';
	struct drm_i915_gem_pwrite w = {.handle = uapi_create(lab, fd, size),
	    .offset = size - 1,
	    .size = 1,
	    .data_ptr = (uintptr_t)&last};
	struct drm_i915_gem_pread r = {
	    .handle = w.handle, .size = size, .data_ptr = (uintptr_t)out};
	struct drm_i915_gem_wait other = {.bo_handle = w.handle};

	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PREAD, &r), UAPI_WAITS);
	assert_int_equal(out[size - 1], 0);
	assert_int_equal(
	    uapi_ioctl_on(lab, 1, fd, DRM_IOCTL_I915_GEM_WAIT, &other), 0);
	uapi_advance(lab, 1);
	assert_int_equal(lab->threads[0].result, UAPI_WAITS);
	uapi_advance(lab, 1);
	assert_int_equal(lab->threads[0].result, 0);
	assert_int_equal(out[size - 1], 'y');
	free(out);
	i915_lab_delete(lab);
}

/* mmap(2) of the node with the offset of MMAP_OFFSET. */
TEST(mmap)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	int other = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_i915_gem_mmap_offset arg = {
	    .handle = uapi_create(lab, fd, 8192), .flags = I915_MMAP_OFFSET_WB};
	struct wire_request rq = {.kind = WIRE_MMAP,
	    .token = uapi_fd(lab, fd)->token,
	    .pointer = 4096};
	char *map;

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &arg), 0);
	rq.number = arg.offset + 4096;
	assert_int_equal(uapi_call(lab, 0, &rq, NULL), 0);
	assert_int_equal(lab->threads[0].rp.fd_use, WIRE_FD_MAP);
	assert_int_equal(lab->threads[0].rp.map_offset, 4096);
	assert_int_equal(lab->threads[0].rp.map_size, 4096);
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
	    lab->threads[0].fd, 4096);
	assert_true(map != MAP_FAILED);
	close(lab->threads[0].fd);
	munmap(map, 4096);
	/* Beyond its end, of nothing, of another file. */
	rq.pointer = 8192;
	assert_int_equal(uapi_call(lab, 0, &rq, NULL), -EINVAL);
	rq.number = UINT64_C(77) << 36;
	assert_int_equal(uapi_call(lab, 0, &rq, NULL), -EINVAL);
	rq.number = arg.offset;
	rq.token = uapi_fd(lab, other)->token;
	assert_int_equal(uapi_call(lab, 0, &rq, NULL), -EACCES);
	i915_lab_delete(lab);
}

/* PRIME: the same handle when it comes back, also after the object was freed
 * while its descriptor was kept. */
TEST(prime)
{
	struct i915_lab *lab = i915_lab_new(0);
	int a = uapi_open(lab, 0, "dev/dri/renderD128");
	int b = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_prime_handle out = {.handle = uapi_create(lab, a, 8192),
	    .flags = DRM_CLOEXEC | DRM_RDWR};
	struct drm_prime_handle in = {0};
	char byte = 'p';

	assert_int_equal(
	    uapi_ioctl(lab, a, DRM_IOCTL_PRIME_HANDLE_TO_FD, &out), 0);
	assert_int_equal(lseek(out.fd, 0, SEEK_END), 8192);
	assert_int_equal(pwrite(out.fd, &byte, 1, 0), 1);
	in.fd = out.fd;
	assert_int_equal(
	    uapi_ioctl(lab, a, DRM_IOCTL_PRIME_FD_TO_HANDLE, &in), 0);
	assert_int_equal(in.handle, out.handle);
	uapi_create(lab, b, 4096);
	assert_int_equal(
	    uapi_ioctl(lab, b, DRM_IOCTL_PRIME_FD_TO_HANDLE, &in), 0);
	assert_int_equal(in.handle, 2);
	uapi_close(lab, a);
	uapi_close(lab, b);
	a = uapi_open(lab, 0, "dev/dri/renderD128");
	assert_int_equal(
	    uapi_ioctl(lab, a, DRM_IOCTL_PRIME_FD_TO_HANDLE, &in), 0);
	assert_int_equal(in.handle, 1);
	close(out.fd);
	/* No memory of objects: a file, a mark, nothing. */
	in.fd = open("/dev/null", O_RDONLY);
	assert_int_equal(
	    uapi_ioctl(lab, a, DRM_IOCTL_PRIME_FD_TO_HANDLE, &in), -EINVAL);
	close(in.fd);
	in.fd = a;
	assert_int_equal(
	    uapi_ioctl(lab, a, DRM_IOCTL_PRIME_FD_TO_HANDLE, &in), -EINVAL);
	in.fd = 9999;
	assert_int_equal(
	    uapi_ioctl(lab, a, DRM_IOCTL_PRIME_FD_TO_HANDLE, &in), -EBADF);
	i915_lab_delete(lab);
}

/* An object that is not needed has no pages to use; one that has pages can be used
 * until they are taken. */
TEST(madvise)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/card0");
	char byte = 1;
	struct drm_i915_gem_pwrite w = {.handle = uapi_create(lab, fd, 4096),
	    .size = 1,
	    .data_ptr = (uintptr_t)&byte};
	struct drm_i915_gem_exec_object2 o = {.handle = w.handle};
	struct drm_i915_gem_madvise madvise = {
	    .handle = w.handle, .madv = I915_MADV_DONTNEED};
	unsigned long write = DRM_IOCTL_I915_GEM_PWRITE;
	unsigned long advise = DRM_IOCTL_I915_GEM_MADVISE;

	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(uapi_ioctl(lab, fd, write, &w), UAPI_WAITS);
	uapi_end_all(lab);
	assert_int_equal(lab->threads[0].result, 0);
	assert_int_equal(uapi_ioctl(lab, fd, advise, &madvise), 0);
	assert_int_equal(madvise.retained, 1);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	/* Not while the GPU uses it. */
	i915_drop_caches(lab->dev);
	assert_int_equal(uapi_ioctl(lab, fd, advise, &madvise), 0);
	assert_int_equal(madvise.retained, 1);
	uapi_end_all(lab);
	i915_drop_caches(lab->dev);
	madvise.madv = I915_MADV_WILLNEED;
	assert_int_equal(uapi_ioctl(lab, fd, advise, &madvise), 0);
	assert_int_equal(madvise.retained, 0);
	assert_int_equal(uapi_ioctl(lab, fd, write, &w), -EFAULT);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), -EFAULT);
	i915_lab_delete(lab);
}

/* doc/model/i915.md "Objects": what PWRITE wrote are no pages of the driver. */
TEST(madvise_without_pages)
{
	static const unsigned long uses[] = {0, DRM_IOCTL_I915_GEM_PREAD,
	    DRM_IOCTL_I915_GEM_SET_DOMAIN, DRM_IOCTL_I915_GEM_MMAP};
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/card0");
	char byte = 1;

	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		struct drm_i915_gem_pwrite w = {
		    .handle = uapi_create(lab, fd, 4096),
		    .size = 1,
		    .data_ptr = (uintptr_t)&byte};
		struct drm_i915_gem_mmap map = {
		    .handle = w.handle, .size = 4096};
		struct drm_i915_gem_set_domain domain = {w.handle, 1, 0};
		struct drm_i915_gem_madvise madvise = {
		    .handle = w.handle, .madv = I915_MADV_DONTNEED};
		void *args[] = {NULL, &w, &domain, &map};
		struct drm_i915_gem_exec_object2 o = {.handle = w.handle};
		bool pages = uses[i] != 0;

		assert_int_equal(
		    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
		if (pages)
			assert_true(uapi_ioctl(lab, fd, uses[i], args[i]) >= 0);
		assert_int_equal(
		    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_MADVISE, &madvise),
		    0);
		assert_int_equal(madvise.retained, pages);
		assert_int_equal(
		    uapi_submit(lab, fd, 0, 0, &o, 1), pages ? 0 : -EFAULT);
		for (size_t k = 1; !pages && k < 4; k++)
			assert_int_equal(
			    uapi_ioctl(lab, fd, uses[k], args[k]), -EFAULT);
		uapi_end_all(lab);
	}
	i915_lab_delete(lab);
}

/* Limits of a program: doc/model/i915.md "Limits". */
TEST(limits)
{
	struct i915_lab *lab = calloc(1, sizeof(*lab));
	struct drm_i915_gem_create arg = {.size = 4096};
	struct drm_i915_gem_context_create ctx = {0};
	struct drm_i915_gem_pwrite w = {
	    .handle = 1, .size = 1, .data_ptr = (uintptr_t)&w};
	int fd;

	i915_lab_init(lab);
	lab->config.limits[I915_LIMIT_OBJECTS] = 2;
	lab->config.limits[I915_LIMIT_CONTEXTS] = 1;
	lab->config.limits[I915_LIMIT_MEMORY] = 4096;
	i915_lab_start(lab);
	fd = uapi_open(lab, 0, "dev/dri/card0");
	uapi_create(lab, fd, 4096);
	uapi_create(lab, fd, 4096);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CREATE, &arg), -ENOMEM);
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
	w.handle = 2;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), -ENOMEM);
	uapi_context(lab, fd);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &ctx),
	    -ENOSPC);
	/* Memory that is given back can be allocated again. */
	assert_int_equal(uapi_close_handle(lab, fd, 1), 0);
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
	i915_lab_delete(lab);
}

/* Objects that programs do not need make room, as by the kernel's shrinker. */
TEST(limit_takes_unneeded)
{
	struct i915_lab *lab = calloc(1, sizeof(*lab));
	struct drm_i915_gem_exec_object2 o = {0};
	struct drm_i915_gem_madvise madvise = {.madv = I915_MADV_DONTNEED};
	char byte = 1;
	struct drm_i915_gem_pwrite w = {
	    .size = 1, .data_ptr = (uintptr_t)&byte};
	int fd;

	i915_lab_init(lab);
	lab->config.limits[I915_LIMIT_MEMORY] = 4096;
	i915_lab_start(lab);
	fd = uapi_open(lab, 0, "dev/dri/card0");
	o.handle = madvise.handle = w.handle = uapi_create(lab, fd, 4096);
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_MADVISE, &madvise), 0);
	w.handle = uapi_create(lab, fd, 4096);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), -ENOMEM);
	uapi_end_all(lab);
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
	i915_lab_delete(lab);
}

/* Objects leave descriptors of the device to files. */
TEST(descriptors_are_left)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128"), rc = 0;
	char byte = 1;
	struct drm_i915_gem_pwrite w = {
	    .size = 1, .data_ptr = (uintptr_t)&byte};
	struct rlimit before, few;
	unsigned n = 0;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 160;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (; rc == 0 && n < 160; n++) {
		w.handle = uapi_create(lab, fd, 4096);
		rc = uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
	}
	assert_int_equal(rc, -ENOMEM);
	assert_true(n > 64);
	assert_true(uapi_open(lab, 0, "dev/dri/card0") >= 0);
	setrlimit(RLIMIT_NOFILE, &before);
	i915_lab_delete(lab);
}

/* doc/model/i915.md "Objects": a request in flight may still use the address of
 * an object that was closed. */
TEST(vacated_addresses)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_i915_gem_exec_object2 gone = {
	    .handle = uapi_create(lab, fd, 4096)};
	struct drm_i915_gem_exec_object2 batch = {
	    .handle = uapi_create(lab, fd, 4096)};
	uint32_t words[2] = {1, 2};
	uint64_t at;

	assert_int_equal(uapi_submit(lab, fd, 0, 0, &gone, 1), 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &batch, 1), 0);
	at = gone.offset + 4096 - sizeof(words);
	assert_true(i915_space_write(lab->space, at, words, sizeof(words)));
	uapi_end(lab, 0, 0);
	assert_int_equal(uapi_close_handle(lab, fd, gone.handle), 0);
	assert_true(i915_space_write(lab->space, at, words, sizeof(words)));
	assert_true(i915_space_read(lab->space, at, words, sizeof(words)));
	assert_int_equal(words[0] | words[1], 0);
	/* Without requests there is nothing. */
	uapi_end_all(lab);
	assert_false(i915_space_read(lab->space, at, words, 4));
	i915_lab_delete(lab);
}
