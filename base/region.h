/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A region: memory that is saved and put back as a whole. It is one range of
 * addresses, reserved when it is made; the range is used from its start on, and
 * all of the region's own state is in it. So a copy of the used bytes, put back
 * at the same addresses, is the region of then: blocks that were freed since are
 * there again, those allocated since are gone, and all pointers between blocks
 * are right.
 *
 * Allocation never returns NULL: as in base/mem.h. Freed blocks are used again
 * for sizes like theirs. Builds with AddressSanitizer know which are in use.
 */
#ifndef BASE_REGION_H
#define BASE_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct region;

/* The caller frees it with region_free(). */
struct region *region_new(void);
/* Frees all of its memory at once. NULL is allowed. */
void region_free(struct region *r);

/* Return a block, aligned to 16 bytes, for region_put(): n * size zeroed bytes,
 * or a copy of s. r NULL: from base/mem.h, for free(). */
void *region_alloc(struct region *r, size_t n, size_t size);
char *region_strdup(struct region *r, const char *s);
/* Resizes a block (NULL: allocates one) to n * size bytes; new bytes are not
 * cleared. */
void *region_resize(struct region *r, void *block, size_t n, size_t size);
/* Makes room. For region_grow() only. */
void *region_grow_more(
    struct region *r, void *array, size_t n, size_t *cap, size_t size);
/* As mem_grow(), for a block. */
static inline void *
region_grow(struct region *r, void *array, size_t n, size_t *cap, size_t size)
{
	return n < *cap ? array : region_grow_more(r, array, n, cap, size);
}
/* Frees a block of any region; NULL is allowed. */
void region_put(void *block);

/* Returns the bytes in use, from the address r on: blocks, freed ones, and the
 * state of the region. */
size_t region_used(const struct region *r);

/* Copies the region. The caller frees the copy with region_copy_free(). */
struct region_copy *region_save(const struct region *r);
/* Puts the copy back, of which there may be others. */
void region_restore(struct region *r, const struct region_copy *copy);
/* Returns the bytes of memory that a copy takes, which is packed, and the pages of
 * 4096 bytes that it has of the region, without those of zeroes. */
size_t region_copy_size(const struct region_copy *copy);
size_t region_copy_pages(const struct region_copy *copy);
/* Returns true if two copies of one region have the same bytes. */
bool region_copies_are_same(
    const struct region_copy *a, const struct region_copy *b);
void region_copy_free(struct region_copy *copy);

/*
 * Items of one size in a region. Memory returns to the system with the region
 * only, so an item that was put back can still be read; the pool uses its first
 * word.
 */
struct pool {
	struct region *region;
	size_t size; /* of an item, bytes */
	void *free;
};

/* size: at least that of a pointer. */
void pool_init(struct pool *pool, struct region *region, size_t size);
/* Adds items. For pool_get() only. */
void pool_more(struct pool *pool);

/* Returns an item; its bytes are not cleared. */
static inline void *
pool_get(struct pool *pool)
{
	void *item;

	if (pool->free == NULL)
		pool_more(pool);
	item = pool->free;
	memcpy(&pool->free, item, sizeof(void *)); /* may be packed */
	return item;
}

static inline void
pool_put(struct pool *pool, void *item)
{
	memcpy(item, &pool->free, sizeof(void *));
	pool->free = item;
}

#endif
