/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one thing that everything waits on: the end or start of a request, a
 * software fence. A fence signals once (until it is reset by its owner) and
 * keeps when, and with what error.
 */
#ifndef ENGINE_GPU_FENCE_H
#define ENGINE_GPU_FENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"

struct fence;
struct request;

/* A wait of one owner (a request, a client) on one fence. Two lists: of the
 * fence's waiters, and of the owner's waits (kept until the owner has all). */
struct waiter {
	struct waiter *next_of_fence;
	struct waiter *next_of_owner;
	struct fence *fence; /* NULL: woken; it may be another's by now */
	void *owner;
	void (*wake)(struct waiter *w); /* at the signal, once */
};

enum fence_kind {
	FENCE_QUEUED,    /* a request became ready */
	FENCE_ISSUED,    /* a request was put on a ring (drm) */
	FENCE_SCHEDULED, /* a request started */
	FENCE_FINISHED,  /* a request ended */
	FENCE_SOFTWARE,  /* a client's f */
};

struct fence {
	union {
		struct waiter *waiters; /* until it signals; the latest first:
					   nothing may depend on the order in
					   which waiters are woken */
		nsec time;              /* of the signal, from then on */
	};
	int16_t error; /* 0 or -errno */
	uint8_t kind;  /* enum fence_kind */
	bool signalled;
};

void fence_init(struct fence *f, enum fence_kind kind);
static inline bool
fence_signalled(const struct fence *f)
{
	return f->signalled;
}
/* Of the signal; NSEC_NEVER before. */
static inline nsec
fence_time(const struct fence *f)
{
	return f->signalled ? f->time : NSEC_NEVER;
}
/* The first that waits for it, linked by next_of_fence; NULL: nobody. */
static inline struct waiter *
fence_waiters(const struct fence *f)
{
	return f->signalled ? NULL : f->waiters;
}
/* Adds w (its wake and owner set); only while not signalled. */
void fence_add_waiter(struct fence *f, struct waiter *w);
/* It waits no more; only while its fence has not signalled. */
void fence_remove_waiter(struct waiter *w);
/* Signals, and wakes all waiters. A wake must not signal this fence
 * nor free waiters of it. */
void fence_signal(struct fence *f, nsec now, int error);
/* The request that a fence of kind QUEUED..FINISHED is part of. */
struct request *fence_request(const struct fence *f);

#endif
