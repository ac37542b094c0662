/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the error state of a hang: requests, waits, queues and engines. */
#include "engine/hang/error_state.h"

#include <stdlib.h>

#include "base/mem.h"
#include "engine/client/origin.h"
#include "engine/client/walker_run.h"
#include "engine/gpu/exec.h"
#include "engine/sim.h"

static const char *
state_of(const struct request *rq)
{
	switch (rq->state) {
	case REQUEST_BLOCKED: return "blocked";
	case REQUEST_READY: return "ready";
	case REQUEST_ENDED: return "ended";
	default: break;
	}
	if (request_polls(rq))
		return "polling";
	return rq->piece_ns != NSEC_NEVER ? "running" : "switching";
}

static struct error_request
error_request_of(const struct sim *sim, const struct request *rq)
{
	struct error_request r = {
	    .seq = rq->seq,
	    .iteration = rq->origin.iteration,
	    .name = batch_name_of(rq),
	    .state = state_of(rq),
	    .engine = rq->engine != NULL ? rq->engine->name : NULL,
	    .priority = rq->priority,
	    .error = rq->error,
	    .submit_ns = rq->submit_ns,
	    .ready_ns = fence_time(&rq->queued),
	    .start_ns = fence_time(&rq->scheduled),
	    .run_ns = rq->run_ns,
	    .duration_ns = rq->infinite ? NSEC_NEVER : rq->duration_ns,
	    .preemptions = rq->preemptions,
	};

	if (rq->piece_ns != NSEC_NEVER)
		r.run_ns += sim->now - rq->piece_ns;
	return r;
}

static void
list_request(const struct sim *sim, struct error_requests *requests,
    const struct request *rq)
{
	requests->total++;
	if (requests->n == ERROR_STATE_LISTED)
		return;
	if (requests->list == NULL)
		requests->list = mem_calloc(
		    ERROR_STATE_LISTED, sizeof *requests->list);
	requests->list[requests->n++] = error_request_of(sim, rq);
}

/* Waits of the hung request. */

static void
list_wait(struct error_state *s, const struct request *rq, const char *cause,
    uint32_t step, bool pending)
{
	uint32_t line = rq->origin.instance->program->ops[step].text_row;

	s->waits = mem_realloc(s->waits, s->n_waits + 1, sizeof *s->waits);
	s->waits[s->n_waits++] = (struct error_wait){
	    cause, {.line = line, .step = step}, pending};
}

/* Returns true if the latest batch of that step before rq is still in flight,
 * or with start: has not started. */
static bool
is_pending(const struct request *rq, uint32_t step, bool start)
{
	const struct op *op = &rq->origin.instance->program->ops[step];
	const struct request *writer = request_get(
	    rq->origin.instance->objects[op->batch.output].writer);

	if (writer == NULL || writer->seq >= rq->seq)
		return false;
	return !start || !fence_signalled(&writer->scheduled);
}

static void
collect_data(struct error_state *s, const struct request *rq)
{
	const struct program *p = rq->origin.instance->program;
	const struct op_batch *b = &rq->origin.op->batch;

	for (uint32_t i = 1; i <= b->n_data; i++) {
		for (uint32_t step = 0; step < p->n_ops; step++) {
			if (p->ops[step].kind == STEP_BATCH &&
			    p->ops[step].batch.output == b->uses[i].object)
				list_wait(s, rq, "data", step,
				    is_pending(rq, step, false));
		}
	}
}

static void
collect_waits(struct error_state *s, const struct request *rq)
{
	const struct op_batch *b = request_batch(rq);

	if (b == NULL)
		return; /* from outside: its waits are not kept */
	collect_data(s, rq);
	for (uint32_t i = 0; i < b->n_fences; i++) {
		const struct fence_use *use = &b->fences[i];

		if (use->software)
			list_wait(s, rq, "software fence", use->step,
			    !fence_signalled(
				&rq->origin.instance->fences[use->fence]));
		else
			list_wait(s, rq, use->submit ? "submit fence" : "fence",
			    use->step, is_pending(rq, use->step, use->submit));
	}
}

/* Clients and requests that wait for the hung request. */

static void
list_client(struct error_state *s, const struct client *client)
{
	s->total_clients++;
	if (s->n_clients == ERROR_STATE_LISTED)
		return;
	if (s->clients == NULL)
		s->clients = mem_calloc(ERROR_STATE_LISTED, sizeof *s->clients);
	s->clients[s->n_clients++] = client->id;
}

