/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * syncobjs: a handle for a fence that can be replaced, or for a timeline of
 * points. A point signals with its fence and with all points before it. Points
 * that have signalled are forgotten, but for the last one. Rules:
 * doc/model/i915.md "Syncobjs".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/ioctls.h"
#include "device/i915/sync.h"
#include "device/i915/syncobj_event.h"
#include "device/i915/uapi.h"

struct i915_syncobj *
i915_syncobj_find(const struct i915_file *file, uint32_t handle)
{
	return i915_table_get(&file->syncobjs, handle);
}

struct i915_syncobj *
i915_syncobj_get(struct i915_syncobj *s)
{
	s->refs++;
	return s;
}

/* Forgets the first n points. */
static void
points_forget(struct i915 *dev, struct i915_syncobj *s, size_t n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		i915_fence_put(dev, s->points[i].fence);
	s->n -= n;
	memmove(s->points, s->points + n, s->n * sizeof(*s->points));
	i915_give(s->program, I915_LIMIT_SYNCOBJS, n);
}

void
i915_syncobj_put(struct i915 *dev, struct i915_syncobj *s)
{
	if (--s->refs)
		return;
	i915_syncobj_events_free(dev, s);
	points_forget(dev, s, s->n);
	free(s->points);
	i915_give(s->program, I915_LIMIT_SYNCOBJS, 1);
	i915_program_put(dev, s->program);
	free(s);
}

/* Points may pass the limit by those of one call to execbuf, which are counted
 * here. */
static void
point_add(struct i915_syncobj *s, struct i915_point point)
{
	s->points = mem_grow(s->points, s->n, &s->cap, sizeof(*s->points));
	s->points[s->n++] = point;
	s->program->used[I915_LIMIT_SYNCOBJS]++;
}

void
i915_syncobj_replace(
    struct i915 *dev, struct i915_syncobj *s, struct i915_fence *f)
{
	if (f)
		i915_fence_get(f);
	points_forget(dev, s, s->n);
	s->timeline = false;
	if (!f)
		return;
	point_add(s, (struct i915_point){.fence = f});
	i915_bell_ring(dev, &s->bell);
}

int
i915_syncobj_room(
    const struct i915 *dev, const struct i915_syncobj *s, uint64_t n)
{
	return i915_room(dev, s->program, I915_LIMIT_SYNCOBJS, n);
}

void
i915_syncobj_add_point(struct i915 *dev, struct i915_syncobj *s, uint64_t value,
    struct i915_fence *f)
{
	struct i915_point point = {.value = value};
	struct i915_fence *both[2] = {f, f};
	size_t over = 0;

	if (s->n) {
		const struct i915_point *last = &s->points[s->n - 1];

		both[1] = last->fence;
		if (s->timeline && value > last->value) {
			point.series = last->series;
			point.before = last->value;
		} else if (s->timeline) {
			/* Not rising: the kernel begins a new series. */
			point.value = last->value;
		}
	}
	if (!point.series)
		point.series = ++dev->last_timeline;
	point.fence = both[1] == f || both[1]->signalled
	    ? i915_fence_get(f)
	    : i915_fence_all(dev, both, 2);
	while (over < s->n && s->points[over].fence->signalled)
		over++;
	points_forget(dev, s, over);
	point_add(s, point);
	s->timeline = true;
	i915_bell_ring(dev, &s->bell);
}

/* The place of the first point of the last series. */
static size_t
series_at(const struct i915_syncobj *s)
{
	uint64_t series = s->points[s->n - 1].series;

	return lower_bound(i, 0, s->n, s->points[i].series < series);
}

int
i915_syncobj_fence(struct i915 *dev, const struct i915_syncobj *s,
    uint64_t value, struct i915_fence **f)
{
	size_t i, first;

	(void)dev;
	*f = NULL;
	if (!s->n)
		return -EINVAL;
	i = s->n - 1;
	if (value && (!s->timeline || s->points[i].value < value))
		return -EINVAL;
	if (value && s->points[i].before >= value) {
		/* The last one that begins before it, of that series, or else
		 * what was there before that. */
		first = series_at(s);
		i = lower_bound(n, first, s->n, s->points[n].before < value);
		if (i == 0)
			return 1;
		i--;
	}
	*f = i915_fence_get(s->points[i].fence);
	return 0;
}

/* The last value that has been signalled, with all before it. */
static uint64_t
syncobj_value(const struct i915_syncobj *s, bool submitted)
{
	const struct i915_point *p;
	size_t i;

	if (!s->n || !s->timeline)
		return 0;
	p = &s->points[s->n - 1];
	if (submitted || p->fence->signalled)
		return p->value;
	i = lower_bound(n, series_at(s), s->n, s->points[n].fence->signalled);
	return s->points[i].before;
}

