/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for the most clients: the counts that it tries, and its answer, for
 * goals that hold for any set of counts. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "decide/capacity.h"
#include "tests/runner/test.h"

#define MOST 5000

/* Counts for which the goal holds. */
struct truth {
	bool holds[MOST + 1];
	unsigned most;
};

/* Searches, and fails if a count is tried twice, or if it is none. */
static void
search_in(const struct truth *truth, struct capacity *c)
{
	bool tried[MOST + 1] = {0};
	unsigned count;

	*c = (struct capacity){.question.most = truth->most};
	while ((count = capacity_next(c)) != 0) {
		struct tried t = {.count = count, .holds = truth->holds[count]};

		assert_in_range(count, 1, truth->most);
		assert_false(tried[count]);
		tried[count] = true;
		capacity_add(c, &t);
	}
}

/* The goal holds up to a count, and for no more. */
static void
set_monotone(struct truth *truth, unsigned most, unsigned capacity)
{
	*truth = (struct truth){.most = most};
	for (unsigned i = 1; i <= capacity; i++)
		truth->holds[i] = true;
}

static void
expect_answer(unsigned most, unsigned capacity)
{
	static struct truth truth;
	struct capacity_answer a;
	struct capacity c;

	set_monotone(&truth, most, capacity);
	search_in(&truth, &c);
	capacity_answer(&c, &a);
	assert_int_equal(a.count, capacity);
	assert_int_equal(a.at_least, capacity == most);
	assert_null(a.low_fails);
	if (capacity > 0)
		assert_int_equal(a.holds->count, capacity);
	if (capacity < most)
		assert_int_equal(a.fails->count, capacity + 1);
	for (size_t i = 1; i < c.n_tried; i++)
		assert_true(c.tried[i - 1].count < c.tried[i].count);
	capacity_free(&c);
}

TEST(monotone)
{
	for (unsigned most = 1; most <= 70; most++)
		for (unsigned capacity = 0; capacity <= most; capacity++)
			expect_answer(most, capacity);
	for (unsigned capacity = 0; capacity <= 4096; capacity += 13)
		expect_answer(4096, capacity);
	expect_answer(4096, 4096);
	expect_answer(5000, 4999);
}

static unsigned
draw_count(uint64_t *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*random >> 33);
}

/* Whatever holds: the answer holds, one more fails, and all counts up to 64 are
 * in accord with it unless it says that they are not. */
TEST(any)
{
	static struct truth truth;
	uint64_t random = 7;

	for (unsigned round = 0; round < 3000; round++) {
		unsigned most = 1 + draw_count(&random) % 100;
		unsigned turn = draw_count(&random) % (most + 1);
		struct capacity_answer a;
		struct capacity c;

		set_monotone(&truth, most, turn);
		for (unsigned n = draw_count(&random) % 4; n > 0; n--)
			truth.holds[1 + draw_count(&random) % most] ^= true;
		search_in(&truth, &c);
		capacity_answer(&c, &a);
		assert_true(a.count == 0 || truth.holds[a.count]);
		assert_true(
		    a.at_least ? a.count == most : !truth.holds[a.count + 1]);
		for (unsigned i = 1;
		     a.low_fails == NULL && i < a.count && a.count <= 31; i++)
			assert_true(truth.holds[i]);
		if (a.low_fails != NULL) {
			assert_false(truth.holds[a.low_fails->count]);
			assert_true(truth.holds[a.high_holds->count]);
			assert_true(a.low_fails->count < a.high_holds->count);
		}
		capacity_free(&c);
	}
}

/* The answer is the largest that holds, also behind one that fails. */
TEST(not_monotone)
{
	static struct truth truth;
	struct capacity_answer a;
	struct capacity c;

	set_monotone(&truth, 4096, 12);
	truth.holds[9] = false;
	search_in(&truth, &c);
	capacity_answer(&c, &a);
	assert_int_equal(a.count, 12);
	assert_int_equal(a.fails->count, 13);
	assert_int_equal(a.low_fails->count, 9);
	assert_int_equal(a.high_holds->count, 12);
	capacity_free(&c);

	/* Where doubling stops, although twice that holds. */
	set_monotone(&truth, 4096, 20);
	truth.holds[8] = false;
	search_in(&truth, &c);
	capacity_answer(&c, &a);
	assert_int_equal(a.count, 20);
	assert_false(a.at_least);
	assert_int_equal(a.low_fails->count, 8);
	capacity_free(&c);
}
