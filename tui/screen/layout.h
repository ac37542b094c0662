/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each part of the screen stands: pure functions from a size and what
 * is asked for to rectangles. No curses, no state, so that they can be tried
 * for every size.
 */
#ifndef TUI_SCREEN_LAYOUT_H
#define TUI_SCREEN_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* Below this a page says so. */
#define LAYOUT_MIN_COLS 40
#define LAYOUT_MIN_ROWS 10

struct rect {
	int x, y, w, h; /* h == 0: not shown */
};

/* Parts of the screen. Those from PART_FIRST_PANE on can have the focus; their
 * order is that of the keys 1 to 6. */
enum part {
	PART_HEADER,
	PART_FOOTER, /* keys, messages, the prompt */
	PART_ENGINES,
	PART_CONTEXTS,
	PART_FENCES,
	PART_TIMELINE,
	PART_DESCRIPTOR,
	PART_LAYER,
	N_PARTS,
	PART_FIRST_PANE = PART_ENGINES,
};

/* Panes as a set. */
#define PANE(part) (1u << (part))

/* What the layout depends on beside the size. */
struct layout_wants {
	unsigned shown;    /* PANE() of those asked for */
	int rows[N_PARTS]; /* that each pane could fill, without its title */
	enum part focus;   /* a pane, which is shown whatever else is */
	bool zoom;         /* the pane with the focus alone */
};

struct layout {
	int cols, rows;
	bool too_small;
	struct rect parts[N_PARTS];
	struct rect body; /* all panes together: help and notices go there */
};

/* Panes for which there is no room are left out, the least important first. */
struct layout layout_make(int cols, int rows, const struct layout_wants *wants);

/* The panes that a screen of this size shows when nobody asked for others. */
unsigned layout_default(int cols, int rows);
/* The pane of a set that comes by places after this one, in the order in
 * which they stand on the screen. */
enum part layout_walk(unsigned shown, enum part from, int by);

/* The part's name: "header", "engines". */
const char *layout_name(enum part part);
/* The part with the name name[0..len), or N_PARTS if none has it. */
enum part layout_find(const char *name, size_t len);

static inline bool
layout_shows(const struct layout *l, enum part part)
{
	return l->parts[part].h > 0;
}

#endif
