/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The descriptor's cursor stays with its line, whatever an edit or an undo
 * puts before it.
 */
#ifndef TUI_CONSOLE_ANCHOR_H
#define TUI_CONSOLE_ANCHOR_H

#include <stddef.h>
#include <stdint.h>

struct ui;

struct anchor {
	const void *document;
	size_t source, line;
	uint32_t identity; /* of the line; 0: none */
	uint64_t revision; /* of the document then */
};

/* The cursor is meant to be where it is now. */
void anchor_set(struct ui *ui);
/* If only the document has changed, the cursor goes where its line has gone.
 * It is on a line, if there is any, though nobody may have drawn it yet. */
void anchor_follow(struct ui *ui);

#endif
