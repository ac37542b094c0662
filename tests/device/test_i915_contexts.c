/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts of the virtual i915: proto contexts, engine maps and their
 * extensions, parameters, SSEU. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

#define INVALID 0xffff

struct engine {
	uint16_t class, instance;
};

struct map {
	uint64_t extensions;
	struct engine engines[8];
};

static const struct engine hole = {INVALID, INVALID}, rcs0 = {0, 0},
			   bcs0 = {1, 0}, vcs0 = {2, 0}, vcs1 = {2, 1};

static struct i915_lab *
start(unsigned kernel)
{
	struct i915_lab *lab = calloc(1, sizeof(*lab));

	i915_lab_init(lab);
	lab->config.kernel = kernel;
	i915_lab_start(lab);
	return lab;
}

static void
finish(struct i915_lab *lab)
{
	i915_lab_free(lab);
	free(lab);
}

/* Sets a map of n engines. */
static int
set_map(struct i915_lab *lab, int fd, uint32_t ctx, const struct map *map,
    uint32_t n)
{
	return uapi_set_param(lab, fd, ctx, I915_CONTEXT_PARAM_ENGINES,
	    8 + 4 * n, (uintptr_t)map);
}

static int
get_param(
    struct i915_lab *lab, int fd, uint32_t ctx, uint64_t param, uint64_t *value)
{
	struct drm_i915_gem_context_param arg = {.ctx_id = ctx, .param = param};
	int rc = uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &arg);

	if (value)
		*value = arg.value;
	return rc;
}

static int
submit(struct i915_lab *lab, int fd, uint32_t ctx, uint64_t slot)
{
	struct drm_i915_gem_exec_object2 object = {
	    .handle = uapi_create(lab, fd, 4096)};

	return uapi_submit(lab, fd, ctx, slot, &object, 1);
}

/* doc/model/i915.md "Contexts". */
TEST(proto)
{
	struct i915_lab *lab = start(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct map map = {.engines = {vcs1, rcs0, rcs0}};
	uint32_t ctx = uapi_context(lab, fd);

	assert_int_equal(ctx, 1);
	assert_int_equal(set_map(lab, fd, ctx, &map, 3), 0);
	assert_int_equal(set_map(lab, fd, ctx, &map, 3), -EINVAL);
	assert_int_equal(submit(lab, fd, ctx, 0), 0);
	assert_int_equal(lab->requests[0].timeline->slot.rows[0], 1 << 3);
	assert_int_equal(submit(lab, fd, ctx, 1), 0);
	assert_int_equal(submit(lab, fd, ctx, 2), 0);
	/* The same engine twice is two timelines. */
	assert_ptr_not_equal(
	    lab->requests[1].timeline, lab->requests[2].timeline);
	assert_int_equal(submit(lab, fd, ctx, 3), -EINVAL);
	/* Any use ends it. */
	ctx = uapi_context(lab, fd);
	assert_int_equal(
	    get_param(lab, fd, ctx, I915_CONTEXT_PARAM_PRIORITY, NULL), 0);
	assert_int_equal(set_map(lab, fd, ctx, &map, 3), -EINVAL);
	assert_int_equal(
	    uapi_set_param(lab, fd, ctx, I915_CONTEXT_PARAM_VM, 0, 1), -EINVAL);
	assert_int_equal(
	    get_param(lab, fd, ctx, I915_CONTEXT_PARAM_ENGINES, NULL), -EINVAL);
	finish(lab);
}

/* Before Linux 5.14 maps may be set at any time, and read. */
TEST(old_contexts)
{
	struct i915_lab *lab = start(I915_LINUX(5, 13));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct map map = {.engines = {vcs0, rcs0}}, read = {0};
	uint32_t ctx = uapi_context(lab, fd);
	struct drm_i915_gem_context_param arg = {.ctx_id = ctx,
	    .size = sizeof(read),
	    .param = I915_CONTEXT_PARAM_ENGINES,
	    .value = (uintptr_t)&read};

	assert_int_equal(submit(lab, fd, ctx, I915_EXEC_RENDER), 0);
	assert_int_equal(set_map(lab, fd, ctx, &map, 2), 0);
	assert_int_equal(submit(lab, fd, ctx, 0), 0);
	assert_int_equal(lab->requests[1].timeline->slot.rows[0], 1 << 2);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &arg), 0);
	assert_int_equal(arg.size, 16);
	assert_memory_equal(read.engines, map.engines, 8);
	finish(lab);
}

