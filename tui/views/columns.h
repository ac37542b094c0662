/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables on the screen. A table is an array of struct column, one row of it per
 * column: title, width, importance, alignment and how a cell is printed. To add
 * a column to a view, add a row to its array.
 *
 * The functions of a column get two untyped pointers, whose types the view
 * chooses: `table`, as given to columns_fit(), and `row`, as given to
 * columns_draw_row().
 */
#ifndef TUI_VIEWS_COLUMNS_H
#define TUI_VIEWS_COLUMNS_H

#include <stdbool.h>

#include "tui/screen/screen.h"

struct text;

/* Columns that a table may have. */
#define COLUMNS_MAX 32

enum column_flag {
	COL_LEFT = 1,      /* aligned to the left; else to the right */
	COL_DESCENDS = 2,  /* sorted highest first, unless inverted */
	COL_MOVES = 4,     /* its values change as time goes on */
	COL_FOUND = 8,     /* filters and searches look into it */
	COL_OF_GROUP = 16, /* in a tree, only the line of a group has it */
	/* Figures that are compared: shown while something is, see
	 * columns_fit(). */
	COL_COMPARED = 128,
	COL_OF_CROWD = 256, /* the line of a crowd has it, see ROW_CROWD */
	/* A group's key to sort by; without either it has none. */
	COL_SUM = 32, /* the sum of its rows' keys */
	COL_MAX = 64, /* the highest of them */
};

struct column {
	const char *title; /* NULL: none */
	/* Screen columns, including the blanks in front. For a flexible column
	 * (percent > 0), the free columns that it needs to be shown. */
	int width;
	int from; /* least width of the table that shows it; 0: any */
	/* 0: always shown. Others are dropped where room is short, those with
	 * the highest number first. */
	int importance;
	/* Share of the columns that fixed columns leave, taken in ascending
	 * order of percent, each of what is left by then. The last one takes
	 * all. 0: of fixed width. */
	int percent;
	int least; /* least width of a flexible column */
	int gap;   /* blanks before text that is aligned to the left */
	unsigned flags;

	/* Width in this table, which is table_width wide; 0: not shown now.
	 * NULL: width. */
	int (*measure)(const void *table, int table_width);
	/* Prints a title of at most width columns. NULL: title. */
	void (*heading)(struct text *out, const struct column *column,
	    int width, const void *table);
	/* Prints a cell. NULL: draw() does it. */
	void (*print)(struct text *out, const void *row);
	/* Draws a cell into the width columns from x on, gap included. */
	void (*draw)(struct area *a, int y, int x, int width, const void *row);
	/* The cell's role. NULL: the row's. */
	enum role (*role)(const void *row);
	/* The name that settings and commands sort by, and the value that is
	 * compared. NULL: the table can't be sorted by the column. */
	const char *sort_name;
	double (*key)(const void *row);
	const char *help;  /* what the table is sorted by, for completions */
	const char *alias; /* another name that columns_find() takes; NULL */
	/* Prints the cell in the line of a group. NULL: it is empty. */
	void (*print_group)(struct text *out, const void *row);
};

/* The columns that fit a table of some width. */
struct columns {
	const struct column *list;
	int n;
	int widths[COLUMNS_MAX]; /* 0: not shown */
};

/* Which line of a table a row is. */
enum row_kind {
	ROW_FLAT,     /* a row of a table without groups */
	ROW_IN_GROUP, /* a row of a tree, below its group's line */
	ROW_GROUP,    /* the line of a group */
	ROW_CROWD,    /* a line of many equal rows, printed as one of them */
};

/* The table that columns_fit() chooses columns for. */
struct columns_room {
	int width;     /* of the table */
	int keep;      /* index of a column that is never dropped; -1: none */
	bool compared; /* COL_COMPARED columns are shown */
	const void *table;
};

/* Chooses the columns that fit, and their widths. */
void columns_fit(struct columns *c, const struct column *list, int n,
    const struct columns_room *room);

/* How the table is sorted, as its titles show it. */
struct columns_order {
	int column; /* -1: no title is marked */
	bool sign;  /* with a sign for the direction */
	bool descends;
};

/* Draws the title row. */
void columns_draw_titles(const struct columns *c, struct area *a,
    enum role role, const struct columns_order *order, const void *table);
/* Draws row y of the area. role: of cells whose column has none. */
void columns_draw_row(const struct columns *c, struct area *a, int y,
    enum role role, enum row_kind kind, const void *row);
/* Appends what a cell says, as columns_draw_row() shows it. */
void columns_print(const struct column *column, enum row_kind kind,
    const void *row, struct text *out);
/* Returns the column with this title or alias, or the only one whose title begins
 * with it, in any case; -1: none. "run" is RUN%. */
int columns_find(
    const struct column *list, int n, const char *name, size_t len);
/* The index of the column at x, or n. */
int columns_at(const struct columns *c, int x);

#endif
