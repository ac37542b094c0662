/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of a prompt's completions as it is drawn: words with their meanings
 * in columns, as many as have room, a page at a time.
 */
#ifndef TUI_VIEWS_CHOICES_H
#define TUI_VIEWS_CHOICES_H

#include "tui/input/prompt.h"
#include "tui/screen/screen.h"

/* Completions, measured for one screen. */
struct choice_list {
	const char *rows; /* as the prompt has them */
	size_t n, chosen; /* chosen >= n: none */
	int word;         /* columns of the widest word */
	int meaning;      /* columns of the widest meaning; 0: there are none */
	int in_line;      /* columns of all words in one row */
};

/* Returns the prompt's completions; n is 0 without any. */
struct choice_list choices_of(
    const struct screen *s, const struct ui_prompt *prompt);
/* Returns the rows that the list takes with this width, at most `most`. */
int choices_rows(const struct choice_list *c, int width, int most);
/* True if that many rows have no room for all of them. */
bool choices_are_cut(const struct choice_list *c, int width, int rows);
/* Draws the list into the rows of the area, with the page that has the chosen
 * one. The last place shows how many are left out. */
void choices_draw(const struct choice_list *c, struct area *a, enum role word,
    enum role meaning);

#endif
