/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The virtual i915 on the model (doc/model/virtual.md): calls of a program at
 * one end, requests of the simulation at the other, and command streams between
 * them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "device/model/virtual.h"
#include "device/tree/tree.h"
#include "engine/client/client.h"
#include "tests/support/i915_lab.h"
#include "tests/support/lab.h"

#define US        NSEC_PER_USEC
#define PINNED    (EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS)
#define BATCH_END 0x05000000u
#define BLIT      I915_EXEC_BLT
#define RENDER    I915_EXEC_RENDER

struct bench {
	struct lab model;
	struct i915_lab lab;
	struct virtual_device *device;
	int fd;
	uint64_t next; /* free address */
};

/* A batch in an object of its own. */
struct code {
	uint32_t handle;
	uint64_t address;
	uint32_t dwords[256];
	unsigned n;
};

/* Makes the device of b's model, and opens it. */
static void
open_bench(struct bench *b)
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

static struct bench *
start_on(const char *sched)
{
	struct bench *b = calloc(1, sizeof *b);

	lab_init(&b->model, sched);
	b->model.config.profile.clock_hz = NSEC_PER_SEC;
	b->model.config.profile.heartbeat_ns = 10 * NSEC_PER_MSEC;
	b->model.config.profile.preempt_timeout_ns = 5 * NSEC_PER_MSEC;
	b->model.config.profile.preempt_timeout_compute_ns = 5 * NSEC_PER_MSEC;
	open_bench(b);
	return b;
}

static void
finish_bench(struct bench *b)
{
	virtual_free(b->device);
	b->lab.dev = NULL;
	i915_lab_free(&b->lab);
	lab_free(&b->model);
	free(b);
}

static void
run_to(struct bench *b, uint64_t us)
{
	assert_int_equal(virtual_advance(b->device, us * US), us * US);
}

static void
write_object(
    struct bench *b, uint32_t handle, uint64_t at, const void *data, size_t n)
{
	struct drm_i915_gem_pwrite arg = {.handle = handle,
	    .offset = at,
	    .size = n,
	    .data_ptr = (uintptr_t)data};

	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GEM_PWRITE, &arg), 0);
}

static uint32_t
read_object(struct bench *b, uint32_t handle, uint64_t at)
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

static struct code
new_code(struct bench *b)
{
	struct code c = {
	    .handle = uapi_create(&b->lab, b->fd, 4096), .address = b->next};

	b->next += 1 << 16;
	return c;
}

static void
emit(struct code *c, uint32_t dword)
{
	c->dwords[c->n++] = dword;
}

static void
emit_list(struct code *c, const uint32_t *dwords, size_t n)
{
	for (size_t i = 0; i < n; i++)
		emit(c, dwords[i]);
}

#define EMIT(c, ...)                                                           \
	emit_list(c, (const uint32_t[]){__VA_ARGS__},                          \
	    sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define ADDRESS(a) (uint32_t)(a), (uint32_t)((uint64_t)(a) >> 32)

/* The loop of gem_wsim for us, with preemption points. */
static struct code
wsim_code(struct bench *b, uint32_t us, bool preemptible)
{
	struct code c = new_code(b);
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
	write_object(b, c.handle, 0, c.dwords, c.n * 4);
	return c;
}

/* A batch that jumps to itself until its first dword is an end. */
static struct code
spin_code(struct bench *b)
{
	struct code c = new_code(b);

	EMIT(&c, 0x02800000, 0x18800101, ADDRESS(c.address));
	write_object(b, c.handle, 0, c.dwords, c.n * 4);
	return c;
}

/* Stores the end over its first command, through a mapping: PWRITE waits. */
static void
end_spin(struct bench *b, const struct code *c)
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
	*(volatile uint32_t *)code = BATCH_END;
	munmap(code, 4096);
	close(b->lab.threads[0].fd);
	b->lab.threads[0].fd = -1;
}

