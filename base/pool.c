/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/pool.h"

#include <stdlib.h>

#include "base/mem.h"

#define SLAB_BYTES 16384
#define LINE       64 /* of the cache */

void
pool_init(struct pool *pool, size_t size)
{
	size_t lines = (size + LINE - 1) / LINE * LINE;

	*pool = (struct pool){.size = lines - size <= size / 16 ? lines : size};
}

void
pool_free(struct pool *pool)
{
	for (size_t i = 0; i < pool->n_slabs; i++)
		free(pool->slabs[i]);
	free(pool->slabs);
	*pool = (struct pool){0};
}

void
pool_grow(struct pool *pool)
{
	size_t n = SLAB_BYTES / pool->size;
	char *slab = mem_calloc_lines(n * pool->size);

	pool->slabs = mem_grow(
	    pool->slabs, pool->n_slabs, &pool->cap_slabs, sizeof *pool->slabs);
	pool->slabs[pool->n_slabs++] = slab;
	for (size_t i = n; i-- > 0;)
		pool_put(pool, slab + i * pool->size);
}
