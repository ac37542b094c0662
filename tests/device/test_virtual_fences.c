/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests of programs that wait for one that fails, or that has ended: what
 * they inherit (doc/model/hangs.md "Errors travel"), and where bonds let them
 * run (doc/model/virtual.md "Ended requests").
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "tests/runner/test.h"
#include "tests/support/device_rig.h"

#define MS      NSEC_PER_MSEC
#define INVALID 0xffff
#define DATA    (1u << 30)

/* How a request waits for another. */
enum wait_kind { IN_FENCE, OBJECT, SYNCOBJ, SUBMIT, N_WAIT_KINDS };

/* One submission, with all that a wait may need. */
struct exec {
	struct rig *b;
	const struct code *code;
	uint32_t context;
	uint64_t flags;
	uint32_t data; /* object, 0: none */
	bool write;
	uint32_t syncobj; /* 0: none */
	uint32_t syncobj_flags;
	int in;  /* descriptor, with FENCE_IN or FENCE_SUBMIT */
	int out; /* descriptor, with FENCE_OUT */
};

static void
exec(struct exec *e)
{
	struct drm_i915_gem_exec_object2 objects[2] = {
	    {.handle = e->data,
		.offset = DATA,
		.flags = PINNED | (e->write ? EXEC_OBJECT_WRITE : 0)},
	    {.handle = e->code->handle,
		.offset = e->code->address,
		.flags = PINNED},
	};
	struct drm_i915_gem_exec_fence fence = {e->syncobj, e->syncobj_flags};
	struct drm_i915_gem_execbuffer2 arg = {
	    .buffers_ptr = (uintptr_t)&objects[e->data == 0],
	    .buffer_count = e->data == 0 ? 1 : 2,
	    .flags = e->flags,
	    .rsvd1 = e->context,
	    .rsvd2 = (uint32_t)e->in,
	};

	if (e->syncobj != 0) {
		arg.flags |= I915_EXEC_FENCE_ARRAY;
		arg.num_cliprects = 1;
		arg.cliprects_ptr = (uintptr_t)&fence;
	}
	assert_int_equal(uapi_ioctl(&e->b->lab, e->b->fd,
			     DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &arg),
	    0);
	e->out = (int)(arg.rsvd2 >> 32);
}

static uint32_t
new_syncobj(struct rig *b)
{
	struct drm_syncobj_create arg = {0};

	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_SYNCOBJ_CREATE, &arg), 0);
	return arg.handle;
}

/* A device that finds hangs soon, and whose requests wait on the CPU. */
static struct rig *
start(const char *sched, unsigned semaphores)
{
	struct rig *b = calloc(1, sizeof *b);
	struct profile *p = &b->model.config.profile;

	lab_init(&b->model, sched);
	p->clock_hz = NSEC_PER_SEC;
	p->heartbeat_ns = 10 * MS;
	p->preempt_timeout_ns = p->preempt_timeout_compute_ns = 5 * MS;
	p->hang_ns = p->job_timeout_ns = 50 * MS;
	p->semaphores = semaphores;
	rig_open(b);
	return b;
}

/* Lets a request on RENDER hang, and one on BLIT wait for it, which is
 * submitted before the hang or after it. Returns the error of the latter. */
static int
inherited(
    const char *sched, unsigned semaphores, enum wait_kind kind, bool late)
{
	struct rig *b = start(sched, semaphores);
	struct code wild = rig_code(b), good = rig_wsim(b, 100, true);
	uint32_t data = uapi_create(&b->lab, b->fd, 4096);
	uint32_t syncobj = new_syncobj(b);
	struct exec master = {.b = b,
	    .code = &wild,
	    .context = uapi_context(&b->lab, b->fd),
	    .flags = RENDER | I915_EXEC_FENCE_OUT,
	    .data = data,
	    .write = true,
	    .syncobj = syncobj,
	    .syncobj_flags = I915_EXEC_FENCE_SIGNAL};
	struct exec waiter = {.b = b, .code = &good, .flags = BLIT};
	const struct lab_row *row;
	int error;

	EMIT(&wild, 0x18800101, ADDRESS(UINT64_C(0x700000000000)));
	rig_write(b, wild.handle, 0, wild.dwords, (size_t)wild.n * 4);
	exec(&master);
	rig_run_to(b, late ? 500000 : 1000);
	waiter.in = master.out;
	switch (kind) {
	case IN_FENCE: waiter.flags |= I915_EXEC_FENCE_IN; break;
	case SUBMIT: waiter.flags |= I915_EXEC_FENCE_SUBMIT; break;
	case OBJECT: waiter.data = data; break;
	default:
		waiter.syncobj = syncobj;
		waiter.syncobj_flags = I915_EXEC_FENCE_WAIT;
		break;
	}
	exec(&waiter);
	rig_run_to(b, 1000000);
	assert_int_equal(b->model.hung, 1);
	row = &b->model.rows[1];
	assert_int_not_equal(row->end, NSEC_NEVER);
	error = row->error;
	assert_int_equal(row->run, error == 0 ? 100 * US : 0);
	if (kind == SUBMIT)
		assert_int_equal(row->start, late ? 500 * MS : MS);
	rig_finish(b);
	return error;
}

/* hangs.md "Errors travel": the wait for an end inherits the error, unless it is a
 * semaphore, or the end is over at the submission. A start passes nothing on. */
