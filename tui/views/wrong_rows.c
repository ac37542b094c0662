/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See wrong_rows.h. */
#include "tui/views/wrong_rows.h"

#include <string.h>

#define HANG_COLS 2    /* before the rows that a message below goes on in */
#define MAX_ROWS  1000 /* of a line */

/* The bytes that are meant, as columns of the area. */
struct span {
	int from, to;
};

static struct span
span_of(
    const struct wrong_line *line, const struct area *a, const struct diag *d)
{
	size_t from = d->col < line->len ? d->col : line->len;
	size_t to = d->len < line->len - from ? from + d->len : line->len;
	int before = line->x - line->skip;
	struct span s;

	s.from = before + columns(a->screen, line->text, from);
	s.to = before + columns(a->screen, line->text, to);
	return s;
}

/* Below the first of them, with a tail as long as they are; what is scrolled
 * out of sight is pointed at from the edge. Returns the column after it. */
static int
draw_caret(const struct wrong_line *line, struct area *a, int y, enum role role,
    struct span s, bool really)
{
	int last = a->r.w - 1;
	int x = s.from < line->x ? line->x : s.from > last ? last : s.from;
	int end = s.to > a->r.w ? a->r.w : s.to;

	if (really)
		put_char(a, y, x, role,
		    s.from < line->x ? L'<'
			: s.from > x ? L'>'
				     : L'^');
	for (x++; x < end; x++)
		if (really)
			put_char(a, y, x, role, L'~');
	return x;
}

/* Rows of the message from (x, y) on; returns the row after it. */
static int
draw_message(struct area *a, int y, int x, int hang, enum role role,
    const char *s, bool really)
{
	do {
		size_t n = bytes_of_row(a->screen, s, strlen(s), a->r.w - x);

		if (really && y == a->r.h - 1)
			put_cut(a, y, x, a->r.w, role, s);
		else if (really)
			put_n(a, y, x, a->r.w, role, s, n);
		s += n + strspn(s + n, " ");
		x += hang;
		hang = 0;
		y++;
	} while (*s != 0 && y < a->r.h);
	return y;
}

/* Does it take fewer rows beside the caret than below? */
static bool
fits_beside(
    const struct area *a, int beside, int below, int begin, const char *message)
{
	struct area b = *a;
	int n, m;

	b.r.h = MAX_ROWS;
	n = draw_message(&b, 0, beside + begin, 0, ROLE_NORMAL, message, false);
	m = draw_message(&b, 1, below + begin, HANG_COLS - begin, ROLE_NORMAL,
	    message, false);
	return n < m;
}

/* Without really only the row after it is found. */
static int
draw_wrong(const struct wrong_line *line, struct area *a, int y,
    const struct diag *d, bool really)
{
	bool error = d->severity == DIAG_ERROR;
	enum role role = error ? ROLE_BAD : ROLE_WARN;
	const char *what = error ? "error: " : "warning: ";
	int begin = (int)strlen(what);
	int x = draw_caret(line, a, y, role, span_of(line, a, d), really) + 1;
	int hang = 0;

	if (!fits_beside(a, x, line->x, begin, d->message)) {
		x = line->x;
		hang = HANG_COLS - begin;
		y++;
	}
	if (really)
		put(a, y, x, begin, role, what);
	return draw_message(a, y, x + begin, hang, role, d->message, really);
}

int
wrong_rows(const struct wrong_line *line, const struct area *a)
{
	struct area b = *a;
	int rows = 0;

	b.r.h = MAX_ROWS;
	for (size_t i = 0; i < line->n && rows < MAX_ROWS; i++)
		rows = draw_wrong(line, &b, rows, &line->list[i], false);
	return rows;
}

int
wrong_draw(const struct wrong_line *line, struct area *a, int y)
{
	for (size_t i = 0; i < line->n && y < a->r.h; i++)
		y = draw_wrong(line, a, y, &line->list[i], true);
	return y;
}
