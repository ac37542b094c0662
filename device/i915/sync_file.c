/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sync_files: descriptors of fences, which become readable when the fence
 * signals. Rules: doc/model/i915.md "sync_file".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/ioctls.h"
#include "device/i915/sync.h"
#include "device/i915/uapi.h"

static void
sync_file_hangup(struct i915 *dev, struct i915_marked *m)
{
	struct i915_sync_file *s = container_of(
	    m, struct i915_sync_file, marked);

	i915_link_cut(&s->link);
	i915_give(s->marked.program, I915_LIMIT_SYNCOBJS, s->parts.n);
	i915_fences_free(dev, &s->parts);
	i915_fence_put(dev, s->fence);
	i915_unmark(dev, m);
	free(s);
}

static void
sync_file_woken(struct i915 *dev, struct i915_link *link)
{
	struct i915_sync_file *s = container_of(
	    link, struct i915_sync_file, link);

	dev->n_readable++;
	dev->host->ops->signal(dev->host, s->marked.node.n);
}

/* Makes the descriptor of a sync_file, whose parts are counted for the program. */
static int
sync_file_mark(
    struct i915 *dev, struct i915_call *call, struct i915_sync_file *s)
{
	int rc, fd = i915_mark(dev, call, &s->marked, MARK_FENCE, 0);

	if (fd < 0)
		return fd;
	rc = i915_take(dev, s->marked.program, I915_LIMIT_SYNCOBJS, s->parts.n);
	if (rc == 0)
		return fd;
	i915_unmark(dev, &s->marked);
	close(fd);
	return rc;
}

int
i915_sync_file_new(struct i915 *dev, struct i915_call *call,
    struct i915_fence *f, const char *name)
{
	struct i915_sync_file *s = mem_calloc(1, sizeof(*s));
	int fd;

	s->marked.hangup = sync_file_hangup;
	s->link.woken = sync_file_woken;
	i915_fence_leaves(dev, f, &s->parts);
	if (!s->parts.n)
		i915_fences_add(&s->parts, f);
	fd = sync_file_mark(dev, call, s);
	if (fd < 0) {
		i915_fences_free(dev, &s->parts);
		free(s);
		return fd;
	}
	s->fence = i915_fence_get(f);
	snprintf(s->name, sizeof(s->name), "%s", name);
	if (f->signalled)
		sync_file_woken(dev, &s->link);
	else
		i915_bell_hang(&f->bell, &s->link);
	return fd;
}

static struct i915_sync_file *
sync_file_passed(struct i915 *dev, const struct i915_caller *caller, int fd)
{
	struct i915_marked *m = i915_marked_passed(dev, caller, fd, MARK_FENCE);

	return m ? container_of(m, struct i915_sync_file, marked) : NULL;
}

struct i915_fence *
i915_sync_file_fence(struct i915 *dev, const struct i915_caller *caller, int fd)
{
	struct i915_sync_file *s = sync_file_passed(dev, caller, fd);

	return s ? s->fence : NULL;
}

/* By timeline; of a timeline the latest one is the first. */
static int
compare_fences(const void *a, const void *b)
{
	const struct i915_fence *f = *(struct i915_fence *const *)a;
	const struct i915_fence *g = *(struct i915_fence *const *)b;

	if (f->timeline != g->timeline)
		return f->timeline < g->timeline ? -1 : 1;
	if (f->seqno != g->seqno)
		return f->seqno > g->seqno ? -1 : 1;
	return 0;
}

/* Adds the pending leaves of a and b to list: of a timeline only the latest
 * one. */
static void
merge_leaves(struct i915 *dev, struct i915_fences *list, struct i915_fence *a,
    struct i915_fence *b)
{
	struct i915_fence *both[] = {a, b};
	struct i915_fences leaves = {0};