TEST(errors_travel)
{
	static const struct {
		const char *sched;
		unsigned semaphores;
		int error;
	} rows[] = {
	    {"fifo", 0, -EIO},
	    {"execlists", 0, -EIO},
	    {"execlists", 1, 0},
	    {"drm", 0, 0},
	    {"guc", 0, -EIO},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (unsigned kind = 0; kind < N_WAIT_KINDS; kind++) {
			enum wait_kind k = (enum wait_kind)kind;
			int error = k == SUBMIT ? 0 : rows[i].error;

			assert_int_equal(inherited(rows[i].sched,
					     rows[i].semaphores, k, false),
			    error);
			assert_int_equal(inherited(rows[i].sched,
					     rows[i].semaphores, k, true),
			    0);
		}
	}
}

/* Makes a context with one slot, for VCS1 or VCS2, or for both with a bond of
 * VCS1 with VCS2 (engine < 0). */
static uint32_t
video_context(struct rig *b, int engine)
{
	I915_DEFINE_CONTEXT_ENGINES_BOND(bond, 1) = {
	    .base.name = I915_CONTEXT_ENGINES_EXT_BOND,
	    .master = {I915_ENGINE_CLASS_VIDEO, 0},
	    .num_bonds = 1,
	    .engines = {{I915_ENGINE_CLASS_VIDEO, 1}}};
	I915_DEFINE_CONTEXT_ENGINES_LOAD_BALANCE(balance, 2) = {
	    .base = {.name = I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE,
		.next_extension = (uintptr_t)&bond},
	    .num_siblings = 2,
	    .engines = {
		{I915_ENGINE_CLASS_VIDEO, 0}, {I915_ENGINE_CLASS_VIDEO, 1}}};
	I915_DEFINE_CONTEXT_PARAM_ENGINES(map, 1) = {
	    .extensions = engine < 0 ? (uintptr_t)&balance : 0,
	    .engines = {{INVALID, INVALID}}};
	uint32_t context = uapi_context(&b->lab, b->fd);

	if (engine >= 0) {
		map.engines[0].engine_class = I915_ENGINE_CLASS_VIDEO;
		map.engines[0].engine_instance = (uint16_t)engine;
	}
	assert_int_equal(
	    uapi_set_param(&b->lab, b->fd, context, I915_CONTEXT_PARAM_ENGINES,
		sizeof map, (uintptr_t)&map),
	    0);
	return context;
}

/* hangs.md "Errors travel": the next request of a timeline waits for the end of a
 * hung one on a virtual engine only. */
TEST(errors_of_timelines)
{
	static const char *const schedulers[] = {"fifo", "execlists"};

	for (size_t i = 0; i < 4; i++) {
		struct rig *b = start(schedulers[i / 2], 1);
		struct code wild = rig_code(b);
		struct code good = rig_wsim(b, 100, true);
		bool is_virtual = i % 2 > 0;
		uint32_t context = video_context(b, is_virtual ? -1 : 0);
		struct exec first = {.b = b, .code = &wild, .context = context};
		struct exec next = {.b = b, .code = &good, .context = context};

		EMIT(&wild, 0x18800101, ADDRESS(0x40000000));
		rig_write(b, wild.handle, 0, wild.dwords, (size_t)wild.n * 4);
		exec(&first);
		exec(&next);
		rig_run_to(b, 1000000);
		assert_int_equal(b->model.rows[0].error, -EIO);
		assert_int_equal(b->model.rows[1].error, is_virtual ? -EIO : 0);
		rig_finish(b);
	}
}

/* When a bonded request is submitted, its master is: */
enum master { QUEUED, STARTED, ENDED };

/* The master runs on VCS1, where it may have to wait for 300 us; VCS2 is busy
 * until 1000 us. Expects the bonded request there, or anywhere. */
static void
expect_bonded(
    const char *sched, enum master when, const char *engine, nsec start_us)
{
	struct rig *b = start(sched, 1);
	struct code soon = rig_wsim(b, 300, false),
		    last = rig_wsim(b, 1000, false),
		    code = rig_wsim(b, 200, false);
	struct exec blocks = {
	    .b = b, .code = &last, .context = video_context(b, 1)};
	struct exec before = {
	    .b = b, .code = &soon, .context = video_context(b, 0)};
	struct exec master = {.b = b,
	    .code = &code,
	    .context = video_context(b, 0),
	    .flags = I915_EXEC_FENCE_OUT};
	struct exec bonded = {.b = b,
	    .code = &code,
	    .context = video_context(b, -1),
	    .flags = I915_EXEC_FENCE_SUBMIT};
	const struct lab_row *row;

	exec(&blocks);
	if (when == QUEUED)
		exec(&before);
	exec(&master);
	rig_run_to(b, when == ENDED ? 400 : 50);
	bonded.in = master.out;
	exec(&bonded);
	rig_run_to(b, 10000);
	row = &b->model.rows[b->model.n_rows - 1];
	assert_string_equal(row->engine, engine);
	assert_int_equal(row->start, start_us * US);
	assert_int_equal(row->run, 200 * US);
	rig_finish(b);
}

TEST(bonds)
{
	static const char *const schedulers[] = {"fifo", "execlists"};

	for (size_t i = 0; i < 2; i++) {
		expect_bonded(schedulers[i], QUEUED, "VCS2", 1000);
		expect_bonded(schedulers[i], STARTED, "VCS2", 1000);
		expect_bonded(schedulers[i], ENDED, "VCS1", 400);
	}
}
