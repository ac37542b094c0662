/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client that does not wait walks far ahead of its requests: what counts as
 * done is what has ended. The requests of a ring end in order, so the first
 * of each ring tells the oldest iteration that is not over. That is looked for
 * only when its last request has ended: a client may have many rings.
 */
#include "engine/client/iterations.h"

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
	if (rq->iteration == rq->client->completed)
		rq->client->n_oldest++;
}

/* Requests of a ring that are of an iteration, which has none before it. */
static uint32_t
count_oldest(const struct ring *ring, uint64_t iteration)
{
	const struct request *rq = ring->first;
	uint32_t n = 0;

	for (; rq != NULL && rq->iteration == iteration; rq = rq->next_of_ring)
		n++;
	return n;
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
	c->n_oldest = 0;
	for (uint32_t i = 0; i < c->n_rings; i++)
		c->n_oldest += count_oldest(c->rings[i], over);
	c->sim->n_iterations += over - c->completed;
	c->completed = over;
}

void
iterations_ended(struct request *rq)
{
	struct client *c = rq->client;

	assert(rq->ring->first == rq);
	rq->ring->first = rq->next_of_ring;
	if (rq->iteration == c->completed && --c->n_oldest == 0 &&
	    c->completed < c->iteration)
		update(c);
}

void
iterations_walked(struct client *c)
{
	if (c->n_oldest == 0)
		update(c);
}
