/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parallel submission, check by check in the kernel's order, by scheduler and
 * kernel; which objects are batches, what is waited for, and what a fence out
 * means. Rules: doc/model/i915.md "Engine maps", "Execbuf". How its rows run:
 * tests/engine/test_parallel.c.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

/* Rows name the fields that they are about. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define HOLE    0xffff
#define N_SLOTS 3 /* a hole, an engine, the slot of the row */
#define MOST    8 /* engines of a row */

enum device { GUC, GUC_5_15, EXECLISTS, EXECLISTS_5_16, RING, NONE };

struct engine {
	uint16_t class, instance;
};

/* The extension as it is read; engines follow it. */
struct parallel {
	struct {
		struct i915_user_extension base;
		uint16_t engine_index, width, num_siblings, mbz16;
		uint64_t flags, mbz64[3];
	} ext;
	struct engine engines[MOST];
};

_Static_assert(offsetof(struct parallel, engines) ==
	sizeof(struct i915_context_engines_parallel_submit),
    "as the kernel's");

static struct i915_lab *
start(enum device device)
{
	static const struct gpu_engine engines[] = {
	    {GPU_RENDER, 0, 0, 0, 0x2000}, {GPU_COPY, 0, 0, 0, 0x22000},
	    {GPU_VIDEO, 0, 0, 0, 0x1c0000}, {GPU_VIDEO, 1, 1, 0, 0x1c4000},
	    {GPU_VIDEO, 2, 2, 0, 0x1d0000}, {GPU_VIDEO, 3, 3, 0, 0x1d4000},
	    {GPU_COMPUTE, 0, 0, 0, 0x1a000}, {GPU_COMPUTE, 1, 1, 0, 0x1c000}};
	struct i915_lab *lab = calloc(1, sizeof(*lab));

	i915_lab_init(lab);
	memcpy(lab->config.engines, engines, sizeof(engines));
	lab->config.n_engines = sizeof(engines) / sizeof(engines[0]);
	lab->config.kernel = device == GUC_5_15 ? I915_LINUX(5, 15)
	    : device == EXECLISTS_5_16          ? I915_LINUX(5, 16)
						: I915_LINUX(6, 11);
	lab->config.scheduler = device == GUC || device == GUC_5_15 ? I915_GUC
	    : device == RING                                        ? I915_RING
			     : I915_EXECLISTS;
	lab->config.no_parallel = device == NONE;
	i915_lab_start(lab);
	return lab;
}

static void
finish(struct i915_lab *lab)
{
	uapi_end_all(lab);
	i915_lab_free(lab);
	free(lab);
}

/* Sets a map whose last slot is the extension's. */
static int
set_map(struct i915_lab *lab, int fd, uint32_t ctx, uint64_t extension)
{
	struct {
		uint64_t extension;
		struct engine engines[N_SLOTS];
	} map = {extension, {{HOLE, HOLE}, {2, 0}, {HOLE, HOLE}}};

	return uapi_set_param(lab, fd, ctx, I915_CONTEXT_PARAM_ENGINES,
	    sizeof(uint64_t) + sizeof(map.engines), (uintptr_t)&map);
}

#define VCS(n)                                                                 \
	{                                                                      \
		GPU_VIDEO, n                                                   \
	}
#define TWO .ext.engine_index = 2, .ext.width = 2, .ext.num_siblings = 1

