/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The GPU as a whole, where the run is on a real one: how busy it is with all
 * programs, and clients of other programs, as rows below those of Contexts. Nothing
 * is shown of a run on the model.
 */
#ifndef TUI_VIEWS_FOREIGN_ROWS_H
#define TUI_VIEWS_FOREIGN_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "device/hardware/busyness.h"
#include "run/live/session.h"
#include "tui/screen/screen.h"
#include "tui/views/selection.h"

struct columns;
struct context_table;

/* Returns the width of the column of Engines, which is titled by the source
 * ("PMU%"); 0: there is none. */
int foreign_busyness_cols(const struct session *s);
void foreign_busyness_title(const struct session *s, struct text *out);
/* Append, on a real GPU, where its busyness comes from, and what would be needed for
 * a better source; which other programs are on it. */
void foreign_explain_busyness(const struct session *s, struct text *out);
void foreign_explain_others(const struct session *s, struct text *out);
/* Returns the engines that neither the run nor, as far as is known, another
 * program has used; 0: none has been used. */
engine_mask foreign_idle(const struct session *s);

/* Returns the classes of engines that other programs used lately, as bits. */
unsigned foreign_classes(const struct session *s);
/* Returns the number of rows that the filter of a table lets through, by their
 * text. */
size_t foreign_count(const struct session *s, const struct context_table *t);
/* Returns the client of such a row. */
const struct foreign_client *foreign_at(
    const struct session *s, const struct context_table *t, size_t row);
/* Returns the row of the selected one; SIZE_MAX: none is, or it has gone. */
size_t foreign_selected(const struct session *s, const struct context_table *t,
    const struct selection *sel);
/* Appends "other: gem_wsim (pid 4711)". */
void foreign_label(const struct foreign_client *c, struct text *out);
/* Draws a row into the columns of Contexts. */
void foreign_draw(const struct session *s, const struct foreign_client *client,
    const struct columns *c, struct area *a, int y);

/* If the selection is on such a row, appends why nothing can be done there, and
 * returns true. */
bool foreign_explain_selected(
    const struct session *s, const struct selection *sel, struct text *out);

#endif
