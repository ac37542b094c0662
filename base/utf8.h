/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Just enough UTF-8 to show a file's bytes safely and to put a caret under
 * the right column, independent of the locale.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct utf8_char {
	uint32_t code;
	uint8_t len;   /* bytes taken, at least 1 */
	uint8_t width; /* columns: 0 (combining), 1 or 2 */
	bool visible;  /* false: control or invalid byte, show a stand-in */
};

/* The character at s; len is at least 1. */
struct utf8_char utf8_decode(const char *s, size_t len);

#endif
