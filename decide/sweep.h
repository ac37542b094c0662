/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep: a run for each combination of values, and a line of tab-separated
 * figures for each run (the manual, SWEEPS). Rows are numbered from 0, in the
 * order of combinations, of which the first axis varies slowest.
 *
 *   sweep.c      axes and rows as text
 *   sweep_run.c  runs them
 */
#ifndef DECIDE_SWEEP_H
#define DECIDE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/nsec.h"
#include "decide/values.h"

struct answer;
struct options;
struct plan;
struct text;

#define SWEEP_MAX_ROWS 10000000

/* An axis: an option, or a knob of the profile, by its name. */
struct sweep_axis {
	char *key; /* "clients", or "costs.submit_ns" */
	bool is_knob;
	struct values values;
};

/* All zero: one row, without an axis. */
struct sweep {
	struct sweep_axis *axes;
	size_t n, cap;
	struct values engines; /* columns: those of any row's profile */
};

/* Adds the axis KEY=VALUES. False: err says what is invalid; free *s either
 * way. */
bool sweep_add(struct sweep *s, const char *axis, struct text *err);
/* Finds the engines of all rows, after the last sweep_add(). */
void sweep_find_engines(struct sweep *s, const struct options *o);
void sweep_free(struct sweep *s);

size_t sweep_n_rows(const struct sweep *s);
/* True if an axis has that key. */
bool sweep_has(const struct sweep *s, const char *key);
/* Sets *varied to the options of a row, and appends INI text with its knobs. The
 * copy borrows from o and s, and must not be freed. False: err says why a value
 * is invalid. */
bool sweep_vary(const struct sweep *s, size_t row, const struct options *o,
    struct options *varied, struct text *knobs, struct text *err);

/* These append a line with its newline: the names of the columns, and a row. */
void sweep_print_header(const struct sweep *s, struct text *out);
void sweep_print_row(const struct sweep *s, size_t row, const struct answer *a,
    struct text *out);
/* Appends the columns of a row that are its keys, with a tab behind each. */
void sweep_print_keys(const struct sweep *s, size_t row, struct text *out);

/*
 * A sweep that runs. Rows are given out in their order.
 */
struct sweep_run;

/* Prepares rows first to end of a sweep of plan, which the rows' processes copy,
 * n_jobs at a time. All must stay valid until sweep_end(). */
struct sweep_run *sweep_begin(const struct sweep *s, struct plan *plan,
    const struct options *o, size_t first, size_t end, unsigned n_jobs);
/* Starts rows, waits timeout_ms (-1: for ever) for one to end, and appends the
 * lines that come next. False: all are done, a signal has interrupted the wait, or
 * err has a reason. */
bool sweep_step(
    struct sweep_run *run, int timeout_ms, struct text *out, struct text *err);
/* True if all rows are given out. */
bool sweep_is_done(const struct sweep_run *run);
/* Returns the row that is given out next. */
size_t sweep_position(const struct sweep_run *run);
/* Kills what runs, and frees run. NULL is allowed. */
void sweep_end(struct sweep_run *run);

#endif
