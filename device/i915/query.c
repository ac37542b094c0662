/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * QUERY: tables that say what the device has. Each item is asked twice, first
 * for its size. An item that is refused has its error as length. Rules:
 * doc/model/i915.md "Queries".
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/mem.h"
#include "device/i915/ioctls.h"
#include "device/i915/object.h"
#include "device/i915/uapi.h"

/* Serves an item. Returns its length or -errno. */
typedef int query_fn(struct i915 *dev, struct i915_call *call,
    const struct drm_i915_query_item *item);

/* Answers a question for the size, and copies the head of the data in. Returns
 * 0: fill the data; else what the item's length becomes. */
static int
query_head(struct i915_call *call, const struct drm_i915_query_item *item,
    size_t size, void *head, size_t head_size)
{
	if (item->length == 0)
		return (int)size;
	/* Reads it as unsigned: an error left there is a long length. */
	if ((uint32_t)item->length < size)
		return -EINVAL;
	return i915_copy_in(call, head, item->data_ptr, head_size);
}

/* Writes the mask of n bits at p. */
static void
put_mask(uint8_t *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p[i / 8] = (uint8_t)(p[i / 8] | 1u << i % 8);
}

static int
query_slices(struct i915 *dev, struct i915_call *call,
    const struct drm_i915_query_item *item)
{
	const struct i915_config *c = dev->config;
	size_t ss_stride = (c->subslices + 7u) / 8,
	       eu_stride = (c->eus + 7u) / 8;
	size_t ss = (c->slices + 7u) / 8, eu = ss + c->slices * ss_stride;
	size_t size = sizeof(struct drm_i915_query_topology_info) + eu +
	    (size_t)c->slices * c->subslices * eu_stride;
	struct drm_i915_query_topology_info *info;
	uint8_t *data;
	struct drm_i915_query_topology_info head;
	int rc;

	if (!c->slices)
		return -ENODEV;
	rc = query_head(call, item, size, &head, sizeof(head));
	if (rc)
		return rc;
	if (head.flags)
		return -EINVAL;
	data = mem_calloc(1, size);
	info = (void *)data;
	info->max_slices = c->slices;
	info->max_subslices = c->subslices;
	info->max_eus_per_subslice = c->eus;
	info->subslice_offset = (uint16_t)ss;
	info->subslice_stride = (uint16_t)ss_stride;
	info->eu_offset = (uint16_t)eu;
	info->eu_stride = (uint16_t)eu_stride;
	put_mask(info->data, c->slices);
	for (size_t i = 0; i < c->slices; i++)
		put_mask(&info->data[ss + i * ss_stride], c->subslices);
	for (size_t i = 0; i < (size_t)c->slices * c->subslices; i++)
		put_mask(&info->data[eu + i * eu_stride], c->eus);
	rc = i915_copy_out(call, item->data_ptr, data, size);
	free(data);
	return rc ? rc : (int)size;
}

static int
query_topology(struct i915 *dev, struct i915_call *call,
    const struct drm_i915_query_item *item)
{
	return item->flags ? -EINVAL : query_slices(dev, call, item);
}

/* flags: a render engine, class | instance << 16. */
static int
query_geometry(struct i915 *dev, struct i915_call *call,
    const struct drm_i915_query_item *item)
{
	if (dev->config->graphics < 1255)
		return -ENODEV;
	if (item->flags != GPU_RENDER)
		return -EINVAL;
	return query_slices(dev, call, item);
}

static int
query_engine_info(struct i915 *dev, struct i915_call *call,
    const struct drm_i915_query_item *item)
{
	size_t n = dev->config->n_engines;
	size_t size = sizeof(struct drm_i915_query_engine_info) +
	    n * sizeof(struct drm_i915_engine_info);
	struct drm_i915_query_engine_info head, *info;
	int rc;

	if (item->flags)
		return -EINVAL;
	rc = query_head(call, item, size, &head, sizeof(head));
	if (rc)
		return rc;
	if (head.num_engines || head.rsvd[0] || head.rsvd[1] || head.rsvd[2])
		return -EINVAL;
	info = mem_calloc(1, size);
	info->num_engines = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		const struct gpu_engine *engine = &dev->config->engines[i];
		struct drm_i915_engine_info *e = &info->engines[i];

		e->engine.engine_class = engine->class;
		e->engine.engine_instance = engine->instance;
		e->capabilities = engine->capabilities;
		if (!i915_since(dev, 5, 16))
			continue;
		e->flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE;
		e->logical_instance = engine->logical;
	}
	rc = i915_copy_out(call, item->data_ptr, info, size);
	free(info);
	return rc ? rc : (int)size;
}

