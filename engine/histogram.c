/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two histograms of a context in one block: their sums, then the counts of
 * the octaves in use, in widths that grow with the counts.
 */
#include "engine/histogram.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/region.h"

#define LOG_PARTS 4
#define PARTS     (1u << LOG_PARTS)
#define LOG_FIRST 10 /* values below 1 << LOG_FIRST are octave 0 */

#define FIRST 184 /* bytes of counts at first, enough for most contexts */
#define STEP  64  /* by which they grow, in bytes */

struct series {
	uint64_t sum; /* see sum_of() */
	uint64_t max;
	uint64_t octaves;  /* in use, a bit each */
	uint32_t sum_high; /* upper bits of the sum */
	uint16_t size;     /* bytes of its counts */
	uint8_t n_octaves; /* in use */
	uint8_t log_width; /* a count has 1 << log_width bytes */
};

struct histogram_data {
	struct series series[N_MEASURES];
	/* PARTS counts for each octave in use, of each measure. */
	unsigned char counts[];
};

/* Overlapping latencies can add up to more than 2^64 ns, 584 years. */
typedef unsigned __int128 wide;

static wide
sum_of(const struct series *s)
{
	return (wide)s->sum_high << 64 | s->sum;
}

static void
set_sum(struct series *s, wide sum)
{
	s->sum = (uint64_t)sum;
	s->sum_high = (uint32_t)(sum >> 64);
}

/* Octave 0 has the values up to 1023, 1 those up to 2047, 2 up to 4095, ... */
static unsigned
octave_of(uint64_t value)
{
	uint64_t least = (uint64_t)1 << (LOG_FIRST - 1);

	return 64 - LOG_FIRST - (unsigned)__builtin_clzll(value | least);
}

/* Returns the log2 of the width of the parts of an octave. */
static unsigned
part_shift(unsigned octave)
{
	return LOG_FIRST - LOG_PARTS + (octave > 0 ? octave - 1 : 0);
}

static unsigned
part_of(unsigned octave, uint64_t value)
{
	return (unsigned)(value >> part_shift(octave)) % PARTS;
}

/* Returns the middle of a part; in octave 0, where 0 must stay 0, its first
 * value. */
static uint64_t
part_value(unsigned octave, unsigned part)
{
	uint64_t half = (uint64_t)1 << (part_shift(octave) - 1);

	return octave > 0 ? (2 * (PARTS + part) + 1) * half : 2 * part * half;
}

/* Counts the ones of v. The builtin is a function call on most machines. */
static unsigned
count_bits(uint64_t v)
{
	v -= v >> 1 & 0x5555555555555555;
	v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
	v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (unsigned)(v * 0x0101010101010101 >> 56);
}

/* Returns the number of octaves in use before this one. */
static unsigned
rank_of(const struct series *s, unsigned octave)
{
	uint64_t bit = (uint64_t)1 << octave, before = s->octaves & (bit - 1);

	/* Most often all from the first one in use to this one are. */
	if (before + (s->octaves & -s->octaves) == bit)
		return octave - (unsigned)__builtin_ctzll(s->octaves);
	return count_bits(before);
}

/* Returns where the counts of a series begin. */
static size_t
series_offset(const struct histogram_data *d, enum measure m)
{
	return m == QUEUE_WAIT ? 0 : d->series[QUEUE_WAIT].size;
}

static uint64_t
get_count(const unsigned char *counts, unsigned log_width, unsigned i)
{
	const unsigned char *at = counts + ((size_t)i << log_width);
	uint16_t half;
	uint32_t word;
	uint64_t all;

	switch (log_width) {
	case 0: return *at;
	case 1: return memcpy(&half, at, sizeof half), half;
	case 2: return memcpy(&word, at, sizeof word), word;
	default: return memcpy(&all, at, sizeof all), all;
	}
}

