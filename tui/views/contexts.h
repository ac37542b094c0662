/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the contexts table: one row each of what it is called, what
 * it says and what it is sorted by. */
#ifndef TUI_VIEWS_CONTEXTS_H
#define TUI_VIEWS_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "run/live/session.h"
#include "tui/views/columns.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

struct text;

/* Busy time as it is looked at now and then. */
struct busy_sample {
	float busy; /* share of one engine, over the time sampled */
	nsec seen;  /* busy time at the last sample, */
	nsec at;    /* and when that was */
};

/* A context as the table keeps it. */
struct context_line {
	const struct context *context;
	struct busy_sample busy;
};

/* What a cell is printed from. */
struct context_cell {
	const struct session *session;
	const struct context_line *row;
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

extern const struct column context_columns[N_COLUMNS];

/* True if contexts are sorted by the column highest first, unless inverted. */
static inline bool
context_descends(enum context_column column)
{
	return context_columns[column].flags & COL_DESCENDS;
}

/*
 * Which contexts the table shows. A filter is words: a row must have all of
 * them, or all of those after a '|'. A word is part of a cell that stands
 * still (vcs1, wait, game.wsim), or a column and its value (ctx=2): all of a
 * number, part of a text.
 */

#define FILTER_MAX_WORDS 32

struct filter_word {
	struct needle needle;
	int column; /* an enum context_column; N_COLUMNS: any */
	bool other; /* begins after a '|' */
};

struct context_filter {
	char *text; /* as typed; words point into it */
	struct filter_word words[FILTER_MAX_WORDS];
	size_t n_words; /* 0: everything passes */
};

/* Takes a copy. Words beyond the most are not looked at. */
void filter_set(struct context_filter *f, const char *text);
void filter_free(struct context_filter *f);

/* What the cell of a column says, of whatever arg is; it may print to room,
 * which is empty. */
typedef void filter_cell(
    void *arg, enum context_column column, struct text *room);

bool filter_passes(const struct context_filter *f, filter_cell *cell, void *arg,
    struct text *room);

/* The column with this title, or the only one whose title begins so, in any
 * case; N_COLUMNS: none. */
enum context_column column_find(const char *name, size_t len);

/*
 * In which order a table shows its rows: pure functions over arrays. Rows
 * belong to groups (contexts to clients), the rows of a group stand together.
 */

/* What rows are sorted by. Equal ones stay as the rows stand. */
struct order_keys {
	const double *rows;
	bool descends;
	/* A tree: by group first, and groups by these. NULL: all rows alike. */
	const double *groups;
	const uint32_t *group_of; /* row */
};

/* Sorts the n rows of order, which may be any of the table's. */
void order_sort(uint32_t *order, size_t n, const struct order_keys *keys);

/* A line of a tree that stands for a group, and not for a row. */
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
 * Makes lines (room for n rows and their groups) from an order sorted by
 * group: each group's line, and below it its rows unless it is folded.
 * Returns how many lines they are.
 */
size_t order_tree(uint32_t *lines, const uint32_t *order, size_t n,
    const uint32_t *group_of, const bool *folded);

/*
 * The contexts of a run as a table: which of them are shown (filter), in
 * which order, and as which lines. Rows stand in order of client and context.
 * Nothing here is drawn.
 *
 * What has to look at all rows is done in pieces, or less often the more rows
 * there are, so that its cost per second is bounded.
 */

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
	struct context_line *rows;
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
struct context_line *table_row(const struct context_table *t, size_t line);
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

/* What the files of the contexts view share: its state, and how it is
 * drawn. */

struct contexts {
	struct view view;
	struct row_list list;
	struct context_table table;
	bool stays;             /* the cursor, on its row of the screen */
	struct columns columns; /* as drawn last */
	int first_y;            /* of the lines, as drawn last */
	struct text text;       /* for printing */
};

/* Below the title, while not everything is as usual: why contexts are not
 * shown, and what keys would act on. */
bool contexts_have_notes(const struct contexts *c, const struct view_env *env);

/* Draws the title, notes and the list's lines, which fit; sets widths. */
void contexts_draw_table(
    struct contexts *c, const struct view_env *env, struct area *a);

/* What the line says in a column, in c->text. */
struct context_cell contexts_cell(
    const struct contexts *c, const struct session *s, size_t line);
void contexts_print(struct contexts *c, size_t line, int column,
    const struct context_cell *cell);

#endif
