/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of an engine by cause: for which contexts it ran, switched and polled,
 * and what its requests waited for while it was free (doc/model/causes.md "Time
 * of an engine"). */
#include "engine/explain/causes.h"

#include <stdlib.h>

#include "engine/sim.h"

struct engine_causes {
	struct causes *causes;
	struct cause *subject, *blocked; /* blocked: a row of the subject */
	uint8_t engine;
	const struct trail_request
	    *request;             /* on the engine; NULL: not known */
	struct cause_tiles tiles; /* blocked requests for it alone */
	size_t tile;
};

/* Finds the requests for the engine alone that were blocked in the window. */
static void
find_blocked(struct engine_causes *a)
{
	const struct causes *c = a->causes;
	const struct trail *t = c->why.trail;
	uint64_t last = t->last_request;

	for (uint64_t id = trail_oldest(last, t->size); id <= last; id++) {
		const struct trail_request *r = trail_request(t, id);

		if (r == NULL || r->is_virtual || r->engine != a->engine ||
		    r->submit_ns >= c->to)
			continue;
		causes_tile(&a->tiles, id, r->submit_ns,
		    nsec_earlier(nsec_earlier(r->ready_ns, r->end_ns), c->to));
	}
	causes_tile(&a->tiles, 0, c->to - 1, c->to);
}

/* Adds an interval of a request on the engine: the owner is below what the engine
 * did, but polling a semaphore has the chain there. */
static void
add_span_leaf(void *data, const struct why_part *path, unsigned n)
{
	struct engine_causes *a = data;
	nsec ns = path[n - 1].to - path[n - 1].from;
	struct cause like = {
	    .kind = CAUSE_PART,
	    .role = (uint8_t)path[0].role,
	    .engine = a->engine,
	    .client = CAUSE_NOBODY,
	};
	struct cause *row;

	if (path[0].role == WHY_POLLS && path[0].how == WHY_SEMAPHORE) {
		causes_leaf(a->causes, a->subject, path, n);
		return;
	}
	if (path[0].role == WHY_SWITCH || path[0].role == WHY_POLLS)
		like.how = path[0].how;
	row = causes_row(a->causes, a->subject, &like, ns);
	if (a->request == NULL)
		return;
	like = (struct cause){
	    .kind = CAUSE_OWNER,
	    .client = a->request->client,
	    .context = a->request->context,
	};
	causes_row(a->causes, row, &like, ns);
}

static void
add_blocked_leaf(void *data, const struct why_part *path, unsigned n)
{
	struct engine_causes *a = data;

	if (n > 1)
		causes_leaf(a->causes, a->blocked, &path[n - 1], 1);
}

/* Returns the row of time in which no request had the engine, with ns more. */
static struct cause *
add_free(struct engine_causes *a, bool blocked, bool reset, nsec ns)
{
	struct cause like = {
	    .kind = CAUSE_PART,
	    .role = WHY_IDLE,
	    .how = blocked,
	    .engine = a->engine,
	    .reset = reset,
	    .client = CAUSE_NOBODY,
	};

	return causes_row(a->causes, a->subject, &like, ns);
}

/* Adds a time in which the engine was free with blocked requests: what the oldest
 * of them waited for. */
static void
add_blocked(struct engine_causes *a, nsec from, nsec to)
{
	a->blocked = add_free(a, true, false, to - from);
	while (from < to) {
		const struct cause_tile *tile = &a->tiles.list[a->tile];
		struct why_window w = {from, nsec_earlier(to, tile->to)};

		if (tile->to <= from) {
			a->tile++;
			continue;
		}
		if (tile->request != 0)
			why_walk_request(&a->causes->why, tile->request, w,
			    add_blocked_leaf, a);
		from = w.to;
	}
}

/* Adds a time in which no request had the engine: it is being reset, free with
 * blocked requests, or idle. */
static void
add_gap(struct engine_causes *a, nsec from, nsec to)
{
	const struct why *why = &a->causes->why;
	bool reset = why_was_resetting(why, a->engine, from);
	struct trail_range gaps = trail_gaps(why->trail, a->engine, from, to);

	for (uint64_t id = gaps.first; id < gaps.end; id++) {
		const struct trail_gap *gap = trail_gap(
		    why->trail, a->engine, id);
		nsec begin = nsec_later(gap->from_ns, from);
		nsec end = nsec_earlier(gap->to_ns, to);

		if (begin > from)
			add_free(a, false, reset, begin - from);
		if (end > begin)
			add_blocked(a, begin, end);
		from = nsec_later(from, end);
	}
	if (from < to)
		add_free(a, false, reset, to - from);
}

static void
add_engine_time(struct engine_causes *a)
{
	struct causes *c = a->causes;
	const struct trail *t = c->why.trail;
	struct trail_range range = trail_spans(t, a->engine, c->from, c->to);
	nsec at = c->from;

	for (uint64_t id = range.first; id < range.end; id++) {
		const struct trail_span *s = trail_span(t, a->engine, id);
		nsec begin = nsec_later(s->taken_ns, c->from);
		nsec end = nsec_earlier(s->end_ns, c->to);

		if (begin > at)
			add_gap(a, at, begin);
		a->request = trail_request(t, s->request);
		why_walk_span(&c->why, a->engine, id,
		    (struct why_window){begin, end}, add_span_leaf, a);
		at = end;
	}
	if (at < c->to)
		add_gap(a, at, c->to);
}

void
causes_add_engine(struct causes *c, unsigned engine)
{
	struct engine_causes a = {
	    .causes = c,
	    .subject = causes_subject(c, CAUSE_NOBODY, 0, (uint8_t)engine),
	    .engine = (uint8_t)engine,
	    .tiles = {.at = c->from},
	};

	find_blocked(&a);
	add_engine_time(&a);
	causes_finish(c, a.subject);
	free(a.tiles.list);
}
