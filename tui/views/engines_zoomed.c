/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Engines view where it has much room: a graph for each engine, of its uses
 * over the last windows, below all of its figures.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/views/engines.h"
#include "tui/views/foreign_rows.h"
#include "tui/views/uses.h"

#define NAME_COLS     8  /* of the names and of the scale */
#define LEAST_ROWS    5  /* of an engine: two of figures, three of the graph */
#define MOST_ROWS     18 /* likewise */
#define FIGURES_GAP   3
#define USERS_COLS    18 /* at least, of who used the engine */
#define SECOND_ROW_X  4  /* of the figures */
#define FIGURES_ROWS  2
#define RUNS_COLS     12 /* at least, of the batch that ran */
#define PRIORITY_ROOM 11 /* "  pri -1023^" */

int
engines_zoomed_rows(int room, size_t n)
{
	int each = n > 0 ? room / (int)n : 0;

	return each < LEAST_ROWS ? 0 : each > MOST_ROWS ? MOST_ROWS : each;
}

void
engines_draw_zoomed_title(
    const struct session *s, struct area *a, enum role role)
{
	nsec from, to = load_history_window(&s->history, &from);
	char window[UNITS_LEN];

	fill(a, 0, 0, a->r.w, role);
	putf(a, 0, VIEW_NUMBER_COLS, a->r.w, role,
	    "ENGINE  each column a window of %s, the last at the right",
	    format_duration(window, to - from));
}

/* Draws "PMU 98 %", on a real GPU. Returns the column after it. */
static int
draw_gpu_share(const struct engine_cell *cell, struct area *a, int y, int x)
{
	struct text title = {0};

	if (foreign_busyness_cols(cell->session) == 0)
		return x;
	foreign_busyness_title(cell->session, &title);
	title.data[title.len - 1] = '\0'; /* without its sign */
	x += FIGURES_GAP - 1;
	x += putf(a, y, x, a->r.w, ROLE_NORMAL, "%s %.0f %%", text_str(&title),
	    (double)engines_gpu_share(cell) * 100);
	text_free(&title);
	return x;
}

/* Draws " 77 % run", each use with its glyph. Returns the column after it. */
static int
draw_shares(const struct engine_cell *cell, struct area *a, int y, int x)
{
	float idle = 1;

	for (int use = 0; use < N_USES; use++) {
		enum engine_use u = (enum engine_use)use;

		idle -= cell->load.shares[use];
		put_char(
		    a, y, x, use_role(u), use_glyph(u, a->screen->unicode));
		x += 2 +
		    putf(a, y, x + 2, a->r.w, ROLE_NORMAL, "%s %.0f %%",
			use_name(u), (double)cell->load.shares[use] * 100);
		x += FIGURES_GAP - 1;
	}
	x += putf(a, y, x, a->r.w, ROLE_NORMAL, "idle %.0f %%",
	    (double)(idle > 0 ? idle : 0) * 100);
	return draw_gpu_share(cell, a, y, x);
}

/* Prints rates of the last windows, and the queue: now, and since the start. A
 * class has the sum of its engines, and the longest queue of one. */
static void
print_rates(const struct engine_cell *cell, struct text *out)
{
	const struct session *s = cell->session;
	struct engine_rates sum = {0};
	double mean = 0;
	uint32_t most = 0;

	for (unsigned i = 0; i < cell->group.n; i++) {
		const struct hw_engine *hw = &cell->first[i];
		struct engine_rates r = load_history_counts(
		    &s->history, hw->index);

		sum.batches += r.batches;
		sum.switches += r.switches;
		sum.preemptions += r.preemptions;
		mean += hw_engine_queue_mean(hw, s->run.sim->now);
		if (hw->queue_max > most)
			most = hw->queue_max;
	}
	text_addf(out,
	    "batches/s %.0f  switches/s %.0f  preempt/s %.0f  "
	    "queue %" PRIu32 " mean %.1f max %" PRIu32 "  blkd %" PRIu32,
	    sum.batches, sum.switches, sum.preemptions, cell->load.queued, mean,
	    most, cell->load.blocked);
}

/* Draws who used the engine, and with which priority, if there is room from
 * column x on. */
static void
draw_used_by(const struct engine_cell *cell, struct area *a, int y, int x)
{
	int room = a->r.w - x - FIGURES_GAP - PRIORITY_ROOM;
	struct text t = {0};

	engines_print_users(cell, &t);
	x += FIGURES_GAP;
	if (t.len > 0 && room >= USERS_COLS) {
		x += put(a, y, x, room, ROLE_LABEL, "used by ");
		x += put_cut(a, y, x, room - (int)strlen("used by "),
		    ROLE_NORMAL, text_str(&t));
		if (cell->group.n == 1) {
			put(a, y, x, PRIORITY_ROOM, ROLE_LABEL, "  pri");
			engines_draw_priority(a, y, x, PRIORITY_ROOM, cell);
		}
	}
	text_free(&t);
}

/* Draws the change against the baseline, and the batch of who had most of the
 * engine, from column x on. */
static void
draw_runs(const struct engine_cell *cell, struct area *a, int y, int x)
{
	double change;

	x += FIGURES_GAP;
	if (baseline_name(cell->session) != NULL &&
	    engines_find_change(cell, &change))
		x += FIGURES_GAP +
		    putf(a, y, x, a->r.w - x, ROLE_NORMAL, "change %+.1fpt",
			change);
	if (cell->group.n > 1 || a->r.w - x < RUNS_COLS)
		return;
	x += put(a, y, x, a->r.w - x, ROLE_LABEL, "runs");
	engines_draw_runs(a, y, x - 1, a->r.w - x + 1, cell);
}

/* Draws all figures, in two rows. */
static void
draw_figures(const struct engine_cell *cell, struct area *a, int y)
{
	struct text t = {0};
	int x = VIEW_NUMBER_COLS + NAME_COLS;

	engines_print_name(cell, &t);
	put(a, y, VIEW_NUMBER_COLS, NAME_COLS, ROLE_LABEL, text_str(&t));
	draw_runs(cell, a, y, draw_shares(cell, a, y, x));
	text_clear(&t);
	print_rates(cell, &t);
	x = SECOND_ROW_X;
	x += put_cut(a, y + 1, x, a->r.w - x, ROLE_NORMAL, text_str(&t));
	draw_used_by(cell, a, y + 1, x);
	text_free(&t);
}

static void
draw_graph(const struct engine_cell *cell, struct area *a, int y, int rows)
{
	unsigned char percent[N_USES][HISTORY_SAMPLES];
	int x = VIEW_NUMBER_COLS + NAME_COLS, room = a->r.w - x, n = 0;

	if (room > HISTORY_SAMPLES)
		room = HISTORY_SAMPLES;
	for (int use = 0; use < N_USES; use++)
		n = engines_history(cell->session, cell->group,
		    (enum engine_use)use, room, percent[use]);
	put(a, y, VIEW_NUMBER_COLS, NAME_COLS, ROLE_DIM, "100 %");
	put(a, y + rows - 1, VIEW_NUMBER_COLS, NAME_COLS, ROLE_DIM, "  0 %");
	for (int i = 0; i < n; i++) {
		double shares[N_USES];

		for (int use = 0; use < N_USES; use++)
			shares[use] = percent[use][i] / 100.0;
		put_stack(a, y, a->r.w - n + i, rows, shares);
	}
}

void
engines_draw_zoomed(
    const struct engine_cell *cell, struct area *a, int y, int rows)
{
	draw_figures(cell, a, y);
	draw_graph(cell, a, y + FIGURES_ROWS, rows - FIGURES_ROWS);
}
