/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See tags.h. */
#include "tui/views/tags.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static uint64_t
tag_of(uint32_t client, uint32_t context)
{
	return (uint64_t)client << 32 | context;
}

/* Where it stands, or would. */
static size_t
find(const struct tags *t, uint64_t tag)
{
	size_t from = 0, to = t->n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (t->list[middle] < tag)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

size_t
tags_count(const struct tags *t)
{
	return t->n;
}

bool
tags_has(const struct tags *t, uint32_t client, uint32_t context)
{
	uint64_t tag = tag_of(client, context);
	size_t at = find(t, tag);

	return at < t->n && t->list[at] == tag;
}

bool
tags_toggle(struct tags *t, uint32_t client, uint32_t context)
{
	uint64_t tag = tag_of(client, context);
	size_t at = find(t, tag);

	if (at < t->n && t->list[at] == tag) {
		memmove(&t->list[at], &t->list[at + 1],
		    (--t->n - at) * sizeof(*t->list));
		return true;
	}
	if (t->n >= TAGS_MAX)
		return false;
	t->list = mem_grow(t->list, t->n, &t->cap, sizeof(*t->list));
	memmove(
	    &t->list[at + 1], &t->list[at], (t->n++ - at) * sizeof(*t->list));
	t->list[at] = tag;
	return true;
}

void
tags_clear(struct tags *t)
{
	t->n = 0;
}

void
tags_free(struct tags *t)
{
	free(t->list);
	*t = (struct tags){0};
}

void
tags_each(const struct tags *t, tag_fn *fn, void *arg)
{
	for (size_t i = 0; i < t->n; i++)
		if (!fn(arg, (uint32_t)(t->list[i] >> 32),
			(uint32_t)t->list[i]))
			return;
}