static int
submit_with(struct bench *b, const struct code *c, uint32_t context,
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

static int
submit(struct bench *b, const struct code *c, uint32_t context, uint64_t flags)
{
	return submit_with(b, c, context, flags, 0, 0, false);
}

/* Compares the start and the end (us) of request i; -1: not yet. */
static void
expect_times(const struct bench *b, size_t i, int64_t begin, int64_t end)
{
	const struct lab_row *row = &b->model.rows[i];
	int64_t times[] = {
	    row->start == NSEC_NEVER ? -1 : (int64_t)(row->start / US),
	    row->end == NSEC_NEVER ? -1 : (int64_t)(row->end / US)};

	assert_true(i < b->model.n_rows);
	assert_int_equal(times[0], begin);
	assert_int_equal(times[1], end);
}

static const char *const schedulers[] = {"fifo", "execlists", "drm", "guc"};
#define N_SCHEDULERS (sizeof schedulers / sizeof *schedulers)

/* "Batches": gem_wsim's loop takes its time; the program is a client. */
static void
test_a_loop_takes_its_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		struct bench *b = start_on(schedulers[i]);
		struct code c = wsim_code(b, 300, true);
		const struct client *client;

		assert_int_equal(submit(b, &c, 0, RENDER), 0);
		run_to(b, 299);
		expect_times(b, 0, 0, -1);
		run_to(b, 400);
		assert_int_equal(b->model.rows[0].end, 300 * US);
		assert_int_equal(b->model.rows[0].error, 0);
		client = b->model.sim->clients[0];
		assert_string_equal(client->name, "lab");
		assert_int_equal(client->pid, 4711);
		assert_int_equal(virtual_next(b->device), NSEC_NEVER);
		finish_bench(b);
	}
}

static void
test_contexts_run_in_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		struct bench *b = start_on(schedulers[i]);
		struct code first = wsim_code(b, 100, false);
		struct code second = wsim_code(b, 50, false);

		submit(b, &first, 0, RENDER);
		submit(b, &second, uapi_context(&b->lab, b->fd), RENDER);
		submit(b, &second, 0, BLIT);
		run_to(b, 1000);
		expect_times(b, 0, 0, 100);
		expect_times(b, 1, 100, 150);
		finish_bench(b);
	}
}

static void
test_fences(void **state)
{
	struct bench *b = start_on("execlists");
	struct code first = wsim_code(b, 100, true);
	struct code second = wsim_code(b, 50, true);
	int fence = submit(b, &first, 0, RENDER | I915_EXEC_FENCE_OUT);

	(void)state;
	assert_true(fence > 0);
	assert_int_equal(submit_with(b, &second, 0, BLIT | I915_EXEC_FENCE_IN,
			     fence, 0, false),
	    0);
	run_to(b, 99);
	assert_false(uapi_fd(&b->lab, fence)->readable);
	run_to(b, 100);
	assert_true(uapi_fd(&b->lab, fence)->readable);
	run_to(b, 1000);
	expect_times(b, 0, 0, 100);
	expect_times(b, 1, 100, 150);
	finish_bench(b);
}

static void
test_objects_order_engines(void **state)
{
	struct bench *b = start_on("execlists");
	struct code first = wsim_code(b, 100, true);
	struct code second = wsim_code(b, 50, true);
	struct code third = wsim_code(b, 10, true);
	uint32_t data = uapi_create(&b->lab, b->fd, 4096);

	(void)state;
	submit_with(b, &first, 0, RENDER, 0, data, true);
	submit_with(b, &second, 0, BLIT, 0, data, false);
	submit_with(b, &third, 0, I915_EXEC_VEBOX, 0, data, false);
	run_to(b, 1000);
	expect_times(b, 0, 0, 100);
	expect_times(b, 1, 100, 150);
	expect_times(b, 2, 100, 110);
	finish_bench(b);
}

static void
test_priority_preempts(void **state)
{
	struct bench *b = start_on("execlists");
	struct code low = wsim_code(b, 1000, true);
	struct code high = wsim_code(b, 50, true);
	uint32_t context = uapi_context(&b->lab, b->fd);

	(void)state;
	assert_int_equal(uapi_set_param(&b->lab, b->fd, context,
			     I915_CONTEXT_PARAM_PRIORITY, 0, 500),
	    0);
	submit(b, &low, 0, RENDER);
	run_to(b, 150);
	submit(b, &high, context, RENDER);
	run_to(b, 2000);
	expect_times(b, 1, 200, 250);
	expect_times(b, 0, 0, 1050);
	assert_int_equal(b->model.rows[0].preemptions, 1);
	finish_bench(b);
}

