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
lanes_take(struct lanes *l, unsigned max, uint64_t *start_ns, uint64_t end_ns,
    bool *fresh)
{
	size_t i = lower_bound(k, 0, l->n, l->list[k].free_ns <= *start_ns);
	struct lane lane = {end_ns, (uint32_t)l->n};

	*fresh = i == 0 && (max == 0 || l->n < max);
	if (*fresh) {
		l->list = mem_grow(l->list, l->n, &l->cap, sizeof(*l->list));
		i = l->n++;
	} else {
		if (i == 0)
			*start_ns = l->list[i++].free_ns;
		lane.number = l->list[--i].number;
	}
	for (; i + 1 < l->n && l->list[i + 1].free_ns <= end_ns; i++)
		l->list[i] = l->list[i + 1];
	for (; i > 0 && l->list[i - 1].free_ns > end_ns; i--)
		l->list[i] = l->list[i - 1];
	l->list[i] = lane;
	return lane.number;
}

/* Tracks of a context, for its requests or for their waits. */
struct context_tracks {
	struct chain_node node; /* by context and enum trace_client_row */
	struct lanes lanes;
	uint32_t *numbers; /* of the tracks, by lane */
	size_t n, cap;
};

/* The place in the trace of one in this launch. */
static struct trace_place
trace_place_of(const struct trace *t, struct trace_place place)
{
	place.group += t->groups;
	if (place.number != 0)
		place.number += t->numbers;
	return place;
}

static void
put_track(struct trace *t, struct trace_place place, const char *name,
    const char *unit, uint32_t rank)
{
	struct trace_track track = {trace_place_of(t, place), name, unit, rank};

	t->writer->ops->track(t->writer, &track);
}

/* Names a group; those of later launches get the launch in front. Groups are in
 * the order of their numbers. */
static void
put_group(struct trace *t, uint32_t group, const char *name)
{
	struct text full = {0};

	if (t->launch > 1)
		text_addf(&full, "Launch %u (%s): ", t->launch,
		    t->sim->config.sched->name);
	text_adds(&full, name);
	put_track(t, (struct trace_place){group, 0}, text_str(&full), NULL,
	    t->groups + group);
	text_free(&full);
}

void
trace_put_slice(struct trace *t, const struct trace_slice *slice)
{
	struct trace_slice s = *slice;

	if (s.start_ns >= s.end_ns)
		return;
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

static const struct {
	const char *name, *unit;
} counters[N_COUNTERS] = {
    [LOAD_BUSY] = {"busy", "%"},
    [LOAD_SWITCHING] = {"switching", "%"},
    [LOAD_POLLING] = {"polling", "%"},
    [LOAD_QUEUED] = {"queued", "requests"},
};

static struct trace_place
counter_place(const struct hw_engine *e, enum trace_load which)
{
	return (struct trace_place){
	    GROUP_COUNTERS, NUMBER_COUNTERS + N_COUNTERS * e->index + which};
}

void
trace_put_counter(struct trace *t, const struct hw_engine *e,
    enum trace_load which, nsec at, double value)
{
	char name[32];
	struct trace_counter c = {
	    .place = trace_place_of(t, counter_place(e, which)),
	    .name = name,
	    .at_ns = t->past + at,
	    .value = value,
	};

	snprintf(name, sizeof(name), "%s %s", e->name, counters[which].name);
	t->writer->ops->counter(t->writer, &c);
}

static void
put_engine_tracks(struct trace *t, const struct hw_engine *e)
{
	struct trace_place place = trace_engine_row(e);
	char name[32];

	put_track(t, place, e->name, NULL, e->index);
	place = (struct trace_place){
	    GROUP_WORKLOADS, NUMBER_WORKLOADS + e->index};
	put_track(t, place, e->name, NULL, e->index);
	for (unsigned i = 0; i < N_COUNTERS; i++) {
		place = counter_place(e, i);
		snprintf(
		    name, sizeof(name), "%s %s", e->name, counters[i].name);
		put_track(t, place, name, counters[i].unit, place.number);
	}
}

void
trace_begin_rows(struct trace *t)
{
	if (t->launch == 1)
		t->writer->ops->track(
		    t->writer, &(struct trace_track){.name = "gpuwl-top"});
	put_group(t, GROUP_ENGINES, "Engines");
	put_group(t, GROUP_WORKLOADS, "Workloads");
	put_group(t, GROUP_COUNTERS, "Load");
	put_group(t, GROUP_RUN, "Run");
	for (uint32_t i = 0; i < t->sim->device.n_engines; i++)
		put_engine_tracks(t, &t->sim->device.engines[i]);
	put_track(
	    t, (struct trace_place){GROUP_RUN, NUMBER_RUN}, "Launch", NULL, 0);
	t->next_number = NUMBER_CLIENTS;
}

struct client_rows *
trace_client(struct trace *t, const struct client *c)
{
	for (; t->n_clients <= c->id; t->n_clients++) {
		t->clients = mem_grow(t->clients, t->n_clients, &t->cap_clients,
		    sizeof(*t->clients));
		t->clients[t->n_clients] = (struct client_rows){0};
	}
	return &t->clients[c->id];
}

/* Adds a track to the group of a client. Returns its number. */
static uint32_t
add_client_track(
    struct trace *t, const struct client *c, const char *name, uint32_t rank)
{
	struct client_rows *rows = trace_client(t, c);
	struct trace_place place = {GROUP_CLIENTS + c->id, t->next_number++};
	struct text group = {0};

	if (!rows->named) {
		rows->named = true;
		trace_name_client(t, c, &group);
		put_group(t, place.group, text_str(&group));
		text_free(&group);
	}
	put_track(t, place, name, NULL, rank);
	return place.number;
}

struct trace_place
trace_client_row(
    struct trace *t, const struct client *c, enum trace_client_row which)
{
	static const char *const names[N_CLIENT_ROWS] = {"Periods", "Misses"};
	uint32_t *number = &trace_client(t, c)->numbers[which];

	if (*number == 0)
		*number = add_client_track(t, c, names[which], which);
	return (struct trace_place){GROUP_CLIENTS + c->id, *number};
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

static uint32_t
add_context_track(
    struct trace *t, const struct context *context, enum trace_client_row which)
{
	struct text name = {0};
	uint32_t number;

	trace_name_context(context, &name);
	if (which == ROW_WAITS)
		text_adds(&name, " waits");
	number = add_client_track(t, context->client, text_str(&name),
	    2 * context->def->number + (uint32_t)which);
	text_free(&name);
	return number;
}

void
trace_choose_row(struct trace *t, const struct request *rq,
    enum trace_client_row which, struct trace_slice *s)
{
	struct context_tracks *c = context_tracks_of(t, rq->context, which);
	bool fresh;
	uint32_t lane = lanes_take(&c->lanes, t->writer->ops->max_lanes,
	    &s->start_ns, s->end_ns, &fresh);

	if (fresh) {
		c->numbers = mem_grow(
		    c->numbers, c->n, &c->cap, sizeof(*c->numbers));
		c->numbers[c->n++] = add_context_track(t, rq->context, which);
	}
	s->place = (struct trace_place){
	    GROUP_CLIENTS + rq->client->id, c->numbers[lane]};
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
	t->groups += GROUP_CLIENTS - 1 + (uint32_t)t->n_clients;
	t->numbers += t->next_number;
	for (size_t i = 0; i < t->n_clients; i++)
		free(t->clients[i].iterations);
	t->n_clients = 0;
}
