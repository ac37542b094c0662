/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A virtual i915 on the model, for tests: calls of a program at one end, the
 * simulation at the other; and batches, dword by dword.
 */
#ifndef TESTS_SUPPORT_DEVICE_RIG_H
#define TESTS_SUPPORT_DEVICE_RIG_H

#include "device/model/virtual.h"
#include "tests/support/i915_lab.h"
#include "tests/support/lab.h"

#define US        NSEC_PER_USEC
#define PINNED    (EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS)
#define BATCH_END 0x05000000u
#define BLIT      I915_EXEC_BLT
#define RENDER    I915_EXEC_RENDER

struct rig {
	struct lab model;
	struct i915_lab lab;
	struct virtual_device *device;
	int fd;
	uint64_t next; /* free address */
};

/* A batch in an object of its own. */
struct code {
	uint32_t handle;
	uint64_t address;
	uint32_t dwords[1024];
	unsigned n;
};

/* Starts a device with that scheduler, one open file, and short time outs. The
 * caller calls rig_finish(). */
struct rig *rig_start(const char *sched);
/* Makes the device of b's model, and opens a file of it. */
void rig_open(struct rig *b);
void rig_finish(struct rig *b);
/* Runs the device up to that time. */
void rig_run_to(struct rig *b, uint64_t us);

/* Access an object as PWRITE and PREAD do, which wait. */
void rig_write(
    struct rig *b, uint32_t handle, uint64_t at, const void *data, size_t n);
uint32_t rig_read(struct rig *b, uint32_t handle, uint64_t at);

/* Makes an object for a batch, at an address of its own. */
struct code rig_code(struct rig *b);
void code_emit(struct code *c, const uint32_t *dwords, size_t n);
#define EMIT(c, ...)                                                           \
	code_emit(c, (const uint32_t[]){__VA_ARGS__},                          \
	    sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define ADDRESS(a) (uint32_t)(a), (uint32_t)((uint64_t)(a) >> 32)

/* Makes the loop of gem_wsim for us, with preemption points. */
struct code rig_wsim(struct rig *b, uint32_t us, bool preemptible);
/* Makes a batch that jumps to itself until its first dword is an end. */
struct code rig_spin(struct rig *b);
/* Stores the end over its first command, through a mapping: PWRITE waits. */
void rig_end_spin(struct rig *b, const struct code *c);
/* Stores another value there. */
void rig_store(struct rig *b, const struct code *c, uint32_t value);

/* Submits a batch, and the object data, 0: none, at 1 GiB. Returns the result,
 * or the descriptor of the fence with I915_EXEC_FENCE_OUT. */
int rig_submit_with(struct rig *b, const struct code *c, uint32_t context,
    uint64_t flags, int in_fence, uint32_t data, bool write);
int rig_submit(
    struct rig *b, const struct code *c, uint32_t context, uint64_t flags);

#endif
