/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A virtual i915 on the model, for tests. */
#include "tests/support/device_rig.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"

void
rig_open(struct rig *b)
{
	struct text err = {0};

	lab_open(&b->model);
	i915_lab_init(&b->lab);
	for (unsigned i = 0; i < UAPI_THREADS; i++)
		b->lab.threads[i].caller.capabilities = I915_CAP_NICE;
	b->device = virtual_new(b->model.sim, &b->lab.host, 0, &err);
	assert_string_equal(text_str(&err), "");
	b->lab.dev = virtual_i915(b->device);
	b->fd = uapi_open(&b->lab, 0, "dev/dri/renderD128");
	b->next = 1 << 20;
}

struct rig *
rig_start(const char *sched)
{
	struct rig *b = calloc(1, sizeof *b);

	lab_init(&b->model, sched);
	b->model.config.profile.clock_hz = NSEC_PER_SEC;
	b->model.config.profile.heartbeat_ns = 10 * NSEC_PER_MSEC;
	b->model.config.profile.preempt_timeout_ns = 5 * NSEC_PER_MSEC;
	b->model.config.profile.preempt_timeout_compute_ns = 5 * NSEC_PER_MSEC;
	rig_open(b);
	return b;
}

void
rig_finish(struct rig *b)
{
	virtual_free(b->device);
	b->lab.dev = NULL;
	i915_lab_free(&b->lab);
	lab_free(&b->model);
	free(b);
}

void
rig_run_to(struct rig *b, uint64_t us)
{
	assert_int_equal(virtual_advance(b->device, us * US), us * US);
}

void
rig_write(
    struct rig *b, uint32_t handle, uint64_t at, const void *data, size_t n)
{
	struct drm_i915_gem_pwrite arg = {.handle = handle,
	    .offset = at,
	    .size = n,
	    .data_ptr = (uintptr_t)data};

	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GEM_PWRITE, &arg), 0);
}

uint32_t
rig_read(struct rig *b, uint32_t handle, uint64_t at)
{
	uint32_t value = 0;
	struct drm_i915_gem_pread arg = {.handle = handle,
	    .offset = at,
	    .size = sizeof value,
	    .data_ptr = (uintptr_t)&value};

	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GEM_PREAD, &arg), 0);
	return value;
}

struct code
rig_code(struct rig *b)
{
	struct code c = {
	    .handle = uapi_create(&b->lab, b->fd, 4096), .address = b->next};

	b->next += 1 << 16;
	return c;
}

void
code_emit(struct code *c, const uint32_t *dwords, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->dwords[c->n++] = dwords[i];
}

struct code
rig_wsim(struct rig *b, uint32_t us, bool preemptible)
{
	struct code c = rig_code(b);
	uint64_t result = c.address + 4000;
	unsigned loop;

	EMIT(&c, 0x110c0001 & ~0x40000u, 0x604, 0);
	EMIT(&c, 0x150c0001, 0x3a8, 0x600);
	loop = c.n;
	EMIT(&c, preemptible ? 0x02800000 : 0);
	EMIT(&c, 0x11080001, 0x60c, 0);
	EMIT(&c, 0x150c0001, 0x3a8, 0x608);
	EMIT(&c, 0x0d000003, 0x08008001, 0x08008400, 0x10100000, 0x58000431);
	EMIT(&c, 0x12080002, 0x608, ADDRESS(result));
	EMIT(&c, 0x1b200002, ~(us * 1000), ADDRESS(result));
	EMIT(&c, 0x18800101, ADDRESS(c.address + loop * 4));
	rig_write(b, c.handle, 0, c.dwords, c.n * 4);
	return c;
}

struct code
rig_spin(struct rig *b)
{
	struct code c = rig_code(b);

	EMIT(&c, 0x02800000, 0x18800101, ADDRESS(c.address));
	rig_write(b, c.handle, 0, c.dwords, c.n * 4);
	return c;
}

void
rig_end_spin(struct rig *b, const struct code *c)
{
	rig_store(b, c, BATCH_END);
}

void
rig_store(struct rig *b, const struct code *c, uint32_t value)
{
	struct drm_i915_gem_mmap_offset arg = {
	    .handle = c->handle, .flags = I915_MMAP_OFFSET_WB};
	struct wire_request rq = {.kind = WIRE_MMAP,
	    .token = uapi_fd(&b->lab, b->fd)->token,
	    .pointer = 4096};
	uint32_t *code;

	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &arg),
	    0);
	rq.number = arg.offset;
	assert_true(uapi_call(&b->lab, 0, &rq, NULL) >= 0);
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
	    b->lab.threads[0].fd, (off_t)b->lab.threads[0].rp.map_offset);
	assert_ptr_not_equal(code, MAP_FAILED);
	*(volatile uint32_t *)code = value;
	munmap(code, 4096);
	close(b->lab.threads[0].fd);
	b->lab.threads[0].fd = -1;
}

int
rig_submit_with(struct rig *b, const struct code *c, uint32_t context,
    uint64_t flags, int in_fence, uint32_t data, bool write)
{
	struct drm_i915_gem_exec_object2 objects[2] = {
	    {.handle = data,
		.offset = 1u << 30,
		.flags = PINNED | (write ? EXEC_OBJECT_WRITE : 0)},
	    {.handle = c->handle, .offset = c->address, .flags = PINNED},
	};
	struct drm_i915_gem_execbuffer2 arg = {
	    .buffers_ptr = (uintptr_t)&objects[data == 0],
	    .buffer_count = data == 0 ? 1 : 2,
	    .flags = flags,
	    .rsvd1 = context,
	};
	int rc;

	if (flags & I915_EXEC_FENCE_IN)
		arg.rsvd2 = (uint32_t)in_fence;
	rc = uapi_ioctl(&b->lab, b->fd,
	    flags & I915_EXEC_FENCE_OUT ? DRM_IOCTL_I915_GEM_EXECBUFFER2_WR
					: DRM_IOCTL_I915_GEM_EXECBUFFER2,
	    &arg);
	return rc == 0 && flags & I915_EXEC_FENCE_OUT ? (int)(arg.rsvd2 >> 32)
						      : rc;
}

int
rig_submit(
    struct rig *b, const struct code *c, uint32_t context, uint64_t flags)
{
	return rig_submit_with(b, c, context, flags, 0, 0, false);
}