static const struct row {
	const char *check;
	enum device device;
	int result;
	struct parallel p;
} rows[] = {
    {"two of one", GUC, 0, {TWO, .engines = {VCS(0), VCS(1)}}},
    {"execlists", EXECLISTS, 0, {TWO, .engines = {VCS(0), VCS(1)}}},
    {"Linux 5.15", GUC_5_15, -EINVAL, {TWO, .engines = {VCS(0), VCS(1)}}},
    {"execlists of 5.16", EXECLISTS_5_16, -ENODEV,
	{TWO, .engines = {VCS(0), VCS(1)}}},
    {"rings", RING, -ENODEV, {TWO, .engines = {VCS(0), VCS(1)}}},
    {"a scheduler without", NONE, -ENODEV, {TWO, .engines = {VCS(0), VCS(1)}}},
    {"placements", GUC, 0,
	{.ext.engine_index = 2,
	    .ext.width = 2,
	    .ext.num_siblings = 2,
	    .engines = {VCS(0), VCS(2), VCS(1), VCS(3)}}},
    {"placements on execlists", EXECLISTS, -EINVAL,
	{.ext.engine_index = 2,
	    .ext.width = 2,
	    .ext.num_siblings = 2,
	    .engines = {VCS(0), VCS(2), VCS(1), VCS(3)}}},
    {"four of one", GUC, 0,
	{.ext.engine_index = 2,
	    .ext.width = 4,
	    .ext.num_siblings = 1,
	    .engines = {VCS(0), VCS(1), VCS(2), VCS(3)}}},
    {"an index beyond", GUC, -EINVAL,
	{.ext.engine_index = N_SLOTS,
	    .ext.width = 2,
	    .ext.num_siblings = 1,
	    .engines = {VCS(0), VCS(1)}}},
    {"a slot that is filled", GUC, -EINVAL,
	{.ext.engine_index = 1,
	    .ext.width = 2,
	    .ext.num_siblings = 1,
	    .engines = {VCS(0), VCS(1)}}},
    {"flags", GUC, -EINVAL, {TWO, .ext.flags = 1, .engines = {VCS(0), VCS(1)}}},
    {"mbz16", GUC, -EINVAL, {TWO, .ext.mbz16 = 1, .engines = {VCS(0), VCS(1)}}},
    {"mbz64", GUC, -EINVAL,
	{TWO, .ext.mbz64[2] = 1, .engines = {VCS(0), VCS(1)}}},
    {"width 1", GUC, -EINVAL,
	{.ext.engine_index = 2,
	    .ext.width = 1,
	    .ext.num_siblings = 1,
	    .engines = {VCS(0)}}},
    {"width 0", GUC, -EINVAL, {.ext.engine_index = 2, .ext.num_siblings = 1}},
    {"no siblings", GUC, -EINVAL, {.ext.engine_index = 2, .ext.width = 2}},
    {"width 65535", GUC, -EINVAL,
	{.ext.engine_index = 2, .ext.width = 65535, .ext.num_siblings = 1}},
    {"siblings 65535", GUC, -EINVAL,
	{.ext.engine_index = 2, .ext.width = 2, .ext.num_siblings = 65535}},
    {"an unknown engine", GUC, -EINVAL, {TWO, .engines = {VCS(3), VCS(4)}}},
    {"render", GUC, -EINVAL, {TWO, .engines = {{0, 0}, {0, 0}}}},
    {"compute", GUC, -EINVAL, {TWO, .engines = {{4, 0}, {4, 1}}}},
    {"two classes", GUC, -EINVAL, {TWO, .engines = {VCS(0), {1, 0}}}},
    {"the same twice", GUC, -EINVAL, {TWO, .engines = {VCS(0), VCS(0)}}},
    {"not side by side", GUC, -EINVAL, {TWO, .engines = {VCS(0), VCS(2)}}},
    {"backwards", GUC, -EINVAL, {TWO, .engines = {VCS(1), VCS(0)}}},
    {"rows that are not alike", GUC, -EINVAL,
	{.ext.engine_index = 2,
	    .ext.width = 2,
	    .ext.num_siblings = 2,
	    .engines = {VCS(0), VCS(1), VCS(1), VCS(3)}}},
    {"flags of the extension", GUC, -EINVAL,
	{TWO, .ext.base.flags = 1, .engines = {VCS(0), VCS(1)}}},
};

TEST(checks)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct i915_lab *lab = start(rows[i].device);
		struct parallel p = rows[i].p;
		int fd = uapi_open(lab, 0, "dev/dri/renderD128"), rc;

		p.ext.base.name = I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT;
		rc = set_map(lab, fd, uapi_context(lab, fd), (uintptr_t)&p);
		if (rc != rows[i].result)
			fail_msg("%s: %d, not %d", rows[i].check, rc,
			    rows[i].result);
		finish(lab);
	}
}

/* The list of engines, or the extension, is not there. */
TEST(bad_pointers)
{
	struct i915_lab *lab = start(GUC);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");

	assert_int_equal(set_map(lab, fd, uapi_context(lab, fd), 8), -EFAULT);
	finish(lab);
}

