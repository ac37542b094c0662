/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of a line: fields, numbers, lists, and the errors they earn with
 * their exact place. What runs for every field is inline: reading a big
 * document is little more than this.
 */
#ifndef PARSER_SCAN_H
#define PARSER_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "parser/diag.h"

/* Bytes of a line's text. */
struct field {
	const char *s;
	uint32_t len;
};

/* What parses one line. */
struct scan {
	struct arena *arena;     /* for what the step owns */
	const char *text;        /* where columns count from */
	struct diag_list *diags; /* NULL: only whether it parses */
	uint32_t line;
	bool failed;
};

/* Notes an error at a field; an empty field's place is one byte. Where no
 * caller reads the message, what would be filled in is not evaluated. */
#define scan_error(scan, at, ...)                                              \
	do {                                                                   \
		(scan)->failed = true;                                         \
		if ((scan)->diags)                                             \
			scan_tell(scan, at, __VA_ARGS__);                      \
	} while (0)
#define scan_tell(scan, at, ...)                                               \
	diag_add((scan)->diags, DIAG_ERROR, (scan)->line,                      \
	    (uint32_t)((at).s - (scan)->text), (at).len, __VA_ARGS__)

enum number { NUMBER_OK, NUMBER_NONE, NUMBER_BIG };

/* So many digits fit into 64 bits whatever they are. */
#define SAFE_DIGITS 19

/* Plain decimal digits, the whole field. */
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

/*
 * Cuts the next part off a list: part becomes what stands before the
 * separator, rest what stands after it. False when the list is used up; an
 * empty list has one empty part. Start with rest->s not NULL.
 */
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

/* Number of parts, at least 1. */
static inline uint32_t
scan_count(struct field f, char separator)
{
	uint32_t n = 1;

	for (uint32_t i = 0; i < f.len; i++)
		n += f.s[i] == separator;
	return n;
}

/* Splits at the first separator; false, and after empty, if there is none. */
static inline bool
scan_split(
    struct field f, char separator, struct field *before, struct field *after)
{
	struct field rest = f;

	scan_part(&rest, separator, before);
	*after = rest.s ? rest : (struct field){f.s + f.len, 0};
	return rest.s != NULL;
}

static inline bool
field_is(struct field f, char c)
{
	return f.len == 1 && f.s[0] == c;
}

/* A field as text for a message: visible, cut when long. */
struct quoted {
	char s[64];
};
struct quoted quote(struct field f);

#endif
