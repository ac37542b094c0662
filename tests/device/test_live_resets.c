/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that find and reset hangs (doc/model/i915_files.md "Live files"): hang
 * checks, heartbeats, the error state, i915_wedged, and the module's parameters.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/live_lab.h"

/* doc/model/i915_files.md "Module parameters" */
TEST(hangcheck)
{
	static const char *const off[] = {"0", "N", "off", "f"};
	static const char *const bad[] = {"", "o", "2", "-"};
	struct live_lab *s = live_open("tgl", "execlists");
	uint32_t old = uapi_context(&s->lab, s->fd), young;
	struct drm_i915_gem_context_destroy destroy = {.ctx_id = old};

	for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
		assert_true(live_write(s, HANGCHECK, "Y") > 0);
		assert_string_equal(live_text(s, HANGCHECK), "Y\n");
		assert_int_equal(
		    live_write(s, HANGCHECK, off[i]), strlen(off[i]));
		assert_string_equal(live_text(s, HANGCHECK), "N\n");
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(live_write(s, HANGCHECK, bad[i]), -EINVAL);
	/* A context loses its requests when it is closed: a loop without
	 * preemption points by a reset. */
	live_write(s, ENGINE "rcs0/preempt_timeout_ms", "100");
	live_spin(s, old);
	virtual_advance(s->device, 5 * MS);
	assert_int_equal(uapi_ioctl(&s->lab, s->fd,
			     DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy),
	    0);
	virtual_advance(s->device, 1000 * MS);
	assert_int_equal(s->model.rows[0].error, -EIO);
	assert_int_equal(s->model.hang.cause, HANG_REVOKED);
	/* None is persistent. */
	young = uapi_context(&s->lab, s->fd);
	assert_int_equal(uapi_set_param(&s->lab, s->fd, young,
			     I915_CONTEXT_PARAM_PERSISTENCE, 0, 1),
	    -EINVAL);
	assert_int_equal(live_write(s, HANGCHECK, "1"), 1);
	assert_int_equal(uapi_set_param(&s->lab, s->fd, young,
			     I915_CONTEXT_PARAM_PERSISTENCE, 0, 1),
	    0);
	live_close(s);
}

/* Without hang checks there are no heartbeats: a loop without preemption points
 * goes on. With them it is found again. */
TEST(no_heartbeats)
{
	struct live_lab *s = live_open("tgl", "execlists");

	live_write(s, ENGINE "rcs0/preempt_timeout_ms", "100");
	live_write(s, TIMEOUT, "0");
	live_write(s, HANGCHECK, "N");
	live_spin(s, uapi_context(&s->lab, s->fd));
	virtual_advance(s->device, 60000 * MS);
	assert_int_equal(s->model.rows[0].error, 0);
	assert_string_equal(
	    live_text(s, ENGINE "rcs0/heartbeat_interval_ms"), "2500\n");
	live_write(s, HANGCHECK, "Y");
	virtual_advance(s->device, 90000 * MS);
	assert_int_equal(s->model.rows[0].error, -EIO);
	assert_int_equal(s->model.hang.cause, HANG_PREEMPTION);
	live_close(s);
}

/* The watchdog cancels requests after the time that the module's parameter has. */
TEST(request_timeout)
{
	static const char *const schedulers[] = {"execlists", "guc"};

	for (size_t i = 0; i < 2; i++) {
		struct live_lab *s = live_open("tgl", schedulers[i]);

		assert_string_equal(live_text(s, TIMEOUT), "20000\n");
		assert_int_equal(live_write(s, TIMEOUT, "-1"), -EINVAL);
		live_write(s, HANGCHECK, "N");
		live_write(s, ENGINE "rcs0/preempt_timeout_ms", "100");
		live_write(s, TIMEOUT, "0");
		live_spin(s, uapi_context(&s->lab, s->fd));
		virtual_advance(s->device, 30000 * MS);
		assert_int_equal(s->model.rows[0].error, 0);
		live_write(s, DEBUGS "i915_wedged", "-1");
		virtual_advance(s->device, 31000 * MS);
		assert_int_equal(live_write(s, TIMEOUT, "1000"), 4);
		assert_string_equal(live_text(s, TIMEOUT), "1000\n");
		live_spin(s, uapi_context(&s->lab, s->fd));
		virtual_advance(s->device, 31900 * MS);
		assert_int_equal(s->model.rows[1].error, 0);
		virtual_advance(s->device, 32500 * MS);
		assert_int_equal(s->model.rows[1].error, -EINTR);
		live_close(s);
	}
}

