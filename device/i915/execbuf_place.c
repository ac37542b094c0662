/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Addresses of an execbuf's objects: where the program wants them, or one of
 * ours. Rules: doc/model/i915.md "Execbuf".
 */
#include <errno.h>

#include "device/i915/execbuf.h"

#define LOW_END ((UINT64_C(1) << 32) - I915_PAGE)

/* Bytes of addresses that an object takes: its own, or more as it asks. */
static uint64_t
wanted_size(const struct exec_object *o)
{
	uint64_t size = o->object->size;

	if (o->entry.flags & EXEC_OBJECT_PAD_TO_SIZE &&
	    o->entry.pad_to_size > size)
		size = o->entry.pad_to_size;
	return size;
}

/* Returns the end of the addresses where an object may be. */
static uint64_t
zone_end(const struct i915 *dev, const struct exec_object *o)
{
	uint64_t end = dev->config->address_size;

	if (!(o->entry.flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS) &&
	    end > LOW_END)
		end = LOW_END;
	return end;
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
	const struct exec_object *o;

	if (object->visit != e->visit)
		return false;
	o = &e->objects[object->index];
	return o->entry.flags & EXEC_OBJECT_PINNED && o->entry.offset < end &&
	    o->entry.offset + wanted_size(o) > first;
}

/* True if the binding will do for a range that begins at first. */
static bool
is_bound_at(const struct i915_binding *b, uint64_t first, uint64_t size)
{
	return b->address == first && b->size >= size;
}

/* Puts a pinned object at its offset. */
static int
place_pinned(struct i915 *dev, struct exec *e, struct exec_object *o)
{
	struct i915_space *space = e->context->space;
	uint64_t first = o->entry.offset, size = wanted_size(o);
	uint64_t end = zone_end(dev, o);
	struct i915_binding *b;
	int rc;

	if (first >= end || size > end - first ||
	    (o->entry.alignment && first % o->entry.alignment))
		return -EINVAL;
	b = i915_binding_find(space, o->object);
	if (b && is_bound_at(b, first, size)) {
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
	o->binding = i915_space_bind(space, o->object, first, size);
	return 0;
}

/* True if an object may be where the program says it is. */
static bool
wish_is_free(
    const struct i915 *dev, const struct exec *e, const struct exec_object *o)
{
	uint64_t first = o->entry.offset, size = wanted_size(o);
	uint64_t end = zone_end(dev, o);

	return first % I915_PAGE == 0 && first < end && size <= end - first &&
	    (!o->entry.alignment || first % o->entry.alignment == 0) &&
	    !i915_space_overlap(e->context->space, first, first + size);
}

/* Finds a free address, where objects that this call does not have make room.
 * Returns 0, -ENOSPC, or as evict(). */
static int
find_room(struct i915 *dev, struct exec *e, const struct exec_object *o,
    uint64_t *address)
{
	struct i915_space *space = e->context->space;
	uint64_t size = wanted_size(o), end = zone_end(dev, o);
	struct i915_binding *victim;
	int rc;

	for (;;) {
		*address = i915_space_place(space, size, o->entry.alignment);
		if (*address != I915_NO_ADDRESS && *address + size <= end)
			return 0;
		victim = i915_space_victim(space, end, e->visit);
		if (!victim)
			return -ENOSPC;
		space->next = victim->address;
		if ((rc = evict(dev, e, victim)))
			return rc;
	}
}

/* True if an object that is not pinned can stay where it is. */
static bool
can_stay(const struct i915 *dev, const struct exec_object *o,
    const struct i915_binding *b)
{
	return !(o->entry.alignment && b->address % o->entry.alignment) &&
	    b->size >= wanted_size(o) &&
	    b->address + b->size <= zone_end(dev, o);
}

/* Gives an object an address, which it keeps as long as that will do; wishes:
 * the one that the program says, if nothing is there. */
static int
place_free(struct i915 *dev, struct exec *e, struct exec_object *o, bool wishes)
{
	struct i915_space *space = e->context->space;
	struct i915_binding *b = i915_binding_find(space, o->object);
	uint64_t address = o->entry.offset;
	bool moves = b && !can_stay(dev, o, b);
	int rc;

	if (moves && (rc = evict(dev, e, b)))
		return rc;
	if (moves || !b) {
		wishes = wishes && !moves && wish_is_free(dev, e, o);
		if (!wishes && (rc = find_room(dev, e, o, &address)))
			return rc;
		b = i915_space_bind(space, o->object, address, wanted_size(o));
	}
	o->binding = b;
	o->moved = o->entry.offset != b->address;
	return 0;
}

/* Gives addresses to the objects that are not pinned; flags: those that have
 * these of mask. */
static int
place_all_free(struct i915 *dev, struct exec *e, uint64_t mask, uint64_t flags,
    bool wishes)
{
	int rc;

	for (size_t i = 0; i < e->n; i++) {
		struct exec_object *o = &e->objects[i];

		if (!(o->entry.flags & EXEC_OBJECT_PINNED) &&
		    (o->entry.flags & mask) == flags &&
		    (rc = place_free(dev, e, o, wishes)))
			return rc;
	}
	return 0;
}

/* Where objects of the call are in each other's way, all of them make room, as
 * eb_reserve() of the kernel: those that have to be below 4 GiB come first. */
static int
place_anew(struct i915 *dev, struct exec *e)
{
	struct i915_space *space = e->context->space;
	uint64_t high = EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
	int rc;

	for (size_t i = 0; i < e->n; i++) {
		struct exec_object *o = &e->objects[i];
		struct i915_binding *b = i915_binding_find(space, o->object);

		if (b && !(o->entry.flags & EXEC_OBJECT_PINNED) &&
		    (rc = evict(dev, e, b)))
			return rc;
	}
	i915_space_rewind(space);
	rc = place_all_free(dev, e, high, 0, false);
	return rc ? rc : place_all_free(dev, e, high, high, false);
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
	rc = place_all_free(dev, e, 0, 0, true);
	if (rc == -ENOSPC)
		rc = place_anew(dev, e);
	if (rc)
		return rc;
	e->relocate = !(e->arg->flags & I915_EXEC_NO_RELOC);
	for (size_t i = 0; i < e->n; i++)
		e->relocate |= e->objects[i].moved;
	return 0;
}
