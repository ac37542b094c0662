/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implicit synchronisation: each object has the fences of those who use it. A
 * reader waits for the writers, a writer for all: doc/model/i915.md "Implicit
 * synchronisation".
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "device/i915/ioctls.h"
#include "device/i915/object.h"
#include "device/i915/uapi.h"

static void
use_drop(struct i915 *dev, struct i915_reservation *r, size_t i)
{
	struct i915_fence *f = r->uses[i].fence;

	r->uses[i] = r->uses[--r->n];
	i915_fence_put(dev, f);
}

/* True if a new use makes the old one needless: it has signalled, or the new
 * fence signals after it. */
static bool
use_over(const struct i915_use *use, const struct i915_fence *f, bool write,
    bool ordered)
{
	bool covered = write || !use->write;

	if (use->fence->signalled)
		return true;
	return covered && (ordered || use->fence->timeline == f->timeline);
}

void
i915_reservation_add(struct i915 *dev, struct i915_reservation *r,
    struct i915_fence *f, uint32_t classes, bool write, bool ordered)
{
	/* Reads of others do not end before f, only writes waited for them. */
	bool all = ordered && write;

	for (size_t i = r->n; i-- > 0;)
		if (use_over(&r->uses[i], f, write, all))
			use_drop(dev, r, i);
	r->uses = mem_grow(r->uses, r->n, &r->cap, sizeof(*r->uses));
	r->uses[r->n++] = (struct i915_use){i915_fence_get(f), classes, write};
}

void
i915_reservation_waits(
    const struct i915_reservation *r, bool write, struct i915_fences *fences)
{
	for (size_t i = 0; i < r->n; i++)
		if (!r->uses[i].fence->signalled && (write || r->uses[i].write))
			i915_fences_add(fences, r->uses[i].fence);
}

int
i915_reservation_wait(struct i915 *dev, struct i915_call *call,
    const struct i915_reservation *r, bool write)
{
	for (size_t i = 0; i < r->n; i++)
		if (!r->uses[i].fence->signalled && (write || r->uses[i].write))
			return i915_wait(dev, call, r->uses[i].fence);
	return 0;
}

bool
i915_reservation_busy(const struct i915_reservation *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (!r->uses[i].fence->signalled)
			return true;
	return false;
}

void
i915_reservation_free(struct i915 *dev, struct i915_reservation *r)
{
	while (r->n)
		use_drop(dev, r, r->n - 1);
	free(r->uses);
	*r = (struct i915_reservation){0};
}

/* Readers: a bit for each class; the writer: the number of its class. */
int
i915_gem_busy(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_busy *arg = (void *)call->arg;
	const struct i915_object *o = i915_object_find(call->file, arg->handle);

	(void)dev;
	if (!o)
		return -ENOENT;
	arg->busy = 0;
	for (size_t i = 0; i < o->reservation.n; i++) {
		const struct i915_use *use = &o->reservation.uses[i];

		if (use->fence->signalled || !use->classes)
			continue;
		arg->busy |= use->classes << 16;
		if (use->write && !(arg->busy & 0xffff))
			arg->busy |= (unsigned)__builtin_ctz(use->classes) + 1;
	}
	return 0;
}
