/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each part of the screen is: functions from a size and the panes asked
 * for to rectangles, without state.
 */
#ifndef TUI_SCREEN_LAYOUT_H
#define TUI_SCREEN_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* Smaller screens show a notice only. */
#define LAYOUT_MIN_COLS 40
#define LAYOUT_MIN_ROWS 10

struct rect {
	int x, y, w, h; /* h == 0: not shown */
};

/* Parts of the screen. Parts from PART_FIRST_PANE on can have the focus; they
 * are in the order of the digits that show them. */
enum part {
	PART_HEADER,
	PART_FOOTER, /* keys, messages, the prompt */
	PART_ENGINES,
	PART_CONTEXTS,
	PART_REQUESTS,
	PART_TIMELINE,
	PART_DESCRIPTOR,
	PART_LAYER,
	N_PARTS,
	PART_FIRST_PANE = PART_ENGINES,
};

/* A set of panes is the sum of these. */
#define PANE(part) (1u << (part))

/* The panes asked for, on which the layout depends besides the size. */
struct layout_wants {
	unsigned shown; /* the panes asked for */
	/* rows that each pane could fill, without its title */
	int rows[N_PARTS];
	enum part focus; /* a pane that is shown in any case */
	bool zoom;       /* show only the pane with the focus */
	/* Rows of a message, which the footer has above its last row. They are
	 * taken from the lowest panes; a pane keeps its title and a row. */
	int message;
};

struct layout {
	int cols, rows;
	bool too_small;
	struct rect parts[N_PARTS];
	/* all panes together: the area of pages and notices */
	struct rect body;
};

/* Lays out a screen. Panes without room are left out, the least important
 * first. */
struct layout layout_make(int cols, int rows, const struct layout_wants *wants);

/* Returns the panes that a screen of this size shows by default. */
unsigned layout_default(int cols, int rows);
/* Returns the pane that is `by` places after another one on the screen, among
 * those shown. */
enum part layout_walk(unsigned shown, enum part from, int by);

/* Returns the part's name: "header", "engines". */
const char *layout_name(enum part part);
/* Returns the part with the name name[0..len), or N_PARTS. */
enum part layout_find(const char *name, size_t len);

static inline bool
layout_shows(const struct layout *l, enum part part)
{
	return l->parts[part].h > 0;
}

#endif
