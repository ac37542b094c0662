/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pauses that vary, where they are measured: a delay has one value, so a descriptor
 * whose iterations all pause for the mean keeps the rate, but not the median frame.
 * Several iterations are one then: each stands for an equal share of those that were
 * seen, from those with the shortest pauses to those with the longest
 * (doc/model/infer.md "Pauses that vary").
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/pauses.h"

/* Shares are of an odd number, so that the middle one has the median. */
#define MIN_SHARES 3
#define MAX_SHARES 15
/* Each share has as many iterations at least. */
#define MIN_IN_SHARE 4
/* Batches of an iteration that has all shares, at most. */
#define MAX_VARIED 512
/* By which share of an iteration's time the median of its pauses may be off. */
#define MEDIAN_OFF 0.005

struct variation {
	struct found *f;
	struct pauses pauses;
	bool has_period;
	/* Pauses of iterations; of those with a period, the time from an iteration's start
	 * to the next. Sorted. */
	nsec *times;
	uint32_t n;
	double mean; /* of times */
	uint32_t n_shares;
};

/* The pauses before a batch of an iteration. */
static nsec
paused(struct variation *v, uint32_t which, uint32_t position)
{
	v->pauses.position = v->pauses.voter.position = position;
	return infer_paused_before(&v->pauses, v->f->begins[which] + position);
}

/* The time from the start of the iteration before to that of one. */
static nsec
time_until(const struct variation *v, uint32_t which)
{
	const struct found *f = v->f;
	nsec begin = infer_iteration_start(f, f->begins[which - 1]);

	return nsec_later(infer_iteration_start(f, f->begins[which]), begin) -
	    begin;
}

/* The pauses between the start of the iteration before and that of one. */
static nsec
paused_until(struct variation *v, uint32_t which)
{
	nsec sum = paused(v, which, 0);

	for (uint32_t p = 1; p < v->f->length; p++)
		sum += paused(v, which - 1, p);
	return sum;
}

static void
list_times(struct variation *v)
{
	const struct found *f = v->f;
	double sum = 0;

	for (uint32_t i = 0; i < f->n_begins; i++) {
		if (infer_is_after_gap(f, i))
			continue;
		v->times[v->n] = v->has_period ? time_until(v, i)
					       : paused_until(v, i);
		sum += (double)v->times[v->n++];
	}
	v->mean = v->n > 0 ? sum / v->n : 0;
	infer_sort(v->times, v->n);
}

/* The first iteration of a share. */
static uint32_t
share_begin(const struct variation *v, uint32_t n_shares, uint32_t share)
{
	return (uint32_t)((uint64_t)share * v->n / n_shares);
}

static double
mean_of_share(const struct variation *v, uint32_t n_shares, uint32_t share)
{
	uint32_t begin = share_begin(v, n_shares, share);
	uint32_t end = share_begin(v, n_shares, share + 1);
	double sum = 0;

	for (uint32_t i = begin; i < end; i++)
		sum += (double)v->times[i];
	return sum / (end - begin);
}

/* Returns the least number of shares of which the middle one has the median; 0: one
 * value is near enough. */
static uint32_t
choose_shares(const struct variation *v)
{
	double off = infer_mean_iteration(v->f) * MEDIAN_OFF;
	uint32_t middle = v->n / 2, n = MIN_SHARES;
	double median = v->n > 0 ? (double)v->times[middle] : 0;

	if (fabs(v->mean - median) <= 2 * off)
		return 0;
	while (n < MAX_SHARES && v->n / MIN_IN_SHARE > n &&
	    fabs(mean_of_share(v, n, n / 2) - median) > off)
		n += 2;
	return n;
}

/* The copy of the iteration that has a share: short and long ones alternate. */
static uint32_t
copy_of_share(const struct variation *v, uint32_t share)
{
	return share * (v->n_shares / 2) % v->n_shares;
}

/* The longest delay before n batches; NULL: none. */
static struct found_pace *
longest_delay(struct found_batch *batches, uint32_t n)
{
	struct found_pace *longest = NULL;

	for (uint32_t p = 0; p < n; p++) {
		struct found_batch *b = &batches[p];

		for (uint32_t i = 0; i < b->n_paces; i++)
			if (b->paces[i].kind == PACE_DELAY &&
			    (longest == NULL || b->paces[i].ns > longest->ns))
				longest = &b->paces[i];
	}
	return longest;
}

/* Makes the longest delay before n batches longer by ns, or shorter: where it cannot be as
 * short, the next longest, too. Returns what is left over, 0 or less. */
static double
change_delays(struct found_batch *batches, uint32_t n, double ns)
{
	for (;;) {
		struct found_pace *pace = longest_delay(batches, n);
		double most;

		if (pace == NULL || (ns < 0 && pace->ns <= NSEC_PER_USEC))
			return ns;
		most = (double)NSEC_PER_USEC - (double)pace->ns;
		pace->loose = true;
		if (ns >= most) {
			pace->ns = (nsec)((double)pace->ns + ns);
			return 0;
		}
		pace->ns = NSEC_PER_USEC;
		ns -= most;
	}
}

