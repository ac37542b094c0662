/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chrome's trace events, an array of JSON: for chrome://tracing, Perfetto's UI,
 * Speedscope and jq. Streamed; on a file each write leaves JSON that is whole.
 * If the program is killed within one, no more than the array's end may be
 * missing (sink.h), which the format permits. Texts of more than a page or so
 * are cut short.
 */
#ifndef TRACE_CHROME_TRACE_H
#define TRACE_CHROME_TRACE_H

#include "trace/trace_event.h"

struct chrome_trace;

/* Writes to fd, which stays the caller's. */
struct chrome_trace *chrome_trace_new(int fd);
void chrome_trace_track(struct chrome_trace *c, const struct trace_track *t);
void chrome_trace_slice(struct chrome_trace *c, const struct trace_slice *s);
void chrome_trace_instant(
    struct chrome_trace *c, const struct trace_instant *i);
void chrome_trace_counter(
    struct chrome_trace *c, const struct trace_counter *counter);
void chrome_trace_flush(struct chrome_trace *c);
/* Of what was put so far. */
uint64_t chrome_trace_bytes(const struct chrome_trace *c);
/* errno of the first write that failed, 0. */
int chrome_trace_error(const struct chrome_trace *c);
/* Writes the rest and frees. Returns the error. */
int chrome_trace_free(struct chrome_trace *c);

#endif
