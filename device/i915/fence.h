/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fences of the virtual i915. A fence is pending, then signalled for ever, with
 * the time and an error. It is a request, a software fence (sw_sync, a syncobj
 * that is signalled by hand), or all of several others.
 *
 * A waiter hangs a link on a bell. When a bell rings, its links move to the
 * device's queue; i915_drain() calls them, so that no signal calls another from
 * within.
 */
#ifndef DEVICE_I915_FENCE_H
#define DEVICE_I915_FENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct i915;

struct i915_link {
	struct i915_link *next, **at; /* at NULL: hangs nowhere */
	void (*woken)(struct i915 *dev, struct i915_link *link);
	bool is_call; /* called after all others: a program goes on */
};

/* All zero: no link hangs on it. */
struct i915_bell {
	struct i915_link *first;
};

enum i915_fence_kind {
	I915_FENCE_REQUEST,
	I915_FENCE_SOFTWARE,
	I915_FENCE_ALL, /* of others */
};

struct i915_fence {
	unsigned refs;
	enum i915_fence_kind kind;
	bool signalled;
	int error; /* 0 or negative, once signalled */
	uint64_t signalled_ns;
	uint64_t id;              /* the GPU's; 0: it does not know it */
	uint64_t timeline, seqno; /* fences of a timeline signal in order */
	char name[32];            /* of the timeline */
	const char *driver;
	struct i915_bell bell;
	struct i915_part *parts; /* of ALL, while pending */
	size_t n_parts, n_pending;
	uint64_t visit;          /* of the last walk that met it */
	struct i915_fence *dead; /* next in the queue of those to be freed */
	void (*free)(struct i915 *dev, struct i915_fence *f); /* NULL: free() */
};

/* A growing list of fences; each is a reference. */
struct i915_fences {
	struct i915_fence **list;
	size_t n, cap;
};

void i915_bell_hang(struct i915_bell *bell, struct i915_link *link);
/* Takes the link off, whether it has rung or not; one that hangs nowhere too. */
void i915_link_cut(struct i915_link *link);
void i915_bell_ring(struct i915 *dev, struct i915_bell *bell);
/* Calls all links that have rung. */
void i915_drain(struct i915 *dev);

/* Sets a zeroed fence up, with one reference, on a timeline of its own. */
void i915_fence_init(
    struct i915 *dev, struct i915_fence *f, enum i915_fence_kind kind);
/* Returns a new software fence. */
struct i915_fence *i915_fence_new(struct i915 *dev);
/* Returns a new fence that has signalled. */
struct i915_fence *i915_fence_stub(struct i915 *dev);
/* Returns a fence that signals when all of n have, with the first error of the
 * list. It may be one of them. n 0: a stub. */
struct i915_fence *i915_fence_all(
    struct i915 *dev, struct i915_fence *const *list, size_t n);
/* Signals a pending fence. */
void i915_fence_signal(
    struct i915 *dev, struct i915_fence *f, uint64_t ns, int error);
/* Returns f. */
struct i915_fence *i915_fence_get(struct i915_fence *f);
/* NULL: does nothing. */
void i915_fence_put(struct i915 *dev, struct i915_fence *f);
/* Returns 1: signalled; 0: pending; negative: signalled with that error. */
int i915_fence_status(const struct i915_fence *f);

/* Adds the requests and software fences that f still waits for, f itself if it
 * is one. */
void i915_fence_leaves(
    struct i915 *dev, struct i915_fence *f, struct i915_fences *leaves);
/* The same of several, each leaf once. */
void i915_fences_leaves(struct i915 *dev, const struct i915_fences *fences,
    struct i915_fences *leaves);
/* Returns the GPU's number of a pending request or software fence. */
uint64_t i915_fence_id(struct i915 *dev, struct i915_fence *f);

/* Adds a new reference to f. */
void i915_fences_add(struct i915_fences *fences, struct i915_fence *f);
void i915_fences_free(struct i915 *dev, struct i915_fences *fences);

#endif
