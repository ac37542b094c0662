/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Thresholds, and the statistics that they are applied to: quantiles, and the
 * value around which most samples are.
 */
#include <stdlib.h>

#include "base/util.h"
#include "trace/infer/infer_private.h"

/* doc/model/infer.md "Thresholds". */
const struct infer_thresholds infer_thresholds = {
    .repeats = 0.90,
    .holds = 0.99,
    .majority = 0.50,
    .explained = 0.95,
    .noticed = 0.02,
    .near_ns = 200 * NSEC_PER_USEC,
    .near_exact_ns = 1,
    .sleep_exact_ns = 2 * NSEC_PER_USEC,
    .cpu_ns = 20 * NSEC_PER_USEC,
    .cpu_exact_ns = 0,
    .spread = 0.05,
    .spread_exact = 0.005,
    .jitter = 0.05,
    .jitter_exact = 0,
    .skew = 0.02,
    .rounding = 0.005,
    .late = 0.1,
    .max_batches = 4096,
    .max_samples = 512,
    .max_reach = 4096,
};

static int
compare_ns(const void *a, const void *b)
{
	const nsec *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void
infer_sort(nsec *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare_ns);
}

nsec
infer_quantile(const nsec *sorted, size_t n, double share)
{
	size_t i = (size_t)((double)n * share);

	return sorted[i < n ? i : n - 1];
}

size_t
infer_densest(
    const nsec *sorted, size_t n, nsec width, double share, nsec *middle)
{
	size_t best = 0, last = 0;

	*middle = 0;
	for (size_t first = 0; first < n; first++) {
		nsec reach = width + (nsec)((double)sorted[first] * share);

		while (last < n && sorted[last] - sorted[first] <= reach)
			last++;
		if (last - first > best) {
			best = last - first;
			*middle = sorted[first + best / 2];
		}
	}
	return best;
}

uint32_t
infer_ending_at(const struct infer_sequence *s, nsec ns)
{
	return (uint32_t)lower_bound(i, 0, s->n, s->endings[i].ns < ns);
}
