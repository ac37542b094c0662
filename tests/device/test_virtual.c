/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The virtual i915 on the model (doc/model/virtual.md): calls of a program at
 * one end, requests of the simulation at the other, and command streams between
 * them.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/text.h"
#include "engine/backend.h"
#include "engine/client/client.h"
#include "engine/explain/trail.h"
#include "engine/explain/why.h"
#include "tests/runner/test.h"
#include "tests/support/device_rig.h"

#define CREATE_SW_FENCE _IOWR(SW_SYNC_MAGIC, 0, struct sw_sync_create_fence)

/* Compares the start and the end (us) of request i; -1: not yet. */
static void
expect_times(const struct rig *b, size_t i, int64_t begin, int64_t end)
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

/* doc/model/virtual.md "Batches": the first batch of a context finds a count above
 * 0, by which programs know that the register is there. */
TEST(context_time_begins_above_0)
{
	struct rig *b = rig_start("execlists");
	struct code c = rig_code(b);

	EMIT(&c, 0x12000002, 0x23a8, ADDRESS(c.address + 256), BATCH_END);
	rig_write(b, c.handle, 0, c.dwords, (size_t)c.n * 4);
	assert_int_equal(rig_submit(b, &c, 0, RENDER), 0);
	rig_run_to(b, 1000);
	assert_int_not_equal(rig_read(b, c.handle, 256), 0);
	rig_finish(b);
}

/* "Batches": gem_wsim's loop takes its time; the program is a client. */
TEST(a_loop_takes_its_time)
{
	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		struct rig *b = rig_start(schedulers[i]);
		struct code c = rig_wsim(b, 300, true);
		const struct client *client;

		assert_int_equal(rig_submit(b, &c, 0, RENDER), 0);
		rig_run_to(b, 299);
		expect_times(b, 0, 0, -1);
		rig_run_to(b, 400);
		assert_int_equal(b->model.rows[0].end, 300 * US);
		assert_int_equal(b->model.rows[0].error, 0);
		client = b->model.sim->clients[0];
		assert_string_equal(client->name, "lab");
		assert_int_equal(client->pid, 4711);
		assert_int_equal(virtual_next(b->device), NSEC_NEVER);
		rig_finish(b);
	}
}

/* "Speed": also of a batch that runs; the clock goes on as before. */
TEST(speed)
{
	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		struct rig *b = rig_start(schedulers[i]);
		struct code c = rig_wsim(b, 400, true);

		backend_set_speed(b->model.sim, 4);
		rig_submit(b, &c, 0, RENDER);
		rig_run_to(b, 300);
		expect_times(b, 0, 0, 100);
		rig_submit(b, &c, 0, RENDER);
		rig_run_to(b, 350);
		backend_set_speed(b->model.sim, 0.5);
		rig_run_to(b, 1000);
		expect_times(b, 1, 300, 750);
		backend_set_speed(b->model.sim, 1);
		rig_submit(b, &c, 0, RENDER);
		rig_run_to(b, 2000);
		expect_times(b, 2, 1000, 1400);
		/* It ends within a ns. */
		backend_set_speed(b->model.sim, 3);
		rig_submit(b, &c, 0, RENDER);
		rig_run_to(b, 3000);
		expect_times(b, 3, 2000, 2133);
		backend_set_speed(b->model.sim, 999.999);
		rig_submit(b, &c, 0, RENDER);
		rig_run_to(b, 4000);
		expect_times(b, 4, 3000, 3000);
		rig_finish(b);
	}
}

/* Runs the device to us whenever it wants to. Returns how often that was. */
static unsigned
wakes_until(struct rig *b, uint64_t us)
{
	unsigned n = 0;

	for (; virtual_next(b->device) <= us * US; n++)
		virtual_advance(b->device, virtual_next(b->device));
	return n;
}

/* "Batches": a batch that waits is asked less and less often, also one that
 * stores in each turn; a call of a program begins anew, and it sees all. */