TEST(load_balance)
{
	struct i915_lab *lab = start(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	I915_DEFINE_CONTEXT_ENGINES_LOAD_BALANCE(balance, 2) = {
	    .base.name = I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE,
	    .num_siblings = 2,
	    .engines = {{2, 0}, {2, 1}}};
	struct map map = {(uintptr_t)&balance, {hole, vcs0, vcs1}};
	uint32_t ctx = uapi_context(lab, fd);

	assert_int_equal(set_map(lab, fd, ctx, &map, 3), 0);
	assert_int_equal(submit(lab, fd, ctx, 0), 0);
	assert_int_equal(lab->requests[0].timeline->slot.rows[0], 3 << 2);
	ctx = uapi_context(lab, fd);
	balance.engine_index = 1;
	assert_int_equal(set_map(lab, fd, ctx, &map, 3), -EEXIST);
	balance.engine_index = 3;
	assert_int_equal(set_map(lab, fd, ctx, &map, 3), -EINVAL);
	balance.engine_index = 0;
	balance.flags = 1;
	assert_int_equal(set_map(lab, fd, ctx, &map, 3), -EINVAL);
	balance.flags = 0;
	balance.engines[1].engine_instance = 7;
	assert_int_equal(set_map(lab, fd, ctx, &map, 3), -EINVAL);
	/* Unlike classes are found at the first use. */
	balance.engines[1] = (struct i915_engine_class_instance){0, 0};
	assert_int_equal(set_map(lab, fd, ctx, &map, 3), 0);
	assert_int_equal(submit(lab, fd, ctx, 1), -EINVAL);
	/* The extension's own reserved words. */
	ctx = uapi_context(lab, fd);
	balance.base.rsvd[3] = 1;
	assert_int_equal(set_map(lab, fd, ctx, &map, 3), -EINVAL);
	finish(lab);
}

/* Sets a map of a balanced slot 0 and RCS, with a bond of slot `index`. */
static int
set_bond(struct i915_lab *lab, int fd, uint32_t ctx, uint16_t index)
{
	I915_DEFINE_CONTEXT_ENGINES_BOND(bond, 1) = {
	    .base.name = I915_CONTEXT_ENGINES_EXT_BOND,
	    .master = {0, 0},
	    .virtual_index = index,
	    .num_bonds = 1,
	    .engines = {{2, 1}}};
	I915_DEFINE_CONTEXT_ENGINES_LOAD_BALANCE(balance, 2) = {
	    .base = {.name = I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE,
		.next_extension = (uintptr_t)&bond},
	    .num_siblings = 2,
	    .engines = {{2, 0}, {2, 1}}};
	struct map map = {(uintptr_t)&balance, {hole, rcs0}};

	return set_map(lab, fd, ctx, &map, 2);
}

TEST(bonds)
{
	struct i915_lab *lab = start(I915_LINUX(5, 13));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t ctx = uapi_context(lab, fd);

	assert_int_equal(set_bond(lab, fd, ctx, 0), 0);
	assert_int_equal(submit(lab, fd, ctx, 0), 0);
	assert_int_equal(lab->requests[0].timeline->slot.n_bonds, 1);
	assert_int_equal(lab->requests[0].timeline->bonds[0].master, 0);
	assert_int_equal(lab->requests[0].timeline->bonds[0].engines, 1 << 3);
	finish(lab);
	/* Later kernels: on single engines only, without effect. */
	lab = start(I915_LINUX(5, 14));
	fd = uapi_open(lab, 0, "dev/dri/renderD128");
	ctx = uapi_context(lab, fd);
	assert_int_equal(set_bond(lab, fd, ctx, 0), -EINVAL);
	assert_int_equal(set_bond(lab, fd, ctx, 1), 0);
	finish(lab);
	/* Alder Lake P, and the GuC, have none. */
	lab = calloc(1, sizeof(*lab));
	i915_lab_init(lab);
	lab->config.pci_id = 0x46a6;
	lab->config.kernel = I915_LINUX(6, 1);
	i915_lab_start(lab);
	fd = uapi_open(lab, 0, "dev/dri/renderD128");
	assert_int_equal(set_bond(lab, fd, uapi_context(lab, fd), 1), -ENODEV);
	lab->config.scheduler = I915_GUC;
	lab->config.pci_id = 0x9a49;
	assert_int_equal(set_bond(lab, fd, uapi_context(lab, fd), 1), -ENODEV);
	finish(lab);
}

/* A parallel slot of width 2, with the engines first and second. */
static int
set_parallel(struct i915_lab *lab, int fd, uint32_t ctx, struct engine first,
    struct engine second)
{
	I915_DEFINE_CONTEXT_ENGINES_PARALLEL_SUBMIT(parallel, 2) = {
	    .base.name = I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT,
	    .width = 2,
	    .num_siblings = 1,
	    .engines = {{first.class, first.instance},
		{second.class, second.instance}}};
	struct map map = {(uintptr_t)&parallel, {hole, rcs0}};

	return set_map(lab, fd, ctx, &map, 2);
}

TEST(parallel)
{
	struct i915_lab *lab = start(I915_LINUX(5, 17));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_i915_gem_exec_object2 objects[2] = {
	    {.handle = uapi_create(lab, fd, 4096)},
	    {.handle = uapi_create(lab, fd, 4096)}};
	uint32_t ctx = uapi_context(lab, fd);

	assert_int_equal(set_parallel(lab, fd, ctx, vcs1, vcs0), -EINVAL);
	assert_int_equal(set_parallel(lab, fd, ctx, vcs0, bcs0), -EINVAL);
	assert_int_equal(set_parallel(lab, fd, ctx, rcs0, rcs0), -EINVAL);
	assert_int_equal(set_parallel(lab, fd, ctx, vcs0, vcs1), 0);
	assert_int_equal(uapi_submit(lab, fd, ctx, 0, objects, 1), -EINVAL);
	assert_int_equal(uapi_submit(lab, fd, ctx, 0, objects, 2), 0);
	assert_int_equal(lab->requests[0].timeline->slot.width, 2);
	assert_int_equal(lab->requests[0].timeline->slot.rows[0], 1 << 2);
	assert_int_equal(lab->requests[0].timeline->slot.rows[1], 1 << 3);
	finish(lab);
	lab = start(I915_LINUX(5, 13));
	fd = uapi_open(lab, 0, "dev/dri/renderD128");
	assert_int_equal(
	    set_parallel(lab, fd, uapi_context(lab, fd), vcs0, vcs1), -EINVAL);
	finish(lab);
	/* A GPU whose scheduler has none. */
	lab = start(I915_LINUX(5, 17));
	lab->config.no_parallel = true;
	fd = uapi_open(lab, 0, "dev/dri/renderD128");
	assert_int_equal(
	    set_parallel(lab, fd, uapi_context(lab, fd), vcs0, vcs1), -ENODEV);
	finish(lab);
}

/* Creation with a chain of parameters, as Mesa does it. */
TEST(create_ext)
{
	struct i915_lab *lab = start(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct map map = {.engines = {rcs0, bcs0}};
	struct drm_i915_gem_context_create_ext_setparam priority = {
	    .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
	    .param = {
		.param = I915_CONTEXT_PARAM_PRIORITY, .value = (uint64_t)-7}};
	struct drm_i915_gem_context_create_ext_setparam engines = {
	    .base = {.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
		.next_extension = (uintptr_t)&priority},
	    .param = {.param = I915_CONTEXT_PARAM_ENGINES,
		.size = 16,
		.value = (uintptr_t)&map}};
	struct drm_i915_gem_context_create_ext arg = {
	    .flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
	    .extensions = (uintptr_t)&engines};
	uint64_t value;

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &arg),
	    0);
	assert_int_equal(
	    get_param(lab, fd, arg.ctx_id, I915_CONTEXT_PARAM_PRIORITY, &value),
	    0);
	assert_int_equal((int64_t)value, -7);
	assert_int_equal(submit(lab, fd, arg.ctx_id, 1), 0);
	assert_int_equal(lab->contexts[0]->state.priority, -7);
	priority.param.ctx_id = 1;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &arg),
	    -EINVAL);
	priority.param.ctx_id = 0;
	/* A loop of extensions ends. */
	priority.base.next_extension = (uintptr_t)&priority;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &arg),
	    -E2BIG);
	finish(lab);
}

