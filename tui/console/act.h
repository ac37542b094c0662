/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What keys do: a file act_*.c per group, each with a table from actions to
 * functions, which ends with ACT_NONE. What concerns one view only is done
 * there (view.h).
 */
#ifndef TUI_CONSOLE_ACT_H
#define TUI_CONSOLE_ACT_H

#include "tui/console/ui.h"

/* wall: the time of the key. */
typedef void act_fn(struct ui *ui, nsec wall);

struct act_row {
	enum action action;
	act_fn *act;
};

extern const struct act_row act_compare[]; /* snapshot */
extern const struct act_row act_find[];    /* search, filter */
extern const struct act_row act_run[];     /* time: pause, speed, restart */
extern const struct act_row act_why_and_misses[];
extern const struct act_row act_edit[];   /* lines of a descriptor */
extern const struct act_row act_files[];  /* writing, leaving */
extern const struct act_row act_screen[]; /* focus, zoom, pages, leaving */
extern const struct act_row act_launch[]; /* clients come and go */
extern const struct act_row act_tweak[];  /* priorities ..., undo */

#endif
