/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regions: a reservation of addresses, whose memory becomes usable as it grows,
 * with lists of freed blocks by size. region_copy.c saves them and puts them
 * back.
 */
#include "base/region.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "base/region_private.h"

#define RESERVE_MOST  ((size_t)64 << 30) /* bytes of addresses */
#define RESERVE_LEAST ((size_t)16 << 20)
#define STEP          ((size_t)1 << 20) /* usable memory grows by it at least */
#define GIVE_BACK     ((size_t)256 << 10) /* of freed blocks from that size on */
#define CACHE_LINE    64
#define SLAB_BYTES    16384

/*
 * A block is a header, then the bytes of its user, which are aligned to GRAIN.
 * The header has the block's offset in the region and its class of sizes.
 */
#define GRAIN  16
#define HEADER sizeof(uint64_t)
#define FINE   64 /* classes of one grain, two, ...; then four for each octave */

/* Sizes. */

/* Returns the class of blocks of that many grains. */
static unsigned
size_class_of(size_t grains)
{
	unsigned shift;

	if (grains <= FINE)
		return (unsigned)grains - 1;
	shift = 61 - (unsigned)__builtin_clzll(grains - 1);
	return FINE + 4 * (shift - 4) + (unsigned)((grains - 1) >> shift) - 4;
}

/* Returns the bytes of the blocks of a class, header included. */
static size_t
class_size(unsigned class)
{
	unsigned shift = (class - FINE) / 4 + 4;

	if (class < FINE)
		return ((size_t) class + 1) * GRAIN;
	return ((size_t)((class - FINE) % 4 + 5) << shift) * GRAIN;
}

/* Returns the class of blocks for n * size bytes. */
static unsigned
class_for(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > RESERVE_MOST)
		mem_exhausted();
	return size_class_of((bytes + HEADER + GRAIN - 1) / GRAIN);
}

/* Headers, which sanitizers protect. */

NO_ASAN static void
set_header(const struct region *r, void *block, unsigned class)
{
	uint64_t offset = (uint64_t)((char *)block - (const char *)r);

	((uint64_t *)block)[-1] = offset << 8 | class;
}

NO_ASAN static uint64_t
header_of(const void *block)
{
	return ((const uint64_t *)block)[-1];
}

static unsigned
class_of_block(const void *block)
{
	return header_of(block) & 0xff;
}

static struct region *
region_of(void *block)
{
	return (
	    struct region *)(void *)((char *)block - (header_of(block) >> 8));
}

/* The memory itself. */

