/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bump allocator. What a document reads and what its edits make lives as
 * long as the document: lines never change once made, so undo just puts old
 * ones back, and pointers to their steps stay valid.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena {
	struct arena_block *blocks; /* the newest first */
	char *at, *end;             /* what is left of the newest */
};

void arena_free(struct arena *a);
/* A new block with room for size bytes at least; used by arena_alloc. */
void *arena_more(struct arena *a, size_t size);
/* n * size bytes, uninitialised, aligned for any type up to 8 bytes. */
void *arena_array(struct arena *a, size_t n, size_t size);
char *arena_copy(struct arena *a, const char *s, size_t len);

static inline void *
arena_alloc(struct arena *a, size_t size)
{
	void *ptr = a->at;

	size = (size + 7) & ~(size_t)7;
	if ((size_t)(a->end - a->at) < size)
		return arena_more(a, size);
	a->at += size;
	return ptr;
}

/* Gives back what was allocated since at was a->at, where that is in the newest
 * block still. */
static inline void
arena_rewind(struct arena *a, const struct arena_block *newest, char *at)
{
	if (a->blocks == newest)
		a->at = at;
}

#endif
