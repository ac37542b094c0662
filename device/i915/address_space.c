/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Address spaces: which object is where. A program says where an object is
 * (softpin), or it gets an address below 4 GiB that it keeps. Bindings are in
 * an array by address, with a gap where the last change was; they change rarely
 * and are looked up for each access.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/object.h"

/* Lowest address that is chosen for an object, so that the first page is for objects
 * that ask for it, or that can be nowhere else. */
#define SPACE_FIRST ((uint64_t)I915_PAGE)
#define SPACE_LOW   (UINT64_C(1) << 32)
/* Ranges that a space keeps of those that were vacated last. */
#define VACATED 64

struct i915_space *
i915_space_new(struct i915 *dev, const struct i915_file *file)
{
	struct i915_space *space = mem_calloc(1, sizeof(*space));

	space->dev = dev;
	space->refs = 1;
	space->next = SPACE_FIRST;
	space->file = file->id;
	space->program = i915_program_ref(file->marked.program);
	return space;
}

struct i915_space *
i915_space_get(struct i915_space *space)
{
	space->refs++;
	return space;
}

/* The i-th binding by address. */
static struct i915_binding *
binding_at(const struct i915_space *space, size_t i)
{
	return space
	    ->bindings[i < space->gap ? i : i + (space->cap - space->n)];
}

/* Moves the gap in front of the i-th binding. Programs bind and close objects in
 * one order or the other, so that the next gap is near. */
static void
move_gap(struct i915_space *space, size_t i)
{
	struct i915_binding **all = space->bindings;
	size_t room = space->cap - space->n, gap = space->gap;

	if (i < gap)
		memmove(&all[i + room], &all[i], (gap - i) * sizeof(*all));
	else
		memmove(&all[gap], &all[gap + room], (i - gap) * sizeof(*all));
	space->gap = i;
}

void
i915_space_put(struct i915 *dev, struct i915_space *space)
{
	if (!space || --space->refs)
		return;
	while (space->n)
		i915_space_unbind(dev, binding_at(space, space->n - 1));
	free(space->bindings);
	free(space->vacated);
	i915_program_put(dev, space->program);
	free(space);
}

struct i915_binding *
i915_binding_find(
    const struct i915_space *space, const struct i915_object *object)
{
	struct chain_node *node = chains_find(
	    &space->dev->bindings, space, object->number);

	return node ? container_of(node, struct i915_binding, node) : NULL;
}

/* The first binding that ends after address, else the number of all. */
static size_t
space_at(const struct i915_space *space, uint64_t address)
{
	return lower_bound(i, 0, space->n,
	    binding_at(space, i)->address + binding_at(space, i)->size <=
		address);
}

struct i915_binding *
i915_space_overlap(const struct i915_space *space, uint64_t first, uint64_t end)
{
	size_t i = space_at(space, first);

	if (i == space->n || binding_at(space, i)->address >= end)
		return NULL;
	return binding_at(space, i);
}

struct i915_binding *
i915_space_victim(const struct i915_space *space, uint64_t end, uint64_t visit)
{
	struct i915_binding *used = NULL;
	size_t from = space_at(space, space->next);

	for (size_t i = 0; i < space->n; i++) {
		struct i915_binding *b = binding_at(
		    space, (from + i) % space->n);

		if (b->address >= end || b->object->visit == visit)
			continue;
		if (!i915_reservation_busy(&b->object->reservation))
			return b;
		if (!used)
			used = b;
	}
	return used;
}

struct i915_binding *
i915_space_bind(struct i915_space *space, struct i915_object *object,
    uint64_t address, uint64_t size)
{
	struct i915_binding *b = mem_calloc(1, sizeof(*b));
	size_t i = space_at(space, address);

	if (space->n == space->cap) {
		/* There is no gap: it is made at the end. */
		space->bindings = mem_grow(space->bindings, space->n,
		    &space->cap, sizeof(struct i915_binding *));
		space->gap = space->n;
	}
	move_gap(space, i);
	space->bindings[space->gap++] = b;
	space->n++;
	b->node.p = space;
	b->node.n = object->number;
	b->space = space;
	b->object = object;
	b->address = address;
	b->size = size;
	b->next = object->bindings;
	object->bindings = b;
	chains_add(&space->dev->bindings, &b->node);
	return b;
}

/* Keeps the addresses that a binding had: a request in flight may use them. */
static void
space_vacate(struct i915_space *space, const struct i915_binding *b)
{
	if (!space->in_flight)
		return;
	if (!space->vacated)
		space->vacated = mem_calloc(VACATED, sizeof(*space->vacated));
	space->vacated[space->n_vacated++ % VACATED] = (struct i915_range){
	    b->address, b->address + b->size};
}

void
i915_space_unbind(struct i915 *dev, struct i915_binding *b)
{
	struct i915_space *space = b->space;
	struct i915_binding **at = &b->object->bindings;
	size_t i = space_at(space, b->address);

	space_vacate(space, b);
	if (b->address + b->size == space->next)
		space->next = b->address;
	while (*at != b)
		at = &(*at)->next;
	*at = b->next;
	move_gap(space, i);
	space->n--;
	chains_remove(&dev->bindings, &b->node);
	free(b);
}

void
i915_space_forget(
    struct i915 *dev, const struct i915_file *file, struct i915_object *object)
{
	struct i915_binding *next;

	if (i915_reservation_busy(&object->reservation))
		return;
	for (struct i915_binding *b = object->bindings; b; b = next) {
		next = b->next;
		if (b->space->file == file->id)
			i915_space_unbind(dev, b);
	}
}

