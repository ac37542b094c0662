/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies of regions, by pages: those that are zero take no memory in a copy,
 * and those that are as in the copy are not written when it is put back.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/region.h"
#include "base/region_private.h"

#define PAGE ((size_t)4096)

struct region_copy {
	size_t used;  /* bytes of the region */
	size_t taken; /* bytes of memory */
	char *pages;
	char *shadow; /* what AddressSanitizer knows of the bytes */
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

NO_ASAN static bool
are_same(const uint64_t *a, const uint64_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

NO_ASAN static bool
is_zero(const uint64_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != 0)
			return false;
	return true;
}

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

struct region_copy *
region_save(const struct region *r)
{
	struct region_copy *copy = mem_calloc(1, sizeof *copy);

	copy->used = r->used;
	copy->pages = mmap(NULL, r->used, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (copy->pages == MAP_FAILED)
		mem_exhausted();
	for (size_t at = 0; at < r->used; at += PAGE) {
		const void *from = (const char *)r + at;
		size_t n = words_at(r->used, at);

		if (is_zero(from, n))
			continue;
		copy_region_words((void *)(copy->pages + at), from, n);
		copy->taken += PAGE;
	}
	copy->shadow = save_shadow(r);
	return copy;
}

/* Makes the bytes beyond end zero, as if they had never been used. */
static void
forget(struct region *r, size_t end)
{
	size_t part = -end % PAGE;

	allow((char *)r + end, r->used - end);
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
	size_t usable = r->usable;

	if (r->used > copy->used)
		forget(r, copy->used);
	for (size_t at = 0; at < copy->used; at += PAGE) {
		const void *from = copy->pages + at;
		void *to = (char *)r + at;
		size_t n = words_at(copy->used, at);

		if (!are_same(to, from, n))
			copy_region_words(to, from, n);
	}
	r->usable = usable;
	restore_shadow(r, copy);
}

size_t
region_copy_size(const struct region_copy *copy)
{
	return copy->taken;
}

void
region_copy_free(struct region_copy *copy)
{
	if (copy == NULL)
		return;
	munmap(copy->pages, copy->used);
	free(copy->shadow);
	free(copy);
}