TEST(spinners_are_asked_less_often)
{
	for (size_t i = 0; i < 2 * N_SCHEDULERS; i++) {
		struct rig *b = rig_start(schedulers[i / 2]);
		struct code c = rig_code(b);

		if (i % 2)
			EMIT(&c, 0x12000002, 0x2358, ADDRESS(c.address + 256));
		EMIT(&c, 0x02800000, 0x18800101, ADDRESS(c.address));
		rig_write(b, c.handle, 0, c.dwords, c.n * 4);
		rig_submit(b, &c, 0, RENDER);
		assert_in_range(wakes_until(b, 1000), 18, 24);
		wakes_until(b, 90000);
		assert_in_range(wakes_until(b, 100000), 9, 14);
		rig_end_spin(b, &c);
		wakes_until(b, 100050);
		assert_in_range(b->model.rows[0].end, 99000 * US, 100050 * US);
		rig_finish(b);
	}
}

static struct rig *
start_with_costs(void)
{
	struct rig *b = calloc(1, sizeof *b);

	lab_init(&b->model, "execlists");
	b->model.config.profile.command_ns = 10;
	rig_open(b);
	return b;
}

/* "Batches": also where commands take time, the device has nothing to do for loops that
 * wait and store; each ends at once, and the call that follows the store sees that. */
TEST(loops_that_store_and_wait)
{
	static const unsigned engines[] = {RENDER, BLIT};
	struct rig *b = start_with_costs();
	struct code codes[2];

	for (unsigned i = 0; i < 2; i++) {
		struct code *c = &codes[i];

		*c = rig_code(b);
		EMIT(c, 0x02800000);
		EMIT(c, 0x12000002, i == 0 ? 0x2358 : 0x22358,
		    ADDRESS(c->address + 256));
		EMIT(c, 0x18800101, ADDRESS(c->address));
		rig_write(b, c->handle, 0, c->dwords, c->n * 4);
		rig_submit(b, c, 0, engines[i]);
	}
	assert_in_range(wakes_until(b, 1000), 18, 48);
	for (unsigned i = 0; i < 2; i++) {
		struct drm_i915_gem_wait wait = {.bo_handle = codes[i].handle};

		rig_end_spin(b, &codes[i]);
		assert_int_equal(
		    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GEM_WAIT, &wait),
		    0);
	}
	assert_int_equal(b->model.rows[0].end, b->model.rows[1].end);
	rig_finish(b);
}

/* "Preemption" of streamer.md: a batch cannot be preempted at its end. A hog without
 * points, whose slice is over, stores what it is to store when it goes on. */
TEST(no_batch_is_preempted_at_its_end)
{
	struct rig *b = start_with_costs();
	struct code hog = rig_code(b), other;

	EMIT(&hog, 0x18800101, ADDRESS(hog.address));
	EMIT(&hog, 0x10000002, ADDRESS(hog.address + 256), 7, 0, 0, BATCH_END);
	rig_write(b, hog.handle, 0, hog.dwords, hog.n * 4);
	other = rig_wsim(b, 100, true);
	rig_submit(b, &hog, 0, RENDER);
	rig_submit(b, &other, uapi_context(&b->lab, b->fd), RENDER);
	rig_run_to(b, 1500);
	rig_store(b, &hog, 0);
	rig_run_to(b, 1600);
	assert_int_equal(b->model.rows[0].preemptions, 0);
	rig_finish(b);
}

TEST(contexts_run_in_order)
{
	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		struct rig *b = rig_start(schedulers[i]);
		struct code first = rig_wsim(b, 100, false);
		struct code second = rig_wsim(b, 50, false);

		rig_submit(b, &first, 0, RENDER);
		rig_submit(b, &second, uapi_context(&b->lab, b->fd), RENDER);
		rig_submit(b, &second, 0, BLIT);
		rig_run_to(b, 1000);
		expect_times(b, 0, 0, 100);
		expect_times(b, 1, 100, 150);
		rig_finish(b);
	}
}

