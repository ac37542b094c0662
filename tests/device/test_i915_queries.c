/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptions of the virtual i915: parameters, queries, the PMU, fdinfo, the
 * timestamp. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/wire/mark.h"
#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

#define GETPARAM                                                               \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_I915_GETPARAM, struct drm_i915_getparam)

enum device { TGL, TGL_61, KBL, IVB, GUC, N_DEVICES };

static const struct {
	uint16_t pci_id;
	unsigned graphics, kernel;
	enum i915_scheduler scheduler;
} devices[N_DEVICES] = {
    [TGL] = {0x9a49, 1200, I915_LINUX(5, 13), I915_EXECLISTS},
    [TGL_61] = {0x9a49, 1200, I915_LINUX(6, 1), I915_EXECLISTS},
    [KBL] = {0x5916, 900, I915_LINUX(6, 1), I915_EXECLISTS},
    [IVB] = {0x0166, 700, I915_LINUX(6, 1), I915_RING},
    [GUC] = {0x9a49, 1200, I915_LINUX(6, 11), I915_GUC},
};

static struct i915_lab *
device_of(enum device device, int *fd)
{
	struct i915_lab *lab = calloc(1, sizeof(*lab));

	i915_lab_init(lab);
	lab->config.pci_id = devices[device].pci_id;
	lab->config.graphics = devices[device].graphics;
	lab->config.kernel = devices[device].kernel;
	lab->config.scheduler = devices[device].scheduler;
	i915_lab_start(lab);
	*fd = uapi_open(lab, 0, "dev/dri/renderD128");
	return lab;
}

/* GETPARAM's answers that clients look at. */
TEST(params)
{
	static const struct {
		enum device device;
		int param, value;
	} params[] = {
	    {TGL, I915_PARAM_CHIPSET_ID, 0x9a49},
	    {TGL, I915_PARAM_HAS_SCHEDULER, 0x1f},
	    {KBL, I915_PARAM_HAS_SCHEDULER, 0x1f},
	    {IVB, I915_PARAM_HAS_SCHEDULER, 0},
	    {GUC, I915_PARAM_HAS_SCHEDULER, 0x37},
	    {TGL, I915_PARAM_HAS_CONTEXT_ISOLATION, 0xf},
	    {TGL, I915_PARAM_CS_TIMESTAMP_FREQUENCY, 19200000},
	    {TGL, I915_PARAM_HAS_ALIASING_PPGTT, 3},
	    {IVB, I915_PARAM_HAS_ALIASING_PPGTT, 1},
	    {TGL, I915_PARAM_HAS_EXEC_SOFTPIN, 1},
	    {IVB, I915_PARAM_HAS_EXEC_SOFTPIN, 0},
	    {TGL, I915_PARAM_HAS_BSD2, 1},
	    {TGL, I915_PARAM_SUBSLICE_TOTAL, 6},
	    {TGL, I915_PARAM_EU_TOTAL, 96},
	    {TGL, I915_PARAM_SUBSLICE_MASK, 63},
	    {TGL, I915_PARAM_HAS_GPU_RESET, 2},
	    {TGL, I915_PARAM_MMAP_GTT_VERSION, 4},
	};

	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		int fd, value = -77;
		struct i915_lab *lab = device_of(params[i].device, &fd);
		struct drm_i915_getparam arg = {params[i].param, &value};

		assert_int_equal(uapi_ioctl(lab, fd, GETPARAM, &arg), 0);
		if (value != params[i].value)
			print_error("param %d\n", params[i].param);
		assert_int_equal(value, params[i].value);
		i915_lab_free(lab);
		free(lab);
	}
}

/* Asks a query item; returns its length. */
static int32_t
query(struct i915_lab *lab, int fd, uint64_t id, void *data, int32_t length,
    uint32_t flags)
{
	struct drm_i915_query_item item = {.query_id = id,
	    .length = length,
	    .flags = flags,
	    .data_ptr = (uintptr_t)data};
	struct drm_i915_query arg = {
	    .num_items = 1, .items_ptr = (uintptr_t)&item};

	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_QUERY, &arg), 0);
	return item.length;
}

/* doc/model/i915.md "Queries". */
TEST(queries)
{
	int fd;
	struct i915_lab *lab = device_of(TGL_61, &fd);
	char data[512] = {0};
	struct drm_i915_query_engine_info *engines = (void *)data;
	struct drm_i915_query_topology_info *topology = (void *)data;

	assert_int_equal(query(lab, fd, 2, NULL, 0, 0), 296);
	assert_int_equal(query(lab, fd, 2, data, 100, 0), -EINVAL);
	assert_int_equal(query(lab, fd, 2, (void *)8, 296, 0), -EFAULT);
	/* An error of the call before is a large length. */
	assert_int_equal(query(lab, fd, 2, (void *)8, -EFAULT, 0), -EFAULT);
	assert_int_equal(query(lab, fd, 2, data, 296, 0), 296);
	assert_int_equal(engines->num_engines, 5);
	assert_int_equal(engines->engines[3].engine.engine_instance, 1);
	assert_int_equal(engines->engines[3].logical_instance, 1);
	/* The header must be zero. */
	assert_int_equal(query(lab, fd, 2, data, 296, 0), -EINVAL);
	memset(data, 0, sizeof(data));
	assert_int_equal(query(lab, fd, 1, NULL, 0, 0), 30);
	assert_int_equal(query(lab, fd, 1, data, 30, 0), 30);
	assert_int_equal(topology->eu_offset, 2);
	assert_int_equal((uint8_t)topology->data[1], 0x3f);
	assert_int_equal(query(lab, fd, 1, data, 30, 1), -EINVAL);
	assert_int_equal(query(lab, fd, 3, NULL, 0, 0), -EINVAL);
	assert_int_equal(query(lab, fd, 4, NULL, 0, 0), 104);
	assert_int_equal(query(lab, fd, 5, NULL, 0, 0), -ENODEV);
	assert_int_equal(query(lab, fd, 6, NULL, 0, 0), -ENODEV);
	assert_int_equal(query(lab, fd, 7, NULL, 0, 0), -EINVAL);
	assert_int_equal(query(lab, fd, 99, NULL, 0, 0), -EINVAL);
	i915_lab_free(lab);
	free(lab);
	lab = device_of(GUC, &fd);
	memset(data, 0, sizeof(data));
	assert_int_equal(query(lab, fd, 7, data, 16, 0), 16);
	i915_lab_free(lab);
	free(lab);
}

/* The render engine's clock: ticks of 19.2 MHz. */
TEST(timestamp)
{
	int fd;
	struct i915_lab *lab = device_of(TGL, &fd);
	struct drm_i915_reg_read a = {.offset = 0x2359};
	struct drm_i915_reg_read b = {.offset = 0x2358};

	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_REG_READ, &a), 0);
	uapi_advance(lab, 1000000000);
	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_REG_READ, &b), 0);
	assert_int_equal(b.val - a.val, 19200000);
	i915_lab_free(lab);
	free(lab);
}

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
	int fd;
	struct i915_lab *lab = device_of(TGL, &fd);
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
	i915_lab_free(lab);
	free(lab);
}

/* doc/model/i915.md "PMU". */
TEST(perf_errors)
{
	int fd;
	struct i915_lab *lab = device_of(TGL, &fd);

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
	i915_lab_free(lab);
	free(lab);
}

TEST(fdinfo)
{
	int fd;
	struct i915_lab *lab = device_of(TGL, &fd);
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
	i915_lab_free(lab);
	free(lab);
}
