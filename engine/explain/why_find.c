/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the parts of lives in a trail. Parts of one row are in the list behind
 * those of the rows around it. */
#include "base/mem.h"
#include "engine/explain/explain.h"
#include "engine/explain/why.h"
#include "engine/gpu/request.h"

static void
push_part(struct why *why, struct why_window w, struct why_part part)
{
	part.from = nsec_later(part.from, w.from);
	part.to = nsec_earlier(part.to, w.to);
	if (part.from >= part.to)
		return;
	why->parts = mem_grow(
	    why->parts, why->n_parts, &why->cap_parts, sizeof *why->parts);
	why->parts[why->n_parts++] = part;
}

static void
push_unknown(struct why *why, struct why_window w, nsec from, nsec to)
{
	push_part(why, w,
	    (struct why_part){.role = WHY_UNKNOWN, .from = from, .to = to});
}

/* The life of a request. */

/* Returns the first request that a live request waits for now; 0: none, or it
 * is not known. */
static uint64_t
waits_now(const struct why *why, const struct trail_request *r)
{
	const struct request *rq = request_get(
	    (struct request_ref){r->live, r->id});
	const struct fence *f = rq != NULL ? blocked_on_fence(rq->waits) : NULL;
	const struct request *signaler;

	if (f != NULL) {
		signaler = fence_request(f);
		return signaler != NULL ? signaler->seq : 0;
	}
	if (rq == NULL || rq->n_unended == 0 ||
	    !why->sim->config.sched->inherits)
		return 0;
	signaler = polled_for(rq);
	return signaler != NULL ? signaler->seq : 0;
}

static void
push_blocked(
    struct why *why, struct why_window w, const struct trail_request *r)
{
	const struct trail_request *first = r;
	struct why_part part = {
	    .role = WHY_BLOCKED,
	    .from = r->submit_ns,
	    .to = nsec_earlier(r->ready_ns, r->end_ns),
	    .request = r->id,
	    .engine = r->engine,
	};

	/* The rows of a parallel step become ready with the first. */
	if (r->row > 0)
		first = trail_request(why->trail, r->id - r->row);
	if (first != NULL && first->ready_ns != NSEC_NEVER) {
		part.by = first->ready_by;
		part.how = first->cause;
	} else if (first != NULL) {
		part.by = waits_now(why, first);
		part.how = part.by != 0 ? TRAIL_DATA : TRAIL_NOTHING;
	}
	push_part(why, w, part);
}

/* Adds the time on an engine before the batch begins. */
static void
push_switch(struct why *why, struct why_window w, const struct trail_request *r,
    const struct trail_span *s, uint8_t engine)
{
	nsec end = nsec_earlier(s->begin_ns, s->end_ns);
	struct why_window in = {w.from, nsec_earlier(w.to, end)};
	struct why_part part = {
	    .role = WHY_SWITCH,
	    .from = s->taken_ns,
	    .to = s->taken_ns + s->completion_ns,
	    .request = r->id,
	    .engine = engine,
	    .how = WHY_COMPLETES,
	};

	push_part(why, in, part);
	part.how = WHY_WAKES;
	part.from = part.to;
	part.to += s->wake_ns;
	push_part(why, in, part);
	part.how = WHY_SWITCHES;
	part.from = part.to;
	part.to += s->context_ns;
	push_part(why, in, part);
	part.role = WHY_SSEU;
	part.from = part.to;
	part.to += s->sseu_ns;
	push_part(why, in, part);
	part.role = WHY_POLLS;
	part.how = WHY_SEMAPHORE;
	part.from = part.to;
	part.to = end;
	part.by = r->cleared_by != 0 ? r->cleared_by : waits_now(why, r);
	push_part(why, in, part);
}

/* Adds the time of a batch on its engine, from part->from on: it runs, or polls
 * memory. */
