/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --trace and --trace-json: engines with the requests that run on them, and
 * with the workloads of those; contexts with their requests from submission to
 * end; what those wait for; how many are queued and whether an engine is busy;
 * preemptions, missed periods and hangs. In Perfetto's also the render stages
 * that Arm's viewer joins with the metadata file.
 *
 * Several launches can follow each other in one trace: each has groups of rows
 * of its own, and begins where the time of the one before has ended.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "trace/layer.h"

enum trace_format { TRACE_PERFETTO, TRACE_CHROME };

struct trace;

/* Writes to fd, the caller's; it begins now. */
struct trace *trace_new(int fd, enum trace_format format, nsec now);
/* Watches sim, and listens to l, from now on, until trace_leave(), before
 * layer_end(). */
void trace_watch(struct trace *t, struct sim *sim, struct layer *l);
void trace_leave(struct trace *t);
/* What is pending goes to the file. */
void trace_flush(struct trace *t);
uint64_t trace_bytes(const struct trace *t);
/* errno of the first write that failed, 0. */
int trace_error(const struct trace *t);
/* After trace_leave(). Writes the rest and frees; the error. */
int trace_end(struct trace *t);

#endif
