/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A group is a process, a row a thread: what the format has. */
#include "trace/chrome_trace.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "trace/sink.h"

/* So that an event fits on a page (sink.h); who shows them shows less. */
#define NAME_MAX_BYTES 1000
#define TEXT_MAX_BYTES 2000
#define FLOW_CATEGORY  "fence" /* flows are told apart by category and name */

struct chrome_trace {
	struct sink out;
	struct text event; /* that is made */
	bool any;
};

struct chrome_trace *
chrome_trace_new(int fd)
{
	struct chrome_trace *c = mem_calloc(1, sizeof(*c));

	sink_init(&c->out, fd, "\n]\n");
	sink_add(&c->out, "[", 1);
	sink_flush(&c->out);
	return c;
}

static void
key(struct chrome_trace *c, const char *name)
{
	text_adds(&c->event, ",\"");
	text_adds(&c->event, name);
	text_adds(&c->event, "\":");
}

static void
put_count(struct chrome_trace *c, const char *name, uint64_t n)
{
	key(c, name);
	text_add_count(&c->event, n);
}

static void
put_string(struct chrome_trace *c, const char *name, const char *s)
{
	key(c, name);
	json_add_short(&c->event, s, NAME_MAX_BYTES);
}

static void
put_time(struct chrome_trace *c, const char *name, uint64_t ns)
{
	key(c, name);
	text_add_us(&c->event, ns);
}

static void
begin(struct chrome_trace *c, char phase, struct trace_place place)
{
	text_clear(&c->event);
	text_adds(&c->event, c->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	text_addc(&c->event, phase);
	text_addc(&c->event, '"');
	put_count(c, "pid", place.group);
	put_count(c, "tid", place.number);
	c->any = true;
}

static void
end(struct chrome_trace *c)
{
	text_addc(&c->event, '}');
	sink_add(&c->out, c->event.data, c->event.len);
}

static void
put_args(struct chrome_trace *c, const struct trace_arg *args, size_t n)
{
	if (n == 0)
		return;
	key(c, "args");
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

/* Of a group its name; of a counter nothing: events name it. */
void
chrome_trace_track(struct chrome_trace *c, const struct trace_track *t)
{
	struct trace_arg name = {.name = "name", .text = t->name};
	struct trace_arg order = {
	    .name = "sort_index", .number = (int64_t)t->place.number};
	bool group = t->place.number == 0;

	if (t->unit != NULL)
		return;
	if (group)
		order.number = t->place.group;
	begin(c, 'M', t->place);
	put_string(c, "name", group ? "process_name" : "thread_name");
	put_args(c, &name, 1);
	end(c);
	begin(c, 'M', t->place);
	put_string(
	    c, "name", group ? "process_sort_index" : "thread_sort_index");
	put_args(c, &order, 1);
	end(c);
}

/* Belongs to the slice that is open there at its time. */
static void
add_flow(struct chrome_trace *c, const struct trace_slice *s, char phase,
    uint64_t id)
{
	begin(c, phase, s->place);
	put_string(c, "cat", FLOW_CATEGORY);
	put_string(c, "name", FLOW_CATEGORY);
	put_count(c, "id", id);
	put_time(c, "ts", s->start_ns);
	put_string(c, "bp", "e");
	end(c);
}

void
chrome_trace_slice(struct chrome_trace *c, const struct trace_slice *s)
{
	begin(c, 'X', s->place);
	put_time(c, "ts", s->start_ns);
	put_time(c, "dur", s->end_ns - s->start_ns);
	put_string(c, "name", s->name);
	put_args(c, s->args, s->n_args);
	end(c);
	for (size_t i = 0; i < s->n_from; i++)
		add_flow(c, s, 's', s->from[i]);
	for (size_t i = 0; i < s->n_to; i++)
		add_flow(c, s, 'f', s->to[i]);
}

void
chrome_trace_instant(struct chrome_trace *c, const struct trace_instant *i)
{
	begin(c, 'i', i->place);
	put_time(c, "ts", i->at_ns);
	put_string(c, "s", "t");
	put_string(c, "name", i->name);
	put_args(c, i->args, i->n_args);
	end(c);
}

void
chrome_trace_counter(
    struct chrome_trace *c, const struct trace_counter *counter)
{
	struct trace_arg value = {.name = "value", .number = counter->value};

	begin(c, 'C', counter->place);
	put_time(c, "ts", counter->at_ns);
	put_string(c, "name", counter->name);
	put_args(c, &value, 1);
	end(c);
}

void
chrome_trace_flush(struct chrome_trace *c)
{
	sink_flush(&c->out);
}

uint64_t
chrome_trace_bytes(const struct chrome_trace *c)
{
	return c->out.total;
}

int
chrome_trace_error(const struct chrome_trace *c)
{
	return c->out.error;
}

int
chrome_trace_free(struct chrome_trace *c)
{
	int error = sink_close(&c->out);

	text_free(&c->event);
	free(c);
	return error;
}
