/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a trail: the events of the simulation become records. */
#include "engine/explain/trail.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/region.h"
#include "engine/client/origin.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/request.h"

#define MAX_LOOKED_AT 64 /* fences of a step that are searched */

static struct trail *
trail_of(struct observer *o)
{
	return (struct trail *)o; /* its first member */
}

/* Rings. */

static void
ring_begin(struct trail *t, struct trail_ring *ring, size_t size, size_t record)
{
	size_t n_blocks = (size + TRAIL_BLOCK - 1) / TRAIL_BLOCK;

	assert(size > 0 && (size & (size - 1)) == 0);
	ring->blocks = region_alloc(
	    t->sim->region, n_blocks, sizeof *ring->blocks);
	ring->size = size;
	ring->record = record;
}

static void
ring_end(struct trail_ring *ring)
{
	for (size_t i = 0; i < ring->size; i += TRAIL_BLOCK)
		region_put(ring->blocks[i / TRAIL_BLOCK]);
	region_put(ring->blocks);
}

/* Returns the place of a record that is written; makes its block. */
static void *
record_at(struct trail *t, struct trail_ring *ring, uint64_t id)
{
	char **block = &ring->blocks[(id & (ring->size - 1)) / TRAIL_BLOCK];

	if (*block == NULL)
		*block = region_alloc(
		    t->sim->region, TRAIL_BLOCK, ring->record);
	return trail_place(ring, id);
}

/* Returns the record of rq; NULL: it is gone, as size requests came after it. */
static struct trail_request *
record_of(struct trail *t, const struct request *rq)
{
	struct trail_request *r = trail_place(&t->requests, rq->seq);

	return r != NULL && r->id == rq->seq ? r : NULL;
}

static uint8_t
engine_index_of(const struct request *rq)
{
	return rq->engine != NULL ? rq->engine->index : TRAIL_NO_ENGINE;
}

/* Requests. */

static void
note_submitted(struct observer *o, struct request *rq)
{
	struct trail *t = trail_of(o);
	const struct op *op = request_op(rq);
	struct trail_request *r = record_at(t, &t->requests, rq->seq);

	t->last_request = rq->seq;
	if (r->label != NULL)
		region_put(r->label);
	*r = (struct trail_request){
	    .id = rq->seq,
	    .iteration = rq->origin.iteration,
	    .client = rq->client->id,
	    .context = rq->context->def->number,
	    .place = request_place(rq),
	    .line = op != NULL ? op->line : 0,
	    .document = op != NULL ? op->document : 0,
	    .program = request_program(rq),
	    .live = rq,
	    .submit_ns = rq->submit_ns,
	    .ready_ns = NSEC_NEVER,
	    .start_ns = NSEC_NEVER,
	    .end_ns = NSEC_NEVER,
	    .cleared_ns = NSEC_NEVER,
	    .duration_ns = rq->infinite ? NSEC_NEVER : rq->duration_ns,
	    .preempt_ns = rq->preempt_ns,
	    .submit_priority = rq->priority,
	    .priority = rq->priority,
	    .engine = engine_index_of(rq),
	    .row = rq->row,
	    .is_virtual = rq->is_virtual,
	};
}

/* Returns the fence of the step for which rq waits for its signaler; NULL:
 * none. */
static const struct fence_use *
named_fence(const struct request *rq, const struct request *signaler)
{
	const struct op_batch *b = request_batch(rq);

	if (b == NULL || signaler->origin.instance != rq->origin.instance)
		return NULL;
	for (uint32_t i = 0; i < b->n_fences && i < MAX_LOOKED_AT; i++) {
		const struct fence_use *use = &b->fences[i];

		if (!use->software && use->step == signaler->origin.step)
			return use;
	}
	return NULL;
}

/* Returns why rq waited for its last fence. A request may be waited for in
 * several ways: a fence of the text comes before what its ring or its objects
 * imply. */
static enum trail_cause
cause_of(const struct request *rq, const struct fence *last)
{
	const struct request *signaler;
	const struct fence_use *use;

	if (last == NULL)
		return TRAIL_NOTHING;
	if (last->kind == FENCE_SOFTWARE)
		return TRAIL_SOFTWARE;
	signaler = fence_request(last);
	use = named_fence(rq, signaler);
	if (use != NULL && use->submit)
		return TRAIL_SUBMIT;
	if (last->kind == FENCE_SCHEDULED)
		return TRAIL_SEMAPHORE;
	if (use != NULL)
		return TRAIL_FENCE;
	return signaler->ring == rq->ring ? TRAIL_ORDER : TRAIL_DATA;
}