static void
set_count(unsigned char *counts, unsigned log_width, unsigned i, uint64_t count)
{
	unsigned char *at = counts + ((size_t)i << log_width);
	uint16_t half = (uint16_t)count;
	uint32_t word = (uint32_t)count;

	switch (log_width) {
	case 0: *at = (unsigned char)count; break;
	case 1: memcpy(at, &half, sizeof half); break;
	case 2: memcpy(at, &word, sizeof word); break;
	default: memcpy(at, &count, sizeof count);
	}
}

static bool
count_fits(unsigned log_width, uint64_t count)
{
	return log_width == 3 || count >> (8u << log_width) == 0;
}

/* Returns the bytes to allocate for counts. */
static size_t
capacity(size_t counts)
{
	return counts <= FIRST ? FIRST : (counts + STEP - 1) / STEP * STEP;
}

/* Inserts size bytes at an offset of the counts; the block may move. */
static struct histogram_data *
insert_counts(struct histogram *h, size_t offset, size_t size)
{
	struct histogram_data *d = h->data;
	size_t all = 0;

	for (unsigned m = 0; m < N_MEASURES; m++)
		all += d->series[m].size;
	if (capacity(all + size) != capacity(all))
		h->data = d = region_resize(
		    h->region, d, 1, sizeof *d + capacity(all + size));
	memmove(d->counts + offset + size, d->counts + offset, all - offset);
	return d;
}

/* Doubles the width of the counts of a series. */
static struct histogram_data *
widen_counts(struct histogram *h, enum measure m)
{
	struct histogram_data *d = h->data;
	size_t offset = series_offset(d, m), size = d->series[m].size;
	unsigned log_width = d->series[m].log_width;
	unsigned char *counts;

	d = insert_counts(h, offset + size, size);
	counts = d->counts + offset;
	for (unsigned i = (unsigned)(size >> log_width); i-- > 0;)
		set_count(
		    counts, log_width + 1, i, get_count(counts, log_width, i));
	d->series[m].log_width++;
	d->series[m].size += (uint16_t)size;
	return d;
}

static struct histogram_data *
use_octave(struct histogram *h, enum measure m, unsigned octave)
{
	struct histogram_data *d = h->data;
	const struct series *s = &d->series[m];
	size_t size = (size_t)PARTS << s->log_width;
	size_t offset = series_offset(d, m) + rank_of(s, octave) * size;

	d = insert_counts(h, offset, size);
	memset(d->counts + offset, 0, size);
	d->series[m].octaves |= (uint64_t)1 << octave;
	d->series[m].n_octaves++;
	d->series[m].size += (uint16_t)size;
	return d;
}

static void
count_values(struct histogram *h, enum measure m, unsigned octave,
    unsigned part, uint64_t n)
{
	struct histogram_data *d = h->data;
	struct series *s = &d->series[m];
	unsigned char *counts;
	unsigned i;

	if (!(s->octaves >> octave & 1)) {
		d = use_octave(h, m, octave);
		s = &d->series[m];
	}
	counts = d->counts + series_offset(d, m);
	i = rank_of(s, octave) * PARTS + part;
	n += get_count(counts, s->log_width, i);
	while (!count_fits(s->log_width, n)) {
		d = widen_counts(h, m);
		s = &d->series[m];
		counts = d->counts + series_offset(d, m);
	}
	set_count(counts, s->log_width, i, n);
}

static struct histogram_data *
data_of(struct histogram *h)
{
	if (h->data == NULL)
		h->data = region_alloc(
		    h->region, 1, sizeof *h->data + capacity(0));
	return h->data;
}

void
histogram_reserve(struct histogram *h)
{
	data_of(h);
}

void
histogram_free(struct histogram *h)
{
	if (h->region != NULL)
		region_put(h->data);
	else
		free(h->data);
	h->data = NULL;
}

/* Adds one to a count. False: it has no room. */
static bool
increment(unsigned char *counts, unsigned log_width, unsigned i)
{
	uint64_t n;

	if (log_width == 0 && counts[i] < UINT8_MAX) {
		counts[i]++;
		return true;
	}
	n = get_count(counts, log_width, i) + 1;
	if (!count_fits(log_width, n))
		return false;
	set_count(counts, log_width, i, n);
	return true;
}

