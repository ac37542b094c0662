/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes JSON objects apart by a table of their keys: nothing is missing,
 * unknown or out of its limits without a word. */
#ifndef RUN_FIELDS_H
#define RUN_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

enum field_type {
	FIELD_INTEGER, /* to: int64_t, from min to max */
	FIELD_REAL,    /* double */
	FIELD_BOOL,    /* bool */
	FIELD_STRING,  /* const json_t *, and so the others */
	FIELD_OBJECT,
	FIELD_ARRAY,
};

struct field {
	const char *key;
	enum field_type type;
	void *to;
	bool optional; /* then *to stays as it is */
	int64_t min, max;
};

/* Rows of a table: type without FIELD_, INTEGER by its limits. */
#define FIELD(key, type, to)                                                   \
	{                                                                      \
		key, FIELD_##type, to, false, 0, 0                             \
	}
#define FIELD_OPTIONAL(key, type, to)                                          \
	{                                                                      \
		key, FIELD_##type, to, true, 0, 0                              \
	}
#define FIELD_RANGE(key, to, min, max)                                         \
	{                                                                      \
		key, FIELD_INTEGER, to, false, min, max                        \
	}
#define FIELD_RANGE_OPTIONAL(key, to, min, max)                                \
	{                                                                      \
		key, FIELD_INTEGER, to, true, min, max                         \
	}

/* False: err says what is wrong, and what would be right. What was read points
 * into object. */
bool fields_read(const json_t *object, const struct field *fields, size_t n,
    struct text *err);

#endif
