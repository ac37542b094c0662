/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong in a line of a descriptor, in rows below it: a caret under the
 * bytes that are meant, and the message beside it, or below where there is
 * little room. */
#ifndef TUI_VIEWS_WRONG_ROWS_H
#define TUI_VIEWS_WRONG_ROWS_H

#include "parser/diag.h"
#include "tui/screen/screen.h"

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

#endif
