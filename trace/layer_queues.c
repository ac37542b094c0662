/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queues of a session, one per ring. They are found by the ring's address, which
 * differs from run to run, so that they are reported and freed in the order of their
 * numbers: freeing a queue with an open render pass sends messages.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/layer_private.h"

#define SWEEP_LEAST 1024 /* queues */

struct play_queue *
layer_queues_find(const struct layer_queues *queues, const struct ring *ring)
{
	struct chain_node *node = chains_find(&queues->by_ring, ring, 0);

	return node != NULL ? &((struct layer_queue *)(void *)node)->queue
			    : NULL;
}

static void
queues_sweep(struct layer_queues *queues, bool all)
{
	struct layer_queue **at = &queues->first;

	while (*at != NULL) {
		struct layer_queue *q = *at;
		const struct ring *ring = q->node.p;

		if (!all && ring->context->client->state != CLIENT_ENDED) {
			at = &q->next;
			continue;
		}
		*at = q->next;
		chains_remove(&queues->by_ring, &q->node);
		play_queue_free(&q->queue);
		free(q);
	}
	queues->end = at;
}

struct play_queue *
layer_queues_add(struct layer_queues *queues, const struct ring *ring)
{
	struct layer_queue *q = mem_calloc(1, sizeof(*q));

	if (queues->by_ring.n >= SWEEP_LEAST &&
	    queues->by_ring.n >= queues->sweep_at) {
		queues_sweep(queues, false);
		queues->sweep_at = 2 * queues->by_ring.n;
	}
	q->node.p = ring;
	chains_add(&queues->by_ring, &q->node);
	if (queues->first == NULL)
		queues->end = &queues->first;
	*queues->end = q;
	queues->end = &q->next;
	return &q->queue;
}

void
layer_queues_free(struct layer_queues *queues)
{
	queues_sweep(queues, true);
	chains_free(&queues->by_ring);
}