static void
note_ready(struct observer *o, struct request *rq, const struct fence *last)
{
	struct trail_request *r = record_of(trail_of(o), rq);

	if (r == NULL)
		return;
	/* A GPU's clock may be ahead of the record when it is submitted. */
	r->ready_ns = nsec_later(trail_of(o)->sim->now, r->submit_ns);
	r->cause = (uint8_t)cause_of(rq, last);
	if (last != NULL && last->kind != FENCE_SOFTWARE)
		r->ready_by = fence_request(last)->seq;
}

static void
note_cleared(struct observer *o, struct request *rq, const struct fence *last)
{
	struct trail_request *r = record_of(trail_of(o), rq);

	if (r == NULL)
		return;
	r->cleared_ns = trail_of(o)->sim->now;
	r->cleared_by = fence_request(last)->seq;
}

static void
note_started(struct observer *o, struct request *rq)
{
	struct trail_request *r = record_of(trail_of(o), rq);

	if (r == NULL)
		return;
	r->start_ns = trail_of(o)->sim->now;
	r->priority = rq->priority;
}

/* Marks the last span of a request that ended with an error. */
static void
note_error(struct trail *t, const struct trail_request *r)
{
	struct trail_engine *engine;
	struct trail_span *span;

	if (r->last_span == 0)
		return;
	engine = &t->engines[r->engine];
	if (!trail_holds(engine->n, t->size, r->last_span))
		return;
	span = trail_place(&engine->spans, r->last_span);
	span->errors = true;
}

static void
note_ended(struct observer *o, struct request *rq)
{
	struct trail *t = trail_of(o);
	struct trail_request *r = record_of(t, rq);

	if (r == NULL)
		return;
	r->end_ns = t->sim->now;
	r->run_ns = rq->run_ns;
	r->error = rq->error;
	/* Other rows of a parallel step, and refused requests, have no ready
	 * event. */
	if (r->ready_ns == NSEC_NEVER)
		r->ready_ns = fence_time(&rq->queued);
	if (rq->error != 0)
		note_error(t, r);
	if (request_label(rq) != NULL)
		r->label = region_strdup(t->sim->region, request_label(rq));
}

/* Engines. */

/* Adds span, which has ended, to the sums of the next. */
static void
count_before(struct trail_span *next, const struct trail_span *span)
{
	next->before_it = span->before_it;
	trail_add_span(&next->before_it, span, span->end_ns);
}

static void
note_took(struct observer *o, const struct hw_engine *e, struct request *rq,
    const struct switching *cost)
{
	struct trail *t = trail_of(o);
	struct trail_engine *engine = &t->engines[e->index];
	struct trail_request *r = record_of(t, rq);
	uint64_t id = ++engine->n;
	struct trail_span *span = record_at(t, &engine->spans, id);

	*span = (struct trail_span){
	    .request = rq->seq,
	    .taken_ns = t->sim->now,
	    .completion_ns = cost->completion,
	    .wake_ns = cost->wake,
	    .context_ns = cost->context,
	    .sseu_ns = cost->sseu,
	    .begin_ns = NSEC_NEVER,
	    .end_ns = NSEC_NEVER,
	};
	if (id > 1)
		count_before(span, trail_place(&engine->spans, id - 1));
	if (r == NULL)
		return;
	span->before = r->last_span;
	span->before_engine = r->engine;
	if (r->ready_ns == NSEC_NEVER)
		r->ready_ns = fence_time(&rq->queued);
	r->engine = e->index;
	r->last_span = id;
}

/* Returns the span of rq, which is on e: the last of e; NULL: it is unknown. */
static struct trail_span *
last_span(struct trail *t, const struct hw_engine *e, const struct request *rq)
{
	struct trail_engine *engine = &t->engines[e->index];
	struct trail_span *span = trail_place(&engine->spans, engine->n);

	return span != NULL && span->request == rq->seq ? span : NULL;
}

