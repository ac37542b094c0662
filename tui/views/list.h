/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cursor and scrolling of a list of rows: what every list does alike. */
#ifndef TUI_VIEWS_LIST_H
#define TUI_VIEWS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/input/keys.h"
#include "tui/screen/screen.h"

struct row_list {
	size_t n;      /* rows in all */
	size_t cursor; /* < n, or 0 */
	size_t top;    /* the first that is shown */
	size_t height; /* rows that are shown */
	bool pager;    /* has no cursor: keys move top */
};

/* Fits cursor and top to a new number of rows and height. */
void list_fit(struct row_list *l, size_t n, int height);
/* False: not an action of lists. */
bool list_act(struct row_list *l, enum action action);
/* At the row that is the y-th shown. False: nothing is there. */
bool list_mouse(struct row_list *l, int y, enum mouse what);
#define LIST_WHEEL_ROWS 3

/* "1-5 of 12" where not all rows are seen, else ""; returns its length. */
#define LIST_PLACE_LEN 80
int list_place(
    const struct row_list *l, const char *of, char buf[LIST_PLACE_LEN]);
/* The same on the title row of a list, as far right and as long as what stands
 * there leaves room for. */
void list_draw_place(const struct row_list *l, struct area *a, enum role role);

/* All rows of a list once, from one on and around its end. */
struct list_walk {
	size_t n, at, left;
	int step;
};

struct list_walk walk_begin(size_t n, size_t from, int step);
bool walk_goes_on(const struct list_walk *w);
void walk_step(struct list_walk *w);

/* How filters and searches compare: a text without capitals is found in any
 * case, one with capitals only as it stands. */

struct needle {
	const char *text; /* not kept */
	size_t len;
	bool any_case;
};

struct needle needle_of(const char *text, size_t len);
#define NOWHERE SIZE_MAX
/* Where in s[0..len) it begins, from byte `from` on. The empty one is
 * everywhere. */
size_t needle_find(
    const struct needle *needle, const char *s, size_t len, size_t from);
/* Is it all of s? */
bool needle_is(const struct needle *needle, const char *s, size_t len);

/* Where the text, put at (x, y) without its first skip columns, has it. */
void paint_matches(struct area *a, int y, int x, const char *s, size_t len,
    int skip, const struct needle *needle);

#endif
