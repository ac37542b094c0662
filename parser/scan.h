/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of a line: fields, numbers, lists, and the errors they earn with
 * their exact place.
 */
#ifndef PARSER_SCAN_H
#define PARSER_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/arena.h"
#include "parser/diag.h"

/* Bytes of a line's text. */
struct field {
	const char *s;
	uint32_t len;
};

/* What parses one line. */
struct scan {
	struct arena *arena;	 /* for what the step owns */
	const char *text;	 /* where columns count from */
	struct diag_list *diags; /* NULL: only whether it parses */
	uint32_t line;
	bool failed;
};

/* Notes an error at a field; an empty field's place is one byte. */
void scan_error(struct scan *scan, struct field at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

enum number { NUMBER_OK, NUMBER_NONE, NUMBER_BIG };

/* Plain decimal digits, the whole field. */
enum number scan_number(struct field f, uint64_t max, uint64_t *value);

/*
 * Cuts the next part off a list: part becomes what stands before the
 * separator, rest what stands after it. False when the list is used up; an
 * empty list has one empty part. Start with rest->s not NULL.
 */
bool scan_part(struct field *rest, char separator, struct field *part);
/* Number of parts, at least 1. */
uint32_t scan_count(struct field f, char separator);
/* Splits at the first separator; false, and after empty, if there is none. */
bool scan_split(struct field f, char separator, struct field *before,
    struct field *after);

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