/* "Batches": asked again at each call, and after 50 us. */
static void
test_a_store_ends_a_spinner(void **state)
{
	struct bench *b = start_on("execlists");
	struct code spin = spin_code(b);

	(void)state;
	submit(b, &spin, 0, RENDER);
	run_to(b, 700);
	expect_times(b, 0, 0, -1);
	assert_in_range(virtual_next(b->device), 700 * US, 750 * US);
	end_spin(b, &spin);
	while (virtual_next(b->device) <= 760 * US)
		run_to(b, virtual_next(b->device) / US);
	assert_in_range(b->model.rows[0].end, 700 * US, 750 * US);
	assert_int_equal(b->model.rows[0].error, 0);
	finish_bench(b);
}

/* What a batch stores ends the wait of another at once. */
static void
test_a_batch_ends_the_wait_of_another(void **state)
{
	struct bench *b = start_on("execlists");
	uint32_t data = uapi_create(&b->lab, b->fd, 4096);
	struct code waits = new_code(b), stores = new_code(b);
	struct drm_i915_gem_exec_object2 objects[2] = {{.handle = data,
	    .offset = 1u << 30,
	    .flags = PINNED | EXEC_OBJECT_ASYNC}};

	(void)state;
	/* MI_SEMAPHORE_WAIT: polls until it equals 1. */
	EMIT(&waits, 0x0e000002 | 1u << 15 | 4u << 12, 1, ADDRESS(1u << 30),
	    BATCH_END);
	write_object(b, waits.handle, 0, waits.dwords, waits.n * 4);
	objects[1] = (struct drm_i915_gem_exec_object2){
	    .handle = waits.handle, .offset = waits.address, .flags = PINNED};
	assert_int_equal(uapi_submit(&b->lab, b->fd, 0, RENDER, objects, 2), 0);
	EMIT(&stores, 0x10000002, ADDRESS(1u << 30), 1, BATCH_END);
	run_to(b, 321);
	expect_times(b, 0, 0, -1);
	write_object(b, stores.handle, 0, stores.dwords, stores.n * 4);
	objects[1] = (struct drm_i915_gem_exec_object2){
	    .handle = stores.handle, .offset = stores.address, .flags = PINNED};
	assert_int_equal(uapi_submit(&b->lab, b->fd, 0, BLIT, objects, 2), 0);
	run_to(b, 330);
	assert_int_equal(read_object(b, data, 0), 1);
	expect_times(b, 1, 321, 321);
	expect_times(b, 0, 0, 321);
	finish_bench(b);
}

static struct drm_i915_reset_stats
reset_stats(struct bench *b, uint32_t context)
{
	struct drm_i915_reset_stats arg = {.ctx_id = context};

	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GET_RESET_STATS, &arg),
	    0);
	return arg;
}

/* "Faults": a batch that runs wild hangs its engine, which is reset. */
static void
test_a_wild_batch_is_reset(void **state)
{
	struct bench *b = start_on("execlists");
	struct code wild = new_code(b), good = wsim_code(b, 100, true);
	uint32_t context = uapi_context(&b->lab, b->fd);

	(void)state;
	EMIT(&wild, 0x18800101, ADDRESS(UINT64_C(0x700000000000)));
	write_object(b, wild.handle, 0, wild.dwords, wild.n * 4);
	assert_int_equal(submit(b, &wild, context, RENDER), 0);
	assert_int_equal(submit(b, &good, 0, RENDER), 0);
	run_to(b, 1000000);
	assert_int_equal(b->model.hung, 1);
	assert_int_equal(b->model.rows[0].error, -EIO);
	assert_int_equal(b->model.rows[1].error, 0);
	assert_int_equal(
	    b->model.rows[1].end - b->model.rows[1].start, 100 * US);
	assert_int_equal(reset_stats(b, context).batch_active, 1);
	assert_int_equal(reset_stats(b, 0).batch_active, 0);
	/* Three hangs ban the context. */
	for (unsigned i = 2; i <= 3; i++) {
		assert_int_equal(submit(b, &wild, context, RENDER), 0);
		run_to(b, i * 1000000);
	}
	assert_int_equal(b->model.hung, 3);
	assert_int_equal(submit(b, &wild, context, RENDER), -EIO);
	finish_bench(b);
}

