/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters of tables: words that a row must have, all of them or all after a '|'.
 * A word is part of a COL_FOUND cell (vcs1, wait, game.wsim), or a column and
 * its value (ctx=2), which matches a number as a whole and part of a text.
 */
#ifndef TUI_VIEWS_FILTER_H
#define TUI_VIEWS_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/views/columns.h"
#include "tui/views/list.h"

#define FILTER_MAX_WORDS 32

struct filter_word {
	struct needle needle;
	int column; /* -1: any */
	bool other; /* begins after a '|' */
};

struct row_filter {
	const struct column *columns; /* of the table */
	int n_columns;
	char *text; /* as typed; words point into it */
	struct filter_word words[FILTER_MAX_WORDS];
	size_t n_words; /* 0: every row passes */
};

/* Sets the filter of a table with these columns to a copy of text. Words beyond
 * FILTER_MAX_WORDS are ignored. */
void filter_set(struct row_filter *f, const char *text,
    const struct column *columns, int n_columns);
/* The filter as it was typed; "": none */
const char *filter_text(const struct row_filter *f);
/* Frees what the filter has and clears it. */
void filter_free(struct row_filter *f);

/* Prints the cell of a column to room, which is empty. */
typedef void filter_cell(void *arg, int column, struct text *room);

/* True if a row passes; its cells are printed by cell(arg, ...). Only columns
 * with a print function are looked at. */
bool filter_passes(const struct row_filter *f, filter_cell *cell, void *arg,
    struct text *room);

#endif
