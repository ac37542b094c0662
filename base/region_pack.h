/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to base/region_copy.c: pages of copies, packed. */
#ifndef BASE_REGION_PACK_H
#define BASE_REGION_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACK_WORDS 512 /* of a page, at most */
/* Bytes that a packed page takes at most, with those that are written, and read,
 * beyond its end. */
#define PACK_MOST (1 + PACK_WORDS / 2 + (PACK_WORDS + 1) * 8)

/* Packs n words into out, which has room for PACK_MOST bytes. *stride: the length
 * of a record in the page before, 0 at first. Returns the bytes used. */
size_t pack_page(
    const uint64_t *words, size_t n, unsigned *stride, unsigned char *out);
/* Unpacks a page of n words. Returns the bytes that it took; 8 more must be
 * readable. */
size_t unpack_page(const unsigned char *from, uint64_t *words, size_t n);

#endif