TEST(fences)
{
	struct rig *b = rig_start("execlists");
	struct code first = rig_wsim(b, 100, true);
	struct code second = rig_wsim(b, 50, true);
	int fence = rig_submit(b, &first, 0, RENDER | I915_EXEC_FENCE_OUT);

	assert_true(fence > 0);
	assert_int_equal(rig_submit_with(b, &second, 0,
			     BLIT | I915_EXEC_FENCE_IN, fence, 0, false),
	    0);
	rig_run_to(b, 99);
	assert_false(uapi_fd(&b->lab, fence)->readable);
	rig_run_to(b, 100);
	assert_true(uapi_fd(&b->lab, fence)->readable);
	rig_run_to(b, 1000);
	expect_times(b, 0, 0, 100);
	expect_times(b, 1, 100, 150);
	rig_finish(b);
}

TEST(objects_order_engines)
{
	struct rig *b = rig_start("execlists");
	struct code first = rig_wsim(b, 100, true);
	struct code second = rig_wsim(b, 50, true);
	struct code third = rig_wsim(b, 10, true);
	uint32_t data = uapi_create(&b->lab, b->fd, 4096);

	rig_submit_with(b, &first, 0, RENDER, 0, data, true);
	rig_submit_with(b, &second, 0, BLIT, 0, data, false);
	rig_submit_with(b, &third, 0, I915_EXEC_VEBOX, 0, data, false);
	rig_run_to(b, 1000);
	expect_times(b, 0, 0, 100);
	expect_times(b, 1, 100, 150);
	expect_times(b, 2, 100, 110);
	rig_finish(b);
}

TEST(priority_preempts)
{
	struct rig *b = rig_start("execlists");
	struct code low = rig_wsim(b, 1000, true);
	struct code high = rig_wsim(b, 50, true);
	uint32_t context = uapi_context(&b->lab, b->fd);

	assert_int_equal(uapi_set_param(&b->lab, b->fd, context,
			     I915_CONTEXT_PARAM_PRIORITY, 0, 500),
	    0);
	rig_submit(b, &low, 0, RENDER);
	rig_run_to(b, 150);
	rig_submit(b, &high, context, RENDER);
	rig_run_to(b, 2000);
	expect_times(b, 1, 200, 250);
	expect_times(b, 0, 0, 1050);
	assert_int_equal(b->model.rows[0].preemptions, 1);
	rig_finish(b);
}

/* "Batches": asked again at each call, and after 50 us. */
TEST(a_store_ends_a_spinner)
{
	struct rig *b = rig_start("execlists");
	struct code spin = rig_spin(b);

	rig_submit(b, &spin, 0, RENDER);
	rig_run_to(b, 700);
	expect_times(b, 0, 0, -1);
	assert_in_range(virtual_next(b->device), 700 * US, 750 * US);
	rig_end_spin(b, &spin);
	while (virtual_next(b->device) <= 760 * US)
		rig_run_to(b, virtual_next(b->device) / US);
	assert_in_range(b->model.rows[0].end, 700 * US, 750 * US);
	assert_int_equal(b->model.rows[0].error, 0);
	rig_finish(b);
}

/* Compares the last row of the answer to why the request takes so long. */
static void
expect_why(struct rig *b, const struct trail *t, uint64_t request,
    const char *expected)
{
	struct why why = {0};

	assert_true(why_request(&why, t, b->model.sim, request));
	assert_string_equal(why_text(&why, why.n - 1), expected);
	why_free(&why);
}

