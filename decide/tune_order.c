/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of sets: by how near the goal is with them, and by how much they change. */
#include <math.h>
#include <stdlib.h>

#include "decide/tune.h"

/* Returns a number below 0 if the goal is nearer with a: by the conditions, else by
 * the slowest client, else by the latency. */
static int
compare_results(const struct tune_result *a, const struct tune_result *b)
{
	const struct trial_figures *f = &a->figures, *g = &b->figures;
	int by_goal = violation_compare(a->violation, b->violation);

	if (by_goal != 0)
		return by_goal;
	if (fabs(f->lowest_rate - g->lowest_rate) > 1e-9)
		return f->lowest_rate > g->lowest_rate ? -1 : 1;
	return f->latency_p99_ns < g->latency_p99_ns
	    ? -1
	    : f->latency_p99_ns > g->latency_p99_ns;
}

/* Sizes of a set, in the order in which they count. */
struct tune_size {
	unsigned privileges, lines, lowered;
	int64_t distance; /* of priorities */
	unsigned kinds;   /* the sum: kinds are in order of preference */
};

static struct tune_size
size_of_set(const struct tune *t, const struct tune_set *set)
{
	struct tune_size size = {.lines = tune_set_lines(t, set)};

	for (size_t i = 0; i < set->n; i++) {
		const struct tune_edit *e = &set->list[i];
		const struct tune_target *target = &t->targets[e->target];

		size.kinds += target->kind;
		size.privileges += tune_needs_privilege(t, e);
		if (target->kind != TUNE_PRIORITY)
			continue;
		size.lowered += e->value < target->now;
		size.distance += llabs(e->value - target->now);
	}
	return size;
}

static int
compare_sizes(const struct tune_size *a, const struct tune_size *b)
{
	const int64_t pairs[][2] = {
	    {a->privileges, b->privileges},
	    {a->lines, b->lines},
	    {a->kinds, b->kinds},
	    {a->lowered, b->lowered},
	    {a->distance, b->distance},
	};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (pairs[i][0] != pairs[i][1])
			return pairs[i][0] < pairs[i][1] ? -1 : 1;
	return 0;
}

/* Sorts sets, in place and stable, by what before() says of two. */
static void
sort_sets(const struct tune *t, struct tune_list *sets,
    int (*compare)(const struct tune *t, const struct tune_set *a,
	const struct tune_set *b))
{
	for (size_t i = 1; i < sets->n; i++) {
		struct tune_set moved = sets->list[i];
		size_t at = i;

		for (; at > 0 && compare(t, &moved, &sets->list[at - 1]) < 0;
		     at--)
			sets->list[at] = sets->list[at - 1];
		sets->list[at] = moved;
	}
}

static int
compare_by_result(
    const struct tune *t, const struct tune_set *a, const struct tune_set *b)
{
	return compare_results(tune_find(t, a, 0), tune_find(t, b, 0));
}

static int
compare_by_size(
    const struct tune *t, const struct tune_set *a, const struct tune_set *b)
{
	struct tune_size x = size_of_set(t, a), y = size_of_set(t, b);

	return compare_sizes(&x, &y);
}

void
tune_sort_by_result(const struct tune *t, struct tune_list *sets)
{
	sort_sets(t, sets, compare_by_result);
}

void
tune_sort_by_size(const struct tune *t, struct tune_list *sets)
{
	sort_sets(t, sets, compare_by_size);
}
