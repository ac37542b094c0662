/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * UTF-8, decoded alike in every locale, and the columns that a character takes.
 *
 * Properties are Unicode's, from libutf8proc. Where it and the C library count
 * columns differently, the C library's count holds, because curses draws by it:
 * spacing marks (category Mc) take 1 column, medial and final Hangul Jamo none,
 * hexagrams and the circled numbers U+3248 to U+324F take 2.
 *
 * wcwidth() itself is not called here: the result would depend on the locale.
 * The screen draws a stand-in, of the width given here, for a character of
 * which the C library knows no or another width, so that a caret is always
 * below its cell.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct utf8_char {
	uint32_t code; /* '?' for an invalid byte */
	uint8_t len;   /* bytes, at least 1 */
	uint8_t width; /* columns: 0 (combining), 1 or 2 */
	bool valid;    /* false: this byte is not part of any character */
	/* False: a control, format, ignorable or unassigned character, or an
	 * invalid byte. Shown as '?', of width 1. */
	bool visible;
};

/* Returns the bytes of the character that begins with this one; 1 if none
 * does. */
size_t utf8_length(char first);
/* Returns len without the bytes of a character that s[0..len) ends inside of. */
size_t utf8_whole(const char *s, size_t len);
/* Returns the first character of s, which has len bytes, at least 1. */
struct utf8_char utf8_decode(const char *s, size_t len);

#endif
