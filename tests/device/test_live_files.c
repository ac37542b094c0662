/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that the device answers itself (doc/model/i915_files.md "Live files"):
 * knobs of engines and their effect on the model, caches, frequencies, registers.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/live_lab.h"

TEST(knobs)
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
	struct live_lab *s = live_open("tgl", "execlists");
	char path[200];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(path, sizeof path, ENGINE "rcs0/%s", rows[i].file);
		assert_string_equal(live_text(s, path), rows[i].value);
		assert_int_equal(live_write(s, path, rows[i].more), -EINVAL);
		assert_string_equal(live_text(s, path), rows[i].value);
		assert_int_equal(
		    live_write(s, path, rows[i].most), strlen(rows[i].most));
		for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
			assert_int_equal(live_write(s, path, bad[k]), -EINVAL);
		assert_int_equal(
		    live_write(s, path, "99999999999999999999"), -ERANGE);
		assert_int_equal(live_write(s, path, "0x2a\n"), 5);
		assert_string_equal(live_text(s, path), "42\n");
	}
	/* The files of another engine are its own. */
	assert_string_equal(
	    live_text(s, ENGINE "vcs1/preempt_timeout_ms"), "640\n");
	assert_int_equal(uapi_open(&s->lab, 1, ENGINE "vcs2/stop_timeout_ms"),
	    WIRE_NOT_MINE);
	assert_int_equal(
	    uapi_open(&s->lab, 1, ENGINE "rcs0/name"), WIRE_NOT_MINE);
	live_close(s);
	/* The GuC takes less. */
	s = live_open("adl-p", "guc");
	assert_int_equal(
	    live_write(s, ENGINE "rcs0/preempt_timeout_ms", "100001"), -EINVAL);
	assert_int_equal(
	    live_write(s, ENGINE "rcs0/preempt_timeout_ms", "100000"), 6);
	live_close(s);
}

/* A preempt timeout of an engine is what it does, and so is a heartbeat. */
TEST(knobs_act)
{
	struct live_lab *s = live_open("tgl", "execlists");
	uint32_t urgent = uapi_context(&s->lab, s->fd);

	live_write(s, ENGINE "rcs0/preempt_timeout_ms", "20");
	uapi_set_param(
	    &s->lab, s->fd, urgent, I915_CONTEXT_PARAM_PRIORITY, 0, 10);
	live_spin(s, 0);
	virtual_advance(s->device, 10 * MS);
	live_spin(s, urgent);
	virtual_advance(s->device, 20 * MS);
	assert_int_equal(s->model.hung, 0);
	virtual_advance(s->device, 50 * MS);
	assert_int_equal(s->model.hung, 1);
	assert_int_equal(s->model.hang.cause, HANG_PREEMPTION);
	/* The urgent one hangs at the fifth beat. */
	live_write(s, ENGINE "rcs0/preempt_timeout_ms", "0");
	live_write(s, ENGINE "rcs0/heartbeat_interval_ms", "100");
	virtual_advance(s->device, 300 * MS);
	assert_int_equal(s->model.hung, 1);
	virtual_advance(s->device, 8000 * MS);
	assert_int_equal(s->model.hung, 2);
	assert_int_equal(s->model.hang.cause, HANG_HEARTBEAT);
	/* Without one it goes on. */
	live_write(s, ENGINE "rcs0/heartbeat_interval_ms", "0");
	live_spin(s, urgent);
	virtual_advance(s->device, 18000 * MS);
	assert_int_equal(s->model.hung, 2);
	live_close(s);
}

TEST(objects)
{
	struct live_lab *s = live_open("tgl", "execlists");

	uapi_create(&s->lab, s->fd, 4096);
	uapi_create(&s->lab, s->fd, 8192);
	assert_string_equal(live_text(s, DEBUGS "i915_gem_objects"),
	    "2 shrinkable [0 free] objects, 12288 bytes\n");
	live_close(s);
}

/* A write to i915_gem_drop_caches waits for idle engines; with RESET_ACTIVE it
 * resets what is not idle after 200 ms. */
TEST(drop_caches)
{
	struct live_lab *s = live_open("tgl", "execlists");

	assert_int_equal(
	    live_write(s, DEBUGS "i915_gem_drop_caches", "0x48"), 4);
	assert_int_equal(
	    live_write(s, DEBUGS "i915_gem_drop_caches", "all"), -EINVAL);
	live_spin(s, 0);
	virtual_advance(s->device, 5 * MS);
	assert_int_equal(
	    live_write(s, DEBUGS "i915_gem_drop_caches", "0x4"), 3);
	assert_int_equal(
	    live_write(s, DEBUGS "i915_gem_drop_caches", "0x48"), UAPI_WAITS);
	assert_int_equal(
	    live_write_on(s, 2, DEBUGS "i915_gem_drop_caches", "0x80"),
	    UAPI_WAITS);
	virtual_advance(s->device, 204 * MS);
	assert_int_equal(s->lab.threads[2].result, UAPI_WAITS);
	virtual_advance(s->device, 210 * MS);
	assert_int_equal(s->model.hung, 1);
	assert_int_equal(s->lab.threads[1].result, 4);
	assert_int_equal(s->lab.threads[2].result, 4);
	live_close(s);
}

