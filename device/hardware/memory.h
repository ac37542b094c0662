/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of the GPU: address spaces, objects at addresses of our own choice, and
 * pages of batches, one for each request in flight (doc/model/libdrm.md
 * "Memory").
 */
#ifndef DEVICE_HARDWARE_MEMORY_H
#define DEVICE_HARDWARE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hardware;
struct text;

struct gpu_object {
	uint32_t handle; /* 0: none */
	uint64_t size, address;
	void *map; /* NULL: not mapped */
};

/* Makes an object of at least size bytes. Its address is its own in all address
 * spaces. False: err says why. */
bool memory_object_new(struct hardware *hw, uint64_t size, bool mapped,
    struct gpu_object *object, struct text *err);
/* Frees it, and sets it to 0. The kernel keeps its memory until its requests
 * have ended. */
void memory_object_free(const struct hardware *hw, struct gpu_object *object);

/* Makes an address space. False: err says why. */
bool memory_space_new(
    const struct hardware *hw, uint32_t *space, struct text *err);
/* The contexts in it keep it. */
void memory_space_free(const struct hardware *hw, uint32_t space);

/* A page: the commands of a batch, then what it stores. */
struct batch_page {
	struct gpu_object object;
	struct batch_page *next; /* in a list of free ones */
};

#define PAGE_BYTES 4096u

/* Pages to be used again; all zero: none. */
struct page_pool {
	struct batch_page *free;
	size_t n_free, n_used;
};

/* Returns a page, whose contents are undefined, for page_give(). NULL: err says
 * why. */
struct batch_page *page_take(
    struct hardware *hw, struct page_pool *pool, struct text *err);
/* The request of the page has ended. */
void page_give(struct page_pool *pool, struct batch_page *page);
/* Frees the pages that are not used. */
void pages_free(const struct hardware *hw, struct page_pool *pool);

#endif
