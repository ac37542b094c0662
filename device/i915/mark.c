/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descriptors that the device knows by their mark (device/wire/mark.h): made,
 * found by token or by their number in a program, and closed.
 */
#include <errno.h>
#include <unistd.h>

#include "base/util.h"
#include "device/i915/device.h"

int
i915_mark(struct i915 *dev, struct i915_call *call, struct i915_marked *m,
    enum wire_mark_kind kind, uint32_t minor)
{
	struct i915_program *program = i915_program_get(dev, call->caller);
	int rc = i915_take(dev, program, I915_LIMIT_FILES, 1);
	uint64_t token;

	if (rc) {
		i915_program_put(dev, program);
		return rc;
	}
	rc = dev->host->ops->mark(dev->host, (char)kind, minor, &token);
	if (rc < 0) {
		i915_give(program, I915_LIMIT_FILES, 1);
		i915_program_put(dev, program);
		return rc;
	}
	m->kind = kind;
	m->program = program;
	m->node.n = token;
	chains_add(&dev->marked, &m->node);
	return rc;
}

void
i915_unmark(struct i915 *dev, struct i915_marked *m)
{
	chains_remove(&dev->marked, &m->node);
	dev->host->ops->close(dev->host, m->node.n);
	i915_give(m->program, I915_LIMIT_FILES, 1);
	i915_program_put(dev, m->program);
}

struct i915_marked *
i915_marked_of(struct chain_node *node)
{
	return container_of(node, struct i915_marked, node);
}

struct i915_marked *
i915_marked_find(struct i915 *dev, uint64_t token)
{
	struct chain_node *node = chains_find(&dev->marked, NULL, token);

	return node ? i915_marked_of(node) : NULL;
}

struct i915_marked *
i915_marked_passed(struct i915 *dev, const struct i915_caller *caller, int fd,
    enum wire_mark_kind kind)
{
	struct i915_passed passed;
	struct i915_marked *m;

	if (fd < 0 ||
	    dev->host->ops->passed(dev->host, caller->pid, fd, &passed) < 0)
		return NULL;
	if (passed.fd >= 0)
		close(passed.fd);
	m = passed.token ? i915_marked_find(dev, passed.token) : NULL;
	return m && m->kind == kind ? m : NULL;
}

void
i915_hangup(struct i915 *dev, uint64_t token)
{
	struct i915_marked *m = i915_marked_find(dev, token);

	if (m)
		m->hangup(dev, m);
	i915_drain(dev);
}
