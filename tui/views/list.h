/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of rows: cursor, scrolling, the position shown in the title, and
 * searching, as all views have them.
 */
#ifndef TUI_VIEWS_LIST_H
#define TUI_VIEWS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/input/keys.h"
#include "tui/screen/screen.h"

struct row_list {
	size_t n;      /* rows */
	size_t cursor; /* always less than n, but 0 in an empty list */
	size_t top;    /* the first row shown */
	size_t height; /* rows shown */
	bool pager;    /* without a cursor: keys move top */
};

/* Sets the number of rows and the height, and moves cursor and top into
 * range. */
void list_fit(struct row_list *l, size_t n, int height);
/* Moves the cursor. Returns false for an action that is not one of lists. */
bool list_act(struct row_list *l, enum action action);
/* Moves the cursor to the row shown at y, or scrolls. Returns false if a click
 * hits no row. */
bool list_mouse(struct row_list *l, int y, enum mouse what);
#define LIST_WHEEL_ROWS 3

/* Prints "1-5 of 12" if only part of the rows is shown, else "". Returns the
 * length. */
#define LIST_PLACE_LEN 80
int list_place(
    const struct row_list *l, const char *of, char buf[LIST_PLACE_LEN]);
/* Draws the position into the blanks of the list's title row, behind the titles if it
 * fits there, as long as fits. Returns 0, or the columns that it needs if there is
 * no room for it. */
int list_draw_place(const struct row_list *l, struct area *a, enum role role);

/* A walk over all rows once, from one of them and around the end. */
struct list_walk {
	size_t n, at, left;
	int step;
};

/* Begins at row `from`; SIZE_MAX: the last one. step is 1 or -1. */
struct list_walk walk_begin(size_t n, size_t from, int step);
/* False when all rows have been visited. */
bool walk_goes_on(const struct list_walk *w);
/* Goes to the next row: w->at. */
void walk_step(struct list_walk *w);

/* A text to find. Without capital letters it matches in any case, else only as
 * it is written. Letters beyond ASCII match in their own case only. */
struct needle {
	const char *text; /* the caller's */
	size_t len;
	bool any_case;
};

/* Makes a needle of text[0..len). */
struct needle needle_of(const char *text, size_t len);
#define NOWHERE SIZE_MAX
/* Returns where in s[0..len) the needle is found first, from byte `from` on, or
 * NOWHERE. The empty needle is everywhere. */
size_t needle_find(
    const struct needle *needle, const char *s, size_t len, size_t from);
/* True if s is the needle. */
bool needle_is(const struct needle *needle, const char *s, size_t len);

/* Highlights each match of a text that was put at (x, y) without its first skip
 * columns. */
void paint_matches(struct area *a, int y, int x, const char *s, size_t len,
    int skip, const struct needle *needle);

#endif
