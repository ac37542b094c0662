/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen as views see it: a grid of cells, each a character and a role, and
 * functions that draw in an area of it and count columns, not bytes. It knows
 * no terminal, so that a frame can be drawn, compared and dumped without one.
 *
 * All text is safe to put: control characters, invalid UTF-8, and invisible or
 * direction-changing characters are shown as visible ones.
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
	enum cell_style style;
};

struct screen {
	int cols, rows;
	struct cell *cells;
	bool unicode;           /* false: ASCII only */
	bool coloured;          /* two uses can share a cell */
	int cursor_x, cursor_y; /* the cursor is shown if cursor_y >= 0 */
};

/* A part of the screen; drawing is clipped to it. */
struct area {
	struct screen *screen;
	struct rect r;
};

/* Changes the size and blanks all cells. Sizes below 1 count as 1. */
void screen_resize(struct screen *s, int cols, int rows);
/* Frees the cells; screen_clear() blanks them and hides the cursor. */
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
 * Puts UTF-8 text at (x, y) of the area, clipped to width columns and to the
 * area. Returns the columns used.
 */
int put(
    struct area *a, int y, int x, int width, enum role role, const char *utf8);
int put_n(struct area *a, int y, int x, int width, enum role role,
    const char *utf8, size_t len);
int putf(struct area *a, int y, int x, int width, enum role role,
    const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* Puts text that ends at x + width; too long, it is cut as by put_cut(). */
void put_right(
    struct area *a, int y, int x, int width, enum role role, const char *utf8);
/* Leaves out the first `skip` columns of the text. */
int put_skip(struct area *a, int y, int x, int width, enum role role,
    const char *utf8, size_t len, int skip);
/* Put text as put_skip() and put() do, but end cut text in cut_sign(). */
int put_cut_skip(struct area *a, int y, int x, int width, enum role role,
    const char *utf8, size_t len, int skip);
int put_cut(
    struct area *a, int y, int x, int width, enum role role, const char *utf8);
wchar_t cut_sign(const struct screen *s);
void put_char(struct area *a, int y, int x, enum role role, wchar_t ch);
/* Puts a character that fills its cell, or a part of it, such as █ or ▐: never
 * reversed, whatever the role's look. */
void put_block(struct area *a, int y, int x, enum role role, wchar_t ch);
/* Makes text that was put the label of a block of that role: it is shown on the
 * block's own colour. */
void paint_on_block(struct area *a, int y, int x, int width, enum role role);
/* Fills cells with blanks of a role; paint() changes only the role, of a block
 * too. */
void fill(struct area *a, int y, int x, int width, enum role role);
void paint(struct area *a, int y, int x, int width, enum role role);

/* Returns the columns that the text takes on this screen. */
int columns(const struct screen *s, const char *utf8, size_t len);
/* Returns the bytes of text that fit width columns, with combining
 * characters. */
size_t bytes_that_fit(
    const struct screen *s, const char *utf8, size_t len, int width);
/* The same for text that is wrapped: breaks at a blank if one is near, and
 * takes at least one character. */
size_t bytes_of_row(
    const struct screen *s, const char *utf8, size_t len, int width);

/* A part of a meter: its share of 1, and its look. */
struct meter_part {
	double share;
	enum role role;
	wchar_t glyph;
};

/* A share of 1 from which on a part has a unit of a graph or meter to itself. */
#define SHARE_SHOWN 0.02
/* Divides up to `room` units in proportion to all shares of 1, at most 8, by the
 * largest remainders; shares of SHARE_SHOWN or more get at least one, if there are as
 * many units. */
void apportion(const double *all, int n, int room, int *units);

/* Draws a meter in brackets: its parts from left to right, in proportion. The
 * first part is drawn to an eighth of a column where the locale has such characters, and as
 * long as it has any share. */
void put_meter(struct area *a, int y, int x, int width,
    const struct meter_part *parts, int n);
/* Draws a history of n samples in percent, oldest first, aligned to the
 * right. */
void put_history(struct area *a, int y, int x, int width,
    const unsigned char *percent, int n);

#endif
