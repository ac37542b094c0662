/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells of the Contexts view that are not in context_columns.c, and what all of
 * them are printed from. A row is a struct context_cell, a table a struct
 * contexts_frame.
 */
#ifndef TUI_VIEWS_CONTEXT_CELLS_H
#define TUI_VIEWS_CONTEXT_CELLS_H

#include "tui/views/columns.h"
#include "tui/views/contexts.h"

struct text;

static inline const struct context *
cell_context(const void *row)
{
	return ((const struct context_cell *)row)->row->context;
}

/* NULL: the line is not a crowd's. */
static inline const struct crowd_figures *
cell_crowd(const void *row)
{
	return ((const struct context_cell *)row)->crowd;
}

static inline const struct context_shares *
cell_shares(const void *row)
{
	return ((const struct context_cell *)row)->shares;
}

/* Returns the role, but dim for an ended client: in all columns. */
static inline enum role
cell_role(const void *row, enum role role)
{
	const struct crowd_figures *crowd = cell_crowd(row);
	bool ended = crowd != NULL
	    ? crowd->n == 0
	    : cell_context(row)->client->state == CLIENT_ENDED;

	return ended ? ROLE_DIM : role;
}

/* True if some lines are crowds, whose cells need more room. */
static inline bool
frame_has_crowds(const void *table)
{
	return ((const struct contexts_frame *)table)->crowds;
}

/* A context's engines and preemption points. */
void context_print_preempt(struct text *out, const void *row);
void context_print_engines(struct text *out, const void *row);

/* Latencies, missed and overdue periods (context_times.c). */
void context_time_print_latency(struct text *out, const void *row);
int context_time_measure_latency(const void *table, int width);
double context_time_key_latency(const void *row);
double context_time_key_p99(const void *row);
void context_time_print_p99(struct text *out, const void *row);
double context_time_key_max(const void *row);
void context_time_print_max(struct text *out, const void *row);
void context_time_print_misses(struct text *out, const void *row);
void context_time_print_miss_rate(struct text *out, const void *row);
int context_time_measure_misses(const void *table, int width);
int context_time_measure_miss_rate(const void *table, int width);
void context_time_print_late(struct text *out, const void *row);
int context_time_measure_late(const void *table, int width);
double context_time_key_late(const void *row);
double context_time_key_miss_rate(const void *row);
double context_time_key_misses(const void *row);
enum role context_time_role_late(const void *row);
enum role context_time_role_misses(const void *row);
enum role context_time_role_miss_rate(const void *row);

/* Figures that are compared with the baseline. */
void context_now_print_latency(struct text *out, const void *row);
void context_now_print_p99(struct text *out, const void *row);
void context_now_print_misses(struct text *out, const void *row);
void context_now_print_busy(struct text *out, const void *row);
enum role context_now_role_misses(const void *row);
enum role context_now_role_latency(const void *row);
enum role context_now_role_p99(const void *row);
void context_now_heading(struct text *out, const struct column *column,
    int width, const void *table);

#endif
