/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts of programs that are closed while a batch loops for ever
 * (doc/model/outside.md "Closed contexts"), and requests that are cancelled: a
 * batch with preemption points leaves at the next one, another one is reset.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "tests/runner/test.h"
#include "tests/support/device_rig.h"

#define MS NSEC_PER_MSEC

/* A Tiger Lake, with its timeouts. */
static struct rig *
start(const char *sched)
{
	struct rig *b = calloc(1, sizeof *b);
	struct text err = {0};

	lab_init(&b->model, sched);
	assert_true(profile_load(&b->model.config.profile, "tgl", &err));
	b->model.config.profile.heartbeat_ns = 60 * NSEC_PER_SEC;
	rig_open(b);
	return b;
}

/* Makes a batch that jumps to itself, and may store in each turn. */
static struct code
hog(struct rig *b, bool stores)
{
	struct code c = rig_code(b);

	if (stores)
		EMIT(&c, 0x12000002, 0x2358, ADDRESS(c.address + 256));
	EMIT(&c, 0x18800101, ADDRESS(c.address));
	rig_write(b, c.handle, 0, c.dwords, (size_t)c.n * 4);
	return c;
}

static void
destroy(struct rig *b, uint32_t context)
{
	struct drm_i915_gem_context_destroy arg = {.ctx_id = context};

	assert_int_equal(uapi_ioctl(&b->lab, b->fd,
			     DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &arg),
	    0);
}

/* Closes a context 5 ms after its endless batch began, with another program's
 * batch behind it. Returns when it ended, in ms after that, rounded down; UINT64_MAX: it goes on. */
static uint64_t
close_time(const char *sched, uint64_t ring, bool points, bool persistent)
{
	struct rig *b = start(sched);
	struct code wild = points ? rig_spin(b) : hog(b, false);
	struct code other;
	uint32_t context = uapi_context(&b->lab, b->fd);
	nsec end;

	assert_int_equal(uapi_set_param(&b->lab, b->fd, context,
			     I915_CONTEXT_PARAM_PERSISTENCE, 0, persistent),
	    0);
	rig_submit(b, &wild, context, ring);
	rig_run_to(b, 5000);
	destroy(b, context);
	b->fd = uapi_open(&b->lab, 0, "dev/dri/renderD128");
	other = rig_wsim(b, 100, true);
	rig_submit(b, &other, 0, ring);
	rig_run_to(b, 10000000);
	end = b->model.rows[0].end;
	if (!persistent) {
		assert_int_equal(b->model.rows[0].error, -EIO);
		assert_int_equal(b->model.rows[1].error, 0);
		assert_int_not_equal(b->model.rows[1].end, NSEC_NEVER);
		assert_int_equal(b->model.hung, points ? 0 : 1);
		if (!points)
			assert_int_equal(b->model.hang.cause, HANG_REVOKED);
	}
	rig_finish(b);
	return end == NSEC_NEVER ? UINT64_MAX : (end - 5 * MS) / MS;
}

/* The preempt timeout of RCS is 7.5 s on generation 12, that of others 640 ms
 * (doc/model/hangs.md "Numbers"); it may end a jiffy later. */
TEST(a_closed_context_is_reset)
{
	static const char *const schedulers[] = {"execlists", "guc"};

	for (size_t i = 0; i < 2; i++) {
		const char *sched = schedulers[i];

		assert_in_range(
		    close_time(sched, RENDER, false, false), 7500, 7504);
		assert_in_range(
		    close_time(sched, BLIT, false, false), 640, 644);
		assert_int_equal(close_time(sched, RENDER, true, false), 0);
		assert_int_equal(
		    close_time(sched, RENDER, true, true), UINT64_MAX);
	}
}

/* doc/model/virtual.md "Stops": a device that had no processor for 5 s does not find
 * hangs for that; one of which the clock is asked for does. */
TEST(a_stall_is_no_hang)
{
	for (unsigned stalled = 0; stalled < 2; stalled++) {
		struct rig *b = start("execlists");
		struct code wild = hog(b, false), other;
		uint32_t context = uapi_context(&b->lab, b->fd);

		assert_int_equal(rig_submit(b, &wild, context, BLIT), 0);
		other = rig_wsim(b, 100, true);
		assert_int_equal(rig_submit(b, &other, 0, BLIT), 0);
		rig_run_to(b, 20000);
		if (stalled)
			virtual_forget_stall(b->device, 5000 * MS);
		rig_run_to(b, 5000000);
		assert_int_equal(b->model.hung, !stalled);
		/* The GPU's time was 100 ms, the programs' 5 s. */
		if (stalled)
			assert_in_range(b->model.sim->now, 120 * MS, 121 * MS);
		assert_int_equal(virtual_now(b->device), 5000 * MS);
		rig_run_to(b, 7000000);
		assert_int_equal(b->model.hung, 1);
		rig_finish(b);
	}
}

/* doc/model/hangs.md "Watchdog": a cancelled request has 1 ms to leave. */
TEST(a_cancelled_request_is_reset)
{
	for (unsigned i = 0; i < 3; i++) {
		bool points = i == 2;
		struct rig *b = calloc(1, sizeof *b);
		struct code wild;
		struct drm_i915_reset_stats stats = {0};

		lab_init(&b->model, "execlists");
		b->model.config.profile.request_timeout_ns = 20 * MS;
		rig_open(b);
		wild = points ? rig_spin(b) : hog(b, i == 1);
		rig_submit(b, &wild, 0, RENDER);
		rig_run_to(b, 100000);
		assert_int_equal(b->model.rows[0].error, -EINTR);
		assert_int_equal(b->model.hung, !points);
		assert_int_equal(b->model.rows[0].end, (points ? 20 : 21) * MS);
		assert_int_equal(uapi_ioctl(&b->lab, b->fd,
				     DRM_IOCTL_I915_GET_RESET_STATS, &stats),
		    0);
		assert_int_equal(stats.batch_active, !points);
		rig_finish(b);
	}
}