static void
push_batch(struct why *why, struct why_window w, struct why_part part)
{
	nsec end = part.to;
	struct trail_range polls = trail_polls(why->trail, part.engine,
	    nsec_later(part.from, w.from), nsec_earlier(end, w.to));

	for (uint64_t id = polls.first; id < polls.end; id++) {
		const struct trail_poll *poll = trail_poll(
		    why->trail, part.engine, id);

		part.to = poll->from_ns;
		push_part(why, w, part);
		part.from = poll->to_ns;
		push_part(why, w,
		    (struct why_part){
			.role = WHY_POLLS,
			.from = poll->from_ns,
			.to = poll->to_ns,
			.request = part.request,
			.engine = part.engine,
			.how = WHY_MEMORY,
			.poll = id,
		    });
	}
	part.to = end;
	push_part(why, w, part);
}

static void
find_span_parts(struct why *why, struct why_window w,
    const struct trail_request *r, const struct trail_span *s, uint8_t engine)
{
	struct why_part part = {
	    .role = WHY_RUNS,
	    .from = s->begin_ns,
	    .to = s->end_ns,
	    .request = r->id,
	    .by = s->by,
	    .engine = engine,
	    .how = s->leaving,
	};

	push_switch(why, w, r, s, engine);
	if (s->begin_ns != NSEC_NEVER)
		push_batch(why, w, part);
}

void
why_find_span(
    struct why *why, struct why_window w, uint8_t engine, uint64_t span)
{
	const struct trail_span *s = trail_span(why->trail, engine, span);
	const struct trail_request *r = trail_request(why->trail, s->request);
	const struct trail_request unknown = {.id = s->request};

	find_span_parts(why, w, r != NULL ? r : &unknown, s, engine);
}

/* Lists the spans of a request, the last first, back to the one that ended before
 * the window. False: earlier ones are gone. */
static bool
find_spans(struct why *why, struct why_window w, const struct trail_request *r)
{
	const struct trail_span *s;
	uint64_t id = r->last_span;
	uint8_t engine = r->engine;

	why->n_spans = 0;
	while (id != 0) {
		s = trail_span(why->trail, engine, id);
		if (s == NULL)
			return false;
		why->spans = mem_grow(why->spans, why->n_spans, &why->cap_spans,
		    sizeof *why->spans);
		why->spans[why->n_spans++] = id * DEVICE_MAX_ENGINES + engine;
		if (s->end_ns <= w.from)
			return true;
		id = s->before;
		engine = s->before_engine;
	}
	return true;
}

/* Adds a time without an engine: before the first span, or after span left. */
static void
push_queued(struct why *why, struct why_window w, const struct trail_request *r,
    nsec from, nsec to, uint8_t engine, const struct trail_span *left)
{
	struct why_part part = {
	    .role = WHY_QUEUED,
	    .from = from,
	    .to = to,
	    .request = r->id,
	    .engine = engine,
	};

	if (left != NULL) {
		part.role = WHY_OFF;
		part.by = left->by;
		part.how = left->leaving;
	}
	push_part(why, w, part);
}

/* Adds the time from readiness on. */
static void
find_engine_parts(
    struct why *why, struct why_window w, const struct trail_request *r)
{
	const struct trail_span *s, *left = NULL;
	bool all = find_spans(why, w, r);
	nsec at = nsec_later(r->ready_ns, r->submit_ns);

	for (size_t i = why->n_spans; i-- > 0;) {
		uint8_t engine = (uint8_t)(why->spans[i] % DEVICE_MAX_ENGINES);

		s = trail_span(
		    why->trail, engine, why->spans[i] / DEVICE_MAX_ENGINES);
		if (all || left != NULL)
			push_queued(why, w, r, at, s->taken_ns, engine, left);
		else
			push_unknown(why, w, at, s->taken_ns);
		find_span_parts(why, w, r, s, engine);
		left = s;
		at = s->end_ns;
	}
	if (!all && left == NULL)
		push_unknown(why, w, at, r->end_ns);
	else if (at < r->end_ns)
		push_queued(why, w, r, at, r->end_ns, r->engine, left);
}

/* Adds the time before the submission, which the clock says on a device: the step
 * was made earlier. */