/* A persistent context goes on when it is closed, but where no heartbeat looks
 * after it (doc/model/outside.md "Closed contexts"). */
TEST(close_without_heartbeat)
{
	struct live_lab *s = live_open("tgl", "execlists");
	uint32_t contexts[] = {
	    uapi_context(&s->lab, s->fd), uapi_context(&s->lab, s->fd)};

	live_write(s, ENGINE "rcs0/preempt_timeout_ms", "100");
	for (unsigned i = 0; i < 2; i++) {
		struct drm_i915_gem_context_destroy destroy = {
		    .ctx_id = contexts[i]};

		live_write(s, ENGINE "rcs0/heartbeat_interval_ms",
		    i == 0 ? "60000" : "0");
		live_spin(s, contexts[i]);
		virtual_advance(s->device, (2000 * i + 5) * MS);
		assert_int_equal(
		    uapi_ioctl(&s->lab, s->fd,
			DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy),
		    0);
		virtual_advance(s->device, (2000 * i + 1500) * MS);
		assert_int_equal(s->model.rows[i].error, i == 0 ? 0 : -EIO);
		if (i == 0)
			live_write(s, DEBUGS "i915_wedged", "-1");
	}
	live_close(s);
}

/* One that was closed before ends when the heartbeat is switched off. */
TEST(close_before_heartbeat)
{
	struct live_lab *s = live_open("tgl", "execlists");
	struct drm_i915_gem_context_destroy destroy = {
	    .ctx_id = uapi_context(&s->lab, s->fd)};

	live_write(s, ENGINE "rcs0/heartbeat_interval_ms", "60000");
	live_write(s, ENGINE "rcs0/preempt_timeout_ms", "100");
	live_spin(s, destroy.ctx_id);
	virtual_advance(s->device, 5 * MS);
	assert_int_equal(uapi_ioctl(&s->lab, s->fd,
			     DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy),
	    0);
	virtual_advance(s->device, 1000 * MS);
	assert_int_equal(s->model.rows[0].error, 0);
	live_write(s, ENGINE "rcs0/heartbeat_interval_ms", "0");
	virtual_advance(s->device, 2000 * MS);
	assert_int_equal(s->model.rows[0].error, -EIO);
	live_close(s);
}

/* Hangs of closed contexts do not count for their client. */
TEST(closed_contexts_blame_no_client)
{
	struct live_lab *s = live_open("tgl", "execlists");

	live_write(s, ENGINE "rcs0/preempt_timeout_ms", "10");
	for (unsigned i = 0; i < 12; i++) {
		struct drm_i915_gem_context_destroy destroy = {
		    .ctx_id = uapi_context(&s->lab, s->fd)};

		uapi_set_param(&s->lab, s->fd, destroy.ctx_id,
		    I915_CONTEXT_PARAM_PERSISTENCE, 0, 0);
		live_spin(s, destroy.ctx_id);
		virtual_advance(s->device, (100 * i + 5) * MS);
		uapi_ioctl(&s->lab, s->fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
		    &destroy);
		virtual_advance(s->device, (100 * i + 100) * MS);
		assert_int_equal(s->model.rows[i].error, -EIO);
	}
	assert_int_equal(s->model.hung, 12);
	live_close(s);
}

