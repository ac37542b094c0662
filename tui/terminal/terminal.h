/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal: opening, drawing, reading keys, giving it back.
 *
 * curses produces the bytes of a frame into memory; they are sent without
 * blocking, so that a terminal that stalls misses frames but the program stays
 * responsive. The terminal's modes are set here, not by curses.
 */
#ifndef TUI_TERMINAL_TERMINAL_H
#define TUI_TERMINAL_TERMINAL_H

#include <stdbool.h>

#include "tui/input/keys.h"
#include "tui/screen/screen.h"

struct text;
struct terminal;

enum terminal_read { READ_NONE, READ_KEY, READ_END };

/* True if standard input and output are terminals. */
bool terminal_present(void);
/* Returns NULL and a reason in err if the terminal can't be used. no_color:
 * ignore the theme's colours. */
struct terminal *terminal_open(
    bool no_color, const struct theme *theme, struct text *err);
void terminal_close(struct terminal *t); /* NULL is ignored */

/* Limits of the part that is used: curses counts rows and columns in 15 bits,
 * and a cell costs some 100 bytes. */
#define TERMINAL_MAX_COLS  2000
#define TERMINAL_MAX_ROWS  1000
#define TERMINAL_MAX_CELLS 1000000

/* Returns the current size, limited and at least 1x1. */
void terminal_size(const struct terminal *t, int *cols, int *rows);

int terminal_fd(const struct terminal *t);
/* True if the terminal has not taken the whole last frame: wait for POLLOUT,
 * then flush. */
bool terminal_is_behind(const struct terminal *t);
void terminal_flush(struct terminal *t);
/* Returns how many colours it has; 0: none, or they are not wanted. */
int terminal_colours(const struct terminal *t);
/* Sets the theme of what is drawn from now on. */
void terminal_set_theme(struct terminal *t, const struct theme *theme);
/* Draws the cells that changed, or all. */
void terminal_draw(struct terminal *t, const struct screen *s, bool all);
/* Reads a key. READ_NONE: none has come; READ_END: the terminal is gone. */
enum terminal_read terminal_read(struct terminal *t, struct key_press *key);

/* Looks during long work for a key that is_wanted accepts; true also if the
 * terminal is gone. All keys stay to be read. */
bool terminal_find_key(
    struct terminal *t, bool (*is_wanted)(const struct key_press *key));
/* Removes the first such key. */
void terminal_drop_key(
    struct terminal *t, bool (*is_wanted)(const struct key_press *key));
/* True if keys have been read ahead, which poll() can't tell. */
bool terminal_has_keys(const struct terminal *t);

/* Turns mouse reports on or off with the next frame, on terminals that are
 * known to have them. */
void terminal_set_mouse(struct terminal *t, bool on);
/* Turns bracketed pastes on with the next frame, on terminals with mouse
 * reports, which have these too. */
void terminal_want_pastes(struct terminal *t);

/* Give the terminal back for a stop, and take it again. */
void terminal_leave(struct terminal *t);
void terminal_enter(struct terminal *t);
/* Sets the modes again, in case another program changed them. */
void terminal_reclaim(struct terminal *t);

#endif
