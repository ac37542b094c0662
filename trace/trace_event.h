/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a trace shows, in words that both writers take (perfetto_writer.h,
 * chrome_trace.h). Times are nanoseconds of virtual time. Strings are the
 * caller's, need live no longer than the call, and may hold any bytes: what is
 * no UTF-8 is replaced.
 */
#ifndef TRACE_TRACE_EVENT_H
#define TRACE_TRACE_EVENT_H

#include <stddef.h>
#include <stdint.h>

#define TRACE_MAX_ARGS 16 /* more are left out */

/* A row of the trace. Group 1 and up; number 0 is the group's own row, that
 * the others of the group stand below. */
struct trace_place {
	uint32_t group, number;
};

struct trace_track {
	struct trace_place place;
	const char *name;
	const char *unit; /* of a counter, like "%"; NULL: a row of slices */
};

struct trace_arg {
	const char *name;
	const char *text; /* NULL: number counts */
	int64_t number;
};

/* Those of one place neither overlap (lanes.h) nor come out of order. */
struct trace_slice {
	struct trace_place place;
	const char *name;
	uint64_t start_ns, end_ns;
	/* Arrows that begin here, and that lead here: ids, each from one slice
	 * to one that does not start before it. */
	const uint64_t *from, *to;
	size_t n_from, n_to;
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

/* From at_ns on it is this much. */
struct trace_counter {
	struct trace_place place;
	const char *name; /* as its track has it */
	uint64_t at_ns;
	int64_t value;
};

#endif