/* A reset by i915_wedged, the state of the hang, and its uevents. */
TEST(wedged)
{
	struct live_lab *s = live_open("tgl", "execlists");
	int events = uapi_open(&s->lab, 1, WIRE_UEVENTS);

	assert_string_equal(
	    live_text(s, CARD "error"), "No error state collected\n");
	assert_string_equal(live_text(s, DEBUGS "i915_wedged"), "0\n");
	live_spin(s, 0);
	virtual_advance(s->device, 5 * MS);
	assert_int_equal(live_write(s, DEBUGS "i915_wedged", "0x2"), 3);
	virtual_advance(s->device, 6 * MS);
	assert_int_equal(s->model.hung, 0);
	/* The state of an engine without a request. */
	assert_non_null(
	    strstr(live_text(s, CARD "error"), "GPU HANG: ecode 12:2:"));
	assert_int_equal(live_write(s, CARD "error", "\n"), 1);
	assert_int_equal(live_write(s, DEBUGS "i915_wedged", "-1"), 2);
	virtual_advance(s->device, 7 * MS);
	assert_int_equal(s->model.hung, 1);
	assert_int_equal(s->model.hang.cause, HANG_WEDGED);
	assert_int_equal(s->model.rows[0].error, -EIO);
	assert_non_null(
	    strstr(live_text(s, CARD "error"), "GPU HANG: ecode 12:1:"));
	assert_non_null(
	    strstr(live_text(s, CARD "error"), "manually set wedged"));
	assert_non_null(
	    strstr(live_text(s, DEBUGS "i915_error_state"), "GPU HANG"));
	assert_int_equal(live_write(s, CARD "error", "\n"), 1);
	assert_string_equal(
	    live_text(s, CARD "error"), "No error state collected\n");
	assert_string_equal(uapi_fd(&s->lab, events)->sent,
	    "ACTION=change\n"
	    "DEVPATH=/devices/pci0000:00/0000:00:02.0/drm/card0\n"
	    "SUBSYSTEM=drm\nERROR=1\nSEQNUM=1\n\n"
	    "ACTION=change\n"
	    "DEVPATH=/devices/pci0000:00/0000:00:02.0/drm/card0\n"
	    "SUBSYSTEM=drm\nRESET=1\nSEQNUM=2\n\n"
	    "ACTION=change\n"
	    "DEVPATH=/devices/pci0000:00/0000:00:02.0/drm/card0\n"
	    "SUBSYSTEM=drm\nERROR=0\nSEQNUM=3\n\n");
	live_close(s);
}

static int
gpu_resets(struct live_lab *s)
{
	int value = -1;
	struct drm_i915_getparam arg = {I915_PARAM_HAS_GPU_RESET, &value};

	assert_int_equal(uapi_ioctl(&s->lab, s->fd,
			     DRM_IOWR(DRM_COMMAND_BASE + DRM_I915_GETPARAM,
				 struct drm_i915_getparam),
			     &arg),
	    0);
	return value;
}

/* Asks whether an object is idle. */
static int
wait_for(struct live_lab *s, uint32_t handle)
{
	struct drm_i915_gem_wait wait = {.bo_handle = handle};

	return uapi_ioctl(&s->lab, s->fd, DRM_IOCTL_I915_GEM_WAIT, &wait);
}

/* doc/model/i915_files.md "Module parameters": a hang without resets loses the
 * device, until a user resets it. */
TEST(lost)
{
	struct live_lab *s = live_open("tgl", "execlists");
	struct drm_i915_gem_context_create create = {0};
	struct drm_i915_gem_exec_object2 none = {
	    .handle = uapi_create(&s->lab, s->fd, 4096)};

	assert_string_equal(live_text(s, RESETS), "3\n");
	assert_int_equal(live_write(s, RESETS, "-1"), -EINVAL);
	assert_int_equal(live_write(s, RESETS, "0"), 1);
	assert_int_equal(gpu_resets(s), 0);
	live_spin(s, 0);
	live_spin(s, uapi_context(&s->lab, s->fd));
	virtual_advance(s->device, 5 * MS);
	assert_int_equal(wait_for(s, 2), -ETIME);
	assert_int_equal(wait_for(s, 3), -ETIME);
	assert_int_equal(live_write(s, DEBUGS "i915_wedged", "-1"), 2);
	assert_string_equal(live_text(s, DEBUGS "i915_wedged"), "1\n");
	virtual_advance(s->device, 10 * MS);
	for (uint32_t i = 2; i < 4; i++)
		assert_int_equal(wait_for(s, i), 0);
	assert_int_equal(uapi_ioctl(&s->lab, s->fd,
			     DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create),
	    -EIO);
	assert_int_equal(
	    uapi_submit(&s->lab, s->fd, 0, I915_EXEC_RENDER, &none, 1), -EIO);
	assert_int_equal(
	    uapi_ioctl(&s->lab, s->fd, DRM_IOCTL_I915_GEM_THROTTLE, NULL),
	    -EIO);
	/* The parameter alone changes nothing. */
	assert_int_equal(live_write(s, RESETS, "1"), 1);
	assert_int_equal(gpu_resets(s), 1);
	assert_string_equal(live_text(s, DEBUGS "i915_wedged"), "1\n");
	assert_int_equal(live_write(s, DEBUGS "i915_wedged", "-1"), 2);
	assert_string_equal(live_text(s, DEBUGS "i915_wedged"), "0\n");
	assert_int_equal(
	    uapi_submit(&s->lab, s->fd, 0, I915_EXEC_RENDER, &none, 1), 0);
	live_close(s);
}

