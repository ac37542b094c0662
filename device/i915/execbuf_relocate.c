/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Relocations: addresses of objects that the device writes into objects, where
 * a program did not know them. Rules: doc/model/i915.md "Execbuf".
 */
#include <errno.h>

#include "device/i915/execbuf.h"

/* Relocations that are copied at a time. */
#define RELOCATIONS 64

#define DOMAINS_OF_GPU                                                         \
	(I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER |                    \
	    I915_GEM_DOMAIN_COMMAND | I915_GEM_DOMAIN_INSTRUCTION |            \
	    I915_GEM_DOMAIN_VERTEX)

static struct exec_object *
reloc_target(struct exec *e, uint32_t handle)
{
	struct i915_object *object;

	if (e->arg->flags & I915_EXEC_HANDLE_LUT)
		return handle < e->n ? &e->objects[handle] : NULL;
	object = i915_object_find(e->call->file, handle);
	if (!object || object->visit != e->visit)
		return NULL;
	return &e->objects[object->index];
}

/* Writes the address of target into o, which the GPU has left. user: where the
 * program keeps what it presumes. */
static int
reloc_write(struct i915 *dev, struct exec *e, struct exec_object *o,
    const struct drm_i915_gem_relocation_entry *reloc,
    const struct exec_object *target, uint64_t user)
{
	bool wide = dev->config->graphics >= 800;
	uint64_t at = exec_canonical(target->binding->address), value;
	int rc;

	if (o->object->size < 8 || reloc->offset & 3 ||
	    reloc->offset > o->object->size - (wide ? 8 : 4))
		return -EINVAL;
	rc = i915_reservation_wait(dev, e->call, &o->object->reservation, true);
	if (rc)
		return rc;
	o->entry.flags &= ~(uint64_t)EXEC_OBJECT_ASYNC;
	value = exec_canonical(target->binding->address + reloc->delta);
	rc = i915_object_write(
	    dev, o->object, reloc->offset, &value, wide ? 8 : 4);
	if (rc)
		return rc;
	/* It has been made, whether the program hears of it or not. */
	i915_copy_out(e->call,
	    user +
		offsetof(struct drm_i915_gem_relocation_entry, presumed_offset),
	    &at, sizeof(at));
	return 0;
}

static int
reloc_apply(struct i915 *dev, struct exec *e, struct exec_object *o,
    const struct drm_i915_gem_relocation_entry *reloc, uint64_t user)
{
	struct exec_object *target = reloc_target(e, reloc->target_handle);

	if (!target)
		return -ENOENT;
	if (reloc->write_domain & (reloc->write_domain - 1) ||
	    (reloc->write_domain | reloc->read_domains) & ~DOMAINS_OF_GPU)
		return -EINVAL;
	if (reloc->write_domain)
		target->entry.flags |= EXEC_OBJECT_WRITE;
	if (exec_canonical(target->binding->address) == reloc->presumed_offset)
		return 0;
	return reloc_write(dev, e, o, reloc, target, user);
}

static int
reloc_object(struct i915 *dev, struct exec *e, struct exec_object *o)
{
	struct drm_i915_gem_relocation_entry relocs[RELOCATIONS];
	uint64_t user = o->entry.relocs_ptr;
	size_t left = o->entry.relocation_count, n;
	int rc = 0;

	for (; left && !rc; left -= n) {
		n = left < RELOCATIONS ? left : RELOCATIONS;
		rc = i915_copy_in(e->call, relocs, user, n * sizeof(relocs[0]));
		for (size_t i = 0; !rc && i < n; i++) {
			rc = reloc_apply(dev, e, o, &relocs[i], user);
			user += sizeof(relocs[0]);
		}
	}
	return rc;
}

int
i915_exec_relocate(struct i915 *dev, struct exec *e)
{
	uint64_t total = 0;

	if (!e->relocate)
		return 0;
	for (size_t i = 0; i < e->n; i++) {
		int rc;

		total += e->objects[i].entry.relocation_count;
		if ((rc = i915_array_check(dev, total)) ||
		    (rc = reloc_object(dev, e, &e->objects[i])))
			return rc;
	}
	return 0;
}
