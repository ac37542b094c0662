/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grid of cells: putting text, clipped to areas and counted in columns;
 * wide and combining characters; meters and histories.
 */
#include "tui/screen/screen.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"

static const struct cell blank = {L' ', 0, ROLE_NORMAL, CELL_TEXT};

void
screen_resize(struct screen *s, int cols, int rows)
{
	s->cols = cols < 1 ? 1 : cols;
	s->rows = rows < 1 ? 1 : rows;
	s->cells = mem_realloc(
	    s->cells, (size_t)s->cols * (size_t)s->rows, sizeof(*s->cells));
	screen_clear(s);
}

void
screen_free(struct screen *s)
{
	free(s->cells);
	*s = (struct screen){0};
}

void
screen_clear(struct screen *s)
{
	size_t n = (size_t)s->cols * (size_t)s->rows;

	for (size_t i = 0; i < n; i++)
		s->cells[i] = blank;
	s->cursor_y = -1;
}

void
screen_dump(const struct screen *s, struct rect r, struct text *out)
{
	for (int y = r.y; y < r.y + r.h; y++) {
		const struct cell *row = s->cells + (size_t)y * s->cols + r.x;
		int end = r.w;

		while (end > 0 && row[end - 1].ch == L' ' &&
		    row[end - 1].mark == 0)
			end--;
		for (int x = 0; x < end; x++) {
			if (row[x].ch != 0)
				text_add_code(out, (uint32_t)row[x].ch);
			if (row[x].mark != 0)
				text_add_code(out, (uint32_t)row[x].mark);
		}
		text_addc(out, '\n');
	}
}

/*
 * Decodes the first character of s[0..len), len > 0, and sets *ch to what is
 * drawn for it in the width columns of the result; to 0 for nothing. '?' is
 * drawn for a character that is not visible, that the locale cannot show, or that the
 * C library does not know: curses would not draw it.
 */
static struct utf8_char
shown_char(const struct screen *s, const char *utf8, size_t len, wchar_t *ch)
{
	struct utf8_char c = utf8_decode(utf8, len);

	*ch = (wchar_t)c.code;
	if (c.valid && c.code == '\t') {
		*ch = L' ';
	} else if (!c.visible || (c.code > 0x7f && !s->unicode)) {
		*ch = L'?';
		c.width = 1;
	} else if (c.code > 0x7f && wcwidth(*ch) < 0) {
		*ch = c.width > 0 ? L'?' : 0;
	}
	return c;
}

int
columns(const struct screen *s, const char *utf8, size_t len)
{
	int n = 0;
	wchar_t ch;

	for (size_t at = 0; at < len;) {
		struct utf8_char c = shown_char(s, utf8 + at, len - at, &ch);

		n += c.width;
		at += c.len;
	}
	return n;
}

size_t
bytes_that_fit(const struct screen *s, const char *utf8, size_t len, int width)
{
	size_t at = 0;
	wchar_t ch;

	while (at < len) {
		struct utf8_char c = shown_char(s, utf8 + at, len - at, &ch);

		width -= c.width;
		if (width < 0)
			break;
		at += c.len;
	}
	return at;
}

size_t
bytes_of_row(const struct screen *s, const char *utf8, size_t len, int width)
{
	size_t fits = bytes_that_fit(s, utf8, len, width), at = fits;

	if (fits == len)
		return len;
	while (at > 0 && utf8[at] != ' ')
		at--;
	if (at > fits / 3)
		return at;
	return fits > 0 ? fits : utf8_decode(utf8, len).len;
}

static struct cell *
cell_at(struct area *a, int y, int x)
{
	int sx = a->r.x + x, sy = a->r.y + y;

	if (x < 0 || y < 0 || x >= a->r.w || y >= a->r.h ||
	    sx >= a->screen->cols || sy >= a->screen->rows)
		return NULL;
	return &a->screen->cells[(size_t)sy * a->screen->cols + sx];
}

/* Blanks the other half of a wide character that loses one. */
static void
blank_split_halves(struct area *a, int y, int x)
{
	struct cell *c = cell_at(a, y, x);
	struct cell *left = cell_at(a, y, x - 1);
	struct cell *right = cell_at(a, y, x + 1);

	if (c->ch == 0 && left != NULL)
		*left = (struct cell){L' ', 0, left->role, left->style};
	if (c->ch != 0 && right != NULL && right->ch == 0)
		*right = (struct cell){L' ', 0, right->role, right->style};
}

