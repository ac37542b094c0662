/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random input of the console, by a monkey: keys, typed text, the mouse, commands,
 * sizes and times, in an order that a seed decides; as a script (--script) or as
 * the bytes that a terminal sends. It never quits, and names files of the
 * folder that it is in only.
 */
#ifndef TESTS_SUPPORT_MONKEY_H
#define TESTS_SUPPORT_MONKEY_H

#include <stddef.h>
#include <stdint.h>

struct text;

struct monkey {
	uint32_t seed;
	unsigned rows; /* of the screen */
};

/* A number from 0 to n - 1. */
unsigned monkey_below(struct monkey *m, unsigned n);

/* A line of a script, or some. */
void monkey_add_line(struct monkey *m, struct text *out);
/* Keys that a script has: a name in < > is one. */
size_t monkey_count_keys(const char *script);

/* Appends the bytes of one key on a terminal, or half of them, or nonsense. */
void monkey_add_bytes(struct monkey *m, struct text *out);
/* Leaves what is open: a prompt by the end of its input, as Esc and the key that
 * follows at once would be one there, then a page or a question by Esc. */
#define MONKEY_ESCAPE "\025\004\033\033[<3;1;1m"
/* Bytes too, for many in one write: edits, commands that mean something, and
 * clicks and turns of the wheel anywhere but on the last row (rows > 1). */
void monkey_add_burst(struct monkey *m, struct text *out);

#endif
