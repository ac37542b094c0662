/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of an iteration's batches over all iterations: durations (doc/model/
 * infer.md "Durations"), priorities, labels.
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "parser/value.h"
#include "trace/infer/infer_private.h"

/* Durations of which the engine was not shared, by which a batch is judged. */
#define FEWEST_CERTAIN 2

static uint64_t
whole_us(nsec ns)
{
	uint64_t us = (ns + NSEC_PER_USEC / 2) / NSEC_PER_USEC;

	return us < 1 ? 1 : us > STEP_MAX_US ? STEP_MAX_US : us;
}

/* How far the mean of n even draws from a range of that width may be off. */
static double
mean_error(double width, uint32_t n)
{
	return 3 * width / sqrt(12.0 * n);
}

/* True if ranges are moved to have the mean of what was seen: a capture has those
 * that a program drew from, which a trace is not expected to. */
static bool
is_moved(const struct found *f)
{
	return f->book->input->is_trace;
}

/*
 * A range is drawn evenly, so its middle is the mean of what was seen: where chance
 * explains how far that is from the middle, the range is moved. Else it loses its
 * tail: it ends as far above the mean as the fifth percentile is below, or the other
 * way around.
 */
static void
choose_range(const struct found *f, struct found_batch *b, const nsec *runs,
    uint32_t n, double mean)
{
	nsec least = runs[0], most = runs[n - 1];
	nsec p5 = infer_quantile(runs, n, 0.05);
	nsec p95 = infer_quantile(runs, n, 0.95);
	double middle = ((double)least + (double)most) / 2;
	double half = (double)(most - least) / 2;

	if (fabs(middle - mean) > infer_thresholds.skew * mean +
		mean_error((double)(most - least), n)) {
		half = fmin(mean - (double)p5, (double)p95 - mean);
		half = fmax(0, half);
	} else if (!is_moved(f)) {
		mean = middle;
	}
	b->min_us = whole_us((nsec)fmax(0, mean - half));
	b->max_us = whole_us((nsec)(mean + fmin(half, mean)));
}

/* Sets the one value of durations. Where a whole us is too far from the mean, two
 * of them are drawn in turn if that is nearer. */
static void
choose_value(struct found_batch *b, double mean)
{
	double below = floor(mean / NSEC_PER_USEC), off;

	b->min_us = b->max_us = whole_us((nsec)mean);
	off = fabs((double)b->min_us * NSEC_PER_USEC - mean);
	if (below < 1 || below >= STEP_MAX_US ||
	    off <= infer_thresholds.rounding * mean ||
	    fabs((below + 0.5) * NSEC_PER_USEC - mean) >= off)
		return;
	b->min_us = (uint64_t)below;
	b->max_us = (uint64_t)below + 1;
	b->is_between = true;
}

static void
find_duration(
    const struct found *f, struct found_batch *b, nsec *runs, uint32_t n)
{
	double mean = 0;
	nsec p10, p50, p90;

	if (n == 0)
		runs[n++] = 0;
	for (uint32_t i = 0; i < n; i++)
		mean += (double)runs[i] / n;
	infer_sort(runs, n);
	p10 = infer_quantile(runs, n, 0.1);
	p50 = infer_quantile(runs, n, 0.5);
	p90 = infer_quantile(runs, n, 0.9);
	b->mean_ns = (nsec)mean;
	b->is_between = false;
	b->least_us = whole_us(runs[0]);
	b->most_us = whole_us(runs[n - 1]);
	b->p5_us = whole_us(infer_quantile(runs, n, 0.05));
	b->p50_us = whole_us(p50);
	b->p95_us = whole_us(infer_quantile(runs, n, 0.95));
	if ((double)(p90 - p10) <= f->s->spread * (double)p50)
		choose_value(b, mean);
	else
		choose_range(f, b, runs, n, mean);
}

/* Sets the times of further rows of a parallel slot. */
static void
find_rows(const struct found *f, uint32_t position, nsec *runs)
{
	const struct infer_input *input = f->book->input;
	struct found_batch *b = &f->batches[position];
	const struct infer_timeline *t = &f->s->timelines[b->timeline];
	struct found_batch row;

	for (uint32_t k = 1; t->is_parallel && k < t->setup->n_rows; k++) {
		uint32_t n = 0;

		for (uint32_t i = 0; i < f->n_begins; i++) {
			uint32_t at = f->begins[i] + position;
			size_t from =
			    input->requests[f->s->seen[at].record].first_row;

			if (f->s->seen[at].unfinished)
				continue;
			from += k - 1;
			runs[n++] = from < input->n_row_runs &&
				input->row_runs[from] <= NSEC_MAX
			    ? input->row_runs[from]
			    : 0;
		}
		row = *b;
		find_duration(f, &row, runs, n);
		b->row_min_us[k - 1] = row.min_us;
		b->row_max_us[k - 1] = row.max_us;
	}
}

