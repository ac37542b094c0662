/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line being typed in the Descriptor view: the prompt's line in place of
 * the old one, its completions and its diagnostics below.
 */
#include "tui/views/descriptor.h"

#include <string.h>

#define GAP 2 /* columns between completions */

/* Completions and how they are laid out: a row each with its meaning, or side
 * by side where that takes too many rows. */
struct completions {
	const char *rows;
	int n, widest;
	bool meanings;
};

static size_t
row_length(const char *row)
{
	return strcspn(row, "\n") + 1;
}

static struct completions
measure_completions(const struct area *a, const char *rows)
{
	struct completions c = {.rows = rows};

	for (const char *r = rows; r != NULL && *r != 0; r += row_length(r)) {
		int w = columns(a->screen, r, strcspn(r, "\t\n"));

		c.n++;
		if (w > c.widest)
			c.widest = w;
	}
	return c;
}

static int
completions_per_row(const struct completions *c, const struct area *a)
{
	int n = (a->r.w - 1) / (c->widest + GAP);

	return c->meanings || n < 1 ? 1 : n;
}

static int
completion_rows(const struct completions *c, const struct area *a)
{
	int n = completions_per_row(c, a);

	return (c->n + n - 1) / n;
}

/* Returns the open prompt's completions, laid out for `room` rows. */
static struct completions
completions_for(const struct line_look *look, const struct area *a, int room)
{
	struct completions c = measure_completions(
	    a, look->env->prompt->choices);

	c.meanings = c.n <= room;
	return c;
}

/* Returns where the typed text begins, behind the prompt. */
static int
typed_column(const struct line_look *look, const struct area *a)
{
	const char *prompt = look->env->prompt->prompt;
	int x = lines_text_column(a) - 1, room = (a->r.w - x) / 2;
	int w = columns(a->screen, prompt, strlen(prompt));

	return x + (w < room ? w : room);
}

/* Returns the columns scrolled away so that the cursor is visible. */
static int
typed_skip(const struct line_look *look, const struct area *a)
{
	const struct ui_prompt *p = look->env->prompt;
	int room = a->r.w - typed_column(look, a) - 1;
	int cursor = columns(a->screen, p->line, p->point);

	return cursor > room ? cursor - room : 0;
}

static struct caret_line
carets_of_draft(const struct line_look *look, const struct area *a)
{
	const struct diag_list *diags = look->env->draft->diags;
	const char *line = look->env->prompt->line;

	return (struct caret_line){
	    .text = line,
	    .len = strlen(line),
	    .x = typed_column(look, a),
	    .skip = typed_skip(look, a),
	    .list = diags->list,
	    .n = diags->n,
	};
}

static int
rows_below(const struct line_look *look, const struct area *a)
{
	struct caret_line w = carets_of_draft(look, a);

	return caret_rows(&w, a);
}

int
draft_rows(const struct line_look *look, const struct area *a)
{
	int room = a->r.h - 1, rows = 1 + rows_below(look, a);
	struct completions c = completions_for(look, a, room - rows);

	rows += completion_rows(&c, a);
	return rows < room ? rows : room;
}

/* Draws a completion, and its meaning where there is room. */
static void
draw_completion(
    const struct completions *c, struct area *a, int y, int x, const char *row)
{
	size_t len = strcspn(row, "\t\n"), all = row_length(row) - 1;

	put_n(a, y, x, a->r.w, ROLE_KEY, row, len);
	if (c->meanings && len < all)
		put_n(a, y, x + c->widest + GAP, a->r.w, ROLE_COMMENT,
		    row + len + 1, all - len - 1);
}

static int
draw_completions(const struct completions *c, struct area *a, int y)
{
	int left = c->meanings ? lines_text_column(a) : 1;
	const char *row = c->rows;
	int n = completions_per_row(c, a);

	for (int i = 0; i < c->n; i++, row += row_length(row)) {
		/* The last place shows the number of completions left out. */
		if (i % n == n - 1 && y == a->r.h - 1 && i + 1 < c->n) {
			putf(a, y, left + i % n * (c->widest + GAP), a->r.w,
			    ROLE_KEY, "+%d", c->n - i);
			return y + 1;
		}
		draw_completion(c, a, y, left + i % n * (c->widest + GAP), row);
		if (i % n == n - 1 || i + 1 == c->n)
			y++;
	}
	return y;
}

/* Highlights the bytes that errors are about. */
static void
paint_errors(
    const struct line_look *look, struct area *a, int y, int x, int skip)
{
	const struct diag_list *diags = look->env->draft->diags;
	const char *line = look->env->prompt->line;
	size_t len = strlen(line);

	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *d = &diags->list[i];
		int from, to;

		if (d->severity != DIAG_ERROR || d->col >= len)
			continue;
		from = columns(a->screen, line, d->col) - skip;
		to = columns(a->screen, line,
			 d->len < len - d->col ? d->col + d->len : len) -
		    skip;
		if (from < 0)
			from = 0;
		if (to > from)
			paint(a, y, x + from, to - from, ROLE_BAD);
	}
}

static void
draw_typed(const struct line_look *look, struct area *a, int y)
{
	const struct ui_prompt *p = look->env->prompt;
	struct screen *s = a->screen;
	int before = lines_text_column(a) - 1, x = typed_column(look, a);
	int skip = typed_skip(look, a);

	put(a, y, before, x - before, ROLE_PROMPT, p->prompt);
	put_skip(
	    a, y, x, a->r.w - x, ROLE_STRONG, p->line, strlen(p->line), skip);
	paint_errors(look, a, y, x, skip);
	s->cursor_x = a->r.x + x + columns(s, p->line, p->point) - skip;
	s->cursor_y = a->r.y + y;
}

int
draft_draw(const struct line_look *look, struct area *a, int y)
{
	const struct line_draft *draft = look->env->draft;
	struct caret_line below = carets_of_draft(look, a);
	struct completions c = completions_for(
	    look, a, a->r.h - y - 1 - caret_rows(&below, a));

	if (draft->is_new)
		put(a, y, 2, 3, ROLE_DIM, "new");
	else
		line_draw_margin(look, a, y, draft->line);
	draw_typed(look, a, y);
	/* Completions change with the next key, so they have priority. */
	y = draw_completions(&c, a, y + 1);
	return caret_draw(&below, a, y);
}
