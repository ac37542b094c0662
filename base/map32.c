/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing, at most half full. */
#include "base/map32.h"

#include <stdlib.h>

#include "base/mem.h"

struct map32_cell {
	uint32_t key;
	uint32_t value; /* one more; 0: free */
};

static uint32_t
hash(uint32_t key)
{
	key ^= key >> 16;
	key *= 0x7feb352du;
	key ^= key >> 15;
	key *= 0x846ca68bu;
	return key ^ key >> 16;
}

void
map32_free(struct map32 *map)
{
	free(map->cells);
	*map = (struct map32){0};
}

static struct map32_cell *
find(const struct map32 *map, uint32_t key)
{
	size_t i = hash(key) & (map->cap - 1);

	while (map->cells[i].value && map->cells[i].key != key)
		i = (i + 1) & (map->cap - 1);
	return &map->cells[i];
}

uint32_t
map32_get(const struct map32 *map, uint32_t key)
{
	return map->cap ? find(map, key)->value - 1 : MAP32_NONE;
}

static void
grow(struct map32 *map)
{
	struct map32 old = *map;

	map->cap = old.cap ? old.cap * 2 : 16;
	map->cells = mem_calloc(map->cap, sizeof(*map->cells));
	for (size_t i = 0; i < old.cap; i++)
		if (old.cells[i].value)
			*find(map, old.cells[i].key) = old.cells[i];
	free(old.cells);
}

void
map32_add(struct map32 *map, uint32_t key, uint32_t value)
{
	if (map->n * 2 >= map->cap)
		grow(map);
	*find(map, key) = (struct map32_cell){key, value + 1};
	map->n++;
}
