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
