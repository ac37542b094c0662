/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Contexts view: its columns, filter, order, lines, and how they are drawn.
 */
#ifndef TUI_VIEWS_CONTEXTS_H
#define TUI_VIEWS_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "parser/engine_name.h"
#include "run/live/session.h"
#include "tui/views/columns.h"
#include "tui/views/filter.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

struct text;

/* Totals of a context, or of all contexts of a client. */
struct context_totals {
	nsec run_ns[N_CLASSES]; /* batches ran, by engine class */
	nsec poll_ns, switch_ns;
	uint64_t batches, latency_ns; /* ended ones, and their sum (modulo) */
};

/* Totals, sampled now and then, and the figures between two samples. Shares are
 * those of one engine's time: two engines that run all the time are 2. */
struct context_sample {
	float run, poll, switching;
	float classes[N_CLASSES];   /* run, by engine class */
	nsec latency_ns;            /* mean; NSEC_NEVER: no batch ended */
	struct context_totals seen; /* at the last sample */
	nsec at;                    /* when that was */
};

/* A context of the table. */
struct context_line {
	const struct context *context;
	struct context_sample sample;
};

/* A row as its columns print it. */
struct context_cell {
	const struct session *session;
	const struct context_line *row;
	const struct context_facts *facts;
	/* of the client, for a client's line */
	const struct context_sample *client_sample;
	const struct difference *difference; /* NULL: there is no baseline */
};

enum context_column {
	COLUMN_CLIENT,
	COLUMN_CONTEXT,
	COLUMN_PRIORITY,
	COLUMN_SSEU,
	COLUMN_PREEMPT,
	COLUMN_ENGINES,
	COLUMN_RUN,
	COLUMN_CLASS_0, /* a column for each engine class */
	COLUMN_POLL = COLUMN_CLASS_0 + N_CLASSES,
	COLUMN_SWITCH,
	COLUMN_QUEUE,
	COLUMN_LATENCY,
	COLUMN_P99,
	COLUMN_MAX,
	COLUMN_MISSES,
	COLUMN_LATE,
	COLUMN_NOW_MISSES,
	COLUMN_NOW_LATENCY,
	COLUMN_NOW_P99,
	COLUMN_NOW_BUSY,
	COLUMN_STATE,
	COLUMN_WORKLOAD,
	N_COLUMNS,
};

extern const struct column context_columns[N_COLUMNS];

/* True if contexts are sorted by the column highest first, unless inverted. */
static inline bool
context_descends(enum context_column column)
{
	return context_columns[column].flags & COL_DESCENDS;
}

/*
 * The order of rows: functions over arrays. Rows belong to groups, as contexts
 * to clients; a tree keeps the rows of a group together.
 */

/* The keys that rows are sorted by. Equal rows keep their order. */
struct order_keys {
	const double *rows;
	bool descends;
	/* Sorts a tree: groups by these, rows in their group. NULL: no
	 * groups. */
	const double *groups;
	const uint32_t *group_of; /* of each row */
};

/* Sorts the n rows of order, which may be any of the table's. */
void order_sort(uint32_t *order, size_t n, const struct order_keys *keys);

/* Marks a line of a tree that is a group's, not a row's. */
#define LINE_GROUP UINT32_C(0x80000000)

static inline bool
line_is_group(uint32_t line)
{
	return (line & LINE_GROUP) != 0;
}

static inline uint32_t
line_index(uint32_t line)
{
	return line & ~LINE_GROUP;
}

/*
 * Makes lines of an order that is sorted by group: each group's line, and below
 * it its rows unless it is folded. lines has room for n rows and their groups.
 * Returns the number of lines.
 */
size_t order_tree(uint32_t *lines, const uint32_t *order, size_t n,
    const uint32_t *group_of, const bool *folded);

/*
 * The contexts of a run as a table, before it is drawn: which contexts are
 * shown, in which order, as which lines. Rows are in order of client and
 * context.
 *
 * Work on all rows is done in pieces, or less often the more rows there are, so
 * that its cost per second is bounded.
 */

