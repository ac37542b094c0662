/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that the device answers itself (doc/model/i915_files.md "Live files"):
 * knobs of engines and what they do on the model, resets, the error state,
 * caches, uevents, registers.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "device/model/virtual.h"
#include "tests/support/i915_lab.h"
#include "tests/support/lab.h"

#define MS        NSEC_PER_MSEC
#define PINNED    (EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS)
#define PCI       "sys/devices/pci0000:00/0000:00:02.0/"
#define CARD      PCI "drm/card0/"
#define ENGINE    CARD "engine/"
#define DEBUGS    "sys/kernel/debug/dri/0/"
#define HANGCHECK "sys/module/i915/parameters/enable_hangcheck"
#define RESETS    "sys/module/i915/parameters/reset"

struct shop {
	struct lab model;
	struct i915_lab lab;
	struct virtual_device *device;
	int fd;
};

static struct shop *
open_shop(const char *profile, const char *sched)
{
	struct shop *s = calloc(1, sizeof *s);
	struct text err = {0};

	lab_init(&s->model, sched);
	assert_true(profile_load(&s->model.config.profile, profile, &err));
	lab_open(&s->model);
	i915_lab_init(&s->lab);
	for (unsigned i = 0; i < UAPI_THREADS; i++)
		s->lab.threads[i].caller.capabilities = I915_CAP_NICE;
	s->device = virtual_new(s->model.sim, &s->lab.host, 0, &err);
	assert_string_equal(text_str(&err), "");
	s->lab.dev = virtual_i915(s->device);
	s->fd = uapi_open(&s->lab, 0, "dev/dri/renderD128");
	return s;
}

static void
close_shop(struct shop *s)
{
	virtual_free(s->device);
	s->lab.dev = NULL;
	i915_lab_free(&s->lab);
	lab_free(&s->model);
	free(s);
}

/* What a program reads of a file; valid until the next call. */
static const char *
file_text(struct shop *s, const char *path)
{
	static char text[4096];
	int fd = uapi_open_with(&s->lab, 1, path, O_RDONLY);
	ssize_t n;

	assert_true(fd >= 0);
	n = read(fd, text, sizeof text - 1);
	assert_true(n >= 0);
	text[n] = '\0';
	close(fd);
	return text;
}

static int
write_on(struct shop *s, unsigned thread, const char *path, const char *text)
{
	int fd = uapi_open_with(&s->lab, thread, path, O_WRONLY), rc;
	struct wire_request rq = {
	    .kind = WIRE_WRITE, .size = (uint32_t)strlen(text)};

	if (fd < 0)
		return fd;
	rq.token = uapi_fd(&s->lab, fd)->token;
	rc = uapi_call(&s->lab, thread, &rq, text);
	if (rc != UAPI_WAITS)
		uapi_close(&s->lab, fd);
	return rc;
}

static int
write_to(struct shop *s, const char *path, const char *text)
{
	return write_on(s, 1, path, text);
}

/* Submits a batch that jumps to itself for ever, without a preemption point. */
static void
spin(struct shop *s, uint32_t context)
{
	static uint64_t address = 1 << 20;
	uint32_t code[] = {0x18800101, (uint32_t)(address += 1 << 16), 0};
	struct drm_i915_gem_exec_object2 object = {
	    .handle = uapi_create(&s->lab, s->fd, 4096),
	    .offset = address,
	    .flags = PINNED};
	struct drm_i915_gem_pwrite store = {.handle = object.handle,
	    .size = sizeof code,
	    .data_ptr = (uintptr_t)code};

	assert_int_equal(
	    uapi_ioctl(&s->lab, s->fd, DRM_IOCTL_I915_GEM_PWRITE, &store), 0);
	assert_int_equal(
	    uapi_submit(&s->lab, s->fd, context, I915_EXEC_RENDER, &object, 1),
	    0);
}