TEST(frequencies)
{
	static const char *const limits[] = {"min", "max", "boost"};
	struct live_lab *s = live_open("tgl", "execlists");
	char path[200];

	assert_string_equal(live_text(s, CARD "gt_act_freq_mhz"), "0\n");
	assert_string_equal(live_text(s, CARD "gt_cur_freq_mhz"), "100\n");
	live_spin(s, 0);
	virtual_advance(s->device, 1 * MS);
	assert_string_equal(live_text(s, CARD "gt_act_freq_mhz"), "1300\n");
	assert_string_equal(live_text(s, CARD "gt_cur_freq_mhz"), "1300\n");
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		snprintf(path, sizeof path, CARD "gt_%s_freq_mhz", limits[i]);
		assert_int_equal(live_write(s, path, "99"), -EINVAL);
		assert_int_equal(live_write(s, path, "1301"), -EINVAL);
		assert_int_equal(live_write(s, path, "700"), 3);
		assert_string_equal(live_text(s, path), "700\n");
	}
	assert_int_equal(live_write(s, CARD "gt_min_freq_mhz", "701"), -EINVAL);
	assert_int_equal(live_write(s, CARD "gt_max_freq_mhz", "699"), -EINVAL);
	live_close(s);
}

/* The same by the names that they have since Linux 5.18, with the time asleep. */
TEST(frequencies_of_the_gt)
{
	struct live_lab *s = live_open("tgl", "execlists");
	char mhz[16];

	virtual_advance(s->device, 50 * MS);
	assert_string_equal(
	    live_text(s, CARD "gt/gt0/rps_act_freq_mhz"), "0\n");
	live_spin(s, 0);
	virtual_advance(s->device, 80 * MS);
	snprintf(mhz, sizeof mhz, "%s", live_text(s, CARD "gt_RP0_freq_mhz"));
	assert_string_not_equal(mhz, "0\n");
	assert_string_equal(live_text(s, CARD "gt/gt0/rps_act_freq_mhz"), mhz);
	assert_string_equal(
	    live_text(s, CARD "gt/gt0/punit_req_freq_mhz"), mhz);
	assert_int_equal(
	    live_write(s, CARD "gt/gt0/rps_max_freq_mhz", "900"), 3);
	assert_string_equal(live_text(s, CARD "gt_max_freq_mhz"), "900\n");
	assert_string_equal(
	    live_text(s, CARD "gt/gt0/rc6_residency_ms"), "50\n");
	assert_string_equal(
	    live_text(s, CARD "power/rc6_residency_ms"), "50\n");
	live_close(s);
}

/* Opens an event of the PMU; returns its descriptor. */
static int
pmu_open(struct live_lab *s, uint64_t config)
{
	struct perf_event_attr attr = {
	    .type = WIRE_PERF_TYPE, .size = sizeof attr, .config = config};
	struct wire_request rq = {.kind = WIRE_PERF_OPEN,
	    .size = sizeof attr,
	    .pointer = (uint64_t)-1};
	int fd = uapi_call(&s->lab, 1, &rq, &attr);

	assert_true(fd >= 0);
	return fd;
}

static uint64_t
pmu_read(struct live_lab *s, int fd)
{
	struct wire_request rq = {.kind = WIRE_READ,
	    .token = uapi_fd(&s->lab, fd)->token,
	    .number = 8};
	uint64_t value;

	assert_int_equal(uapi_call(&s->lab, 1, &rq, NULL), sizeof value);
	memcpy(&value, s->lab.threads[1].bytes, sizeof value);
	return value;
}

#define PMU_ACTUAL_MHZ    0x100000
#define PMU_REQUESTED_MHZ 0x100001
#define PMU_RC6_NS        0x100003
#define PMU_RCS_BUSY_NS   0

/* The PMU's requested frequency is that of gt_cur_freq_mhz: within the limits. */
TEST(requested_frequency)
{
	struct live_lab *s = live_open("tgl", "execlists");
	int requested = pmu_open(s, PMU_REQUESTED_MHZ);
	int actual = pmu_open(s, PMU_ACTUAL_MHZ);

	virtual_advance(s->device, 1000 * MS);
	assert_int_equal(pmu_read(s, requested), 0);
	live_spin(s, 0);
	virtual_advance(s->device, 2000 * MS);
	assert_int_equal(live_write(s, CARD "gt_max_freq_mhz", "700"), 3);
	virtual_advance(s->device, 3000 * MS);
	assert_string_equal(live_text(s, CARD "gt_cur_freq_mhz"), "700\n");
	assert_int_equal(pmu_read(s, requested), 2000);
	assert_int_equal(pmu_read(s, actual), 2600);
	uapi_close(&s->lab, actual);
	uapi_close(&s->lab, requested);
	live_close(s);
}

/* Time belongs to the state that the GPU was in: batches of 93 ms in each 100 ms, each of
 * which begins and ends between two calls. */
