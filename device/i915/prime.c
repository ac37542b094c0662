/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PRIME: objects as descriptors (dma-bufs) and back. The descriptor is the
 * object's memory, opened anew; its inode says which object it is. Rules:
 * doc/model/i915.md "PRIME".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/ioctls.h"
#include "device/i915/object.h"
#include "device/i915/sync.h"
#include "device/i915/uapi.h"

/* The seals that object memory has. */
#define MEMORY_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

int
i915_prime_to_fd(struct i915 *dev, struct i915_call *call)
{
	const struct drm_prime_handle *arg = (void *)call->arg;
	struct i915_object *o;
	int fd, rc;

	if (arg->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR))
		return -EINVAL;
	o = i915_object_find(call->file, arg->handle);
	if (!o)
		return -ENOENT;
	if (o->user)
		return -EINVAL;
	rc = i915_object_commit(dev, o);
	if (rc)
		return rc;
	fd = i915_fd_reopen(o->fd, arg->flags & DRM_RDWR ? O_RDWR : O_RDONLY);
	if (fd < 0)
		return fd;
	i915_store_fd(call, fd, offsetof(struct drm_prime_handle, fd),
	    arg->flags & DRM_CLOEXEC);
	return 0;
}

/* Returns the object whose memory fd is, NULL: of none. */
static struct i915_object *
memory_object(struct i915 *dev, int fd)
{
	struct chain_node *node;
	struct stat st;

	if (fstat(fd, &st) < 0 || st.st_dev != dev->memory_device)
		return NULL;
	node = chains_find(&dev->memories, NULL, st.st_ino);
	return node ? container_of(node, struct i915_object, node) : NULL;
}

/* Makes an object of memory whose object was freed while the program kept its
 * descriptor. Takes fd over, unless it fails. */
static int
memory_adopt(struct i915 *dev, struct i915_call *call, int fd, uint32_t *handle)
{
	struct i915_object *o;
	struct stat st;
	int rc;

	if (fcntl(fd, F_GET_SEALS) != MEMORY_SEALS || fstat(fd, &st) < 0 ||
	    st.st_dev != dev->memory_device || st.st_size <= 0 ||
	    st.st_size % I915_PAGE)
		return -EINVAL;
	rc = i915_object_new(dev, call, (uint64_t)st.st_size, &o, handle);
	if (rc)
		return rc;
	if (i915_take(dev, o->program, I915_LIMIT_MEMORY, o->size)) {
		i915_object_close(dev, call->file, *handle);
		return -ENOMEM;
	}
	o->fd = fd;
	o->node.n = st.st_ino;
	chains_add(&dev->memories, &o->node);
	return 0;
}

int
i915_prime_from_fd(struct i915 *dev, struct i915_call *call)
{
	struct drm_prime_handle *arg = (void *)call->arg;
	struct i915_passed passed;
	struct i915_object *o;
	int rc = 0;

	if (arg->fd < 0 ||
	    dev->host->ops->passed(
		dev->host, call->caller->pid, arg->fd, &passed) < 0)
		return -EBADF;
	if (passed.fd < 0)
		return -EINVAL;
	o = memory_object(dev, passed.fd);
	if (!o) {
		rc = memory_adopt(dev, call, passed.fd, &arg->handle);
		if (!rc)
			return 0;
	} else {
		arg->handle = i915_object_handle(dev, call->file, o);
	}
	close(passed.fd);
	return rc;
}

/* The object of a call on a dma-buf; NULL: it is none of ours. */
static struct i915_object *
dma_buf_object(struct i915 *dev, const struct i915_call *call)
{
	struct i915_passed passed;
	struct i915_object *o;

	if (dev->host->ops->passed(
		dev->host, call->caller->pid, (int)call->rq.aux, &passed) < 0 ||
	    passed.fd < 0)
		return NULL;
	o = memory_object(dev, passed.fd);
	close(passed.fd);
	return o;
}

/* Waits for the GPU at the begin of an access. */
int
i915_dma_buf_sync(struct i915 *dev, struct i915_call *call)
{
	const struct dma_buf_sync *arg = (void *)call->arg;
	struct i915_object *o = dma_buf_object(dev, call);

	if (!o)
		return WIRE_NOT_MINE;
	if (arg->flags & ~(uint64_t)DMA_BUF_SYNC_VALID_FLAGS_MASK ||
	    !(arg->flags & DMA_BUF_SYNC_RW))
		return -EINVAL;
	if (arg->flags & DMA_BUF_SYNC_END)
		return 0;
	return i915_reservation_wait(
	    dev, call, &o->reservation, arg->flags & DMA_BUF_SYNC_WRITE);
}

int
i915_dma_buf_export(struct i915 *dev, struct i915_call *call)
{
	const struct dma_buf_export_sync_file *arg = (void *)call->arg;
	struct i915_object *o = dma_buf_object(dev, call);
	struct i915_fences fences = {0};
	struct i915_fence *all;
	int fd;

	if (!o)
		return WIRE_NOT_MINE;
	if (arg->flags & ~(uint32_t)DMA_BUF_SYNC_RW ||
	    !(arg->flags & DMA_BUF_SYNC_RW))
		return -EINVAL;
	i915_reservation_waits(
	    &o->reservation, arg->flags & DMA_BUF_SYNC_WRITE, &fences);
	all = i915_fence_all(dev, fences.list, fences.n);
	fd = i915_sync_file_new(dev, call, all, "");
	i915_fence_put(dev, all);
	i915_fences_free(dev, &fences);
	if (fd < 0)
		return fd;
	i915_store_fd(
	    call, fd, offsetof(struct dma_buf_export_sync_file, fd), true);
	return 0;
}

int
i915_dma_buf_import(struct i915 *dev, struct i915_call *call)
{
	const struct dma_buf_import_sync_file *arg = (void *)call->arg;
	struct i915_object *o = dma_buf_object(dev, call);
	struct i915_fence *f;

	if (!o)
		return WIRE_NOT_MINE;
	if (arg->flags & ~(uint32_t)DMA_BUF_SYNC_RW ||
	    !(arg->flags & DMA_BUF_SYNC_RW))
		return -EINVAL;
	f = i915_sync_file_fence(dev, call->caller, arg->fd);
	if (!f)
		return -EINVAL;
	/* No class: BUSY knows only requests of this device. */
	i915_reservation_add(
	    dev, &o->reservation, f, 0, arg->flags & DMA_BUF_SYNC_WRITE, false);
	return 0;
}

int
i915_dma_buf_set_name(struct i915 *dev, struct i915_call *call)
{
	return dma_buf_object(dev, call) ? 0 : WIRE_NOT_MINE;
}
