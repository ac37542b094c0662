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
#define MS     1000000

typedef struct drm_i915_gem_exec_object2 entry;

static uint32_t
busy(struct i915_lab *lab, int fd, uint32_t handle)
{
	struct drm_i915_gem_busy arg = {.handle = handle};

	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_BUSY, &arg), 0);
	return arg.busy;
}

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

/* Four objects of 1 GiB are more than there is below 4 GiB, less a page. */
TEST(full_address_space)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o[4];

	for (int i = 0; i < 4; i++)
		o[i] = (entry){
		    .handle = uapi_create(lab, fd, 1 << 30), .offset = 1};
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 4), -ENOSPC);
	for (int i = 0; i < 3; i++)
		assert_int_equal(uapi_submit(lab, fd, 0, 0, &o[i], 1), 0);
	/* One that the GPU has left makes room, else the first that it leaves. */
	uapi_end(lab, 1, 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o[3], 1), 0);
	assert_int_equal(o[3].offset, o[1].offset);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o[1], 1), UAPI_WAITS);
	uapi_end_all(lab);
	assert_int_equal(lab->threads[0].result, 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 4), -ENOSPC);
	i915_lab_delete(lab);
}

/* The address of an object that the file has closed is free, though another file
 * has the object. */
TEST(address_of_closed_handle)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int owner = uapi_open(lab, 0, "dev/dri/card0");
	int fd = uapi_open(lab, 0, "dev/dri/card0");
	struct drm_gem_flink flink = {.handle = uapi_create(lab, owner, 4096)};
	struct drm_gem_open open = {0};
	struct drm_gem_close close = {0};
	entry first = {.offset = 1}, second = {.offset = 1};

	assert_int_equal(
	    uapi_ioctl(lab, owner, DRM_IOCTL_GEM_FLINK, &flink), 0);
	open.name = flink.name;
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_GEM_OPEN, &open), 0);
	first.handle = close.handle = open.handle;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &first, 1), 0);
	uapi_end_all(lab);
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_GEM_CLOSE, &close), 0);
	second.handle = uapi_create(lab, fd, 4096);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &second, 1), 0);
	assert_int_equal(second.offset, first.offset);
	i915_lab_delete(lab);
}

/* Objects of one call that leave no gap for the next of it move together. */
TEST(objects_make_room)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o[3] = {
	    {.handle = uapi_create(lab, fd, 4096), .offset = UINT64_C(1) << 30},
	    {.handle = uapi_create(lab, fd, 4096), .offset = UINT64_C(3) << 30},
	    {.handle = uapi_create(lab, fd, (UINT64_C(5) << 29)), .offset = 1}};

	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 2), 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 3), UAPI_WAITS);
	uapi_end_all(lab);
	assert_int_equal(lab->threads[0].result, 0);
	assert_true(o[2].offset + (UINT64_C(5) << 29) <= UINT32_MAX);
	i915_lab_delete(lab);
}

/* Below 4 GiB only 0 is a multiple of that. */
TEST(alignment_beyond_zone)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o = {.handle = uapi_create(lab, fd, 4096),
	    .offset = 1,
	    .alignment = UINT64_C(1) << 40};

	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(o.offset, 0);
	o.handle = uapi_create(lab, fd, 4096);
	o.flags = EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
	o.offset = 1;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(o.offset, UINT64_C(1) << 40);
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

/* An object that takes all addresses waits for the one that has them. */
TEST(padding_of_all_addresses)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o[2] = {{.handle = uapi_create(lab, fd, 4096)},
	    {.handle = uapi_create(lab, fd, 4096)}};

	for (int i = 0; i < 2; i++) {
		o[i].flags = EXEC_OBJECT_PAD_TO_SIZE |
		    EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
		o[i].pad_to_size = UINT64_C(1) << 48;
	}
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o[0], 1), 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o[1], 1), UAPI_WAITS);
	uapi_end_all(lab);
	assert_int_equal(lab->threads[0].result, 0);
	assert_int_equal(o[1].offset, 0);
	i915_lab_delete(lab);
}

