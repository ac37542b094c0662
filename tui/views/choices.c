/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lays out a prompt's completions: words without meanings in one row if they
 * fit, else in columns; words with meanings one below the other, or in as many
 * columns as leave each meaning some room.
 */
#include "tui/views/choices.h"

#include <string.h>

#define GAP       2  /* columns between words, and before a meaning */
#define NARROWEST 36 /* columns of a word with its meaning, side by side */

static size_t
row_length(const char *row)
{
	return strcspn(row, "\n") + 1;
}

struct choice_list
choices_of(const struct screen *s, const struct ui_prompt *prompt)
{
	const char *row = prompt->choices != NULL ? prompt->choices : "";
	struct choice_list c = {.rows = row, .chosen = prompt->chosen};

	for (; *row != 0; row += row_length(row)) {
		size_t len = strcspn(row, "\t\n"), all = row_length(row) - 1;
		int w = columns(s, row, len), m = 0;

		if (len < all)
			m = columns(s, row + len + 1, all - len - 1);
		c.n++;
		c.in_line += w + GAP;
		if (w > c.word)
			c.word = w;
		if (m > c.meaning)
			c.meaning = m;
	}
	return c;
}

/* Words beside each other in a row. */
struct choice_grid {
	size_t per_row;
	int cell; /* columns of each; 0: as wide as each word is */
};

static struct choice_grid
grid_of(const struct choice_list *c, int width, int rows)
{
	int cell = c->word + GAP;
	size_t n;

	if (c->meaning == 0 && c->in_line <= width)
		return (struct choice_grid){c->n > 0 ? c->n : 1, 0};
	if (c->meaning > 0) {
		if (c->n <= (size_t)rows)
			return (struct choice_grid){1, width};
		cell += c->meaning + GAP;
		cell = cell < NARROWEST ? cell : NARROWEST;
	}
	n = width > cell ? (size_t)(width / cell) : 1;
	return (struct choice_grid){n, c->meaning > 0 ? width / (int)n : cell};
}

int
choices_rows(const struct choice_list *c, int width, int most)
{
	struct choice_grid g = grid_of(c, width, most);
	size_t rows = (c->n + g.per_row - 1) / g.per_row;

	return rows < (size_t)(most > 0 ? most : 0) ? (int)rows : most;
}

bool
choices_are_cut(const struct choice_list *c, int width, int rows)
{
	struct choice_grid g = grid_of(c, width, rows);

	return rows <= 0 || c->n > g.per_row * (size_t)rows;
}

/* Draws a word in its cell, and its meaning as far as it has room. Returns the
 * columns that the word takes. */
static int
draw_choice(const struct choice_list *c, struct area *a, int y, int x,
    const char *row, size_t i, const enum role roles[2])
{
	size_t len = strcspn(row, "\t\n"), all = row_length(row) - 1;
	int w = put_n(a, y, x, a->r.w - x,
	    i == c->chosen ? ROLE_SELECTED_FOCUS : roles[0], row, len);

	if (len < all)
		put_cut_skip(a, y, x + c->word + GAP,
		    a->r.w - x - c->word - GAP, roles[1], row + len + 1,
		    all - len - 1, 0);
	return w;
}

/* Returns the first choice of the page; *n is set to its number of choices. */
static size_t
page_of(const struct choice_list *c, size_t room, size_t *n)
{
	size_t first = 0;

	*n = c->n;
	if (c->n <= room)
		return 0;
	*n = room > 1 ? room - 1 : 1;
	if (c->chosen < c->n)
		first = c->chosen / *n * *n;
	if (c->n - first < *n)
		*n = c->n - first;
	return first;
}

void
choices_draw(const struct choice_list *c, struct area *a, enum role word,
    enum role meaning)
{
	const enum role roles[2] = {word, meaning};
	struct choice_grid g = grid_of(c, a->r.w, a->r.h);
	size_t room = g.per_row * (size_t)(a->r.h > 0 ? a->r.h : 0), n;
	size_t first = page_of(c, room, &n);
	const char *row = c->rows;
	struct area cell = *a;
	int x = 0;

	if (room == 0)
		return;
	for (size_t i = 0; i < first; i++)
		row += row_length(row);
	for (size_t i = 0; i < n; i++, row += row_length(row)) {
		int y = (int)(i / g.per_row);

		if (g.cell > 0)
			x = (int)(i % g.per_row) * g.cell;
		if (g.cell > 0 && x + g.cell < a->r.w)
			cell.r.w = x + g.cell - 1;
		else
			cell.r.w = a->r.w;
		x += draw_choice(c, &cell, y, x, row, first + i, roles) + GAP;
	}
	if (first + n < c->n && room > 1)
		putf(a, a->r.h - 1, (int)(n % g.per_row) * g.cell, a->r.w, word,
		    "+%zu more", c->n - first - n);
}
