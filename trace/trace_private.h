/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside a trace: its tracks, its flows, and what is written of them. */
#ifndef TRACE_TRACE_PRIVATE_H
#define TRACE_TRACE_PRIVATE_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/text.h"
#include "trace/layer.h"
#include "trace/outputs.h"
#include "trace/trace_writer.h"

/*
 * Lanes: tracks for slices that overlap. Each slice, in the order of their
 * ends, gets a lane that is free from its start on. There are as many lanes as
 * slices were ever open at a time.
 */

struct lane;

struct lanes {
	struct lane *list; /* the one that is free first is first */
	size_t n, cap;
};

void lanes_free(struct lanes *l);
/* The number of a lane, from 0; *fresh: it was never used before. */
uint32_t lanes_take(
    struct lanes *l, uint64_t start_ns, uint64_t end_ns, bool *fresh);

/*
 * Flows between requests that have not ended: arrows from the slice in which
 * one signals (ends, or starts) to the slice in which the waiting one begins.
 * Each has an id of its own. Requests are named by their seq; times are ns.
 */

/* Zeroed: none. */
struct arrows {
	struct chains ends; /* requests that have arrows, by seq */
	uint64_t last;      /* id given */
	/* Arrows that begin in the last slice, and that end there. */
	uint64_t *from, *to;
	size_t n_from, cap_from, n_to, cap_to;
};

void arrows_free(struct arrows *a);
/* Forgets all requests; ids go on. */
void arrows_forget(struct arrows *a);
/* Notes that waiter, submitted now, waits for the end (or the start) of
 * signaler. */
void arrows_add(
    struct arrows *a, uint64_t waiter, uint64_t signaler, bool for_start);
/* Notes that the request runs from now on. */
void arrows_runs(struct arrows *a, uint64_t seq, uint64_t now);
/* A slice of the request that began at start ends now: sets from and to. last:
 * the request ends with it. A slice without length has no arrows. */
void arrows_slice(
    struct arrows *a, uint64_t seq, uint64_t start, uint64_t now, bool last);
/* Drops a request that has ended. */
void arrows_gone(struct arrows *a, uint64_t seq);

/* Groups of tracks of each launch; each client has one of its own, from
 * GROUP_CLIENTS on. The track of an engine is one more than its index. */
enum trace_group {
	GROUP_ENGINES = 1,
	GROUP_WORKLOADS,
	GROUP_COUNTERS,
	GROUP_CLIENTS
};

enum trace_context_row { ROW_REQUESTS, ROW_WAITS };

/* An engine's tracks. */
struct engine_row {
	struct request *rq; /* that runs; NULL: none */
	nsec began;         /* its slice */
	bool held;          /* a request has the engine, running or not */
	/* Values of the counters as the file has them. */
	bool busy;
	uint32_t queued;
};

struct trace {
	struct output output;
	struct observer observer;
	struct layer_listener listener;
	struct trace_writer *writer; /* NULL: nothing was watched so far */
	struct trace_writer *(*new_writer)(int fd, uint64_t now_ns);
	int fd;
	struct sim *sim; /* NULL: none is watched */
	struct layer *layer;
	nsec past;          /* virtual time of earlier launches */
	unsigned launch;    /* from 1 */
	uint32_t groups;    /* of earlier launches */
	struct chains rows; /* of contexts */
	uint32_t *next; /* free number in the group of a client; 0: no group */
	size_t n_next, cap_next;
	struct arrows arrows;
	nsec counted; /* time of which the counters are */
	struct engine_row engines[DEVICE_MAX_ENGINES];
	struct text text;
};

/* Places and times are those of the launch. */
void trace_put_slice(struct trace *t, const struct trace_slice *s);
/* An instant at the simulation's time. */
void trace_put_instant(struct trace *t, struct trace_place place,
    const char *name, const struct trace_arg *args, size_t n_args);
/* Writes the counters that have changed, as of t->counted. */
void trace_put_counters(struct trace *t);

/* Names the tracks of engines. */
void trace_begin_rows(struct trace *t);
/* Forgets the tracks of clients: the next launch has others. */
void trace_forget_rows(struct trace *t);
static inline struct trace_place
trace_engine_row(const struct hw_engine *e)
{
	return (struct trace_place){GROUP_ENGINES, e->index + 1u};
}
/* The group of a client. Its tracks are numbered as they are needed. */
uint32_t trace_client_group(struct trace *t, const struct client *c);
/* A track of the request's context for a slice, free from then on. */
struct trace_place trace_free_row(struct trace *t, const struct request *rq,
    enum trace_context_row which, nsec from, nsec to);

#endif
