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

/*
 * A range is drawn evenly, so its middle must be the mean of what was seen. Where
 * it is not, the range loses its tail: it ends as far above the mean as the
 * fifth percentile is below, or the other way around.
 */
static void
choose_range(struct found_batch *b, const nsec *runs, uint32_t n, double mean)
{
	nsec least = runs[0], most = runs[n - 1];
	nsec p5 = infer_quantile(runs, n, 0.05);
	nsec p95 = infer_quantile(runs, n, 0.95);
	double middle = ((double)least + (double)most) / 2;
	double half;

	if (fabs(middle - mean) > infer_thresholds.skew * mean +
		mean_error((double)(most - least), n)) {
		half = fmin(mean - (double)p5, (double)p95 - mean);
		half = fmax(0, half);
		least = (nsec)(mean - half);
		most = (nsec)(mean + half);
	}
	b->min_us = whole_us(least);
	b->max_us = whole_us(most);
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
	b->least_us = whole_us(runs[0]);
	b->most_us = whole_us(runs[n - 1]);
	b->p5_us = whole_us(infer_quantile(runs, n, 0.05));
	b->p50_us = whole_us(p50);
	b->p95_us = whole_us(infer_quantile(runs, n, 0.95));
	if ((double)(p90 - p10) <= f->s->spread * (double)p50)
		b->min_us = b->max_us = whole_us((nsec)mean);
	else
		choose_range(b, runs, n, mean);
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

/* What most requests of a position have; of how they went only those that have
 * ended know, if any has. */
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
	b->infinite = n_infinite[which] > n[which] / 2;
	b->no_points = n_fixed[which] > n[which] / 2;
	b->sseu = middle->sseu;
}

/* The priority that most requests of a position have (Boyer and Moore: the one
 * left when unlike ones cancel out). */
static void
find_priority(const struct found *f, uint32_t position)
{
	struct found_batch *b = &f->batches[position];
	const struct infer_request *requests = f->book->input->requests;
	uint32_t votes = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < f->n_begins; i++) {
			uint32_t at = f->begins[i] + position;
			int32_t priority =
			    requests[f->s->seen[at].record].priority;

			if (pass == 1) {
				b->n_other_priorities += priority !=
				    b->priority;
			} else if (votes == 0) {
				b->priority = priority;
				votes = 1;
			} else {
				votes += priority == b->priority ? 1u : -1u;
			}
		}
	}
	if (b->priority < -STEP_MAX_PRIORITY || b->priority > STEP_MAX_PRIORITY)
		b->priority = INFER_NO_PRIORITY;
}

void
infer_find_values(struct found *f)
{
	nsec *runs = mem_calloc(f->n_begins, sizeof(*runs));
	const struct infer_request *requests = f->book->input->requests;

	for (uint32_t p = 0; p < f->length; p++) {
		struct found_batch *b = &f->batches[p];
		const struct seen *first = &f->s->seen[f->begins[0] + p];

		uint32_t n = 0;

		for (uint32_t i = 0; i < f->n_begins; i++) {
			const struct seen *s = &f->s->seen[f->begins[i] + p];

			if (!s->unfinished)
				runs[n++] = s->run;
		}
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