static void
push_before(struct why *why, struct why_window w, const struct trail_request *r)
{
	struct why_part part = {
	    .role = WHY_DEVICE,
	    .to = r->submit_ns,
	    .request = r->id,
	    .engine = r->engine,
	    .how = WHY_SUBMITTED_LATE,
	};

	if (!why->sim->config.sched->reported)
		part.role = WHY_UNKNOWN;
	push_part(why, w, part);
}

void
why_find_request(struct why *why, struct why_window w, uint64_t request)
{
	const struct trail_request *r = trail_request(why->trail, request);

	if (r == NULL)
		return; /* then the row has only its name */
	push_before(why, w, r);
	push_blocked(why, w, r);
	if (r->ready_ns != NSEC_NEVER)
		find_engine_parts(why, w, r);
	push_unknown(why, w, r->end_ns, NSEC_NEVER);
}

/* The work of an engine. */

bool
why_was_resetting(const struct why *why, unsigned engine, nsec from)
{
	struct trail_range range = trail_hangs(why->trail, from, from + 1);

	for (uint64_t id = range.first; id < range.end; id++) {
		const struct trail_hang *h = trail_hang(why->trail, id);

		if (h->what == TRAIL_RESET &&
		    (h->engine == engine || h->scope == RESET_FULL))
			return true;
	}
	return false;
}

/* Adds a time in which no request has an engine that one waits for. */
static void
push_idle(
    struct why *why, struct why_window w, uint8_t engine, nsec from, nsec to)
{
	struct why_part part = {
	    .role = WHY_IDLE,
	    .from = nsec_later(from, w.from),
	    .to = nsec_earlier(to, w.to),
	    .engine = engine,
	    .reset = why_was_resetting(why, engine, from),
	};

	if (why->sim->config.sched->reported && !part.reset) {
		part.role = WHY_DEVICE;
		part.how = part.to > part.from + WHY_LONGEST_BEGINNING
		    ? WHY_UNEXPLAINED
		    : WHY_BEGINS;
	}
	push_part(why, w, part);
}

void
why_find_engine(struct why *why, struct why_window w, uint8_t engine)
{
	struct trail_range range = trail_spans(
	    why->trail, engine, w.from, w.to);
	nsec at = w.from;

	/* The spans before the oldest that is kept are unknown. */
	if (range.first < range.end &&
	    trail_span(why->trail, engine, range.first - 1) == NULL &&
	    range.first > 1) {
		nsec kept =
		    trail_span(why->trail, engine, range.first)->taken_ns;

		push_unknown(why, w, at, kept);
		at = nsec_later(at, kept);
	}
	for (uint64_t id = range.first; id < range.end; id++) {
		const struct trail_span *s = trail_span(why->trail, engine, id);

		push_idle(why, w, engine, at, s->taken_ns);
		push_part(why, w,
		    (struct why_part){
			.role = WHY_OTHER,
			.from = s->taken_ns,
			.to = s->end_ns,
			.request = s->request,
			.by = s->by,
			.engine = engine,
			.how = s->leaving,
		    });
		at = s->end_ns;
	}
	push_idle(why, w, engine, at, NSEC_NEVER);
}

/* The waits of a client. */

/* Returns the oldest request in flight of the client; 0: none. */
static uint64_t
oldest_request(const struct client *c)
{
	uint64_t oldest = 0;

	for (uint32_t i = 0; i < c->n_rings; i++) {
		const struct request *rq = c->rings[i]->first;

		if (rq != NULL && (oldest == 0 || rq->seq < oldest))
			oldest = rq->seq;
	}
	return oldest;
}

/* Returns the first request that a client waits for now; 0: none. */
static uint64_t
client_waits_now(const struct why *why, const struct trail_wait *wait)
{
	const struct client *c = why->sim->clients[wait->client];
	const struct fence *f;
	const struct request *rq;

	switch ((enum client_block)wait->block) {
	case BLOCK_RING:
	case BLOCK_DRAIN: return oldest_request(c);
	case BLOCK_DATA:
	case BLOCK_THROTTLE:
	case BLOCK_WAIT_FLAG:
	case BLOCK_QUEUE_DEPTH:
	case BLOCK_SYNC:
		f = blocked_on_fence(client_waits(c));
		rq = f != NULL ? fence_request(f) : NULL;
		return rq != NULL ? rq->seq : 0;
	default: return 0;
	}
}

