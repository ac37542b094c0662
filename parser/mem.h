/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is there or the program is not: each call returns usable
 * memory or aborts (the console gives the terminal back on SIGABRT). Sizes are
 * checked for overflow. What is returned is freed with free().
 */
#ifndef PARSER_MEM_H
#define PARSER_MEM_H

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

/*
 * Room for one more element in a growing array: doubles *cap (from 8) when
 * n == *cap and returns the array, moved or not.
 */
void *mem_grow(void *array, size_t n, size_t *cap, size_t size);

#endif
