/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that a mistyped one may have been meant for, for diagnostics. */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define NEAR_MAX 12 /* names that are offered */

/* Names found for a word. Begins as {.word = word}; freed with near_free(). */
struct near {
	const char *word;
	struct text names; /* "a, b" without the last */
	struct text last;
	size_t n;
};

/* True if word is name but for one letter in three: missing, added, or another
 * one. Capitals do not count. */
bool near_is(const char *word, const char *name);
/* Adds the first len bytes of name, if fewer than NEAR_MAX were added. */
void near_add(struct near *near, const char *name, size_t len);
/* Appends the names: "a, b or c". Nothing if none was added. */
void near_print(const struct near *near, struct text *out);
void near_free(struct near *near);

#endif
