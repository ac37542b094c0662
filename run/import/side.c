/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of one side: busyness, rates, times of iterations, order. */
#include "run/import/side.h"

#include <stdlib.h>

#include "base/mem.h"

/* Ends, or starts, that are compared as a whole. */
#define LONG_SEQUENCE 16

static int
compare_side_times(const void *a, const void *b)
{
	const nsec *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int
compare_pairs(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* By engine and start. */
static int
compare_row_starts(const void *a, const void *b)
{
	const struct side_row *x = *(const struct side_row *const *)a;
	const struct side_row *y = *(const struct side_row *const *)b;

	if (x->engine != y->engine)
		return x->engine < y->engine ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* By engine and end. */
static int
compare_row_ends(const void *a, const void *b)
{
	const struct side_row *x = *(const struct side_row *const *)a;
	const struct side_row *y = *(const struct side_row *const *)b;

	if (x->engine != y->engine)
		return x->engine < y->engine ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return compare_row_starts(a, b);
}

/* The rows that ended, by engine and as compared, and their number. */
static struct side_row **
rows_by_engine(const struct side *side,
    int (*compare)(const void *a, const void *b), size_t *n)
{
	struct side_row **sorted = mem_calloc(
	    side->n + 1, sizeof(struct side_row *));

	*n = 0;
	for (size_t i = 0; i < side->n; i++)
		if (side->rows[i].end_ns != NSEC_NEVER)
			sorted[(*n)++] = &side->rows[i];
	qsort(sorted, *n, sizeof(struct side_row *), compare);
	return sorted;
}

void
side_settle_runs(struct side *side)
{
	size_t n;
	struct side_row **sorted = rows_by_engine(side, compare_row_starts, &n);
	nsec until = 0;

	for (size_t i = 0; i < n; i++) {
		struct side_row *r = sorted[i];

		if (i == 0 || sorted[i - 1]->engine != r->engine)
			until = 0;
		if (r->run_ns == NSEC_NEVER) {
			nsec start = nsec_later(r->start_ns, until);

			r->run_ns = r->end_ns > start ? r->end_ns - start : 0;
		}
		until = nsec_later(until, r->end_ns);
	}
	free(sorted);
}

static void
measure_engines(const struct side *side, struct side_figures *f)
{
	double span = side->span_ns > 0 ? (double)side->span_ns : 1;

	for (size_t i = 0; i < side->n; i++) {
		const struct side_row *r = &side->rows[i];

		if (r->end_ns == NSEC_NEVER)
			continue;
		f->busy[r->engine] += 100 * (double)r->run_ns / span;
		f->batches[r->engine] += 1e9 / span;
	}
}

static uint64_t
descriptor_of(const struct side_row *r)
{
	return r->descriptor & 0xfffffff;
}

/* The pairs of rows that follow each other on an engine, sorted. */
static uint64_t *
list_pairs(struct side_row **rows, size_t n, size_t *n_pairs)
{
	uint64_t *pairs = mem_calloc(n + 1, sizeof(*pairs));

	*n_pairs = 0;
	for (size_t i = 1; i < n; i++)
		if (rows[i]->engine == rows[i - 1]->engine)
			pairs[(*n_pairs)++] = (uint64_t)rows[i]->engine << 56 |
			    descriptor_of(rows[i - 1]) << 28 |
			    descriptor_of(rows[i]);
	qsort(pairs, *n_pairs, sizeof(*pairs), compare_pairs);
	return pairs;
}

static uint64_t
mix_in(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

/* Hashes the last length rows up to rows[last], with their places in iterations. */
static uint64_t
hash_places(struct side_row **rows, size_t last, size_t length)
{
	uint64_t hash = length;

	for (size_t i = last + 1 - length; i <= last; i++) {
		hash = mix_in(hash, rows[i]->descriptor);
		hash = mix_in(hash, rows[i]->position);
	}
	return mix_in(hash, rows[last]->engine);
}

/* Adds what follows what on each engine: all sequences of two rows, which chance
 * changes little, and long ones, which are equal only where all is. */
static void
add_sequences(
    struct side_figures *f, struct side_row **rows, size_t n, uint64_t kind)
{
	size_t same = 0; /* rows of the engine, up to this one */

	for (size_t i = 0; i < n; i++) {
		bool first = i == 0 || rows[i]->engine != rows[i - 1]->engine;

		same = first ? 1 : same + 1;
		if (same >= 2)
			f->sequences[f->n_sequences++] = mix_in(
			    hash_places(rows, i, 2), kind);
		if (same >= LONG_SEQUENCE)
			f->sequences[f->n_sequences++] = mix_in(
			    hash_places(rows, i, LONG_SEQUENCE), kind);
	}
}

static void
measure_order(const struct side *side, struct side_figures *f)
{
	size_t n;
	struct side_row **sorted = rows_by_engine(side, compare_row_starts, &n);

	f->pairs = list_pairs(sorted, n, &f->n_pairs);
	f->sequences = mem_calloc(4 * n + 1, sizeof(*f->sequences));
	if (side->has_starts)
		add_sequences(f, sorted, n, 0);
	free(sorted);
	sorted = rows_by_engine(side, compare_row_ends, &n);
	add_sequences(f, sorted, n, 1);
	free(sorted);
	qsort(
	    f->sequences, f->n_sequences, sizeof(*f->sequences), compare_pairs);
}

/* The times of one descriptor. */
struct side_times {
	nsec *frames, *waits, *criticals;
	size_t n_frames, n_waits, n_criticals, n_missed;
	double rate;
	uint32_t n_clones;
};

/* Iterations that take so much longer than their period have missed it. */
#define LATE_SHARE 0.05
#define LATE_NS    (50 * NSEC_PER_USEC)

static void
add_frame(struct side_times *t, nsec took, nsec period)
{
	t->frames[t->n_frames++] = took;
	t->n_missed += took >
	    period + LATE_NS + (nsec)(LATE_SHARE * (double)period);
}

static void
take_waits(struct side_times *t, const struct side_row *const *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		nsec from = rows[i]->ready_ns != NSEC_NEVER
		    ? rows[i]->ready_ns
		    : rows[i]->queued_ns;

		if (rows[i]->end_ns == NSEC_NEVER)
			continue;
		t->waits[t->n_waits++] = rows[i]->start_ns > from
		    ? rows[i]->start_ns - from
		    : 0;
	}
}

/* The submissions of one client: rows[0] to rows[n - 1]. */
static void
take_frames(struct side_times *t, const struct side_row *const *rows, size_t n,
    const struct infer_client *client)
{
	size_t length = client->n_batches;
	size_t n_whole = length > 0 ? (n - 1) / length : 0;

	for (size_t i = 0; i < n_whole; i++)
		add_frame(t,
		    rows[(i + 1) * length]->queued_ns -
			rows[i * length]->queued_ns,
		    client->period_ns);
	if (n_whole > 0) {
		nsec took = rows[n_whole * length]->queued_ns -
		    rows[0]->queued_ns;

		t->rate += took > 0 ? (double)n_whole * 1e9 / (double)took : 0;
	}
	t->n_clones++;
}

/* True if rows are all the batches of an iteration, and have ended. */
static bool
is_iteration(const struct side_row *const *rows, size_t n, size_t length)
{
	if (length == 0 || length > n)
		return false;
	for (size_t p = 0; p < length; p++)
		if (rows[p]->position != p || rows[p]->end_ns == NSEC_NEVER)
			return false;
	return true;
}

static void
take_criticals(struct side_times *t, const struct side_row *const *rows,
    size_t n, const struct infer_client *client)
{
	for (size_t i = 0; i < n;) {
		if (rows[i]->position != 0 ||
		    !is_iteration(&rows[i], n - i, client->n_batches)) {
			i++;
			continue;
		}
		t->criticals[t->n_criticals++] = side_critical_path(
		    &rows[i], client);
		i += client->n_batches;
	}
}

static double
quantile_us(nsec *times, size_t n, double share)
{
	if (n == 0)
		return 0;
	qsort(times, n, sizeof(*times), compare_side_times);
	return (double)times[(size_t)((double)(n - 1) * share)] / 1e3;
}

/* By descriptor, client and submission. */
static int
compare_clients(const void *a, const void *b)
{
	const struct side_row *x = *(const struct side_row *const *)a;
	const struct side_row *y = *(const struct side_row *const *)b;

	if (x->descriptor != y->descriptor)
		return x->descriptor < y->descriptor ? -1 : 1;
	if (x->client != y->client)
		return x->client < y->client ? -1 : 1;
	if (x->queued_ns != y->queued_ns)
		return x->queued_ns < y->queued_ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void
summarise_times(struct side_times *t, struct side_client *c)
{
	if (t->n_clones > 0)
		c->rate = t->rate / t->n_clones;
	c->frame_p50_us = quantile_us(t->frames, t->n_frames, 0.5);
	c->frame_p99_us = quantile_us(t->frames, t->n_frames, 0.99);
	c->wait_p50_us = quantile_us(t->waits, t->n_waits, 0.5);
	c->critical_p50_us = quantile_us(t->criticals, t->n_criticals, 0.5);
	if (t->n_frames > 0)
		c->missed = 100 * (double)t->n_missed / (double)t->n_frames;
	*t = (struct side_times){
	    .frames = t->frames, .waits = t->waits, .criticals = t->criticals};
}

static void
measure_clients(const struct side *side, const struct infer_client *clients,
    struct side_figures *f)
{
	const struct side_row **rows = mem_calloc(
	    side->n + 1, sizeof(struct side_row *));
	struct side_times t = {.frames = mem_calloc(side->n + 1, sizeof(nsec)),
	    .waits = mem_calloc(side->n + 1, sizeof(nsec)),
	    .criticals = mem_calloc(side->n + 1, sizeof(nsec))};
	size_t end;

	for (size_t i = 0; i < side->n; i++)
		rows[i] = &side->rows[i];
	qsort(rows, side->n, sizeof(struct side_row *), compare_clients);
	for (size_t i = 0; i < side->n; i = end) {
		uint32_t d = rows[i]->descriptor;

		for (end = i; end < side->n && rows[end]->descriptor == d &&
		     rows[end]->client == rows[i]->client;
		     end++)
			;
		take_frames(&t, &rows[i], end - i, &clients[d]);
		take_waits(&t, &rows[i], end - i);
		take_criticals(&t, &rows[i], end - i, &clients[d]);
		if (end == side->n || rows[end]->descriptor != d)
			summarise_times(&t, &f->clients[d]);
	}
	free(t.frames);
	free(t.waits);
	free(t.criticals);
	free(rows);
}

void
side_measure(const struct side *side, const struct infer_client *clients,
    size_t n, struct side_figures *figures)
{
	*figures = (struct side_figures){
	    .clients = mem_calloc(n + 1, sizeof(*figures->clients)),
	    .n_clients = n};
	measure_engines(side, figures);
	measure_order(side, figures);
	measure_clients(side, clients, figures);
}

double
side_same_order(
    const struct side_figures *a, const struct side_figures *b, unsigned engine)
{
	size_t i = 0, k = 0, same = 0, n_a = 0, n_b = 0;

	for (size_t x = 0; x < a->n_pairs; x++)
		n_a += a->pairs[x] >> 56 == engine;
	for (size_t x = 0; x < b->n_pairs; x++)
		n_b += b->pairs[x] >> 56 == engine;
	while (i < a->n_pairs && k < b->n_pairs) {
		if (a->pairs[i] == b->pairs[k]) {
			same += a->pairs[i] >> 56 == engine;
			i++, k++;
		} else if (a->pairs[i] < b->pairs[k]) {
			i++;
		} else {
			k++;
		}
	}
	n_a = n_a > n_b ? n_a : n_b;
	return n_a > 0 ? 100 * (double)same / (double)n_a : 100;
}

double
side_unlike_order(const struct side_figures *a, const struct side_figures *b)
{
	size_t i = 0, k = 0, same = 0;
	size_t most = a->n_sequences > b->n_sequences ? a->n_sequences
						      : b->n_sequences;

	while (i < a->n_sequences && k < b->n_sequences) {
		bool is_same = a->sequences[i] == b->sequences[k];
		bool is_less = a->sequences[i] < b->sequences[k];

		same += is_same;
		i += is_same || is_less;
		k += is_same || !is_less;
	}
	return most > 0 ? 100 * (double)(most - same) / (double)most : 0;
}

void
side_figures_free(struct side_figures *figures)
{
	free(figures->sequences);
	free(figures->clients);
	free(figures->pairs);
}

void
side_free(struct side *side)
{
	free(side->rows);
}
