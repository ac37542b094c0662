/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chrome's trace events. The format knows processes and threads only: a group
 * of tracks is a process, a track a thread.
 */
#include "trace/trace_writer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"

/* An event has to fit on a page (sink.h); viewers show less than this. */
#define NAME_MAX_BYTES 1000
#define TEXT_MAX_BYTES 2000
#define FLOW_CATEGORY                                                          \
	"fence" /* category and name identify a flow, with its id */

struct chrome {
	struct trace_writer writer;
	struct text event; /* being built */
	bool any;          /* an event was written */
};

static void
chrome_count(struct chrome *c, const char *name, uint64_t n)
{
	json_add_key(&c->event, name);
	text_add_count(&c->event, n);
}

static void
chrome_string(struct chrome *c, const char *name, const char *s)
{
	json_add_key(&c->event, name);
	json_add_short(&c->event, s, NAME_MAX_BYTES);
}

static void
chrome_time(struct chrome *c, const char *name, uint64_t ns)
{
	json_add_key(&c->event, name);
	text_add_us(&c->event, ns);
}

/* Threads have numbers of their own, apart from those of processes: viewers know
 * a thread by its number alone. */
#define FIRST_THREAD 10000000u
#define MOST_LANES   8 /* a viewer draws each */

static void
chrome_begin(struct chrome *c, char phase, struct trace_place place)
{
	text_clear(&c->event);
	text_adds(&c->event, c->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	text_addc(&c->event, phase);
	text_addc(&c->event, '"');
	chrome_count(c, "pid", place.group);
	chrome_count(c, "tid",
	    place.number == 0 ? place.group : FIRST_THREAD + place.number);
	c->any = true;
}

static void
chrome_end(struct chrome *c)
{
	text_addc(&c->event, '}');
	sink_add(&c->writer.out, c->event.data, c->event.len);
}

static void
chrome_args(struct chrome *c, const struct trace_arg *args, size_t n)
{
	if (n == 0)
		return;
	json_add_key(&c->event, "args");
	for (size_t i = 0; i < n && i < TRACE_MAX_ARGS; i++) {
		text_addc(&c->event, i == 0 ? '{' : ',');
		json_add_string(
		    &c->event, args[i].name, strlen(args[i].name), false);
		text_addc(&c->event, ':');
		if (args[i].text != NULL)
			json_add_short(&c->event, args[i].text, TEXT_MAX_BYTES);
		else
			text_add_number(&c->event, args[i].number);
	}
	text_addc(&c->event, '}');
}

/* Counters need no track: their events name them. There is no group of
 * groups. */
static void
chrome_track(struct trace_writer *w, const struct trace_track *t)
{
	struct chrome *c = (struct chrome *)w;
	struct trace_arg name = {.name = "name", .text = t->name};
	struct trace_arg order = {
	    .name = "sort_index", .number = (int64_t)t->rank};
	bool group = t->place.number == 0;

	if (t->unit != NULL || t->place.group == 0)
		return;
	chrome_begin(c, 'M', t->place);
	chrome_string(c, "name", group ? "process_name" : "thread_name");
	chrome_args(c, &name, 1);
	chrome_end(c);
	chrome_begin(c, 'M', t->place);
	chrome_string(
	    c, "name", group ? "process_sort_index" : "thread_sort_index");
	chrome_args(c, &order, 1);
	chrome_end(c);
}

/* Binds to the slice that encloses its time on its track ("bp": "e"). */
static void
chrome_flow(struct chrome *c, const struct trace_slice *s, char phase,
    uint64_t id, uint64_t at_ns)
{
	chrome_begin(c, phase, s->place);
	chrome_string(c, "cat", FLOW_CATEGORY);
	chrome_string(c, "name", FLOW_CATEGORY);
	chrome_count(c, "id", id);
	chrome_time(c, "ts", at_ns);
	chrome_string(c, "bp", "e");
	chrome_end(c);
}

static void
chrome_slice(struct trace_writer *w, const struct trace_slice *s)
{
	struct chrome *c = (struct chrome *)w;
	chrome_begin(c, 'X', s->place);
	chrome_time(c, "ts", s->start_ns);
	chrome_time(c, "dur", s->end_ns - s->start_ns);
	chrome_string(c, "name", s->name);
	chrome_args(c, s->args, s->n_args);
	chrome_end(c);
	for (size_t i = 0; i < s->n_from; i++)
		chrome_flow(c, s, 's', s->from[i],
		    i < s->n_from_start || s->start_ns == s->end_ns
			? s->start_ns
			: s->end_ns - 1);
	for (size_t i = 0; i < s->n_to; i++)
		chrome_flow(c, s, 'f', s->to[i], s->start_ns);
}

static void
chrome_instant(struct trace_writer *w, const struct trace_instant *i)
{
	struct chrome *c = (struct chrome *)w;
	chrome_begin(c, 'i', i->place);
	chrome_time(c, "ts", i->at_ns);
	chrome_string(c, "s", "t");
	chrome_string(c, "name", i->name);
	chrome_args(c, i->args, i->n_args);
	chrome_end(c);
}

static void
chrome_counter(struct trace_writer *w, const struct trace_counter *counter)
{
	struct chrome *c = (struct chrome *)w;
	chrome_begin(c, 'C', counter->place);
	chrome_time(c, "ts", counter->at_ns);
	chrome_string(c, "name", counter->name);
	text_addf(&c->event, ",\"args\":{\"value\":%.15g}", counter->value);
	chrome_end(c);
}

static int
chrome_close(struct trace_writer *w)
{
	struct chrome *c = (struct chrome *)w;
	int error = sink_close(&w->out);

	text_free(&c->event);
	free(c);
	return error;
}

struct trace_writer *
chrome_writer_new(int fd, uint64_t now_ns)
{
	static const struct trace_writer_ops ops = {
	    .max_lanes = MOST_LANES,
	    .track = chrome_track,
	    .slice = chrome_slice,
	    .instant = chrome_instant,
	    .counter = chrome_counter,
	    .close = chrome_close,
	};
	struct chrome *c = mem_calloc(1, sizeof(*c));

	(void)now_ns;
	c->writer.ops = &ops;
	sink_init(&c->writer.out, fd, "\n]\n");
	sink_add(&c->writer.out, "[", 1);
	sink_flush(&c->writer.out);
	return &c->writer;
}
