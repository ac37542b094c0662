/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See trace.h. */
#include "tui/layer/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/hang/hang.h"
#include "layerstream/workload.h"
#include "parser/mem.h"
#include "parser/text.h"
#include "tui/export/chrome_trace.h"
#include "tui/export/lanes.h"
#include "tui/export/perfetto_writer.h"
#include "tui/layer/chains.h"
#include "tui/layer/merged.h"

/* Groups of rows, of each launch; a client has one of its own, from
 * GROUP_CLIENTS on. Rows of an engine: one more than its index. */
enum { GROUP_ENGINES = 1, GROUP_WORKLOADS, GROUP_COUNTERS, GROUP_CLIENTS };

/* Rows of a context. */
struct rows {
	struct chain_node node; /* by context, and 0: requests, 1: waits */
	struct lanes lanes;
	uint32_t *numbers; /* of its lanes */
	size_t n, cap;
};

struct trace {
	struct observer observer;
	struct layer_listener listener;
	struct sim *sim; /* NULL: none is watched */
	struct layer *layer;
	nsec past;                   /* of the launches before */
	unsigned launch;             /* from 1 */
	uint32_t groups;             /* of the launches before */
	struct perfetto *perfetto;   /* the one or */
	struct chrome_trace *chrome; /* the other */
	struct chains rows;
	uint32_t *next; /* free number in the group of a client; 0: no group */
	size_t n_next, cap_next;
	nsec began[DEVICE_MAX_ENGINES]; /* the request on it */
	struct text text;
};

static struct trace *
trace_of(struct observer *o)
{
	return (struct trace *)((char *)o - offsetof(struct trace, observer));
}

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

static void
put_slice(struct trace *t, const struct trace_slice *slice)
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

static void
put_instant(struct trace *t, struct trace_place place, const char *name)
{
	struct trace_instant i = {
	    .place = place_of(t, place),
	    .name = name,
	    .at_ns = t->past + t->sim->now,
	};

	if (t->perfetto != NULL)
		perfetto_instant(t->perfetto, &i);
	else
		chrome_trace_instant(t->chrome, &i);
}

static struct trace_place
engine_row(const struct hw_engine *e)
{
	return (struct trace_place){GROUP_ENGINES, e->index + 1u};
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
	    .at_ns = t->past + t->sim->now,
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

static void
put_engine_tracks(struct trace *t)
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
static uint32_t
client_group(struct trace *t, const struct client *c)
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
static struct trace_place
free_row(struct trace *t, const struct request *rq, unsigned which, nsec from,
    nsec to)
{
	static const char *const what[] = {"", " waits"};
	struct rows *rows = rows_of(t, rq->context, which);
	uint32_t group = client_group(t, rq->client);
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

static void
put_request(struct trace *t, const struct request *rq, struct trace_slice *s)
{
	const struct trace_arg args[] = {
	    {"client", NULL, rq->client->id},
	    {"context", NULL, rq->context->def->number},
	    {"step", NULL, rq->step},
	    {"iteration", NULL, (int64_t)rq->iteration},
	    {"request", NULL, (int64_t)rq->seq},
	    {"priority", NULL, rq->priority},
	    {"error", NULL, rq->finished.error},
	};
	char name[64];

	snprintf(name, sizeof(name), "client %u context %u step %u",
	    rq->client->id, rq->context->def->number, rq->step);
	s->name = name;
	s->args = args;
	s->n_args = sizeof(args) / sizeof(*args) - (s->end_ns == 0);
	put_slice(t, s);
}

static void
on_took(struct observer *o, const struct hw_engine *e, struct request *rq,
    const struct switching *cost)
{
	struct trace *t = trace_of(o);

	(void)rq;
	(void)cost;
	put_counter(t, e, 0, 100);
	put_counter(t, e, 1, e->queued);
}

static void
on_began(struct observer *o, struct request *rq)
{
	trace_of(o)->began[rq->engine->index] = trace_of(o)->sim->now;
}

static void
on_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	struct trace *t = trace_of(o);
	struct trace_slice s = {
	    .place = engine_row(e),
	    .start_ns = t->began[e->index],
	    .end_ns = t->sim->now,
	};

	(void)by;
	if (s.start_ns != NSEC_NEVER && s.start_ns < s.end_ns)
		put_request(t, rq, &s);
	t->began[e->index] = NSEC_NEVER;
	if (why == LEAVING_PREEMPTED)
		put_instant(t, engine_row(e), "preempted");
	put_counter(t, e, 0, 0);
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);
	struct trace_slice s = {
	    .start_ns = rq->submit_ns, .end_ns = t->sim->now};
	nsec ready = fence_time(&rq->queued);

	if (s.start_ns == s.end_ns)
		return;
	if (ready != NSEC_NEVER && ready > rq->submit_ns) {
		struct trace_slice wait = {
		    .start_ns = rq->submit_ns, .end_ns = ready};

		wait.place = free_row(t, rq, 1, wait.start_ns, wait.end_ns);
		put_request(t, rq, &wait);
	}
	s.place = free_row(t, rq, 0, s.start_ns, s.end_ns);
	put_request(t, rq, &s);
}

static void
on_missed(struct observer *o, struct client *c, nsec due)
{
	struct trace *t = trace_of(o);

	(void)due;
	put_instant(
	    t, (struct trace_place){client_group(t, c), 0}, "period missed");
}

