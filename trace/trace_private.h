/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside a trace: its tracks, its flows, and what is written of them. */
#ifndef TRACE_TRACE_PRIVATE_H
#define TRACE_TRACE_PRIVATE_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/text.h"
#include "trace/kernel/log.h"
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
/* The number of a lane, from 0; *fresh: it was never used before. If all of max
 * lanes (0: no limit) are in use then, *start_ns becomes the time at which the
 * first is free. */
uint32_t lanes_take(struct lanes *l, unsigned max, uint64_t *start_ns,
    uint64_t end_ns, bool *fresh);

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
	size_t n_from, n_from_start, cap_from, n_to, cap_to;
	/* The render stages that a request, by its seq, has waited for. */
	uint64_t waiter, *stages;
	size_t n_stages, cap_stages;
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
/* Notes a render stage of the request, for those that wait for its end. */
void arrows_stage(struct arrows *a, uint64_t seq, uint64_t stage);
/* Returns the ids of the render stages that the request, whose slice was the
 * last of arrows_slice(), has waited for; none the second time. */
const uint64_t *arrows_take_stages(struct arrows *a, uint64_t seq, size_t *n);
/* A slice of the request that began at start ends now: sets from and to. last:
 * the request ends with it. A slice without length has no arrows. */
void arrows_slice(
    struct arrows *a, uint64_t seq, uint64_t start, uint64_t now, bool last);
/* Drops a request that has ended. */
void arrows_gone(struct arrows *a, uint64_t seq);

/* Groups of tracks of each launch; each client has one of its own, from
 * GROUP_CLIENTS on. */
enum trace_group {
	GROUP_ENGINES = 1,
	GROUP_WORKLOADS,
	GROUP_COUNTERS,
	GROUP_RUN,
	GROUP_CLIENTS
};

/* Numbers of tracks: of engine 0, the others follow, and of clients from
 * NUMBER_CLIENTS on. */
enum trace_number {
	NUMBER_ENGINES = 1,
	NUMBER_WORKLOADS = NUMBER_ENGINES + DEVICE_MAX_ENGINES,
	NUMBER_RUN = NUMBER_WORKLOADS + DEVICE_MAX_ENGINES,
	NUMBER_COUNTERS,
	NUMBER_CLIENTS = NUMBER_COUNTERS + 4 * DEVICE_MAX_ENGINES,
};

/* The counters of an engine. */
enum trace_load {
	LOAD_BUSY, /* percent of the window that it was held */
	LOAD_SWITCHING,
	LOAD_POLLING,
	N_LOADS,
	LOAD_QUEUED = N_LOADS, /* ready requests, at an instant */
	N_COUNTERS
};

/* Rows of a client. */
enum trace_client_row {
	ROW_PERIODS,
	ROW_MISSES,
	N_CLIENT_ROWS,
	/* And of each context of it: */
	ROW_REQUESTS = N_CLIENT_ROWS,
	ROW_WAITS,
	N_ROWS
};

/* An engine's tracks. */
struct engine_row {
	struct request *rq; /* that runs; NULL: none */
	nsec began;         /* its slice; NSEC_NEVER: none runs */
	/* A request has the engine, running or not: since when, without the
	 * completion of the one before; NSEC_NEVER: none. */
	nsec held;
	nsec waits; /* since when its batch polls memory; NSEC_NEVER:
			       not */
	/* The time before its slice in which its batch polled memory, which is
	 * not written yet; poll_from NSEC_NEVER: none. */
	nsec poll_from, poll_to;
	nsec polled;        /* since when it polled; NSEC_NEVER: not */
	nsec sema_ns;       /* the engine's, when the request took it */
	nsec counted;       /* up to when its time is in sums */
	nsec sums[N_LOADS]; /* in the window of counters */
	/* Values as the file has them. */
	double loads[N_LOADS];
	uint32_t queued;
};

/* An iteration of a client: when it began, and its period, 0 for none. */
struct iteration {
	nsec started_ns, period_ns;
};

/* A client's tracks. */
struct client_rows {
	bool named;                      /* its group is written */
	uint32_t numbers[N_CLIENT_ROWS]; /* 0: not yet */
	nsec late_ns; /* of the iteration that misses its period; 0 */
	/* From iteration `first` on. */
	struct iteration *iterations;
	uint64_t first;
	size_t n, cap;
};

/* A step of a client, in words. Strings may be "". */
struct step_words {
	struct chain_node node; /* by program; client and step */
	const struct program *program;
	char *name; /* of its requests, on all tracks */
	char *at;   /* file and line: "layer.wsim:24" */
	char *text; /* of the line */
};

#define N_OUTSIDE_WORDS 4

