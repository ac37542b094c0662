/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the contexts table: one row each of what it is called, what
 * it says and what it is sorted by. */
#ifndef TUI_CONTEXT_COLUMNS_H
#define TUI_CONTEXT_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/session/session.h"

struct text;

/* A context as the table keeps it. */
struct context_row {
	const struct context *context;
	float busy;     /* share of one engine, over the time sampled */
	nsec busy_seen; /* its busy time at the last sample, */
	nsec seen_at;   /* and when that was */
};

/* What a cell is printed from. */
struct context_cell {
	const struct session *session;
	const struct context_row *row;
	const struct context_facts *facts;
};

enum context_column {
	COLUMN_CLIENT,
	COLUMN_CONTEXT,
	COLUMN_PRIORITY,
	COLUMN_SSEU,
	COLUMN_PREEMPT,
	COLUMN_ENGINES,
	COLUMN_BUSY,
	COLUMN_QUEUE,
	COLUMN_LATENCY,
	COLUMN_P99,
	COLUMN_MAX,
	COLUMN_MISSES,
	COLUMN_STATE,
	COLUMN_WORKLOAD,
	N_COLUMNS,
};

struct column_info {
	const char *title;
	int width;      /* with the blank before it */
	int importance; /* those with the highest go first; 0: stays */
	bool left;      /* aligned */
	bool moves;     /* the order changes while the run goes on */
	bool descends;  /* highest first, unless inverted */
	void (*print)(struct text *out, const struct context_cell *cell);
	/* NULL: can't be sorted by. */
	double (*key)(const struct context_row *row);
};

extern const struct column_info context_columns[N_COLUMNS];

#endif
