/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each part of the screen stands: a pure function from a size to
 * rectangles. No curses, no state, so that it can be tried for every size.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include <stdbool.h>

/* Below this a page says so. */
#define LAYOUT_MIN_COLS 40
#define LAYOUT_MIN_ROWS 10

struct rect {
	int x, y, w, h; /* h == 0: not shown */
};

/* Parts of the screen. Those from PART_FIRST_PANE on can have the focus. */
enum part {
	PART_HEADER,
	PART_FOOTER, /* keys, messages, the prompt */
	PART_ENGINES,
	PART_CONTEXTS,
	PART_DESCRIPTOR,
	N_PARTS,
	PART_FIRST_PANE = PART_ENGINES,
};

/* What the layout depends on beside the size. */
struct layout_wants {
	int engines; /* rows that each list would like to have */
	int contexts;
	enum part focus; /* a pane */
	bool zoom;       /* the pane with the focus alone */
};

struct layout {
	int cols, rows;
	bool too_small;
	struct rect parts[N_PARTS];
	struct rect body; /* all panes together: help and notices go there */
};

struct layout layout_make(int cols, int rows, const struct layout_wants *wants);

static inline bool
layout_shows(const struct layout *l, enum part part)
{
	return l->parts[part].h > 0;
}

#endif
