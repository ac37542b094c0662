/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands of readline 8.2 that harm, each in a form that does not:
 *
 *   vi's e and E, and completion from its command mode, never end when the last
 *   character of the line is not ASCII: in command mode the cursor can't stand
 *   behind it, and they wait for it to.
 *
 *   vi's searches free twice what can be undone in a line that the search has
 *   put aside: nothing can be undone after one.
 */
#ifndef TUI_INPUT_MENDS_H
#define TUI_INPUT_MENDS_H

/* Takes their place wherever they are bound. Once readline is initialised. */
void mends_install(void);

#endif
