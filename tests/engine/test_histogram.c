/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms against a sorted array: exact where they are to be exact, within
 * 1/32 else; and what they cost in memory. */
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "engine/histogram.h"
#include "tests/runner/test.h"

#define VALUES 3000

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Values that differ in size by up to that many bits above 32. */
static void
make_values(uint64_t *values, size_t n, unsigned bits, uint64_t seed)
{
	for (size_t i = 0; i < n; i++) {
		unsigned size = (unsigned)(next_random(&seed) % (bits + 1));

		values[i] = size == 0
		    ? 0
		    : next_random(&seed) % ((uint64_t)1 << size);
	}
}

static void
check_share(
    const struct histogram *h, const uint64_t *sorted, size_t n, unsigned share)
{
	size_t rank = (n * share + 999) / 1000;
	uint64_t exact = sorted[rank > 0 ? rank - 1 : 0];
	uint64_t got = histogram_percentile(h, LATENCY, share);
	uint64_t error = got > exact ? got - exact : exact - got;

	if (exact < 1024 ? got > exact || error > 63 : error > exact / 32)
		fail_msg("%u/1000 of %zu: %llu, not %llu", share, n,
		    (unsigned long long)got, (unsigned long long)exact);
}

/* All that a histogram tells of these values, which it sorts. */
static void
check(const struct histogram *h, uint64_t *values, size_t n)
{
	static const unsigned shares[] = {
	    0, 1, 10, 250, 500, 501, 900, 990, 999, 1000};
	uint64_t sum = 0;

	qsort(values, n, sizeof *values, compare);
	for (size_t i = 0; i < n; i++)
		sum += values[i];
	assert_int_equal(histogram_n(h, LATENCY), n);
	assert_int_equal(histogram_mean(h, LATENCY), sum / n);
	assert_int_equal(histogram_max(h, LATENCY), values[n - 1]);
	assert_int_equal(histogram_percentile(h, LATENCY, 1000), values[n - 1]);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		check_share(h, values, n, shares[i]);
}

TEST(against_sorted_values)
{
	static const size_t counts[] = {1, 2, 3, 100, VALUES};
	static uint64_t values[VALUES];

	for (unsigned bits = 1; bits <= 50; bits += 7) {
		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			struct histogram h = {0};
			size_t n = counts[i];

			make_values(values, n, bits, bits * 1000 + n);
			for (size_t k = 0; k < n; k++) {
				histogram_add(&h, LATENCY, values[k]);
				/* Values of the other measure change
				 * nothing. */
				histogram_add(&h, QUEUE_WAIT,
				    values[(k * 7 + 3) % n] / 3);
			}
			check(&h, values, n);
			histogram_free(&h);
		}
	}
}

TEST(nothing_and_one_value)
{
	struct histogram h = {0};

	assert_int_equal(histogram_n(&h, QUEUE_WAIT), 0);
	assert_int_equal(histogram_mean(&h, QUEUE_WAIT), 0);
	assert_int_equal(histogram_max(&h, QUEUE_WAIT), 0);
	assert_int_equal(histogram_percentile(&h, QUEUE_WAIT, 990), 0);
	for (unsigned i = 0; i < 1000; i++)
		histogram_add(&h, QUEUE_WAIT, 1234567);
	/* All the same: exact, though its part has another middle. */
	assert_int_equal(histogram_percentile(&h, QUEUE_WAIT, 500), 1234567);
	assert_int_equal(histogram_mean(&h, QUEUE_WAIT), 1234567);
	/* The other one has nothing still. */
	assert_int_equal(histogram_n(&h, LATENCY), 0);
	assert_int_equal(histogram_percentile(&h, LATENCY, 500), 0);
	histogram_free(&h);
}

/* 99 of 100 are not below a mean that is near the maximum, though their part
 * has its middle there; nor is half of them above one near the least. */
TEST(percentiles_agree_with_mean)
{
	struct histogram high = {0}, low = {0};
	uint64_t mean;

	for (uint64_t i = 0; i < 1000; i++) {
		histogram_add(&high, LATENCY, 1048570 + i % 5);
		histogram_add(&low, LATENCY, 1048576 + (i == 0));
	}
	mean = histogram_mean(&high, LATENCY);
	assert_in_range(
	    histogram_percentile(&high, LATENCY, 990), mean - 1, 1048574);
	assert_in_range(
	    histogram_percentile(&high, LATENCY, 500), 1048568, 1048574);
	assert_true(histogram_percentile(&high, LATENCY, 500) <=
	    histogram_percentile(&high, LATENCY, 990));
	assert_in_range(
	    histogram_percentile(&low, LATENCY, 500), 1048576, 1048577);
	histogram_free(&high);
	histogram_free(&low);
}

TEST(zero_stays_zero)
{
	struct histogram h = {0};

	for (unsigned i = 0; i < 60; i++)
		histogram_add(&h, QUEUE_WAIT, 0);
	for (unsigned i = 0; i < 40; i++)
		histogram_add(&h, QUEUE_WAIT, 5000000);
	assert_int_equal(histogram_percentile(&h, QUEUE_WAIT, 500), 0);
	assert_int_equal(histogram_percentile(&h, QUEUE_WAIT, 600), 0);
	assert_in_range(histogram_percentile(&h, QUEUE_WAIT, 601),
	    5000000 - 5000000 / 32, 5000000);
	assert_int_equal(histogram_mean(&h, QUEUE_WAIT), 2000000);
	histogram_free(&h);
}

