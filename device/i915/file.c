/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open files of the nodes: card0 and renderD128, and the timelines of sw_sync.
 * Handles belong to the open file, which ends with its last descriptor
 * anywhere. Then its contexts are destroyed; requests go on if they may.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/request.h"
#include "device/i915/sw_sync.h"
#include "device/i915/sync.h"

#define MINOR_CARD   0
#define MINOR_RENDER 128

static void
file_hangup(struct i915 *dev, struct i915_marked *m)
{
	struct i915_file *file = container_of(m, struct i915_file, marked);

	i915_waiters_end(dev, m);
	for (size_t i = 0; i < file->contexts.n; i++) {
		struct i915_context *c = i915_table_remove(&file->contexts, i);

		if (c)
			i915_context_close(dev, c);
	}
	for (size_t i = 0; i < file->spaces.n; i++) {
		struct i915_space *space = i915_table_remove(&file->spaces, i);

		if (space)
			i915_give(m->program, I915_LIMIT_CONTEXTS, 1);
		i915_space_put(dev, space);
	}
	for (size_t i = 0; i < file->syncobjs.n; i++) {
		struct i915_syncobj *s = i915_table_remove(&file->syncobjs, i);

		if (s)
			i915_syncobj_put(dev, s);
	}
	for (size_t i = 0; i < file->objects.n; i++)
		i915_object_close(dev, file, (uint32_t)i);
	i915_requests_orphan(file);
	i915_master_close(dev, file);
	i915_table_free(&file->contexts);
	i915_table_free(&file->spaces);
	i915_table_free(&file->syncobjs);
	i915_table_free(&file->objects);
	i915_unmark(dev, m);
	free(file);
}

static int
file_open(struct i915 *dev, struct i915_call *call, uint32_t minor)
{
	struct i915_file *file = mem_calloc(1, sizeof(*file));
	int fd;

	file->marked.hangup = file_hangup;
	fd = i915_mark(dev, call, &file->marked, MARK_DRM, minor);
	if (fd < 0) {
		free(file);
		return fd;
	}
	file->id = ++dev->last_file;
	file->pid = call->caller->pid;
	file->minor = minor;
	file->render = minor >= MINOR_RENDER;
	file->bsd = -1;
	if (!file->render)
		i915_master_open(dev, file, call->caller);
	i915_context_default(dev, file);
	i915_return_fd(call, fd, call->rq.flags & O_CLOEXEC);
	return 0;
}

/* Opens the file of a descriptor anew, as /proc/self/fd/N does: the same node,
 * but handles of its own. */
static int
file_reopen(struct i915 *dev, struct i915_call *call)
{
	if (!call->marked)
		return -ENOENT;
	if (call->file)
		return file_open(dev, call, call->file->minor);
	if (call->marked->kind == MARK_TIMELINE)
		return i915_sw_sync_open(dev, call);
	if (call->marked->kind == MARK_CONTROL)
		return i915_control_reopen(dev, call);
	return -ENXIO;
}

int
i915_fd_reopen(int fd, int access)
{
	char path[32];
	int opened;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opened = open(path, access | O_CLOEXEC);
	return opened < 0 ? -EMFILE : opened;
}

static bool
is_path(const char *path, size_t size, const char *wanted)
{
	return strlen(wanted) == size && memcmp(wanted, path, size) == 0;
}

/* Opens a file other than a device node. */
static int
special_open(
    struct i915 *dev, struct i915_call *call, const char *path, size_t size)
{
	char name[256];
	const char *last;

	if (is_path(path, size, "dev/sw_sync"))
		return i915_sw_sync_open(dev, call);
	if (is_path(path, size, WIRE_UEVENTS))
		return i915_uevents_open(dev, call);
	if (size >= sizeof(name))
		return WIRE_NOT_MINE;
	memcpy(name, path, size);
	name[size] = '\0';
	last = strrchr(name, '/');
	if (last && strcmp(last, "/resource0") == 0)
		return i915_bar_open(dev, call);
	return i915_control_open(dev, call, name);
}

int
i915_open(
    struct i915 *dev, struct i915_call *call, const char *path, size_t size)
{
	static const struct {
		const char *path;
		uint32_t minor;
	} nodes[] = {
	    {"dev/dri/card0", MINOR_CARD},
	    {"dev/dri/renderD128", MINOR_RENDER},
	};

	/* The length may count the terminating zero. */
	while (size && path[size - 1] == '\0')
		size--;
	if (size == 0)
		return file_reopen(dev, call);
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		if (is_path(path, size, nodes[i].path))
			return file_open(dev, call, nodes[i].minor);
	return special_open(dev, call, path, size);
}

int
i915_stat(struct i915 *dev, struct i915_call *call)
{
	uint64_t token = dev->host->ops->inode(dev->host, call->rq.number);
	struct i915_marked *m = token ? i915_marked_find(dev, token) : NULL;

	if (!m || m->kind != MARK_DRM)
		return WIRE_NOT_MINE;
	return (int)container_of(m, struct i915_file, marked)->minor;
}