/* OA configurations: there are none. */
static int
query_perf(struct i915 *dev, struct i915_call *call,
    const struct drm_i915_query_item *item)
{
	(void)dev;
	(void)call;
	(void)item;
	return -EINVAL;
}

static int
query_regions(struct i915 *dev, struct i915_call *call,
    const struct drm_i915_query_item *item)
{
	const struct i915_config *c = dev->config;
	uint64_t bytes[2] = {c->system_bytes, c->local_bytes};
	size_t n = c->discrete ? 2 : 1;
	size_t size = sizeof(struct drm_i915_query_memory_regions) +
	    n * sizeof(struct drm_i915_memory_region_info);
	struct drm_i915_query_memory_regions head, *info;
	int rc;

	if (item->flags)
		return -EINVAL;
	rc = query_head(call, item, size, &head, sizeof(head));
	if (rc)
		return rc;
	if (head.num_regions || head.rsvd[0] || head.rsvd[1] || head.rsvd[2])
		return -EINVAL;
	info = mem_calloc(1, size);
	info->num_regions = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		struct drm_i915_memory_region_info *r = &info->regions[i];

		r->region.memory_class = (uint16_t)i;
		r->probed_size = r->unallocated_size = bytes[i];
		if (!i915_since(dev, 6, 0))
			continue;
		r->probed_cpu_visible_size = bytes[i];
		r->unallocated_cpu_visible_size = bytes[i];
	}
	rc = i915_copy_out(call, item->data_ptr, info, size);
	free(info);
	return rc ? rc : (int)size;
}

/* A table that the GuC's firmware has, and this device does not. */
static int
query_hwconfig(struct i915 *dev, struct i915_call *call,
    const struct drm_i915_query_item *item)
{
	(void)dev;
	(void)call;
	(void)item;
	return -ENODEV;
}

static int
query_guc_version(struct i915 *dev, struct i915_call *call,
    const struct drm_i915_query_item *item)
{
	struct i915_guc_version version = {.major = 1, .minor = 9};
	int rc;

	if (dev->config->scheduler != I915_GUC)
		return -ENODEV;
	if (item->flags)
		return -EINVAL;
	rc = query_head(call, item, sizeof(version), &version, sizeof(version));
	if (rc)
		return rc;
	if (version.branch || version.major || version.minor || version.patch)
		return -EINVAL;
	version = (struct i915_guc_version){.major = 1, .minor = 9};
	rc = i915_copy_out(call, item->data_ptr, &version, sizeof(version));
	return rc ? rc : (int)sizeof(version);
}

static const struct {
	query_fn *serve;
	unsigned kernel; /* first that has it; 0: any */
} queries[] = {
    [DRM_I915_QUERY_TOPOLOGY_INFO] = {query_topology, 0},
    [DRM_I915_QUERY_ENGINE_INFO] = {query_engine_info, 0},
    [DRM_I915_QUERY_PERF_CONFIG] = {query_perf, 0},
    [DRM_I915_QUERY_MEMORY_REGIONS] = {query_regions, 0},
    [DRM_I915_QUERY_HWCONFIG_BLOB] = {query_hwconfig, I915_LINUX(5, 19)},
    [DRM_I915_QUERY_GEOMETRY_SUBSLICES] = {query_geometry, I915_LINUX(5, 19)},
    [I915_QUERY_GUC_VERSION] = {query_guc_version, I915_LINUX(6, 9)},
};

static int
query_item(struct i915 *dev, struct i915_call *call,
    const struct drm_i915_query_item *item)
{
	size_t n = sizeof(queries) / sizeof(queries[0]);

	if (item->query_id >= n ||
	    dev->config->kernel < queries[item->query_id].kernel)
		return -EINVAL;
	return queries[item->query_id].serve(dev, call, item);
}

int
i915_query(struct i915 *dev, struct i915_call *call)
{
	const struct drm_i915_query *arg = (void *)call->arg;
	int rc;

	if (arg->flags)
		return -EINVAL;
	if ((rc = i915_array_check(dev, arg->num_items)))
		return rc;
	for (uint32_t i = 0; i < arg->num_items; i++) {
		struct drm_i915_query_item item;
		uint64_t at = arg->items_ptr + i * sizeof(item);
		int32_t length;

		if ((rc = i915_copy_in(call, &item, at, sizeof(item))))
			return rc;
		if (item.query_id == 0)
			return -EINVAL;
		length = query_item(dev, call, &item);
		if (length == item.length)
			continue;
		at += offsetof(struct drm_i915_query_item, length);
		if ((rc = i915_copy_out(call, at, &length, sizeof(length))))
			return rc;
	}
	return 0;
}
