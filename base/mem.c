/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation that succeeds or ends the program; the blocks of arenas. The last
 * act is global state, since no caller could hand it down to every allocation.
 */
#include "base/mem.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/output.h"

#define RESERVE ((size_t)256 << 10) /* bytes */

static struct {
	void *reserve;
	void (*last_act)(void *data);
	void *data;
	bool ending;
} exhaustion;

void
mem_reserve(void)
{
	if (!exhaustion.reserve)
		exhaustion.reserve = malloc(RESERVE);
}

void
mem_on_exhausted(void (*last_act)(void *data), void *data)
{
	exhaustion.last_act = last_act;
	exhaustion.data = data;
}

void
mem_tell_exhausted(void)
{
	static const char words[] = "gpuwl-top: out of memory\n";
	ssize_t n = write(STDERR_FILENO, words, sizeof(words) - 1);

	(void)n;
}

void
mem_exhausted(void)
{
	if (exhaustion.ending)
		_exit(EXIT_STATUS_FAILED);
	exhaustion.ending = true;
	free(exhaustion.reserve);
	if (exhaustion.last_act)
		exhaustion.last_act(exhaustion.data);
	else
		mem_tell_exhausted();
	exit(EXIT_STATUS_FAILED);
}

/* Returns ptr; ends the program if it is NULL. */
static void *
mem_must(void *ptr)
{
	if (!ptr)
		mem_exhausted();
	return ptr;
}

void *
mem_calloc(size_t n, size_t size)
{
	if (!n || !size)
		n = size = 1;
	return mem_must(calloc(n, size));
}

void *
mem_realloc(void *ptr, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		mem_exhausted();
	return mem_must(realloc(ptr, bytes ? bytes : 1));
}

char *
mem_strndup(const char *s, size_t len)
{
	char *copy;

	if (len == SIZE_MAX)
		mem_exhausted();
	copy = mem_must(malloc(len + 1));
	if (len)
		memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *
mem_strdup(const char *s)
{
	return mem_strndup(s, strlen(s));
}

void *
mem_grow(void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return array;
	if (*cap > SIZE_MAX / 2)
		mem_exhausted();
	/* *cap still holds for the array if there is no memory. */
	array = mem_realloc(array, *cap ? *cap * 2 : 8, size);
	*cap = *cap ? *cap * 2 : 8;
	return array;
}

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
 * Allocates a block. Blocks of the largest size are whole huge pages, where the
 * system has them: faulting in small pages would take a fourth of the time that
 * a large document takes to read.
 */
static struct arena_block *
arena_block_new(size_t room)
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
		/* A block of its own, after the newest. */
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
	b = arena_block_new(room);
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