static void
note_began(struct observer *o, struct request *rq)
{
	struct trail *t = trail_of(o);
	struct trail_span *span = last_span(t, rq->engine, rq);

	if (span != NULL)
		span->begin_ns = t->sim->now;
}

/* Returns the poll of e that is going on; NULL: none. */
static struct trail_poll *
open_poll(struct trail *t, const struct hw_engine *e)
{
	struct trail_engine *engine = &t->engines[e->index];
	struct trail_poll *poll = trail_place(&engine->polls, engine->n_polls);

	return engine->n_polls > 0 && poll->to_ns == NSEC_NEVER ? poll : NULL;
}

static struct trail_poll *
add_poll(struct trail *t, const struct hw_engine *e)
{
	struct trail_engine *engine = &t->engines[e->index];
	const struct trail_poll *last = trail_place(
	    &engine->polls, engine->n_polls);
	nsec before = engine->n_polls > 0
	    ? last->before + (last->to_ns - last->from_ns)
	    : 0;
	struct trail_poll *poll = record_at(
	    t, &engine->polls, ++engine->n_polls);

	*poll = (struct trail_poll){
	    .from_ns = t->sim->now,
	    .to_ns = NSEC_NEVER,
	    .before = before,
	};
	return poll;
}

static void
note_polls(struct observer *o, struct request *rq)
{
	struct trail *t = trail_of(o);
	const struct hw_engine *e = rq->engine;
	struct trail_poll *poll = open_poll(t, e);

	if (e->poll_since == NSEC_NEVER) {
		if (poll != NULL)
			poll->to_ns = t->sim->now;
		return;
	}
	if (poll == NULL)
		poll = add_poll(t, e);
	poll->poll = e->poll;
}

static void
note_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	struct trail *t = trail_of(o);
	struct trail_span *span = last_span(t, e, rq);
	struct trail_request *r = record_of(t, rq);
	struct trail_poll *poll = open_poll(t, e);

	if (poll != NULL)
		poll->to_ns = t->sim->now;
	if (span != NULL) {
		span->end_ns = t->sim->now;
		span->leaving = (uint8_t)why;
		span->by = by != NULL ? by->seq : 0;
	}
	if (r != NULL) {
		r->run_ns = rq->run_ns;
		/* A program's batch has them once its commands were looked at. */
		r->preempt_ns = nsec_later(r->preempt_ns, rq->preempt_ns);
		r->preemptions += why == LEAVING_PREEMPTED ||
		    why == LEAVING_SLICE;
	}
}

static void
note_waits(struct observer *o, const struct hw_engine *e)
{
	struct trail *t = trail_of(o);
	struct trail_engine *engine = &t->engines[e->index];
	uint64_t id = engine->n_gaps + e->is_waiting;
	struct trail_gap *gap = record_at(t, &engine->gaps, id);

	engine->n_gaps = id;
	if (e->is_waiting)
		*gap = (struct trail_gap){
		    .from_ns = t->sim->now,
		    .to_ns = NSEC_NEVER,
		    .before = e->waiting_ns,
		};
	else
		gap->to_ns = t->sim->now;
}

/* Clients. */

static struct trail_client *
client_of(struct trail *t, const struct client *c)
{
	while (t->n_clients <= c->id) {
		t->clients = region_grow(t->sim->region, t->clients,
		    t->n_clients, &t->cap_clients, sizeof *t->clients);
		t->clients[t->n_clients++] = (struct trail_client){0};
	}
	return &t->clients[c->id];
}

static void
note_blocked(struct observer *o, struct client *c)
{
	struct trail *t = trail_of(o);
	struct trail_client *client = client_of(t, c);
	enum client_block block = client_block(c);
	struct trail_wait *wait;

	if (block == BLOCK_ENDED)
		return;
	wait = record_at(t, &t->waits, ++t->n_waits);
	*wait = (struct trail_wait){
	    .client = c->id,
	    .place = client_place(c),
	    .iteration = client_iteration(c),
	    .from_ns = t->sim->now,
	    .to_ns = NSEC_NEVER,
	    .before = client->wait,
	    .block = (uint8_t)block,
	};
	client->wait = t->n_waits;
	client->woken = 0;
}

static void
note_woken(struct observer *o, struct client *c, const struct request *rq)
{
	client_of(trail_of(o), c)->woken = rq->seq;
}

