/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the descriptor view: a line as written, with its number and the
 * live marks of its step, and what is wrong with it below. */
#ifndef TUI_VIEWS_DESCRIPTOR_H
#define TUI_VIEWS_DESCRIPTOR_H

#include "parser/diag.h"
#include "parser/document/document.h"
#include "run/live/marks.h"
#include "tui/screen/screen.h"
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

/* What is wrong in a line of a descriptor, in rows below it: a caret under the
 * bytes that are meant, and the message beside it, or below where there is
 * little room. */

struct wrong_line {
	const char *text; /* as it stands above, */
	size_t len;
	int x, skip; /* from column x on, without its first skip columns */
	const struct diag *list;
	size_t n;
};

int wrong_rows(const struct wrong_line *line, const struct area *a);
/* From row y on; returns the row after them. */
int wrong_draw(const struct wrong_line *line, struct area *a, int y);

/* The line of a descriptor that is being typed: in its place, with what is
 * wrong with it and what could come next below. */

/* Rows that it takes, at most those of the area without its title. The
 * environment of look has a draft. */
int draft_rows(const struct line_look *look, const struct area *a);
/* From row y on; returns the row after it. */
int draft_draw(const struct line_look *look, struct area *a, int y);

#endif