/* Looks for a gap from `from` on, below end. Returns I915_NO_ADDRESS if there is
 * none. */
static uint64_t
space_gap(const struct i915_space *space, uint64_t from, uint64_t end,
    uint64_t size, uint64_t alignment)
{
	uint64_t at = (from + alignment - 1) / alignment * alignment;

	for (size_t i = space_at(space, at);; i++) {
		const struct i915_binding *b;

		if (at >= end || size > end - at)
			return I915_NO_ADDRESS;
		if (i == space->n)
			return at;
		b = binding_at(space, i);
		if (b->address >= at && size <= b->address - at)
			return at;
		at = (b->address + b->size + alignment - 1) / alignment *
		    alignment;
	}
}

void
i915_space_rewind(struct i915_space *space)
{
	space->next = SPACE_FIRST;
}

uint64_t
i915_space_place(struct i915_space *space, uint64_t size, uint64_t alignment)
{
	uint64_t total = space->dev->config->address_size;
	uint64_t low = (total < SPACE_LOW ? total : SPACE_LOW) - I915_PAGE;
	const struct i915_range zones[] = {{space->next, low},
	    {SPACE_FIRST, low}, {0, low}, {SPACE_LOW, total}, {0, total}};
	uint64_t at = I915_NO_ADDRESS;

	if (alignment < I915_PAGE)
		alignment = I915_PAGE;
	for (size_t i = 0;
	     i < sizeof(zones) / sizeof(zones[0]) && at == I915_NO_ADDRESS; i++)
		if (zones[i].first <= UINT64_MAX - alignment)
			at = space_gap(space, zones[i].first, zones[i].end,
			    size, alignment);
	if (at != I915_NO_ADDRESS && at + size < low)
		space->next = at + size;
	return at;
}

void
i915_space_begin(struct i915_space *space)
{
	space->in_flight++;
}

void
i915_space_end(struct i915_space *space)
{
	if (--space->in_flight == 0)
		space->n_vacated = 0;
}

/* The part of an access that is in one object; object NULL: in the scratch
 * page. */
struct space_part {
	struct i915_object *object;
	uint64_t offset;
	size_t size;
};

/* doc/model/i915.md "Objects": a vacated address is the scratch page's. */
static bool
scratch_part(const struct i915_space *space, uint64_t address, size_t size,
    struct space_part *part)
{
	size_t n = space->n_vacated < VACATED ? space->n_vacated : VACATED;

	for (size_t i = 0; i < n; i++) {
		const struct i915_range *r = &space->vacated[i];

		if (address < r->first || address >= r->end)
			continue;
		*part = (struct space_part){.size = size};
		if (size > r->end - address)
			part->size = (size_t)(r->end - address);
		return true;
	}
	return false;
}

static bool
space_part(const struct i915_space *space, uint64_t address, size_t size,
    struct space_part *part)
{
	size_t i = space_at(space, address);
	const struct i915_binding *b;
	uint64_t end;

	if (i == space->n || binding_at(space, i)->address > address)
		return scratch_part(space, address, size, part);
	b = binding_at(space, i);
	part->offset = address - b->address;
	/* Behind the object is what it is padded with: the scratch page. */
	part->object = part->offset < b->object->size ? b->object : NULL;
	end = part->object ? b->object->size : b->size;
	part->size = size;
	if (part->size > end - part->offset)
		part->size = (size_t)(end - part->offset);
	return true;
}

bool
i915_space_read(
    struct i915_space *space, uint64_t address, void *to, size_t size)
{
	struct space_part part;

	for (; size; size -= part.size) {
		if (!space_part(space, address, size, &part))
			return false;
		if (!part.object)
			memset(to, 0, part.size);
		else if (i915_object_read(space->dev, part.object, part.offset,
			     to, part.size))
			return false;
		address += part.size;
		to = (char *)to + part.size;
	}
	return true;
}

bool
i915_space_write(
    struct i915_space *space, uint64_t address, const void *from, size_t size)
{
	struct space_part part;

	for (; size; size -= part.size) {
		if (!space_part(space, address, size, &part))
			return false;
		if (part.object &&
		    (part.object->read_only ||
			i915_object_write(space->dev, part.object, part.offset,
			    from, part.size)))
			return false;
		address += part.size;
		from = (const char *)from + part.size;
	}
	return true;
}

struct i915_where
i915_space_where(const struct i915_space *space, uint64_t address)
{
	struct space_part part;

	if (!space_part(space, address, 1, &part) || !part.object)
		return (struct i915_where){.object = 0};
	return (struct i915_where){
	    .object = part.object->number,
	    .pid = (uint32_t)part.object->program->node.n,
	    .offset = part.offset,
	};
}

bool
i915_space_is_gone(const struct i915_space *space, uint64_t address)
{
	const struct user_memory_ops *ops;
	struct space_part part;

	if (!space_part(space, address, 1, &part) || !part.object ||
	    !part.object->user)
		return false;
	ops = part.object->user->ops;
	return ops->is_gone && ops->is_gone(part.object->user);
}

void *
i915_space_map(struct i915_space *space, uint64_t address, uint64_t *size)
{
	struct space_part part;
	uint8_t *map;

	if (!space_part(space, address, 1, &part) || !part.object)
		return NULL;
	map = i915_object_map(space->dev, part.object);
	if (!map)
		return NULL;
	*size = part.object->size - part.offset;
	return map + part.offset;
}