	i915_fences_leaves(
	    dev, &(struct i915_fences){.list = both, .n = 2}, &leaves);
	if (leaves.n > 0)
		qsort(leaves.list, leaves.n, sizeof(leaves.list[0]),
		    compare_fences);
	for (size_t i = 0; i < leaves.n; i++)
		if (i == 0 ||
		    leaves.list[i]->timeline != leaves.list[i - 1]->timeline)
			i915_fences_add(list, leaves.list[i]);
	i915_fences_free(dev, &leaves);
}

/* Returns the fence of a and b. If both have signalled, that is the one with an
 * error, else the later one. */
static struct i915_fence *
merge(struct i915 *dev, struct i915_fence *a, struct i915_fence *b)
{
	struct i915_fences list = {0};
	struct i915_fence *all;

	merge_leaves(dev, &list, a, b);
	if (a->signalled && a->error)
		i915_fences_add(&list, a);
	if (b->signalled && b->error)
		i915_fences_add(&list, b);
	if (list.n == 0)
		i915_fences_add(
		    &list, a->signalled_ns > b->signalled_ns ? a : b);
	all = i915_fence_all(dev, list.list, list.n);
	i915_fences_free(dev, &list);
	return all;
}

int
i915_sync_merge(struct i915 *dev, struct i915_call *call)
{
	struct sync_merge_data *arg = (void *)call->arg;
	struct i915_sync_file *first = container_of(
	    call->marked, struct i915_sync_file, marked);
	struct i915_fence *second, *all;
	int fd;

	if (arg->flags || arg->pad)
		return -EINVAL;
	second = i915_sync_file_fence(dev, call->caller, arg->fd2);
	if (!second)
		return -ENOENT;
	arg->name[sizeof(arg->name) - 1] = '\0';
	all = merge(dev, first->fence, second);
	fd = i915_sync_file_new(dev, call, all, arg->name);
	i915_fence_put(dev, all);
	if (fd < 0)
		return fd;
	i915_store_fd(call, fd, offsetof(struct sync_merge_data, fence), true);
	return 0;
}

static struct sync_fence_info
fence_info(const struct i915_fence *f)
{
	struct sync_fence_info info = {.status = i915_fence_status(f)};

	snprintf(info.obj_name, sizeof(info.obj_name), "%s", f->name);
	snprintf(info.driver_name, sizeof(info.driver_name), "%s", f->driver);
	info.timestamp_ns = f->signalled ? f->signalled_ns : 0;
	return info;
}

int
i915_sync_file_info(struct i915 *dev, struct i915_call *call)
{
	struct sync_file_info *arg = (void *)call->arg;
	struct i915_sync_file *s = container_of(
	    call->marked, struct i915_sync_file, marked);
	const struct i915_fences *parts = &s->parts;
	int rc = 0;

	(void)dev;
	if (arg->flags || arg->pad)
		return -EINVAL;
	if (arg->num_fences && arg->num_fences < parts->n)
		return -EINVAL;
	for (size_t i = 0; !rc && arg->num_fences && i < parts->n; i++) {
		struct sync_fence_info info = fence_info(parts->list[i]);

		rc = i915_copy_out(call,
		    arg->sync_fence_info + i * sizeof(info), &info,
		    sizeof(info));
	}
	if (rc)
		return rc;
	arg->num_fences = (uint32_t)parts->n;
	arg->status = i915_fence_status(s->fence);
	if (s->name[0])
		memcpy(arg->name, s->name, sizeof(arg->name));
	else
		snprintf(arg->name, sizeof(arg->name), "%.8s-%.12s%llu-%llu",
		    s->fence->driver, s->fence->name,
		    (unsigned long long)s->fence->timeline % 10000,
		    (unsigned long long)s->fence->seqno % 10000);
	return 0;
}

/* Deadlines are hints, which no engine here takes. */
int
i915_sync_deadline(struct i915 *dev, struct i915_call *call)
{
	const struct i915_set_deadline *arg = (void *)call->arg;

	(void)dev;
	return arg->pad ? -EINVAL : 0;
}
