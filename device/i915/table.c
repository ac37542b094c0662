/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Handle tables and chains of extensions: numbers and pointers that programs
 * make up. A number is the lowest free one, as the kernel's idr gives it, which
 * programs count on (gem_exec_ctx asserts that two files agree).
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "device/i915/device.h"
#include "device/i915/uapi.h"

/* Extensions of one call, as the kernel has it. */
#define CHAIN_MAX 512

uint32_t
i915_table_add(struct i915_table *t, uint32_t first, void *item)
{
	size_t i = t->free < first ? first : t->free;

	while (i < t->n && t->items[i])
		i++;
	while (t->n <= i) {
		t->items = mem_grow(t->items, t->n, &t->cap, sizeof(*t->items));
		t->items[t->n++] = NULL;
	}
	t->items[i] = item;
	t->free = i + 1;
	return (uint32_t)i;
}

void *
i915_table_get(const struct i915_table *t, uint64_t number)
{
	return number < t->n ? t->items[number] : NULL;
}

void *
i915_table_remove(struct i915_table *t, uint64_t number)
{
	void *item = i915_table_get(t, number);

	if (!item)
		return NULL;
	t->items[number] = NULL;
	if (number < t->free)
		t->free = (size_t)number;
	return item;
}

void
i915_table_free(struct i915_table *t)
{
	free(t->items);
	*t = (struct i915_table){0};
}

int
i915_extensions(struct i915 *dev, struct i915_call *call, uint64_t user,
    i915_extension_fn *const *serve, size_t n, void *data)
{
	struct i915_user_extension ext;

	for (unsigned i = 0; user; i++) {
		int rc;

		if (i == CHAIN_MAX)
			return -E2BIG;
		if ((rc = i915_copy_in(call, &ext, user, sizeof(ext))))
			return rc;
		if (ext.flags || ext.rsvd[0] || ext.rsvd[1] || ext.rsvd[2] ||
		    ext.rsvd[3])
			return -EINVAL;
		if (ext.name >= n || !serve[ext.name])
			return -EINVAL;
		if ((rc = serve[ext.name](dev, call, user, data)))
			return rc;
		user = ext.next_extension;
	}
	return 0;
}
