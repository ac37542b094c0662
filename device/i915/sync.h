/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fences in the hands of programs: syncobjs, which hold a fence or a timeline
 * of points, and sync_files, which are descriptors of a fence.
 */
#ifndef DEVICE_I915_SYNC_H
#define DEVICE_I915_SYNC_H

#include "device/i915/device.h"

/* A point of a timeline. A fence that was there before the first point is one
 * of value 0. */
struct i915_point {
	uint64_t value, before;   /* before: value of the one before */
	uint64_t series;          /* points of a series have rising values */
	struct i915_fence *fence; /* this one's and all before it */
};

struct i915_syncobj {
	unsigned refs;
	struct i915_program *program;
	struct i915_point *points; /* in the order of their submission */
	size_t n, cap;
	bool timeline;         /* the last one is a point, no plain fence */
	struct i915_bell bell; /* rings when a fence comes */
};

struct i915_sync_file {
	struct i915_marked marked;
	struct i915_fence *fence;
	struct i915_fences parts; /* what FILE_INFO tells, signalled or not */
	struct i915_link link;    /* makes it readable */
	char name[32];
};

/* syncobj.c */
struct i915_syncobj *i915_syncobj_find(
    const struct i915_file *file, uint32_t handle);
struct i915_syncobj *i915_syncobj_get(struct i915_syncobj *s);
void i915_syncobj_put(struct i915 *dev, struct i915_syncobj *s);
/* Replaces what it holds; f NULL: empties it. */
void i915_syncobj_replace(
    struct i915 *dev, struct i915_syncobj *s, struct i915_fence *f);
/* Returns 0, or -ENOMEM: its program may not have n more points. */
int i915_syncobj_room(
    const struct i915 *dev, const struct i915_syncobj *s, uint64_t n);
void i915_syncobj_add_point(struct i915 *dev, struct i915_syncobj *s,
    uint64_t value, struct i915_fence *f);
/* Sets *f to a new reference to the fence of a point (value 0: of all). Returns 0; 1:
 * the point has signalled and is forgotten, *f NULL; -EINVAL: no such point, or
 * nothing at all. */
int i915_syncobj_fence(struct i915 *dev, const struct i915_syncobj *s,
    uint64_t value, struct i915_fence **f);

/* sync_file.c */
/* Makes a sync_file of a fence. Returns its descriptor or -errno. */
int i915_sync_file_new(struct i915 *dev, struct i915_call *call,
    struct i915_fence *f, const char *name);
/* Returns the fence of a descriptor of the caller, NULL: not a sync_file. */
struct i915_fence *i915_sync_file_fence(
    struct i915 *dev, const struct i915_caller *caller, int fd);

#endif
