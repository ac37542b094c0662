/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines that were typed, a list for each name, kept in files. readline
 * has one list per process, and undo lists that hang in its lines: it is given
 * a fresh copy for each line that is typed, and nothing of what it did to that
 * lives longer.
 */
#ifndef TUI_INPUT_HISTORIES_H
#define TUI_INPUT_HISTORIES_H

#include <stdbool.h>

/* From now on readline has the lines of the name, which must last; NULL: none.
 * persistent: read from $XDG_STATE_HOME/gpuwl/NAME, and added to it. */
void histories_show(const char *name, bool persistent);
/* The line was accepted. */
void histories_keep(const char *line);
/* After each key: what was done to lines that are not the one being typed can't
 * be undone. readline 8.2 would keep that at the lines, and free it again when
 * it is part of what can be undone later. */
void histories_tidy(void);
/* readline has none. Once it has let go of the line. */
void histories_hide(void);
void histories_free(void);

#endif
