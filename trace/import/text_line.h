/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line of a trace as text: of trace-cmd report, of tracefs' file `trace`, or
 * of perf script (doc/model/import.md "Text").
 */
#ifndef TRACE_IMPORT_TEXT_LINE_H
#define TRACE_IMPORT_TEXT_LINE_H

#include "trace/import/read_event.h"

enum text_line_kind {
	TEXT_LINE_EVENT,
	TEXT_LINE_OTHER,  /* a comment, a heading, or nothing known */
	TEXT_LINE_BROKEN, /* an event of requests without its fields */
	TEXT_LINE_LOST,   /* events were lost: *n_lost */
	TEXT_LINE_CYCLES, /* an event whose time is not in seconds */
};

/* Reads a line of len bytes, without its end. The event points into it. */
enum text_line_kind text_line_read(
    const char *line, size_t len, struct read_event *e, uint64_t *n_lost);

#endif
