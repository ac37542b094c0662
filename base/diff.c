/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Myers' greedy algorithm: the fewest lines taken out and put in, found by
 * following each diagonal as far as the texts agree, for one difference more
 * at a time (E. W. Myers, An O(ND) difference algorithm, 1986).
 */
#include "base/diff.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Time grows with this times the lines, memory with its square. */
#define MAX_DIFFERENCES 300

struct diff {
	size_t n_old, n_new;
	diff_same_fn *same;
	const void *arg;
	/* The old line that each diagonal (old - new) has reached with d
	 * differences: a row of 2 * MAX_DIFFERENCES + 3 for each d. */
	size_t *reached;
};

static size_t *
diff_row(const struct diff *diff, int d)
{
	return diff->reached + (size_t)d * (2 * MAX_DIFFERENCES + 3) +
	    MAX_DIFFERENCES + 1;
}

/* True if the best way to diagonal k, with d differences, inserts a line. */
static bool
comes_from_above(const size_t *before, int d, int k)
{
	return k == -d || (k != d && before[k - 1] < before[k + 1]);
}

/* Follows all diagonals with d differences. True: both texts have ended. */
static bool
diff_advance(const struct diff *diff, int d)
{
	size_t *now = diff_row(diff, d);
	const size_t *before = d > 0 ? diff_row(diff, d - 1) : NULL;

	for (int k = -d; k <= d; k += 2) {
		size_t old = 0, new;

		if (d > 0)
			old = comes_from_above(before, d, k)
			    ? before[k + 1]
			    : before[k - 1] + 1;
		new = old - (size_t)k;
		while (old < diff->n_old && new < diff->n_new &&
		    diff->same(diff->arg, old, new)) {
			old++;
			new ++;
		}
		now[k] = old;
		if (old == diff->n_old && new == diff->n_new)
			return true;
	}
	return false;
}

/* Walks the way that was found back, and notes the lines that match. */
static void
diff_trace(const struct diff *diff, int d, size_t *match)
{
	size_t old = diff->n_old, new = diff->n_new;

	for (; d >= 0; d--) {
		const size_t *before = d > 0 ? diff_row(diff, d - 1) : NULL;
		int k = (int)((ptrdiff_t)old - (ptrdiff_t) new);
		bool above = d > 0 && comes_from_above(before, d, k);
		size_t from = d == 0 ? 0
		    : above          ? before[k + 1]
				     : before[k - 1] + 1;

		while (old > from)
			match[--old] = --new;
		if (d == 0)
			return;
		if (above)
			new --;
		else
			old--;
	}
}

void
diff_lines(size_t n_old, size_t n_new, diff_same_fn *same, const void *arg,
    size_t *match)
{
	struct diff diff = {n_old, n_new, same, arg, NULL};

	for (size_t i = 0; i < n_old; i++)
		match[i] = DIFF_NONE;
	diff.reached = mem_calloc(
	    MAX_DIFFERENCES + 1, (2 * MAX_DIFFERENCES + 3) * sizeof(size_t));
	for (int d = 0; d <= MAX_DIFFERENCES; d++)
		if (diff_advance(&diff, d)) {
			diff_trace(&diff, d, match);
			break;
		}
	free(diff.reached);
}
