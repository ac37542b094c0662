/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parallel steps: makes the requests of the other rows, and has them follow the
 * first row's.
 */
#include "engine/sched/parallel.h"

#include "engine/client/origin.h"
#include "engine/gpu/exec.h"
#include "engine/sim.h"

/* Returns a request like the first row's, which waits for nothing yet. */
static struct request *
new_row(struct sim *sim, struct request *first, uint32_t row)
{
	struct request *rq = request_new(sim);

	rq->client = first->client;
	rq->context = first->context;
	rq->ring = first->ring;
	rq->origin = first->origin;
	rq->priority = first->priority;
	rq->submit_ns = first->submit_ns;
	rq->background = first->background;
	rq->is_virtual = first->is_virtual;
	rq->allowed = first->allowed;
	rq->row = (uint8_t)row;
	rq->first_row = first;
	return rq;
}

/* "All rows end together, when the longest has ended." finite_ns, which is the
 * duration after a T step, is that of the longest finite row. */
static void
set_durations(struct request *rq, const nsec *durations, uint32_t n)
{
	nsec longest = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (durations[i] > longest)
			longest = durations[i];
		if (durations[i] != NSEC_NEVER && durations[i] > rq->finite_ns)
			rq->finite_ns = durations[i];
	}
	for (; rq != NULL; rq = rq->next_row) {
		rq->duration_ns = longest;
		rq->infinite = longest == NSEC_NEVER;
	}
}

void
parallel_add_rows(struct sim *sim, struct request *rq, const nsec *durations)
{
	uint32_t n = request_slot(rq)->n_rows;
	struct request *last = rq;

	/* "Nothing takes it off before its end (X has no effect)." */
	rq->preempt_ns = 0;
	for (uint32_t row = 1; row < n; row++) {
		last->next_row = new_row(sim, rq, row);
		last = last->next_row;
	}
	set_durations(rq, durations, n);
}

void
parallel_ready(struct sim *sim, struct request *rq)
{
	for (rq = rq->next_row; rq != NULL; rq = rq->next_row) {
		rq->state = REQUEST_READY;
		fence_signal(&rq->queued, sim->now, 0);
	}
}

void
parallel_raised(struct request *rq)
{
	for (struct request *row = rq->next_row; row != NULL;
	     row = row->next_row)
		row->priority = rq->priority;
}

static unsigned
engine_of(const struct ring_def *def, uint32_t row, unsigned j)
{
	return def->rows[row * def->n_siblings + j];
}

void
parallel_take(struct sim *sim, struct request *rq, unsigned j, enum follows how)
{
	const struct ring_def *def = request_slot(rq);
	struct hw_engine *engines[DEVICE_MAX_ENGINES];

	for (uint32_t row = 0; row < def->n_rows; row++)
		engines[row] = &sim->device.engines[engine_of(def, row, j)];
	exec_take_rows(sim, engines, rq, how);
}

engine_mask
parallel_set(const struct ring_def *def, unsigned j)
{
	engine_mask set = 0;

	for (uint32_t row = 0; row < def->n_rows; row++)
		set |= (engine_mask)1 << engine_of(def, row, j);
	return set;
}
