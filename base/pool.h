/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Items of one size, taken and given back quickly. Memory goes back to the
 * system at the end only, so an item that was given back can still be looked
 * at; only its first word (a pointer) is the pool's meanwhile.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

struct pool {
	size_t size; /* of an item */
	void *free;
	void **slabs;
	size_t n_slabs, cap_slabs;
};

/* size: of an item, in bytes, a pointer's at least. */
void pool_init(struct pool *pool, size_t size);
/* With all items, given back or not. */
void pool_free(struct pool *pool);
void pool_grow(struct pool *pool); /* for pool_get() */

/* Not cleared. */
static inline void *
pool_get(struct pool *pool)
{
	void **item;

	if (pool->free == NULL)
		pool_grow(pool);
	item = pool->free;
	pool->free = *item;
	return item;
}

static inline void
pool_put(struct pool *pool, void *item)
{
	*(void **)item = pool->free;
	pool->free = item;
}

#endif
