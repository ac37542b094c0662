/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two hash tables. struct chains finds nodes, which are part of the caller's
 * items, by a pointer and a number. struct map32 maps numbers to numbers.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The first member of an item. The caller sets p and n, the key. */
struct chain_node {
	struct chain_node *next;
	const void *p;
	uint64_t n;
};

/* All zero: empty. The caller owns the nodes. */
struct chains {
	struct chain_node **heads;
	size_t n, cap; /* cap: a power of two, or 0 */
};

typedef int chain_match_fn(const struct chain_node *node, const void *with);

void chains_free(struct chains *t);
/* Returns the node with that key, else NULL. */
struct chain_node *chains_find(
    const struct chains *t, const void *p, uint64_t n);
/* Adds a node. No node with the same key may be in the table. */
void chains_add(struct chains *t, struct chain_node *node);
/* Removes a node that is in the table. */
void chains_remove(struct chains *t, struct chain_node *node);
/* Removes every node for which match returns non-zero (NULL: all nodes), then
 * passes it to gone. */
void chains_sweep(struct chains *t, chain_match_fn *match, const void *with,
    void (*gone)(struct chain_node *node));
/*
 * Sweeps only when the table has at least *at nodes (and at least 1024), then
 * sets *at to twice the nodes left. Called before each chains_add(), it keeps
 * the cost of sweeping constant per node.
 */
void chains_sweep_some(struct chains *t, size_t *at, chain_match_fn *match,
    const void *with, void (*gone)(struct chain_node *node));

#define MAP32_NONE UINT32_MAX

/* All zero: empty. */
struct map32 {
	struct map32_cell *cells;
	size_t n, cap; /* cap: a power of two, or 0 */
};

void map32_free(struct map32 *map);
/* Returns the value of key, else MAP32_NONE. */
uint32_t map32_get(const struct map32 *map, uint32_t key);
/* Adds a key that is not in the map. value: less than MAP32_NONE. */
void map32_add(struct map32 *map, uint32_t key, uint32_t value);

#endif
