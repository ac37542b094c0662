/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of contexts: sorting rows and laying them out as a tree. */
#include "tui/views/contexts.h"

#include <stdlib.h>

static int
sign_of_difference(double d)
{
	return (d > 0) - (d < 0);
}

static uint32_t
group_of_row(const struct order_keys *k, uint32_t row)
{
	return k->groups != NULL ? k->group_of[row] : NO_GROUP;
}

/* Compares rows of different groups, or without one. */
static int
compare_groups(const struct order_keys *k, uint32_t a, uint32_t b, int way)
{
	uint32_t ga = group_of_row(k, a), gb = group_of_row(k, b);
	double ka = ga == NO_GROUP ? k->rows[a] : k->groups[ga];
	double kb = gb == NO_GROUP ? k->rows[b] : k->groups[gb];
	int d = sign_of_difference(ka - kb) * way;

	a = ga == NO_GROUP ? a : k->firsts[ga];
	b = gb == NO_GROUP ? b : k->firsts[gb];
	return d != 0 ? d : (a > b) - (a < b);
}

static int
compare_order(const void *pa, const void *pb, void *arg)
{
	const struct order_keys *k = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	uint32_t group = group_of_row(k, a);
	int way = k->descends ? -1 : 1, d;

	if (group == NO_GROUP || group != group_of_row(k, b))
		return compare_groups(k, a, b, way);
	d = sign_of_difference(k->rows[a] - k->rows[b]) * way;
	return d != 0 ? d : (a > b) - (a < b);
}

static bool
is_sorted(const uint32_t *order, size_t n, struct order_keys *keys)
{
	for (size_t i = 1; i < n; i++)
		if (compare_order(&order[i - 1], &order[i], keys) > 0)
			return false;
	return true;
}

void
order_sort(uint32_t *order, size_t n, const struct order_keys *keys)
{
	struct order_keys arg = *keys;

	if (!is_sorted(order, n, &arg))
		qsort_r(order, n, sizeof(*order), compare_order, &arg);
}

size_t
order_tree(uint32_t *lines, const uint32_t *order, size_t n,
    const uint32_t *group_of, const bool *folded)
{
	size_t n_lines = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t group = group_of[order[i]];

		if (group == NO_GROUP) {
			lines[n_lines++] = order[i];
			continue;
		}
		if (i == 0 || group != group_of[order[i - 1]])
			lines[n_lines++] = LINE_GROUP | group;
		if (!folded[group])
			lines[n_lines++] = order[i];
	}
	return n_lines;
}
