/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal: taken, drawn on, read from, given back.
 *
 * curses works out the bytes of a frame, but they go into memory first and
 * then to the terminal in one piece, without ever blocking: a terminal that
 * stalls misses frames, and the program stays responsive. The modes of the
 * terminal are ours, not curses'.
 */
#ifndef TUI_TERMINAL_TERMINAL_H
#define TUI_TERMINAL_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/input/keys.h"
#include "tui/screen/screen.h"

struct text;
struct terminal;

enum terminal_read { READ_NONE, READ_KEY, READ_END };

/* Are standard input and output a terminal? */
bool terminal_present(void);
/* NULL and a text: this terminal can't be used. no_color: not even if the
 * theme has some. */
struct terminal *terminal_open(
    bool no_color, const struct theme *theme, struct text *err);
void terminal_close(struct terminal *t); /* NULL is fine */

/* curses counts rows and columns in 15 bits, and all that draws takes about
 * 100 bytes per cell: of a larger terminal this much is used. */
#define TERMINAL_MAX_COLS  2000
#define TERMINAL_MAX_ROWS  1000
#define TERMINAL_MAX_CELLS 1000000

/* The size as it is now, at least 1x1, and what is used of it. */
void terminal_size(const struct terminal *t, int *cols, int *rows);

int terminal_fd(const struct terminal *t);
/* Has it not taken the last frame yet? Then wait for POLLOUT and flush. */
bool terminal_is_behind(const struct terminal *t);
void terminal_flush(struct terminal *t);
/* All that is drawn from now on looks so. */
void terminal_set_theme(struct terminal *t, const struct theme *theme);
/* Draws what changed, or everything. */
void terminal_draw(struct terminal *t, const struct screen *s, bool all);
enum terminal_read terminal_read(struct terminal *t, struct key_press *key);

/* While something takes long: does a key wait that is_wanted, or has the
 * terminal gone? All keys stay to be read. */
bool terminal_find_key(
    struct terminal *t, bool (*is_wanted)(const struct key_press *key));
/* Takes the first such key out. */
void terminal_drop_key(
    struct terminal *t, bool (*is_wanted)(const struct key_press *key));
/* Are there keys to be read that poll() does not know of? */
bool terminal_has_keys(const struct terminal *t);

/* Asks the terminal for reports of the mouse, or no more; with the next frame.
 * A terminal that is not known to have one is not asked. */
void terminal_set_mouse(struct terminal *t, bool on);
/* Asks it to tell pastes from keys, with the next frame, if it has a mouse: the
 * same terminals know of both. */
void terminal_want_pastes(struct terminal *t);

/* For a stop: gives the terminal back, and takes it again. */
void terminal_leave(struct terminal *t);
void terminal_enter(struct terminal *t);
/* Sets its modes again, in case somebody else changed them. */
void terminal_reclaim(struct terminal *t);

#endif
