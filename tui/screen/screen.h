/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen as views see it: a grid of cells with a character and a role,
 * and drawing helpers that clip to an area and count columns, not bytes. It
 * knows nothing of a terminal, so a frame can be drawn, compared and dumped
 * without one.
 *
 * Whatever is put here is safe to show: control characters, invalid UTF-8 and
 * invisible or direction-changing characters become visible stand-ins.
 */
#ifndef TUI_SCREEN_SCREEN_H
#define TUI_SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include "tui/screen/layout.h"
#include "tui/screen/theme.h"

struct text;

struct cell {
	wchar_t ch;   /* 0: right half of a wide character */
	wchar_t mark; /* a combining character on it; 0: none */
	enum role role;
};

struct screen {
	int cols, rows;
	struct cell *cells;
	bool unicode;           /* else everything is ASCII */
	int cursor_x, cursor_y; /* shown when cursor_y >= 0 */
};

/* A part of the screen that a view draws in: nothing goes outside. */
struct area {
	struct screen *screen;
	struct rect r;
};

/* Cells are blank afterwards. Sizes below 1 are taken as 1. */
void screen_resize(struct screen *s, int cols, int rows);
void screen_free(struct screen *s);
void screen_clear(struct screen *s);
/* Appends the rows of r, which is on the screen, as UTF-8 text without the
 * blanks at their ends. */
void screen_dump(const struct screen *s, struct rect r, struct text *out);
/* The rectangle of the whole screen. */
static inline struct rect
screen_rect(const struct screen *s)
{
	return (struct rect){0, 0, s->cols, s->rows};
}

static inline struct area
screen_area(struct screen *s, struct rect r)
{
	return (struct area){s, r};
}

/*
 * Puts UTF-8 text at (x, y) of the area, at most width columns of it (and
 * never beyond the area). Returns the columns used.
 */
int put(
    struct area *a, int y, int x, int width, enum role role, const char *utf8);
int put_n(struct area *a, int y, int x, int width, enum role role,
    const char *utf8, size_t len);
int putf(struct area *a, int y, int x, int width, enum role role,
    const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* The same with the end of the text at x + width; as put_cut. */
void put_right(
    struct area *a, int y, int x, int width, enum role role, const char *utf8);
/* Skips the first skip columns of the text. */
int put_skip(struct area *a, int y, int x, int width, enum role role,
    const char *utf8, size_t len, int skip);
/* The same, and a text that has more says so in the last column. */
int put_cut_skip(struct area *a, int y, int x, int width, enum role role,
    const char *utf8, size_t len, int skip);
int put_cut(
    struct area *a, int y, int x, int width, enum role role, const char *utf8);
wchar_t cut_sign(const struct screen *s);
void put_char(struct area *a, int y, int x, enum role role, wchar_t ch);
/* Fills a row's cells with blanks of a role / changes their role. */
void fill(struct area *a, int y, int x, int width, enum role role);
void paint(struct area *a, int y, int x, int width, enum role role);

/* Columns that the text takes on this screen. */
int columns(const struct screen *s, const char *utf8, size_t len);
/* Bytes of the text that so many columns hold, with what combines. */
size_t bytes_that_fit(
    const struct screen *s, const char *utf8, size_t len, int width);
/* The same of a text that goes on in the next row: up to a blank, if one is
 * near; at least one character. */
size_t bytes_of_row(
    const struct screen *s, const char *utf8, size_t len, int width);

/* A meter in brackets: busy and waiting are shares of 1, told apart by glyph
 * and by role. */
void put_meter(
    struct area *a, int y, int x, int width, double busy, double waiting);
/* History, newest at the right: n samples in percent, oldest first. */
void put_history(struct area *a, int y, int x, int width,
    const unsigned char *percent, int n);

#endif
