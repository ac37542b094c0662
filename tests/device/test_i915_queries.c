/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptions of the virtual i915: the PMU, fdinfo. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/wire/mark.h"
#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

/* Opens a perf event on processor cpu. */
static int
perf_open(struct i915_lab *lab, uint64_t config, uint64_t format, int leader,
    int64_t cpu, int64_t pid)
{
	struct perf_event_attr attr = {.type = 4242,
	    .size = sizeof(attr),
	    .config = config,
	    .read_format = format};
	struct wire_request rq = {.kind = WIRE_PERF_OPEN,
	    .size = sizeof(attr),
	    .token = leader >= 0 ? uapi_fd(lab, leader)->token : 0,
	    .number = (uint64_t)cpu,
	    .pointer = (uint64_t)pid};

	return uapi_call(lab, 0, &rq, &attr);
}

static int
perf_read(struct i915_lab *lab, int fd, uint64_t size)
{
	struct wire_request rq = {.kind = WIRE_READ,
	    .token = uapi_fd(lab, fd)->token,
	    .number = size};

	return uapi_call(lab, 0, &rq, NULL);
}

/* As intel_gpu_top: a group under the interrupts, read at once. */
TEST(perf_group)
{
	struct i915_lab *lab = i915_lab_new(0);
	uint64_t group = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_GROUP;
	int leader = perf_open(lab, 0x100002, group, -1, 0, -1);
	int busy = perf_open(
	    lab, 0, PERF_FORMAT_TOTAL_TIME_ENABLED, leader, 0, -1);
	int mhz = perf_open(
	    lab, 0x100000, PERF_FORMAT_TOTAL_TIME_ENABLED, leader, 0, -1);
	uint64_t values[5];

	assert_true(leader >= 0 && busy >= 0 && mhz >= 0);
	uapi_advance(lab, 2000000000);
	assert_int_equal(perf_read(lab, leader, 39), -ENOSPC);
	assert_int_equal(perf_read(lab, leader, 4096), 40);
	memcpy(values, lab->threads[0].bytes, sizeof(values));
	assert_int_equal(values[0], 3);
	assert_int_equal(values[1], 2000000000);
	assert_int_equal(values[2], 0);
	assert_int_equal(values[3], 2000000000);
	assert_int_equal(values[4], 2 * 1300);
	/* A member alone. */
	assert_int_equal(perf_read(lab, busy, 4096), 16);
	/* The leader goes, members go on. */
	uapi_close(lab, leader);
	assert_int_equal(perf_read(lab, busy, 4096), 16);
	uapi_close(lab, busy);
	i915_lab_delete(lab);
}

/* doc/model/i915.md "PMU". */
TEST(perf_errors)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");

	assert_int_equal(perf_open(lab, 0, 0, -1, -1, -1), -EINVAL);
	assert_int_equal(perf_open(lab, 0, 0, -1, 1, -1), -EINVAL);
	assert_int_equal(perf_open(lab, 0, 0, -1, 0, 4711), -EINVAL);
	assert_int_equal(perf_open(lab, 4 << 12, 0, -1, 0, -1), -ENODEV);
	assert_int_equal(perf_open(lab, 3, 0, -1, 0, -1), -ENOENT);
	assert_int_equal(perf_open(lab, 0x100005, 0, -1, 0, -1), -ENOENT);
	assert_int_equal(
	    perf_open(lab, UINT64_C(1) << 60, 0, -1, 0, -1), -ENOENT);
	assert_int_equal(perf_open(lab, 0, 0, fd, 0, -1), -EBADF);
	lab->config.perf_restricted = true;
	assert_int_equal(perf_open(lab, 0, 0, -1, 0, -1), -EACCES);
	lab->threads[0].caller.capabilities = I915_CAP_PERFMON;
	assert_true(perf_open(lab, 0, 0, -1, 0, -1) >= 0);
	i915_lab_delete(lab);
}

TEST(fdinfo)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct wire_request rq = {
	    .kind = WIRE_FDINFO, .number = 4711, .aux = (uint32_t)fd};
	char text[1024] = "";
	int info = uapi_call(lab, 0, &rq, NULL);

	assert_true(info >= 0);
	assert_true(read(info, text, sizeof(text) - 1) > 0);
	close(info);
	assert_non_null(strstr(text, "drm-driver:\ti915\n"));
	assert_non_null(strstr(text, "drm-client-id:\t1\n"));
	assert_non_null(strstr(text, "drm-pdev:\t0000:00:02.0\n"));
	assert_non_null(strstr(text, "drm-engine-video:\t1002 ns\n"));
	assert_non_null(strstr(text, "drm-engine-capacity-video:\t2\n"));
	assert_null(strstr(text, "drm-engine-compute"));
	assert_null(strstr(text, "drm-total"));
	rq.aux = 0;
	assert_int_equal(uapi_call(lab, 0, &rq, NULL), WIRE_NOT_MINE);
	/* A socket is the node that it stands for. */
	rq = (struct wire_request){.kind = WIRE_STAT, .number = 0};
	assert_int_equal(uapi_call(lab, 0, &rq, NULL), 128);
	rq.number = 99;
	assert_int_equal(uapi_call(lab, 0, &rq, NULL), WIRE_NOT_MINE);
	i915_lab_delete(lab);
}
