/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of text: lines are wrapped into rows for a width, scrolled, searched
 * and drawn. A line has one part, or two side by side. */
#include "tui/views/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "tui/views/list.h"

#define LEFT_COLS   26
#define BRIEF_COLS  14 /* the same on a narrow screen */
#define NARROW_COLS 60
/* columns of text that a row keeps, however deep it is indented */
#define NARROWEST 20

struct page *
page_new(const char *title)
{
	struct page *p = mem_calloc(1, sizeof(*p));

	p->title = mem_strdup(title);
	p->list.pager = true;
	return p;
}

void
page_free(struct page *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->n; i++) {
		free(p->lines[i].left);
		free(p->lines[i].right);
	}
	free(p->lines);
	free(p->rows);
	free(p->title);
	free(p);
}

static struct page_line *
add_page_line(struct page *p, enum role role, char *left)
{
	p->lines = mem_grow(p->lines, p->n, &p->cap, sizeof(*p->lines));
	p->lines[p->n] = (struct page_line){.role = role, .left = left};
	return &p->lines[p->n++];
}

void
page_add(struct page *p, enum role role, const char *left, const char *right)
{
	struct page_line *line = add_page_line(p, role, mem_strdup(left));

	if (right != NULL)
		line->right = mem_strdup(right);
}

void
page_add_text(struct page *p, const char *text)
{
	while (*text != 0) {
		size_t len = strcspn(text, "\n");

		add_page_line(p, ROLE_NORMAL, mem_strndup(text, len));
		text += len + (text[len] != 0);
	}
}

void
page_add_hanging(
    struct page *p, enum role role, const char *head, const char *text)
{
	char *line;

	if (asprintf(&line, "%s%s", head, text) < 0)
		mem_exhausted();
	add_page_line(p, role, line)->hang = (int)strlen(head);
}

static struct page_row *
add_page_row(struct page *p, size_t line)
{
	p->rows = mem_grow(p->rows, p->n_rows, &p->cap_rows, sizeof(*p->rows));
	p->rows[p->n_rows] = (struct page_row){.line = line};
	return &p->rows[p->n_rows++];
}

/* Returns the bytes of the text, from a byte on, that fit a row from column
 * x. */
static struct page_piece
take_piece(const struct page *p, const struct screen *s, const char *text,
    size_t all, size_t from, int x)
{
	size_t len = from < all
	    ? bytes_of_row(s, text + from, all - from, p->width - x)
	    : 0;

	return (struct page_piece){from, len, x};
}

/* Returns where the text continues after a piece. The blank at the break
 * belongs to neither row. */
static size_t
piece_end(const char *text, const struct page_piece *piece)
{
	size_t at = piece->from + piece->len;

	return at + (text[at] == ' ');
}

/* Adds the rows of the left part; returns the last one. */
static struct page_row *
wrap_left(struct page *p, const struct screen *s, size_t i)
{
	const struct page_line *line = &p->lines[i];
	struct page_row *row = add_page_row(p, i);
	size_t all = strlen(line->left), at;
	int hang = line->hang;

	if (hang > p->width - NARROWEST)
		hang = p->width - NARROWEST;
	row->left = take_piece(p, s, line->left, all, 0, 1);
	while ((at = piece_end(line->left, &row->left)) < all) {
		row = add_page_row(p, i);
		row->left = take_piece(p, s, line->left, all, at, 1 + hang);
	}
	return row;
}

/* Wraps the right part beside the last row of the left one, or below it where
 * there is too little room. */
static void
wrap_right(
    struct page *p, const struct screen *s, size_t i, struct page_row *row)
{
	const char *right = p->lines[i].right;
	size_t left = strlen(p->lines[i].left), all = strlen(right), at;
	int hang = p->width < NARROW_COLS ? BRIEF_COLS : LEFT_COLS;
	int x = columns(s, p->lines[i].left + row->left.from, row->left.len);

	x += row->left.x + 2;
	x = x < hang ? hang : x;
	if (x > hang && p->width - x < NARROWEST &&
	    bytes_that_fit(s, right, all, p->width - x) < all) {
		row = add_page_row(p, i);
		row->left.from = left;
		x = hang;
	}
	row->right = take_piece(p, s, right, all, 0, x);
	while ((at = piece_end(right, &row->right)) < all) {
		row = add_page_row(p, i);
		row->left.from = left;
		row->right = take_piece(p, s, right, all, at, hang);
	}
}

static void
wrap(struct page *p, const struct screen *s, size_t i)
{
	struct page_row *row = wrap_left(p, s, i);

	if (p->lines[i].right != NULL)
		wrap_right(p, s, i, row);
}