/* Adds a wait. Consecutive submissions, which take CPU time, are one part. */
static void
push_wait(struct why *why, struct why_window w, const struct trail_wait *wait,
    size_t first)
{
	struct why_part *before = why->n_parts > first
	    ? &why->parts[why->n_parts - 1]
	    : NULL;

	if (before != NULL && before->role == WHY_CLIENT &&
	    before->how == BLOCK_SUBMIT && wait->block == BLOCK_SUBMIT &&
	    before->to == wait->from_ns) {
		before->to = nsec_earlier(wait->to_ns, w.to);
		before->last = wait->place;
		return;
	}
	push_part(why, w,
	    (struct why_part){
		.role = WHY_CLIENT,
		.from = wait->from_ns,
		.to = wait->to_ns,
		.by = wait->to_ns != NSEC_NEVER ? wait->by
						: client_waits_now(why, wait),
		.client = wait->client,
		.first = wait->place,
		.last = wait->place,
		.engine = TRAIL_NO_ENGINE,
		.how = wait->block,
	    });
}

/* Finds the waits from the last back, and adds them in the order of time. */
void
why_find_client(struct why *why, struct why_window w, uint32_t client)
{
	const struct trail_wait *wait;
	size_t first = why->n_parts;
	nsec from = w.to;

	why->n_spans = 0;
	for (uint64_t id = trail_last_wait(why->trail, client);
	     (wait = trail_wait(why->trail, id)) != NULL &&
	     wait->client == client && wait->to_ns > w.from;
	     id = wait->before) {
		if (wait->from_ns >= w.to)
			continue;
		from = wait->from_ns;
		why->spans = mem_grow(why->spans, why->n_spans, &why->cap_spans,
		    sizeof *why->spans);
		why->spans[why->n_spans++] = id;
	}
	push_unknown(why, w, w.from, from);
	for (size_t i = why->n_spans; i-- > 0;) {
		wait = trail_wait(why->trail, why->spans[i]);
		push_wait(why, w, wait, first);
	}
	/* The client has ended. */
	if (why->n_spans > 0) {
		wait = trail_wait(why->trail, why->spans[0]);
		push_unknown(why, w, wait->to_ns, NSEC_NEVER);
	}
}

uint8_t
why_engine_awaited(const struct why *why, const struct why_part *part)
{
	const struct trail_request *r = trail_request(
	    why->trail, part->request);
	const struct request *rq;

	if (part->engine != TRAIL_NO_ENGINE || r == NULL ||
	    !why->sim->config.sched->reported)
		return part->engine;
	rq = request_get((struct request_ref){r->live, r->id});
	for (engine_mask m = rq != NULL ? rq->allowed : 0; m != 0; m &= m - 1) {
		unsigned e = (unsigned)__builtin_ctzll(m);

		if (why->sim->device.engines[e].running == NULL)
			return (uint8_t)e;
	}
	return TRAIL_NO_ENGINE;
}

void
why_find_below(struct why *why, const struct why_part *part)
{
	uint8_t engine;
	struct why_window w = {part->from, part->to};

	switch (part->role) {
	case WHY_BLOCKED:
		if (part->how == TRAIL_SOFTWARE) {
			const struct trail_request *r = trail_request(
			    why->trail, part->request);

			if (r != NULL)
				why_find_client(why, w, r->client);
			return;
		}
		/* fallthrough */
	case WHY_CLIENT:
	case WHY_POLLS:
		if (part->by != 0)
			why_find_request(why, w, part->by);
		return;
	case WHY_QUEUED:
	case WHY_OFF:
		engine = why_engine_awaited(why, part);
		if (engine != TRAIL_NO_ENGINE)
			why_find_engine(why, w, engine);
		return;
	default: return;
	}
}
