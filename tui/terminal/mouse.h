/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mouse as terminals tell of it: presses and the wheel (mode 1000), in the
 * form of mode 1006 (ESC [ < button ; x ; y M) or the older one (ESC [ M and
 * three bytes). What is no such thing does nothing, whatever it is.
 */
#ifndef TUI_TERMINAL_MOUSE_H
#define TUI_TERMINAL_MOUSE_H

#include <stdbool.h>

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

#endif
