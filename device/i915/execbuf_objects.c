/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of an execbuf: found, checked, and put where the program wants them,
 * or at an address of ours. Rules: doc/model/i915.md "Execbuf".
 */
#include <errno.h>

#include "device/i915/execbuf.h"

#define LOW_END ((UINT64_C(1) << 32) - I915_PAGE)

static int
entry_check(const struct i915 *dev, const struct exec *e,
    struct drm_i915_gem_exec_object2 *entry)
{
	uint64_t known = ~(uint64_t)__EXEC_OBJECT_UNKNOWN_FLAGS;

	if (i915_full_ppgtt(dev))
		known &= ~(uint64_t)EXEC_OBJECT_NEEDS_GTT;
	if (entry->relocation_count && i915_is_new(dev))
		return -EINVAL;
	if (entry->flags & ~known)
		return -EINVAL;
	if (entry->alignment & (entry->alignment - 1))
		return -EINVAL;
	if (entry->flags & EXEC_OBJECT_PINNED &&
	    (entry->offset % I915_PAGE ||
		entry->offset != exec_canonical(entry->offset)))
		return -EINVAL;
	if (entry->flags & EXEC_OBJECT_PAD_TO_SIZE &&
	    entry->pad_to_size % I915_PAGE)
		return -EINVAL;
	if (entry->flags & EXEC_OBJECT_CAPTURE && dev->config->discrete &&
	    e->context->state.recoverable)
		return -EINVAL;
	entry->offset &= (UINT64_C(1) << 48) - 1;
	return 0;
}

static int
batch_check(const struct exec *e, const struct exec_object *o)
{
	uint64_t start = e->arg->batch_start_offset, size = o->object->size;

	if (o->entry.flags & EXEC_OBJECT_WRITE)
		return -EINVAL;
	if (start >= size || e->arg->batch_len > size - start)
		return -EINVAL;
	return 0;
}

/* The program does not need the object, and it has no pages to be read. */
static bool
exec_unneeded(const struct i915_object *o)
{
	bool pages = o->user || o->fd >= 0 || o->bindings;

	return o->purged || (o->dont_need && !pages);
}

int
i915_exec_lookup(struct i915 *dev, struct exec *e)
{
	e->visit = ++dev->visit;
	for (size_t i = 0; i < e->n; i++) {
		struct exec_object *o = &e->objects[i];
		int rc;

		o->object = i915_object_find(e->call->file, o->entry.handle);
		if (!o->object)
			return -ENOENT;
		if (o->object->visit == e->visit)
			return -EINVAL;
		o->object->visit = e->visit;
		o->object->index = i;
		rc = entry_check(dev, e, &o->entry);
		if (!rc && exec_unneeded(o->object))
			rc = -EFAULT;
		if (!rc && o->object->user)
			rc = i915_userptr_look(o->object);
		if (!rc && exec_is_batch(e, i))
			rc = batch_check(e, o);
		if (rc)
			return rc;
	}
	return 0;
}

/* Takes an object away from its address; it waits for those who use it. */
static int
evict(struct i915 *dev, struct exec *e, struct i915_binding *b)
{
	int rc = i915_reservation_wait(
	    dev, e->call, &b->object->reservation, true);

	if (!rc)
		i915_space_unbind(dev, b);
	return rc;
}

/* True if the program wants another object of this call there too. */
static bool
also_wanted(const struct exec *e, const struct i915_object *object,
    uint64_t first, uint64_t end)
{
	const struct drm_i915_gem_exec_object2 *entry;

	if (object->visit != e->visit)
		return false;
	entry = &e->objects[object->index].entry;
	return entry->flags & EXEC_OBJECT_PINNED && entry->offset < end &&
	    entry->offset + object->size > first;
}

