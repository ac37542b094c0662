/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The events that a trace should have: a witness of a simulation notes which
 * request was on which engine at which time. Meanwhile it has the trace written in both
 * formats, and Arm's metadata.
 */
#ifndef TESTS_SUPPORT_TRACE_WITNESS_H
#define TESTS_SUPPORT_TRACE_WITNESS_H

#include "engine/sim.h"
#include "tests/support/trace_reader.h"
#include "trace/layer.h"
#include "trace/outputs.h"

/* Groups of rows; a client has one of its own, from CLIENTS on. */
enum { ENGINES = 1, WORKLOADS, COUNTERS, RUN_GROUP, CLIENTS };

/* A state from start to end. */
struct piece {
	uint32_t row;
	uint64_t start, end;
	int64_t what; /* request, or a value */
};

struct pieces {
	struct piece *list;
	size_t n, cap;
};

struct witness {
	struct observer observer;
	const struct sim *sim;
	struct pieces ran;      /* batches, by engine */
	struct pieces waited;   /* by context: submission to readiness */
	struct pieces lived;    /* ... and to the end */
	struct pieces instants; /* preempted (0), missed (1), hung (2) */
	struct pieces loads;    /* of engines: queued, at a time */
	struct pieces periods;  /* by client: iterations, which are late */
	uint64_t began, ended;  /* the trace */
	unsigned n_engines;
	/* Time of engines that was held, and polled; first before the trace. */
	struct {
		uint64_t busy, sema;
	} spent[DEVICE_MAX_ENGINES];
	struct piece open[DEVICE_MAX_ENGINES];
	struct layer *layer;
	struct outputs outputs;
};

void pieces_add(
    struct pieces *p, uint32_t row, uint64_t start, uint64_t end, int64_t what);
void pieces_sort(struct pieces *p);
int piece_compare(const void *a, const void *b);

/* Between two instants. Requests that run have slices from now on. */
void witness_begin(struct witness *w, struct sim *sim);
/* Notes how busy engines are. To be called between two instants. */
void witness_look(struct witness *w);
void witness_end(struct witness *w);
void witness_free(struct witness *w);

/* After the end: asserts that the files have what was witnessed and nothing
 * else. Returns the number of arrows. */
unsigned witness_expect(struct witness *w);
/* Where each arrow begins, by its id: index of the event + 1; to be freed. */
size_t *witness_beginnings(const struct seen_trace *t);

#endif
