/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A request: one submission of a batch. Lives in a pool of the simulation
 * from its submission until it has ended; who needs it later keeps a
 * request_ref, which tells whether it is still the same one.
 */
#ifndef ENGINE_GPU_REQUEST_H
#define ENGINE_GPU_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/nsec.h"
#include "engine/gpu/engine.h"

struct client;
struct fence;
struct context;
struct ring;
struct instance;
struct op;
struct edge;
struct noted;
struct priolist_place;

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

enum request_state {
	REQUEST_BLOCKED, /* waits for others */
	REQUEST_READY,   /* waits for an engine */
	REQUEST_RUNNING,
	REQUEST_ENDED,
};

struct request {
	struct request *next; /* of the pool while free; of work lists */
	struct request *next_of_ring; /* the one submitted after it */
	uint64_t seq; /* order of submission in the run, from 1 */
	struct client *client;
	struct context *context;
	struct ring *ring;
	struct instance *instance; /* what it was submitted from */
	const struct op *op;
	uint64_t iteration;
	uint32_t step;
	uint32_t preemptions;

	uint8_t state; /* enum request_state */
	bool is_virtual : 1;
	bool background : 1; /* its client is */
	bool infinite : 1;   /* until T */
	bool terminated : 1; /* T came: ends as soon as it has an engine */
	uint8_t row;         /* of a parallel step; else 0 */
	uint8_t karma;       /* drm: how often it hung */
	int16_t priority;    /* of its context at submission, or inherited */
	int16_t error;       /* -errno that it ends with (request_fail); 0 */

	struct hw_engine *engine; /* fixed; else where it was last, or NULL */
	engine_mask allowed;      /* where it may run */

	nsec submit_ns;
	nsec preempt_ns;  /* distance of its preemption points; 0: none */
	nsec duration_ns; /* as drawn, or what is left of it; infinite:
			     NSEC_NEVER */
	nsec piece_ns; /* its batch runs since then; NSEC_NEVER: it does not */
	nsec run_ns;   /* time that its batch ran, without this piece */
	nsec work_ns;  /* of its duration, done when its pace was set or its
			  last piece ended: see pace.h */

	struct fence queued;    /* its time is ready_ns */
	struct fence scheduled; /* start_ns */
	struct fence finished;  /* end_ns, and the error */

	uint32_t n_waits; /* fences that have not signalled yet */
	/* For schedulers that let requests wait on the engine, and raise
	 * others (dependency.h). */
	uint32_t n_unended; /* it can't run before these have ended */
	struct waiter *waits;
	union {
		struct {
			struct edge *edges; /* all that it waits for */
			uint64_t mark;      /* of a walk over the edges */
		};
		/* drm, which initialises it: it was put on a ring. */
		struct fence issued;
	};
	/* Of a parallel step (parallel.h). */
	struct request *next_row; /* the batch of the row after it */
	union {
		nsec finite_ns; /* in the first row: what T leaves of all */
		struct request *first_row; /* in the others */
	};
	uint64_t observer; /* for an observer's own use */

#ifdef GPUWL_INVARIANTS
	struct {
		struct request *before, *after; /* of all in flight */
		struct request *visit;          /* of a walk */
		uint64_t mark;                  /* of a walk */
		struct noted *waits;            /* as it was submitted */
		int16_t priority;               /* that it may have */
	} check;                                /* of invariants.c */
#endif
	/* Last, as they are there only where the scheduler has such queues
	 * (priolist.h), or a watchdog (watchdog.h). */
	struct priolist_place *places; /* in the queues of engines */
	nsec level_ns;                 /* when it came to its level */
	engine_mask semaphores;        /* for whose requests' ends it polls */
	struct request *watch_prev, *watch_next;
};

/* A reference that does not keep its request: see request_get. */
struct request_ref {
	struct request *rq;
	uint64_t seq;
};

static inline struct request_ref
request_ref(struct request *rq)
{
	return (struct request_ref){rq, rq->seq};
}

/* The request while it has not ended, else NULL. */
static inline struct request *
request_get(struct request_ref ref)
{
	return ref.rq != NULL && ref.rq->seq == ref.seq ? ref.rq : NULL;
}

/* The request itself; but of a parallel step the first row's, which the others
 * go along with. */
static inline struct request *
request_first_row(struct request *rq)
{
	return rq->row > 0 ? rq->first_row : rq;
}

/* It is to run soon. */
static inline void
request_prefetch(const struct request *rq)
{
	const char *at = (const char *)rq;

	for (size_t i = 0; i < sizeof *rq; i += 64)
		__builtin_prefetch(at + i, 1);
}

/* Zeroed, as much as there is of it, but for seq, its fences initialised. */
struct request *request_new(struct pool *pool, uint64_t seq);
/* References to rq are stale from here on. */
void request_release(struct pool *pool, struct request *rq);

/*
 * rq, whose batch does not run now, has an error (-errno): its payload is
 * skipped. It keeps its place, and when it has an engine it runs 0 ns more.
 * The first error stays.
 */
void request_fail(struct request *rq, int error);
/* No more than that: it has the error. */
void request_set_error(struct request *rq, int error);
/* Do those that wait for the end of a request with this error get it too?
 * Not -EAGAIN and -ETIMEDOUT (doc/model/hangs.md "Errors travel"). */
bool request_error_is_fatal(int error);

/* Gives back a whole list of waits of one owner. */
void waiter_release_all(struct pool *pool, struct waiter **waits);

/*
 * A buffer object's reservation: who wrote it last and who reads since. The
 * rule between any two batches (doc/model/common.md "Objects"): a reader waits
 * for the last writer, a writer for the last writer and every reader since.
 */

struct object {
	struct request_ref writer;
	/* Most objects have one reader at most. */
	union {
		struct request_ref one; /* log_cap is 0 */
		struct request_ref *many;
	} readers;
	uint32_t n_readers;
	uint8_t log_cap;     /* room for 1 << log_cap readers */
	int8_t first_engine; /* where the last writer first started; -1 */
};

/* The i-th of n_readers. */
static inline struct request_ref
object_reader(const struct object *o, uint32_t i)
{
	return o->log_cap == 0 ? o->readers.one : o->readers.many[i];
}

/* Frees what it holds, not itself. */
void object_free(struct object *o);
/* Notes rq as reader, or as the writer (readers are forgotten). */
void object_add_reader(struct object *o, struct request *rq);
void object_set_writer(struct object *o, struct request *rq);

#endif