/* True if row begins at or before the place where other begins. */
static bool
page_row_is_before(const struct page_row *row, const struct page_row *other)
{
	if (row->line != other->line)
		return row->line < other->line;
	return row->left.from + row->right.from <=
	    other->left.from + other->right.from;
}

/* Returns the row that now shows what began the old one. */
static size_t
page_row_of(const struct page *p, const struct page_row *old)
{
	return lower_bound(
		   i, 1, p->n_rows, page_row_is_before(&p->rows[i], old)) -
	    1;
}

static void
wrap_all(struct page *p, const struct screen *s, int width)
{
	struct page_row top = {0}, found = {0};

	if (p->list.top < p->n_rows)
		top = p->rows[p->list.top];
	if (p->found < p->n_rows)
		found = p->rows[p->found];
	p->width = width;
	p->wrapped = p->n;
	p->n_rows = 0;
	for (size_t i = 0; i < p->n; i++)
		wrap(p, s, i);
	p->list.top = page_row_of(p, &top);
	p->found = page_row_of(p, &found);
}

static bool
shows_found(const struct page *p)
{
	const struct row_list *l = &p->list;

	return p->found >= l->top && p->found < l->top + l->height;
}

void
page_fit(struct page *p, const struct area *a)
{
	int width = a->r.w > NARROWEST ? a->r.w : NARROWEST;
	bool shown = shows_found(p);

	if (p->width != width || p->wrapped != p->n)
		wrap_all(p, a->screen, width);
	list_fit(&p->list, p->n_rows, a->r.h - 1);
	if (!shown || shows_found(p))
		return;
	p->list.top = p->found;
	list_fit(&p->list, p->n_rows, a->r.h - 1);
}

static void
draw_page_title(const struct page *p, struct area *a)
{
	char place[LIST_PLACE_LEN];
	int used = list_place(&p->list, " of ", place);

	fill(a, 0, 0, a->r.w, ROLE_TITLE_FOCUS);
	if (used > 0)
		used = used + 1 < a->r.w ? used + 1 : 0;
	put_cut(a, 0, 1, a->r.w - 2 - used, ROLE_TITLE_FOCUS, p->title);
	if (used > 0)
		put(a, 0, a->r.w - used, used, ROLE_TITLE_FOCUS, place);
}

/* A match across a break is highlighted in both rows. */
static void
draw_piece(struct area *a, int y, const struct page_piece *piece,
    enum role role, const char *text, const struct needle *needle)
{
	size_t before = piece->from < needle->len ? piece->from : needle->len;
	const char *s = text + piece->from - before;
	size_t len = strnlen(s, before + piece->len + needle->len);
	int skip = columns(a->screen, s, before);
	struct area b = *a;

	b.r.w = piece->x +
	    put_n(a, y, piece->x, a->r.w, role, s + before, piece->len);
	paint_matches(&b, y, piece->x, s, len, skip, needle);
}

void
page_draw(struct page *p, struct area *a, const char *search)
{
	struct needle needle = needle_of(search, strlen(search));

	page_fit(p, a);
	draw_page_title(p, a);
	for (int y = 1; y < a->r.h; y++) {
		size_t at = p->list.top + (size_t)y - 1;
		const struct page_row *row = &p->rows[at];
		const struct page_line *line;

		if (at >= p->n_rows)
			break;
		line = &p->lines[row->line];
		draw_piece(a, y, &row->left, line->role, line->left, &needle);
		if (line->right != NULL)
			draw_piece(a, y, &row->right, ROLE_NORMAL, line->right,
			    &needle);
	}
}

/* True if a match begins in the piece. */
static bool
piece_has(const struct page_piece *piece, const char *text,
    const struct needle *needle)
{
	size_t own = piece_end(text, piece) - piece->from;
	const char *s = text + piece->from;

	if (needle->len == 0)
		return true;
	return own > 0 &&
	    needle_find(needle, s, strnlen(s, own - 1 + needle->len), 0) !=
	    NOWHERE;
}

static bool
row_has(const struct page *p, size_t at, const struct needle *needle)
{
	const struct page_row *row = &p->rows[at];
	const struct page_line *line = &p->lines[row->line];

	return piece_has(&row->left, line->left, needle) ||
	    (line->right != NULL &&
		piece_has(&row->right, line->right, needle));
}

bool
page_find(struct page *p, const char *text, size_t from, int step)
{
	struct needle needle = needle_of(text, strlen(text));

	for (struct list_walk w = walk_begin(p->n_rows, from, step);
	     walk_goes_on(&w); walk_step(&w))
		if (row_has(p, w.at, &needle)) {
			p->found = p->list.top = w.at;
			list_fit(&p->list, p->n_rows, (int)p->list.height);
			return true;
		}
	return false;
}

size_t
page_place(const struct page *p)
{
	return shows_found(p) ? p->found : p->list.top;
}
