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
#include "engine/client/client.h"
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
	uint64_t missed; /* periods of the client, the overdue one too */
};

/* Figures between two samples. Shares are those of one engine's time: two
 * engines that run all the time are 2. */
struct context_shares {
	float run, poll, switching;
	float classes[N_CLASSES]; /* run, by engine class */
	float missed;             /* periods per second, see RATE_SAMPLES */
	nsec latency_ns;          /* mean; NSEC_NEVER: no batch ended */
};

/* Totals, sampled now and then, and the figures between two samples. */
struct context_sample {
	struct context_shares shares;
	struct context_totals seen; /* at the last sample */
	nsec at;                    /* when that was */
	struct missed_at {
		nsec at;
		uint64_t missed;
	} missed[RATE_SAMPLES]; /* a ring of the last samples */
	uint32_t n_missed;      /* samples that it got */
};

/* A context of the table. */
struct context_line {
	const struct context *context;
	struct context_sample sample;
};

/* Samples the figures of a context: over the windows of the load history, and
 * before the first one over the time so far. (context_samples.c) */
void sample_row(struct context_line *row, const struct session *s);
/* The same of all contexts of a client. */
void sample_client(struct context_sample *b, const struct session *s,
    const struct client *client);
/* Returns the missed periods of the context's client, the overdue one too, since
 * the totals were set to zero. */
uint64_t context_misses(const struct session *s, const struct context *context);

/*
 * Crowds: the contexts with one number of all clients that run one workload, as
 * one row (context_crowds.c).
 */

/* Clients of one workload from which on they are one row by default. */
#define CROWD_MANY 33
/* Rows that are looked at per tick for the figures of crowds. */
#define CROWD_ROWS_PER_TICK 2000

/* Sums over clients that have not ended, and values that they share. */
struct crowd_figures {
	uint32_t n, n_banned;
	struct context_shares shares; /* sums; latency_ns: the median */
	nsec latency_max_ns;
	nsec late_ns, late_max_ns; /* of all clients: median, and maximum */
	uint64_t queue, misses;
	/* The first one's; and whether others differ. */
	int16_t priority;
	uint32_t sseu;
	nsec preempt_ns;
	bool priorities_differ, sseu_differ, preempt_differ;
	uint32_t states[CLIENT_ENDED + 1]; /* clients, by enum client_state */
};

struct crowd {
	size_t first;  /* its first row */
	uint32_t n;    /* rows, those of ended clients too */
	size_t values; /* where the pass collects its latencies */
	uint32_t n_latencies, n_late; /* collected there */
	struct crowd_figures figures; /* of the last pass over all rows */
	struct crowd_figures pass;    /* of the pass at hand */
};

struct crowds {
	enum crowd_mode mode;
	struct crowd *list;
	size_t n, cap;
	uint32_t *of; /* of each row: its crowd, or NO_GROUP */
	size_t cap_of;
	uint32_t most; /* rows of the largest crowd */
	bool *folded;  /* kept from run to run */
	size_t n_folded, cap_folded;

	/* The pass over all rows that makes figures. */
	size_t at;       /* the next row */
	bool wanted;     /* the figures are needed at once: begins anew */
	bool waited_for; /* until this pass is done */
	nsec *latencies, *late; /* room for the values of all rows */
};

/* A row as its columns print it. */
struct context_cell {
	const struct session *session;
	const struct context_line *row;
	const struct context_facts *facts;
	const struct context_shares *shares; /* of the line */
	const struct crowd_figures *crowd; /* NULL: the line is not a crowd's */
	const struct difference *difference; /* NULL: there is no baseline */
	bool late_is_max; /* of a crowd: no room for the median too */
};

/* Least width of a table that has a spread in LATE, beside that in LATENCY. */
#define CONTEXTS_BOTH_SPREADS 90

enum context_column {
	COLUMN_CLIENT,
	COLUMN_CONTEXT,
	COLUMN_NAME,
	COLUMN_PRIORITY,
	COLUMN_SSEU,
	COLUMN_PREEMPT,
	COLUMN_ENGINES,
	COLUMN_RUN,
	COLUMN_CLASS_0, /* a column for each engine class */
	COLUMN_CLASS_MORE = COLUMN_CLASS_0 + N_CLASSES,
	COLUMN_POLL,
	COLUMN_SWITCH,
	COLUMN_QUEUE,
	COLUMN_LATENCY,
	COLUMN_P99,
	COLUMN_MAX,
	COLUMN_MISS_RATE,
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
	const uint32_t *group_of; /* of each row; NO_GROUP: it has none */
	const uint32_t *firsts;   /* of each group: its first row */
};

#define NO_GROUP UINT32_MAX

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
 * it its rows unless it is folded; rows without a group are lines of their own.
 * lines has room for n rows and their groups. Returns the number of lines.
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

enum table_look { LOOK_FLAT, LOOK_TREE, LOOK_CROWDS };

