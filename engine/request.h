/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A request: one submission of a batch. Lives in a pool of the simulation
 * from its submission until it has ended; who needs it later keeps a
 * request_ref, which tells whether it is still the same one.
 */
#ifndef ENGINE_REQUEST_H
#define ENGINE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/fence.h"
#include "engine/hw_engine.h"
#include "engine/nsec.h"

struct client;
struct context;
struct ring;
struct op;

enum request_state {
	REQUEST_BLOCKED, /* waits for others */
	REQUEST_READY,   /* waits for an engine */
	REQUEST_RUNNING,
	REQUEST_ENDED,
};

struct request {
	uint64_t seq; /* order of submission in the run, from 1 */
	struct client *client;
	struct context *context;
	struct ring *ring;
	const struct op *op;
	uint32_t step;
	uint32_t row; /* of a parallel step; else 0 */
	uint64_t iteration;

	uint8_t state; /* enum request_state */
	bool is_virtual;
	bool infinite;   /* until T */
	bool terminated; /* T came: ends as soon as it has an engine */
	int16_t priority;

	struct hw_engine *engine; /* fixed; else where it was last, or NULL */
	engine_mask allowed;      /* where it may run */

	nsec submit_ns;
	nsec duration_ns; /* as drawn; infinite: NSEC_NEVER */
	nsec taken_ns;    /* when it got its engine, costs included */
	nsec run_ns;      /* time on the engine */
	uint32_t preemptions;

	struct fence queued;    /* its time is ready_ns */
	struct fence scheduled; /* start_ns */
	struct fence finished;  /* end_ns, and the error */

	uint32_t n_waits; /* fences that have not signalled yet */
	struct waiter *waits;
	struct request *next; /* free list; work lists */
	uint64_t observer;    /* for an observer's own use */
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

/*
 * Requests and waits come from pools that grow and are freed at the end only,
 * so that a stale request_ref can always be looked at.
 */
struct request_pool {
	struct request *free_requests;
	struct waiter *free_waiters;
	void **slabs;
	size_t n_slabs, cap_slabs;
};

void request_pool_free(struct request_pool *pool);
/* Zeroed but for seq, its fences initialised. */
struct request *request_alloc(struct request_pool *pool, uint64_t seq);
/* References to rq are stale from here on. */
void request_release(struct request_pool *pool, struct request *rq);

struct waiter *waiter_alloc(struct request_pool *pool);
/* Frees a whole list of waits of one owner. */
void waiter_release_all(struct request_pool *pool, struct waiter **waits);

#endif
