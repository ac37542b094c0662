/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests, one for each submission of a batch, with the fences that requests
 * and clients wait for, and the objects from which dependencies follow.
 *
 * A request is in a pool of the simulation from its submission to its end. To
 * refer to it for longer, keep a request_ref: it tells when the request is
 * gone.
 */
#ifndef ENGINE_GPU_REQUEST_H
#define ENGINE_GPU_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/region.h"
#include "engine/gpu/engine.h"

struct client;
struct context;
struct fence;
struct follow_request;
struct instance;
struct noted;
struct op;
struct outside_request;
struct priolist_place;
struct request;
struct ring;
struct sim;

/* A reference to a request that may end meanwhile. */
struct request_ref {
	struct request *rq;
	uint64_t seq;
};

/* How a wait goes on when its fence signals: it is over, but for WAKE_START. */
enum wake_kind {
	WAKE_REQUEST, /* of a request, before it is ready */
	WAKE_BONDED,  /* the same, and its bonds then restrict its engines */
	WAKE_START,   /* the same, but goes on with the end of that request */
	WAKE_END,     /* of a request's batch, for the end of another request */
	WAKE_HELD,    /* of a request, before a real device has it (follow/) */
	WAKE_WALKER,  /* of a client */
	N_WAKE_KINDS,
};

/*
 * A wait of one owner (a request or a client) for one fence. It is in two
 * lists: the waiters of the fence until that signals, and the waits of the
 * owner.
 */
struct waiter {
	struct waiter *next_of_owner;
	struct fence *fence; /* NULL: the wait is over; its memory may be
				reused */
	union {
		struct {
			struct waiter *next_of_fence;
			uintptr_t owner; /* its address and enum wake_kind */
		};
		/* Once a request's wait is over: the request that it was for,
		 * if that has only started; else all zero. */
		struct request_ref signaler;
	};
}; /* 32 bytes, of which clients have dozens */

#define WAKE_KINDS ((uintptr_t)7) /* bits that are 0 in the owner's address */

/* Sets the owner of w. */
static inline void
waiter_set(struct waiter *w, enum wake_kind kind, void *owner)
{
	w->owner = (uintptr_t)owner | kind;
}

/* Return the owner of w, a client's if its kind is WAKE_WALKER, and the kind. w
 * is not over. */
static inline void *
waiter_owner(const struct waiter *w)
{
	return (void *)(w->owner & ~WAKE_KINDS);
}

static inline enum wake_kind
waiter_kind(const struct waiter *w)
{
	return (enum wake_kind)(w->owner & WAKE_KINDS);
}

enum fence_kind {
	FENCE_QUEUED,    /* a request is ready */
	FENCE_ISSUED,    /* a request was put on a ring (drm) */
	FENCE_SCHEDULED, /* a request started */
	FENCE_FINISHED,  /* a request ended */
	FENCE_SOFTWARE,  /* an f step of a client */
};

/* A fence signals once, until its owner resets it, and keeps the time and the
 * error of the signal. */
struct fence {
	union {
		struct waiter *waiters; /* before the signal, latest first;
					   nothing may depend on the order in
					   which they are woken */
		nsec time;              /* of the signal */
	};
	int16_t error; /* 0 or -errno */
	uint8_t kind;  /* enum fence_kind */
	bool signalled;
} __attribute__((packed, aligned(4))); /* 12 bytes; a request has three */

/* Makes f a fence that has not signalled and has no waiters. */
void fence_init(struct fence *f, enum fence_kind kind);
static inline bool
fence_signalled(const struct fence *f)
{
	return f->signalled;
}
/* Returns the time of the signal; NSEC_NEVER before it. */
static inline nsec
fence_time(const struct fence *f)
{
	return f->signalled ? f->time : NSEC_NEVER;
}
/* Returns the first waiter, linked by next_of_fence; NULL: none. */
static inline struct waiter *
fence_waiters(const struct fence *f)
{
	return f->signalled ? NULL : f->waiters;
}
/* Adds w, whose owner is set, to a fence that has not signalled. */
void fence_add_waiter(struct fence *f, struct waiter *w);
/* Removes w from its fence, which has not signalled. */
void fence_remove_waiter(struct waiter *w);
/* Signals f and wakes its waiters. */
void fence_signal(struct fence *f, nsec now, int error);

