/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See chains.h. */
#include "base/chains.h"

#include <stdlib.h>

#include "base/mem.h"

static size_t
place(const struct chains *t, const void *p, uint64_t n)
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
	node = t->heads[place(t, p, n)];
	while (node != NULL && (node->p != p || node->n != n))
		node = node->next;
	return node;
}

static void
put(struct chains *t, struct chain_node *node)
{
	struct chain_node **at = &t->heads[place(t, node->p, node->n)];

	node->next = *at;
	*at = node;
}

static void
grow(struct chains *t)
{
	struct chains bigger = {.cap = t->cap > 0 ? t->cap * 2 : 64};

	bigger.heads = mem_calloc(bigger.cap, sizeof(*bigger.heads));
	for (size_t i = 0; i < t->cap; i++) {
		while (t->heads[i] != NULL) {
			struct chain_node *node = t->heads[i];

			t->heads[i] = node->next;
			put(&bigger, node);
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
		grow(t);
	t->n++;
	put(t, node);
}

void
chains_remove(struct chains *t, struct chain_node *node)
{
	struct chain_node **at = &t->heads[place(t, node->p, node->n)];

	while (*at != node)
		at = &(*at)->next;
	*at = node->next;
	t->n--;
}

void
chains_sweep(struct chains *t,
    int (*match)(const struct chain_node *node, const void *with),
    const void *with, void (*gone)(struct chain_node *node))
{
	for (size_t i = 0; i < t->cap; i++) {
		struct chain_node **at = &t->heads[i];

		while (*at != NULL) {
			struct chain_node *node = *at;

			if (!match(node, with)) {
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
chains_sweep_some(struct chains *t, size_t *at,
    int (*match)(const struct chain_node *node, const void *with),
    const void *with, void (*gone)(struct chain_node *node))
{
	if (t->n < SWEEP_FROM || t->n < *at)
		return;
	chains_sweep(t, match, with, gone);
	*at = 2 * t->n;
}
