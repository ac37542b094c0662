/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a row of the fences view is told and drawn. */
#ifndef TUI_VIEWS_FENCE_DRAW_H
#define TUI_VIEWS_FENCE_DRAW_H

#include <stdbool.h>

#include "run/live/session.h"
#include "tui/screen/screen.h"
#include "tui/views/fence_rows.h"

struct text;

/* From left to right; a width of 0: not shown. */
struct fence_columns {
	int request, client, context, step, what, engine;
	int state, age, ran, bar, waiters, hold;
};

struct fence_columns fence_columns_make(int width, const struct sim *sim);
/* all: the list is seen as a whole. */
void fence_draw_title(struct area *a, const struct fence_columns *c,
    enum role role, bool by_engine, bool all);
/* role: of what has none of its own. One that has ended is drawn as the trail
 * remembers it. */
void fence_draw_row(struct area *a, int y, const struct fence_columns *c,
    const struct session *s, const struct fence_row *row, enum role role);
/* What a search looks at. */
void fence_print(
    const struct session *s, const struct fence_row *row, struct text *out);

#endif