enum request_state {
	REQUEST_BLOCKED, /* waits for other requests or fences */
	REQUEST_READY,   /* waits for an engine */
	REQUEST_RUNNING,
	REQUEST_ENDED,
};

/*
 * The origin of a request: a step of a program, or a submission from outside.
 * Only code that knows programs reads the instance and the step's op
 * (client/origin.h).
 */
struct request_origin {
	struct instance *instance; /* of the program; NULL: from outside */
	union {
		const struct op *op;             /* the step */
		struct outside_request *outside; /* of instance NULL */
	};
	uint64_t iteration; /* from outside: 0 */
	uint32_t step; /* index; from outside: counts its client's submissions,
			  from 0 */
} __attribute__((packed, aligned(4))); /* saves 8 bytes of each request */

struct request {
	struct request *next;         /* in work lists */
	struct request *next_of_ring; /* submitted after it */
	uint64_t seq; /* order of submission in the run, from 1 */
	struct client *client;
	struct context *context;
	struct ring *ring;
	struct request_origin origin;
	uint32_t preemptions;

	uint8_t state; /* enum request_state */
	bool is_virtual : 1;
	bool background : 1; /* of a background client */
	bool infinite : 1;   /* until T */
	bool terminated : 1; /* by T: ends as soon as it has an engine */
	bool asks : 1;       /* from outside: its owner says how it goes on,
				each time that its work is done */
	bool asked : 1;      /* its owner has, since its beginning */
	bool guilty : 1;     /* ends by a reset for which it is guilty */
	bool deferred : 1;   /* execlists: its followers are to be moved */
	uint8_t row : 6;     /* of a parallel step; else 0 */
	bool gave_up : 1;    /* waiting for a software fence: too long */
	bool visited : 1;    /* by a walk over requests */
	uint8_t karma;       /* drm: number of its hangs */
	int16_t priority;    /* of its context at submission, or inherited */
	int16_t error;       /* -errno that it ends with, or 0 */

	struct hw_engine *engine; /* fixed; virtual: the last one, or NULL */
	engine_mask allowed;      /* where it may run */

	nsec submit_ns;
	nsec preempt_ns;  /* distance of its preemption points; 0: none */
	nsec duration_ns; /* all of its work; NSEC_NEVER: infinite */
	nsec piece_ns; /* when its batch began or resumed; NSEC_NEVER: it does
			  not run */
	nsec run_ns;   /* time that its batch ran before that */
	nsec work_ns;  /* work done up to the last change of pace, or the end
			  of its last piece (pace.h) */

	struct fence queued;    /* when it became ready */
	struct fence scheduled; /* when it started */
	struct fence finished;  /* when it ended, and its error */

	uint32_t n_waits; /* fences that have not signalled yet */
	/* For schedulers whose requests wait on the engine, or inherit
	 * priorities (sched/dependency.h). */
	uint32_t n_unended; /* requests that must end before it can run */
	union {
		/* Engines whose requests' ends it polls for. */
		engine_mask semaphores;
		struct fence issued;             /* drm initialises it */
		struct follow_request *followed; /* engine/follow */
	} __attribute__((packed, aligned(4)));
	struct waiter *waits; /* without those that are over once it is ready */
	/* Links the rows of a parallel step (sched/parallel.h). */
	struct request *next_row; /* the batch of the row after it */
	union {
		nsec finite_ns; /* first row: the longest finite row's work */
		struct request *first_row; /* the other rows */
	};
	uint64_t observer; /* not used by the engine: one observer owns it */

#ifdef GPUWL_INVARIANTS
	struct {
		struct request *before, *after; /* of all in flight */
		struct request *visit;          /* of a walk */
		uint64_t mark;                  /* of a walk */
		struct noted *waits;            /* as it was submitted */
		int16_t priority;               /* that it may have */
	} check;                                /* private to invariants/ */
#endif
	/* Members that may have no memory (request.c): for priority queues
	 * (sched/priolist.h), then for the request timeout. */
	struct priolist_place *places; /* in the queues of engines */
	nsec level_ns;                 /* when it came to its priority level */
	struct request *watch_prev, *watch_next;
};

static inline struct request_ref
request_ref(struct request *rq)
{
	return (struct request_ref){rq, rq->seq};
}

