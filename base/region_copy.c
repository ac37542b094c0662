/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of regions, by pages, which are packed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/region.h"
#include "base/region_pack.h"
#include "base/region_private.h"

#define PAGE (PACK_WORDS * sizeof(uint64_t))

struct region_copy {
	size_t used;           /* bytes of the region */
	unsigned char *packed; /* its pages, one behind the other */
	size_t n, cap;         /* bytes of them */
	size_t n_pages;        /* that are not zero */
	char *shadow;          /* what AddressSanitizer knows of the bytes */
};

void
give_back(void *at, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = ((uintptr_t)at + page - 1) / page * page;
	uintptr_t to = ((uintptr_t)at + size) / page * page;

	if (from < to)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

/* Copying bytes that may be forbidden: not by functions that are checked. */

NO_ASAN static void
copy_region_words(uint64_t *to, const uint64_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
}

#ifdef GPUWL_SANITIZERS

static char *
shadow_of(const void *at)
{
	size_t scale, offset;

	__asan_get_shadow_mapping(&scale, &offset);
	return (char *)(((uintptr_t)at >> scale) + offset);
}

NO_ASAN static void
copy_shadow(char *to, const char *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = from[i];
}

static char *
save_shadow(const struct region *r)
{
	char *copy = mem_calloc(1, r->used / 8 + 1);

	copy_shadow(copy, shadow_of(r), r->used / 8);
	return copy;
}

static void
restore_shadow(struct region *r, const struct region_copy *copy)
{
	copy_shadow(shadow_of(r), copy->shadow, copy->used / 8);
}

#else

static char *
save_shadow(const struct region *r)
{
	(void)r;
	return NULL;
}

static void
restore_shadow(struct region *r, const struct region_copy *copy)
{
	(void)r;
	(void)copy;
}

#endif

/* Returns the words of the page at that offset, of a region of used bytes. */
static size_t
words_at(size_t used, size_t offset)
{
	return (used - offset < PAGE ? used - offset : PAGE) / sizeof(uint64_t);
}

static void
save_page(
    struct region_copy *copy, const void *from, size_t n, unsigned *stride)
{
	uint64_t words[PACK_WORDS];
	size_t size;

	copy_region_words(words, from, n);
	while (copy->cap < copy->n + PACK_MOST)
		copy->packed = mem_grow(copy->packed, copy->cap, &copy->cap, 1);
	size = pack_page(words, n, stride, copy->packed + copy->n);
	copy->n += size;
	copy->n_pages += size > 1;
}

struct region_copy *
region_save(const struct region *r)
{
	struct region_copy *copy = mem_calloc(1, sizeof *copy);
	unsigned stride = 0;

	copy->used = r->used;
	copy->cap = r->used / 4 + PACK_MOST;
	copy->packed = mem_realloc(NULL, copy->cap, 1);
	for (size_t at = 0; at < r->used; at += PAGE)
		save_page(
		    copy, (const char *)r + at, words_at(r->used, at), &stride);
	copy->cap = copy->n + sizeof(uint64_t);
	copy->packed = mem_realloc(copy->packed, copy->cap, 1);
	memset(copy->packed + copy->n, 0, sizeof(uint64_t));
	copy->shadow = save_shadow(r);
	return copy;
}

/* Makes the bytes beyond end zero, as if they had never been used. */
static void
forget(struct region *r, size_t end)
{
	size_t part = -end % PAGE;

	/* With the header behind the last block, which is forbidden, too. */
	allow((char *)r + end, r->used - end + sizeof(uint64_t));
	if (part > r->used - end)
		part = r->used - end;
	memset((char *)r + end, 0, part);
	if (r->used - end > part)
		madvise((char *)r + end + part, r->usable - end - part,
		    MADV_DONTNEED);
}

void
region_restore(struct region *r, const struct region_copy *copy)
{
	const unsigned char *from = copy->packed;
	size_t usable = r->usable;
	uint64_t words[PACK_WORDS];

	if (r->used > copy->used)
		forget(r, copy->used);
	for (size_t at = 0; at < copy->used; at += PAGE) {
		size_t n = words_at(copy->used, at);

		from += unpack_page(from, words, n);
		copy_region_words((void *)((char *)r + at), words, n);
	}
	r->usable = usable;
	restore_shadow(r, copy);
}

size_t
region_copy_size(const struct region_copy *copy)
{
	return copy->cap;
}

size_t
region_copy_pages(const struct region_copy *copy)
{
	return copy->n_pages;
}

/* How much of the region is usable is not part of what it holds. */
static void
forget_usable(uint64_t *first_page)
{
	first_page[offsetof(struct region, usable) / sizeof(uint64_t)] = 0;
}

bool
region_copies_are_same(const struct region_copy *a, const struct region_copy *b)
{
	const unsigned char *x = a->packed, *y = b->packed;
	uint64_t first[PACK_WORDS], second[PACK_WORDS];

	if (a->used != b->used)
		return false;
	for (size_t at = 0; at < a->used; at += PAGE) {
		size_t n = words_at(a->used, at);

		x += unpack_page(x, first, n);
		y += unpack_page(y, second, n);
		if (at == 0) {
			forget_usable(first);
			forget_usable(second);
		}
		if (memcmp(first, second, n * sizeof *first) != 0)
			return false;
	}
	return true;
}

void
region_copy_free(struct region_copy *copy)
{
	if (copy == NULL)
		return;
	free(copy->packed);
	free(copy->shadow);
	free(copy);
}
