/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See hold.h. */
#include "engine/explain/blocked_on.h"

#include "engine/sched/dependency.h"
#include "engine/sim.h"

const struct fence *
hold_first(const struct waiter *w)
{
	while (w != NULL && w->fence == NULL)
		w = w->next_of_owner;
	return w != NULL ? w->fence : NULL;
}

/* Which f step a software fence that rq waits for is of. */
static uint32_t
step_of_fence(const struct request *rq, const struct fence *f)
{
	const struct op_batch *batch = &rq->op->batch;
	uint32_t index = (uint32_t)(f - rq->image->fences);

	for (uint32_t i = 0; i < batch->n_fences; i++)
		if (batch->fences[i].software &&
		    batch->fences[i].fence == index)
			return batch->fences[i].step;
	return rq->step;
}

static struct hold
blocked(const struct request *rq)
{
	const struct fence *f = hold_first(rq->waits);
	struct hold hold = {HOLD_NOTHING, NULL, 0, NULL};

	if (f == NULL)
		return hold;
	hold.by = fence_request(f);
	hold.kind = f->kind == FENCE_SCHEDULED || f->kind == FENCE_ISSUED
	    ? HOLD_START
	    : HOLD_END;
	if (hold.by == NULL) {
		hold.kind = HOLD_SOFTWARE;
		hold.step = step_of_fence(rq, f);
	}
	return hold;
}

static const struct request *
holder_of(const struct sim *sim, const struct request *rq)
{
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		const struct hw_engine *e =
		    &sim->device.engines[__builtin_ctzll(m)];

		if (e->running != NULL)
			return e->running;
		if (e->kept_for != NULL && e->kept_for != rq)
			return e->kept_for;
	}
	return NULL;
}

/* Is any engine that it may take being reset? */
static bool
is_reset(const struct sim *sim, const struct request *rq)
{
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		if (sim->device.engines[__builtin_ctzll(m)].resetting)
			return true;
	}
	return false;
}

static struct hold
ready(const struct sim *sim, const struct request *rq)
{
	const struct sched_ops *sched = sim->config.sched;
	struct hold hold = {HOLD_NOTHING, NULL, 0, NULL};

	if (sched->held_up != NULL)
		hold.why = sched->held_up(sim, rq);
	if (hold.why != NULL) {
		hold.kind = HOLD_SCHEDULER;
		return hold;
	}
	hold.by = holder_of(sim, rq);
	if (hold.by != NULL)
		hold.kind = HOLD_ENGINE;
	else if (is_reset(sim, rq))
		hold.kind = HOLD_RESET;
	return hold;
}

static struct hold
polls(const struct request *rq)
{
	struct hold hold = {HOLD_SEMAPHORE, NULL, 0, NULL};

	for (const struct edge *e = rq->edges; e != NULL; e = e->next) {
		hold.by = e->weak ? NULL : edge_signaler(e);
		if (hold.by != NULL)
			return hold;
	}
	return hold;
}

struct hold
hold_of(const struct sim *sim, const struct request *rq)
{
	switch (rq->state) {
	case REQUEST_BLOCKED: return blocked(rq);
	case REQUEST_READY: return ready(sim, rq);
	case REQUEST_RUNNING:
		if (rq->n_unended > 0)
			return polls(rq);
		break;
	default: break;
	}
	return (struct hold){HOLD_NOTHING, NULL, 0, NULL};
}
