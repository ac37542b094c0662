/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions: their blocks, and copies that are put back. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/region.h"
#include "base/region_pack.h"
#include "tests/runner/test.h"

#define N_BLOCKS 300

static void
check_bytes(const unsigned char *block, size_t size, unsigned char value)
{
	for (size_t i = 0; i < size; i++)
		assert_int_equal(block[i], value);
}

/* Blocks of all sizes, at random: zeroed, aligned, apart from each other. */
TEST(blocks)
{
	struct region *r = region_new();
	unsigned char *blocks[N_BLOCKS] = {NULL};
	size_t sizes[N_BLOCKS] = {0};

	srand(1);
	for (unsigned n = 0; n < 20000; n++) {
		unsigned i = (unsigned)rand() % N_BLOCKS;
		size_t size = (size_t)rand() % ((size_t)8 << rand() % 12);

		if (blocks[i] == NULL) {
			blocks[i] = region_alloc(r, 1, size);
			check_bytes(blocks[i], size, 0);
		} else {
			check_bytes(blocks[i], sizes[i], (unsigned char)i);
			if (rand() % 2 == 0) {
				region_put(blocks[i]);
				blocks[i] = NULL;
				continue;
			}
			blocks[i] = region_resize(r, blocks[i], 1, size);
			check_bytes(blocks[i],
			    size < sizes[i] ? size : sizes[i],
			    (unsigned char)i);
		}
		assert_int_equal((uintptr_t)blocks[i] % 16, 0);
		memset(blocks[i], (int)i, size);
		sizes[i] = size;
	}
	/* Freed blocks were used again. */
	assert_true(region_used(r) < 8000000);
	region_free(r);
}

TEST(large)
{
	struct region *r = region_new();
	size_t size = (size_t)40 << 20, used;
	char *a = region_alloc(r, 1, size), *b;

	a[0] = a[size - 1] = 1;
	/* The last block grows where it is. */
	assert_ptr_equal(region_resize(r, a, 2, size), a);
	used = region_used(r);
	region_put(a);
	b = region_alloc(r, 2, size);
	assert_ptr_equal(a, b);
	check_bytes((unsigned char *)b, 4096, 0);
	assert_int_equal(b[size - 1], 0);
	assert_int_equal(region_used(r), used);
	region_free(r);
}

TEST(copy)
{
	struct region *r = region_new();
	char **list = region_alloc(r, 100, sizeof *list);
	struct region_copy *copy;
	size_t used;
	char *then;

	for (unsigned i = 0; i < 100; i++)
		list[i] = region_strdup(r, "then");
	used = region_used(r);
	copy = region_save(r);
	then = list[50];
	for (unsigned i = 0; i < 100; i += 2)
		region_put(list[i]);
	for (unsigned i = 0; i < 100; i++) {
		list[i] = region_alloc(r, i, 1000);
		memset(list[i], 'x', i * 1000);
	}
	region_restore(r, copy);
	assert_int_equal(region_used(r), used);
	assert_ptr_equal(list[50], then);
	for (unsigned i = 0; i < 100; i++)
		assert_string_equal(list[i], "then");
	/* Memory beyond it is as if it had never been used. */
	check_bytes(region_alloc(r, 1, 3000000), 3000000, 0);
	region_restore(r, copy);
	assert_true(region_copy_size(copy) <= 3 * 4096);
	region_copy_free(copy);
	region_put(list[50]);
	region_free(r);
}

TEST(pool)
{
	struct region *r = region_new();
	struct pool pool;
	void *items[1000];

	pool_init(&pool, r, 128);
	for (unsigned i = 0; i < 1000; i++) {
		items[i] = pool_get(&pool);
		assert_int_equal((uintptr_t)items[i] % 64, 0);
		memset(items[i], 1, 128);
	}
	pool_put(&pool, items[7]);
	assert_ptr_equal(pool_get(&pool), items[7]);
	/* An item larger than the usual number of bytes of items. */
	pool_init(&pool, r, 20000);
	memset(pool_get(&pool), 1, 20000);
	region_free(r);
}

/* Packs a page, and expects it back. Returns the bytes that it took. */
static size_t
pack_and_unpack(const uint64_t *words, size_t n, unsigned *stride)
{
	unsigned char packed[PACK_MOST];
	uint64_t back[PACK_WORDS];
	size_t size;

	memset(packed, 0xa5, sizeof packed);
	size = pack_page(words, n, stride, packed);
	assert_true(size + 8 <= sizeof packed);
	memset(back, 0x5a, sizeof back);
	assert_int_equal(unpack_page(packed, back, n), size);
	assert_memory_equal(back, words, n * sizeof *words);
	return size;
}

/* Any words come back; records whose numbers grow take a fraction. */
TEST(pack)
{
	uint64_t words[PACK_WORDS] = {0}, lot = 1;
	unsigned stride = 0;

	assert_int_equal(pack_and_unpack(words, PACK_WORDS, &stride), 1);
	for (unsigned round = 0; round < 200; round++) {
		size_t n = round % 3 == 0 ? 1 + lot % PACK_WORDS : PACK_WORDS;

		for (size_t i = 0; i < n; i++) {
			lot = lot * 6364136223846793005u + 1442695040888963407u;
			words[i] = round % 2 == 0 ? lot : lot >> (lot >> 58);
			if (lot >> 32 & 1)
				words[i] = round % 5 == 0 ? UINT64_MAX : 0;
		}
		pack_and_unpack(words, n, &stride);
	}
	for (size_t i = 0; i < PACK_WORDS; i++)
		words[i] = i % 25 == 24
		    ? UINT64_MAX
		    : (i % 25) << 40 | (i / 25) * (1000 + i % 25);
	assert_true(pack_and_unpack(words, PACK_WORDS, &stride) <
	    PACK_WORDS * sizeof *words / 2);
	assert_int_equal(stride, 25);
}
