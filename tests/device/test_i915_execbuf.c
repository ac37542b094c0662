/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Execbuf of the virtual i915: addresses, relocations, the order that objects give,
 * waiting. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>

#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

#define PINNED (EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS)

typedef struct drm_i915_gem_exec_object2 entry;

/* Objects without an address get one below 4 GiB, which they keep. */
TEST(addresses)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry objects[3] = {{.handle = uapi_create(lab, fd, 4096)},
	    {.handle = uapi_create(lab, fd, 1 << 20), .alignment = 1 << 21},
	    {.handle = uapi_create(lab, fd, 4096)}};
	uint64_t before;

	assert_int_equal(uapi_submit(lab, fd, 0, 0, objects, 3), 0);
	assert_int_equal(objects[0].offset, 0);
	for (int i = 1; i < 3; i++)
		assert_true(objects[i].offset > 0 &&
		    objects[i].offset < UINT32_MAX &&
		    objects[i].offset % 4096 == 0);
	assert_int_equal(objects[1].offset % (1 << 21), 0);
	assert_int_not_equal(objects[0].offset, objects[2].offset);
	before = objects[0].offset;
	objects[0].offset = 77;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, objects, 3), 0);
	assert_int_equal(objects[0].offset, before);
	/* A new object is put where the program says it is, if it can be. */
	objects[1].handle = uapi_create(lab, fd, 4096);
	objects[1].offset = 48 << 20;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &objects[1], 1), 0);
	assert_int_equal(objects[1].offset, 48 << 20);
	objects[2].handle = uapi_create(lab, fd, 4096);
	objects[2].offset = 48 << 20;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &objects[2], 1), 0);
	assert_int_not_equal(objects[2].offset, 48 << 20);
	i915_lab_delete(lab);
}

/* PAD_TO_SIZE: nothing else is put into the padding. */
TEST(padding)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o[2] = {{.handle = uapi_create(lab, fd, 4096),
			  .flags = EXEC_OBJECT_PAD_TO_SIZE,
			  .pad_to_size = 65536,
			  .offset = 1},
	    {.handle = uapi_create(lab, fd, 4096)}};

	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 1), 0);
	o[1].offset = o[0].offset + 4096;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 2), 0);
	assert_true(o[1].offset < o[0].offset ||
	    o[1].offset >= o[0].offset + o[0].pad_to_size);
	/* An object that is pinned into it moves it away, with its padding. */
	o[1].handle = uapi_create(lab, fd, 4096);
	o[1].offset = o[0].offset + 8192;
	o[1].flags = PINNED;
	uapi_end_all(lab);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 2), 0);
	assert_true(o[0].offset + o[0].pad_to_size <= o[1].offset ||
	    o[0].offset > o[1].offset);
	i915_lab_delete(lab);
}

/* Lists that the program may not write are read all the same. */
TEST(read_only_lists)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry *o = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct drm_i915_gem_relocation_entry *reloc = (void *)&o[2];
	struct drm_i915_gem_pread read;
	uint64_t word = 0;

	*reloc = (struct drm_i915_gem_relocation_entry){
	    .delta = 0x10, .offset = 8, .presumed_offset = 1};
	o[0].handle = uapi_create(lab, fd, 4096);
	o[0].offset = 77;
	o[1].handle = uapi_create(lab, fd, 4096);
	o[1].relocation_count = 1;
	o[1].relocs_ptr = (uintptr_t)reloc;
	assert_int_equal(mprotect(o, 4096, PROT_READ), 0);
	assert_int_equal(
	    uapi_submit(lab, fd, 0, I915_EXEC_HANDLE_LUT, o, 2), 0);
	uapi_end_all(lab);
	read = (struct drm_i915_gem_pread){.handle = o[1].handle,
	    .offset = 8,
	    .size = 8,
	    .data_ptr = (uintptr_t)&word};
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PREAD, &read), 0);
	assert_true(word > 0x10 && word % 4096 == 0x10);
	assert_int_equal(o[0].offset, 77);
	munmap(o, 4096);
	i915_lab_delete(lab);
}

/* A full ring: the call waits, or not with O_NONBLOCK. */
TEST(ring_full)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o = {.handle = uapi_create(lab, fd, 4096)};
	struct drm_i915_gem_execbuffer2 arg = {
	    .buffers_ptr = (uintptr_t)&o, .buffer_count = 1};
	struct wire_request rq = {.kind = WIRE_IOCTL,
	    .size = sizeof(arg),
	    .token = uapi_fd(lab, fd)->token,
	    .number = DRM_IOCTL_I915_GEM_EXECBUFFER2,
	    .flags = O_NONBLOCK};

	lab->ring = 2;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(uapi_call(lab, 1, &rq, &arg), -EWOULDBLOCK);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), UAPI_WAITS);
	uapi_end(lab, 0, 0);
	assert_int_equal(lab->threads[0].result, 0);
	assert_int_equal(lab->n_requests, 3);
	i915_lab_delete(lab);
}

/* Numbers of other headers: fewer bytes go in and out. */
TEST(numbers_of_other_headers)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry one = {.handle = uapi_create(lab, fd, 4096)};
	struct {
		struct drm_i915_gem_create arg;
		uint64_t beyond;
	} wide = {{.size = 1}, 0x1234};
	struct drm_i915_gem_execbuffer2 exec = {.buffers_ptr = (uintptr_t)&one,
	    .buffer_count = 1,
	    .flags = I915_EXEC_FENCE_OUT,
	    .rsvd2 = 7};

	/* A wider structure than the kernel knows. */
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOWR(0x5b, wide), &wide), 0);
	assert_int_equal(wide.arg.size, 4096);
	assert_int_equal(wide.beyond, 0x1234);
	/* The number without _WR returns nothing. */
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec), 0);
	assert_int_equal(lab->threads[0].rp.size, 0);
	assert_int_equal(lab->threads[0].rp.fd_use, WIRE_FD_NONE);
	i915_lab_delete(lab);
}
