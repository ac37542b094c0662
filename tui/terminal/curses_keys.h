/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys as curses tells them, and as we name them. */
#ifndef TUI_TERMINAL_CURSES_KEYS_H
#define TUI_TERMINAL_CURSES_KEYS_H

struct key_press;

/* What wgetch() returns for the beginning of a report of the mouse, whose rest
 * follows byte by byte (mouse.h). */
#define CURSES_KEY_MOUSE     0x4000
#define CURSES_KEY_MOUSE_OLD 0x4001
/* And of a paste (paste.h), and for the end of one that never began. */
#define CURSES_KEY_PASTE     0x4002
#define CURSES_KEY_PASTE_END 0x4003

/* Teaches curses the sequences that terminfo leaves out. */
void curses_keys_define(void);
/* What wgetch() returned, as a key press. */
void curses_keys_take(int c, struct key_press *key);

#endif