/* A reset of the whole GPU lets innocent batches begin again. */
static void
test_innocent_batches_begin_again(void **state)
{
	struct bench *b = start_on("execlists");
	struct code wild = new_code(b), good = wsim_code(b, 900000, true);
	uint32_t context = uapi_context(&b->lab, b->fd);
	const struct lab_row *row;

	(void)state;
	b->model.sim->config.profile.engine_reset = 0;
	EMIT(&wild, 0x18800101, ADDRESS(UINT64_C(0x700000000000)));
	write_object(b, wild.handle, 0, wild.dwords, wild.n * 4);
	assert_int_equal(submit(b, &good, context, BLIT), 0);
	assert_int_equal(submit(b, &wild, 0, RENDER), 0);
	run_to(b, 3000000);
	assert_int_equal(b->model.hung, 1);
	row = &b->model.rows[0];
	assert_int_equal(row->error, 0);
	assert_true(row->end > 900000 * US);
	assert_int_equal(row->run, 900000 * US);
	assert_int_equal(reset_stats(b, context).batch_pending, 1);
	assert_int_equal(reset_stats(b, 0).batch_active, 1);
	finish_bench(b);
}

/* Files that are closed, with requests in flight. */
static void
test_the_end_of_a_program(void **state)
{
	struct bench *b = start_on("execlists");
	struct code c = wsim_code(b, 100, true), spin = spin_code(b);

	(void)state;
	submit(b, &c, 0, RENDER);
	submit(b, &c, 0, RENDER);
	submit(b, &spin, 0, BLIT);
	run_to(b, 50);
	uapi_close(&b->lab, b->fd);
	run_to(b, 1000);
	expect_times(b, 1, 100, 200);
	assert_int_equal(b->model.rows[2].end, NSEC_NEVER);
	finish_bench(b);
}

static void
add_times(struct bench *b, struct text *out)
{
	for (size_t i = 0; i < b->model.n_rows; i++)
		text_addf(out, "%s %llu %llu\n", b->model.rows[i].engine,
		    (unsigned long long)b->model.rows[i].start,
		    (unsigned long long)b->model.rows[i].end);
}

/* The same calls at the same times give the same run. */
static void
test_runs_are_equal(void **state)
{
	struct text runs[2] = {{0}};

	(void)state;
	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		for (unsigned k = 0; k < 2; k++) {
			struct bench *b = start_on(schedulers[i]);
			uint32_t other = uapi_context(&b->lab, b->fd);

			text_clear(&runs[k]);
			for (uint32_t j = 0; j < 40; j++) {
				struct code c = wsim_code(
				    b, 20 + j * 7 % 90, j % 3 > 0);

				submit(b, &c, j % 5 > 2 ? other : 0,
				    j % 2 > 0 ? RENDER : BLIT);
				run_to(b, (j + 1) * 37);
			}
			run_to(b, 10000);
			add_times(b, &runs[k]);
			finish_bench(b);
		}
		assert_string_equal(text_str(&runs[0]), text_str(&runs[1]));
	}
	text_free(&runs[0]);
	text_free(&runs[1]);
}

static int
param_of(struct bench *b, int param)
{
	int value = 0;
	struct drm_i915_getparam arg = {.param = param, .value = &value};
	int rc = uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GETPARAM, &arg);

	return rc == 0 ? value : rc;
}

/* Bytes of the topology, or the error of the query. */
static int
topology_of(struct bench *b)
{
	struct drm_i915_query_item item = {
	    .query_id = DRM_I915_QUERY_TOPOLOGY_INFO};
	struct drm_i915_query arg = {
	    .num_items = 1, .items_ptr = (uintptr_t)&item};

	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_QUERY, &arg), 0);
	return item.length;
}

#define GUC_CAPS                                                               \
	(I915_SCHEDULER_CAP_ENABLED | I915_SCHEDULER_CAP_PRIORITY |            \
	    I915_SCHEDULER_CAP_PREEMPTION |                                    \
	    I915_SCHEDULER_CAP_ENGINE_BUSY_STATS |                             \
	    I915_SCHEDULER_CAP_STATIC_PRIORITY_MAP)

/* "Devices": the id, scheduler, clock, PPGTT, SSEU and topology of profiles
 * under schedulers; and what of them is refused. */
