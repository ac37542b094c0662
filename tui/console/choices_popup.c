/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions above the prompt: in one row if they fit, else in columns over
 * up to a third of the screen, scrolled to the one that was taken. */
#include <stdio.h>
#include <string.h>

#include "tui/console/ui.h"

#define GAP 2

struct popup {
	const char *rows;
	size_t n, chosen;
	int width;   /* of the widest, with the gap */
	int in_line; /* that all take side by side */
};

static size_t
word_length(const char *row)
{
	return strcspn(row, "\t\n");
}

static struct popup
measure(const struct area *a, const struct ui_prompt *p)
{
	struct popup popup = {.rows = p->choices, .chosen = p->chosen};

	for (const char *row = p->choices; *row != 0;
	     row += strcspn(row, "\n") + 1) {
		int w = columns(a->screen, row, word_length(row)) + GAP;

		popup.n++;
		popup.in_line += w;
		if (w > popup.width)
			popup.width = w;
	}
	return popup;
}

static void
draw_word(const struct popup *p, struct area *a, int y, int x, size_t i,
    const char *row)
{
	bool chosen = i == p->chosen;

	put_n(a, y, x, a->r.w - x,
	    chosen ? ROLE_SELECTED_FOCUS : ROLE_KEY_LABEL, row,
	    word_length(row));
}

static void
draw_line(const struct popup *p, struct area *a)
{
	const char *row = p->rows;
	int x = 1;

	for (size_t i = 0; i < p->n; i++, row += strcspn(row, "\n") + 1) {
		draw_word(p, a, 0, x, i, row);
		x += columns(a->screen, row, word_length(row)) + GAP;
	}
}

/* Whole pages of them; the last place says how many there are beside. */
static void
draw_columns(const struct popup *p, struct area *a)
{
	size_t per_row = (size_t)(a->r.w - 1) / (size_t)p->width;
	size_t room, first = 0, i = 0;
	const char *row = p->rows;

	if (per_row == 0)
		per_row = 1;
	room = per_row * (size_t)a->r.h;
	if (p->n > room && --room > 0 && p->chosen < p->n)
		first = p->chosen / room * room;
	for (; i < p->n && i < first + room; i++, row += strcspn(row, "\n") + 1)
		if (i >= first)
			draw_word(p, a, (int)((i - first) / per_row),
			    1 + (int)((i - first) % per_row) * p->width, i,
			    row);
	if (p->n > room)
		putf(a, a->r.h - 1, 1 + (int)((room) % per_row) * p->width,
		    p->width + 8, ROLE_KEY, "+%zu more", p->n - (i - first));
}

void
choices_draw(const struct area *footer, const struct ui_prompt *prompt)
{
	struct popup p = measure(footer, prompt);
	struct area above = *footer;
	int most = footer->screen->rows / 3, per_row, rows = 1;

	if (p.in_line > above.r.w) {
		per_row = (above.r.w - 1) / p.width;
		per_row = per_row > 0 ? per_row : 1;
		rows = ((int)p.n + per_row - 1) / per_row;
	}
	if (rows > most)
		rows = most;
	if (rows > footer->r.y)
		rows = footer->r.y;
	if (rows < 1)
		return;
	above.r.y -= rows;
	above.r.h = rows;
	for (int y = 0; y < rows; y++)
		fill(&above, y, 0, above.r.w, ROLE_KEY_LABEL);
	if (p.in_line <= above.r.w)
		draw_line(&p, &above);
	else
		draw_columns(&p, &above);
}
