/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a trace of either format into plain events: Perfetto's bytes by a
 * reader of fields that shares nothing with the writer, Chrome's JSON by
 * jansson. A malformed file fails the test.
 */
#ifndef TESTS_SUPPORT_TRACE_READER_H
#define TESTS_SUPPORT_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum seen_kind { SEEN_SLICE, SEEN_INSTANT, SEEN_COUNTER, SEEN_STAGE };

struct seen {
	enum seen_kind kind;
	uint32_t group, number; /* of its row; a stage has none */
	uint64_t start, end;    /* an instant, a counter: start only */
	double value;           /* of a counter */
	int64_t request;        /* argument; 0: none */
	uint64_t tag;           /* "execution", or of the label "t1"; 0 */
	int64_t late;           /* argument late_ns; 0: none */
	int64_t iteration;
	int64_t latency, queue; /* latency_ns, queue_ns; -1: none */
	char name[128];         /* a counter's: of its row */
	char at[64], text[64];  /* arguments; "": none */
	char stage[64], label[32];
	/* A stage has: */
	uint64_t id, pass, waits[8];
	size_t n_waits;
	int64_t pid; /* of its context; -1: unknown */
	uint32_t grid[3], local[3];
	char title[128]; /* its own name; "": none */
};

struct seen_arrow {
	uint64_t id;
	bool leads; /* to the slice; else it begins there */
	size_t event;
};

struct seen_row {
	uint32_t group, number;
	uint32_t rank; /* among its siblings */
	char name[64];
};

struct seen_trace {
	struct seen *events; /* in the order of the file */
	size_t n, cap;
	struct seen_arrow *arrows;
	size_t n_arrows, cap_arrows;
	struct seen_row *rows;
	size_t n_rows, cap_rows;
	uint64_t begin; /* what clocks said; Chrome: 0 */
};

void seen_perfetto(struct seen_trace *t, const char *path);
void seen_chrome(struct seen_trace *t, const char *path);
void seen_free(struct seen_trace *t);

/* NULL: there is no such row. */
const char *seen_row_name(
    const struct seen_trace *t, uint32_t group, uint32_t number);

#endif
