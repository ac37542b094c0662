/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * UTF-8, decoded alike in every locale, and the columns that a character takes.
 *
 * Columns are counted by the C library (wcwidth()), because curses draws by its
 * count: tables of C libraries differ, and from those of libutf8proc.
 *
 * For a character that the locale or the C library does not know, as for all but
 * ASCII in the C locale, they are counted by Unicode's properties, from
 * libutf8proc, with the C library's exceptions: spacing marks (category Mc) take
 * 1 column, medial and final Hangul Jamo none, hexagrams and the circled numbers
 * U+3248 to U+324F take 2. The screen draws a stand-in of that width, so that a
 * caret is always below its cell.
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