/* A value that a batch stores ends the wait of another at once. */
TEST(a_batch_ends_the_wait_of_another)
{
	struct rig *b = rig_start("execlists");
	struct trail *trail = trail_begin(b->model.sim, 64);
	uint32_t data = uapi_create(&b->lab, b->fd, 4096);
	struct code waits = rig_code(b), stores = rig_code(b);
	struct drm_i915_gem_exec_object2 objects[2] = {{.handle = data,
	    .offset = 1u << 30,
	    .flags = PINNED | EXEC_OBJECT_ASYNC}};

	/* MI_SEMAPHORE_WAIT: polls until it equals 1. */
	EMIT(&waits, 0x0e000002 | 1u << 15 | 4u << 12, 1, ADDRESS(1u << 30),
	    BATCH_END);
	rig_write(b, waits.handle, 0, waits.dwords, waits.n * 4);
	objects[1] = (struct drm_i915_gem_exec_object2){
	    .handle = waits.handle, .offset = waits.address, .flags = PINNED};
	assert_int_equal(uapi_submit(&b->lab, b->fd, 0, RENDER, objects, 2), 0);
	EMIT(&stores, 0x10000002, ADDRESS(1u << 30), 1, BATCH_END);
	rig_run_to(b, 321);
	expect_times(b, 0, 0, -1);
	expect_why(b, trail, 1,
	    "polls on RCS: 0x40000000: found 0x0, wanted == 0x1 "
	    "(object 1 of client 0)");
	rig_write(b, stores.handle, 0, stores.dwords, stores.n * 4);
	objects[1] = (struct drm_i915_gem_exec_object2){
	    .handle = stores.handle, .offset = stores.address, .flags = PINNED};
	assert_int_equal(uapi_submit(&b->lab, b->fd, 0, BLIT, objects, 2), 0);
	rig_run_to(b, 330);
	assert_int_equal(rig_read(b, data, 0), 1);
	expect_times(b, 1, 321, 321);
	expect_times(b, 0, 0, 321);
	assert_int_equal(
	    trail_used(trail, 0, b->model.sim->now).ns[USE_POLLING], 321 * US);
	trail_end(trail);
	rig_finish(b);
}

/* doc/model/outside.md "Dependencies": the error of a software fence travels. A
 * timeline that is closed ends its fences with ENOENT. */
TEST(errors_of_software_fences)
{
	struct rig *b = rig_start("execlists");
	struct code code = rig_wsim(b, 100, true);
	int t = uapi_open(&b->lab, 0, "dev/sw_sync");
	struct sw_sync_create_fence arg = {.value = 1, .name = "test"};

	assert_int_equal(uapi_ioctl(&b->lab, t, CREATE_SW_FENCE, &arg), 0);
	assert_int_equal(rig_submit_with(b, &code, 0,
			     RENDER | I915_EXEC_FENCE_IN, arg.fence, 0, false),
	    0);
	rig_run_to(b, 50);
	expect_times(b, 0, -1, -1);
	uapi_close(&b->lab, t);
	rig_run_to(b, 300);
	assert_int_equal(b->model.rows[0].error, -ENOENT);
	assert_int_equal(b->model.rows[0].run, 0);
	rig_finish(b);
}

static struct drm_i915_reset_stats
reset_stats(struct rig *b, uint32_t context)
{
	struct drm_i915_reset_stats arg = {.ctx_id = context};

	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GET_RESET_STATS, &arg),
	    0);
	return arg;
}