static void
test_knobs(void **state)
{
	static const struct {
		const char *file, *value, *most, *more;
	} rows[] = {
	    {"timeslice_duration_ms", "1\n", "4294967292", "4294967293"},
	    {"preempt_timeout_ms", "7500\n", "4294967292", "4294967293"},
	    {"heartbeat_interval_ms", "2500\n", "4294967292", "4294967293"},
	    {"stop_timeout_ms", "100\n", "4294967292", "4294967293"},
	    {"max_busywait_duration_ns", "8000\n", "8000000", "8000001"},
	};
	static const char *const bad[] = {"", "-1", "fast", "7 8", "1.5"};
	struct shop *s = open_shop("tgl", "execlists");
	char path[200];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(path, sizeof path, ENGINE "rcs0/%s", rows[i].file);
		assert_string_equal(file_text(s, path), rows[i].value);
		assert_int_equal(write_to(s, path, rows[i].more), -EINVAL);
		assert_string_equal(file_text(s, path), rows[i].value);
		assert_int_equal(
		    write_to(s, path, rows[i].most), strlen(rows[i].most));
		for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
			assert_int_equal(write_to(s, path, bad[k]), -EINVAL);
		assert_int_equal(
		    write_to(s, path, "99999999999999999999"), -ERANGE);
		assert_int_equal(write_to(s, path, "0x2a\n"), 5);
		assert_string_equal(file_text(s, path), "42\n");
	}
	/* Those of another engine are its own. */
	assert_string_equal(
	    file_text(s, ENGINE "vcs1/preempt_timeout_ms"), "640\n");
	assert_int_equal(uapi_open(&s->lab, 1, ENGINE "vcs2/stop_timeout_ms"),
	    WIRE_NOT_MINE);
	assert_int_equal(
	    uapi_open(&s->lab, 1, ENGINE "rcs0/name"), WIRE_NOT_MINE);
	close_shop(s);
	/* The GuC takes less. */
	s = open_shop("adl-p", "guc");
	assert_int_equal(
	    write_to(s, ENGINE "rcs0/preempt_timeout_ms", "100001"), -EINVAL);
	assert_int_equal(
	    write_to(s, ENGINE "rcs0/preempt_timeout_ms", "100000"), 6);
	close_shop(s);
}

/* A preempt timeout of an engine is what it does, and so is a heartbeat. */
static void
test_knobs_act(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");
	uint32_t urgent = uapi_context(&s->lab, s->fd);

	(void)state;
	write_to(s, ENGINE "rcs0/preempt_timeout_ms", "20");
	uapi_set_param(
	    &s->lab, s->fd, urgent, I915_CONTEXT_PARAM_PRIORITY, 0, 10);
	spin(s, 0);
	virtual_advance(s->device, 10 * MS);
	spin(s, urgent);
	virtual_advance(s->device, 20 * MS);
	assert_int_equal(s->model.hung, 0);
	virtual_advance(s->device, 50 * MS);
	assert_int_equal(s->model.hung, 1);
	assert_int_equal(s->model.hang.cause, HANG_PREEMPTION);
	/* The urgent one hangs at the fifth beat. */
	write_to(s, ENGINE "rcs0/preempt_timeout_ms", "0");
	write_to(s, ENGINE "rcs0/heartbeat_interval_ms", "100");
	virtual_advance(s->device, 300 * MS);
	assert_int_equal(s->model.hung, 1);
	virtual_advance(s->device, 8000 * MS);
	assert_int_equal(s->model.hung, 2);
	assert_int_equal(s->model.hang.cause, HANG_HEARTBEAT);
	/* Without one it goes on. */
	write_to(s, ENGINE "rcs0/heartbeat_interval_ms", "0");
	spin(s, urgent);
	virtual_advance(s->device, 18000 * MS);
	assert_int_equal(s->model.hung, 2);
	close_shop(s);
}

