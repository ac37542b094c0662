/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory. Allocation never returns NULL: without memory mem_exhausted() ends
 * the program with EXIT_STATUS_FAILED, after the act that mem_on_exhausted()
 * set. Sizes are bytes and are checked for overflow.
 *
 * An arena allocates by moving a pointer and frees everything at once. Memory
 * that is saved and put back as a whole is in regions (base/region.h).
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* The caller frees what these return with free(). */

/* Returns n * size zeroed bytes. */
void *mem_calloc(size_t n, size_t size);
/* Resizes ptr (NULL: allocates) to n * size bytes; new bytes are not cleared. */
void *mem_realloc(void *ptr, size_t n, size_t size);
/* Returns a copy of len bytes with a terminating zero added. */
char *mem_strndup(const char *s, size_t len);
char *mem_strdup(const char *s);

/*
 * Makes room for one more element in a growing array: doubles *cap (from 8)
 * when n == *cap. Returns the array, which may have moved.
 */
void *mem_grow(void *array, size_t n, size_t *cap, size_t size);

/* Sets memory aside that is freed before the last act, so that it can
 * allocate. Called once, at the program's start. */
void mem_reserve(void);
/*
 * Sets the last act: it closes outputs and gives the terminal back, instead of
 * mem_tell_exhausted(). It runs inside any allocation, so it must return, and
 * must not use data that the caller of an allocation is changing. NULL: none.
 */
void mem_on_exhausted(void (*last_act)(void *data), void *data);
/* Writes "gpuwl-top: out of memory" to standard error. */
void mem_tell_exhausted(void);
/* Runs the last act and exits; exits at once when called from that act. */
_Noreturn void mem_exhausted(void);

/* All zero: empty. */
struct arena {
	struct arena_block *blocks; /* newest first */
	char *at, *end;             /* free bytes of the newest block */
};

/* Frees all that the arena allocated. */
void arena_free(struct arena *a);
/* Allocates size bytes in a new block. For arena_alloc() only. */
void *arena_more(struct arena *a, size_t size);
/* Returns n * size bytes, not cleared, aligned to 8. */
void *arena_array(struct arena *a, size_t n, size_t size);
/* Returns a copy of len bytes with a terminating zero added. */
char *arena_copy(struct arena *a, const char *s, size_t len);

/* Returns size bytes, not cleared, aligned to 8. */
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

/* Frees what was allocated since a->blocks was newest and a->at was at. Does
 * nothing when a block was added since. */
static inline void
arena_rewind(struct arena *a, const struct arena_block *newest, char *at)
{
	if (a->blocks == newest)
		a->at = at;
}

#endif
