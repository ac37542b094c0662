/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EXECBUFFER2: the pages first, then the objects. */
#include "device/hardware/submit.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "device/hardware/driver.h"
#include "device/hardware/hardware.h"

/* Objects that need no memory of their own. */
#define FEW_OBJECTS 24

static struct drm_i915_gem_exec_object2
exec_object(const struct gpu_object *object, bool write)
{
	return (struct drm_i915_gem_exec_object2){
	    .handle = object->handle,
	    .offset = object->address,
	    .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS |
		(write ? EXEC_OBJECT_WRITE : 0),
	};
}

static void
list_objects(
    const struct gpu_execbuf *s, struct drm_i915_gem_exec_object2 *objects)
{
	for (uint32_t i = 0; i < s->n_pages; i++)
		*objects++ = exec_object(&s->pages[i]->object, false);
	for (uint32_t i = 0; i < s->n_uses; i++)
		*objects++ = exec_object(s->uses[i].object, s->uses[i].write);
}

/* Returns the flags of an execbuf whose fence to wait for is in its member, or,
 * beside a submit fence, a syncobj. */
static uint64_t
exec_flags(const struct gpu_execbuf *s, bool syncobj)
{
	uint64_t flags = s->slot | I915_EXEC_NO_RELOC | I915_EXEC_HANDLE_LUT |
	    I915_EXEC_BATCH_FIRST | I915_EXEC_FENCE_OUT;

	if (s->wait_start >= 0)
		flags |= I915_EXEC_FENCE_SUBMIT;
	else if (s->wait >= 0)
		flags |= I915_EXEC_FENCE_IN;
	return flags | (syncobj ? I915_EXEC_FENCE_ARRAY : 0);
}

/* Makes a syncobj that has the fence. Returns 0 or -errno. */
static int
import_fence(const struct hardware *hw, int fence, uint32_t *handle)
{
	struct drm_syncobj_create create = {0};
	struct drm_syncobj_handle import = {
	    .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
	    .fd = fence};
	int rc = driver_ioctl(hw->fd, DRM_IOCTL_SYNCOBJ_CREATE, &create);

	*handle = import.handle = create.handle;
	return rc != 0
	    ? rc
	    : driver_ioctl(hw->fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);
}

static void
drop_syncobj(const struct hardware *hw, uint32_t handle)
{
	struct drm_syncobj_destroy arg = {.handle = handle};

	if (handle != 0)
		driver_ioctl(hw->fd, DRM_IOCTL_SYNCOBJ_DESTROY, &arg);
}

int
gpu_submit(const struct hardware *hw, const struct gpu_execbuf *s, int *fence,
    nsec *time_ns)
{
	uint32_t n = s->n_pages + s->n_uses;
	struct drm_i915_gem_exec_object2 few[FEW_OBJECTS],
	    *objects = n <= FEW_OBJECTS ? few : mem_calloc(n, sizeof *objects);
	bool both = s->wait >= 0 && s->wait_start >= 0;
	struct drm_i915_gem_exec_fence ends = {.flags = I915_EXEC_FENCE_WAIT};
	int in = s->wait_start >= 0 ? s->wait_start : s->wait;
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)objects,
	    .buffer_count = n,
	    .num_cliprects = both,
	    .cliprects_ptr = both ? (uintptr_t)&ends : 0,
	    .flags = exec_flags(s, both),
	    .rsvd1 = s->context,
	    .rsvd2 = in >= 0 ? (uint32_t)in : 0,
	};
	int rc = both ? import_fence(hw, s->wait, &ends.handle) : 0;

	list_objects(s, objects);
	*time_ns = hardware_now();
	if (rc == 0)
		rc = driver_ioctl(
		    hw->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec);
	drop_syncobj(hw, ends.handle);
	if (objects != few)
		free(objects);
	*fence = rc == 0 ? (int)(exec.rsvd2 >> 32) : -1;
	return rc;
}