/* Two contexts that share an address space, whose number goes before. */
TEST(vm)
{
	struct i915_lab *lab = start(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_i915_gem_vm_control vm = {0};
	uint32_t ctx = uapi_context(lab, fd);
	uint64_t number;

	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_VM_CREATE, &vm), 0);
	assert_int_equal(vm.vm_id, 1);
	assert_int_equal(
	    uapi_set_param(lab, fd, ctx, I915_CONTEXT_PARAM_VM, 0, vm.vm_id),
	    0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), 0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), -ENOENT);
	assert_int_equal(submit(lab, fd, ctx, 0), 0);
	assert_int_equal(
	    get_param(lab, fd, ctx, I915_CONTEXT_PARAM_VM, &number), 0);
	assert_int_equal(number, 1);
	finish(lab);
}

/* doc/model/i915.md "SSEU". */
TEST(sseu)
{
	struct i915_lab *lab = start(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	struct drm_i915_gem_context_param_sseu sseu = {.slice_mask = 1,
	    .subslice_mask = 7,
	    .min_eus_per_subslice = 16,
	    .max_eus_per_subslice = 16};
	struct drm_i915_gem_context_param arg = {
	    .param = I915_CONTEXT_PARAM_SSEU, .value = (uintptr_t)&sseu};

	assert_int_equal(uapi_set_param(lab, fd, 0, I915_CONTEXT_PARAM_SSEU,
			     sizeof(sseu), (uintptr_t)&sseu),
	    -ENODEV);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &arg), 0);
	assert_int_equal(arg.size, sizeof(sseu));
	lab->config.any_sseu = true;
	assert_int_equal(uapi_set_param(lab, fd, 0, I915_CONTEXT_PARAM_SSEU,
			     sizeof(sseu), (uintptr_t)&sseu),
	    0);
	sseu.subslice_mask = 63;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &arg), 0);
	assert_int_equal(sseu.subslice_mask, 7);
	sseu.subslice_mask = 64;
	assert_int_equal(uapi_set_param(lab, fd, 0, I915_CONTEXT_PARAM_SSEU,
			     sizeof(sseu), (uintptr_t)&sseu),
	    -EINVAL);
	sseu.subslice_mask = 7;
	sseu.engine.engine_class = GPU_VIDEO;
	assert_int_equal(uapi_set_param(lab, fd, 0, I915_CONTEXT_PARAM_SSEU,
			     sizeof(sseu), (uintptr_t)&sseu),
	    -ENODEV);
	finish(lab);
}

/* Requests of a context that is destroyed go on, unless it says no. */
TEST(persistence)
{
	struct i915_lab *lab = start(I915_LINUX(6, 1));
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t a = uapi_context(lab, fd), b = uapi_context(lab, fd);
	struct drm_i915_gem_context_destroy arg = {.ctx_id = a};

	assert_int_equal(
	    uapi_set_param(lab, fd, b, I915_CONTEXT_PARAM_PERSISTENCE, 0, 0),
	    0);
	assert_int_equal(submit(lab, fd, a, 0), 0);
	assert_int_equal(submit(lab, fd, b, 0), 0);
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &arg), 0);
	assert_int_equal(submit(lab, fd, a, 0), -ENOENT);
	arg.ctx_id = b;
	assert_int_equal(
	    uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &arg), 0);
	assert_false(lab->requests[0].ended);
	assert_true(lab->requests[1].ended);
	uapi_close(lab, fd);
	uapi_end(lab, 0, 0);
	finish(lab);
}
