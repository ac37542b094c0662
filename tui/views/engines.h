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

/* Appends "RCS", "VCS x2". */
void engines_print_name(const struct engine_cell *cell, struct text *out);
/* Appends client, context and share of those who had most of an engine; of a
 * class, who had most of each engine. Nothing: no request had any. */
void engines_print_users(const struct engine_cell *cell, struct text *out);
/* Sets *change to the running share minus that of the baseline, in points: 78 %
 * against 72 % is 6. False: the baseline has no share of it. */
bool engines_find_change(const struct engine_cell *cell, double *change);
/* Returns the share that the engines of a real GPU were busy with batches of all
 * programs; by stamps, of ours. */
float engines_gpu_share(const struct engine_cell *cell);
/* Draws the priority in force of who had most of an engine, with a sign if it was
 * raised, at the right of the columns; and the name and the text of its batch, at
 * the left. Nothing: no request had any of it, or the row is a class. */
void engines_draw_priority(
    struct area *a, int y, int x, int width, const void *row);
void engines_draw_runs(
    struct area *a, int y, int x, int width, const void *row);
/* Fills mean[] with the mean history of the group's use, in percent, rounded up so
 * that a little shows. Returns the number of samples, at most max. */
int engines_history(const struct session *s, struct engine_group group,
    enum engine_use use, int max, unsigned char mean[HISTORY_SAMPLES]);

/* Engines as graphs with all their figures (engines_zoomed.c). */

/* Returns the rows of each of n engines, or 0: there are too few for graphs. */
int engines_zoomed_rows(int room, size_t n);
void engines_draw_zoomed_title(
    const struct session *s, struct area *a, enum role role);
/* Draws an engine in rows y to y + rows - 1. */
void engines_draw_zoomed(
    const struct engine_cell *cell, struct area *a, int y, int rows);

extern const struct column engine_columns[];
extern const int n_engine_columns;
/* Index of the column with the meter. */
extern const int engine_meter_column;

#endif
