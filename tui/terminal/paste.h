/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A paste as terminals tell of it (mode 2004): its bytes stand between ESC [
 * 200 ~ and ESC [ 201 ~, so that they can be told from keys. Its text is handed
 * on in pieces of bounded size, as it comes.
 */
#ifndef TUI_TERMINAL_PASTE_H
#define TUI_TERMINAL_PASTE_H

#include <stdbool.h>
#include <stddef.h>

#define PASTE_ON    "\033[?2004h"
#define PASTE_OFF   "\033[?2004l"
#define PASTE_BEGIN "\033[200~"
#define PASTE_END   "\033[201~"

#define PASTE_PIECE 4096 /* bytes */

struct key_press;

struct paste_reader {
	bool reading;
	bool begun;     /* a piece of it was handed on */
	size_t matched; /* bytes of PASTE_END that came last */
	size_t total;   /* bytes so far */
	size_t len, given;
	char piece[PASTE_PIECE + sizeof(PASTE_END)];
};

void paste_begin(struct paste_reader *p);
/* The next byte. True: a piece is full, or the paste is over. */
bool paste_take(struct paste_reader *p, unsigned char c);
/* It ends here, whatever came. */
void paste_break_off(struct paste_reader *p);
/* Hands on what has come and was not handed on, but for a character whose end
 * is still to come. False: that is nothing, unless the paste has just ended
 * without any text. The text is good until the next byte. */
bool paste_give(struct paste_reader *p, struct key_press *key);

#endif
