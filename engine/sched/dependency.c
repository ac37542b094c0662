/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/dependency.h"

#include "engine/sim.h"

void
edge_add(
    struct sim *sim, struct request *rq, struct request *signaler, bool weak)
{
	struct edge *edge = pool_get(&sim->edges);

	edge->rq = signaler;
	edge->seq = signaler->seq;
	edge->weak = weak;
	edge->next = rq->edges;
	rq->edges = edge;
}

void
edge_release_all(struct sim *sim, struct request *rq)
{
	struct edge *edge = rq->edges;

	while (edge != NULL) {
		struct edge *next = edge->next;

		pool_put(&sim->edges, edge);
		edge = next;
	}
	rq->edges = NULL;
}

/*
 * One that is high enough already needs no visit: what it waits for was raised
 * with it. The list of those still to visit is linked through next, which is
 * free in requests that neither start nor end now.
 */
void
dependency_raise(struct sim *sim, struct request *rq, bool through_started,
    void (*raised)(struct sim *sim, struct request *rq))
{
	int16_t priority = rq->priority;
	struct request *visit = rq;

	rq->next = NULL;
	while (visit != NULL) {
		struct request *at = visit;

		visit = at->next;
		for (struct edge *e = at->edges; e != NULL; e = e->next) {
			struct request *signaler = edge_signaler(e);

			if (signaler == NULL || signaler->priority >= priority)
				continue;
			signaler->priority = priority;
			raised(sim, signaler);
			if (!through_started &&
			    fence_signalled(&signaler->scheduled))
				continue;
			signaler->next = visit;
			visit = signaler;
		}
	}
}