/* doc/model/i915_files.md "Module parameters" */
static void
test_hangcheck(void **state)
{
	static const char *const off[] = {"0", "N", "off", "f"};
	static const char *const bad[] = {"", "o", "2", "-"};
	struct shop *s = open_shop("tgl", "execlists");
	uint32_t old = uapi_context(&s->lab, s->fd), young;
	struct drm_i915_gem_context_destroy destroy = {.ctx_id = old};

	(void)state;
	for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
		assert_true(write_to(s, HANGCHECK, "Y") > 0);
		assert_string_equal(file_text(s, HANGCHECK), "Y\n");
		assert_int_equal(
		    write_to(s, HANGCHECK, off[i]), strlen(off[i]));
		assert_string_equal(file_text(s, HANGCHECK), "N\n");
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(write_to(s, HANGCHECK, bad[i]), -EINVAL);
	/* A context loses its requests when it is closed: a loop without
	 * preemption points by a reset. */
	write_to(s, ENGINE "rcs0/preempt_timeout_ms", "100");
	spin(s, old);
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
	assert_int_equal(write_to(s, HANGCHECK, "1"), 1);
	assert_int_equal(uapi_set_param(&s->lab, s->fd, young,
			     I915_CONTEXT_PARAM_PERSISTENCE, 0, 1),
	    0);
	close_shop(s);
}

/* A persistent context goes on when it is closed, but where no heartbeat looks
 * after it (doc/model/outside.md "Closed contexts"). */
static void
test_close_without_heartbeat(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");
	uint32_t contexts[] = {
	    uapi_context(&s->lab, s->fd), uapi_context(&s->lab, s->fd)};

	(void)state;
	write_to(s, ENGINE "rcs0/preempt_timeout_ms", "100");
	for (unsigned i = 0; i < 2; i++) {
		struct drm_i915_gem_context_destroy destroy = {
		    .ctx_id = contexts[i]};

		write_to(s, ENGINE "rcs0/heartbeat_interval_ms",
		    i == 0 ? "60000" : "0");
		spin(s, contexts[i]);
		virtual_advance(s->device, (2000 * i + 5) * MS);
		assert_int_equal(
		    uapi_ioctl(&s->lab, s->fd,
			DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy),
		    0);
		virtual_advance(s->device, (2000 * i + 1500) * MS);
		assert_int_equal(s->model.rows[i].error, i == 0 ? 0 : -EIO);
		if (i == 0)
			write_to(s, DEBUGS "i915_wedged", "-1");
	}
	close_shop(s);
}

/* One that was closed before ends when the heartbeat is switched off. */
static void
test_close_before_heartbeat(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");
	struct drm_i915_gem_context_destroy destroy = {
	    .ctx_id = uapi_context(&s->lab, s->fd)};

	(void)state;
	write_to(s, ENGINE "rcs0/heartbeat_interval_ms", "60000");
	write_to(s, ENGINE "rcs0/preempt_timeout_ms", "100");
	spin(s, destroy.ctx_id);
	virtual_advance(s->device, 5 * MS);
	assert_int_equal(uapi_ioctl(&s->lab, s->fd,
			     DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy),
	    0);
	virtual_advance(s->device, 1000 * MS);
	assert_int_equal(s->model.rows[0].error, 0);
	write_to(s, ENGINE "rcs0/heartbeat_interval_ms", "0");
	virtual_advance(s->device, 2000 * MS);
	assert_int_equal(s->model.rows[0].error, -EIO);
	close_shop(s);
}

