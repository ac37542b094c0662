/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One engine against time: what a trail knows of it, column by column. Where
 * an engine did more than can be looked at in a frame, whose a column is told
 * from a few of its spans; how full it is is always exact.
 */
#ifndef TUI_VIEWS_TIMELINE_ROW_H
#define TUI_VIEWS_TIMELINE_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/explain/trail.h"
#include "tui/views/timeline_axis.h"

struct timeline_cell {
	uint64_t request; /* that had most of it; 0: nobody had any */
	uint64_t span;    /* of that request */
	float busy;       /* share of the column in which batches ran, */
	float held;       /* and in which the engine was held without */
	bool several;     /* another one had a quarter of it, or more */
	bool first, last; /* the span begins, ends in it */
	bool unknown;     /* it is before what the trail remembers */
};

/* Fills cells[0..axis->cols) with what the engine did up to now. */
void timeline_row(const struct trail *t, unsigned engine,
    const struct axis *axis, nsec now, struct timeline_cell *cells);

#endif
