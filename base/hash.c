/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash tables: chains of nodes, and an open-addressed map of numbers, which is
 * at most half full. */
#include "base/hash.h"

#include <stdlib.h>

#include "base/mem.h"

static size_t
chains_place(const struct chains *t, const void *p, uint64_t n)
{
	uint64_t h = ((uint64_t)(uintptr_t)p >> 4) ^
	    n * UINT64_C(0x9e3779b97f4a7c15);

	h *= UINT64_C(0xff51afd7ed558ccd);
	return (size_t)(h >> 32) & (t->cap - 1);
}

void
chains_free(struct chains *t)
{
	free(t->heads);
	*t = (struct chains){0};
}

struct chain_node *
chains_find(const struct chains *t, const void *p, uint64_t n)
{
	struct chain_node *node;

	if (t->cap == 0)
		return NULL;
	node = t->heads[chains_place(t, p, n)];
	while (node != NULL && (node->p != p || node->n != n))
		node = node->next;
	return node;
}

static void
chains_put(struct chains *t, struct chain_node *node)
{
	struct chain_node **at = &t->heads[chains_place(t, node->p, node->n)];

	node->next = *at;
	*at = node;
}

static void
chains_grow(struct chains *t)
{
	struct chains bigger = {.cap = t->cap > 0 ? t->cap * 2 : 64};

	bigger.heads = mem_calloc(bigger.cap, sizeof(*bigger.heads));
	for (size_t i = 0; i < t->cap; i++) {
		while (t->heads[i] != NULL) {
			struct chain_node *node = t->heads[i];

			t->heads[i] = node->next;
			chains_put(&bigger, node);
		}
	}
	free(t->heads);
	t->heads = bigger.heads;
	t->cap = bigger.cap;
}

void
chains_add(struct chains *t, struct chain_node *node)
{
	if (t->n == t->cap)
		chains_grow(t);
	t->n++;
	chains_put(t, node);
}

void
chains_remove(struct chains *t, struct chain_node *node)
{
	struct chain_node **at = &t->heads[chains_place(t, node->p, node->n)];

	while (*at != node)
		at = &(*at)->next;
	*at = node->next;
	t->n--;
}

void
chains_sweep(struct chains *t, chain_match_fn *match, const void *with,
    void (*gone)(struct chain_node *node))
{
	for (size_t i = 0; i < t->cap; i++) {
		struct chain_node **at = &t->heads[i];

		while (*at != NULL) {
			struct chain_node *node = *at;

			if (match != NULL && !match(node, with)) {
				at = &node->next;
				continue;
			}
			*at = node->next;
			t->n--;
			gone(node);
		}
	}
}

#define SWEEP_FROM 1024

void
chains_sweep_some(struct chains *t, size_t *at, chain_match_fn *match,
    const void *with, void (*gone)(struct chain_node *node))
{
	if (t->n < SWEEP_FROM || t->n < *at)
		return;
	chains_sweep(t, match, with, gone);
	*at = 2 * t->n;
}

struct map32_cell {
	uint32_t key;
	uint32_t value; /* plus one; 0: a free cell */
};

static uint32_t
map32_hash(uint32_t key)
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
map32_find(const struct map32 *map, uint32_t key)
{
	size_t i = map32_hash(key) & (map->cap - 1);

	while (map->cells[i].value && map->cells[i].key != key)
		i = (i + 1) & (map->cap - 1);
	return &map->cells[i];
}

uint32_t
map32_get(const struct map32 *map, uint32_t key)
{
	return map->cap ? map32_find(map, key)->value - 1 : MAP32_NONE;
}

static void
map32_grow(struct map32 *map)
{
	struct map32 old = *map;

	map->cap = old.cap ? old.cap * 2 : 16;
	map->cells = mem_calloc(map->cap, sizeof(*map->cells));
	for (size_t i = 0; i < old.cap; i++)
		if (old.cells[i].value)
			*map32_find(map, old.cells[i].key) = old.cells[i];
	free(old.cells);
}

void
map32_add(struct map32 *map, uint32_t key, uint32_t value)
{
	if (map->n * 2 >= map->cap)
		map32_grow(map);
	*map32_find(map, key) = (struct map32_cell){key, value + 1};
	map->n++;
}
