/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/guc_check.h"

#ifdef GPUWL_INVARIANTS

#include "engine/check/invariants.h"
#include "engine/client/image.h"
#include "engine/sched/guc_queue.h"
#include "engine/sched/parallel.h"
#include "engine/sim.h"

static engine_mask
bit(unsigned engine)
{
	return (engine_mask)1 << engine;
}

/* Is all of a set free, e among it, and none of it kept for another? */
static bool
can_have_set(const struct sim *sim, const struct request *rq, engine_mask set)
{
	for (; set != 0; set &= set - 1) {
		const struct hw_engine *e =
		    &sim->device.engines[guc_first(set)];

		if (!hw_engine_is_free(e) ||
		    (e->kept_for != NULL && e->kept_for != rq))
			return false;
	}
	return true;
}

bool
guc_may_idle(
    const struct sim *sim, const struct request *rq, const struct hw_engine *e)
{
	const struct context_def *def = image_context(rq);
	const struct guc_queue *q = rq->ring->sched_data;

	if (q->state == GUC_REGISTERS)
		return true;
	/* A queue runs its requests one after the other. */
	if (rq->ring->first != rq)
		return true;
	if (def->n_rows == 0)
		return e->kept_for != NULL;
	for (unsigned j = 0; j < def->n_siblings; j++) {
		if (can_have_set(sim, rq, parallel_set(def, j)))
			return false;
	}
	return true;
}

/* A queue that waits stands in the line of each engine that it may have, one
 * on engines owns them. */
static void
check_queue(const struct sim *sim, const struct guc_queue *q)
{
	const struct guc *guc = sim->sched_data;
	const struct request *first = q->ring->first;
	engine_mask stands = 0, owned = 0;
	uint32_t n = 0;

	for (const struct request *rq = first; rq != NULL;
	     rq = rq->next_of_ring)
		n += rq->state == REQUEST_READY || rq->state == REQUEST_RUNNING;
	for (const struct guc_stand *s = q->stands; s != NULL;
	     s = s->next_of_queue)
		stands |= bit(guc_stand_engine(s));
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		if (guc->engines[i].owner == q)
			owned |= bit(i);
	}
	if (n != q->n_ready)
		invariants_broken(sim, first,
		    "its queue has %u handed over, %u found", q->n_ready, n);
	if (owned != q->on || (owned != 0) != (q->state == GUC_ON_ENGINE))
		invariants_broken(
		    sim, first, "its queue is on engines that others have");
	if ((n == 0) != (q->state == GUC_IDLE) ||
	    stands != (q->state == GUC_WAITS ? first->allowed : 0))
		invariants_broken(
		    sim, first, "its queue does not wait where it should");
	if (n > 0 && q->band != first->priority)
		invariants_broken(sim, first,
		    "its queue is in band %d, and it in %d", q->band,
		    first->priority);
}

/* The next one of a heap, each after what it stands below; NULL: no more. */
static const struct guc_stand *
next_of_heap(const struct guc_stand *s)
{
	if (s->child != NULL)
		return s->child;
	while (s != NULL && s->next == NULL) {
		while (s->prev != NULL && s->prev->child != s)
			s = s->prev;
		s = s->prev; /* its parent */
	}
	return s != NULL ? s->next : NULL;
}

static void
check_stand(const struct sim *sim, const struct guc_stand *s, unsigned i)
{
	const struct guc *guc = sim->sched_data;
	const struct guc_queue *q = s->queue;

	if (q->state != GUC_WAITS ||
	    s->key != guc_stand_key(q->band, q->place, i))
		invariants_broken(sim, q->ring->first,
		    "its queue stands wrongly in the line of %s",
		    sim->device.engines[i].name);
	if (s->key < guc->engines[i].line.first->key)
		invariants_broken(
		    sim, q->ring->first, "its queue is not the first");
}

static void
check_list(const struct sim *sim, const struct guc_stand *s, unsigned i)
{
	for (; s != NULL; s = s->next) {
		check_stand(sim, s, i);
		if (s->next != NULL && s->next->key < s->key)
			invariants_broken(sim, s->queue->ring->first,
			    "its queue stands before a better one");
	}
}

static void
check_heap(const struct sim *sim, const struct guc_stand *s, unsigned i)
{
	for (; s != NULL; s = next_of_heap(s)) {
		check_stand(sim, s, i);
		for (const struct guc_stand *below = s->child; below != NULL;
		     below = below->next) {
			if (below->key < s->key)
				invariants_broken(sim, s->queue->ring->first,
				    "its queue stands before a better one");
		}
	}
}

static void
check_line(const struct sim *sim, unsigned i)
{
	const struct guc *guc = sim->sched_data;
	const struct guc_line *line = &guc->engines[i].line;

	for (unsigned band = 0; band < GUC_BANDS; band++)
		check_list(sim, line->lists[band].first, i);
	check_heap(sim, line->heap, i);
}

static void
check_engine(const struct sim *sim, unsigned i)
{
	const struct guc *guc = sim->sched_data;
	const struct guc_engine *engine = &guc->engines[i];
	const struct request *rq = sim->device.engines[i].running;

	if ((engine->owner != NULL) != ((guc->owned & bit(i)) != 0) ||
	    (engine->line.first != NULL) != ((guc->waited_for & bit(i)) != 0))
		invariants_broken(sim, rq, "GuC has forgotten who has %s",
		    sim->device.engines[i].name);
	if (engine->owner != NULL
		? rq == NULL || rq->ring->sched_data != engine->owner
		: rq != NULL)
		invariants_broken(sim, rq,
		    "%s runs what is not of the queue that is on it",
		    sim->device.engines[i].name);
	check_line(sim, i);
}

void
guc_check(const struct sim *sim)
{
	const struct guc *guc = sim->sched_data;

	for (unsigned i = 0; i < sim->device.n_engines; i++)
		check_engine(sim, i);
	for (const struct request *rq = sim->invariants->first; rq != NULL;
	     rq = rq->check.after) {
		if (rq->row == 0 && rq->ring->first == rq)
			check_queue(sim, rq->ring->sched_data);
	}
	if (guc->between != 0 || guc->n_ready > 0 || guc->n_raised > 0)
		invariants_broken(sim, NULL,
		    "GuC has something left to do when an instant is over");
}

#endif
