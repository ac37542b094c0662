/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line at the bottom where commands are typed: readline through its
 * callback interface, so that the views go on meanwhile. readline has one
 * line per process, and so has this.
 */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/input/keys.h"

/* A line that is being typed, as the footer shows it. */
struct ui_prompt {
	const char *prompt, *line;
	size_t point;        /* byte in line where the cursor is */
	const char *choices; /* completions, a line each; NULL */
};

enum prompt_result {
	PROMPT_OPEN,     /* goes on */
	PROMPT_ACCEPTED, /* *line is what was typed, to be freed */
	PROMPT_CANCELLED,
};

/* with_history: read from and kept in $XDG_STATE_HOME/gpuwl/history. */
void prompt_open(bool with_history);
bool prompt_is_open(void);
/* Esc must come as one key press: alone in bytes it cancels. */
enum prompt_result prompt_feed(const struct key_press *key, char **line);
void prompt_cancel(void);
/* What to show; pointers are good until the next call. */
struct ui_prompt prompt_look(void);
void prompt_free(void);

#endif
