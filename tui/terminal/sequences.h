/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Input that terminals send as escape sequences, besides keys.
 *
 * Mouse reports: presses and the wheel (mode 1000), in the form of mode 1006
 * (ESC [ < button ; x ; y M) or the older one (ESC [ M and three bytes).
 * Anything else is ignored.
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

/* A report being read, after its prefix. */
struct mouse_reader {
	bool reading, old;
	unsigned n; /* numbers that are complete */
	int numbers[3];
	bool digits; /* the current number has digits */
};

enum mouse_byte {
	MOUSE_MORE,    /* the report continues */
	MOUSE_REPORT,  /* the report is complete: *key */
	MOUSE_NOTHING, /* the report is complete and means nothing */
	/* the report ended before this byte, which is not part of it */
	MOUSE_OTHER,
};

/* Starts reading a report; old: of the older form. */
void mouse_begin(struct mouse_reader *m, bool old);
/* Takes the next byte of the report; c may also be a key code of wgetch(). */
enum mouse_byte mouse_take(
    struct mouse_reader *m, int c, struct key_press *key);

/*
 * Bracketed pastes (mode 2004): their bytes are between ESC [ 200 ~ and ESC [
 * 201 ~, so that they are not taken for keys. The text is delivered in pieces
 * of bounded size.
 */

#define PASTE_ON    "\033[?2004h"
#define PASTE_OFF   "\033[?2004l"
#define PASTE_BEGIN "\033[200~"
#define PASTE_END   "\033[201~"

#define PASTE_PIECE 4096 /* bytes */

struct key_press;

struct paste_reader {
	bool reading;
	bool begun;     /* a piece has been delivered */
	bool ended;     /* the last one, too */
	size_t matched; /* latest bytes that match the start of PASTE_END */
	size_t total;   /* bytes so far */
	size_t len, given;
	char piece[PASTE_PIECE + sizeof(PASTE_END)];
};

/* Starts reading a paste. */
void paste_begin(struct paste_reader *p);
/* Takes the next byte. True: a piece is full or the paste has ended. */
bool paste_take(struct paste_reader *p, unsigned char c);
/* Ends the paste here. */
void paste_break_off(struct paste_reader *p);
/* Delivers the text not delivered yet, without an incomplete character at its
 * end; the last piece may be empty. Returns false if there is none. The text is
 * valid until the next byte. */
bool paste_give(struct paste_reader *p, struct key_press *key);

#endif
