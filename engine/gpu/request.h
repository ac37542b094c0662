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
struct edge;
struct fence;
struct instance;
struct noted;
struct op;
struct outside_request;
struct priolist_place;
struct request;
struct ring;
struct sim;

/* A wait of one owner (a request or a client) for one fence. It is in two
 * lists: the waiters of the fence, and the waits of the owner until all are
 * over. */
struct waiter {
	struct waiter *next_of_fence;
	struct waiter *next_of_owner;
	struct fence *fence; /* NULL: woken; its memory may be reused */
	void *owner;
	void (*wake)(struct waiter *w); /* called once, at the signal */
};

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
};

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
/* Adds w, whose wake and owner are set, to a fence that has not signalled. */
void fence_add_waiter(struct fence *f, struct waiter *w);
/* Removes w from its fence, which has not signalled. */
void fence_remove_waiter(struct waiter *w);
/* Signals f and wakes its waiters. A wake function must not signal f nor free
 * waiters of it. */
void fence_signal(struct fence *f, nsec now, int error);
/* Returns the request that f is part of; NULL: f is FENCE_SOFTWARE. */
struct request *fence_request(const struct fence *f);

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
	uint8_t row;         /* of a parallel step; else 0 */
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
	struct waiter *waits;
	union {
		struct {
			struct edge *edges; /* to all requests it waits for */
			uint64_t mark;      /* of a walk over the edges */
		};
		struct fence issued; /* drm initialises it */
	};
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
	engine_mask semaphores; /* engines whose requests' ends it polls for */
	struct request *watch_prev, *watch_next;
};

/* A reference to a request that may end meanwhile. */
struct request_ref {
	struct request *rq;
	uint64_t seq;
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