TEST(softpin)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o[2] = {{.handle = uapi_create(lab, fd, 8192),
			  .flags = PINNED,
			  .offset = UINT64_C(0x100000000)},
	    {.handle = uapi_create(lab, fd, 8192),
		.flags = PINNED,
		.offset = UINT64_C(0x100002000)}};

	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 2), 0);
	assert_int_equal(o[1].offset, UINT64_C(0x100002000));
	/* Both want the same page. */
	o[1].offset = UINT64_C(0x100001000);
	uapi_end_all(lab);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 2), -ENOSPC);
	/* Another may take the place when the GPU has left. */
	o[1].offset = UINT64_C(0x100000000);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o[1], 1), 0);
	o[0].offset = UINT64_C(0x100000000);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 1), UAPI_WAITS);
	uapi_end_all(lab);
	assert_int_equal(lab->threads[0].result, 0);
	/* Not a page, not canonical, canonical, beyond 4 GiB without the flag. */
	o[0].offset = 0x1001;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 1), -EINVAL);
	o[0].offset = UINT64_C(0x800000000000);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 1), -EINVAL);
	uapi_end_all(lab);
	o[0].offset = UINT64_C(0xffff800000000000);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 1), 0);
	o[0].offset = UINT64_C(0x100000000);
	o[0].flags = EXEC_OBJECT_PINNED;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 1), -EINVAL);
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

/* A relocation writes the target's address once, and waits for the GPU. */
TEST(relocations)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_i915_gem_relocation_entry reloc = {
	    .delta = 0x10, .offset = 8, .presumed_offset = 1};
	entry o[2] = {{.handle = uapi_create(lab, fd, 4096)},
	    {.handle = uapi_create(lab, fd, 4096),
		.relocation_count = 1,
		.relocs_ptr = (uintptr_t)&reloc}};
	uint64_t word = 0;
	struct drm_i915_gem_pread read = {.handle = o[1].handle,
	    .offset = 8,
	    .size = 8,
	    .data_ptr = (uintptr_t)&word};
	uint64_t lut = I915_EXEC_HANDLE_LUT;

	assert_int_equal(uapi_submit(lab, fd, 0, lut, o, 2), 0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PREAD, &read), 0);
	assert_int_equal(word, o[0].offset + 0x10);
	assert_int_equal(reloc.presumed_offset, o[0].offset);
	/* Known: nothing to write, so nothing to wait for. */
	assert_int_equal(uapi_submit(lab, fd, 0, lut, o, 2), 0);
	reloc.presumed_offset = 1;
	assert_int_equal(uapi_submit(lab, fd, 0, lut, o, 2), UAPI_WAITS);
	uapi_end_all(lab);
	assert_int_equal(lab->threads[0].result, 0);
	uapi_end_all(lab);
	/* By handle; one that is not in the call; of another index. */
	reloc.presumed_offset = 1;
	reloc.target_handle = o[0].handle;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 2), 0);
	reloc.target_handle = 99;
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 2), -ENOENT);
	reloc.target_handle = 2;
	assert_int_equal(uapi_submit(lab, fd, 0, lut, o, 2), -ENOENT);
	uapi_end_all(lab);
	/* Places and domains. */
	reloc.target_handle = 0;
	reloc.presumed_offset = 1;
	reloc.offset = 4092;
	assert_int_equal(uapi_submit(lab, fd, 0, lut, o, 2), -EINVAL);
	reloc.offset = 6;
	assert_int_equal(uapi_submit(lab, fd, 0, lut, o, 2), -EINVAL);
	reloc.offset = 8;
	reloc.write_domain = I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER;
	assert_int_equal(uapi_submit(lab, fd, 0, lut, o, 2), -EINVAL);
	reloc.write_domain = I915_GEM_DOMAIN_CPU;
	assert_int_equal(uapi_submit(lab, fd, 0, lut, o, 2), -EINVAL);
	/* A write domain makes the target written. */
	reloc.write_domain = I915_GEM_DOMAIN_RENDER;
	assert_int_equal(uapi_submit(lab, fd, 0, lut, o, 2), 0);
	assert_int_equal(busy(lab, fd, o[0].handle), 0x00010001);
	assert_int_equal(busy(lab, fd, o[1].handle), 0x00010000);
	i915_lab_delete(lab);
}

