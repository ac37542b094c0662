/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small tools that C lacks. */
#ifndef BASE_UTIL_H
#define BASE_UTIL_H

#include <stddef.h>

/* The struct of that type whose member ptr points to. */
#define container_of(ptr, type, member)                                        \
	((type *)(void *)((char *)(ptr)-offsetof(type, member)))

/*
 * The least i from first on, below end, for which is_before, an expression in i,
 * is false; end if there is none. is_before must be true for some first i and
 * false for the others, e.g. for an array that is sorted:
 *
 *     lower_bound(i, 0, n, array[i].key < key)
 */
#define lower_bound(i, first, end, is_before)                                  \
	({                                                                     \
		size_t low_ = (first), high_ = (end);                          \
                                                                               \
		while (low_ < high_) {                                         \
			size_t i = low_ + (high_ - low_) / 2;                  \
                                                                               \
			if (is_before)                                         \
				low_ = (i) + 1;                                \
			else                                                   \
				high_ = (i);                                   \
		}                                                              \
		low_;                                                          \
	})

#endif
