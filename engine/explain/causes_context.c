/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of a context by cause. While batches of it run, it runs; else its
 * oldest request in flight says what it waits for, and without any its client
 * (doc/model/causes.md "Time of a context").
 */
#include "engine/explain/causes.h"

#include <stdlib.h>

#include "base/mem.h"
#include "engine/sim.h"

/* A time at which an engine begins to run a batch of the context, or ends. */
struct run_edge {
	nsec time;
	unsigned engine;
};

struct context_causes {
	struct causes *causes;
	struct cause *subject;
	struct cause *parent; /* of the next leaf */
	uint32_t client, context;
	bool walks; /* the client executes a descriptor: its thread is known */
	struct cause_tiles tiles;
	size_t tile; /* at hand */
	struct run_edge *edges;
	size_t n_edges, cap_edges;
};

static void
add_edge(struct context_causes *a, nsec time, unsigned engine)
{
	a->edges = mem_grow(
	    a->edges, a->n_edges, &a->cap_edges, sizeof *a->edges);
	a->edges[a->n_edges++] = (struct run_edge){time, engine};
}

/* Adds the times in which its batch ran on an engine within [from, to): not those
 * in which it polled memory. */
static void
add_run_edges(struct context_causes *a, unsigned engine, nsec from, nsec to)
{
	const struct trail *t = a->causes->why.trail;
	struct trail_range polls = trail_polls(t, engine, from, to);

	add_edge(a, from, engine);
	for (uint64_t id = polls.first; id < polls.end; id++) {
		const struct trail_poll *poll = trail_poll(t, engine, id);

		add_edge(a, nsec_later(poll->from_ns, from), engine);
		add_edge(a, nsec_earlier(poll->to_ns, to), engine);
	}
	add_edge(a, to, engine);
}

/* Adds the times in which the batch of a request ran. */
static void
add_runs(struct context_causes *a, const struct trail_request *r)
{
	const struct causes *c = a->causes;
	const struct trail_span *s;
	unsigned engine = r->engine;

	for (uint64_t id = r->last_span;
	     (s = trail_span(c->why.trail, engine, id)) != NULL &&
	     s->end_ns > c->from;
	     engine = s->before_engine, id = s->before) {
		nsec from = nsec_later(s->begin_ns, c->from);
		nsec to = nsec_earlier(s->end_ns, c->to);

		if (from < to)
			add_run_edges(a, engine, from, to);
	}
}

/* Finds the requests of the context that were in flight in the window. */
static void
find_requests(struct context_causes *a)
{
	const struct causes *c = a->causes;
	const struct trail *t = c->why.trail;
	uint64_t last = t->last_request;

	for (uint64_t id = trail_oldest(last, t->size); id <= last; id++) {
		const struct trail_request *r = trail_request(t, id);

		if (r == NULL || r->client != a->client ||
		    r->context != a->context || r->end_ns <= c->from ||
		    r->submit_ns >= c->to)
			continue;
		causes_tile(&a->tiles, id, r->submit_ns,
		    nsec_earlier(r->end_ns, c->to));
		add_runs(a, r);
	}
	causes_tile(&a->tiles, 0, c->to - 1, c->to);
}

static int
compare_edges(const void *p, const void *q)
{
	const struct run_edge *a = p, *b = q;

	return (a->time > b->time) - (a->time < b->time);
}

static void
add_context_leaf(void *data, const struct why_part *path, unsigned n)
{
	struct context_causes *a = data;

	causes_leaf(a->causes, a->parent, path, n);
}

/* Adds an interval in which no batch of the context runs. */
static void
add_rest(struct context_causes *a, nsec from, nsec to)
{
	struct causes *c = a->causes;

	while (from < to) {
		const struct cause_tile *tile = &a->tiles.list[a->tile];
		struct why_window w = {from, nsec_earlier(to, tile->to)};

		if (tile->to <= from) {
			a->tile++;
			continue;
		}
		a->parent = a->subject;
		if (tile->request == 0)
			a->parent = causes_row(c, a->subject,
			    &(struct cause){.kind = CAUSE_NONE}, w.to - w.from);
		if (tile->request != 0)
			why_walk_request(
			    &c->why, tile->request, w, add_context_leaf, a);
		else if (a->walks)
			why_walk_client(
			    &c->why, a->client, w, add_context_leaf, a);
		from = w.to;
	}
}

/* Adds an interval in which batches run on these engines. */
static void
add_running(struct context_causes *a, engine_mask engines, nsec ns)
{
	struct cause runs = {
	    .kind = CAUSE_PART,
	    .role = WHY_RUNS,
	    .engine = TRAIL_NO_ENGINE,
	};
	struct cause on = {.kind = CAUSE_ENGINES, .engines = engines};

	causes_row(
	    a->causes, causes_row(a->causes, a->subject, &runs, ns), &on, ns);
}

/* Goes through the window from edge to edge. */
static void
add_context_time(struct context_causes *a)
{
	nsec at = a->causes->from;
	engine_mask on = 0;

	for (size_t i = 0; i <= a->n_edges; i++) {
		nsec time = i < a->n_edges ? a->edges[i].time : a->causes->to;

		if (time > at && on != 0)
			add_running(a, on, time - at);
		else if (time > at)
			add_rest(a, at, time);
		at = time;
		if (i < a->n_edges)
			on ^= (engine_mask)1 << a->edges[i].engine;
	}
}

void
causes_add_context(struct causes *c, uint32_t client, uint32_t context)
{
	struct context_causes a = {
	    .causes = c,
	    .subject = causes_subject(c, client, context, TRAIL_NO_ENGINE),
	    .client = client,
	    .context = context,
	    .walks = c->why.sim->clients[client]->walker != NULL,
	    .tiles = {.at = c->from},
	};

	find_requests(&a);
	if (a.n_edges > 0)
		qsort(a.edges, a.n_edges, sizeof *a.edges, compare_edges);
	add_context_time(&a);
	causes_finish(c, a.subject);
	free(a.tiles.list);
	free(a.edges);
}