/* Puts a pinned object at its offset. */
static int
place_pinned(struct i915 *dev, struct exec *e, struct exec_object *o)
{
	struct i915_space *space = e->context->space;
	uint64_t first = o->entry.offset, size = o->object->size;
	uint64_t end = dev->config->address_size;
	struct i915_binding *b;
	int rc;

	if (!(o->entry.flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS) &&
	    end > LOW_END)
		end = LOW_END;
	if (first >= end || size > end - first ||
	    (o->entry.alignment && first % o->entry.alignment))
		return -EINVAL;
	b = i915_binding_find(space, o->object);
	if (b && b->address == first) {
		o->binding = b;
		return 0;
	}
	if (b && (rc = evict(dev, e, b)))
		return rc;
	while ((b = i915_space_overlap(space, first, first + size))) {
		if (also_wanted(e, b->object, first, first + size))
			return -ENOSPC;
		if ((rc = evict(dev, e, b)))
			return rc;
	}
	o->binding = i915_space_bind(space, o->object, first);
	return 0;
}

/* True if an object may be where the program says it is. */
static bool
wish_is_free(
    const struct i915 *dev, const struct exec *e, const struct exec_object *o)
{
	uint64_t first = o->entry.offset, size = o->object->size;
	uint64_t end = dev->config->address_size;

	if (!(o->entry.flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS) &&
	    end > LOW_END)
		end = LOW_END;
	return first % I915_PAGE == 0 && first < end && size <= end - first &&
	    (!o->entry.alignment || first % o->entry.alignment == 0) &&
	    !i915_space_overlap(e->context->space, first, first + size);
}

/* Finds a free address below end, where objects that this call does not have
 * make room. Returns 0, -ENOSPC, or as evict(). */
static int
find_room(struct i915 *dev, struct exec *e, const struct exec_object *o,
    uint64_t end, uint64_t *address)
{
	struct i915_space *space = e->context->space;
	uint64_t size = o->object->size;
	struct i915_binding *victim;
	int rc;

	for (;;) {
		*address = i915_space_place(space, size, o->entry.alignment);
		if (*address && *address + size <= end)
			return 0;
		victim = i915_space_victim(space, end, e->visit);
		if (!victim)
			return -ENOSPC;
		space->next = victim->address;
		if ((rc = evict(dev, e, victim)))
			return rc;
	}
}

/* Gives an object an address, which it keeps as long as that will do. */
static int
place_free(struct i915 *dev, struct exec *e, struct exec_object *o)
{
	struct i915_space *space = e->context->space;
	struct i915_binding *b = i915_binding_find(space, o->object);
	uint64_t address = o->entry.offset, size = o->object->size;
	bool low = !(o->entry.flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS);
	bool stays = b &&
	    !(o->entry.alignment && b->address % o->entry.alignment) &&
	    !(low && b->address + size > LOW_END);
	bool moves = b && !stays;
	int rc;

	if (moves && (rc = evict(dev, e, b)))
		return rc;
	if (!stays && (moves || !wish_is_free(dev, e, o)) &&
	    (rc = find_room(dev, e, o,
		 low ? LOW_END : dev->config->address_size, &address)))
		return rc;
	if (!stays)
		b = i915_space_bind(space, o->object, address);
	o->binding = b;
	o->moved = o->entry.offset != b->address;
	return 0;
}

int
i915_exec_place(struct i915 *dev, struct exec *e)
{
	int rc;

	for (size_t i = 0; i < e->n; i++) {
		struct exec_object *o = &e->objects[i];

		if (o->entry.flags & EXEC_OBJECT_PINNED &&
		    (rc = place_pinned(dev, e, o)))
			return rc;
	}
	e->relocate = !(e->arg->flags & I915_EXEC_NO_RELOC);
	for (size_t i = 0; i < e->n; i++) {
		struct exec_object *o = &e->objects[i];

		if (!(o->entry.flags & EXEC_OBJECT_PINNED) &&
		    (rc = place_free(dev, e, o)))
			return rc;
		e->relocate |= o->moved;
	}
	return 0;
}