int
i915_syncobj_create(struct i915 *dev, struct i915_call *call)
{
	struct drm_syncobj_create *arg = (void *)call->arg;
	struct i915_program *program = call->file->marked.program;
	struct i915_syncobj *s;
	int rc;

	if (arg->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
		return -EINVAL;
	rc = i915_take(dev, program, I915_LIMIT_SYNCOBJS, 1);
	if (rc)
		return rc;
	s = mem_calloc(1, sizeof(*s));
	s->refs = 1;
	s->program = i915_program_ref(program);
	if (arg->flags) {
		struct i915_fence *stub = i915_fence_stub(dev);

		i915_syncobj_replace(dev, s, stub);
		i915_fence_put(dev, stub);
	}
	arg->handle = i915_table_add(&call->file->syncobjs, 1, s);
	return 0;
}

int
i915_syncobj_destroy(struct i915 *dev, struct i915_call *call)
{
	const struct drm_syncobj_destroy *arg = (void *)call->arg;
	struct i915_syncobj *s;

	if (arg->pad)
		return -EINVAL;
	s = i915_table_remove(&call->file->syncobjs, arg->handle);
	if (!s)
		return -EINVAL;
	i915_syncobj_put(dev, s);
	return 0;
}

/* Copies the handles of a call in. On success *objs, which the caller frees,
 * has n syncobjs, which the file keeps. */
int
i915_syncobjs_read(struct i915 *dev, struct i915_call *call, uint64_t user,
    uint32_t n, struct i915_syncobj ***objs)
{
	void *handles;
	int rc;

	*objs = NULL;
	if (n == 0)
		return -EINVAL;
	rc = i915_copy_array(dev, call, &handles, user, n, sizeof(uint32_t));
	if (rc)
		return rc;
	*objs = mem_calloc(n, sizeof(struct i915_syncobj *));
	for (uint32_t i = 0; i < n; i++) {
		(*objs)[i] = i915_syncobj_find(
		    call->file, ((const uint32_t *)handles)[i]);
		if (!(*objs)[i])
			rc = -ENOENT;
	}
	free(handles);
	if (rc) {
		free(*objs);
		*objs = NULL;
	}
	return rc;
}

/* RESET and SIGNAL. */
static int
syncobj_array(struct i915 *dev, struct i915_call *call, bool signal)
{
	const struct drm_syncobj_array *arg = (void *)call->arg;
	struct i915_syncobj **objs;
	int rc;

	if (arg->pad)
		return -EINVAL;
	rc = i915_syncobjs_read(
	    dev, call, arg->handles, arg->count_handles, &objs);
	if (rc)
		return rc;
	for (uint32_t i = 0; i < arg->count_handles; i++) {
		struct i915_fence *f = signal ? i915_fence_stub(dev) : NULL;

		i915_syncobj_replace(dev, objs[i], f);
		i915_fence_put(dev, f);
	}
	free(objs);
	return 0;
}

int
i915_syncobj_reset(struct i915 *dev, struct i915_call *call)
{
	return syncobj_array(dev, call, false);
}

int
i915_syncobj_signal(struct i915 *dev, struct i915_call *call)
{
	return syncobj_array(dev, call, true);
}

int
i915_syncobj_timeline_signal(struct i915 *dev, struct i915_call *call)
{
	const struct drm_syncobj_timeline_array *arg = (void *)call->arg;
	struct i915_syncobj **objs;
	void *values = NULL;
	int rc;

	if (arg->flags)
		return -EINVAL;
	rc = i915_syncobjs_read(
	    dev, call, arg->handles, arg->count_handles, &objs);
	if (!rc && arg->points)
		rc = i915_copy_array(dev, call, &values, arg->points,
		    arg->count_handles, sizeof(uint64_t));
	for (uint32_t i = 0; !rc && i < arg->count_handles; i++)
		rc = i915_syncobj_room(dev, objs[i], arg->count_handles);
	for (uint32_t i = 0; !rc && i < arg->count_handles; i++) {
		struct i915_fence *stub = i915_fence_stub(dev);

		i915_syncobj_add_point(dev, objs[i],
		    values ? ((const uint64_t *)values)[i] : 0, stub);
		i915_fence_put(dev, stub);
	}
	free(objs);
	free(values);
	return rc;
}

int
i915_syncobj_query(struct i915 *dev, struct i915_call *call)
{
	const struct drm_syncobj_timeline_array *arg = (void *)call->arg;
	struct i915_syncobj **objs;
	int rc;

	if (arg->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
		return -EINVAL;
	rc = i915_syncobjs_read(
	    dev, call, arg->handles, arg->count_handles, &objs);
	for (uint32_t i = 0; !rc && i < arg->count_handles; i++) {
		uint64_t value = syncobj_value(objs[i], arg->flags);

		rc = i915_copy_out(call, arg->points + i * sizeof(value),
		    &value, sizeof(value));
	}
	free(objs);
	return rc;
}
