/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trace events, in the terms of Perfetto, and the writers that put them into a
 * file: one for Perfetto's format and one for Chrome's. Times are nanoseconds
 * of virtual time. Strings are the caller's, need to live no longer than the
 * call, and may hold any bytes: invalid UTF-8 is replaced.
 */
#ifndef TRACE_TRACE_WRITER_H
#define TRACE_TRACE_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "trace/sink.h"

struct kernel_record;

#define TRACE_MAX_ARGS 16 /* more are left out */

/* A track of the trace. Groups count from 1; number 0 is the group's own
 * track, which the others of the group are children of. Other numbers are used
 * once in a trace. */
struct trace_place {
	uint32_t group, number;
};

struct trace_track {
	struct trace_place place;
	const char *name;
	const char *unit; /* of a counter, like "%"; NULL: a track of slices */
	uint32_t rank;    /* among its siblings, from the top */
};

/* An argument of an event. */
struct trace_arg {
	const char *name;
	const char *text; /* NULL: the value is number */
	int64_t number;
};

/* Slices of one track neither overlap nor come out of order. */
struct trace_slice {
	struct trace_place place;
	const char *name;
	uint64_t start_ns, end_ns;
	/* Ids of flows that begin here, the first n_from_start at its start, the
	 * others at its end, and of those that end here. A flow goes from one
	 * slice to one that does not start before it. */
	const uint64_t *from, *to;
	size_t n_from, n_from_start, n_to;
	const struct trace_arg *args;
	size_t n_args;
};

struct trace_instant {
	struct trace_place place;
	const char *name;
	uint64_t at_ns;
	const struct trace_arg *args;
	size_t n_args;
};

/* A counter's value from at_ns on. */
struct trace_counter {
	struct trace_place place;
	const char *name; /* as its track has it */
	uint64_t at_ns;
	double value;
};

/* The hardware queues that Arm's viewer knows. */
enum stage_stream {
	STREAM_COMPUTE,
	STREAM_VERTEX,
	STREAM_NON_FRAGMENT,
	STREAM_FRAGMENT,
	STREAM_BINNING,
	STREAM_MAIN,
	STREAM_TRANSFER,
	N_STAGE_STREAMS
};

/* The render stages that Arm's viewer knows. */
enum render_stage_kind {
	RENDER_STAGE_COMPUTE,
	RENDER_STAGE_TRACE_RAYS,
	RENDER_STAGE_VERTEX,
	RENDER_STAGE_NON_FRAGMENT,
	RENDER_STAGE_FRAGMENT,
	RENDER_STAGE_BINNING,
	RENDER_STAGE_MAIN,
	RENDER_STAGE_CLEAR_IMAGE,
	RENDER_STAGE_COPY_IMAGE,
	RENDER_STAGE_COPY_BUFFER,
	RENDER_STAGE_FILL_BUFFER,
	RENDER_STAGE_BLIT_IMAGE,
	RENDER_STAGE_RESOLVE_IMAGE,
	RENDER_STAGE_MIPMAPS,
	RENDER_STAGE_COPY_QUERY,
	RENDER_STAGE_FAST_BUILD,
	RENDER_STAGE_FAST_TRACE,
	RENDER_STAGE_STRUCTURE_UPDATE,
	RENDER_STAGE_STRUCTURE_OUT,
	RENDER_STAGE_STRUCTURE_IN,
	N_RENDER_STAGES
};

#define STAGE_MAX_INSTANCES 64

/* Time that an engine spends in a render stage. The stages of a stream should
 * come in the order of their starts. */
struct render_stage {
	enum stage_stream stream;
	unsigned instance; /* of several engines with the same stream, from 0 */
	enum render_stage_kind stage;
	uint64_t start_ns, end_ns;
	const char *name;    /* what it does; NULL: the name of its kind */
	uint64_t tag;        /* of its execution; 0: no label */
	uint32_t submission; /* 0: left out */
	uint64_t context;    /* id of the submitting context, from 1; 0: none */
	uint32_t pid;        /* of its process */
	uint64_t pass;       /* id of the render pass, from 1; 0: none */
	/* Ids of stages that it had to wait for. */
	const uint64_t *waits;
	size_t n_waits;
	uint32_t grid[3];             /* groups of a dispatch; 0: unknown */
	uint32_t local[3];            /* size of a group; 0: unknown */
	const struct trace_arg *args; /* beside the label; not "Labels" */
	size_t n_args;
};

/* A writer of one format. Its struct begins with this one. */
struct trace_writer {
	const struct trace_writer_ops *ops;
	struct sink out; /* the caller flushes it, reads its size and error */
};

struct trace_writer_ops {
	/* The most tracks of one name in a group: more are too many to read
	 * where each is drawn. 0: no limit. */
	unsigned max_lanes;
	/* Before anything that is on the track. */
	void (*track)(struct trace_writer *w, const struct trace_track *t);
	void (*slice)(struct trace_writer *w, const struct trace_slice *s);
	void (*instant)(struct trace_writer *w, const struct trace_instant *i);
	void (*counter)(struct trace_writer *w, const struct trace_counter *c);
	/* Returns its id, from 1. NULL: the format has no render stages. */
	uint64_t (*stage)(struct trace_writer *w, const struct render_stage *s);
	/* An event of the kernel, in the order of time, and its task's name,
	 * before that. NULL: the format has none. */
	void (*kernel)(struct trace_writer *w, const struct kernel_record *r);
	void (*task)(struct trace_writer *w, int32_t pid, const char *comm);
	/* Writes the rest and frees. Returns errno of the first write that
	 * failed, 0 if there was none. */
	int (*close)(struct trace_writer *w);
};

/*
 * Perfetto's format, streamed: packets are written as they come, and none is
 * kept. Render stages are as Arm's viewer loads and joins them (doc/layer.md
 * "Perfetto"); slices, counters and instants are for the Perfetto UI. All
 * clocks are virtual time; the trace begins at now_ns. fd stays the caller's.
 */
struct trace_writer *perfetto_writer_new(int fd, uint64_t now_ns);

/*
 * Chrome's trace events, a JSON array, for chrome://tracing, Perfetto's UI,
 * Speedscope and jq. After each write a regular file is complete JSON. If the
 * program is killed during a write, at most the array's end is missing
 * (sink.h), which the format permits. Texts above about a page are cut. fd
 * stays the caller's; now_ns is not used.
 */
struct trace_writer *chrome_writer_new(int fd, uint64_t now_ns);

#endif