static bool
has_request(const struct error_requests *requests, const struct request *rq)
{
	for (size_t i = 0; i < requests->n; i++) {
		if (requests->list[i].seq == rq->seq)
			return true;
	}
	return false;
}

/* A request may wait for another in several ways; it is listed once. */
static void
collect_waiters(
    const struct sim *sim, struct error_state *s, const struct request *rq)
{
	for (const struct waiter *w = fence_waiters(&rq->finished); w != NULL;
	     w = w->next_of_fence) {
		if (waiter_kind(w) == WAKE_WALKER)
			list_client(s, waiter_owner(w));
		else if (!has_request(&s->waiters, waiter_owner(w)))
			list_request(sim, &s->waiters, waiter_owner(w));
	}
}

/* The queue of the engine. */

static bool
is_before(
    const struct sim *sim, const struct request *a, const struct request *b)
{
	if (sim->config.sched->before != NULL)
		return sim->config.sched->before(a, b);
	if (fence_time(&a->queued) != fence_time(&b->queued))
		return fence_time(&a->queued) < fence_time(&b->queued);
	return a->seq < b->seq;
}

struct error_queue {
	const struct request **list;
	size_t n, cap;
};

static void
list_ring(
    struct error_queue *q, const struct hw_engine *e, const struct ring *ring)
{
	engine_mask bit = e->bit;

	for (const struct request *rq = ring->first; rq != NULL;
	     rq = rq->next_of_ring) {
		if (rq->state != REQUEST_READY || (rq->allowed & bit) == 0)
			continue;
		q->list = mem_grow(q->list, q->n, &q->cap, sizeof *q->list);
		q->list[q->n++] = rq;
	}
}

/* Finds the requests that wait for e, in no order. Searches the clients until
 * all that e counts as queued are found. */
static void
find_queue(
    const struct sim *sim, struct error_queue *q, const struct hw_engine *e)
{
	for (size_t i = 0; i < sim->n_clients && q->n < e->queued; i++) {
		const struct client *c = sim->clients[i];

		for (uint32_t r = 0; c->in_flight > 0 && r < c->n_rings; r++)
			list_ring(q, e, c->rings[r]);
	}
}

static int
compare_queued(const void *a, const void *b, void *data)
{
	const struct request *x = *(const struct request *const *)a;
	const struct request *y = *(const struct request *const *)b;
	const struct sim *sim = *(const struct sim *const *)data;

	return is_before(sim, x, y) ? -1 : is_before(sim, y, x);
}

static void
collect_queue(
    const struct sim *sim, struct error_state *s, const struct hw_engine *e)
{
	struct error_queue q = {0};

	find_queue(sim, &q, e);
	if (q.n > 0)
		qsort_r(q.list, q.n, sizeof *q.list, compare_queued, &sim);
	for (size_t i = 0; i < q.n; i++)
		list_request(sim, &s->queue, q.list[i]);
	free(q.list);
}

static void
collect_engines(const struct sim *sim, struct error_state *s)
{
	s->n_engines = sim->device.n_engines;
	for (unsigned i = 0; i < s->n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];
		struct error_engine *to = &s->engines[i];

		to->name = e->name;
		to->queued = e->queued;
		to->busy_ns = hw_engine_busy(e, sim->now);
		to->batches = e->batches;
		to->has_request = e->running != NULL;
		to->state = e->resetting ? "resetting" : "idle";
		if (!to->has_request)
			continue;
		to->request = error_request_of(sim, e->running);
		to->state = to->request.state;
	}
}

struct error_state *
error_state_collect(const struct sim *sim, const struct hang *hang)
{
	struct error_state *s = mem_calloc(1, sizeof *s);
	const struct request *rq = hang->rq;

	s->hang = *hang;
	s->request = error_request_of(sim, rq);
	s->client = rq->client;
	s->context = rq->context;
	collect_waits(s, rq);
	collect_waiters(sim, s, rq);
	for (const struct request *of_ring = rq->ring->first; of_ring != NULL;
	     of_ring = of_ring->next_of_ring)
		list_request(sim, &s->ring, of_ring);
	collect_queue(sim, s, hang->engine);
	collect_engines(sim, s);
	return s;
}

void
error_state_free(struct error_state *s)
{
	free(s->waits);
	free(s->clients);
	free(s->waiters.list);
	free(s->ring.list);
	free(s->queue.list);
	free(s);
}
