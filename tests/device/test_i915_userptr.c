/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of a program as an object (userptr): doc/model/i915.md. */
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

static void *
new_pages(size_t n)
{
	void *pages = mmap(NULL, n * 4096, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(pages != MAP_FAILED);
	return pages;
}

/* A program's own memory as an object. */
TEST(userptr)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	void *page = new_pages(1);
	struct drm_i915_gem_userptr arg = {
	    .user_ptr = (uintptr_t)page, .user_size = 4096};
	struct drm_i915_gem_mmap map = {.size = 4096};

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_USERPTR, &arg), 0);
	assert_int_equal(arg.handle, 1);
	assert_int_equal(lab->memory.refs, 2);
	map.handle = arg.handle;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_MMAP, &map), -ENXIO);
	assert_int_equal(uapi_close_handle(lab, fd, arg.handle), 0);
	assert_int_equal(lab->memory.refs, 1);
	munmap(page, 4096);
	i915_lab_delete(lab);
}

/* The memory is unmapped when the GPU has left it, also if its handle is closed;
 * other memory, and that of another process, at once. */
TEST(userptr_is_unmapped)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	char *page = new_pages(2);
	struct drm_i915_gem_userptr arg = {
	    .user_ptr = (uintptr_t)page, .user_size = 4096};
	struct drm_i915_gem_exec_object2 batch = {.handle = 1};
	struct wire_request rq = {.kind = WIRE_UNMAP,
	    .number = (uintptr_t)page + 4096,
	    .pointer = 4096};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&batch, .buffer_count = 1};
	struct wire_request ask = {.kind = WIRE_MEMORY,
	    .token = uapi_fd(lab, fd)->token,
	    .pointer = (uintptr_t)&exec};

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_USERPTR, &arg), 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &batch, 1), 0);
	/* The program can ask what memory of its own an execbuf uses. */
	assert_int_equal(uapi_call(lab, 0, &ask, NULL), 1);
	assert_int_equal(lab->threads[0].rp.map_offset, arg.user_ptr);
	assert_int_equal(lab->threads[0].rp.map_size, arg.user_size);
	ask.number = 1;
	assert_int_equal(uapi_call(lab, 0, &ask, NULL), 0);
	ask.pointer = 4096;
	assert_int_equal(uapi_call(lab, 0, &ask, NULL), 0);
	assert_int_equal(uapi_close_handle(lab, fd, arg.handle), 0);
	assert_int_equal(uapi_call(lab, 0, &rq, NULL), 0);
	rq.number = (uintptr_t)page;
	lab->threads[1].caller.pid = lab->threads[0].caller.pid + 1;
	assert_int_equal(uapi_call(lab, 1, &rq, NULL), 0);
	assert_int_equal(uapi_call(lab, 0, &rq, NULL), UAPI_WAITS);
	uapi_end_all(lab);
	assert_int_equal(lab->threads[0].result, 0);
	assert_int_equal(uapi_call(lab, 0, &rq, NULL), 0);
	munmap(page, 8192);
	i915_lab_delete(lab);
}

/* Memory that is not there is EFAULT, also if it was there before. */
TEST(userptr_of_nothing)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	void *page = new_pages(1);
	struct drm_i915_gem_userptr arg = {
	    .user_ptr = (uintptr_t)page, .user_size = 4096};
	struct drm_i915_gem_exec_object2 batch = {.handle = 1};
	struct drm_i915_gem_set_domain domain = {
	    .handle = 1, .read_domains = I915_GEM_DOMAIN_CPU};
	struct wire_request rq = {
	    .kind = WIRE_UNMAP, .number = (uintptr_t)page, .pointer = 4096};

	for (int i = 0; i < 2; i++) {
		assert_int_equal(
		    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_USERPTR, &arg), 0);
		assert_int_equal(arg.handle, i + 1);
		assert_int_equal(
		    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain),
		    i == 0 ? 0 : -EFAULT);
		assert_int_equal(uapi_submit(lab, fd, 0, 0, &batch, 1),
		    i == 0 ? 0 : -EFAULT);
		uapi_end_all(lab);
		assert_int_equal(uapi_call(lab, 0, &rq, NULL), 0);
		munmap(page, 4096);
		batch.handle = domain.handle = 2 - (uint32_t)i;
	}
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &batch, 1), -EFAULT);
	i915_lab_delete(lab);
}

/* The driver keeps the pages of one without notifier. */
TEST(userptr_unsynchronized)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	void *page = new_pages(1);
	struct drm_i915_gem_userptr arg = {.user_ptr = (uintptr_t)page,
	    .user_size = 4096,
	    .flags = I915_USERPTR_UNSYNCHRONIZED};
	struct drm_i915_gem_exec_object2 batch = {.handle = 1};
	struct wire_request rq = {
	    .kind = WIRE_UNMAP, .number = (uintptr_t)page, .pointer = 4096};

	lab->threads[0].caller.capabilities |= I915_CAP_ADMIN;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_USERPTR, &arg), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(uapi_submit(lab, fd, 0, 0, &batch, 1), 0);
		uapi_end_all(lab);
		assert_int_equal(uapi_call(lab, 0, &rq, NULL), 0);
		if (i == 0)
			munmap(page, 4096);
	}
	i915_lab_delete(lab);
}
