/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is there, or the program ends: each call returns usable memory,
 * or none is left, and mem_exhausted() ends the program with status 3 after
 * those who asked for it have closed what they can. Sizes are checked for
 * overflow. The memory returned is freed with free().
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* n * size zeroed bytes. */
void *mem_calloc(size_t n, size_t size);
/* size zeroed bytes, that begin with a line of the cache. */
void *mem_calloc_lines(size_t size);
/* ptr (or NULL) resized to n * size bytes; new bytes are not cleared. */
void *mem_realloc(void *ptr, size_t n, size_t size);
/* A copy of len bytes, with a terminating zero added. */
char *mem_strndup(const char *s, size_t len);
char *mem_strdup(const char *s);
/* Takes memory of another allocator; NULL: as if it had been one of these. */
void *mem_must(void *ptr);

/*
 * Room for one more element in a growing array: doubles *cap (from 8) when
 * n == *cap and returns the array, moved or not.
 */
void *mem_grow(void *array, size_t n, size_t *cap, size_t size);

/* Keeps memory aside that is given back when there is no other, so that the
 * acts of the end have some. Called at the program's start. */
void mem_reserve(void);
/*
 * What the program does instead of mem_tell_exhausted() before it ends for want
 * of memory: closes outputs, gives the terminal back. It may be called within
 * any allocation, so it must rely on nothing that is changed around one, and
 * return. NULL: nothing else.
 */
void mem_on_exhausted(void (*last_act)(void *data), void *data);
/* Writes "gpuwl-top: out of memory" to standard error. */
void mem_tell_exhausted(void);
/* There is no memory: the last act, then exit(3). A second time, at once. */
_Noreturn void mem_exhausted(void);

#endif
