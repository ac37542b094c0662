/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the contexts view share: its state, and how it is
 * drawn. */
#ifndef TUI_VIEWS_CONTEXTS_H
#define TUI_VIEWS_CONTEXTS_H

#include "tui/views/context_table.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

struct contexts {
	struct view view;
	struct list list;
	struct context_table table;
	bool stays;            /* the cursor, on its row of the screen */
	int widths[N_COLUMNS]; /* as drawn last; 0: no room */
	int first_y;           /* of the lines, as drawn last */
	struct text text;      /* for printing */
};

/* Below the title, while not everything is as usual: why contexts are not
 * shown, and what keys would act on. */
bool contexts_have_notes(const struct contexts *c, const struct view_env *env);

/* Draws the title, notes and the list's lines, which fit; sets widths. */
void contexts_draw_table(
    struct contexts *c, const struct view_env *env, struct area *a);

/* What the line says in a column, in c->text. */
struct context_cell contexts_cell(
    const struct contexts *c, const struct session *s, size_t line);
void contexts_print(struct contexts *c, size_t line, int column,
    const struct context_cell *cell);

#endif
