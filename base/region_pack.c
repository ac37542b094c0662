/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packing of pages. Most of a large region are arrays of records whose numbers
 * grow a little from one to the next, so a word is written as its difference to
 * the word one record before, in as many bytes as it needs. The length of a
 * record is found by trying.
 *
 * A page is: the words of a record (1 byte); the bytes of each difference (4 bits);
 * the differences, which have the sign in the lowest bit. A page of zeroes is one
 * byte.
 */
#include "base/region_pack.h"

#include <endian.h>
#include <string.h>

#define ZEROES 255
/* Words of a record, at most. */
#define STRIDE_MOST 48
/* Words that are looked at to find the length of a record. */
#define SAMPLE 96
/* Bytes of a page, of n words, that is packed well enough. */
#define GOOD(n) ((n) * sizeof(uint64_t) / 3)

static uint64_t
fold_difference(uint64_t difference)
{
	return difference << 1 ^ -(difference >> 63);
}

static uint64_t
unfold_difference(uint64_t folded)
{
	return folded >> 1 ^ -(folded & 1);
}

static unsigned
bytes_of_word(uint64_t word)
{
	return word == 0 ? 0 : (71 - (unsigned)__builtin_clzll(word)) / 8;
}

/* Returns how a word is written. */
static uint64_t
word_to_write(const uint64_t *words, size_t i, unsigned stride)
{
	return fold_difference(
	    words[i] - (i >= stride ? words[i - stride] : 0));
}

/* Returns the bytes that a sample of the page takes. */
static size_t
cost_of_stride(const uint64_t *words, size_t n, unsigned stride)
{
	size_t from = n / 2, to = n < from + SAMPLE ? n : from + SAMPLE;
	size_t cost = 0;

	for (size_t i = from; i < to; i++)
		cost += bytes_of_word(word_to_write(words, i, stride));
	return cost;
}

static unsigned
find_stride(const uint64_t *words, size_t n)
{
	unsigned found = 1;
	size_t least = SIZE_MAX;

	for (unsigned stride = 1; stride <= STRIDE_MOST; stride++) {
		size_t cost = cost_of_stride(words, n, stride);

		if (cost < least) {
			least = cost;
			found = stride;
		}
	}
	return found;
}

static size_t
pack_by(const uint64_t *words, size_t n, unsigned stride, unsigned char *out)
{
	unsigned char *lengths = out + 1, *at = lengths + (n + 1) / 2;

	*out = (unsigned char)stride;
	memset(lengths, 0, (n + 1) / 2);
	for (size_t i = 0; i < n; i++) {
		uint64_t word = word_to_write(words, i, stride);
		unsigned bytes = bytes_of_word(word);

		lengths[i / 2] |= (unsigned char)(bytes << (i % 2 * 4));
		word = htole64(word);
		memcpy(
		    at, &word, sizeof word); /* the next one writes over it */
		at += bytes;
	}
	return (size_t)(at - out);
}

static bool
are_zeroes(const uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (words[i] != 0)
			return false;
	return true;
}

size_t
pack_page(const uint64_t *words, size_t n, unsigned *stride, unsigned char *out)
{
	size_t size;
	unsigned found;

	if (are_zeroes(words, n)) {
		*out = ZEROES;
		return 1;
	}
	if (*stride == 0)
		*stride = find_stride(words, n);
	size = pack_by(words, n, *stride, out);
	if (size <= GOOD(n))
		return size;
	found = find_stride(words, n);
	if (found == *stride)
		return size;
	*stride = found;
	return pack_by(words, n, found, out);
}

static uint64_t
unpack_word(const unsigned char *at, unsigned bytes)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	word = le64toh(word);
	return bytes == 0 ? 0 : word << (64 - 8 * bytes) >> (64 - 8 * bytes);
}

size_t
unpack_page(const unsigned char *from, uint64_t *words, size_t n)
{
	const unsigned char *lengths = from + 1, *at = lengths + (n + 1) / 2;
	unsigned stride = *from;

	if (stride == ZEROES) {
		memset(words, 0, n * sizeof *words);
		return 1;
	}
	for (size_t i = 0; i < n; i++) {
		unsigned bytes = lengths[i / 2] >> (i % 2 * 4) & 0xf;

		words[i] = unfold_difference(unpack_word(at, bytes)) +
		    (i >= stride ? words[i - stride] : 0);
		at += bytes;
	}
	return (size_t)(at - from);
}
