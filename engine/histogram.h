/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many batches had which queue wait and which latency: for means,
 * percentiles and maxima. Count, sum and maximum are exact. Each power of two
 * is divided into 16 parts, of which a percentile tells the middle: it is wrong
 * by at most 1/32. Below 1024 ns it is up to 63 ns too low; 0 is exact.
 *
 * Adding takes the same time however many values there are. Memory is taken
 * only for the powers of two in which there are values (all below 1024 are
 * one): 16 bytes each, twice as much when one of the parts has had 256 values,
 * then 65,536, and so on. Both histograms are one block of memory, for the sake
 * of the cache: with 100,000 contexts it has none of them when it is needed.
 */
#ifndef ENGINE_HISTOGRAM_H
#define ENGINE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

/* What is counted; in nanoseconds. */
enum measure {
	QUEUE_WAIT, /* start - ready, of those that started */
	LATENCY,    /* end - submit */
	N_MEASURES,
};

struct histogram_data;

/* All zeros: no values. */
struct histogram {
	struct histogram_data *data;
};

/* Takes the memory for the first values already. */
void histogram_reserve(struct histogram *h);
void histogram_free(struct histogram *h);
/* In ns, as all values here. */
void histogram_add(struct histogram *h, enum measure m, uint64_t value);
/* Adds all values of from. */
void histogram_merge(struct histogram *h, const struct histogram *from);
/* Takes the values of then, an earlier copy of h, out of it again. The maximum
 * that is left is the upper end of its part, never more than it was. */
void histogram_subtract(struct histogram *h, const struct histogram *then);
/* Bytes that three octaves of each measure take, with counts of two bytes. */
#define HISTOGRAM_USUAL 256
/* Values will be added soon: fetches what that needs into the cache. */
static inline void
histogram_prefetch(const struct histogram *h)
{
	for (size_t i = 0; i < HISTOGRAM_USUAL; i += 64)
		__builtin_prefetch((const char *)h->data + i, 1);
}

/* How many values. */
uint64_t histogram_n(const struct histogram *h, enum measure m);
/* These are 0 without any values. */
uint64_t histogram_mean(
    const struct histogram *h, enum measure m); /* rounded down */
uint64_t histogram_max(const struct histogram *h, enum measure m);
/* The smallest value that at least per_mille / 1000 of all values do not
 * exceed ("nearest rank"), within the error above; never more than the
 * maximum, nor beyond what the mean leaves possible; exact where all values are
 * the same. */
uint64_t histogram_percentile(
    const struct histogram *h, enum measure m, unsigned per_mille);

#endif
