/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash map from numbers to indices, for contexts and working sets. */
#ifndef BASE_MAP32_H
#define BASE_MAP32_H

#include <stddef.h>
#include <stdint.h>

#define MAP32_NONE UINT32_MAX

struct map32 {
	struct map32_cell *cells;
	size_t n, cap; /* cap is a power of two, or 0 */
};

void map32_free(struct map32 *map);
/* MAP32_NONE if key is not there. */
uint32_t map32_get(const struct map32 *map, uint32_t key);
/* key must not be there yet. */
void map32_add(struct map32 *map, uint32_t key, uint32_t value);

#endif
