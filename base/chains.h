/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Things by a pointer and a number: chains by their hash. */
#ifndef BASE_CHAINS_H
#define BASE_CHAINS_H

#include <stddef.h>
#include <stdint.h>

/* At the beginning of what is kept. */
struct chain_node {
	struct chain_node *next;
	const void *p;
	uint64_t n;
};

struct chains {
	struct chain_node **heads;
	size_t n, cap; /* cap: a power of two, or 0 */
};

/* The nodes are the caller's. */
void chains_free(struct chains *t);
struct chain_node *chains_find(
    const struct chains *t, const void *p, uint64_t n);
/* That is not in it yet. */
void chains_add(struct chains *t, struct chain_node *node);
/* That is in it. */
void chains_remove(struct chains *t, struct chain_node *node);
/* Takes all of them out that match says, and gives them to gone. */
void chains_sweep(struct chains *t,
    int (*match)(const struct chain_node *node, const void *with),
    const void *with, void (*gone)(struct chain_node *node));
/* The same, once there are as many as *at, which is set to what to wait for
 * then: twice as many as are left. Before one is added, that is little work
 * for each. */
void chains_sweep_some(struct chains *t, size_t *at,
    int (*match)(const struct chain_node *node, const void *with),
    const void *with, void (*gone)(struct chain_node *node));

#endif
