/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happens within one instant (design 6): first everything that ends,
 * ends; then what that made ready joins its queue; then free engines take
 * work (a batch of 0 ns holds its engine for that round); this again until
 * nothing changes.
 */
#include "tests/naive/world.h"

static void
skip_ended(struct naive_world *w)
{
	while (w->first_open < w->n_requests && naive_ended(w, w->first_open))
		w->first_open++;
}

/* What runs and is due ends. An infinite batch is due when T came. */
static bool
end_due(struct naive_world *w)
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
	skip_ended(w);
	return any;
}

static bool
is_over(const struct naive_world *w, struct naive_wait wait)
{
	switch (wait.what) {
	case UNTIL_READY:
		return w->requests[wait.which].row.ready != NSEC_NEVER;
	case UNTIL_STARTED:
		return w->requests[wait.which].row.start != NSEC_NEVER;
	case UNTIL_ENDED: return naive_ended(w, wait.which);
	case UNTIL_SIGNALLED: return w->fences[wait.which].signalled;
	}
	return false;
}

/* Execlists, bonds: when a virtual request becomes ready, for each of its s-n:
 * the engine on which that batch first started decides. */
static void
restrict_to_bonds(struct naive_world *w, struct naive_request *rq)
{
	const struct naive_client *c = &w->clients[rq->row.client];

	if (!rq->target->is_virtual)
		return;
	for (unsigned i = 0; i < rq->submit_fences.n; i++) {
		unsigned of = (unsigned)rq->submit_fences.items[i];

		naive_apply_bonds(w, c->workload, rq->row.context,
		    w->requests[of].row.engine, rq->may);
	}
}

/* Design 6: a request is ready when everything that it waits for has happened.
 * Waits are for earlier requests, so one pass in order of submission does. */
static void
join_ready(struct naive_world *w)
{
	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		struct naive_request *rq = &w->requests[i];
		bool ready = rq->row.ready == NSEC_NEVER;

		for (unsigned k = 0; ready && k < rq->n_waits; k++)
			ready = is_over(w, rq->waits[k]);
		if (!ready)
			continue;
		rq->row.ready = w->now;
		restrict_to_bonds(w, rq);
	}
}

/* Design 6: the sibling that the virtual engine ran on last if that is free,
 * else the first free one in the order of engines. A fixed one has one. */
static int
find_free_engine(const struct naive_world *w, const struct naive_request *rq)
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

/* Design 8: switches are starts whose client and context differ from the one
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

static void
start(struct naive_world *w, unsigned row, int e)
{
	struct naive_request *rq = &w->requests[row];
	struct naive_engine *engine = &w->engines[e];

	rq->row.start = w->now;
	rq->row.engine = e;
	/* Design 6: T on one not yet started: it runs 0 ns. */
	if (rq->terminated)
		rq->due = w->now;
	else if (rq->infinite)
		rq->due = NSEC_NEVER;
	else
		rq->due = w->now + rq->duration;
	if (is_switch(w, engine, rq))
		w->result->engines[e].switches++;
	engine->running = (int)row;
	engine->last = (int)row;
	w->rings[rq->ring].last_engine = e;
}

/*
 * Design 6: in the order in which they became ready, ties by order of
 * submission. Execlists, within one instant: one step at a time, the first
 * waiting request in that order over all engines that has a free engine takes
 * it.
 */
static bool
take_one(struct naive_world *w)
{
	int best = NONE;

	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		const struct naive_request *rq = &w->requests[i];

		if (rq->row.ready == NSEC_NEVER || rq->row.start != NSEC_NEVER)
			continue;
		if (best != NONE &&
		    w->requests[best].row.ready <= rq->row.ready)
			continue;
		if (find_free_engine(w, rq) != NONE)
			best = (int)i;
	}
	if (best == NONE)
		return false;
	start(w, (unsigned)best, find_free_engine(w, &w->requests[best]));
	return true;
}

void
naive_settle(struct naive_world *w)
{
	end_due(w);
	do {
		do {
			join_ready(w);
		} while (take_one(w));
	} while (end_due(w));
}
