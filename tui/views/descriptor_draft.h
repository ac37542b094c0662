/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line of a descriptor that is being typed: in its place, with what is
 * wrong with it and what could come next below. */
#ifndef TUI_VIEWS_DESCRIPTOR_DRAFT_H
#define TUI_VIEWS_DESCRIPTOR_DRAFT_H

#include "tui/views/descriptor_lines.h"

/* Rows that it takes, at most those of the area without its title. The
 * environment of look has a draft. */
int draft_rows(const struct line_look *look, const struct area *a);
/* From row y on; returns the row after it. */
int draft_draw(const struct line_look *look, struct area *a, int y);

#endif