static void
test_profiles(void **state)
{
	static const struct {
		const char *profile, *sched;
		int pci_id, caps, clock, ppgtt, topology;
		int sseu, priority; /* of setting them */
	} rows[] = {
	    {"ideal", "fifo", 0x9a49, 0x1f, 1000000000, 3, 56, -EINVAL, 0},
	    {"ideal", "drm", 0x9a49, 0x1f, 1000000000, 3, 56, -EINVAL, 0},
	    {"ideal", "guc", 0x9a49, GUC_CAPS, 1000000000, 3, 56, -EINVAL, 0},
	    {"default", "execlists", 0x9a49, 0x1f, 19200000, 3, 56, -EINVAL, 0},
	    {"tgl", "execlists", 0x9a49, 0x1f, 19200000, 3, 30, -ENODEV, 0},
	    {"icl", "execlists", 0x8a52, 0x1f, 12000000, 3, 26, -EINVAL, 0},
	    {"kbl-gt2", "execlists", 0x5916, 0x1f, 12000000, 3, 21, -ENODEV, 0},
	    {"bdw-gt2", "execlists", 0x1616, 0x1b, 12500000, 3, 21, -ENODEV, 0},
	    {"ivb-gt2", "fifo", 0x0166, 0, 12500000, 1, -ENODEV, -ENODEV,
		-ENODEV},
	    {"adl-p", "guc", 0x46a6, GUC_CAPS, 19200000, 3, 30, -ENODEV, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct drm_i915_gem_context_param_sseu no_slices = {0};
		struct bench *b = calloc(1, sizeof *b);
		struct text err = {0};

		lab_init(&b->model, rows[i].sched);
		assert_true(profile_load(
		    &b->model.config.profile, rows[i].profile, &err));
		open_bench(b);
		assert_int_equal(
		    param_of(b, I915_PARAM_CHIPSET_ID), rows[i].pci_id);
		assert_int_equal(
		    param_of(b, I915_PARAM_HAS_SCHEDULER), rows[i].caps);
		assert_int_equal(param_of(b, I915_PARAM_CS_TIMESTAMP_FREQUENCY),
		    rows[i].clock);
		assert_int_equal(
		    param_of(b, I915_PARAM_HAS_ALIASING_PPGTT), rows[i].ppgtt);
		assert_int_equal(topology_of(b), rows[i].topology);
		assert_int_equal(
		    uapi_set_param(&b->lab, b->fd, 0, I915_CONTEXT_PARAM_SSEU,
			sizeof no_slices, (uintptr_t)&no_slices),
		    rows[i].sseu);
		assert_int_equal(uapi_set_param(&b->lab, b->fd, 0,
				     I915_CONTEXT_PARAM_PRIORITY, 0, 0),
		    rows[i].priority);
		finish_bench(b);
	}
}

/* "Devices": what programs see of it. */
static void
test_what_programs_see(void **state)
{
	struct bench *b = start_on("execlists");
	struct tree_device tree;
	struct text err = {0};

	(void)state;
	assert_int_equal(param_of(b, I915_PARAM_CHIPSET_ID), 0x9a49);
	assert_true(virtual_tree(b->device, &tree, &err));
	assert_int_equal(tree.pci_id, 0x9a49);
	assert_string_equal(tree.engines[0].name, "rcs0");
	assert_int_equal(tree.engines[0].mmio_base, 0x2000);
	assert_string_equal(tree.engines[tree.n_engines - 1].name, "ccs0");
	finish_bench(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_loop_takes_its_time),
	    cmocka_unit_test(test_contexts_run_in_order),
	    cmocka_unit_test(test_fences),
	    cmocka_unit_test(test_objects_order_engines),
	    cmocka_unit_test(test_priority_preempts),
	    cmocka_unit_test(test_a_store_ends_a_spinner),
	    cmocka_unit_test(test_a_batch_ends_the_wait_of_another),
	    cmocka_unit_test(test_a_wild_batch_is_reset),
	    cmocka_unit_test(test_innocent_batches_begin_again),
	    cmocka_unit_test(test_the_end_of_a_program),
	    cmocka_unit_test(test_runs_are_equal),
	    cmocka_unit_test(test_profiles),
	    cmocka_unit_test(test_what_programs_see),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