/* A context with a slot of width 2, its number 2. */
static uint32_t
new_parallel(struct i915_lab *lab, int fd)
{
	struct parallel p = {TWO, .engines = {VCS(0), VCS(1)}};
	uint32_t ctx = uapi_context(lab, fd);

	p.ext.base.name = I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT;
	assert_int_equal(set_map(lab, fd, ctx, (uintptr_t)&p), 0);
	return ctx;
}

static void
new_objects(struct i915_lab *lab, int fd,
    struct drm_i915_gem_exec_object2 *objects, unsigned n)
{
	memset(objects, 0, n * sizeof(*objects));
	for (unsigned i = 0; i < n; i++)
		objects[i].handle = uapi_create(lab, fd, 4096);
}

static int
submit_with(struct i915_lab *lab, int fd, struct drm_i915_gem_execbuffer2 arg,
    struct drm_i915_gem_exec_object2 *objects, uint32_t n)
{
	arg.buffers_ptr = (uintptr_t)objects;
	arg.buffer_count = n;
	arg.flags |= 2;
	return uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &arg);
}

TEST(submissions)
{
	struct i915_lab *lab = start(GUC);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_i915_gem_exec_object2 objects[3];
	struct drm_i915_gem_execbuffer2 arg = {.rsvd1 = new_parallel(lab, fd)},
					started = arg, short_one = arg,
					first = arg;

	new_objects(lab, fd, objects, 3);
	started.batch_start_offset = 8;
	short_one.batch_len = 8;
	first.flags = I915_EXEC_BATCH_FIRST;
	assert_int_equal(submit_with(lab, fd, arg, objects, 1), -EINVAL);
	assert_int_equal(submit_with(lab, fd, started, objects, 2), -EINVAL);
	assert_int_equal(submit_with(lab, fd, short_one, objects, 2), -EINVAL);
	/* The last two of three objects are batches, which must not be written,
	 * or the first two. */
	objects[0].flags = EXEC_OBJECT_WRITE;
	assert_int_equal(submit_with(lab, fd, arg, objects, 3), 0);
	assert_int_equal(submit_with(lab, fd, first, objects, 3), -EINVAL);
	objects[0].flags = 0;
	objects[2].flags = EXEC_OBJECT_WRITE;
	assert_int_equal(submit_with(lab, fd, arg, objects, 3), -EINVAL);
	assert_int_equal(submit_with(lab, fd, first, objects, 3), 0);
	assert_int_equal(lab->n_requests, 2);
	assert_int_equal(lab->requests[0].timeline->slot.width, 2);
	lab->requests[0].timeline->context->banned = true;
	assert_int_equal(submit_with(lab, fd, first, objects, 3), -EIO);
	finish(lab);
}

/* All rows are one request: it waits once, and its fence out is of their end. */
TEST(fences)
{
	struct i915_lab *lab = start(GUC);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_i915_gem_exec_object2 objects[2];
	struct drm_i915_gem_execbuffer2 arg = {
	    .buffers_ptr = (uintptr_t)objects,
	    .buffer_count = 2,
	    .rsvd1 = new_parallel(lab, fd),
	    .flags = 2 | I915_EXEC_FENCE_OUT};
	struct drm_i915_gem_busy busy = {0};
	int out;

	new_objects(lab, fd, objects, 2);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &arg), 0);
	out = (int)(arg.rsvd2 >> 32);
	new_objects(lab, fd, objects, 2);
	arg.flags = 2 | I915_EXEC_FENCE_IN;
	arg.rsvd1 = new_parallel(lab, fd);
	arg.rsvd2 = (uint32_t)out;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &arg), 0);
	assert_true(uapi_after(lab, 1, 0, GPU_AFTER_END));
	arg.flags = 2 | I915_EXEC_FENCE_SUBMIT;
	arg.rsvd1 = new_parallel(lab, fd);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &arg), 0);
	assert_true(uapi_after(lab, 2, 0, GPU_AFTER_START));
	/* Each object is busy, as its batch's reader on the class. */
	for (unsigned i = 0; i < 2; i++) {
		busy.handle = objects[i].handle;
		assert_int_equal(
		    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_BUSY, &busy), 0);
		assert_int_equal(busy.busy, 1u << (16 + GPU_VIDEO));
	}
	assert_false(uapi_fd(lab, out)->readable);
	uapi_end(lab, 0, 0);
	assert_true(uapi_fd(lab, out)->readable);
	finish(lab);
}