static void
on_hung(struct observer *o, const struct hang *hang)
{
	struct trace *t = trace_of(o);

	text_clear(&t->text);
	text_addf(&t->text, "hang: %s", hang_cause_name(hang->cause));
	put_instant(t, engine_row(hang->engine), text_str(&t->text));
}

static const struct {
	enum stage_stream stream;
	enum stage_kind stage;
} stages[N_WORKLOAD_TYPES] = {
    [WORKLOAD_DISPATCH] = {STREAM_COMPUTE, STAGE_COMPUTE},
    [WORKLOAD_TRACERAYS] = {STREAM_COMPUTE, STAGE_TRACE_RAYS},
    [WORKLOAD_BUFFER_TRANSFER] = {STREAM_TRANSFER, STAGE_COPY_BUFFER},
    [WORKLOAD_IMAGE_TRANSFER] = {STREAM_TRANSFER, STAGE_COPY_IMAGE},
};

static void
choose_stage(const struct layer_interval *i, struct render_stage *s)
{
	const struct workload_info *info = &i->workload->info;

	s->stream = stages[info->type].stream;
	s->stage = stages[info->type].stage;
	if (i->part == LAYER_BINNING) {
		s->stream = STREAM_BINNING;
		s->stage = STAGE_BINNING;
	} else if (i->part == LAYER_MAIN) {
		s->stream = STREAM_MAIN;
		s->stage = STAGE_MAIN;
	} else if (info->transfer == TRANSFER_FILL_BUFFER) {
		s->stage = STAGE_FILL_BUFFER;
	} else if (info->transfer == TRANSFER_CLEAR_IMAGE) {
		s->stage = STAGE_CLEAR_IMAGE;
	}
}

static void
put_stage(struct trace *t, const struct layer_interval *i)
{
	struct render_stage s = {
	    .instance = i->engine->index,
	    .start_ns = t->past + i->start,
	    .end_ns = t->past + i->end,
	    .tag = i->tag,
	    .submission = (uint32_t)i->submit,
	    .context = i->request->context->def->number,
	};

	choose_stage(i, &s);
	perfetto_stage(t->perfetto, &s);
}

static void
on_interval(struct layer_listener *l, const struct layer_interval *i)
{
	struct trace *t =
	    (struct trace *)((char *)l - offsetof(struct trace, listener));
	const struct trace_arg args[] = {
	    {"tag", NULL, (int64_t)i->tag},
	    {"submit", NULL, (int64_t)i->submit},
	    {"request", NULL, (int64_t)i->request->seq},
	    {"labels", i->labels, 0},
	};
	struct trace_slice s = {
	    .place = {GROUP_WORKLOADS, i->engine->index + 1u},
	    .start_ns = i->start,
	    .end_ns = i->end,
	    .args = args,
	    .n_args = sizeof(args) / sizeof(*args),
	};

	if (i->part == LAYER_NOTHING)
		return;
	text_clear(&t->text);
	merged_line(i, &t->text);
	s.name = text_str(&t->text);
	put_slice(t, &s);
	if (t->perfetto != NULL)
		put_stage(t, i);
}

struct trace *
trace_new(int fd, enum trace_format format, nsec now)
{
	struct trace *t = mem_calloc(1, sizeof(*t));

	if (format == TRACE_PERFETTO)
		t->perfetto = perfetto_new(fd, now);
	else
		t->chrome = chrome_trace_new(fd);
	t->observer.took = on_took;
	t->observer.began = on_began;
	t->observer.left = on_left;
	t->observer.ended = on_ended;
	t->observer.missed = on_missed;
	t->observer.hung = on_hung;
	t->listener.interval = on_interval;
	return t;
}

void
trace_watch(struct trace *t, struct sim *sim, struct layer *l)
{
	t->sim = sim;
	t->layer = l;
	t->past = layer_past(l);
	t->launch++;
	for (size_t i = 0; i < DEVICE_MAX_ENGINES; i++)
		t->began[i] = NSEC_NEVER;
	put_engine_tracks(t);
	sim_add_observer(sim, &t->observer);
	layer_listen(l, &t->listener);
}

void
trace_flush(struct trace *t)
{
	if (t->perfetto != NULL)
		perfetto_flush(t->perfetto);
	else
		chrome_trace_flush(t->chrome);
}

uint64_t
trace_bytes(const struct trace *t)
{
	return t->perfetto != NULL ? perfetto_bytes(t->perfetto)
				   : chrome_trace_bytes(t->chrome);
}

int
trace_error(const struct trace *t)
{
	return t->perfetto != NULL ? perfetto_error(t->perfetto)
				   : chrome_trace_error(t->chrome);
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
trace_leave(struct trace *t)
{
	sim_remove_observer(t->sim, &t->observer);
	layer_unlisten(t->layer, &t->listener);
	chains_sweep(&t->rows, is_any, NULL, rows_gone);
	t->groups += GROUP_CLIENTS + (uint32_t)t->n_next;
	t->n_next = 0;
	t->sim = NULL;
}

int
trace_end(struct trace *t)
{
	int error = t->perfetto != NULL ? perfetto_free(t->perfetto)
					: chrome_trace_free(t->chrome);

	chains_free(&t->rows);
	text_free(&t->text);
	free(t->next);
	free(t);
	return error;
}
