/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys as curses tells them, and as we name them. */
#ifndef TUI_CURSES_KEYS_H
#define TUI_CURSES_KEYS_H

struct key_press;

/* Teaches curses the sequences that terminfo leaves out. */
void curses_keys_define(void);
/* What wgetch() returned, as a key press. */
void curses_keys_take(int c, struct key_press *key);

#endif
