/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Engines view: its state, and its rows as its columns print them. */
#ifndef TUI_VIEWS_ENGINES_H
#define TUI_VIEWS_ENGINES_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/views/columns.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

struct engines {
	struct view view;
	struct row_list list;
	bool by_class;
	const struct session *session; /* while a frame is drawn */
	engine_mask idle;              /* folded to one row; likewise */
	engine_mask selected;          /* of the selection; likewise */
};

/* The engines of a row; those of a class are adjacent in the device. */
struct engine_group {
	unsigned first, n;
};

/* A row's load: means of shares, sums of requests. A virtual engine's request
 * counts once in a class. */
struct load {
	float shares[N_USES]; /* of the last window */
	uint32_t queued, blocked;
};

/* A row as its columns print it. */
struct engine_cell {
	const struct engines *engines;
	const struct session *session;
	const struct hw_engine *first; /* the engine, or the first of a class */
	struct engine_group group;
	struct load load;
};

extern const struct column engine_columns[];
extern const int n_engine_columns;
/* Index of the column with the meter. */
extern const int engine_meter_column;

#endif
