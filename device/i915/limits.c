/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits of one program on a device: doc/model/i915.md "Limits". A kernel refuses
 * when memory is used up; this device refuses earlier, with the same errors.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/device.h"

static const struct {
	uint64_t most;
	int error;
} limits_table[N_I915_LIMITS] = {
    [I915_LIMIT_MEMORY] = {UINT64_C(64) << 30, ENOMEM},
    [I915_LIMIT_OBJECTS] = {2000000, ENOMEM},
    [I915_LIMIT_CONTEXTS] = {65536, ENOSPC},
    [I915_LIMIT_REQUESTS] = {262144, ENOMEM},
    [I915_LIMIT_SYNCOBJS] = {1000000, ENOMEM},
    [I915_LIMIT_FILES] = {65536, EMFILE},
    [I915_LIMIT_ARRAY] = {1 << 20, ENOMEM},
};

static uint64_t
limit_of(const struct i915 *dev, enum i915_limit limit)
{
	uint64_t own = dev->config->limits[limit];

	return own ? own : limits_table[limit].most;
}

struct i915_program *
i915_program_get(struct i915 *dev, const struct i915_caller *caller)
{
	struct chain_node *node = chains_find(
	    &dev->programs, NULL, caller->pid);
	struct i915_program *program;

	if (node)
		return i915_program_ref(
		    container_of(node, struct i915_program, node));
	program = mem_calloc(1, sizeof(*program));
	program->node.n = caller->pid;
	program->refs = 1;
	memcpy(program->name, caller->name, sizeof(program->name) - 1);
	chains_add(&dev->programs, &program->node);
	return program;
}

struct i915_program *
i915_program_ref(struct i915_program *program)
{
	program->refs++;
	return program;
}

void
i915_program_put(struct i915 *dev, struct i915_program *program)
{
	if (--program->refs)
		return;
	chains_remove(&dev->programs, &program->node);
	if (dev->gpu->ops->program_gone)
		dev->gpu->ops->program_gone(
		    dev->gpu, (uint32_t)program->node.n);
	free(program);
}

int
i915_room(const struct i915 *dev, const struct i915_program *program,
    enum i915_limit limit, uint64_t n)
{
	uint64_t most = limit_of(dev, limit);

	return n > most || program->used[limit] > most - n
	    ? -limits_table[limit].error
	    : 0;
}

int
i915_take(struct i915 *dev, struct i915_program *program, enum i915_limit limit,
    uint64_t n)
{
	int rc = i915_room(dev, program, limit, n);

	if (!rc)
		program->used[limit] += n;
	return rc;
}

int
i915_table_room(
    const struct i915 *dev, const struct i915_table *t, enum i915_limit limit)
{
	return t->free > limit_of(dev, limit) ? -limits_table[limit].error : 0;
}

void
i915_give(struct i915_program *program, enum i915_limit limit, uint64_t n)
{
	program->used[limit] -= n;
}

int
i915_array_check(const struct i915 *dev, uint64_t n)
{
	return n > limit_of(dev, I915_LIMIT_ARRAY) ? -ENOMEM : 0;
}
