/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Syncobjs as descriptors: an eventfd that is written when a point signals
 * (Linux 6.6), a syncobj as a descriptor of its own, and its fence as a
 * sync_file. Rules: doc/model/i915.md "Syncobjs".
 */
#include "device/i915/syncobj_event.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/ioctls.h"
#include "device/i915/uapi.h"

struct syncobj_event {
	struct i915_program *program; /* counted for it, as a descriptor */
	struct i915_link link;  /* on the syncobj until the fence is there */
	struct i915_syncobj *s; /* NULL: the fence is there */
	struct i915_fence *fence;
	uint64_t point;
	bool available; /* written as soon as the fence is there */
	int fd;
};

static void
event_free(struct i915 *dev, struct syncobj_event *e)
{
	i915_fence_put(dev, e->fence);
	close(e->fd);
	i915_give(e->program, I915_LIMIT_FILES, 1);
	i915_program_put(dev, e->program);
	free(e);
}

/* Looks whether it is time, else waits on. */
static void
event_woken(struct i915 *dev, struct i915_link *link)
{
	struct syncobj_event *e = container_of(
	    link, struct syncobj_event, link);
	uint64_t one = 1;
	ssize_t written;
	int rc;

	if (e->s) {
		rc = i915_syncobj_fence(dev, e->s, e->point, &e->fence);
		if (rc < 0) {
			i915_bell_hang(&e->s->bell, &e->link);
			return;
		}
		e->s = NULL;
	}
	if (e->fence && !e->available && !e->fence->signalled) {
		i915_bell_hang(&e->fence->bell, &e->link);
		return;
	}
	/* A full counter is readable already, and writing would wait. */
	if (poll(&(struct pollfd){.fd = e->fd, .events = POLLOUT}, 1, 0) == 1) {
		dev->n_readable++;
		written = write(e->fd, &one, sizeof(one));
		(void)written;
	}
	event_free(dev, e);
}

void
i915_syncobj_events_free(struct i915 *dev, struct i915_syncobj *s)
{
	struct i915_link *link, *next;

	for (link = s->bell.first; link; link = next) {
		next = link->next;
		if (link->woken != event_woken)
			continue;
		i915_link_cut(link);
		event_free(dev, container_of(link, struct syncobj_event, link));
	}
	/* Calls that wait find that it has gone. */
	i915_bell_ring(dev, &s->bell);
}

int
i915_syncobj_eventfd(struct i915 *dev, struct i915_call *call)
{
	const struct i915_syncobj_eventfd *arg = (void *)call->arg;
	struct i915_program *program = call->file->marked.program;
	struct i915_syncobj *s;
	struct i915_passed passed;
	struct syncobj_event *e;
	char text[16];
	uint32_t known = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;

	if (arg->flags & ~known || arg->pad)
		return -EINVAL;
	s = i915_syncobj_find(call->file, arg->handle);
	if (!s)
		return -ENOENT;
	if (arg->fd < 0 ||
	    dev->host->ops->passed(
		dev->host, call->caller->pid, arg->fd, &passed) < 0)
		return -EBADF;
	if (passed.token || passed.fd < 0)
		return -EINVAL;
	/* An eventfd cannot be read at an offset, files can. */
	if (pread(passed.fd, text, sizeof(text), 0) >= 0 || errno != ESPIPE) {
		close(passed.fd);
		return -EINVAL;
	}
	if (i915_take(dev, program, I915_LIMIT_FILES, 1)) {
		close(passed.fd);
		return -ENOMEM;
	}
	e = mem_calloc(1, sizeof(*e));
	e->program = i915_program_ref(program);
	e->link.woken = event_woken;
	e->s = s;
	e->point = arg->point;
	e->available = arg->flags & known;
	e->fd = passed.fd;
	event_woken(dev, &e->link);
	return 0;
}

/* A syncobj as a descriptor. */
struct syncobj_export {
	struct i915_marked marked;
	struct i915_syncobj *s;
};

static void
syncobj_export_hangup(struct i915 *dev, struct i915_marked *m)
{
	struct syncobj_export *e = container_of(
	    m, struct syncobj_export, marked);

	i915_syncobj_put(dev, e->s);
	i915_unmark(dev, m);
	free(e);
}

static int
syncobj_export(struct i915 *dev, struct i915_call *call, struct i915_syncobj *s)
{
	struct syncobj_export *e = mem_calloc(1, sizeof(*e));
	int fd;

	e->marked.hangup = syncobj_export_hangup;
	fd = i915_mark(dev, call, &e->marked, MARK_SYNCOBJ, 0);
	if (fd < 0) {
		free(e);
		return fd;
	}
	e->s = i915_syncobj_get(s);
	return fd;
}

/* Its fence of now as a sync_file. */
static int
syncobj_export_fence(
    struct i915 *dev, struct i915_call *call, struct i915_syncobj *s)
{
	struct i915_fence *f;
	int fd;

	if (i915_syncobj_fence(dev, s, 0, &f) < 0)
		return -EINVAL;
	fd = i915_sync_file_new(dev, call, f, "");
	i915_fence_put(dev, f);
	return fd;
}

int
i915_syncobj_to_fd(struct i915 *dev, struct i915_call *call)
{
	const struct drm_syncobj_handle *arg = (void *)call->arg;
	bool fence = arg->flags;
	struct i915_syncobj *s;
	int fd;

	if (arg->pad ||
	    arg->flags &
		~(uint32_t)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
		return -EINVAL;
	s = i915_syncobj_find(call->file, arg->handle);
	if (!s)
		return fence ? -ENOENT : -EINVAL;
	fd = fence ? syncobj_export_fence(dev, call, s)
		   : syncobj_export(dev, call, s);
	if (fd < 0)
		return fd;
	i915_store_fd(call, fd, offsetof(struct drm_syncobj_handle, fd), true);
	return 0;
}

int
i915_syncobj_from_fd(struct i915 *dev, struct i915_call *call)
{
	struct drm_syncobj_handle *arg = (void *)call->arg;
	struct i915_marked *m;
	struct i915_syncobj *s;
	int rc;

	if (arg->pad ||
	    arg->flags &
		~(uint32_t)DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
		return -EINVAL;
	if (arg->flags) {
		struct i915_fence *f = i915_sync_file_fence(
		    dev, call->caller, arg->fd);

		if (!f)
			return -EINVAL;
		s = i915_syncobj_find(call->file, arg->handle);
		if (!s)
			return -ENOENT;
		i915_syncobj_replace(dev, s, f);
		return 0;
	}
	m = i915_marked_passed(dev, call->caller, arg->fd, MARK_SYNCOBJ);
	if (!m)
		return -EINVAL;
	if ((rc = i915_table_room(
		 dev, &call->file->syncobjs, I915_LIMIT_SYNCOBJS)))
		return rc;
	s = container_of(m, struct syncobj_export, marked)->s;
	arg->handle = i915_table_add(
	    &call->file->syncobjs, 1, i915_syncobj_get(s));
	return 0;
}