TEST(rc6_beside_work)
{
	struct live_lab *s = live_open("tgl", "execlists");
	int busy = pmu_open(s, PMU_RCS_BUSY_NS), rc6 = pmu_open(s, PMU_RC6_NS),
	    mhz = pmu_open(s, PMU_ACTUAL_MHZ);
	uint64_t busy_ns;

	for (unsigned i = 1; i <= 10; i++) {
		live_draw(s, 93000000);
		virtual_advance(s->device, i * 100 * MS);
	}
	busy_ns = pmu_read(s, busy);
	assert_in_range(busy_ns, 930 * MS, 931 * MS);
	assert_in_range(
	    busy_ns + pmu_read(s, rc6), 1000 * MS - 1000, 1000 * MS + 1000);
	assert_in_range(pmu_read(s, mhz), 1209, 1210);
	uapi_close(&s->lab, mhz);
	uapi_close(&s->lab, rc6);
	uapi_close(&s->lab, busy);
	live_close(s);
}

/* An idle GPU is in RC6, but for the time that a forcewake file is open. */
TEST(forcewake)
{
	static const char *const paths[] = {
	    DEBUGS "i915_forcewake_user", DEBUGS "gt0/forcewake_user"};
	struct live_lab *s = live_open("tgl", "execlists");
	int rc6 = pmu_open(s, PMU_RC6_NS), first, second;
	struct wire_request rq = {.kind = WIRE_READ, .number = 8};

	virtual_advance(s->device, 100 * MS);
	assert_int_equal(pmu_read(s, rc6), 100 * MS);
	first = uapi_open_with(&s->lab, 1, paths[0], O_RDONLY);
	second = uapi_open_with(&s->lab, 1, paths[1], O_WRONLY);
	assert_true(first >= 0 && second >= 0);
	rq.token = uapi_fd(&s->lab, first)->token;
	assert_int_equal(uapi_call(&s->lab, 1, &rq, NULL), -EINVAL);
	virtual_advance(s->device, 200 * MS);
	uapi_close(&s->lab, first);
	virtual_advance(s->device, 300 * MS);
	assert_int_equal(pmu_read(s, rc6), 100 * MS);
	uapi_close(&s->lab, second);
	virtual_advance(s->device, 400 * MS);
	assert_int_equal(pmu_read(s, rc6), 200 * MS);
	assert_int_equal(live_write(s, paths[1], "1"), -EINVAL);
	uapi_close(&s->lab, rc6);
	live_close(s);
}

/* A file that is open for reading and writing; a write past the library. */
TEST(control_files)
{
	struct live_lab *s = live_open("tgl", "execlists");
	int fd = uapi_open_with(
	    &s->lab, 1, ENGINE "rcs0/stop_timeout_ms", O_RDWR);
	struct wire_request rq = {.kind = WIRE_READ,
	    .number = 2,
	    .token = uapi_fd(&s->lab, fd)->token};

	assert_int_equal(uapi_call(&s->lab, 1, &rq, NULL), 2);
	assert_memory_equal(s->lab.threads[1].bytes, "10", 2);
	assert_int_equal(uapi_call(&s->lab, 1, &rq, NULL), 2);
	assert_memory_equal(s->lab.threads[1].bytes, "0\n", 2);
	assert_int_equal(uapi_call(&s->lab, 1, &rq, NULL), 0);
	i915_written(s->lab.dev, rq.token, "77\n", 3);
	i915_written(s->lab.dev, rq.token, "no\n", 3);
	assert_string_equal(
	    live_text(s, ENGINE "rcs0/stop_timeout_ms"), "77\n");
	uapi_close(&s->lab, fd);
	live_close(s);
}

static uint64_t
register_at(int fd, off_t at)
{
	uint64_t value = 0;

	assert_int_equal(pread(fd, &value, sizeof value, at), sizeof value);
	return value;
}

/* The tail of a ring is ahead of its head while the engine is busy: intel_gpu_time
 * samples both. */
TEST(ring_registers)
{
	struct live_lab *s = live_open("tgl", "execlists");
	int fd = uapi_open_with(&s->lab, 1, PCI "resource0", O_RDWR);

	assert_true(fd >= 0);
	virtual_advance(s->device, 10 * MS);
	assert_int_equal(register_at(fd, 0x2030), 0);
	live_spin(s, 0);
	for (unsigned i = 0; i < 3; i++) {
		virtual_advance(s->device, (20 + i / 2) * MS);
		assert_int_equal(register_at(fd, 0x2030), 8);
		assert_int_equal(register_at(fd, 0x22030), 0);
	}
	close(fd);
	live_close(s);
}

/* Timestamps of all engines, every 50 us at the latest. */
TEST(registers)
{
	struct live_lab *s = live_open("tgl", "execlists");
	int fd = uapi_open_with(&s->lab, 1, PCI "resource0", O_RDWR);
	nsec now = 100 * MS;

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
	/* No program has it mapped. */
	close(fd);
	virtual_advance(s->device, 2000 * MS);
	assert_int_equal(virtual_next(s->device), NSEC_NEVER);
	live_close(s);
}
