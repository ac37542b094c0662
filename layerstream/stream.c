/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layerstream/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void
stream_free(struct stream *s)
{
	free(s->list);
	*s = (struct stream){0};
}

void
stream_clear(struct stream *s)
{
	s->n = 0;
}

/* Room for n more commands. */
static void
reserve(struct stream *s, size_t n)
{
	size_t cap = s->cap < STREAM_ROOM ? STREAM_ROOM : s->cap;

	if (n > SIZE_MAX / 4 - s->n)
		mem_exhausted();
	if (s->n + n <= s->cap)
		return;
	while (cap < s->n + n)
		cap *= 2;
	s->list = mem_realloc(s->list, cap, sizeof(*s->list));
	s->cap = cap;
}

void
stream_add(struct stream *s, enum opcode op, const void *operand)
{
	reserve(s, 1);
	s->list[s->n++] = (struct command){op, operand};
}

void
stream_append(struct stream *s, const struct stream *other)
{
	if (other->n == 0)
		return;
	reserve(s, other->n);
	memcpy(s->list + s->n, other->list, other->n * sizeof(*s->list));
	s->n += other->n;
}

void
stream_trim(struct stream *s)
{
	if (s->n == s->cap)
		return;
	if (s->n == 0) {
		stream_free(s);
		return;
	}
	s->list = mem_realloc(s->list, s->n, sizeof(*s->list));
	s->cap = s->n;
}
