/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside a trace: its rows, and what of it is written. */
#ifndef TRACE_TRACE_PART_H
#define TRACE_TRACE_PART_H

#include "base/hash.h"
#include "base/text.h"
#include "trace/arrows.h"
#include "trace/chrome_trace.h"
#include "trace/layer.h"
#include "trace/perfetto_writer.h"

/* Groups of rows, of each launch; a client has one of its own, from
 * GROUP_CLIENTS on. Rows of an engine: one more than its index. */
enum trace_group {
	GROUP_ENGINES = 1,
	GROUP_WORKLOADS,
	GROUP_COUNTERS,
	GROUP_CLIENTS
};

enum context_row { ROW_REQUESTS, ROW_WAITS };

/* What the file says of an engine. */
struct engine_row {
	struct request *rq; /* whose batch runs there; NULL */
	nsec began;
	bool held; /* by somebody, now */
	/* As the file has them. */
	bool busy;
	uint32_t queued;
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
	struct chains rows;          /* of contexts */
	uint32_t *next; /* free number in the group of a client; 0: no group */
	size_t n_next, cap_next;
	struct arrows arrows;
	nsec counted; /* counters are as of then */
	struct engine_row engines[DEVICE_MAX_ENGINES];
	struct text text;
};

/* Places and times are those of this launch. */
void trace_put_slice(struct trace *t, const struct trace_slice *s);
/* Now. */
void trace_put_instant(struct trace *t, struct trace_place place,
    const char *name, const struct trace_arg *args, size_t n_args);
/* What the last instant, t->counted, has changed. */
void trace_put_counters(struct trace *t);

/* Names the rows of engines. */
void trace_begin_rows(struct trace *t);
/* The next launch has others. */
void trace_forget_rows(struct trace *t);
static inline struct trace_place
trace_engine_row(const struct hw_engine *e)
{
	return (struct trace_place){GROUP_ENGINES, e->index + 1u};
}
/* The group of a client; rows of it are numbered as they are needed. */
uint32_t trace_client_group(struct trace *t, const struct client *c);
/* A row of the request's context that is free from then on. */
struct trace_place trace_free_row(struct trace *t, const struct request *rq,
    enum context_row which, nsec from, nsec to);

/* The listener's: a workload has run. */
void trace_interval(
    struct layer_listener *l, const struct layer_interval *interval);

#endif
