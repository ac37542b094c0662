/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sw_sync: each open file is a timeline with a counter of 32 bits. A fence
 * signals when the counter reaches its value; those left when the file closes
 * signal with ENOENT. Rules: doc/model/i915.md "Software fences".
 */
#include "device/i915/sw_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/ioctls.h"
#include "device/i915/seen.h"
#include "device/i915/sync.h"
#include "device/i915/uapi.h"

struct sw_timeline {
	struct i915_marked marked;
	uint32_t value;
	uint64_t timeline;          /* number of its fences' */
	struct i915_fences pending; /* each a reference */
	char name[32];
};

/* A fence has signalled when its value is not later than the counter, which
 * wraps. */
static bool
sw_reached(const struct sw_timeline *t, const struct i915_fence *f)
{
	return (int32_t)((uint32_t)f->seqno - t->value) <= 0;
}

/* Signals fences that are due (all: all) and forgets them. */
static void
sw_signal(struct i915 *dev, struct sw_timeline *t, bool all, int error)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->pending.n; i++) {
		struct i915_fence *f = t->pending.list[i];

		if (!all && !sw_reached(t, f)) {
			t->pending.list[kept++] = f;
			continue;
		}
		i915_fence_signal(dev, f, dev->now, error);
		i915_give(t->marked.program, I915_LIMIT_SYNCOBJS, 1);
		i915_fence_put(dev, f);
	}
	t->pending.n = kept;
}

static void
sw_hangup(struct i915 *dev, struct i915_marked *m)
{
	struct sw_timeline *t = container_of(m, struct sw_timeline, marked);

	sw_signal(dev, t, true, -ENOENT);
	i915_fences_free(dev, &t->pending);
	i915_unmark(dev, m);
	free(t);
}

int
i915_sw_sync_open(struct i915 *dev, struct i915_call *call)
{
	struct sw_timeline *t = mem_calloc(1, sizeof(*t));
	int fd;

	t->marked.hangup = sw_hangup;
	fd = i915_mark(dev, call, &t->marked, MARK_TIMELINE, 0);
	if (fd < 0) {
		free(t);
		return fd;
	}
	t->timeline = ++dev->last_timeline;
	snprintf(t->name, sizeof(t->name), "%.15s-%u", call->caller->name,
	    call->caller->pid);
	i915_return_fd(call, fd, call->rq.flags & O_CLOEXEC);
	return 0;
}

int
i915_sw_create_fence(struct i915 *dev, struct i915_call *call)
{
	struct sw_sync_create_fence *arg = (void *)call->arg;
	struct sw_timeline *t = container_of(
	    call->marked, struct sw_timeline, marked);
	struct i915_fence *f;
	int fd = i915_take(dev, t->marked.program, I915_LIMIT_SYNCOBJS, 1);

	if (fd)
		return fd;
	f = i915_fence_new(dev);
	f->timeline = t->timeline;
	f->seqno = arg->value;
	f->driver = "sw_sync";
	snprintf(f->name, sizeof(f->name), "%s", t->name);
	arg->name[sizeof(arg->name) - 1] = '\0';
	fd = i915_sync_file_new(dev, call, f, arg->name);
	if (fd < 0) {
		i915_give(t->marked.program, I915_LIMIT_SYNCOBJS, 1);
		i915_fence_put(dev, f);
		return fd;
	}
	i915_fences_add(&t->pending, f);
	i915_seen_new_fence(dev, call, f);
	i915_fence_put(dev, f);
	sw_signal(dev, t, false, 0);
	i915_store_fd(
	    call, fd, offsetof(struct sw_sync_create_fence, fence), true);
	return 0;
}

int
i915_sw_increment(struct i915 *dev, struct i915_call *call)
{
	struct sw_timeline *t = container_of(
	    call->marked, struct sw_timeline, marked);
	uint32_t steps;

	memcpy(&steps, call->arg, sizeof(steps));
	/* In two halves: more than INT_MAX at once would look like less. */
	for (; steps > INT_MAX; steps -= INT_MAX) {
		t->value += INT_MAX;
		sw_signal(dev, t, false, 0);
	}
	t->value += steps;
	i915_seen_advance(dev, call, t->timeline, t->value);
	sw_signal(dev, t, false, 0);
	return 0;
}

/* The deadline that a fence was given; this device keeps none. */
int
i915_sw_deadline(struct i915 *dev, struct i915_call *call)
{
	struct sw_sync_deadline *arg = (void *)call->arg;

	if (arg->deadline_ns || arg->pad)
		return -EINVAL;
	if (!i915_sync_file_fence(dev, call->caller, arg->fence))
		return -EINVAL;
	return -ENOENT;
}