/* Rows per tick that are filtered or sorted as figures change. */
#define TABLE_ROWS_PER_TICK 1000
/* Rows that are filtered at a time while the user waits. */
#define TABLE_ROWS_AT_ONCE 40000

/* A pass of the filter over all rows. */
struct filter_pass {
	bool runs, waited_for;
	size_t at;      /* the next row to look at */
	uint32_t *kept; /* rows that pass, ascending */
	size_t n, cap;
};

struct context_table {
	struct context_line *rows;
	size_t n_rows, cap_rows;
	uint32_t *client_of; /* of each row: the index of its client */
	size_t cap_client_of;
	struct client_row {
		size_t first; /* the client's first row */
		struct context_sample sample;
	} * clients;
	bool *folded; /* of each client; kept from run to run */
	size_t n_clients, cap_clients, n_folded, cap_folded;

	struct row_filter filter;
	bool hide_idle;
	struct filter_pass pass;
	uint32_t *kept; /* rows shown, ascending; NULL: all */
	size_t n_kept;
	uint64_t filtered_at; /* samples of the session at that time */

	enum context_column sort;
	bool inverted, tree;
	uint32_t *lines; /* what is shown; NULL: all rows in their own order */
	size_t n_lines;
	double *keys, *client_keys; /* what was sorted by last */
	uint64_t sorted_at;         /* samples of the session at that time */

	struct text cell; /* room to print a cell */
};

/* Frees what the table has, not the table. */
void table_free(struct context_table *t);
/* Empties the table for a new run. */
void table_launched(struct context_table *t, const struct session *s);
/* Adds the clients that were added to the run. */
void table_add_new_rows(struct context_table *t, const struct session *s);

/* Returns the line's row; of a client's line that of its first context. */
struct context_line *table_row(const struct context_table *t, size_t line);
/* True if the line is a client's. *client: the index of the line's client. */
bool table_is_client(
    const struct context_table *t, size_t line, size_t *client);
/* NULL: the program that its client runs does not have the context. */
const struct context_facts *table_facts(
    const struct session *s, const struct context *context);

/* Samples the shares and the latency of a line: over the windows of the engines'
 * history, and before the first one over the time so far. */
void table_sample(
    struct context_table *t, const struct session *s, size_t line);
/* Samples a line that has no sample yet. */
void table_sample_first(
    struct context_table *t, const struct session *s, size_t line);

/* Changes of what is shown. They take effect at once, except that a filter over
 * very many rows shows the old lines until it is done. */
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
/* True if a filter is set or idle contexts are hidden. */
bool table_is_filtered(const struct context_table *t);
/* Continues filtering and sorting as figures change. True: the lines have
 * changed. */
bool table_tick(struct context_table *t, const struct session *s);
/* Continues a filter that the user waits for; table_progress() returns its
 * progress in percent, 100 when it is done. */
bool table_continue_filter(struct context_table *t, const struct session *s);
int table_progress(const struct context_table *t);

/* The view's state, shared by view_contexts.c and contexts_draw.c. */

struct contexts {
	struct view view;
	struct row_list list;
	struct context_table table;
	/* the cursor keeps its place on the screen, not its context */
	bool stays;
	struct columns columns; /* as drawn last */
	int first_y;            /* first row of the lines, as drawn last */
	struct text text;       /* room to print a cell */
};

/* True if there is a row of notes below the title: filter, tags, baseline. */
bool contexts_have_notes(const struct contexts *c, const struct view_env *env);

/* Draws title, notes and lines, and chooses the columns. */
void contexts_draw_table(
    struct contexts *c, const struct view_env *env, struct area *a);

/* Returns what the cells of a line are printed from. */
struct context_cell contexts_cell(
    const struct contexts *c, const struct session *s, size_t line);
/* Prints the cell of a column to c->text. */
void contexts_print(struct contexts *c, size_t line, int column,
    const struct context_cell *cell);

#endif
