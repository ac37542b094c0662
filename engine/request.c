/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/request.h"

#include <stdlib.h>
#include <string.h>

#include "parser/mem.h"

#define SLAB_REQUESTS 64
#define SLAB_WAITERS  256

void
request_pool_free(struct request_pool *pool)
{
	for (size_t i = 0; i < pool->n_slabs; i++)
		free(pool->slabs[i]);
	free(pool->slabs);
	*pool = (struct request_pool){0};
}

static void *
add_slab(struct request_pool *pool, size_t n, size_t size)
{
	void *slab = mem_calloc(n, size);

	pool->slabs = mem_grow(
	    pool->slabs, pool->n_slabs, &pool->cap_slabs, sizeof *pool->slabs);
	pool->slabs[pool->n_slabs++] = slab;
	return slab;
}

static void
more_requests(struct request_pool *pool)
{
	struct request *slab = add_slab(
	    pool, SLAB_REQUESTS, sizeof(struct request));

	for (unsigned i = SLAB_REQUESTS; i-- > 0;) {
		slab[i].next = pool->free_requests;
		pool->free_requests = &slab[i];
	}
}

static void
more_waiters(struct request_pool *pool)
{
	struct waiter *slab = add_slab(
	    pool, SLAB_WAITERS, sizeof(struct waiter));

	for (unsigned i = SLAB_WAITERS; i-- > 0;) {
		slab[i].next_of_owner = pool->free_waiters;
		pool->free_waiters = &slab[i];
	}
}

struct request *
request_alloc(struct request_pool *pool, uint64_t seq)
{
	if (pool->free_requests == NULL)
		more_requests(pool);

	struct request *rq = pool->free_requests;

	pool->free_requests = rq->next;
	memset(rq, 0, sizeof *rq);
	rq->seq = seq;
	fence_init(&rq->queued, FENCE_QUEUED);
	fence_init(&rq->scheduled, FENCE_SCHEDULED);
	fence_init(&rq->finished, FENCE_FINISHED);
	return rq;
}

void
request_release(struct request_pool *pool, struct request *rq)
{
	rq->seq = 0;
	rq->next = pool->free_requests;
	pool->free_requests = rq;
}

struct waiter *
waiter_alloc(struct request_pool *pool)
{
	if (pool->free_waiters == NULL)
		more_waiters(pool);

	struct waiter *w = pool->free_waiters;

	pool->free_waiters = w->next_of_owner;
	return w;
}

void
waiter_release_all(struct request_pool *pool, struct waiter **waits)
{
	struct waiter *w = *waits;

	while (w != NULL) {
		struct waiter *next = w->next_of_owner;

		w->next_of_owner = pool->free_waiters;
		pool->free_waiters = w;
		w = next;
	}
	*waits = NULL;
}
