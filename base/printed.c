/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line as columns of a terminal. A column has the bytes of its character, which
 * are in the line, or is the second one of a wide character.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/printed.h"
#include "base/utf8.h"
#include "base/util.h"

#define TAB_COLUMNS 8
#define ESCAPE      '\033'

struct printed_column {
	const char *s; /* NULL: second column of the character before it */
	size_t len;
};

struct printed_line {
	struct printed_column *columns;
	size_t n, cap; /* columns */
	size_t at;     /* the next character's */
};

static void
add_blank(struct printed_line *l)
{
	l->columns = mem_grow(l->columns, l->n, &l->cap, sizeof(*l->columns));
	l->columns[l->n++] = (struct printed_column){" ", 1};
}

/* Leaves blanks of a wide character of which a column is written. */
static void
blank_column(struct printed_line *l, size_t i)
{
	if (l->columns[i].s == NULL)
		l->columns[i - 1] = (struct printed_column){" ", 1};
	else if (i + 1 < l->n && l->columns[i + 1].s == NULL)
		l->columns[i + 1] = (struct printed_column){" ", 1};
	l->columns[i] = (struct printed_column){" ", 1};
}

static void
put_printed(struct printed_line *l, const char *s, size_t len, size_t width)
{
	if (l->at + width > PRINTED_COLUMNS)
		return;
	while (l->n < l->at + width)
		add_blank(l);
	for (size_t i = 0; i < width; i++)
		blank_column(l, l->at + i);
	l->columns[l->at] = (struct printed_column){s, len};
	if (width > 1)
		l->columns[l->at + 1].s = NULL;
	l->at += width;
}

/* Adds a mark, which has no column, to the character that it follows. */
static void
put_mark(struct printed_line *l, const char *s, size_t len)
{
	size_t i = l->at;

	if (i == 0 || i > l->n)
		return;
	i -= l->columns[i - 1].s != NULL || i == 1 ? 1 : 2;
	if (l->columns[i].s != NULL && l->columns[i].s + l->columns[i].len == s)
		l->columns[i].len += len;
}

/* Erases as ESC [ n K: 0 to the end, 1 from the beginning, 2 all. */
static void
erase_printed(struct printed_line *l, size_t n)
{
	size_t from = n == 0 ? l->at : 0;
	size_t end = n == 1 && l->at + 1 < l->n ? l->at + 1 : l->n;

	for (size_t i = from; i < end; i++)
		blank_column(l, i);
}

/* Does what a sequence with a final byte and its first number does. */
static void
act_on_escape(struct printed_line *l, char final, size_t n)
{
	size_t by = n > 0 ? n : 1;

	switch (final) {
	case 'C':
		l->at = l->at + by < PRINTED_COLUMNS ? l->at + by
						     : PRINTED_COLUMNS;
		break;
	case 'D': l->at -= by < l->at ? by : l->at; break;
	case 'G':
		l->at = by - 1 < PRINTED_COLUMNS ? by - 1 : PRINTED_COLUMNS;
		break;
	case 'K': erase_printed(l, n); break;
	default: /* colours, and what acts on more than a line */ break;
	}
}

/* ESC [, numbers, intermediate bytes, final byte. Returns its bytes. */
static size_t
take_sequence(struct printed_line *l, const char *s, size_t len)
{
	size_t i = 2, n = 0;

	for (; i < len && s[i] >= '0' && s[i] <= '9'; i++)
		if (n <= PRINTED_COLUMNS)
			n = n * 10 + (size_t)(s[i] - '0');
	while (i < len && s[i] >= ' ' && s[i] <= '?')
		i++;
	if (i < len && s[i] >= '@' && s[i] <= '~')
		act_on_escape(l, s[i++], n);
	return i;
}

/* ESC ], P, ^, _ or X, and text up to BEL or ESC \. Returns its bytes. */
static size_t
take_string(const char *s, size_t len)
{
	size_t i = 2;

	while (i < len && s[i] != '\a' && s[i] != ESCAPE)
		i++;
	if (i + 1 < len && s[i] == ESCAPE && s[i + 1] == '\\')
		return i + 2;
	return i < len && s[i] == '\a' ? i + 1 : i;
}

/* Returns the bytes of the escape sequence that s begins with. */
static size_t
take_escape(struct printed_line *l, const char *s, size_t len)
{
	size_t i = 1;

	if (len < 2)
		return len;
	if (s[1] == '[')
		return take_sequence(l, s, len);
	if (strchr("]P^_X", s[1]) != NULL && s[1] != '\0')
		return take_string(s, len);
	while (i < len && s[i] >= ' ' && s[i] <= '/')
		i++;
	return i < len && s[i] >= '0' && s[i] <= '~' ? i + 1 : i;
}

/* Returns the bytes of the character or sequence that s begins with. */
static size_t
take_printed(struct printed_line *l, const char *s, size_t len)
{
	struct utf8_char c;

	switch (*s) {
	case ESCAPE: return take_escape(l, s, len);
	case '\r': l->at = 0; return 1;
	case '\b': l->at -= l->at > 0; return 1;
	case '\t': l->at += TAB_COLUMNS - l->at % TAB_COLUMNS; return 1;
	case '\a': return 1;
	default: break;
	}
	c = utf8_decode(s, len);
	if (!c.visible)
		put_printed(l, "?", 1, 1);
	else if (c.width == 0)
		put_mark(l, s, c.len);
	else
		put_printed(l, s, c.len, c.width);
	return c.len;
}

void
text_add_printed(struct text *out, const char *line, size_t len)
{
	struct printed_line l = {0};

	for (size_t i = 0; i < len;)
		i += take_printed(&l, line + i, len - i);
	while (l.n > 0 && l.columns[l.n - 1].s != NULL &&
	    *l.columns[l.n - 1].s == ' ')
		l.n--;
	for (size_t i = 0; i < l.n; i++)
		if (l.columns[i].s != NULL)
			text_add(out, l.columns[i].s, l.columns[i].len);
	free(l.columns);
}
