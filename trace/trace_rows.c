/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a trace: names of them, and which is free. */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "trace/lanes.h"
#include "trace/trace_part.h"

/* Rows of a context. */
struct rows {
	struct chain_node node; /* by context, and 0: requests, 1: waits */
	struct lanes lanes;
	uint32_t *numbers; /* of its lanes */
	size_t n, cap;
};

/* In the trace, of one in this launch. */
static struct trace_place
place_of(const struct trace *t, struct trace_place place)
{
	place.group += t->groups;
	return place;
}

static void
put_track(struct trace *t, uint32_t group, uint32_t number, const char *name,
    const char *unit)
{
	struct trace_track track = {
	    place_of(t, (struct trace_place){group, number}), name, unit};

	if (t->perfetto != NULL)
		perfetto_track(t->perfetto, &track);
	else
		chrome_trace_track(t->chrome, &track);
}

/* Of a group; those of later launches are told apart. */
static void
put_group(struct trace *t, uint32_t group, const char *name)
{
	struct text full = {0};

	if (t->launch > 1)
		text_addf(&full, "Launch %u (%s): ", t->launch,
		    t->sim->config.sched->name);
	text_adds(&full, name);
	put_track(t, group, 0, text_str(&full), NULL);
	text_free(&full);
}

void
trace_put_slice(struct trace *t, const struct trace_slice *slice)
{
	struct trace_slice s = *slice;

	s.place = place_of(t, s.place);
	s.start_ns += t->past;
	s.end_ns += t->past;
	if (t->perfetto != NULL)
		perfetto_slice(t->perfetto, &s);
	else
		chrome_trace_slice(t->chrome, &s);
}

void
trace_put_instant(struct trace *t, struct trace_place place, const char *name,
    const struct trace_arg *args, size_t n_args)
{
	struct trace_instant i = {
	    .place = place_of(t, place),
	    .name = name,
	    .at_ns = t->past + t->sim->now,
	    .args = args,
	    .n_args = n_args,
	};

	if (t->perfetto != NULL)
		perfetto_instant(t->perfetto, &i);
	else
		chrome_trace_instant(t->chrome, &i);
}

/* A counter has two rows of its group for each engine. */
static void
put_counter(
    struct trace *t, const struct hw_engine *e, unsigned which, int64_t value)
{
	static const char *const names[] = {"busy", "queued"};
	struct trace_counter c = {
	    .place = place_of(t,
		(struct trace_place){
		    GROUP_COUNTERS, 2u * e->index + 1 + which}),
	    .at_ns = t->past + t->counted,
	    .value = value,
	};
	char name[32];

	snprintf(name, sizeof(name), "%s %s", e->name, names[which]);
	c.name = name;
	if (t->perfetto != NULL)
		perfetto_counter(t->perfetto, &c);
	else
		chrome_trace_counter(t->chrome, &c);
}

void
trace_put_counters(struct trace *t)
{
	for (unsigned i = 0; i < t->sim->device.n_engines; i++) {
		const struct hw_engine *e = &t->sim->device.engines[i];
		struct engine_row *row = &t->engines[i];

		if (row->held != row->busy)
			put_counter(t, e, 0, row->held ? 100 : 0);
		if (e->queue_depth != row->queued)
			put_counter(t, e, 1, e->queue_depth);
		row->busy = row->held;
		row->queued = e->queue_depth;
	}
}

void
trace_begin_rows(struct trace *t)
{
	const struct device *d = &t->sim->device;
	char name[32];

	put_group(t, GROUP_ENGINES, "Engines");
	put_group(t, GROUP_WORKLOADS, "Workloads");
	put_group(t, GROUP_COUNTERS, "Load");
	for (uint32_t i = 0; i < d->n_engines; i++) {
		const char *engine = d->engines[i].name;

		put_track(t, GROUP_ENGINES, i + 1, engine, NULL);
		put_track(t, GROUP_WORKLOADS, i + 1, engine, NULL);
		snprintf(name, sizeof(name), "%s busy", engine);
		put_track(t, GROUP_COUNTERS, 2 * i + 1, name, "%");
		snprintf(name, sizeof(name), "%s queued", engine);
		put_track(t, GROUP_COUNTERS, 2 * i + 2, name, "requests");
	}
}

/* The group of a client; rows of it are numbered as they are needed. */
uint32_t
trace_client_group(struct trace *t, const struct client *c)
{
	for (; t->n_next <= c->id; t->n_next++) {
		t->next = mem_grow(
		    t->next, t->n_next, &t->cap_next, sizeof(*t->next));
		t->next[t->n_next] = 0;
	}
	if (t->next[c->id] == 0) {
		text_clear(&t->text);
		text_addf(&t->text, "Client %u", c->id);
		put_group(t, GROUP_CLIENTS + c->id, text_str(&t->text));
		t->next[c->id] = 1;
	}
	return GROUP_CLIENTS + c->id;
}

static struct rows *
rows_of(struct trace *t, const struct context *context, unsigned which)
{
	struct chain_node *node = chains_find(&t->rows, context, which);
	struct rows *rows = (struct rows *)(void *)node;

	if (rows != NULL)
		return rows;
	rows = mem_calloc(1, sizeof(*rows));
	rows->node.p = context;
	rows->node.n = which;
	chains_add(&t->rows, &rows->node);
	return rows;
}

/* A row of the context that is free from then on. */
struct trace_place
trace_free_row(struct trace *t, const struct request *rq,
    enum context_row which, nsec from, nsec to)
{
	static const char *const what[] = {"", " waits"};
	struct rows *rows = rows_of(t, rq->context, which);
	uint32_t group = trace_client_group(t, rq->client);
	bool fresh;
	uint32_t lane = lanes_take(&rows->lanes, from, to, &fresh);

	while (rows->n <= lane) {
		rows->numbers = mem_grow(
		    rows->numbers, rows->n, &rows->cap, sizeof(*rows->numbers));
		rows->numbers[rows->n++] = t->next[rq->client->id]++;
		text_clear(&t->text);
		text_addf(&t->text, "Context %u%s", rq->context->def->number,
		    what[which]);
		put_track(t, group, rows->numbers[rows->n - 1],
		    text_str(&t->text), NULL);
	}
	return (struct trace_place){group, rows->numbers[lane]};
}

static int
is_any(const struct chain_node *node, const void *with)
{
	(void)node;
	(void)with;
	return 1;
}

static void
rows_gone(struct chain_node *node)
{
	struct rows *rows = (struct rows *)(void *)node;

	lanes_free(&rows->lanes);
	free(rows->numbers);
	free(rows);
}

void
trace_forget_rows(struct trace *t)
{
	chains_sweep(&t->rows, is_any, NULL, rows_gone);
	t->groups += GROUP_CLIENTS - 1 + (uint32_t)t->n_next;
	t->n_next = 0;
}
