/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The four uses of an engine (enum engine_use) as every view shows them: a name,
 * a glyph and a role each. A use has the same look wherever it is drawn, but for
 * batches on the timeline, which have the colour of their context.
 */
#ifndef TUI_VIEWS_USES_H
#define TUI_VIEWS_USES_H

#include "engine/gpu/engine.h"
#include "tui/screen/screen.h"
#include "tui/screen/theme.h"

/* Returns "run", "switch", "poll" or "blocked". */
const char *use_name(enum engine_use use);
enum role use_role(enum engine_use use);
/* Returns the character of a column that the use has alone. */
wchar_t use_glyph(enum engine_use use, bool unicode);

/* Draws a column of a graph, rows y to y + rows - 1: the shares, each of 1, stacked
 * from below in proportion, each of SHARE_SHOWN or more to be seen. */
void put_stack(
    struct area *a, int y, int x, int rows, const double shares[N_USES]);
/* Draws a meter of the shares, each of 1, in the order of the uses. */
void put_uses(
    struct area *a, int y, int x, int width, const float shares[N_USES]);
/* Draws "# run % switch = poll : blocked" with these glyphs and roles, as far as
 * it fits. Returns its width in columns. */
int put_uses_legend(struct area *a, int y, int x, int width);

#endif
