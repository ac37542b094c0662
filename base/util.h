/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small tools that C lacks. */
#ifndef BASE_UTIL_H
#define BASE_UTIL_H

#include <stdbool.h>
#include <stddef.h>

/* The struct of that type whose member ptr points to. */
#define container_of(ptr, type, member)                                        \
	((type *)(void *)((char *)(ptr)-offsetof(type, member)))

/*
 * Returns the index of the first of n elements, each of size bytes, that does
 * not come before key; n if all do. The elements are sorted: is_before() is
 * true for some first ones, false for the rest.
 */
static inline size_t
lower_bound(const void *key, const void *elements, size_t n, size_t size,
    bool (*is_before)(const void *element, const void *key))
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before((const char *)elements + middle * size, key))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