/* Hangs of closed contexts do not count for their client. */
static void
test_closed_contexts_blame_no_client(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");

	(void)state;
	write_to(s, ENGINE "rcs0/preempt_timeout_ms", "10");
	for (unsigned i = 0; i < 12; i++) {
		struct drm_i915_gem_context_destroy destroy = {
		    .ctx_id = uapi_context(&s->lab, s->fd)};

		uapi_set_param(&s->lab, s->fd, destroy.ctx_id,
		    I915_CONTEXT_PARAM_PERSISTENCE, 0, 0);
		spin(s, destroy.ctx_id);
		virtual_advance(s->device, (100 * i + 5) * MS);
		uapi_ioctl(&s->lab, s->fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
		    &destroy);
		virtual_advance(s->device, (100 * i + 100) * MS);
		assert_int_equal(s->model.rows[i].error, -EIO);
	}
	assert_int_equal(s->model.hung, 12);
	close_shop(s);
}

/* A reset by i915_wedged, the state of the hang, and its uevents. */
static void
test_wedged(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");
	int events = uapi_open(&s->lab, 1, WIRE_UEVENTS);

	(void)state;
	assert_string_equal(
	    file_text(s, CARD "error"), "No error state collected\n");
	assert_string_equal(file_text(s, DEBUGS "i915_wedged"), "0\n");
	spin(s, 0);
	virtual_advance(s->device, 5 * MS);
	assert_int_equal(write_to(s, DEBUGS "i915_wedged", "0x2"), 3);
	virtual_advance(s->device, 6 * MS);
	assert_int_equal(s->model.hung, 0);
	/* The state of an engine without a request. */
	assert_non_null(
	    strstr(file_text(s, CARD "error"), "GPU HANG: ecode 12:2:"));
	assert_int_equal(write_to(s, CARD "error", "\n"), 1);
	assert_int_equal(write_to(s, DEBUGS "i915_wedged", "-1"), 2);
	virtual_advance(s->device, 7 * MS);
	assert_int_equal(s->model.hung, 1);
	assert_int_equal(s->model.hang.cause, HANG_WEDGED);
	assert_int_equal(s->model.rows[0].error, -EIO);
	assert_non_null(
	    strstr(file_text(s, CARD "error"), "GPU HANG: ecode 12:1:"));
	assert_non_null(
	    strstr(file_text(s, CARD "error"), "manually set wedged"));
	assert_non_null(
	    strstr(file_text(s, DEBUGS "i915_error_state"), "GPU HANG"));
	assert_int_equal(write_to(s, CARD "error", "\n"), 1);
	assert_string_equal(
	    file_text(s, CARD "error"), "No error state collected\n");
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
	close_shop(s);
}

static int
gpu_resets(struct shop *s)
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
wait_for(struct shop *s, uint32_t handle)
{
	struct drm_i915_gem_wait wait = {.bo_handle = handle};

	return uapi_ioctl(&s->lab, s->fd, DRM_IOCTL_I915_GEM_WAIT, &wait);
}

/* doc/model/i915_files.md "Module parameters": a hang without resets loses the
 * device, until a user resets it. */
static void
test_lost(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");
	struct drm_i915_gem_context_create create = {0};
	struct drm_i915_gem_exec_object2 none = {
	    .handle = uapi_create(&s->lab, s->fd, 4096)};

	(void)state;
	assert_string_equal(file_text(s, RESETS), "3\n");
	assert_int_equal(write_to(s, RESETS, "-1"), -EINVAL);
	assert_int_equal(write_to(s, RESETS, "0"), 1);
	assert_int_equal(gpu_resets(s), 0);
	spin(s, 0);
	spin(s, uapi_context(&s->lab, s->fd));
	virtual_advance(s->device, 5 * MS);
	assert_int_equal(wait_for(s, 2), -ETIME);
	assert_int_equal(wait_for(s, 3), -ETIME);
	assert_int_equal(write_to(s, DEBUGS "i915_wedged", "-1"), 2);
	assert_string_equal(file_text(s, DEBUGS "i915_wedged"), "1\n");
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
	assert_int_equal(write_to(s, RESETS, "1"), 1);
	assert_int_equal(gpu_resets(s), 1);
	assert_string_equal(file_text(s, DEBUGS "i915_wedged"), "1\n");
	assert_int_equal(write_to(s, DEBUGS "i915_wedged", "-1"), 2);
	assert_string_equal(file_text(s, DEBUGS "i915_wedged"), "0\n");
	assert_int_equal(
	    uapi_submit(&s->lab, s->fd, 0, I915_EXEC_RENDER, &none, 1), 0);
	close_shop(s);
}

