/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layerstream/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static const char opening[] = "{\"label\":[";

void
labels_free(struct labels *l)
{
	free(l->json);
	free(l->begin);
	*l = (struct labels){0};
}

/* Room for a label, its comma and what closes the object. */
static void
reserve(struct labels *l, uint32_t len)
{
	uint32_t need = l->len + len + 1 + LABELS_SUFFIX;

	if (need > l->cap) {
		l->cap = need * 2;
		l->json = mem_realloc(l->json, l->cap, 1);
	}
	if (l->told == l->cap_begin) {
		l->cap_begin = l->cap_begin ? 2 * l->cap_begin : 8;
		l->begin = mem_realloc(
		    l->begin, l->cap_begin, sizeof(*l->begin));
	}
}

static void
append(struct labels *l, const char *s, uint32_t len)
{
	memcpy(l->json + l->len, s, len);
	l->len += len;
}

bool
labels_push(struct labels *l, const char *json, uint32_t len)
{
	if (l->told != l->depth++ || l->told == LABELS_DEPTH ||
	    l->len + len > LABELS_BYTES)
		return false;
	reserve(l, len + sizeof(opening));
	if (l->told == 0) {
		l->len = 0;
		append(l, opening, sizeof(opening) - 1);
	}
	l->begin[l->told] = l->len;
	if (l->told++)
		l->json[l->len++] = ',';
	append(l, json, len);
	memcpy(l->json + l->len, "]}", LABELS_SUFFIX);
	return true;
}

bool
labels_pop(struct labels *l)
{
	if (l->depth == 0)
		return false;
	if (l->told == l->depth--) {
		l->len = l->begin[--l->told];
		memcpy(l->json + l->len, "]}", LABELS_SUFFIX);
	}
	return true;
}

/* What \uXXXX stands for: the layer writes control characters so. */
static char
escaped(const char *s)
{
	char digits[5] = {s[0], s[1], s[2], s[3], '\0'};

	return (char)strtoul(digits, NULL, 16);
}

bool
labels_next(const char **at, const char *end, struct text *t)
{
	const char *p = *at;

	while (p < end && *p != '"')
		p++;
	if (p == end)
		return false;
	for (p++; p < end && *p != '"'; p++) {
		if (*p == '\\' && end - p > 6 && p[1] == 'u') {
			text_addc(t, escaped(p + 2));
			p += 5;
			continue;
		}
		if (*p == '\\' && p + 1 < end)
			p++;
		text_addc(t, *p);
	}
	*at = p < end ? p + 1 : end;
	return true;
}