static void
set_cell(struct area *a, int y, int x, enum role role, wchar_t ch, int width)
{
	struct cell *c = cell_at(a, y, x);

	if (c == NULL)
		return;
	blank_split_halves(a, y, x);
	*c = (struct cell){ch, 0, role, CELL_TEXT};
	if (width == 2) {
		blank_split_halves(a, y, x + 1);
		*cell_at(a, y, x + 1) = (struct cell){
		    ch == L'?' ? L' ' : 0, 0, role, CELL_TEXT};
	}
}

void
put_char(struct area *a, int y, int x, enum role role, wchar_t ch)
{
	set_cell(a, y, x, role, ch, 1);
}

static void
set_style(struct area *a, int y, int x, enum role role, enum cell_style style)
{
	struct cell *c = cell_at(a, y, x);

	if (c == NULL)
		return;
	c->role = role;
	c->style = style;
}

void
put_block(struct area *a, int y, int x, enum role role, wchar_t ch)
{
	set_cell(a, y, x, role, ch, 1);
	set_style(a, y, x, role, CELL_BLOCK);
}

static void
add_mark(struct area *a, int y, int x, wchar_t mark)
{
	struct cell *c = cell_at(a, y, x);

	if (c != NULL && c->ch == 0)
		c = cell_at(a, y, x - 1);
	if (c != NULL && c->mark == 0)
		c->mark = mark;
}

int
put_skip(struct area *a, int y, int x, int width, enum role role,
    const char *utf8, size_t len, int skip)
{
	int at = -skip;
	wchar_t ch;

	if (width > a->r.w - x)
		width = a->r.w - x;
	while (len > 0 && at < width) {
		struct utf8_char c = shown_char(a->screen, utf8, len, &ch);

		if (at + c.width > width)
			break;
		if (c.width == 0 && at > 0)
			add_mark(a, y, x + at - 1, ch);
		else if (c.width > 0 && at >= 0)
			set_cell(a, y, x + at, role, ch, c.width);
		/* the right half of a wide character */
		else if (at + c.width > 0)
			set_cell(a, y, x, role, L' ', 1);
		at += c.width;
		utf8 += c.len;
		len -= c.len;
	}
	return at < 0 ? 0 : at;
}

int
put_n(struct area *a, int y, int x, int width, enum role role, const char *utf8,
    size_t len)
{
	return put_skip(a, y, x, width, role, utf8, len, 0);
}

int
put(struct area *a, int y, int x, int width, enum role role, const char *utf8)
{
	return put_skip(a, y, x, width, role, utf8, strlen(utf8), 0);
}

int
putf(struct area *a, int y, int x, int width, enum role role, const char *fmt,
    ...)
{
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return put(a, y, x, width, role, buf);
}

wchar_t
cut_sign(const struct screen *s)
{
	return s->unicode ? L'…' : L'>';
}

/* If text is cut, the last column shows a sign. Only the character that may be
 * in that column, or a wide one before it, can continue. */
int
put_cut_skip(struct area *a, int y, int x, int width, enum role role,
    const char *utf8, size_t len, int skip)
{
	int used;

	if (width > a->r.w - x)
		width = a->r.w - x;
	if (width < 1)
		return 0;
	used = put_skip(a, y, x, width, role, utf8, len, skip);
	if (used < width - 1 ||
	    bytes_that_fit(a->screen, utf8, len, skip + width) == len)
		return used;
	/* Half of a wide character leaves a blank column. */
	fill(a, y, x + used, width - used, role);
	put_char(a, y, x + width - 1, role, cut_sign(a->screen));
	return width;
}

int
put_cut(
    struct area *a, int y, int x, int width, enum role role, const char *utf8)
{
	return put_cut_skip(a, y, x, width, role, utf8, strlen(utf8), 0);
}

void
put_right(
    struct area *a, int y, int x, int width, enum role role, const char *utf8)
{
	int used = columns(a->screen, utf8, strlen(utf8));
	int pad = used < width ? width - used : 0;

	put_cut(a, y, x + pad, width - pad, role, utf8);
}

void
fill(struct area *a, int y, int x, int width, enum role role)
{
	for (int i = 0; i < width; i++)
		set_cell(a, y, x + i, role, L' ', 1);
}

