/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mouse as terminals tell of it: presses and the wheel (mode 1000), in the
 * form of mode 1006 (ESC [ < button ; x ; y M) or the older one (ESC [ M and
 * three bytes). What is no such thing does nothing, whatever it is.
 */
#ifndef TUI_TERMINAL_SEQUENCES_H
#define TUI_TERMINAL_SEQUENCES_H

#include <stdbool.h>
#include <stddef.h>

struct key_press;

#define MOUSE_ON     "\033[?1000h\033[?1006h"
#define MOUSE_OFF    "\033[?1006l\033[?1000l"
#define MOUSE_PREFIX "\033[<"
#define MOUSE_OLD    "\033[M"

/* The part of a report after its beginning, byte by byte. */
struct mouse_reader {
	bool reading, old;
	unsigned n; /* numbers that are over */
	int numbers[3];
	bool digits; /* of the number at hand */
};

enum mouse_byte {
	MOUSE_MORE,    /* the report goes on */
	MOUSE_REPORT,  /* key is what it says */
	MOUSE_NOTHING, /* it is over, and says nothing for us */
	MOUSE_OTHER,   /* it is over, and the byte is not of it */
};

void mouse_begin(struct mouse_reader *m, bool old);
/* c: a byte, or what wgetch() returns for keys. */
enum mouse_byte mouse_take(
    struct mouse_reader *m, int c, struct key_press *key);

/*
 * A paste as terminals tell of it (mode 2004): its bytes stand between ESC [
 * 200 ~ and ESC [ 201 ~, so that they can be told from keys. Its text is handed
 * on in pieces of bounded size, as it comes.
 */

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