/* Readers wait for writers, writers for all: doc/model/i915.md "Implicit
 * synchronisation". */
TEST(implicit)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o[2] = {{.handle = uapi_create(lab, fd, 4096)},
	    {.handle = uapi_create(lab, fd, 4096)}};

	o[0].flags = EXEC_OBJECT_WRITE;
	assert_int_equal(uapi_submit(lab, fd, 0, I915_EXEC_RENDER, o, 2), 0);
	o[0].flags = 0;
	assert_int_equal(uapi_submit(lab, fd, 0, I915_EXEC_BLT, o, 2), 0);
	assert_int_equal(uapi_submit(lab, fd, 0, I915_EXEC_VEBOX, o, 2), 0);
	assert_true(uapi_after(lab, 1, 0, GPU_AFTER_END));
	assert_true(uapi_after(lab, 2, 0, GPU_AFTER_END));
	assert_false(uapi_after(lab, 2, 1, GPU_AFTER_END));
	assert_int_equal(busy(lab, fd, o[0].handle), 0x000b0001);
	o[0].flags = EXEC_OBJECT_WRITE | EXEC_OBJECT_ASYNC;
	assert_int_equal(uapi_submit(lab, fd, 0, I915_EXEC_BSD, o, 2), 0);
	assert_int_equal(lab->requests[3].n_after, 0);
	o[0].flags = EXEC_OBJECT_WRITE;
	assert_int_equal(uapi_submit(lab, fd, 0, I915_EXEC_BLT, o, 2), 0);
	assert_true(uapi_after(lab, 4, 0, GPU_AFTER_END));
	assert_true(uapi_after(lab, 4, 2, GPU_AFTER_END));
	assert_true(uapi_after(lab, 4, 3, GPU_AFTER_END));
	/* The order of its own timeline needs no fence. */
	assert_false(uapi_after(lab, 4, 1, GPU_AFTER_END));
	uapi_end_all(lab);
	assert_int_equal(busy(lab, fd, o[0].handle), 0);
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

/* GEM_WAIT: relative; the rest of the time is returned. */
TEST(wait)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o = {.handle = uapi_create(lab, fd, 4096)};
	struct drm_i915_gem_wait arg = {.bo_handle = o.handle};
	struct wire_request cancel = {.kind = WIRE_CANCEL};
	unsigned long wait = DRM_IOCTL_I915_GEM_WAIT;

	assert_int_equal(uapi_ioctl(lab, fd, wait, &arg), 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(uapi_ioctl(lab, fd, wait, &arg), -ETIME);
	arg.timeout_ns = 5 * MS;
	assert_int_equal(uapi_ioctl(lab, fd, wait, &arg), UAPI_WAITS);
	assert_true(lab->requests[0].boosted);
	assert_int_equal(i915_next_ns(lab->dev), lab->now + 5 * MS);
	uapi_advance(lab, 2 * MS);
	assert_int_equal(lab->threads[0].result, UAPI_WAITS);
	uapi_end(lab, 0, 0);
	assert_int_equal(lab->threads[0].result, 0);
	assert_int_equal(arg.timeout_ns, 3 * MS);
	assert_int_equal(i915_next_ns(lab->dev), I915_NEVER);
	/* Expired. */
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(uapi_ioctl(lab, fd, wait, &arg), UAPI_WAITS);
	uapi_advance(lab, 3 * MS);
	assert_int_equal(lab->threads[0].result, -ETIME);
	assert_int_equal(arg.timeout_ns, 0);
	/* A signal. */
	arg.timeout_ns = -1;
	assert_int_equal(uapi_ioctl(lab, fd, wait, &arg), UAPI_WAITS);
	i915_call(lab->dev, &lab->threads[0].caller, &cancel, NULL);
	assert_int_equal(lab->threads[0].result, -EINTR);
	assert_int_equal(arg.timeout_ns, -1);
	/* The thread dies, the file is closed by another. */
	assert_int_equal(uapi_ioctl(lab, fd, wait, &arg), UAPI_WAITS);
	i915_caller_gone(lab->dev, &lab->threads[0].caller);
	assert_int_equal(uapi_ioctl(lab, fd, wait, &arg), UAPI_WAITS);
	uapi_close(lab, fd);
	assert_int_equal(lab->threads[0].result, -EBADF);
	i915_lab_delete(lab);
}