/* Sets the flags that most requests of a position have. Flags of their ends are
 * counted over requests that have ended, if any has. */
static void
find_flags(const struct found *f, uint32_t position)
{
	struct found_batch *b = &f->batches[position];
	const struct infer_request *requests = f->book->input->requests;
	const struct infer_request *middle =
	    &requests[f->s->seen[f->begins[f->n_begins / 2] + position].record];
	uint32_t n_infinite[2] = {0}, n_fixed[2] = {0}, n[2] = {0};
	unsigned which;

	for (uint32_t i = 0; i < f->n_begins; i++) {
		const struct infer_request *r =
		    &requests[f->s->seen[f->begins[i] + position].record];

		n[r->unfinished]++;
		n_infinite[r->unfinished] += r->infinite;
		n_fixed[r->unfinished] += r->no_points;
	}
	which = n[0] == 0;
	b->infinite = n[0] > 0 && n_infinite[0] > n[0] / 2;
	b->no_points = n_fixed[which] > n[which] / 2;
	b->sseu = middle->sseu;
}

static int
compare_priorities(const void *a, const void *b)
{
	const int16_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The lowest priority that requests of a position have, but for a few: those that
 * wait for one raise its priority (doc/model/infer.md "Priorities"). */
static void
find_priority(const struct found *f, uint32_t position)
{
	struct found_batch *b = &f->batches[position];
	const struct infer_request *requests = f->book->input->requests;
	int16_t *all = mem_calloc(f->n_begins, sizeof(*all));
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n_begins; i++) {
		uint32_t at = f->begins[i] + position;
		int16_t priority = requests[f->s->seen[at].record].priority;

		if (priority >= -STEP_MAX_PRIORITY &&
		    priority <= STEP_MAX_PRIORITY)
			all[n++] = priority;
	}
	qsort(all, n, sizeof(*all), compare_priorities);
	b->priority = n > 0
	    ? all[(size_t)((double)n * (1 - infer_thresholds.explained))]
	    : INFER_NO_PRIORITY;
	for (uint32_t i = 0; i < n; i++)
		b->n_other_priorities += all[i] != b->priority;
	free(all);
}

/* Lists how long the batches of a position took for certain. Returns their number,
 * 0: there are too few. Where they differ, long ones are missing among them. */
static uint32_t
list_certain_runs(const struct found *f, uint32_t position, nsec *runs)
{
	const struct infer_request *requests = f->book->input->requests;
	uint32_t n = 0, n_all = 0;

	for (uint32_t i = 0; i < f->n_begins; i++) {
		const struct seen *s = &f->s->seen[f->begins[i] + position];

		n_all += !s->unfinished;
		if (!s->unfinished && !requests[s->record].is_doubtful)
			runs[n++] = s->run;
	}
	if (n < FEWEST_CERTAIN || n == n_all)
		return 0;
	infer_sort(runs, n);
	if (n < n_all / 2 &&
	    (double)(infer_quantile(runs, n, 0.9) -
		infer_quantile(runs, n, 0.1)) >
		f->s->spread * (double)infer_quantile(runs, n, 0.5))
		return 0;
	return n;
}

/* Lists how long the batches of a position took. Of those that had not ended the
 * time until then counts only if none has. Returns their number. */
static uint32_t
list_runs(const struct found *f, uint32_t position, nsec *runs)
{
	const struct infer_request *requests = f->book->input->requests;
	struct found_batch *b = &f->batches[position];
	uint32_t n = list_certain_runs(f, position, runs);
	bool all = n == 0;

	for (uint32_t i = 0; i < f->n_begins && all; i++) {
		const struct seen *s = &f->s->seen[f->begins[i] + position];

		if (!s->unfinished)
			runs[n++] = s->run;
	}
	b->never_ended = n == 0;
	for (uint32_t i = 0; b->never_ended && i < f->n_begins; i++) {
		uint32_t at = f->begins[i] + position;
		nsec run = requests[f->s->seen[at].record].run_ns;

		if (run <= NSEC_MAX)
			runs[n++] = run;
	}
	return n;
}

void
infer_find_values(struct found *f)
{
	nsec *runs = mem_calloc(f->n_begins, sizeof(*runs));
	const struct infer_request *requests = f->book->input->requests;

	for (uint32_t p = 0; p < f->length; p++) {
		struct found_batch *b = &f->batches[p];
		const struct seen *first = &f->s->seen[f->begins[0] + p];
		uint32_t n = list_runs(f, p, runs);

		b->timeline = first->timeline;
		b->label = requests[first->record].label;
		b->n_other_priorities = 0;
		find_duration(f, b, runs, n);
		find_priority(f, p);
		find_rows(f, p, runs);
		find_flags(f, p);
	}
	free(runs);
}
