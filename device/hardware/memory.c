/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects and address spaces. All objects of a device have addresses of one
 * allocator, so that those which several address spaces share fit into each; it
 * only goes up: 2^47 bytes are enough for 2^31 pages.
 */
#include "device/hardware/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "base/text.h"
#include "device/hardware/driver.h"
#include "device/hardware/hardware.h"

/* Distance of addresses: pages of 64 KiB, those of local memory are 2 MiB. */
#define SYSTEM_STEP (UINT64_C(64) << 10)
#define LOCAL_STEP  (UINT64_C(2) << 20)
/* Addresses below are the same whether or not they are canonical. */
#define LAST_ADDRESS (UINT64_C(1) << 47)

/* Creates the object where the CPU sees what the GPU stores if it is to be
 * mapped, else where the GPU is fastest. Returns 0 or -errno. */
static int
create_object(const struct hardware *hw, struct gpu_object *object, bool mapped)
{
	struct drm_i915_gem_memory_class_instance region = {
	    mapped ? I915_MEMORY_CLASS_SYSTEM : I915_MEMORY_CLASS_DEVICE, 0};
	struct drm_i915_gem_create_ext_memory_regions regions = {
	    .base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS,
	    .num_regions = 1,
	    .regions = (uintptr_t)&region};
	struct drm_i915_gem_create_ext create_ext = {
	    .size = object->size, .extensions = (uintptr_t)&regions};
	struct drm_i915_gem_create create = {.size = object->size};
	int rc;

	if (hw->facts.discrete) {
		rc = driver_ioctl(
		    hw->fd, DRM_IOCTL_I915_GEM_CREATE_EXT, &create_ext);
		object->handle = create_ext.handle;
		object->size = create_ext.size;
		return rc;
	}
	rc = driver_ioctl(hw->fd, DRM_IOCTL_I915_GEM_CREATE, &create);
	object->handle = create.handle;
	object->size = create.size;
	return rc;
}

/* Maps the object as kernels before 5.7 do. Returns 0 or -errno. */
static int
map_directly(const struct hardware *hw, struct gpu_object *object)
{
	struct drm_i915_gem_mmap arg = {
	    .handle = object->handle,
	    .size = object->size,
	    .flags = hw->facts.llc ? 0 : I915_MMAP_WC,
	};
	int rc = driver_ioctl(hw->fd, DRM_IOCTL_I915_GEM_MMAP, &arg);

	if (rc == 0)
		/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
		object->map = (void *)(uintptr_t)arg.addr_ptr;
	return rc;
}

/* Maps the object: cached if the GPU sees the CPU's caches. Returns 0 or
 * -errno. */
static int
map_gpu_object(const struct hardware *hw, struct gpu_object *object)
{
	struct drm_i915_gem_mmap_offset arg = {
	    .handle = object->handle,
	    .flags = hw->facts.discrete ? I915_MMAP_OFFSET_FIXED
		: hw->facts.llc         ? I915_MMAP_OFFSET_WB
					: I915_MMAP_OFFSET_WC,
	};
	void *map;
	int rc;

	if (!hw->facts.map_offset)
		return map_directly(hw, object);
	rc = driver_ioctl(hw->fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &arg);
	if (rc != 0)
		return rc;
	map = mmap(NULL, object->size, PROT_READ | PROT_WRITE, MAP_SHARED,
	    hw->fd, (off_t)arg.offset);
	if (map == MAP_FAILED)
		return -errno;
	object->map = map;
	return 0;
}

/* Writes back what the kernel's clearing of the pages has left in caches that the
 * GPU does not see, before the CPU writes past them. Returns 0 or -errno. */
static int
flush_object(const struct hardware *hw, const struct gpu_object *object)
{
	struct drm_i915_gem_set_domain arg = {
	    .handle = object->handle,
	    .read_domains = I915_GEM_DOMAIN_WC,
	    .write_domain = I915_GEM_DOMAIN_WC,
	};

	if (hw->facts.discrete || hw->facts.llc)
		return 0;
	return driver_ioctl(hw->fd, DRM_IOCTL_I915_GEM_SET_DOMAIN, &arg);
}

/* Gives the object an address. Returns 0 or -ENOSPC. */
static int
place_object(struct hardware *hw, struct gpu_object *object)
{
	uint64_t step = hw->facts.discrete ? LOCAL_STEP : SYSTEM_STEP, last;

	object->address = hw->next_address;
	last = hw->facts.address_size < LAST_ADDRESS ? hw->facts.address_size
						     : LAST_ADDRESS;
	last -= SYSTEM_STEP; /* which the GPU may read ahead */
	if (object->address > last || object->size > last - object->address)
		return -ENOSPC;
	hw->next_address += (object->size + step - 1) / step * step;
	return 0;
}

bool
memory_object_new(struct hardware *hw, uint64_t size, bool mapped,
    struct gpu_object *object, struct text *err)
{
	int rc;

	*object = (struct gpu_object){.size = size};
	rc = create_object(hw, object, mapped);
	if (rc == 0)
		rc = place_object(hw, object);
	if (rc == 0 && mapped)
		rc = map_gpu_object(hw, object);
	if (rc == 0 && mapped)
		rc = flush_object(hw, object);
	if (rc == 0)
		return true;
	memory_object_free(hw, object);
	text_addf(err, "%s: no object of %llu bytes: %s", hw->facts.path,
	    (unsigned long long)size, strerror(-rc));
	return false;
}

void
memory_object_free(const struct hardware *hw, struct gpu_object *object)
{
	struct drm_gem_close arg = {.handle = object->handle};

	if (object->map != NULL)
		munmap(object->map, object->size);
	if (object->handle != 0)
		driver_ioctl(hw->fd, DRM_IOCTL_GEM_CLOSE, &arg);
	*object = (struct gpu_object){0};
}

bool
memory_space_new(const struct hardware *hw, uint32_t *space, struct text *err)
{
	struct drm_i915_gem_vm_control arg = {0};
	int rc = driver_ioctl(hw->fd, DRM_IOCTL_I915_GEM_VM_CREATE, &arg);

	*space = arg.vm_id;
	if (rc != 0)
		text_addf(err, "%s: no address space: %s", hw->facts.path,
		    strerror(-rc));
	return rc == 0;
}

void
memory_space_free(const struct hardware *hw, uint32_t space)
{
	struct drm_i915_gem_vm_control arg = {.vm_id = space};

	driver_ioctl(hw->fd, DRM_IOCTL_I915_GEM_VM_DESTROY, &arg);
}

struct batch_page *
page_take(struct hardware *hw, struct page_pool *pool, struct text *err)
{
	struct batch_page *page = pool->free;

	if (page != NULL) {
		pool->free = page->next;
		pool->n_free--;
	} else {
		page = mem_calloc(1, sizeof *page);
		if (!memory_object_new(
			hw, PAGE_BYTES, true, &page->object, err)) {
			free(page);
			return NULL;
		}
	}
	pool->n_used++;
	return page;
}

void
page_give(struct page_pool *pool, struct batch_page *page)
{
	page->next = pool->free;
	pool->free = page;
	pool->n_free++;
	pool->n_used--;
}

void
pages_free(const struct hardware *hw, struct page_pool *pool)
{
	while (pool->free != NULL) {
		struct batch_page *page = pool->free;

		pool->free = page->next;
		memory_object_free(hw, &page->object);
		free(page);
	}
	pool->n_free = 0;
}