/* Returns the request; NULL: it has ended. */
static inline struct request *
request_get(struct request_ref ref)
{
	return ref.rq != NULL && ref.rq->seq == ref.seq ? ref.rq : NULL;
}

/* Returns the request that f is part of; NULL: f is FENCE_SOFTWARE. */
static inline struct request *
fence_request(const struct fence *f)
{
	static const size_t offsets[] = {
	    [FENCE_QUEUED] = offsetof(struct request, queued),
	    [FENCE_ISSUED] = offsetof(struct request, issued),
	    [FENCE_SCHEDULED] = offsetof(struct request, scheduled),
	    [FENCE_FINISHED] = offsetof(struct request, finished),
	};

	if (f->kind == FENCE_SOFTWARE)
		return NULL;
	return (
	    struct request *)(void *)((char *)(uintptr_t)f - offsets[f->kind]);
}

/* Returns the request that w, of a request, is for; NULL: that has ended, or w
 * is for a software fence. */
static inline struct request *
waiter_signaler(const struct waiter *w)
{
	return w->fence != NULL ? fence_request(w->fence)
				: request_get(w->signaler);
}

/* Returns the first row of a parallel step, which leads the others; any other
 * request itself. */
static inline struct request *
request_first_row(struct request *rq)
{
	return rq->row > 0 ? rq->first_row : rq;
}

/* Returns true if rq, which is on an engine, polls there: for the end of another
 * request before its batch begins, or its batch for memory. */
static inline bool
request_polls(const struct request *rq)
{
	return rq->piece_ns != NSEC_NEVER ? rq->engine->poll_since != NSEC_NEVER
					  : rq->n_unended > 0;
}

/* Fetches a request that is to run soon into the cache. */
static inline void
request_prefetch(const struct request *rq)
{
	const char *at = (const char *)rq;

	for (size_t i = 0; i < sizeof *rq; i += 64)
		__builtin_prefetch(at + i, 1);
}

/* Prepares sim->requests, the pool, for the scheduler and profile of the
 * simulation. */
void request_init_pool(struct sim *sim);
/* Returns a request with the next seq and new fences; all other members are
 * zero. */
struct request *request_new(struct sim *sim);
/* Returns rq to the pool; request_get() returns NULL for references to it. Only
 * its seq may be read from then on, which builds with sanitizers check. */
void request_release(struct sim *sim, struct request *rq);

/*
 * Gives rq, whose batch does not run, an error (-errno): its payload is
 * skipped. It keeps its place, and runs 0 ns more when it has an engine. Does
 * nothing if rq has an error already.
 */
void request_fail(struct request *rq, int error);
/* Only sets the error of rq, all rows included, unless it has one. */
void request_set_error(struct request *rq, int error);
/* Returns true for an error that requests inherit from one that they wait for:
 * all but -EAGAIN and -ETIMEDOUT (doc/model/hangs.md "Errors travel"). */
bool request_error_is_fatal(int error);

/* Wakes the owner of w, whose fence signals. Must not signal that fence nor free
 * other waiters of it. For fence_signal(), and tests. */
void waiter_wake(struct waiter *w);
/* Frees a list of waits of one owner and sets it to NULL. */
void waiter_release_all(struct pool *pool, struct waiter **waits);

/*
 * The reservation of a buffer object: its last writer and the readers since
 * (doc/model/common.md "Objects"). A reader waits for the last writer, a writer
 * for the last writer and all readers since.
 */
struct object {
	struct request_ref writer;
	/* Most objects have one reader at most. */
	union {
		struct request_ref one; /* if log_cap is 0 */
		struct request_ref *many;
	} readers;
	uint32_t n_readers;
	uint8_t log_cap;     /* room for 1 << log_cap readers */
	int8_t first_engine; /* where the last writer first started; -1: none */
};

/* Returns reader i of n_readers. */
static inline struct request_ref
object_reader(const struct object *o, uint32_t i)
{
	return o->log_cap == 0 ? o->readers.one : o->readers.many[i];
}

/* Frees the list of readers, not the object. */
void object_free(struct object *o);
/* Adds rq to the readers since the last writer. */
void object_add_reader(struct object *o, struct request *rq);
/* Makes rq the writer; there are no readers since. */
void object_set_writer(struct object *o, struct request *rq);

#endif