struct context_table {
	struct context_line *rows;
	size_t n_rows, cap_rows;
	uint32_t *client_of; /* of each row: the index of its client */
	size_t cap_client_of;
	struct client_row {
		size_t first, n; /* the client's rows */
		struct context_sample sample;
	} * clients;
	bool *folded; /* of each client; kept from run to run */
	size_t n_clients, cap_clients, n_folded, cap_folded;
	struct crowds crowds;
	uint64_t n_jumps;   /* of the session that it has counted */
	uint64_t n_changes; /* of programs' contexts that it has counted */
	nsec next_gone;     /* when an ended program is to go */
	/* by id of a workload: its first client + 1; 0: none */
	size_t *leaders;
	size_t n_leaders, cap_leaders;

	struct row_filter filter;
	bool hide_idle;
	struct filter_pass pass;
	uint32_t *kept; /* rows shown, ascending; NULL: all */
	size_t n_kept;
	uint64_t filtered_at; /* samples of the session at that time */

	enum context_column sort;
	bool inverted, tree;
	enum table_look look; /* of the lines */
	uint32_t *lines; /* what is shown; NULL: all rows in their own order */
	size_t n_lines;
	double *keys, *group_keys; /* what was sorted by last */
	uint32_t *firsts;          /* of each group: its first row */
	uint32_t *group_of; /* of each row: its crowd, if that is shown */
	size_t n_grouped;   /* rows that it has: later ones wait for a filter */
	uint64_t sorted_at; /* samples of the session at that time */

	struct text cell; /* room to print a cell */
};

/* Frees what the table has, not the table. */
void table_free(struct context_table *t);
/* Empties the table for a new run. */
void table_launched(struct context_table *t, const struct session *s);
/* Adds the clients that were added to the run, and lets contexts of programs come
 * and go. True: rows may be others than before. */
bool table_add_new_rows(struct context_table *t, const struct session *s);

/* Returns the line's row; of a client's or a crowd's line its first one. */
struct context_line *table_row(const struct context_table *t, size_t line);
/* Returns the crowd whose line it is; NULL: none. */
const struct crowd *table_crowd(const struct context_table *t, size_t line);
/* Returns the crowd that is shown with this context in it; NULL: none. */
const struct crowd *table_crowd_of(
    const struct context_table *t, uint32_t client, uint32_t context);
/* Calls fn for each context of the crowd that is shown, until it returns
 * false. */
void table_each_of_crowd(const struct context_table *t,
    const struct crowd *crowd, tag_fn *fn, void *arg);
/* Returns whether the group of the line, a client or a crowd, is folded; NULL:
 * the line has no group. */
bool *table_folded(const struct context_table *t, size_t line);
/* True if the line is a client's. *client: the index of the line's client. */
bool table_is_client(
    const struct context_table *t, size_t line, size_t *client);
/* NULL: the program that its client runs does not have the context. */
const struct context_facts *table_facts(
    const struct session *s, const struct context *context);

/* Samples the figures of a line; a crowd has those of its last pass. */
void table_sample(
    struct context_table *t, const struct session *s, size_t line);
/* Samples a line that has no sample yet. */
void table_sample_first(
    struct context_table *t, const struct session *s, size_t line);
/* Returns the figures of a line. */
const struct context_shares *table_shares(
    const struct context_table *t, size_t line);

/* Changes of what is shown. They take effect at once, except that a filter over
 * very many rows shows the old lines until it is done. */
void table_sort_by(struct context_table *t, const struct session *s,
    enum context_column column, bool inverted);
void table_set_tree(
    struct context_table *t, const struct session *s, bool tree);
/* Folds or unfolds the group of a line. */
void table_fold(
    struct context_table *t, const struct session *s, size_t line, bool folded);
void table_set_crowds(
    struct context_table *t, const struct session *s, enum crowd_mode mode);
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

/* For the files of the table. */

/* Sorts the rows that pass, and makes the lines of them. */
void table_sort(struct context_table *t, const struct session *s);
/* Filters all rows for a user who waits. */
void table_filter_anew(struct context_table *t, const struct session *s);
/* Filters again as figures change, a few rows per tick; true: the rows that pass
 * are others. */
bool table_tick_filter(struct context_table *t, const struct session *s);
/* Ends a pass, and forgets which rows passed. */
void table_drop_filter(struct context_table *t);

/* For context_table.c. */

/* Adds the last row of the table, the i-th of its client. */
void crowds_add_row(struct context_table *t, uint32_t workload, uint32_t i);
/* Removes all crowds for a new run. */
void crowds_clear(struct context_table *t);
void crowds_free(struct context_table *t);
/* True if crowds are shown: the mode asks for them, and one is large enough. */
bool crowds_shown(const struct context_table *t);
/* Sets group_of each of the n rows in order: its crowd, if it is large enough;
 * of other rows NO_GROUP. */
void crowds_make_groups(
    struct context_table *t, const uint32_t *order, size_t n);
/* Continues the pass over all rows, in a tick by a few of them; by up to
 * TABLE_ROWS_AT_ONCE if the user waits for it. */
void crowds_go_on(struct context_table *t, const struct session *s);

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

/* The table while a frame is drawn, as its columns are chosen for it. */
struct contexts_frame {
	const struct view_env *env;
	unsigned classes;    /* those that have had work, as bits */
	unsigned n_left_out; /* of them, without a column */
	bool crowds;         /* some lines are crowds */
	bool periods;        /* clients have periods */
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