struct trace {
	struct output output;
	struct observer observer;
	struct layer_listener listener;
	struct trace_writer *writer; /* NULL: nothing was watched so far */
	struct trace_writer *(*new_writer)(int fd, uint64_t now_ns);
	int fd;
	struct sim *sim; /* NULL: none is watched */
	struct layer *layer;
	const struct output_texts *texts; /* NULL: none are known */
	nsec past;                        /* virtual time of earlier launches */
	unsigned launch;                  /* from 1 */
	uint32_t groups, numbers;         /* of earlier launches */
	struct chains rows;               /* of contexts */
	struct chains words;              /* of steps */
	struct step_words outside[N_OUTSIDE_WORDS];
	unsigned next_outside;
	struct client_rows *clients; /* by id */
	size_t n_clients, cap_clients;
	uint32_t next_number; /* of a client's track */
	struct arrows arrows;
	nsec counted;            /* time of which the counters of queues are */
	nsec window, window_end; /* of the other counters */
	struct engine_row engines[DEVICE_MAX_ENGINES];
	struct text text;
	struct kernel_log kernel; /* if the writer has events of the kernel */
};

/* trace_tracks.c: places and times are those of the launch. */

void trace_put_slice(struct trace *t, const struct trace_slice *s);
/* An instant at the simulation's time. */
void trace_put_instant(struct trace *t, struct trace_place place,
    const char *name, const struct trace_arg *args, size_t n_args);
/* A counter of an engine, at a time of the launch. */
void trace_put_counter(struct trace *t, const struct hw_engine *e,
    enum trace_load which, nsec at, double value);

/* Names the tracks of engines. */
void trace_begin_rows(struct trace *t);
/* Forgets the tracks of clients: the next launch has others. */
void trace_forget_rows(struct trace *t);
static inline struct trace_place
trace_engine_row(const struct hw_engine *e)
{
	return (struct trace_place){GROUP_ENGINES, NUMBER_ENGINES + e->index};
}
struct client_rows *trace_client(struct trace *t, const struct client *c);
/* A client's track, below N_CLIENT_ROWS. */
struct trace_place trace_client_row(
    struct trace *t, const struct client *c, enum trace_client_row which);
/* A track of the request's context, for s, which is free from then on. s may
 * become shorter (lanes_take()). */
void trace_choose_row(struct trace *t, const struct request *rq,
    enum trace_client_row which, struct trace_slice *s);

/* trace_load.c: counters of engines. */

/* To be called first by every event: before anything changes in an instant the
 * counters are still those of the instant before. */
void trace_update_loads(struct trace *t);
/* Begins the counters; writes the rest. */
void trace_begin_loads(struct trace *t);
void trace_end_loads(struct trace *t);
/* The engine is taken, its request begins, it is left: now. */
void trace_load_took(
    struct trace *t, const struct hw_engine *e, nsec completion);
void trace_load_began(struct trace *t, const struct hw_engine *e);
/* The batch on e polls memory from now on, or no more. */
void trace_load_polls(struct trace *t, const struct hw_engine *e, bool polls);
void trace_load_left(struct trace *t, const struct hw_engine *e);
/* Returns since when the request, which has not begun, polls; NSEC_NEVER: it
 * does not. Also just after its end. */
nsec trace_polls_since(const struct trace *t, const struct hw_engine *e);

/* trace_names.c: names and arguments. */

const struct step_words *trace_words(struct trace *t, const struct request *rq);
void trace_forget_words(struct trace *t);
/* Appends "Client 0 (A): layer.wsim". */
void trace_name_client(
    const struct trace *t, const struct client *c, struct text *out);
/* Appends "Context 1 (a)". */
void trace_name_context(const struct context *context, struct text *out);
/* Writes which run this is. */
void trace_put_origin(struct trace *t);

/* Arguments of an event. Zeroed: none. */
struct trace_args {
	struct trace_arg list[TRACE_MAX_ARGS];
	size_t n;
};

void trace_add_number(struct trace_args *args, const char *name, int64_t n);
/* The same, unless n is 0. */
void trace_add_nonzero(struct trace_args *args, const char *name, int64_t n);
/* Unless text is "". */
void trace_add_text(
    struct trace_args *args, const char *name, const char *text);
/* Which request it is. */
void trace_add_request(struct trace_args *args, const struct request *rq,
    const struct step_words *words);
/* And how it went up to now; ended: now is its end. */
void trace_add_times(struct trace *t, struct trace_args *args,
    const struct request *rq, bool ended);

/* trace_periods.c: iterations of clients. */

void trace_period_submitted(struct trace *t, const struct request *rq);
void trace_period_missed(struct trace *t, const struct client *c, nsec due);
void trace_period_over(struct trace *t, const struct client *c);
/* Writes iterations that are not over. */
void trace_end_periods(struct trace *t);
/* Returns by how much now is after the period of the request's iteration. */
nsec trace_late(const struct trace *t, const struct request *rq);

#endif