/* With 1 a hang resets the whole GPU. */
static void
test_full_resets(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(write_to(s, RESETS, i == 0 ? "1" : "2"), 1);
		virtual_advance(s->device, 1000 * i * MS);
		spin(s, uapi_context(&s->lab, s->fd));
		virtual_advance(s->device, (1000 * i + 5) * MS);
		write_to(s, DEBUGS "i915_wedged", "-1");
		virtual_advance(s->device, (1000 * i + 6) * MS);
		assert_int_equal(s->model.hung, i + 1);
		assert_int_equal(
		    s->model.hang.scope, i == 0 ? RESET_FULL : RESET_ENGINE);
	}
	close_shop(s);
}

/* A heartbeat that finds a hang does so too. */
static void
test_lost_by_a_hang(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");

	(void)state;
	write_to(s, RESETS, "0");
	write_to(s, ENGINE "rcs0/heartbeat_interval_ms", "100");
	write_to(s, ENGINE "rcs0/preempt_timeout_ms", "100");
	spin(s, 0);
	virtual_advance(s->device, 300 * MS);
	assert_string_equal(file_text(s, DEBUGS "i915_wedged"), "0\n");
	virtual_advance(s->device, 2000 * MS);
	assert_string_equal(file_text(s, DEBUGS "i915_wedged"), "1\n");
	close_shop(s);
}

static void
test_objects(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");

	(void)state;
	uapi_create(&s->lab, s->fd, 4096);
	uapi_create(&s->lab, s->fd, 8192);
	assert_string_equal(file_text(s, DEBUGS "i915_gem_objects"),
	    "2 shrinkable [0 free] objects, 12288 bytes\n");
	close_shop(s);
}

/* A write to i915_gem_drop_caches waits for idle engines; with RESET_ACTIVE it
 * resets what is not idle after 200 ms. */
static void
test_drop_caches(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");

	(void)state;
	assert_int_equal(write_to(s, DEBUGS "i915_gem_drop_caches", "0x48"), 4);
	assert_int_equal(
	    write_to(s, DEBUGS "i915_gem_drop_caches", "all"), -EINVAL);
	spin(s, 0);
	virtual_advance(s->device, 5 * MS);
	assert_int_equal(write_to(s, DEBUGS "i915_gem_drop_caches", "0x4"), 3);
	assert_int_equal(
	    write_to(s, DEBUGS "i915_gem_drop_caches", "0x48"), UAPI_WAITS);
	assert_int_equal(
	    write_on(s, 2, DEBUGS "i915_gem_drop_caches", "0x80"), UAPI_WAITS);
	virtual_advance(s->device, 204 * MS);
	assert_int_equal(s->lab.threads[2].result, UAPI_WAITS);
	virtual_advance(s->device, 210 * MS);
	assert_int_equal(s->model.hung, 1);
	assert_int_equal(s->lab.threads[1].result, 4);
	assert_int_equal(s->lab.threads[2].result, 4);
	close_shop(s);
}