static void *
reserve_addresses(size_t size)
{
	return mmap(NULL, size, PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* Reserves as many addresses as are of use; where the limits of the process allow
 * fewer, half of those, as copies need some too. */
static struct region *
reserve(size_t *size)
{
	char *at;

	for (*size = RESERVE_MOST; *size >= RESERVE_LEAST; *size /= 2) {
		at = reserve_addresses(*size);
		if (at == MAP_FAILED)
			continue;
		if (*size == RESERVE_MOST || *size / 2 < RESERVE_LEAST)
			return (struct region *)(void *)at;
		*size /= 2;
		munmap(at + *size, *size);
		return (struct region *)(void *)at;
	}
	mem_exhausted();
}

/* Makes the region usable up to end, and some more. */
static size_t
make_usable(void *start, size_t usable, size_t reserved, size_t end)
{
	size_t more = end / 8 > STEP ? end / 8 : STEP;
	size_t to = (end + more) / STEP * STEP;

	if (end > reserved)
		mem_exhausted();
	if (to > reserved)
		to = reserved;
	if (mprotect((char *)start + usable, to - usable,
		PROT_READ | PROT_WRITE) != 0)
		mem_exhausted();
	return to;
}

/* Returns size bytes at the end of the used ones, which were never used. */
static void *
extend(struct region *r, size_t size)
{
	char *at = (char *)r + r->used;

	if (size > r->usable - r->used)
		r->usable = make_usable(
		    r, r->usable, r->reserved, r->used + size);
	r->used += size;
	return at;
}

struct region *
region_new(void)
{
	size_t reserved;
	struct region *r = reserve(&reserved);
	size_t usable = make_usable(r, 0, reserved, sizeof *r);

	r->reserved = reserved;
	r->usable = usable;
	/* Headers are before an address that is aligned to a grain. */
	r->used = (sizeof *r + GRAIN - 1) / GRAIN * GRAIN + GRAIN - HEADER;
	region_watch(r);
	return r;
}

void
region_free(struct region *r)
{
	if (r == NULL)
		return;
	region_unwatch(r);
	munmap(r, r->reserved);
}

size_t
region_used(const struct region *r)
{
	return r->used;
}

/* Blocks. */

static void *
new_block(struct region *r, unsigned class)
{
	void *block = (char *)extend(r, class_size(class)) + HEADER;

	set_header(r, block, class);
	return block;
}

/* Takes the first freed block of a class; NULL: there is none. */
static void *
reuse_block(struct region *r, unsigned class)
{
	void **block = r->free[class];

	if (block == NULL)
		return NULL;
	allow(block, class_size(class) - HEADER);
	r->free[class] = *block;
	return block;
}

/* Lets the user have size bytes of a block and no more. */
static void
limit_block(void *block, unsigned class, size_t size)
{
	/* Up to the bytes of the next block, beyond its header. */
	forbid(block, class_size(class));
	forbid((char *)block - HEADER, HEADER);
	allow(block, size);
}

void *
region_alloc(struct region *r, size_t n, size_t size)
{
	unsigned class;
	void *block;

	if (r == NULL)
		return mem_calloc(n, size);
	class = class_for(n, size);
	block = reuse_block(r, class);
	if (block != NULL)
		memset(block, 0, n * size);
	else
		block = new_block(r, class);
	limit_block(block, class, n * size);
	return block;
}

char *
region_strdup(struct region *r, const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(region_alloc(r, 1, size), s, size);
}

void
region_put(void *block)
{
	unsigned class;
	struct region *r;
	size_t size;

	if (block == NULL)
		return;
	class = class_of_block(block);
	r = region_of(block);
	size = class_size(class) - HEADER;
	allow(block, size);
	if (size >= GIVE_BACK)
		give_back(
		    (char *)block + sizeof(void *), size - sizeof(void *));
	*(void **)block = r->free[class];
	r->free[class] = block;
	forbid(block, size);
}

/* Makes the last block of the region larger. False: it is not the last. */
static bool
enlarge(struct region *r, void *block, unsigned from, unsigned to)
{
	size_t more = class_size(to) - class_size(from);

	if ((char *)block - HEADER + class_size(from) != (char *)r + r->used)
		return false;
	extend(r, more);
	set_header(r, block, to);
	return true;
}

void *
region_resize(struct region *r, void *block, size_t n, size_t size)
{
	unsigned from, to;
	size_t room;
	void *moved;

	if (r == NULL)
		return mem_realloc(block, n, size);
	if (block == NULL)
		return region_alloc(r, n, size);
	from = class_of_block(block);
	to = class_for(n, size);
	if (to <= from || enlarge(r, block, from, to)) {
		limit_block(block, to > from ? to : from, n * size);
		return block;
	}
	moved = region_alloc(r, n, size);
	room = class_size(from) - HEADER;
	allow(block, room);
	memcpy(moved, block, room < n * size ? room : n * size);
	region_put(block);
	return moved;
}

void *
region_grow_more(
    struct region *r, void *array, size_t n, size_t *cap, size_t size)
{
	unsigned class;

	if (r == NULL)
		return mem_grow(array, n, cap, size);
	if (*cap > SIZE_MAX / 2)
		mem_exhausted();
	array = region_resize(r, array, *cap ? *cap * 2 : 8, size);
	class = class_of_block(array);
	*cap = (class_size(class) - HEADER) / size; /* all of the block */
	limit_block(array, class, *cap * size);
	return array;
}

/* Pools. */

void
pool_init(struct pool *pool, struct region *region, size_t size)
{
	size_t lines = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;

	*pool = (struct pool){
	    .region = region,
	    .size = lines - size <= size / 16 ? lines : size,
	};
}

/* Returns size bytes, aligned to a cache line, that are never freed. */
static char *
region_lines(struct region *r, size_t size)
{
	char *at = (char *)r + r->used;
	size_t skip = -(uintptr_t)at % CACHE_LINE;
	size_t lines = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;

	return (char *)extend(r, skip + lines + GRAIN - HEADER) + skip;
}

void
pool_more(struct pool *pool)
{
	size_t n = SLAB_BYTES / pool->size;
	char *slab;

	n += n == 0;
	slab = region_lines(pool->region, n * pool->size);
	for (size_t i = n; i-- > 0;)
		pool_put(pool, slab + i * pool->size);
}
