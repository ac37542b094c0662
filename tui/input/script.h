/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scripts of keys (--script). The lines of a script:
 *
 *   # a comment            jj<Tab>.<F1>     keys, <lt> for <
 *   <Click 10,5>           of the mouse at column 10, row 5, from 1 as in an
 *                          editor; <WheelUp 10,5> <WheelDown 10,5>
 *   :speed 10              typed at the prompt and entered
 *   advance 16.7ms         lets that much time pass
 *   wait TEXT              lets time pass until the screen shows TEXT
 *   dump FILE              as :dump does, whatever is being typed
 *   size 120x40            of the screen, where there is no terminal
 */
#ifndef TUI_INPUT_SCRIPT_H
#define TUI_INPUT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/nsec.h"
#include "base/text.h"
#include "tui/input/keys.h"

struct script {
	const char *path;
	struct text text;
	size_t line_start, line_no; /* of the line at hand, from 1 */
	size_t at;                  /* in its keys */
};

enum script_kind {
	SCRIPT_KEY,
	SCRIPT_COMMAND,
	SCRIPT_ADVANCE,
	SCRIPT_WAIT,
	SCRIPT_DUMP,
	SCRIPT_SIZE,
	SCRIPT_END,
	SCRIPT_ERROR, /* text says why */
};

struct script_item {
	enum script_kind kind;
	struct key_press key;
	struct text text; /* COMMAND (without the colon), WAIT, DUMP, ERROR */
	nsec duration;
	int cols, rows;
};

/* Reads a script; path must last. False: err says why it can't be read. */
bool script_open(struct script *s, const char *path, struct text *err);
void script_close(struct script *s);
/* Reads the next item; reuses item->text, which the caller frees. */
void script_next(struct script *s, struct script_item *item);
/* Returns the key press of a code, as a terminal sends it. */
struct key_press script_key(int code);

#endif
