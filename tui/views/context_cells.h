/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells of the Contexts view that are not in context_columns.c. A row is a
 * struct context_cell, a table a struct view_env.
 */
#ifndef TUI_VIEWS_CONTEXT_CELLS_H
#define TUI_VIEWS_CONTEXT_CELLS_H

#include "tui/views/columns.h"

struct text;

/* A context's engines and preemption points. */
void context_print_preempt(struct text *out, const void *row);
void context_print_engines(struct text *out, const void *row);

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