/* Adds one value. False, which is rare: its octave or count has no room. */
static bool
count_one(
    struct histogram_data *d, enum measure m, unsigned octave, unsigned part)
{
	const struct series *s = &d->series[m];

	return (s->octaves >> octave & 1) &&
	    increment(d->counts + series_offset(d, m), s->log_width,
		rank_of(s, octave) * PARTS + part);
}

/* The rare cases of histogram_add(), kept out of its way. */
static __attribute__((cold, noinline)) void
add_first(struct histogram *h, enum measure m, uint64_t value)
{
	data_of(h);
	histogram_add(h, m, value);
}

static __attribute__((cold, noinline)) void
make_room_and_count(
    struct histogram *h, enum measure m, unsigned octave, unsigned part)
{
	count_values(h, m, octave, part, 1);
}

void
histogram_add(struct histogram *h, enum measure m, uint64_t value)
{
	struct histogram_data *d = h->data;
	unsigned octave = octave_of(value), part = part_of(octave, value);
	struct series *s;

	if (d == NULL) {
		add_first(h, m, value);
		return;
	}
	s = &d->series[m];
	s->sum += value;
	s->sum_high += s->sum < value;
	if (value > s->max)
		s->max = value;
	if (!count_one(d, m, octave, part))
		make_room_and_count(h, m, octave, part);
}

static void
merge_series(
    struct histogram *h, enum measure m, const struct histogram_data *from)
{
	const struct series *f = &from->series[m];
	const unsigned char *counts = from->counts + series_offset(from, m);
	struct series *s = &data_of(h)->series[m];
	unsigned i = 0;

	set_sum(s, sum_of(s) + sum_of(f));
	if (f->max > s->max)
		s->max = f->max;
	for (uint64_t left = f->octaves; left != 0; left &= left - 1) {
		unsigned octave = (unsigned)__builtin_ctzll(left);

		for (unsigned part = 0; part < PARTS; part++) {
			uint64_t n = get_count(counts, f->log_width, i++);

			if (n > 0)
				count_values(h, m, octave, part, n);
		}
	}
}

void
histogram_merge(struct histogram *h, const struct histogram *from)
{
	if (from->data == NULL)
		return;
	for (unsigned m = 0; m < N_MEASURES; m++)
		merge_series(h, (enum measure)m, from->data);
}

/* Returns the upper end of the last part with values, at most the maximum. */
static uint64_t
bound_of(const struct histogram_data *d, enum measure m)
{
	const struct series *s = &d->series[m];
	const unsigned char *counts = d->counts + series_offset(d, m);
	uint64_t bound = 0;
	unsigned i = 0;

	for (uint64_t left = s->octaves; left != 0; left &= left - 1) {
		unsigned octave = (unsigned)__builtin_ctzll(left);
		uint64_t first = octave > 0 ? PARTS : 0;

		for (unsigned part = 0; part < PARTS; part++)
			if (get_count(counts, s->log_width, i++) > 0)
				bound = ((first + part + 1)
					    << part_shift(octave)) -
				    1;
	}
	return bound < s->max ? bound : s->max;
}

static void
subtract_series(
    struct histogram *h, enum measure m, const struct histogram_data *then)
{
	const struct series *t = &then->series[m];
	const unsigned char *counts = then->counts + series_offset(then, m);
	struct series *s = &h->data->series[m];
	unsigned char *own = h->data->counts + series_offset(h->data, m);
	unsigned i = 0;

	set_sum(s, sum_of(s) - sum_of(t));
	for (uint64_t left = t->octaves; left != 0; left &= left - 1) {
		unsigned at = rank_of(s, (unsigned)__builtin_ctzll(left)) *
		    PARTS;

		for (unsigned part = 0; part < PARTS; part++, at++)
			set_count(own, s->log_width, at,
			    get_count(own, s->log_width, at) -
				get_count(counts, t->log_width, i++));
	}
	s->max = bound_of(h->data, m);
}

void
histogram_subtract(struct histogram *h, const struct histogram *then)
{
	if (h->data == NULL || then->data == NULL)
		return;
	for (unsigned m = 0; m < N_MEASURES; m++)
		subtract_series(h, (enum measure)m, then->data);
}

