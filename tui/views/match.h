/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How filters and searches compare: a text without capitals is found in any
 * case, one with capitals only as it stands. */
#ifndef TUI_VIEWS_MATCH_H
#define TUI_VIEWS_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/screen/screen.h"

struct needle {
	const char *text; /* not kept */
	size_t len;
	bool any_case;
};

struct needle needle_of(const char *text, size_t len);
#define NOWHERE SIZE_MAX
/* Where in s[0..len) it begins, from byte `from` on. The empty one is
 * everywhere. */
size_t needle_find(
    const struct needle *needle, const char *s, size_t len, size_t from);
/* Is it all of s? */
bool needle_is(const struct needle *needle, const char *s, size_t len);

/* Where the text, put at (x, y) without its first skip columns, has it. */
void paint_matches(struct area *a, int y, int x, const char *s, size_t len,
    int skip, const struct needle *needle);

#endif
