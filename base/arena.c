/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of the bump allocator: doubling up to a limit, freed together. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"

#define FIRST_BLOCK ((size_t)4 << 10)
#define LAST_BLOCK  ((size_t)2 << 20)

struct arena_block {
	struct arena_block *next;
	size_t size;
	alignas(8) char data[];
};

void
arena_free(struct arena *a)
{
	struct arena_block *next;

	for (struct arena_block *b = a->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = (struct arena){0};
}

/*
 * Blocks of the last size are whole huge pages where the system has them:
 * faulting in small ones takes a fourth of the time to read a big document.
 */
static struct arena_block *
get_block(size_t room)
{
	struct arena_block *b;

	if (room < LAST_BLOCK) {
		b = mem_realloc(NULL, 1, room);
	} else {
		b = aligned_alloc(LAST_BLOCK, room);
		if (!b)
			mem_exhausted();
		madvise(b, room, MADV_HUGEPAGE);
	}
	b->size = room;
	return b;
}

void *
arena_more(struct arena *a, size_t size)
{
	size_t room = a->blocks ? a->blocks->size * 2 : FIRST_BLOCK;
	struct arena_block *b;

	if (room > LAST_BLOCK)
		room = LAST_BLOCK;
	if (size > SIZE_MAX / 2)
		mem_exhausted();
	if (size > room / 4) {
		/* Big ones get a block of their own, behind the newest. */
		b = mem_realloc(NULL, 1, sizeof(*b) + size);
		b->size = a->blocks ? a->blocks->size : FIRST_BLOCK / 2;
		if (a->blocks) {
			b->next = a->blocks->next;
			a->blocks->next = b;
		} else {
			b->next = NULL;
			a->blocks = b;
		}
		return b->data;
	}
	b = get_block(room);
	b->next = a->blocks;
	a->blocks = b;
	a->at = b->data + size;
	a->end = (char *)b + room;
	return b->data;
}

void *
arena_array(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX / 2)
		mem_exhausted();
	return arena_alloc(a, bytes);
}

char *
arena_copy(struct arena *a, const char *s, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	if (len)
		memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}