unsigned __int128
histogram_sum(const struct histogram *h, enum measure m)
{
	return h->data != NULL ? sum_of(&h->data->series[m]) : 0;
}

uint64_t
histogram_n(const struct histogram *h, enum measure m)
{
	const struct series *s;
	const unsigned char *counts;
	uint64_t n = 0;

	if (h->data == NULL)
		return 0;
	s = &h->data->series[m];
	counts = h->data->counts + series_offset(h->data, m);
	for (unsigned i = 0; i < s->n_octaves * PARTS; i++)
		n += get_count(counts, s->log_width, i);
	return n;
}

uint64_t
histogram_mean(const struct histogram *h, enum measure m)
{
	uint64_t n = histogram_n(h, m);

	return n > 0 ? (uint64_t)(sum_of(&h->data->series[m]) / n) : 0;
}

uint64_t
histogram_max(const struct histogram *h, enum measure m)
{
	return h->data != NULL ? h->data->series[m].max : 0;
}

/* Returns the value of that rank, from 1, as the middle of its part. */
static uint64_t
value_of_rank(const struct histogram_data *d, enum measure m, uint64_t rank)
{
	const struct series *s = &d->series[m];
	const unsigned char *counts = d->counts + series_offset(d, m);
	unsigned i = 0;

	for (uint64_t left = s->octaves; left != 0; left &= left - 1) {
		unsigned octave = (unsigned)__builtin_ctzll(left);

		for (unsigned part = 0; part < PARTS; part++) {
			uint64_t n = get_count(counts, s->log_width, i++);

			if (rank <= n)
				return part_value(octave, part);
			rank -= n;
		}
	}
	return s->max;
}

/* Returns n * per_mille / 1000, rounded up, at least 1, without overflow. */
static uint64_t
rank_of_share(uint64_t n, unsigned per_mille)
{
	uint64_t rank = n / 1000 * per_mille +
	    (n % 1000 * per_mille + 999) / 1000;

	return rank > 0 ? rank : 1;
}

/* Returns the lower end of the first part with values. */
static uint64_t
least_of(const struct histogram_data *d, enum measure m)
{
	const struct series *s = &d->series[m];
	const unsigned char *counts = d->counts + series_offset(d, m);
	unsigned octave = (unsigned)__builtin_ctzll(s->octaves | 1ull << 63);
	uint64_t first = octave > 0 ? PARTS : 0;

	for (unsigned part = 0; part < PARTS; part++)
		if (get_count(counts, s->log_width, part) > 0)
			return (first + part) << part_shift(octave);
	return 0; /* all values were subtracted */
}

/*
 * Moves the value of a rank to where the sum allows it: `rank` values are at
 * most that value and the others at most the maximum, which bounds it from
 * below; the values from it on and the least value bound it from above. The
 * middle of a part may be just outside.
 */
static uint64_t
agree_with_sum(const struct histogram_data *d, enum measure m, uint64_t n,
    uint64_t rank, uint64_t value)
{
	const struct series *s = &d->series[m];
	double max = (double)s->max, sum = (double)sum_of(s);
	double least = (double)least_of(d, m);
	double low = max - ((double)n * max - sum) / (double)rank;
	double high = least +
	    (sum - (double)n * least) / (double)(n - rank + 1);

	if ((double)value < low)
		return (uint64_t)low;
	if ((double)value > high && high > low)
		return (uint64_t)(high + 1);
	return value;
}

uint64_t
histogram_percentile(
    const struct histogram *h, enum measure m, unsigned per_mille)
{
	uint64_t n = histogram_n(h, m), max = histogram_max(h, m);
	uint64_t rank = rank_of_share(n, per_mille), value;

	if (rank >= n || h->data->series[m].sum == (unsigned __int128)n * max)
		return max;
	value = value_of_rank(h->data, m, rank);
	if (h->data->series[m].sum < UINT64_MAX)
		value = agree_with_sum(h->data, m, n, rank, value);
	return value < max ? value : max;
}