/* With 1 a hang resets the whole GPU. */
TEST(full_resets)
{
	struct live_lab *s = live_open("tgl", "execlists");

	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(live_write(s, RESETS, i == 0 ? "1" : "2"), 1);
		virtual_advance(s->device, 1000 * i * MS);
		live_spin(s, uapi_context(&s->lab, s->fd));
		virtual_advance(s->device, (1000 * i + 5) * MS);
		live_write(s, DEBUGS "i915_wedged", "-1");
		virtual_advance(s->device, (1000 * i + 6) * MS);
		assert_int_equal(s->model.hung, i + 1);
		assert_int_equal(
		    s->model.hang.scope, i == 0 ? RESET_FULL : RESET_ENGINE);
	}
	live_close(s);
}

/* A heartbeat that finds a hang does so too. */
TEST(lost_by_a_hang)
{
	struct live_lab *s = live_open("tgl", "execlists");

	live_write(s, RESETS, "0");
	live_write(s, ENGINE "rcs0/heartbeat_interval_ms", "100");
	live_write(s, ENGINE "rcs0/preempt_timeout_ms", "100");
	live_spin(s, 0);
	virtual_advance(s->device, 300 * MS);
	assert_string_equal(live_text(s, DEBUGS "i915_wedged"), "0\n");
	virtual_advance(s->device, 2000 * MS);
	assert_string_equal(live_text(s, DEBUGS "i915_wedged"), "1\n");
	live_close(s);
}

/* Dozens of contexts are behind a loop when the device is lost, by hand or by the hang itself:
 * all end with EIO, and the device that is made well again serves others. */
static void
lose_with_contexts(const char *profile, const char *sched, bool by_hang)
{
	struct live_lab *s = live_open(profile, sched);
	nsec now = 5 * MS;

	assert_int_equal(live_write(s, RESETS, "0"), 1);
	live_write(s, ENGINE "rcs0/preempt_timeout_ms", "600");
	live_spin(s, 0);
	for (size_t i = 0; i < 32; i++) {
		live_spin(s, uapi_context(&s->lab, s->fd));
		virtual_advance(s->device, now += 10 * MS);
	}
	assert_string_equal(live_text(s, DEBUGS "i915_wedged"), "0\n");
	if (by_hang)
		virtual_advance(s->device, now += 20000 * MS);
	else
		live_write(s, DEBUGS "i915_wedged", "-1");
	assert_string_equal(live_text(s, DEBUGS "i915_wedged"), "1\n");
	assert_int_equal(live_write(s, RESETS, "3"), 1);
	assert_int_equal(live_write(s, DEBUGS "i915_wedged", "-1"), 2);
	assert_string_equal(live_text(s, DEBUGS "i915_wedged"), "0\n");
	virtual_advance(s->device, now += 1000 * MS);
	for (uint32_t i = 1; i <= 33; i++)
		assert_int_equal(wait_for(s, i), 0);
	s->fd = uapi_open(&s->lab, 2, "dev/dri/card0");
	live_draw(s, 1000);
	virtual_advance(s->device, now += 10 * MS);
	assert_int_equal(wait_for(s, 1), 0);
	assert_string_equal(live_text(s, DEBUGS "i915_wedged"), "0\n");
	live_close(s);
}

TEST(lost_with_contexts)
{
	static const char *const schedulers[] = {"execlists", "guc"};

	for (size_t i = 0; i < 2; i++) {
		lose_with_contexts("tgl", schedulers[i], false);
		lose_with_contexts("tgl", schedulers[i], true);
	}
}
