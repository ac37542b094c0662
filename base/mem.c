/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation that succeeds or ends the program. The act at that end is the one
 * thing that is known everywhere: no caller could hand it down. */
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RESERVE       ((size_t)256 << 10)
#define STATUS_FAILED 3

static struct {
	void *reserve;
	void (*last_act)(void *data);
	void *data;
	bool ending;
} state;

void
mem_reserve(void)
{
	if (!state.reserve)
		state.reserve = malloc(RESERVE);
}

void
mem_on_exhausted(void (*last_act)(void *data), void *data)
{
	state.last_act = last_act;
	state.data = data;
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
	if (state.ending)
		_exit(STATUS_FAILED);
	state.ending = true;
	free(state.reserve);
	if (state.last_act)
		state.last_act(state.data);
	else
		mem_tell_exhausted();
	exit(STATUS_FAILED);
}

void *
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
mem_calloc_lines(size_t size)
{
	void *ptr = mem_must(aligned_alloc(64, (size + 63) / 64 * 64));

	return memset(ptr, 0, size);
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
	/* The array is as it was if there is no memory. */
	array = mem_realloc(array, *cap ? *cap * 2 : 8, size);
	*cap = *cap ? *cap * 2 : 8;
	return array;
}
