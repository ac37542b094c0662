/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client that does not wait walks far ahead of its requests: what counts as
 * done is what has ended. The requests of a ring end in order, so the first
 * of each ring tells the oldest iteration that is not over.
 */
#include "engine/iterations.h"

#include <assert.h>

#include "engine/sim.h"

void
iterations_submitted(struct request *rq)
{
	struct ring *ring = rq->ring;
	struct request *before = request_get(ring->last);

	if (before != NULL)
		before->next_of_ring = rq;
	else
		ring->first = rq;
}

static void
update(struct client *c)
{
	uint64_t over = c->iteration;

	for (uint32_t i = 0; i < c->n_rings; i++) {
		const struct request *first = c->rings[i]->first;

		if (first != NULL && first->iteration < over)
			over = first->iteration;
	}
	c->sim->n_iterations += over - c->completed;
	c->completed = over;
}

void
iterations_ended(struct request *rq)
{
	assert(rq->ring->first == rq);
	rq->ring->first = rq->next_of_ring;
	if (rq->iteration == rq->client->completed)
		update(rq->client);
}

void
iterations_walked(struct client *c)
{
	if (c->in_flight == 0 || c->completed + 1 == c->iteration)
		update(c);
}
