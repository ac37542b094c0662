/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tracks of a trace: their names and numbers, in groups that differ from
 * launch to launch, and which track of a context is free for a slice.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/trace_private.h"

struct lane {
	uint64_t free_ns; /* from then on */
	uint32_t number;
};

void
lanes_free(struct lanes *l)
{
	free(l->list);
	*l = (struct lanes){0};
}

/* Takes the free lane that was used last: the others are left for slices that
 * began earlier and end later. */
uint32_t
lanes_take(struct lanes *l, uint64_t start_ns, uint64_t end_ns, bool *fresh)
{
	size_t i = lower_bound(k, 0, l->n, l->list[k].free_ns <= start_ns);
	struct lane lane = {end_ns, (uint32_t)l->n};

	*fresh = i == 0;
	if (*fresh) {
		l->list = mem_grow(l->list, l->n, &l->cap, sizeof(*l->list));
		i = l->n++;
	} else
		lane.number = l->list[--i].number;
	for (; i + 1 < l->n && l->list[i + 1].free_ns <= end_ns; i++)
		l->list[i] = l->list[i + 1];
	for (; i > 0 && l->list[i - 1].free_ns > end_ns; i--)
		l->list[i] = l->list[i - 1];
	l->list[i] = lane;
	return lane.number;
}

/* Tracks of a context, for its requests or for their waits. */
struct context_tracks {
	struct chain_node node; /* by context and enum trace_context_row */
	struct lanes lanes;
	uint32_t *numbers; /* of the tracks, by lane */
	size_t n, cap;
};

/* The place in the trace of one in this launch. */
static struct trace_place
trace_place_of(const struct trace *t, struct trace_place place)
{
	place.group += t->groups;
	return place;
}

static void
put_track(struct trace *t, uint32_t group, uint32_t number, const char *name,
    const char *unit)
{
	struct trace_track track = {
	    trace_place_of(t, (struct trace_place){group, number}), name, unit};

	t->writer->ops->track(t->writer, &track);
}

/* Names a group; those of later launches get the launch in front. */
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

	s.place = trace_place_of(t, s.place);
	s.start_ns += t->past;
	s.end_ns += t->past;
	t->writer->ops->slice(t->writer, &s);
}

void
trace_put_instant(struct trace *t, struct trace_place place, const char *name,
    const struct trace_arg *args, size_t n_args)
{
	struct trace_instant i = {
	    .place = trace_place_of(t, place),
	    .name = name,
	    .at_ns = t->past + t->sim->now,
	    .args = args,
	    .n_args = n_args,
	};

	t->writer->ops->instant(t->writer, &i);
}

/* Each engine has two counters; which is 0 for busy, 1 for queued. */
static void
put_counter(
    struct trace *t, const struct hw_engine *e, unsigned which, int64_t value)
{
	static const char *const names[] = {"busy", "queued"};
	struct trace_counter c = {
	    .place = trace_place_of(t,
		(struct trace_place){
		    GROUP_COUNTERS, 2u * e->index + 1 + which}),
	    .at_ns = t->past + t->counted,
	    .value = value,
	};
	char name[32];

	snprintf(name, sizeof(name), "%s %s", e->name, names[which]);
	c.name = name;
	t->writer->ops->counter(t->writer, &c);
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

static struct context_tracks *
context_tracks_of(
    struct trace *t, const struct context *context, unsigned which)
{
	struct chain_node *node = chains_find(&t->rows, context, which);
	struct context_tracks *c = (struct context_tracks *)(void *)node;

	if (c != NULL)
		return c;
	c = mem_calloc(1, sizeof(*c));
	c->node.p = context;
	c->node.n = which;
	chains_add(&t->rows, &c->node);
	return c;
}

struct trace_place
trace_free_row(struct trace *t, const struct request *rq,
    enum trace_context_row which, nsec from, nsec to)
{
	static const char *const suffixes[] = {"", " waits"};
	struct context_tracks *c = context_tracks_of(t, rq->context, which);
	uint32_t group = trace_client_group(t, rq->client);
	bool fresh;
	uint32_t lane = lanes_take(&c->lanes, from, to, &fresh);

	while (c->n <= lane) {
		c->numbers = mem_grow(
		    c->numbers, c->n, &c->cap, sizeof(*c->numbers));
		c->numbers[c->n++] = t->next[rq->client->id]++;
		text_clear(&t->text);
		text_addf(&t->text, "Context %u%s", rq->context->def->number,
		    suffixes[which]);
		put_track(
		    t, group, c->numbers[c->n - 1], text_str(&t->text), NULL);
	}
	return (struct trace_place){group, c->numbers[lane]};
}

static void
context_tracks_free(struct chain_node *node)
{
	struct context_tracks *c = (struct context_tracks *)(void *)node;

	lanes_free(&c->lanes);
	free(c->numbers);
	free(c);
}

void
trace_forget_rows(struct trace *t)
{
	chains_sweep(&t->rows, NULL, NULL, context_tracks_free);
	t->groups += GROUP_CLIENTS - 1 + (uint32_t)t->n_next;
	t->n_next = 0;
}