/* Makes each copy as much longer as its share is than all, in one delay if it can be: so
 * any time of one iteration's length, wherever it begins, has just one delay that varies.
 * Copies that cannot be that short take it from those of the longer shares. */
static void
vary_delays(struct variation *v, uint32_t length, const double *times)
{
	double left = 0;

	for (uint32_t share = 0; share < v->n_shares; share++)
		left = change_delays(
		    &v->f->batches[copy_of_share(v, share) * length], length,
		    times[share] - v->mean + left);
}

/* Makes the periods before a batch later by ns. */
static void
move_periods(struct found_batch *b, double later)
{
	for (uint32_t i = 0; i < b->n_paces; i++) {
		double ns = (double)b->paces[i].ns + later;

		if (b->paces[i].kind == PACE_PERIOD)
			b->paces[i].ns = ns > NSEC_PER_USEC ? (nsec)ns
							    : NSEC_PER_USEC;
	}
}

/* Makes copies begin as long after each other as the iterations of a share, by their
 * periods, which count from the start of the first copy. Those before the first batch of a
 * copy are at the end of the copy before it. */
static void
vary_periods(struct variation *v, uint32_t length, const double *times)
{
	double *of_copy = mem_calloc(v->n_shares, sizeof(*of_copy));
	struct found_batch *b = v->f->batches;
	double begin = 0;

	for (uint32_t share = 0; share < v->n_shares; share++)
		of_copy[copy_of_share(v, share)] = times[share];
	for (uint32_t copy = 0; copy < v->n_shares; copy++) {
		uint32_t next = (copy + 1) % v->n_shares;
		double longer = of_copy[copy] - v->mean;

		for (uint32_t p = 1; p < length; p++)
			move_periods(&b[copy * length + p], begin);
		move_periods(&b[next * length], begin + longer);
		begin += of_copy[copy];
	}
	free(of_copy);
}

/* A batch that is copied into a later part of an iteration. */
static struct found_batch
copy_of_batch(const struct found_batch *b, uint32_t later)
{
	struct found_batch copy = *b;

	copy.end_position += later;
	return copy;
}

static void
make_copies(struct variation *v)
{
	struct found *f = v->f;
	uint32_t length = f->length;
	struct found_batch *old = f->batches;
	double *times = mem_calloc(v->n_shares, sizeof(*times));

	for (uint32_t share = 0; share < v->n_shares; share++)
		times[share] = mean_of_share(v, v->n_shares, share);
	if (infer_stretch(f, v->n_shares)) {
		f->batches = mem_calloc(f->length, sizeof(*f->batches));
		for (uint32_t p = 0; p < f->length; p++)
			f->batches[p] = copy_of_batch(
			    &old[p % length], p - p % length);
		free(old);
		f->n_shares = v->n_shares;
		if (v->has_period)
			vary_periods(v, length, times);
		else
			vary_delays(v, length, times);
		infer_list_readers(f);
	}
	free(times);
}

/* True if all that an iteration does can be done several times in one. */
static bool
may_vary(const struct found *f)
{
	bool sleeps = false;

	if (f->s->cpu_ns == 0 || f->s->n_told == 0 || !f->repeats ||
	    f->lead.ns > 0 || f->lead_is_last ||
	    f->length > MAX_VARIED / MIN_SHARES)
		return false;
	for (uint32_t p = 0; p < f->length; p++) {
		const struct found_batch *b = &f->batches[p];

		sleeps |= infer_has_pace(b, PACE_DELAY, false) ||
		    infer_has_pace(b, PACE_PERIOD, false);
	}
	return sleeps;
}

/* Lists the iterations. False: they can't be several in one. */
static bool
variation_begin(struct variation *v, struct found *f)
{
	*v = (struct variation){.f = f, .pauses = {.f = f}};
	if (!may_vary(f))
		return false;
	v->times = mem_calloc(f->n_begins, sizeof(*v->times));
	voter_init(&v->pauses.voter, f, true);
	for (uint32_t p = 0; p < f->length; p++)
		v->has_period |= infer_has_pace(
		    &f->batches[p], PACE_PERIOD, false);
	list_times(v);
	return true;
}

static void
variation_end(struct variation *v)
{
	voter_free(&v->pauses.voter);
	free(v->times);
}

uint32_t
infer_shares_of_pauses(struct found *f)
{
	struct variation v;
	uint32_t n;

	if (!variation_begin(&v, f))
		return 0;
	n = choose_shares(&v);
	variation_end(&v);
	return n;
}

void
infer_vary_pauses(struct found *f, uint32_t n_shares)
{
	struct variation v;

	if (n_shares == 0 || !variation_begin(&v, f))
		return;
	v.n_shares = n_shares;
	if (v.n / MIN_IN_SHARE >= n_shares &&
	    n_shares * f->length <= MAX_VARIED)
		make_copies(&v);
	variation_end(&v);
}
