/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page of text over the panes, such as help or an error of several lines.
 * Lines are kept as written and wrapped anew for each width of the screen.
 */
#ifndef TUI_VIEWS_PAGE_H
#define TUI_VIEWS_PAGE_H

#include "tui/screen/screen.h"
#include "tui/views/list.h"

struct keymap;

struct page_line {
	enum role role;     /* of the left part */
	char *left, *right; /* right: NULL if left takes the whole row */
	int hang;           /* columns of indentation of a wrapped left part */
};

/* Bytes [from, from + len) of a part of a line, drawn at column x. */
struct page_piece {
	size_t from, len;
	int x;
};

/* A row of the screen: the parts of a line that it shows. */
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
	size_t wrapped;       /* lines that have rows */
	int width;            /* columns that they were wrapped for */
	struct row_list list; /* of rows */
	size_t found;         /* the row that a search found last */
};

/* The caller frees the page. */
struct page *page_new(const char *title);
void page_free(struct page *p); /* NULL is ignored */
/* Adds a line of one or two parts; right may be NULL. */
void page_add(
    struct page *p, enum role role, const char *left, const char *right);
/* Adds each line of a text. */
void page_add_text(struct page *p, const char *text);
/* Adds a line of head and text whose wrapped rows are indented to where text
 * begins. */
void page_add_hanging(
    struct page *p, enum role role, const char *head, const char *text);
/* Wraps the lines for an area, which includes the title. The line at the top
 * stays there, unless the match found last would leave the screen. */
void page_fit(struct page *p, const struct area *a);
/* search: the text to highlight; "": none. */
void page_draw(struct page *p, struct area *a, const char *search);
/* Searches as views do (view.h). A row has the text if a match begins in it.
 * page_place() returns the row found if it is shown, else the first row
 * shown. */
bool page_find(struct page *p, const char *text, size_t from, int step);
size_t page_place(const struct page *p);

#endif
