/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation that succeeds or aborts. */
#include "parser/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *
must(void *ptr)
{
	if (!ptr)
		abort();
	return ptr;
}

void *
mem_calloc(size_t n, size_t size)
{
	if (!n || !size)
		n = size = 1;
	return must(calloc(n, size));
}

void *
mem_calloc_lines(size_t size)
{
	void *ptr = must(aligned_alloc(64, (size + 63) / 64 * 64));

	return memset(ptr, 0, size);
}

void *
mem_realloc(void *ptr, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		abort();
	return must(realloc(ptr, bytes ? bytes : 1));
}

char *
mem_strndup(const char *s, size_t len)
{
	char *copy;

	if (len == SIZE_MAX)
		abort();
	copy = must(malloc(len + 1));
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
		abort();
	*cap = *cap ? *cap * 2 : 8;
	return mem_realloc(array, *cap, size);
}
