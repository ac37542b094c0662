/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory of objects: a sealed memfd, made at the first need, which programs
 * map too; or memory of a program (userptr), which is copied.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/i915/ioctls.h"
#include "device/i915/object.h"
#include "device/i915/uapi.h"

/* Returns true for one of the last descriptors that this process may have: they
 * are kept for files, so that programs can still open those. */
static bool
is_kept(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	    (rlim_t)fd >= limit.rlim_cur - limit.rlim_cur / 8;
}

/* A memfd of size bytes whose size cannot change, so that what is mapped of it
 * stays there. */
static int
memory_new(uint64_t size)
{
	int fd = memfd_create("i915", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (!is_kept(fd) && ftruncate(fd, (off_t)size) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) ==
		0)
		return fd;
	close(fd);
	return -1;
}

bool
i915_object_unneeded(const struct i915_object *o)
{
	return o->purged || (o->dont_need && !o->pages && !o->user);
}

int
i915_object_pin(struct i915_object *o)
{
	if (i915_object_unneeded(o))
		return -EFAULT;
	o->pages = true;
	return 0;
}

/* One attempt to make the memory. */
static int
object_make(struct i915 *dev, struct i915_object *o)
{
	struct stat st;

	if (i915_take(dev, o->program, I915_LIMIT_MEMORY, o->size))
		return -ENOMEM;
	o->fd = memory_new(o->size);
	if (o->fd < 0 || fstat(o->fd, &st) < 0) {
		if (o->fd >= 0)
			close(o->fd);
		o->fd = -1;
		i915_give(o->program, I915_LIMIT_MEMORY, o->size);
		return -ENOMEM;
	}
	dev->memory_device = st.st_dev;
	o->node.n = st.st_ino;
	chains_add(&dev->memories, &o->node);
	return 0;
}

int
i915_object_commit(struct i915 *dev, struct i915_object *o)
{
	if (o->fd >= 0)
		return 0;
	/* Not needed, so that there is nothing to get. */
	if (i915_object_unneeded(o))
		return -EFAULT;
	if (o->size > INT64_MAX)
		return -ENOMEM;
	if (object_make(dev, o) == 0)
		return 0;
	/* As the shrinker, which takes what programs do not need. */
	i915_drop_caches(dev);
	return object_make(dev, o);
}

uint8_t *
i915_object_map(struct i915 *dev, struct i915_object *o)
{
	void *map;

	if (o->map)
		return o->map;
	if (o->user || i915_object_commit(dev, o))
		return NULL;
	map = mmap(NULL, o->size, PROT_READ | PROT_WRITE, MAP_SHARED, o->fd, 0);
	if (map == MAP_FAILED)
		return NULL;
	o->map = map;
	return o->map;
}

/* True if an access goes by the descriptor, without a mapping: the first one, since
 * programs write most objects once, and a process has 65530 mappings. */
static bool
goes_by_descriptor(struct i915_object *o)
{
	bool first = !o->map && !o->copied;

	o->copied = true;
	return first;
}

int
i915_object_read(struct i915 *dev, struct i915_object *o, uint64_t offset,
    void *to, size_t size)
{
	uint8_t *map;
	int rc;

	if (o->user)
		return (o->user->ops->fetch ? o->user->ops->fetch
					    : o->user->ops->read)(
		    o->user, to, o->address + offset, size);
	if ((rc = i915_object_commit(dev, o)))
		return rc;
	if (goes_by_descriptor(o) &&
	    pread(o->fd, to, size, (off_t)offset) == (ssize_t)size)
		return 0;
	map = i915_object_map(dev, o);
	if (!map)
		return -ENOMEM;
	memcpy(to, map + offset, size);
	return 0;
}

int
i915_object_write(struct i915 *dev, struct i915_object *o, uint64_t offset,
    const void *from, size_t size)
{
	uint8_t *map;
	int rc;

	if (o->user)
		return o->user->ops->write(
		    o->user, o->address + offset, from, size);
	if ((rc = i915_object_commit(dev, o)))
		return rc;
	if (goes_by_descriptor(o) &&
	    pwrite(o->fd, from, size, (off_t)offset) == (ssize_t)size)
		return 0;
	map = i915_object_map(dev, o);
	if (!map)
		return -ENOMEM;
	memcpy(map + offset, from, size);
	return 0;
}

/* Hands the memory to the program: a descriptor that it maps. */
static int
map_reply(struct i915 *dev, struct i915_call *call, struct i915_object *o)
{
	int rc = i915_object_pin(o);

	if (!rc)
		rc = i915_object_commit(dev, o);
	if (rc)
		return rc;
	call->fd = fcntl(o->fd, F_DUPFD_CLOEXEC, 0);
	if (call->fd < 0)
		return -ENOMEM;
	call->rp.fd_use = WIRE_FD_MAP;
	call->rp.prot = PROT_READ | PROT_WRITE;
	return 0;
}

/* mmap(2) of a node: the offset names an object that the file has. */
int
i915_mmap(struct i915 *dev, struct i915_call *call)
{
	uint64_t offset = call->rq.number, length = call->rq.pointer;
	uint64_t within = offset & ((UINT64_C(1) << I915_OFFSET_SHIFT) - 1);
	struct i915_object *o = i915_table_get(
	    &dev->offsets, offset >> I915_OFFSET_SHIFT);
	int rc;

	if (!o || within >= o->size || length == 0 || length > o->size - within)
		return -EINVAL;
	if (!i915_object_held(dev, call->file, o))
		return -EACCES;
	if (o->user)
		return -ENODEV;
	rc = map_reply(dev, call, o);
	call->rp.map_offset = within;
	call->rp.map_size = o->size - within;
	return rc;
}

int
i915_gem_mmap(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_mmap *arg = (void *)call->arg;
	struct i915_object *o;
	int rc;

	if (dev->config->discrete || dev->config->graphics > 1200)
		return -EOPNOTSUPP;
	if (arg->flags & ~(uint64_t)I915_MMAP_WC)
		return -EINVAL;
	o = i915_object_find(call->file, arg->handle);
	if (!o)
		return -ENOENT;
	if (o->user)
		return -ENXIO;
	if (arg->offset > o->size || arg->size > o->size - arg->offset ||
	    arg->size == 0 || arg->offset % I915_PAGE)
		return -EINVAL;
	rc = map_reply(dev, call, o);
	call->rp.fd_offset = offsetof(struct drm_i915_gem_mmap, addr_ptr);
	call->rp.map_offset = arg->offset;
	call->rp.map_size = arg->size;
	return rc;
}

/* Also DRM_I915_GEM_MMAP_GTT, whose structure ends before the flags. */
int
i915_gem_mmap_offset(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_mmap_offset *arg = (void *)call->arg;
	bool fixed = arg->flags == I915_MMAP_OFFSET_FIXED;
	struct i915_object *o;
	int rc = i915_extensions(dev, call, arg->extensions, NULL, 0, NULL);

	if (rc)
		return rc;
	if (arg->flags > I915_MMAP_OFFSET_FIXED)
		return -EINVAL;
	if (arg->flags == I915_MMAP_OFFSET_GTT && dev->config->graphics >= 1255)
		return -ENODEV;
	o = i915_object_find(call->file, arg->handle);
	if (!o)
		return -ENOENT;
	if (o->user || fixed != dev->config->discrete)
		return -ENODEV;
	arg->offset = (uint64_t)o->number << I915_OFFSET_SHIFT;
	return 0;
}
