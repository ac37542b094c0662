/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of values as they are typed: items with commas between them, each a word
 * ("guc"), or a range of numbers: 1..8, 1..64*2 (each twice the one before),
 * 0.5..2+0.25 (each 0.25 more).
 */
#ifndef DECIDE_VALUES_H
#define DECIDE_VALUES_H

#include <stdbool.h>
#include <stddef.h>

struct text;

#define VALUES_MAX 100000 /* of a list */

/* All zero: empty. */
struct values {
	char **list; /* numbers as people write them: "8", "0.25" */
	size_t n, cap;
};

/* Adds the values of s. False: err says what is invalid; free *v either way. */
bool values_read(struct values *v, const char *s, struct text *err);
void values_free(struct values *v);

/* Reads a number: digits, with a point and an exponent or without, and nothing
 * else. */
bool values_number(const char *s, double *n);

#endif
