/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A virtual i915 whose GPU is stopped (doc/model/virtual.md "Stops"): nothing
 * starts or completes, the clock goes on, and single steps run what is due.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/model/virtual.h"
#include "engine/client/client.h"
#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"
#include "tests/support/lab.h"

#define US     NSEC_PER_USEC
#define PINNED (EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS)

struct stop_bench {
	struct lab model;
	struct i915_lab lab;
	struct virtual_device *device;
	int fd;
	uint64_t next; /* free address */
};

static struct stop_bench *
begin_stop_bench(void)
{
	struct stop_bench *b = calloc(1, sizeof *b);
	struct text err = {0};

	lab_init(&b->model, "execlists");
	lab_open(&b->model);
	i915_lab_init(&b->lab);
	for (unsigned i = 0; i < UAPI_THREADS; i++)
		b->lab.threads[i].caller.capabilities = I915_CAP_NICE;
	b->device = virtual_new(b->model.sim, &b->lab.host, 0, &err);
	assert_string_equal(text_str(&err), "");
	b->lab.dev = virtual_i915(b->device);
	b->fd = uapi_open(&b->lab, 0, "dev/dri/renderD128");
	b->next = 1 << 20;
	return b;
}

static void
end_stop_bench(struct stop_bench *b)
{
	virtual_free(b->device);
	b->lab.dev = NULL;
	i915_lab_free(&b->lab);
	lab_free(&b->model);
	free(b);
}

static void
to_time(struct stop_bench *b, uint64_t us)
{
	assert_int_equal(virtual_advance(b->device, us * US), us * US);
}

/* Submits a batch that ends at once, or loops for ever. Returns its object. */
static uint32_t
submit_batch_of(
    struct stop_bench *b, uint32_t context, uint64_t ring, bool loops)
{
	uint64_t address = b->next;
	uint32_t code[] = {0x02800000, 0x18800101, (uint32_t)address,
	    (uint32_t)(address >> 32)};
	uint32_t end[] = {0x05000000, 0};
	struct drm_i915_gem_exec_object2 object = {
	    .handle = uapi_create(&b->lab, b->fd, 4096),
	    .offset = address,
	    .flags = PINNED};
	struct drm_i915_gem_pwrite write = {.handle = object.handle,
	    .size = loops ? sizeof code : sizeof end,
	    .data_ptr = (uintptr_t)(loops ? code : end)};

	b->next += 1 << 16;
	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GEM_PWRITE, &write), 0);
	assert_int_equal(
	    uapi_submit(&b->lab, b->fd, context, ring, &object, 1), 0);
	return object.handle;
}

static uint32_t
submit_batch(struct stop_bench *b, uint64_t ring, bool loops)
{
	return submit_batch_of(b, 0, ring, loops);
}

static void
expect_row(const struct stop_bench *b, size_t i, bool started, bool ended)
{
	assert_true(i < b->model.n_rows);
	assert_int_equal(b->model.rows[i].start != NSEC_NEVER, started);
	assert_int_equal(b->model.rows[i].end != NSEC_NEVER, ended);
}

TEST(nothing_starts_or_hangs)
{
	struct stop_bench *b = begin_stop_bench();

	submit_batch(b, I915_EXEC_RENDER, true);
	to_time(b, 100);
	virtual_stop(b->device, 100 * US, true);
	submit_batch(b, I915_EXEC_BLT, false);
	to_time(b, 60 * 1000000);
	assert_int_equal(b->model.sim->now, 100 * US);
	assert_int_equal(b->model.hung, 0);
	expect_row(b, 0, true, false);
	expect_row(b, 1, false, false);
	assert_int_equal(virtual_next(b->device), NSEC_NEVER);

	virtual_stop(b->device, 61 * 1000000 * US, false);
	to_time(b, 61 * 1000000 + 50);
	assert_int_equal(b->model.sim->now, 150 * US);
	expect_row(b, 1, true, true);
	end_stop_bench(b);
}

TEST(waits_end_in_time)
{
	struct stop_bench *b = begin_stop_bench();
	struct drm_i915_gem_wait wait = {.timeout_ns = 1000 * US};

	virtual_stop(b->device, 0, true);
	wait.bo_handle = submit_batch(b, I915_EXEC_BLT, false);
	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GEM_WAIT, &wait),
	    UAPI_WAITS);
	assert_int_equal(virtual_next(b->device), 1000 * US);
	to_time(b, 1000);
	assert_int_equal(b->lab.threads[0].result, -ETIME);
	end_stop_bench(b);
}

TEST(steps)
{
	struct stop_bench *b = begin_stop_bench();
	unsigned n = 0;

	submit_batch(b, I915_EXEC_RENDER, true);
	to_time(b, 100);
	virtual_stop(b->device, 100 * US, true);
	submit_batch(b, I915_EXEC_BLT, false);
	to_time(b, 200);
	while (b->model.rows[1].end == NSEC_NEVER && n++ < 10)
		assert_int_equal(virtual_step(b->device, 200 * US), SIM_RAN);
	expect_row(b, 1, true, true);
	/* Still stopped, at the clock's time. */
	submit_batch(b, I915_EXEC_BLT, false);
	to_time(b, 5000);
	expect_row(b, 2, false, false);
	end_stop_bench(b);
}

TEST(steps_of_an_idle_gpu)
{
	struct stop_bench *b = begin_stop_bench();

	to_time(b, 10);
	virtual_stop(b->device, 10 * US, true);
	while (virtual_step(b->device, 20 * US) == SIM_RAN)
		continue;
	to_time(b, 30);
	end_stop_bench(b);
}

TEST(a_priority_of_the_user_holds)
{
	struct stop_bench *b = begin_stop_bench();
	uint32_t id = uapi_context(&b->lab, b->fd);
	struct context *c;

	assert_int_equal(uapi_set_param(&b->lab, b->fd, id,
			     I915_CONTEXT_PARAM_PRIORITY, 0, 5),
	    0);
	submit_batch_of(b, id, I915_EXEC_BLT, false);
	c = client_find_context(b->model.sim->clients[0], id);
	assert_int_equal(c->priority, 5);
	c->priority = 100;
	assert_int_equal(uapi_set_param(&b->lab, b->fd, id,
			     I915_CONTEXT_PARAM_BANNABLE, 0, 1),
	    0);
	assert_int_equal(c->priority, 100);
	assert_int_equal(uapi_set_param(&b->lab, b->fd, id,
			     I915_CONTEXT_PARAM_PRIORITY, 0, 6),
	    0);
	assert_int_equal(c->priority, 6);
	end_stop_bench(b);
}