/* "Faults": a batch that runs wild hangs its engine, which is reset. */
TEST(a_wild_batch_is_reset)
{
	struct rig *b = rig_start("execlists");
	struct code wild = rig_code(b), good = rig_wsim(b, 100, true);
	uint32_t context = uapi_context(&b->lab, b->fd);

	EMIT(&wild, 0x18800101, ADDRESS(UINT64_C(0x700000000000)));
	rig_write(b, wild.handle, 0, wild.dwords, wild.n * 4);
	assert_int_equal(rig_submit(b, &wild, context, RENDER), 0);
	assert_int_equal(rig_submit(b, &good, 0, RENDER), 0);
	rig_run_to(b, 1000000);
	assert_int_equal(b->model.hung, 1);
	assert_int_equal(b->model.rows[0].error, -EIO);
	assert_int_equal(b->model.rows[1].error, 0);
	assert_int_equal(
	    b->model.rows[1].end - b->model.rows[1].start, 100 * US);
	assert_int_equal(reset_stats(b, context).batch_active, 1);
	assert_int_equal(reset_stats(b, 0).batch_active, 0);
	/* Three hangs ban the context. */
	for (unsigned i = 2; i <= 3; i++) {
		assert_int_equal(rig_submit(b, &wild, context, RENDER), 0);
		rig_run_to(b, i * 1000000);
	}
	assert_int_equal(b->model.hung, 3);
	assert_int_equal(rig_submit(b, &wild, context, RENDER), -EIO);
	rig_finish(b);
}

/* A reset of the whole GPU lets innocent batches begin again. */
TEST(innocent_batches_begin_again)
{
	struct rig *b = rig_start("execlists");
	struct code wild = rig_code(b), good = rig_wsim(b, 900000, true);
	uint32_t context = uapi_context(&b->lab, b->fd);
	const struct lab_row *row;

	b->model.sim->config.profile.engine_reset = 0;
	EMIT(&wild, 0x18800101, ADDRESS(UINT64_C(0x700000000000)));
	rig_write(b, wild.handle, 0, wild.dwords, wild.n * 4);
	assert_int_equal(rig_submit(b, &good, context, BLIT), 0);
	assert_int_equal(rig_submit(b, &wild, 0, RENDER), 0);
	rig_run_to(b, 3000000);
	assert_int_equal(b->model.hung, 1);
	row = &b->model.rows[0];
	assert_int_equal(row->error, 0);
	assert_true(row->end > 900000 * US);
	assert_int_equal(row->run, 900000 * US);
	assert_int_equal(reset_stats(b, context).batch_pending, 1);
	assert_int_equal(reset_stats(b, 0).batch_active, 1);
	rig_finish(b);
}

/* Files that are closed, with requests in flight. */
TEST(the_end_of_a_program)
{
	struct rig *b = rig_start("execlists");
	struct code c = rig_wsim(b, 100, true), spin = rig_spin(b);

	rig_submit(b, &c, 0, RENDER);
	rig_submit(b, &c, 0, RENDER);
	rig_submit(b, &spin, 0, BLIT);
	rig_run_to(b, 50);
	uapi_close(&b->lab, b->fd);
	rig_run_to(b, 1000);
	expect_times(b, 1, 100, 200);
	assert_int_equal(b->model.rows[2].end, NSEC_NEVER);
	rig_finish(b);
}

static void
add_times(struct rig *b, struct text *out)
{
	for (size_t i = 0; i < b->model.n_rows; i++)
		text_addf(out, "%s %llu %llu\n", b->model.rows[i].engine,
		    (unsigned long long)b->model.rows[i].start,
		    (unsigned long long)b->model.rows[i].end);
}

/* The same calls at the same times give the same run. */
TEST(runs_are_equal)
{
	struct text runs[2] = {{0}};

	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		for (unsigned k = 0; k < 2; k++) {
			struct rig *b = rig_start(schedulers[i]);
			uint32_t other = uapi_context(&b->lab, b->fd);

			text_clear(&runs[k]);
			for (uint32_t j = 0; j < 40; j++) {
				struct code c = rig_wsim(
				    b, 20 + j * 7 % 90, j % 3 > 0);

				rig_submit(b, &c, j % 5 > 2 ? other : 0,
				    j % 2 > 0 ? RENDER : BLIT);
				rig_run_to(b, (j + 1) * 37);
			}
			rig_run_to(b, 10000);
			add_times(b, &runs[k]);
			rig_finish(b);
		}
		assert_string_equal(text_str(&runs[0]), text_str(&runs[1]));
	}
	text_free(&runs[0]);
	text_free(&runs[1]);
}
