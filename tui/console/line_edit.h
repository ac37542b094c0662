/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line of a descriptor typed in its place: what it is of, and what the
 * document would say of it. It reaches the document when it is accepted.
 */
#ifndef TUI_CONSOLE_LINE_EDIT_H
#define TUI_CONSOLE_LINE_EDIT_H

#include "parser/diag.h"
#include "tui/input/complete_step.h"
#include "tui/views/view.h"

struct ui;

struct line_edit {
	struct line_draft draft;
	struct step_scene scene; /* for completion */
	struct diag_list diags;
	size_t from; /* the line where the cursor was before */
};

/* The line with the cursor. */
void line_edit_open(struct ui *ui);
/* A new one, that is to stand before line at (== their number: at the end). */
void line_edit_open_new(struct ui *ui, size_t at);
void line_edit_free(struct line_edit *edit);
/* NULL: no line of a descriptor is being typed. */
const struct line_draft *line_edit_draft(const struct ui *ui);

#endif
