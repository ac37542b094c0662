/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/gpu/request.h"

#include <errno.h>
#include <string.h>

struct request *
request_new(struct pool *pool, uint64_t seq)
{
	struct request *rq = pool_get(pool);

	memset(rq, 0, pool->size);
	rq->seq = seq;
	rq->piece_ns = NSEC_NEVER;
	fence_init(&rq->queued, FENCE_QUEUED);
	fence_init(&rq->scheduled, FENCE_SCHEDULED);
	fence_init(&rq->finished, FENCE_FINISHED);
	return rq;
}

void
request_release(struct pool *pool, struct request *rq)
{
	rq->seq = 0;
	pool_put(pool, rq);
}

void
request_set_error(struct request *rq, int error)
{
	rq = request_first_row(rq);
	if (rq->error != 0)
		return;
	for (; rq != NULL; rq = rq->next_row)
		rq->error = error;
}

void
request_fail(struct request *rq, int error)
{
	rq = request_first_row(rq);
	if (rq->error != 0)
		return;
	request_set_error(rq, error);
	for (; rq != NULL; rq = rq->next_row) {
		rq->infinite = false;
		/* The work done is all of its work. */
		rq->duration_ns = rq->work_ns;
	}
}

bool
request_error_is_fatal(int error)
{
	return error != 0 && error != -EAGAIN && error != -ETIMEDOUT;
}

void
waiter_release_all(struct pool *pool, struct waiter **waits)
{
	struct waiter *w = *waits;

	while (w != NULL) {
		struct waiter *next = w->next_of_owner;

		pool_put(pool, w);
		w = next;
	}
	*waits = NULL;
}
