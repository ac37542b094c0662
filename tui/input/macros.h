/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Macros of the person's inputrc ("\C-o": "some keys"). readline 8.2 plays one
 * within one call of rl_callback_read_char(), and jumps to a frame that is gone
 * when the keys in it mean nothing ("\C-xm"); one that calls itself never ends.
 * So they are played as if typed, key by key, and so much of them at most.
 *
 * What takes the place of that is unbound: keyboard macros, which are played in
 * the same way, and re-reading the inputrc; so is do-lowercase-version where it
 * would never end, on keys other than A to Z.
 */
#ifndef TUI_INPUT_MACROS_H
#define TUI_INPUT_MACROS_H

#include <stdbool.h>

/* Once readline is initialised. Returns how many keys had do-lowercase-version
 * without end. */
unsigned macros_install(void);

/* Keys that macros have left to be typed, one after the other. */
bool macros_have_byte(void);
unsigned char macros_take_byte(void);
/* None of them any more: for a key of the person's, or when the line is over. */
void macros_end(void);

#endif
