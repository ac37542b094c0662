/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See match.h. Letters beyond ASCII have one case here. */
#include "tui/views/match.h"

#include <string.h>

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

struct needle
needle_of(const char *text, size_t len)
{
	struct needle needle = {text, len, true};

	for (size_t i = 0; i < len; i++)
		if (lower(text[i]) != text[i])
			needle.any_case = false;
	return needle;
}

static bool
same(const struct needle *needle, const char *s)
{
	if (!needle->any_case)
		return memcmp(needle->text, s, needle->len) == 0;
	for (size_t i = 0; i < needle->len; i++)
		if (lower(s[i]) != needle->text[i])
			return false;
	return true;
}

size_t
needle_find(const struct needle *needle, const char *s, size_t len, size_t from)
{
	if (needle->len > len)
		return NOWHERE;
	for (size_t i = from; i <= len - needle->len; i++)
		if (same(needle, s + i))
			return i;
	return NOWHERE;
}

bool
needle_is(const struct needle *needle, const char *s, size_t len)
{
	return needle->len == len && same(needle, s);
}

void
paint_matches(struct area *a, int y, int x, const char *s, size_t len, int skip,
    const struct needle *needle)
{
	size_t at = 0;

	if (needle->len == 0)
		return;
	while ((at = needle_find(needle, s, len, at)) != NOWHERE) {
		int from = columns(a->screen, s, at) - skip;
		int to = columns(a->screen, s, at + needle->len) - skip;

		if (from >= a->r.w - x)
			return;
		if (from < 0)
			from = 0;
		if (to > from)
			paint(a, y, x + from, to - from, ROLE_MATCH);
		at += needle->len;
	}
}
