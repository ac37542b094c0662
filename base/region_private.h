/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to base/region.c and region_copy.c: the state of a region, at its
 * start, and what sanitizers learn of it.
 */
#ifndef BASE_REGION_PRIVATE_H
#define BASE_REGION_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef GPUWL_SANITIZERS
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#define NO_ASAN __attribute__((no_sanitize("address"), noinline))
#else
#define NO_ASAN
#endif

#define N_SIZE_CLASSES 192 /* up to 64 GiB */

struct region {
	size_t reserved;            /* bytes of addresses from here on */
	size_t usable;              /* bytes that are memory */
	size_t used;                /* bytes; beyond them all is zero */
	void *free[N_SIZE_CLASSES]; /* by class: blocks, linked */
};

/* Returns the memory of whole pages between at and at + size to the system:
 * they are zero then. */
void give_back(void *at, size_t size);

#ifdef GPUWL_SANITIZERS

/* Makes bytes accessible, or not. */
static inline void
allow(void *at, size_t size)
{
	ASAN_UNPOISON_MEMORY_REGION(at, size);
}

static inline void
forbid(void *at, size_t size)
{
	ASAN_POISON_MEMORY_REGION(at, size);
}

/* Lets the leak checker look for pointers in the region. */
static inline void
region_watch(const struct region *r)
{
	__lsan_register_root_region(r, r->reserved);
}

static inline void
region_unwatch(struct region *r)
{
	__lsan_unregister_root_region(r, r->reserved);
	allow(r, r->usable);
}

#else

static inline void
allow(void *at, size_t size)
{
	(void)at;
	(void)size;
}

static inline void
forbid(void *at, size_t size)
{
	(void)at;
	(void)size;
}

static inline void
region_watch(const struct region *r)
{
	(void)r;
}

static inline void
region_unwatch(struct region *r)
{
	(void)r;
}

#endif

#endif
