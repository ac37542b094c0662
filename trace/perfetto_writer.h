/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perfetto's trace format, streamed: packets go out as they come, and nothing
 * is kept of them. Render stages are as Arm's viewer loads and joins them
 * (doc/layer.md "Perfetto"); slices, counters and instants are
 * for the Perfetto UI. All its clocks are virtual time, in nanoseconds.
 */
#ifndef TRACE_PERFETTO_WRITER_H
#define TRACE_PERFETTO_WRITER_H

#include <stdint.h>

#include "trace/trace_event.h"

/* The queues of the hardware that Arm's viewer knows. */
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

/* What of a workload runs there, of those it knows. */
enum stage_kind {
	STAGE_COMPUTE,
	STAGE_TRACE_RAYS,
	STAGE_VERTEX,
	STAGE_NON_FRAGMENT,
	STAGE_FRAGMENT,
	STAGE_BINNING,
	STAGE_MAIN,
	STAGE_CLEAR_IMAGE,
	STAGE_COPY_IMAGE,
	STAGE_COPY_BUFFER,
	STAGE_FILL_BUFFER,
	N_STAGE_KINDS
};

#define STAGE_MAX_INSTANCES 64

/* An interval of a workload on an engine. Those of a stream should come in
 * the order of their starts. */
struct render_stage {
	enum stage_stream stream;
	unsigned instance; /* of several engines with the same stream, from 0 */
	enum stage_kind stage;
	uint64_t start_ns, end_ns;
	uint64_t tag;                 /* 0: without a label */
	uint32_t submission;          /* 0: not said */
	uint64_t context;             /* a number of what submits */
	const struct trace_arg *args; /* beside the label; not "Labels" */
	size_t n_args;
};

struct perfetto;

/* Writes to fd, which stays the caller's; the trace begins now. */
struct perfetto *perfetto_new(int fd, uint64_t now_ns);
/* Before what is on it. */
void perfetto_track(struct perfetto *p, const struct trace_track *t);
void perfetto_slice(struct perfetto *p, const struct trace_slice *s);
void perfetto_instant(struct perfetto *p, const struct trace_instant *i);
void perfetto_counter(struct perfetto *p, const struct trace_counter *c);
void perfetto_stage(struct perfetto *p, const struct render_stage *s);
void perfetto_flush(struct perfetto *p);
/* Of what was put so far. */
uint64_t perfetto_bytes(const struct perfetto *p);
/* errno of the first write that failed, 0. */
int perfetto_error(const struct perfetto *p);
/* Writes the rest and frees. Returns the error. */
int perfetto_free(struct perfetto *p);

#endif
