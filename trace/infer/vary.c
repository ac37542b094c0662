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

/* The pauses of an iteration. */
struct iteration_pauses {
	uint32_t which; /* index in begins */
	nsec total;
};

struct variation {
	struct found *f;
	struct pauses pauses;
	struct iteration_pauses *iterations; /* by total */
	uint32_t n;
	double mean; /* of total, in ns */
	uint32_t n_shares;
};

static int
compare_iteration_pauses(const void *a, const void *b)
{
	const struct iteration_pauses *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? -1 : 1;
	return (x->which > y->which) - (x->which < y->which);
}

/* The pauses before a batch of an iteration. */
static nsec
paused(struct variation *v, uint32_t which, uint32_t position)
{
	v->pauses.position = v->pauses.voter.position = position;
	return infer_paused_before(&v->pauses, v->f->begins[which] + position);
}

static void
list_iterations(struct variation *v)
{
	const struct found *f = v->f;
	double sum = 0;

	for (uint32_t i = 0; i < f->n_begins; i++) {
		struct iteration_pauses *it = &v->iterations[v->n];

		if (infer_is_after_gap(f, i))
			continue;
		*it = (struct iteration_pauses){.which = i};
		for (uint32_t p = 0; p < f->length; p++)
			it->total += paused(v, i, p);
		sum += (double)it->total;
		v->n++;
	}
	v->mean = v->n > 0 ? sum / v->n : 0;
	qsort(v->iterations, v->n, sizeof(*v->iterations),
	    compare_iteration_pauses);
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
		sum += (double)v->iterations[i].total;
	return sum / (end - begin);
}

/* Returns the least number of shares of which the middle one has the median; 0: one
 * value is near enough. */
static uint32_t
choose_shares(const struct variation *v)
{
	double off = infer_mean_iteration(v->f) * MEDIAN_OFF;
	uint32_t middle = v->n / 2, n = MIN_SHARES;
	double median = v->n > 0 ? (double)v->iterations[middle].total : 0;

	if (fabs(v->mean - median) <= 2 * off)
		return 0;
	while (n < MAX_SHARES && v->n / MIN_IN_SHARE > n &&
	    fabs(mean_of_share(v, n, n / 2) - median) > off)
		n += 2;
	return n;
}

/* How much longer the pauses before a position are in a share than in all. */
static double
share_ratio(struct variation *v, uint32_t position, uint32_t share)
{
	uint32_t begin = share_begin(v, v->n_shares, share);
	uint32_t end = share_begin(v, v->n_shares, share + 1);
	double all = 0, sum = 0;

	for (uint32_t i = 0; i < v->n; i++) {
		double ns = (double)paused(v, v->iterations[i].which, position);

		all += ns;
		if (i >= begin && i < end)
			sum += ns;
	}
	return all > 0 ? sum / (end - begin) / (all / v->n) : 1;
}

/* The copy of the iteration that has a share: short and long ones alternate. */
static uint32_t
copy_of_share(const struct variation *v, uint32_t share)
{
	return share * (v->n_shares / 2) % v->n_shares;
}

/* Scales the delays before a position; *lack is what shorter shares had too much, in
 * ns. */
static void
scale_delays(const struct found *f, struct found_batch *b, double ratio,
    double lack[MAX_ALL_PACES])
{
	double cost = (double)(f->s->slack_ns + f->s->wakeup_ns);

	for (uint32_t i = 0; i < b->n_paces; i++) {
		struct found_pace *pace = &b->paces[i];
		double ns = ((double)pace->ns + cost) * ratio - cost - lack[i];
		double least = NSEC_PER_USEC;

		if (pace->kind != PACE_DELAY)
			continue;
		lack[i] = ns < least ? least - ns : 0;
		pace->ns = (nsec)(ns < least ? least : ns);
		pace->loose = true;
	}
}

/* Sets the delays of all copies; ratios are by position and share. */
static void
scale_copies(struct variation *v, uint32_t length, const double *ratios)
{
	for (uint32_t p = 0; p < length; p++) {
		double lack[MAX_ALL_PACES] = {0};

		for (uint32_t share = 0; share < v->n_shares; share++)
			scale_delays(v->f,
			    &v->f->batches[copy_of_share(v, share) * length +
				p],
			    ratios[p * v->n_shares + share], lack);
	}
}

static void
make_copies(struct variation *v)
{
	struct found *f = v->f;
	uint32_t length = f->length;
	struct found_batch *old = f->batches;
	double *ratios = mem_calloc(
	    (size_t)length * v->n_shares, sizeof(*ratios));

	for (uint32_t p = 0; p < length; p++)
		for (uint32_t share = 0; share < v->n_shares; share++)
			ratios[p * v->n_shares + share] = share_ratio(
			    v, p, share);
	if (infer_stretch(f, v->n_shares)) {
		f->batches = mem_calloc(f->length, sizeof(*f->batches));
		for (uint32_t p = 0; p < f->length; p++)
			f->batches[p] = old[p % length];
		free(old);
		f->n_shares = v->n_shares;
		scale_copies(v, length, ratios);
		infer_list_readers(f);
	}
	free(ratios);
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

		if (b->infinite || infer_has_pace(b, PACE_PERIOD, false))
			return false;
		sleeps |= infer_has_pace(b, PACE_DELAY, false);
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
	v->iterations = mem_calloc(f->n_begins, sizeof(*v->iterations));
	voter_init(&v->pauses.voter, f, true);
	list_iterations(v);
	return true;
}

static void
variation_end(struct variation *v)
{
	voter_free(&v->pauses.voter);
	free(v->iterations);
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
