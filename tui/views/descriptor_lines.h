/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the descriptor view: a line as written, with its number and the
 * live marks of its step, and what is wrong with it below. */
#ifndef TUI_VIEWS_DESCRIPTOR_LINES_H
#define TUI_VIEWS_DESCRIPTOR_LINES_H

#include "parser/document/document.h"
#include "run/live/marks.h"
#include "tui/views/view.h"

struct line_look {
	const struct view_env *env;
	const struct document *doc;
	size_t source; /* whose document that is, and what marks are of */
	const struct marks *marks;
	int skip;                /* columns scrolled to the right */
	const struct area *area; /* that they are drawn in */
};

/* Names of the columns, and of the source; how many clients run an older text
 * of it. */
void lines_draw_title(const struct line_look *look, struct area *a);
/* The column where the text of lines begins. */
int lines_text_column(const struct area *a);

/* Number and marks, without the text. */
void line_draw_margin(
    const struct line_look *look, struct area *a, int y, size_t line);
/* One row. */
void line_draw(
    const struct line_look *look, struct area *a, int y, size_t line);
/* On it, what is searched. */
void line_draw_matches(
    const struct line_look *look, struct area *a, int y, size_t line);
/* That a line takes with its diagnostics. */
int line_rows(const struct line_look *look, size_t line);
/* From row y on; returns the row after them. */
int line_draw_diagnostics(
    const struct line_look *look, struct area *a, int y, size_t line);

#endif