static void
note_resumed(struct observer *o, struct client *c)
{
	struct trail *t = trail_of(o);
	struct trail_client *client = client_of(t, c);
	struct trail_wait *wait;

	if (!trail_holds(t->n_waits, t->size, client->wait))
		return;
	wait = trail_place(&t->waits, client->wait);
	wait->to_ns = t->sim->now;
	wait->by = client->woken;
}

static void
note_missed(struct observer *o, struct client *c, nsec due)
{
	struct trail *t = trail_of(o);
	struct trail_miss *miss = record_at(t, &t->misses, ++t->n_misses);

	*miss = (struct trail_miss){
	    .client = c->id,
	    .place = client_place(c),
	    .iteration = client_iteration(c),
	    .started_ns = c->walker->started_ns,
	    .due_ns = due,
	    .came_ns = t->sim->now,
	    .wait = client_of(t, c)->wait,
	};
}

/* Hangs. */

static struct trail_hang *
add_hang(struct trail *t, enum trail_instant what, const struct request *rq)
{
	struct trail_hang *hang = record_at(t, &t->hangs, ++t->n_hangs);

	*hang = (struct trail_hang){
	    .what = what,
	    .time = t->sim->now,
	    .request = rq->seq,
	    .client = rq->client->id,
	    .context = rq->context->def->number,
	    .engine = engine_index_of(rq),
	};
	return hang;
}

static void
note_hung(struct observer *o, const struct hang *hang)
{
	struct trail_hang *record = add_hang(
	    trail_of(o), TRAIL_RESET, hang->rq);

	record->cause = hang->cause;
	record->scope = hang->scope;
	record->engine = hang->engine->index;
	record->guilty = hang->guilty;
	record->banned = hang->context_banned;
}

static void
note_timed_out(struct observer *o, const struct request *rq)
{
	add_hang(trail_of(o), TRAIL_TIMEOUT, rq);
}

struct trail *
trail_begin(struct sim *sim, size_t size)
{
	unsigned n = sim->device.n_engines;
	struct trail *t = region_alloc(
	    sim->region, 1, sizeof *t + n * sizeof(struct trail_engine));

	t->observer = (struct observer){
	    .submitted = note_submitted,
	    .ready = note_ready,
	    .cleared = note_cleared,
	    .took = note_took,
	    .began = note_began,
	    .started = note_started,
	    .polls = note_polls,
	    .left = note_left,
	    .waits = note_waits,
	    .ended = note_ended,
	    .blocked = note_blocked,
	    .woken = note_woken,
	    .resumed = note_resumed,
	    .missed = note_missed,
	    .hung = note_hung,
	    .timed_out = note_timed_out,
	};
	t->sim = sim;
	t->size = size;
	t->n_engines = n;
	ring_begin(t, &t->requests, size, sizeof(struct trail_request));
	ring_begin(t, &t->waits, size, sizeof(struct trail_wait));
	ring_begin(t, &t->misses, TRAIL_MISSES, sizeof(struct trail_miss));
	ring_begin(t, &t->hangs, TRAIL_HANGS, sizeof(struct trail_hang));
	for (unsigned i = 0; i < n; i++) {
		struct trail_engine *e = &t->engines[i];

		ring_begin(t, &e->spans, size, sizeof(struct trail_span));
		ring_begin(t, &e->gaps, size, sizeof(struct trail_gap));
		ring_begin(t, &e->polls, size, sizeof(struct trail_poll));
	}
	sim_add_observer(sim, &t->observer);
	return t;
}

static void
put_labels(struct trail *t)
{
	for (size_t i = 0; i < t->size; i++) {
		struct trail_request *r = trail_place(&t->requests, i);

		if (r != NULL)
			region_put(r->label);
	}
}

void
trail_end(struct trail *t)
{
	if (t == NULL)
		return;
	sim_remove_observer(t->sim, &t->observer);
	for (unsigned i = 0; i < t->n_engines; i++) {
		ring_end(&t->engines[i].spans);
		ring_end(&t->engines[i].gaps);
		ring_end(&t->engines[i].polls);
	}
	put_labels(t);
	ring_end(&t->requests);
	ring_end(&t->waits);
	ring_end(&t->misses);
	ring_end(&t->hangs);
	region_put(t->clients);
	region_put(t);
}
