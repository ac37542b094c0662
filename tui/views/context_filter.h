/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which contexts the table shows. A filter is words: a row must have all of
 * them, or all of those after a '|'. A word is part of a cell that stands
 * still (vcs1, wait, game.wsim), or a column and its value (ctx=2): all of a
 * number, part of a text.
 */
#ifndef TUI_VIEWS_CONTEXT_FILTER_H
#define TUI_VIEWS_CONTEXT_FILTER_H

#include "base/text.h"
#include "tui/views/context_columns.h"
#include "tui/views/match.h"

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

#endif