void
paint(struct area *a, int y, int x, int width, enum role role)
{
	for (int i = 0; i < width; i++)
		set_style(a, y, x + i, role, CELL_TEXT);
}

void
paint_on_block(struct area *a, int y, int x, int width, enum role role)
{
	for (int i = 0; i < width; i++)
		set_style(a, y, x + i, role, CELL_ON_BLOCK);
}

/* Eighths of a column, the full one last. */
static const wchar_t eighths[] = L"▏▎▍▌▋▊▉█";

static double
clamp(double share)
{
	return share > 0 ? (share < 1 ? share : 1) : 0;
}

#define MOST_PARTS 8 /* of a meter */

/* Gives units one by one, by the largest remainder, until they are `wanted`. */
static void
give_units(const double *shares, int n, int room, int wanted, int *units)
{
	for (int i = 0; i < n; i++)
		wanted -= units[i];
	for (; wanted > 0; wanted--) {
		int most = 0;

		for (int i = 1; i < n; i++)
			if (shares[i] * room - units[i] >
			    shares[most] * room - units[most])
				most = i;
		units[most]++;
	}
}

void
apportion(const double *all, int n, int room, int *units)
{
	double shares[MOST_PARTS] = {0}, sum = 0;
	int used = 0, most = 0;

	for (int i = 0; i < n; i++) {
		shares[i] = clamp(all[i] < 1 - sum ? all[i] : 1 - sum);
		sum += shares[i];
		units[i] = 0;
	}
	give_units(shares, n, room, (int)(sum * room + 0.5), units);
	for (int i = 0; i < n; i++)
		used += units[i];
	for (int i = 0; i < n; i++) {
		if (units[i] > 0 || shares[i] < SHARE_SHOWN - 1e-6)
			continue;
		for (int k = 0; k < n; k++)
			most = units[k] > units[most] ? k : most;
		if (used == room && units[most] < 2)
			return;
		units[most] -= used == room;
		used += used < room;
		units[i] = 1;
	}
}

/* Draws the first part, at most room columns. Returns the number of columns that it
 * fills, in which no other part is drawn. */
static int
put_first_part(struct area *a, int y, int x, int inner, int room,
    const struct meter_part *part)
{
	int steps = a->screen->unicode ? 8 : 1;
	int length = (int)(clamp(part->share) * inner * steps + 0.5);
	int i = 0;

	if (length == 0 && part->share > 0)
		length = 1; /* a little shows too */
	if (length > room * steps)
		length = room * steps;
	for (; i * steps < length; i++) {
		int rest = length - i * steps;

		put_block(a, y, x + i, part->role,
		    rest >= steps ? part->glyph : eighths[rest - 1]);
	}
	return i;
}

void
put_meter(struct area *a, int y, int x, int width,
    const struct meter_part *parts, int n)
{
	double shares[MOST_PARTS] = {0};
	int units[MOST_PARTS], inner = width - 2, at;

	if (inner < 1)
		return;
	put_char(a, y, x, ROLE_BRACKET, L'[');
	put_char(a, y, x + width - 1, ROLE_BRACKET, L']');
	fill(a, y, x + 1, inner, ROLE_NORMAL);
	for (int i = 0; i < n; i++)
		shares[i] = parts[i].share;
	apportion(shares, n, inner, units);
	at = inner;
	for (int i = 1; i < n; i++)
		at -= units[i];
	at = put_first_part(a, y, x + 1, inner, at, parts);
	for (int i = 1; i < n; i++)
		for (; units[i] > 0 && at < inner; units[i]--)
			put_block(
			    a, y, x + 1 + at++, parts[i].role, parts[i].glyph);
}

void
put_history(struct area *a, int y, int x, int width,
    const unsigned char *percent, int n)
{
	static const wchar_t bars[] = L"▁▂▃▄▅▆▇█";
	static const wchar_t signs[] = L".-:=+*#@";
	const wchar_t *levels = a->screen->unicode ? bars : signs;
	int first = n > width ? n - width : 0;

	for (int i = first; i < n; i++) {
		int level = percent[i] * 8 / 101;

		put_block(a, y, x + width - (n - i), ROLE_HISTORY,
		    percent[i] == 0 ? L' ' : levels[level]);
	}
}
