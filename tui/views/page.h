/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page of text over the panes, to be scrolled and closed: help, and errors
 * that take more than a line. */
#ifndef TUI_PAGE_H
#define TUI_PAGE_H

#include "tui/screen/screen.h"
#include "tui/views/list.h"

struct keymap;

struct page_line {
	enum role role;     /* of the left part */
	char *left, *right; /* right: NULL where left goes all the way */
};

struct page {
	char *title;
	struct page_line *lines;
	size_t n, cap;
	struct list list;
	size_t found; /* the line that was searched last */
};

struct page *page_new(const char *title);
void page_free(struct page *p); /* NULL is fine */
void page_add(
    struct page *p, enum role role, const char *left, const char *right);
/* Adds a text line by line; lines longer than width are broken at blanks. */
void page_add_text(struct page *p, const char *text, size_t width);
/* search: what is looked for, to be shown; "": nothing. */
void page_draw(struct page *p, struct area *a, const char *search);
/* As of views (view.h). It is at what was found, if that is shown, or else at
 * the first line shown. */
bool page_find(struct page *p, const char *text, size_t from, int step);
size_t page_place(const struct page *p);
/* head, then the text, broken at blanks into lines that begin below it. */
void page_add_hanging(struct page *p, enum role role, const char *head,
    const char *text, size_t width);

/* The help page: keys, commands, and what the signs mean. */
struct page *help_page(const struct keymap *m);

#endif
