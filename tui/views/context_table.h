/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contexts of a run as a table: which of them are shown (filter), in
 * which order, and as which lines. Rows stand in order of client and context.
 * Nothing here is drawn.
 *
 * What has to look at all rows is done in pieces, or less often the more rows
 * there are, so that its cost per second is bounded.
 */
#ifndef TUI_VIEWS_CONTEXT_TABLE_H
#define TUI_VIEWS_CONTEXT_TABLE_H

#include "base/text.h"
#include "tui/views/context_columns.h"
#include "tui/views/context_filter.h"
#include "tui/views/table_order.h"

/* Rows per tick that may be sorted or filtered anew as things change. */
#define TABLE_ROWS_PER_TICK 1000
/* Rows that are filtered at a time while somebody waits for it. */
#define TABLE_ROWS_AT_ONCE 40000

/* Looks at every row, and keeps those that are to be shown. */
struct filter_pass {
	bool runs, waited_for;
	size_t at;      /* the next row */
	uint32_t *kept; /* ascending */
	size_t n, cap;
};

struct context_table {
	struct context_row *rows;
	size_t n_rows, cap_rows;
	uint32_t *client_of; /* per row: index of its client */
	size_t cap_client_of;
	struct client_row {
		size_t first; /* its rows */
		struct busy_sample busy;
	} * clients;
	bool *folded; /* per client, kept from run to run */
	size_t n_clients, cap_clients, n_folded, cap_folded;

	struct context_filter filter;
	bool hide_idle;
	struct filter_pass pass;
	uint32_t *kept; /* rows that are shown; NULL: all */
	size_t n_kept;
	uint64_t filtered_at; /* in samples of the session */

	enum context_column sort;
	bool inverted, tree;
	uint32_t *lines; /* what is shown; NULL: the rows as they stand */
	size_t n_lines;
	double *keys, *client_keys; /* what was sorted by last */
	uint64_t sorted_at;         /* in samples of the session */

	struct text cell; /* for printing */
};

void table_free(struct context_table *t);
/* There is a new run. */
void table_launched(struct context_table *t, const struct session *s);
/* Takes in clients that were added to the run. */
void table_add_new_rows(struct context_table *t, const struct session *s);

/* The line's row, or that of its client's first context. */
struct context_row *table_row(const struct context_table *t, size_t line);
/* Does the line stand for a client? *client is the index of the line's. */
bool table_is_client(
    const struct context_table *t, size_t line, size_t *client);
/* NULL: the program that its client has got does not have it. */
const struct context_facts *table_facts(
    const struct session *s, const struct context *context);

/* Looks at what the line's busy time is: over the same windows as the engines;
 * before the first, so far. */
void table_sample(
    struct context_table *t, const struct session *s, size_t line);
/* If it never was. */
void table_sample_first(
    struct context_table *t, const struct session *s, size_t line);

/* Each of these shows at once, but for a filter over very many rows: then
 * the old lines stay meanwhile. */
void table_sort_by(struct context_table *t, const struct session *s,
    enum context_column column, bool inverted);
void table_set_tree(
    struct context_table *t, const struct session *s, bool tree);
void table_fold(struct context_table *t, const struct session *s, size_t client,
    bool folded);
void table_set_filter(
    struct context_table *t, const struct session *s, const char *text);
void table_hide_idle(
    struct context_table *t, const struct session *s, bool hide);
/* Is a filter, or the hiding of idle contexts, in force? */
bool table_is_filtered(const struct context_table *t);
/* Goes on with what has to look at all rows. True: the lines are new ones. */
bool table_tick(struct context_table *t, const struct session *s);
/* The same while somebody waits; how far it is, in percent: 100 is done. */
bool table_hurry(struct context_table *t, const struct session *s);
int table_progress(const struct context_table *t);

#endif
