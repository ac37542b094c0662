/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects and their handles. An object lives as long as a handle, a request or
 * an export has it; its number, which is part of mmap offsets, is free again
 * after that.
 */
#include "device/i915/object.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/util.h"

/* Numbers fit in an mmap offset of 63 bits. */
#define NUMBERS_MAX (1u << (63 - I915_OFFSET_SHIFT))

int
i915_object_new(struct i915 *dev, struct i915_call *call, uint64_t size,
    struct i915_object **object, uint32_t *handle)
{
	struct i915_program *program = call->file->marked.program;
	struct i915_object *o;
	int rc = i915_take(dev, program, I915_LIMIT_OBJECTS, 1);

	if (rc)
		return rc;
	if (dev->offsets.n >= NUMBERS_MAX) {
		i915_give(program, I915_LIMIT_OBJECTS, 1);
		return -ENOMEM;
	}
	o = mem_calloc(1, sizeof(*o));
	o->refs = 1;
	o->size = size;
	o->fd = -1;
	o->caching = dev->config->llc;
	o->program = i915_program_ref(program);
	o->number = i915_table_add(&dev->offsets, 1, o);
	o->serial = ++dev->last_object;
	*handle = i915_object_handle(dev, call->file, o);
	*object = o;
	i915_object_put(dev, o);
	return 0;
}

struct i915_object *
i915_object_get(struct i915_object *object)
{
	object->refs++;
	return object;
}

/* Gives the memory back. */
static void
object_discard(struct i915 *dev, struct i915_object *o)
{
	if (o->map)
		munmap(o->map, o->size);
	o->map = NULL;
	if (o->fd < 0)
		return;
	chains_remove(&dev->memories, &o->node);
	close(o->fd);
	o->fd = -1;
	i915_give(o->program, I915_LIMIT_MEMORY, o->size);
}

void
i915_object_put(struct i915 *dev, struct i915_object *o)
{
	if (--o->refs)
		return;
	while (o->bindings)
		i915_space_unbind(dev, o->bindings);
	i915_reservation_free(dev, &o->reservation);
	object_discard(dev, o);
	if (o->user) {
		*o->user_at = o->user_next;
		if (o->user_next)
			o->user_next->user_at = o->user_at;
	}
	if (o->user && --o->user->refs == 0 && o->user->ops->free)
		o->user->ops->free(o->user);
	i915_table_remove(&dev->offsets, o->number);
	i915_give(o->program, I915_LIMIT_OBJECTS, 1);
	i915_program_put(dev, o->program);
	free(o);
}

struct i915_object *
i915_object_find(const struct i915_file *file, uint32_t handle)
{
	return i915_table_get(&file->objects, handle);
}

/* The handles that a file has for an object: more than one if it opened the
 * object's name again. */
struct object_handle {
	struct chain_node node; /* p: file, n: number of the object */
	uint32_t handle;        /* the first of those that it still has */
	struct object_handle *more;
};

bool
i915_object_held(struct i915 *dev, const struct i915_file *file,
    const struct i915_object *object)
{
	return chains_find(&dev->handles, file, object->number) != NULL;
}

uint32_t
i915_object_handle(
    struct i915 *dev, struct i915_file *file, struct i915_object *object)
{
	struct chain_node *node = chains_find(
	    &dev->handles, file, object->number);

	if (node)
		return container_of(node, struct object_handle, node)->handle;
	return i915_object_handle_new(dev, file, object);
}

uint32_t
i915_object_handle_new(
    struct i915 *dev, struct i915_file *file, struct i915_object *object)
{
	struct chain_node *node = chains_find(
	    &dev->handles, file, object->number);
	struct object_handle *h = mem_calloc(1, sizeof(*h)), *first;

	h->node.p = file;
	h->node.n = object->number;
	h->handle = i915_table_add(&file->objects, 1, i915_object_get(object));
	if (node) {
		first = container_of(node, struct object_handle, node);
		h->more = first->more;
		first->more = h;
	} else {
		chains_add(&dev->handles, &h->node);
	}
	object->handles++;
	return h->handle;
}

/* Forgets a handle, which the file has for the object. */
static void
handle_forget(struct i915 *dev, const struct i915_file *file,
    const struct i915_object *object, uint32_t handle)
{
	struct chain_node *node = chains_find(
	    &dev->handles, file, object->number);
	struct object_handle *first = container_of(
	    node, struct object_handle, node);
	struct object_handle **at = &first, *h;

	while ((*at)->handle != handle)
		at = &(*at)->more;
	h = *at;
	*at = h->more;
	if (node == &h->node) {
		chains_remove(&dev->handles, node);
		if (first)
			chains_add(&dev->handles, &first->node);
	}
	free(h);
}

bool
i915_object_close(struct i915 *dev, struct i915_file *file, uint32_t handle)
{
	struct i915_object *object = i915_table_remove(&file->objects, handle);

	if (!object)
		return false;
	handle_forget(dev, file, object, handle);
	if (!i915_object_held(dev, file, object))
		i915_space_forget(dev, file, object);
	/* The name goes with the last handle, as drm_gem_object_handle_put. */
	if (--object->handles == 0 && object->name) {
		i915_table_remove(&dev->names, object->name);
		object->name = 0;
	}
	i915_object_put(dev, object);
	return true;
}

void
i915_object_purge(struct i915 *dev, struct i915_object *o)
{
	object_discard(dev, o);
	o->purged = true;
	o->pages = false;
}

void
i915_drop_caches(struct i915 *dev)
{
	for (size_t i = 0; i < dev->offsets.n; i++) {
		struct i915_object *o = dev->offsets.items[i];

		/* Batches that run have addresses of mapped memory. */
		if (!o || !o->dont_need || o->purged || o->user ||
		    i915_reservation_busy(&o->reservation))
			continue;
		i915_object_purge(dev, o);
	}
}
