/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns a paste into text of one line. */
#ifndef TUI_INPUT_PASTED_H
#define TUI_INPUT_PASTED_H

#include <stdbool.h>
#include <stddef.h>

struct text;

/* The state of a paste that comes in pieces: {0} at first. */
struct pasted {
	bool any;     /* text has come, */
	bool between; /* and then the end of a line */
};

/*
 * Appends the text of a piece of a paste: characters that the locale has. Ends
 * of lines, however many, become line_end (0: a blank) between text. A tab is a
 * blank; other control characters and bytes that are no UTF-8 are left out.
 */
void pasted_add(struct text *out, struct pasted *p, char line_end,
    const char *text, size_t len);

#endif