static void
test_frequencies(void **state)
{
	static const char *const limits[] = {"min", "max", "boost"};
	struct shop *s = open_shop("tgl", "execlists");
	char path[200];

	(void)state;
	assert_string_equal(file_text(s, CARD "gt_act_freq_mhz"), "0\n");
	assert_string_equal(file_text(s, CARD "gt_cur_freq_mhz"), "100\n");
	spin(s, 0);
	virtual_advance(s->device, 1 * MS);
	assert_string_equal(file_text(s, CARD "gt_act_freq_mhz"), "1300\n");
	assert_string_equal(file_text(s, CARD "gt_cur_freq_mhz"), "1300\n");
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		snprintf(path, sizeof path, CARD "gt_%s_freq_mhz", limits[i]);
		assert_int_equal(write_to(s, path, "99"), -EINVAL);
		assert_int_equal(write_to(s, path, "1301"), -EINVAL);
		assert_int_equal(write_to(s, path, "700"), 3);
		assert_string_equal(file_text(s, path), "700\n");
	}
	assert_int_equal(write_to(s, CARD "gt_min_freq_mhz", "701"), -EINVAL);
	assert_int_equal(write_to(s, CARD "gt_max_freq_mhz", "699"), -EINVAL);
	close_shop(s);
}

/* A file that is open for reading and writing; a write past the library. */
static void
test_control_files(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");
	int fd = uapi_open_with(
	    &s->lab, 1, ENGINE "rcs0/stop_timeout_ms", O_RDWR);
	struct wire_request rq = {.kind = WIRE_READ,
	    .number = 2,
	    .token = uapi_fd(&s->lab, fd)->token};

	(void)state;
	assert_int_equal(uapi_call(&s->lab, 1, &rq, NULL), 2);
	assert_memory_equal(s->lab.threads[1].bytes, "10", 2);
	assert_int_equal(uapi_call(&s->lab, 1, &rq, NULL), 2);
	assert_memory_equal(s->lab.threads[1].bytes, "0\n", 2);
	assert_int_equal(uapi_call(&s->lab, 1, &rq, NULL), 0);
	i915_written(s->lab.dev, rq.token, "77\n", 3);
	i915_written(s->lab.dev, rq.token, "no\n", 3);
	assert_string_equal(
	    file_text(s, ENGINE "rcs0/stop_timeout_ms"), "77\n");
	uapi_close(&s->lab, fd);
	close_shop(s);
}

static uint64_t
register_at(int fd, off_t at)
{
	uint64_t value = 0;

	assert_int_equal(pread(fd, &value, sizeof value, at), sizeof value);
	return value;
}

/* Timestamps of all engines, every 50 us at the latest. */
static void
test_registers(void **state)
{
	struct shop *s = open_shop("tgl", "execlists");
	int fd = uapi_open_with(&s->lab, 1, PCI "resource0", O_RDWR);
	nsec now = 100 * MS;

	(void)state;
	assert_true(fd >= 0);
	virtual_advance(s->device, now);
	for (unsigned i = 0; i < 3; i++, now += 1234567) {
		uint64_t ticks = now * 192 / 10000;

		virtual_advance(s->device, now);
		assert_true(virtual_next(s->device) <= now + 50000);
		assert_int_equal(register_at(fd, 0x2358), ticks);
		assert_int_equal(register_at(fd, 0x22358), ticks);
		assert_int_equal(register_at(fd, 0x1d0358), ticks);
	}
	/* Nobody has it mapped. */
	close(fd);
	virtual_advance(s->device, 2000 * MS);
	assert_int_equal(virtual_next(s->device), NSEC_NEVER);
	close_shop(s);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_knobs),
	    cmocka_unit_test(test_knobs_act),
	    cmocka_unit_test(test_hangcheck),
	    cmocka_unit_test(test_close_without_heartbeat),
	    cmocka_unit_test(test_close_before_heartbeat),
	    cmocka_unit_test(test_closed_contexts_blame_no_client),
	    cmocka_unit_test(test_wedged),
	    cmocka_unit_test(test_lost),
	    cmocka_unit_test(test_lost_by_a_hang),
	    cmocka_unit_test(test_full_resets),
	    cmocka_unit_test(test_objects),
	    cmocka_unit_test(test_drop_caches),
	    cmocka_unit_test(test_frequencies),
	    cmocka_unit_test(test_control_files),
	    cmocka_unit_test(test_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
