/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scanning a line: fields, numbers, lists, and errors at their exact place.
 * Functions that run for every field are inline, because they take most of the
 * time of reading a document.
 */
#ifndef PARSER_SCAN_H
#define PARSER_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "parser/diag.h"

/* A part of a line's text, not zero terminated; len is in bytes. */
struct field {
	const char *s;
	uint32_t len;
};

/* The parse of one line. */
struct scan {
	struct arena *arena;     /* owns the arrays of the step */
	const char *text;        /* column 0 */
	struct diag_list *diags; /* NULL: only set failed */
	uint32_t line;           /* index that diagnostics get */
	bool failed;
};

/* Sets failed and adds an error at a field; an empty field gets one byte.
 * Without diags the arguments of the format are not evaluated. */
#define scan_error(scan, at, ...)                                              \
	scan_error_as(scan, DIAG_FIRST(__VA_ARGS__, 0), at, __VA_ARGS__)
/* The same with another kind than the format (diag.h). */
#define scan_error_as(scan, kind, at, ...)                                     \
	do {                                                                   \
		(scan)->failed = true;                                         \
		if ((scan)->diags)                                             \
			diag_add_as((scan)->diags, kind, DIAG_ERROR,           \
			    (scan)->line, (uint32_t)((at).s - (scan)->text),   \
			    (at).len, __VA_ARGS__);                            \
	} while (0)

enum number { NUMBER_OK, NUMBER_NONE, NUMBER_BIG };

/* Any number with that many digits fits into 64 bits. */
#define SAFE_DIGITS 19

/* Reads a field of decimal digits. NUMBER_NONE: it has other bytes, or none;
 * NUMBER_BIG: above max. *value is 0 then. */
static inline enum number
scan_number(struct field f, uint64_t max, uint64_t *value)
{
	uint64_t v = 0;
	uint32_t zeros = 0;

	*value = 0;
	if (!f.len)
		return NUMBER_NONE;
	for (uint32_t i = 0; i < f.len; i++) {
		unsigned digit = (unsigned char)f.s[i] - '0';

		if (digit > 9)
			return NUMBER_NONE;
		if (!v && !digit)
			zeros++;
		v = v * 10 + digit;
	}
	if (f.len - zeros > SAFE_DIGITS || v > max)
		return NUMBER_BIG;
	*value = v;
	return NUMBER_OK;
}

/* Cuts the part before the next separator off rest. False after the last part;
 * an empty list has one empty part. rest->s must not be NULL at first. */
static inline bool
scan_part(struct field *rest, char separator, struct field *part)
{
	uint32_t n = 0;

	if (!rest->s)
		return false;
	while (n < rest->len && rest->s[n] != separator)
		n++;
	*part = (struct field){rest->s, n};
	if (n == rest->len)
		*rest = (struct field){0};
	else
		*rest = (struct field){rest->s + n + 1, rest->len - n - 1};
	return true;
}

/* Returns the number of parts, at least 1. */
static inline uint32_t
scan_count(struct field f, char separator)
{
	uint32_t n = 1;

	for (uint32_t i = 0; i < f.len; i++)
		n += f.s[i] == separator;
	return n;
}

/* Splits at the first separator. Without one it returns false, with before the
 * whole field and after empty. */
static inline bool
scan_split(
    struct field f, char separator, struct field *before, struct field *after)
{
	struct field rest = f;

	scan_part(&rest, separator, before);
	*after = rest.s ? rest : (struct field){f.s + f.len, 0};
	return rest.s != NULL;
}

/* True for a blank within a line; a carriage return is one. */
static inline bool
scan_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* True if the field is this one character. */
static inline bool
field_is(struct field f, char c)
{
	return f.len == 1 && f.s[0] == c;
}

/* A field as text for a message: control characters made visible, and cut with
 * "..." after 40 bytes. */
struct quoted {
	char s[64];
};
/* Returns the field as such a text. */
struct quoted quote(struct field f);

#endif
