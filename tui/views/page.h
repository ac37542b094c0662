/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page of text over the panes, to be scrolled and closed: help, and errors
 * that take more than a line. It is kept as it was written; what is longer than
 * the screen is broken into rows anew whenever that has another width. */
#ifndef TUI_VIEWS_PAGE_H
#define TUI_VIEWS_PAGE_H

#include "tui/screen/screen.h"
#include "tui/views/list.h"

struct keymap;

struct page_line {
	enum role role;     /* of the left part */
	char *left, *right; /* right: NULL where left goes all the way */
	int hang; /* columns before what goes on below, of left alone */
};

/* What a row has of a line: bytes [from, from + len) of each part, at x. */
struct page_piece {
	size_t from, len;
	int x;
};

struct page_row {
	size_t line;
	struct page_piece left, right;
};

struct page {
	char *title;
	struct page_line *lines;
	size_t n, cap;
	struct page_row *rows;
	size_t n_rows, cap_rows;
	size_t wrapped;       /* lines, */
	int width;            /* at so many columns */
	struct row_list list; /* of rows */
	size_t found;         /* the row that was searched last */
};

struct page *page_new(const char *title);
void page_free(struct page *p); /* NULL is fine */
void page_add(
    struct page *p, enum role role, const char *left, const char *right);
/* Adds a text line by line. */
void page_add_text(struct page *p, const char *text);
/* head and text in one; what goes on below does so where text begins. */
void page_add_hanging(
    struct page *p, enum role role, const char *head, const char *text);
/* Breaks lines for an area of that size, the title included. What stood at the
 * top stays there, unless what was found and seen would go. */
void page_fit(struct page *p, const struct area *a);
/* search: what is looked for, to be shown; "": nothing. */
void page_draw(struct page *p, struct area *a, const char *search);
/* As of views (view.h), of rows: those in which a match begins. It is at what
 * was found, if that is shown, or else at the first row shown. */
bool page_find(struct page *p, const char *text, size_t from, int step);
size_t page_place(const struct page *p);

/* The help page: keys, commands, and what the signs mean. */
struct page *help_page(const struct keymap *m);

#endif
