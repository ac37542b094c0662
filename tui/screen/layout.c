/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See layout.h. From top to bottom: header, engines, lists, footer. */
#include "tui/screen/layout.h"

/* From this width on, contexts and descriptor stand side by side. */
#define WIDE_COLS 132
/* The header needs one row. */
#define ONE_HEADER_COLS 150
/* A list with less than this (its title included) is not worth showing. */
#define LIST_MIN_ROWS 4

static int
min(int a, int b)
{
	return a < b ? a : b;
}

static int
max(int a, int b)
{
	return a > b ? a : b;
}

/* The list that is shown when there is room for one only. */
static enum part
main_list(const struct layout_wants *wants)
{
	return wants->focus == PART_DESCRIPTOR ? PART_DESCRIPTOR
					       : PART_CONTEXTS;
}

static void
split_columns(struct layout *l, struct rect r)
{
	int left = min(r.w / 2, 112);

	l->parts[PART_CONTEXTS] = (struct rect){r.x, r.y, left, r.h};
	/* A column between them stays empty. */
	l->parts[PART_DESCRIPTOR] = (struct rect){
	    r.x + left + 1, r.y, r.w - left - 1, r.h};
}

static void
split_rows(struct layout *l, struct rect r, const struct layout_wants *wants)
{
	int most = r.h *
	    (wants->focus == PART_CONTEXTS            ? 6
		    : wants->focus == PART_DESCRIPTOR ? 4
						      : 5) /
	    10;
	int top = min(wants->contexts + 1, most);

	top = max(top, LIST_MIN_ROWS);
	l->parts[PART_CONTEXTS] = (struct rect){r.x, r.y, r.w, top};
	l->parts[PART_DESCRIPTOR] = (struct rect){
	    r.x, r.y + top, r.w, r.h - top};
}

static void
place_lists(struct layout *l, struct rect r, const struct layout_wants *wants)
{
	if (r.w >= WIDE_COLS)
		split_columns(l, r);
	else if (r.h >= 2 * LIST_MIN_ROWS)
		split_rows(l, r, wants);
	else
		l->parts[main_list(wants)] = r;
}

static void
place_panes(struct layout *l, const struct layout_wants *wants)
{
	struct rect r = l->body;
	int engines;

	if (wants->zoom) {
		l->parts[wants->focus] = r;
		return;
	}
	/* The title and all engines if they take no more than half. */
	engines = min(wants->engines + 1, max(r.h / 2, 3));
	if (wants->focus == PART_ENGINES)
		engines = min(wants->engines + 1, r.h - LIST_MIN_ROWS + 1);
	engines = max(engines, 2);
	l->parts[PART_ENGINES] = (struct rect){r.x, r.y, r.w, engines};
	r.y += engines;
	r.h -= engines;
	place_lists(l, r, wants);
}

struct layout
layout_make(int cols, int rows, const struct layout_wants *wants)
{
	struct layout l = {.cols = cols, .rows = rows};
	int header;

	if (cols < LAYOUT_MIN_COLS || rows < LAYOUT_MIN_ROWS) {
		l.too_small = true;
		return l;
	}
	header = cols >= ONE_HEADER_COLS ? 1 : cols < 72 && rows >= 20 ? 3 : 2;
	l.parts[PART_HEADER] = (struct rect){0, 0, cols, header};
	l.parts[PART_FOOTER] = (struct rect){0, rows - 1, cols, 1};
	l.body = (struct rect){0, header, cols, rows - header - 1};
	place_panes(&l, wants);
	return l;
}
