/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the schedulers of the naive model share. */
#include "tests/naive/world.h"

void
naive_skip_ended(struct naive_world *w)
{
	while (w->first_open < w->n_requests && naive_ended(w, w->first_open))
		w->first_open++;
}

/* Common: a virtual engine is never the same physical engine as anything. */
bool
naive_same_engine(const struct naive_request *a, const struct naive_request *b)
{
	return !a->target->is_virtual && !b->target->is_virtual &&
	    a->target->first == b->target->first;
}

/* X is the last one of its context before it in the text, else 100 us; 0:
 * none. */
nsec
naive_find_distance(const struct naive_world *w, const struct naive_request *rq)
{
	const struct naive_workload *workload =
	    w->clients[rq->row.client].workload;

	for (unsigned s = rq->row.step; s-- > 0;) {
		const struct step *step = workload->steps[s];

		if (step->kind == STEP_PREEMPTION &&
		    step->context == rq->row.context)
			return step->us * NSEC_PER_USEC;
	}
	return 100 * NSEC_PER_USEC;
}

/* Execlists, bonds: when a virtual request becomes ready, for each of its s-n:
 * the engine on which that batch first started decides. */
void
naive_restrict_to_bonds(struct naive_world *w, struct naive_request *rq)
{
	const struct naive_client *c = &w->clients[rq->row.client];

	if (!rq->target->is_virtual)
		return;
	for (unsigned i = 0; i < rq->submit_fences.n; i++) {
		unsigned of = (unsigned)rq->submit_fences.items[i];

		naive_apply_bonds(w, c->workload, rq->row.context,
		    w->requests[of].first_on, rq->may);
	}
}

/* Common: the sibling that the virtual engine ran on last if that is free,
 * else the first free one in the order of engines. A fixed one has one. */
int
naive_find_free_engine(
    const struct naive_world *w, const struct naive_request *rq)
{
	int last = w->rings[rq->ring].last_engine;

	if (last != NONE && rq->may[last] && w->engines[last].running == NONE)
		return last;
	for (unsigned e = 0; e < w->n_engines; e++) {
		if (rq->may[e] && w->engines[e].running == NONE)
			return (int)e;
	}
	return NONE;
}

/* Common: switches are starts whose client and context differ from the one
 * before on that engine, the first included. */
static bool
is_switch(const struct naive_world *w, const struct naive_engine *engine,
    const struct naive_request *rq)
{
	const struct naive_request *last;

	if (engine->last == NONE)
		return true;
	last = &w->requests[engine->last];
	return last->row.client != rq->row.client ||
	    last->row.context != rq->row.context;
}

void
naive_take(struct naive_world *w, unsigned row, int e)
{
	struct naive_request *rq = &w->requests[row];
	struct naive_engine *engine = &w->engines[e];

	if (is_switch(w, engine, rq))
		w->result->engines[e].switches++;
	engine->running = (int)row;
	engine->last = (int)row;
	w->rings[rq->ring].last_engine = e;
}

/* Ends the requests that run and are due. An infinite batch is due when T came. */
bool
naive_end_due(struct naive_world *w)
{
	bool any = false;

	for (unsigned e = 0; e < w->n_engines; e++) {
		struct naive_engine *engine = &w->engines[e];
		struct naive_request *rq;

		if (engine->running == NONE)
			continue;
		rq = &w->requests[engine->running];
		if (rq->due > w->now)
			continue;
		rq->row.end = w->now;
		rq->row.run = w->now - rq->row.start;
		engine->running = NONE;
		w->result->engines[e].batches++;
		any = true;
	}
	naive_skip_ended(w);
	return any;
}

/* It runs on that engine until it ends. */
void
naive_start(struct naive_world *w, unsigned row, int e)
{
	struct naive_request *rq = &w->requests[row];

	rq->row.start = w->now;
	rq->row.engine = e;
	rq->first_on = e;
	/* Common: T on one not yet started: it runs 0 ns. */
	if (rq->terminated)
		rq->due = w->now;
	else if (rq->infinite)
		rq->due = NSEC_NEVER;
	else
		rq->due = w->now + rq->duration;
	naive_take(w, row, e);
}

void
naive_sum_up_whole(struct naive_world *w)
{
	for (unsigned i = 0; i < w->n_requests; i++) {
		struct naive_row *row = &w->requests[i].row;

		if (row->start != NSEC_NEVER && row->end == NSEC_NEVER)
			row->run = w->now - row->start;
		row->held = row->run;
		if (row->engine != NONE)
			w->result->engines[row->engine].busy += row->run;
	}
}
