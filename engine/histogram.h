/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histograms of the queue waits and latencies of batches, in ns, for means,
 * percentiles and maxima. Number, sum and maximum are exact. Each power of two
 * (an octave; all values below 1024 are one) is divided into 16 parts, and a
 * percentile is the middle of a part: wrong by at most 1/32. Below 1024 ns it
 * is up to 63 ns too low; 0 is exact.
 *
 * Adding takes constant time. Only octaves with values take memory: 16 bytes,
 * twice that once a part has 256 values, then 65,536, and so on. Both
 * histograms are one block, as with 100,000 contexts none is in the cache when
 * it is needed.
 */
#ifndef ENGINE_HISTOGRAM_H
#define ENGINE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

/* The two measures, in ns. */
enum measure {
	QUEUE_WAIT, /* from ready to start, of batches that started */
	LATENCY,    /* from submission to end */
	N_MEASURES,
};

struct histogram_data;
struct region;

/* All zero: no values. */
struct histogram {
	struct histogram_data *data;
	struct region *region; /* that data is in; NULL: in none */
};

/* Allocates the memory for the first values. */
void histogram_reserve(struct histogram *h);
/* Frees the memory; h has no values then. */
void histogram_free(struct histogram *h);
/* Adds one value. */
void histogram_add(struct histogram *h, enum measure m, uint64_t value);
/* Adds all values of from. */
void histogram_merge(struct histogram *h, const struct histogram *from);
/* Removes the values of then, an earlier copy of h. The maximum becomes the
 * upper end of its part, at most what it was. */
void histogram_subtract(struct histogram *h, const struct histogram *then);
/* The bytes of three octaves of each measure with counts of two bytes. */
#define HISTOGRAM_USUAL 256
/* Fetches h into the cache, as values will be added soon. */
static inline void
histogram_prefetch(const struct histogram *h)
{
	/* As a number: it may be NULL, which may not be added to. */
	uintptr_t data = (uintptr_t)h->data;

	for (size_t i = 0; i < HISTOGRAM_USUAL; i += 64)
		__builtin_prefetch((const void *)(data + i), 1);
}

/* Returns the number of values. */
uint64_t histogram_n(const struct histogram *h, enum measure m);
/* Returns the sum of the values, ns. */
unsigned __int128 histogram_sum(const struct histogram *h, enum measure m);
/* Return 0 without values; the mean is rounded down. */
uint64_t histogram_mean(const struct histogram *h, enum measure m);
uint64_t histogram_max(const struct histogram *h, enum measure m);
/* Returns, with the error above, the smallest value that at least per_mille of
 * 1000 values do not exceed ("nearest rank"). It is at most the maximum, agrees
 * with the mean, and is exact if all values are equal. 0 without values. */
uint64_t histogram_percentile(
    const struct histogram *h, enum measure m, unsigned per_mille);

#endif
