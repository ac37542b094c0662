/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the contexts table: one row each of what it is called, what
 * it says and what it is sorted by. */
#ifndef TUI_VIEWS_CONTEXT_COLUMNS_H
#define TUI_VIEWS_CONTEXT_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/live/session.h"

struct text;

/* Busy time as it is looked at now and then. */
struct busy_sample {
	float busy; /* share of one engine, over the time sampled */
	nsec seen;  /* busy time at the last sample, */
	nsec at;    /* and when that was */
};

/* A context as the table keeps it. */
struct context_row {
	const struct context *context;
	struct busy_sample busy;
};

/* What a cell is printed from. */
struct context_cell {
	const struct session *session;
	const struct context_row *row;
	const struct context_facts *facts;
	const struct busy_sample *client_busy; /* of a client's line */
	const struct difference *difference;   /* NULL: nothing is compared */
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
	COLUMN_NOW_MISSES,
	COLUMN_NOW_LATENCY,
	COLUMN_NOW_P99,
	COLUMN_NOW_BUSY,
	COLUMN_STATE,
	COLUMN_WORKLOAD,
	N_COLUMNS,
};

/* What a client has of what its contexts have: nothing that rows could be
 * sorted by, the sum, or the highest. */
enum column_total { TOTAL_NONE, TOTAL_SUM, TOTAL_MAX };

struct column_info {
	const char *title;
	const char *title_beside; /* beside another run; NULL: as ever */
	int width;                /* with the blank before it */
	int importance; /* those with the highest go first; 0: stays */
	bool left;      /* aligned */
	bool moves;     /* the order changes while the run goes on */
	bool descends;  /* highest first, unless inverted */
	bool compared;  /* only there when something is compared */
	bool found;     /* stands still: words of filters may be in it */
	enum column_total total;
	void (*print)(struct text *out, const struct context_cell *cell);
	/* NULL: can't be sorted by. */
	double (*key)(const struct context_row *row);
	/* On a client's line (row: one of its contexts); NULL: nothing. */
	void (*print_client)(struct text *out, const struct context_cell *cell);
};

extern const struct column_info context_columns[N_COLUMNS];

#endif