/* Counts become wider at 256 and at 65,536. */
TEST(many_of_a_value)
{
	struct histogram h = {0};

	histogram_add(&h, QUEUE_WAIT, 777);
	for (unsigned i = 1; i <= 70000; i++) {
		histogram_add(&h, LATENCY, 2000);
		if (i % 7 == 0)
			histogram_add(&h, LATENCY, 900000);
		if (i != 255 && i != 256 && i != 65535 && i != 65536 &&
		    i != 70000)
			continue;
		assert_int_equal(histogram_n(&h, LATENCY), i + i / 7);
		assert_in_range(
		    histogram_percentile(&h, LATENCY, 870), 1938, 2062);
		assert_int_equal(
		    histogram_percentile(&h, LATENCY, 880), 900000);
		assert_int_equal(
		    histogram_percentile(&h, QUEUE_WAIT, 500), 777);
	}
	histogram_free(&h);
}

TEST(extremes)
{
	struct histogram h = {0};

	histogram_add(&h, LATENCY, UINT64_MAX / 2);
	histogram_add(&h, LATENCY, 0);
	histogram_add(&h, LATENCY, 1);
	assert_int_equal(histogram_max(&h, LATENCY), UINT64_MAX / 2);
	assert_int_equal(histogram_percentile(&h, LATENCY, 334), 0);
	histogram_add(&h, LATENCY, UINT64_MAX);
	assert_int_equal(histogram_percentile(&h, LATENCY, 990), UINT64_MAX);
	histogram_free(&h);
}

TEST(merge)
{
	static uint64_t values[VALUES];
	struct histogram all = {0}, none = {0}, parts[3] = {0};

	make_values(values, VALUES, 36, 42);
	for (size_t i = 0; i < VALUES; i++)
		histogram_add(&parts[i % 5 % 3], LATENCY, values[i]);
	for (size_t i = 0; i < 3; i++)
		histogram_merge(&all, &parts[i]);
	histogram_merge(&all, &none);
	check(&all, values, VALUES);
	/* Twice as many of each: the percentiles stay. */
	for (size_t i = 0; i < 3; i++)
		histogram_merge(&all, &parts[i]);
	assert_int_equal(histogram_n(&all, LATENCY), 2 * VALUES);
	check_share(&all, values, VALUES, 500);
	assert_int_equal(histogram_n(&all, QUEUE_WAIT), 0);
	for (size_t i = 0; i < 3; i++)
		histogram_free(&parts[i]);
	histogram_free(&all);
}

/* Counts of several widths come together. */
TEST(merge_of_many)
{
	struct histogram all = {0}, one = {0};

	for (unsigned i = 0; i < 200; i++)
		histogram_add(&one, LATENCY, 40000);
	for (unsigned i = 0; i < 500; i++)
		histogram_merge(&all, &one);
	histogram_add(&all, LATENCY, 80000);
	assert_int_equal(histogram_n(&all, LATENCY), 100001);
	assert_in_range(histogram_percentile(&all, LATENCY, 999), 38750, 41250);
	histogram_merge(&one, &all);
	assert_int_equal(histogram_n(&one, LATENCY), 100201);
	histogram_free(&one);
	histogram_free(&all);
}

/* Times that differ by a factor of ten, two hundred of them: a few hundred
 * bytes for both histograms (4 KiB for all of a client). */
TEST(memory)
{
	struct mallinfo2 before = mallinfo2(), after;
	struct histogram h[16] = {0};
	uint64_t random = 4711;

	for (unsigned i = 0; i < 16 * 200; i++) {
		uint64_t value = 1000000 + next_random(&random) % 9000000;

		histogram_add(&h[i % 16], QUEUE_WAIT, value);
		histogram_add(&h[i % 16], LATENCY, value + 300000);
	}
	after = mallinfo2();
	/* A sanitizer's malloc tells nothing. */
	if (after.uordblks > 0)
		assert_in_range(
		    (after.uordblks - before.uordblks) / 16, 1, 400);
	for (unsigned i = 0; i < 16; i++)
		histogram_free(&h[i]);
}

/* Subtracting a copy leaves the values added after it. */
TEST(subtract)
{
	static uint64_t values[VALUES];

	for (unsigned seed = 1; seed <= 20; seed++) {
		struct histogram all = {0}, then = {0}, rest = {0};
		size_t first = seed * 100;

		make_values(values, VALUES, seed * 3, seed);
		for (size_t i = 0; i < VALUES; i++) {
			if (i == first)
				histogram_merge(&then, &all);
			histogram_add(&all, LATENCY, values[i]);
			if (i >= first)
				histogram_add(&rest, LATENCY, values[i]);
		}
		histogram_subtract(&all, &then);
		assert_int_equal(
		    histogram_n(&all, LATENCY), histogram_n(&rest, LATENCY));
		assert_int_equal(histogram_mean(&all, LATENCY),
		    histogram_mean(&rest, LATENCY));
		assert_true(histogram_max(&all, LATENCY) >=
		    histogram_max(&rest, LATENCY));
		assert_true(histogram_max(&all, LATENCY) <=
		    histogram_max(&rest, LATENCY) / 16 * 17 + 63);
		assert_int_equal(histogram_percentile(&all, LATENCY, 500),
		    histogram_percentile(&rest, LATENCY, 500));
		histogram_free(&all);
		histogram_free(&then);
		histogram_free(&rest);
	}
}
