/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random places come and go: the list is in order and complete after each. */
#include <stddef.h>
#include <stdint.h>

#include "engine/sched/priolist.h"
#include "tests/runner/test.h"

#define PLACES 200
#define STEPS  4000 /* of each spread */

struct bed {
	struct place_tree tree;
	struct priolist_place places[PLACES];
	bool in[PLACES];
	uint64_t n_in, random, seq;
};

static uint64_t
draw(struct bed *bed, uint64_t n)
{
	bed->random = bed->random * 6364136223846793005u + 1442695040888963407u;
	return (bed->random >> 33) % n;
}

/* All that are in, each once, both ways. */
static void
check(const struct bed *bed)
{
	const struct priolist_place *before = NULL;
	uint64_t n = 0;

	for (const struct priolist_place *p = bed->tree.first; p != NULL;
	     p = p->next) {
		assert_true(bed->in[p - bed->places]);
		assert_ptr_equal(p->prev, before);
		assert_true(before == NULL || place_is_before(before, p));
		before = p;
		n++;
	}
	assert_ptr_equal(bed->tree.last, before);
	assert_int_equal(n, bed->n_in);
}

/* At a level_ns among the last `spread`: 1 is at the end. */
static void
toggle(struct bed *bed, uint64_t spread)
{
	uint64_t i = draw(bed, PLACES);

	if (bed->in[i]) {
		place_tree_remove(&bed->tree, &bed->places[i]);
		bed->n_in--;
	} else {
		bed->places[i].seq = ++bed->seq;
		bed->places[i].level_ns = PLACES + bed->seq / 4 -
		    draw(bed, spread);
		place_tree_add(&bed->tree, &bed->places[i]);
		bed->n_in++;
	}
	bed->in[i] = !bed->in[i];
	check(bed);
}

static void
empty(struct bed *bed)
{
	while (bed->tree.first != NULL) {
		struct priolist_place *first = bed->tree.first;

		place_tree_remove(&bed->tree, first);
		bed->in[first - bed->places] = false;
		bed->n_in--;
		check(bed);
	}
}

TEST(random)
{
	static const uint64_t spreads[] = {1, 2, 8, 50, PLACES};
	struct bed bed = {.random = 1};

	for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
		for (unsigned i = 0; i < STEPS; i++)
			toggle(&bed, spreads[s]);
		empty(&bed);
	}
}