/* THROTTLE waits for requests older than 20 ms. */
TEST(throttle)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o = {.handle = uapi_create(lab, fd, 4096)};
	unsigned long throttle = DRM_IOCTL_I915_GEM_THROTTLE;

	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(uapi_ioctl(lab, fd, throttle, NULL), 0);
	uapi_advance(lab, 20 * MS);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(uapi_ioctl(lab, fd, throttle, NULL), UAPI_WAITS);
	uapi_end(lab, 0, 0);
	assert_int_equal(lab->threads[0].result, 0);
	i915_lab_delete(lab);
}

/* Without a map and a choice, each file has one video engine. */
TEST(legacy_rings)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int a = uapi_open(lab, 0, "dev/dri/renderD128");
	int b = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o = {.handle = uapi_create(lab, a, 4096)};

	uapi_create(lab, b, 4096);
	assert_int_equal(uapi_submit(lab, a, 0, I915_EXEC_BSD, &o, 1), 0);
	assert_int_equal(uapi_submit(lab, a, 0, I915_EXEC_BSD, &o, 1), 0);
	assert_int_equal(uapi_submit(lab, b, 0, I915_EXEC_BSD, &o, 1), 0);
	assert_int_equal(lab->requests[0].timeline->slot.rows[0], 1 << 2);
	assert_ptr_equal(lab->requests[0].timeline, lab->requests[1].timeline);
	assert_int_equal(lab->requests[2].timeline->slot.rows[0], 1 << 3);
	assert_int_equal(
	    uapi_submit(lab, a, 0, I915_EXEC_BSD | I915_EXEC_BSD_RING2, &o, 1),
	    0);
	assert_int_equal(lab->requests[3].timeline->slot.rows[0], 1 << 3);
	assert_int_equal(
	    uapi_submit(lab, a, 0, I915_EXEC_BSD | 3 << 13, &o, 1), -EINVAL);
	assert_int_equal(
	    uapi_submit(lab, a, 0, I915_EXEC_BLT | 1 << 13, &o, 1), -EINVAL);
	assert_int_equal(uapi_submit(lab, a, 0, 5, &o, 1), -EINVAL);
	i915_lab_delete(lab);
}

/* Banned contexts and lost devices. */
TEST(eio)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o = {.handle = uapi_create(lab, fd, 4096)};
	struct drm_i915_gem_context_create create = {0};
	struct drm_i915_reset_stats stats = {0};

	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	lab->contexts[0]->banned = true;
	lab->contexts[0]->stats = (struct gpu_reset_stats){3, 2, 1};
	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), -EIO);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats), 0);
	assert_int_equal(stats.batch_active, 2);
	assert_int_equal(stats.batch_pending, 1);
	assert_int_equal(stats.reset_count, 0);
	lab->threads[0].caller.capabilities = I915_CAP_ADMIN;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats), 0);
	assert_int_equal(stats.reset_count, 3);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create), 0);
	lab->banned_client = 1;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create),
	    -EIO);
	lab->banned_client = 0;
	lab->wedged = true;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create),
	    -EIO);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_THROTTLE, NULL), -EIO);
	i915_lab_delete(lab);
}

/* Closed while the GPU uses it, memory stays until it is done. */
TEST(close_while_busy)
{
	struct i915_lab *lab = i915_lab_new(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o = {.handle = uapi_create(lab, fd, 4096)};
	struct drm_gem_close close = {.handle = o.handle};
	struct drm_i915_gem_busy arg = {.handle = o.handle};

	assert_int_equal(uapi_submit(lab, fd, 0, 0, &o, 1), 0);
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_GEM_CLOSE, &close), 0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_BUSY, &arg), -ENOENT);
	uapi_end_all(lab);
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
