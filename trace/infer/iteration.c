/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The iteration of a client: how many requests it has (doc/model/infer.md
 * "Iterations"), and where each begins. A window is as many requests as an
 * iteration has; windows are compared by their hashes.
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/infer/infer_private.h"

/* Lengths that are judged between two questions whether to stop. */
#define ASK_EVERY 64

/* Pairs of requests that a length is judged by. */
#define MAX_PAIRS 8192

/* Numbers for spreading samples; the same in each run. */
static uint32_t
next_sample(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)((*state >> 33) % n);
}

/* The properties of a request that recur one iteration later. */
struct feature {
	float run, gap;      /* binary logarithms */
	uint32_t deps, acts; /* hashes */
	uint64_t origin;
	uint32_t sseu;
	int32_t priority;
	bool infinite, no_points, unfinished, is_doubtful;
};

static uint32_t
hash_deps(const struct found *f, uint32_t index)
{
	const struct infer_book *book = f->book;
	const struct infer_input *input = book->input;
	const struct infer_request *r =
	    &input->requests[f->s->seen[index].record];
	uint32_t hash = 0;

	for (uint32_t i = 0; i < r->n_deps && i < MAX_FOUND_DEPS; i++) {
		size_t at = (size_t)r->first_dep + i;
		uint32_t on;

		if (at >= input->n_deps ||
		    input->deps[at].kind >= INFER_SIGNAL ||
		    input->deps[at].request >= input->n_requests)
			continue;
		on = book->place[input->deps[at].request];
		if (on != INFER_NONE)
			hash += (index - on) * 2654435761u;
	}
	return hash;
}

static struct feature *
list_features(const struct found *f, bool by_pauses)
{
	const struct infer_sequence *s = f->s;
	struct feature *features = mem_calloc(s->n, sizeof(*features));

	for (uint32_t i = 0; i < s->n; i++) {
		nsec gap = i > 0 ? s->seen[i].queued - s->seen[i - 1].queued
				 : 0;
		const struct infer_request *r =
		    &f->book->input->requests[s->seen[i].record];

		features[i].run = log2f((float)s->seen[i].run + 1000);
		features[i].gap = by_pauses && gap > s->cpu_ns
		    ? log2f((float)gap + 1000)
		    : 0;
		features[i].deps = f->book->input->is_trace ? 0
							    : hash_deps(f, i);
		features[i].acts = f->book->input->is_trace
		    ? 0
		    : infer_hash_acts(s, i);
		features[i].origin = r->origin;
		features[i].sseu = r->sseu;
		/* In a trace, others raise it. */
		features[i].priority = f->book->input->is_trace ? 0
								: r->priority;
		features[i].infinite = r->infinite;
		features[i].no_points = r->no_points;
		features[i].unfinished = r->unfinished;
		features[i].is_doubtful = r->is_doubtful;
		if (r->infinite)
			features[i].run = 0;
	}
	return features;
}

/* How much logarithms of runs and gaps may differ: by what one value varies. */
struct tolerance {
	double run, gap;
};

/* Returns by how much more than that two logarithms differ, at most 1. */
static double
excess(double a, double b, double tolerated)
{
	double over = fabs(a - b) - tolerated;

	return over <= 0 ? 0 : over < 1 ? over : 1;
}

/* How a request went, at most 2; one that had not ended may be like any. */
static double
outcome_difference(
    const struct tolerance *t, const struct feature *a, const struct feature *b)
{
	double tolerated = t->run + (a->is_doubtful || b->is_doubtful);

	if (a->unfinished || b->unfinished)
		return 0;
	return excess((double)a->run, (double)b->run, tolerated) +
	    (a->infinite != b->infinite || a->no_points != b->no_points);
}

/* 0 for features that are alike, to 8. */
static double
feature_difference(
    const struct tolerance *t, const struct feature *a, const struct feature *b)
{
	return outcome_difference(t, a, b) +
	    excess((double)a->gap, (double)b->gap, t->gap) +
	    (a->deps != b->deps) + (a->priority != b->priority) +
	    (a->acts != b->acts) + (a->origin != b->origin) +
	    (a->sseu != b->sseu);
}

/* True if most requests are on the timeline of the one that is length later. */
static bool
timelines_repeat(
    const struct infer_sequence *s, uint32_t length, uint32_t pairs)
{
	uint32_t n = s->n - length, same = 0;
	uint32_t tried = n < pairs ? n : pairs;
	uint64_t state = length;

	for (uint32_t i = 0; i < tried; i++) {
		uint32_t at = n <= pairs ? i : next_sample(&state, n);

		same += s->seen[at].timeline == s->seen[at + length].timeline;
	}
	return (double)same >= (double)tried * infer_thresholds.repeats;
}

static uint32_t
longest_length(const struct infer_sequence *s)
{
	uint32_t half = s->n / 2;

	return half < infer_thresholds.max_batches
	    ? half
	    : infer_thresholds.max_batches;
}

/* The least number of requests after which timelines recur; 0: none. */
static uint32_t
shortest_repeat(const struct infer_sequence *s)
{
	uint32_t longest = longest_length(s);

	for (uint32_t length = 1; length <= longest; length++) {
		if (timelines_repeat(s, length, 128) &&
		    timelines_repeat(s, length, MAX_PAIRS))
			return length;
	}
	return 0;
}

struct judgement {
	uint32_t multiple;
	double difference, error; /* mean, and its standard error */
};

/* A difference that is as good as none alike. */
#define UNLIKE 2 /* of feature_difference() */

/* In a trace requests that had not ended tell nothing: a length must be seen twice
 * without them. */
static struct judgement
judge_length(const struct found *f, const struct feature *features,
    uint32_t length, uint32_t pairs)
{
	const struct infer_sequence *s = f->s;
	const struct tolerance t = {log2(1 + s->spread), log2(1 + s->jitter)};
	uint32_t n = s->n - length;
	uint32_t tried = n < pairs ? n : pairs, counted = 0;
	double sum = 0, squares = 0, mean;
	uint64_t state = length;

	for (uint32_t i = 0; i < tried; i++) {
		uint32_t at = n <= pairs ? i : next_sample(&state, n);
		double d = feature_difference(
		    &t, &features[at], &features[at + length]);

		if (f->book->input->is_trace &&
		    (features[at].unfinished ||
			features[at + length].unfinished))
			continue;
		sum += d;
		squares += d * d;
		counted++;
	}
	if (counted == 0 ||
	    (counted < tried && (double)counted / tried * n < length))
		return (struct judgement){0, UNLIKE, 0};
	tried = counted;
	mean = sum / tried;
	return (struct judgement){
	    0, mean, sqrt(fmax(0, squares / tried - mean * mean) / tried)};
}

static int
compare_judgements(const void *a, const void *b)
{
	const struct judgement *x = a, *y = b;

	if (x->difference < y->difference || x->difference > y->difference)
		return x->difference < y->difference ? -1 : 1;
	return (x->multiple > y->multiple) - (x->multiple < y->multiple);
}

static int
compare_multiples(const void *a, const void *b)
{
	const struct judgement *x = a, *y = b;

	return (x->multiple > y->multiple) - (x->multiple < y->multiple);
}

/* Multiples that are looked at closely: the first ones, and those that look best
 * by a few pairs. */
#define FIRST_MULTIPLES 16
#define BEST_MULTIPLES  128
#define FEW_PAIRS       256

/* Judges the multiples 1 to n of length that are worth it. Returns their number;
 * of is in ascending order. */
static uint32_t
judge_multiples(const struct found *f, const struct feature *features,
    uint32_t length, struct judgement *of, uint32_t n)
{
	uint32_t kept = n < FIRST_MULTIPLES ? n : FIRST_MULTIPLES;
	uint32_t end = n - kept < BEST_MULTIPLES ? n : kept + BEST_MULTIPLES;
	bool is_stopped = false;

	for (uint32_t i = 0; i < n; i++) {
		is_stopped = is_stopped ||
		    (i % ASK_EVERY == 0 &&
			stop_is_wanted(f->book->options->stop));
		if (!is_stopped)
			of[i] = judge_length(
			    f, features, (i + 1) * length, FEW_PAIRS);
		of[i].multiple = i + 1;
	}
	qsort(of + kept, n - kept, sizeof(*of), compare_judgements);
	qsort(of, end, sizeof(*of), compare_multiples);
	for (uint32_t i = 0; i < end; i++) {
		uint32_t multiple = of[i].multiple;

		of[i] = judge_length(f, features, multiple * length, MAX_PAIRS);
		of[i].multiple = multiple;
	}
	return end;
}

/* Fewer repeats than these must be alike, as two unlike requests are no iteration,
 * and have nearly all requests. */
#define FEW_REPEATS 4
#define FEW_LEFT    0.02

/* True if a few repeats of length are no better than all requests as one
 * iteration: a trace without dependencies is better guessed at from repeats. */
static bool
is_too_few(const struct found *f, uint32_t length, double difference)
{
	uint32_t n = f->s->n;

	if (n / length >= FEW_REPEATS)
		return false;
	return difference >= UNLIKE ||
	    (f->book->input->deps_are_complete && n % length > FEW_LEFT * n &&
		n <= infer_thresholds.max_batches);
}

/* Returns the first of the multiples of length after which durations,
 * dependencies, priorities, batch objects and, by_pauses, pauses recur as well as
 * they do after any; 0: none. */
static uint32_t
best_multiple(const struct found *f, uint32_t length, bool by_pauses)
{
	uint32_t n = longest_length(f->s) / length;
	struct feature *features = list_features(f, by_pauses);
	struct judgement *of = mem_calloc(n, sizeof(*of));
	double least = INFINITY;
	uint32_t best;

	n = judge_multiples(f, features, length, of, n);
	for (uint32_t i = 0; i < n; i++)
		least = fmin(least, of[i].difference);
	for (best = 0; best + 1 < n; best++) {
		if (of[best].difference <=
		    least * 1.15 + 0.002 + 3 * of[best].error)
			break;
	}
	length *= of[best].multiple;
	if (is_too_few(f, length, of[best].difference))
		length = 0;
	free(of);
	free(features);
	return length;
}

/* hashes[i] is that of the timelines of the window at i. */
static void
hash_windows(const struct found *f, uint64_t *hashes, uint32_t n)
{
	const uint64_t factor = 0x9e3779b97f4a7c15ull;
	uint64_t hash = 0, leaving = 1;

	for (uint32_t i = 0; i < f->length; i++)
		leaving *= factor;
	for (uint32_t i = 0; i < f->s->n; i++) {
		hash = hash * factor + f->s->seen[i].timeline + 1;
		if (i >= f->length)
			hash -= leaving *
			    (f->s->seen[i - f->length].timeline + 1ull);
		if (i + 1 >= f->length && i + 1 - f->length < n)
			hashes[i + 1 - f->length] = hash;
	}
}

static int
compare_hashes(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint32_t
count_hash(const uint64_t *sorted, uint32_t n, uint64_t hash)
{
	uint32_t first = (uint32_t)lower_bound(i, 0, n, sorted[i] < hash);
	uint32_t end = (uint32_t)lower_bound(i, 0, n, sorted[i] <= hash);

	return end - first;
}

/* The first window that is about as frequent as the most frequent one. */
static uint32_t
usual_window(const uint64_t *hashes, uint32_t n)
{
	uint64_t *sorted = mem_calloc(n, sizeof(*sorted));
	uint32_t most = 0, run = 0, at = 0;

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = hashes[i];
	qsort(sorted, n, sizeof(*sorted), compare_hashes);
	for (uint32_t i = 0; i < n; i++) {
		run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
		most = run > most ? run : most;
	}
	while (at + 1 < n &&
	    count_hash(sorted, n, hashes[at]) <
		(double)most * infer_thresholds.repeats)
		at++;
	free(sorted);
	return at;
}

/* Notes where windows like the one at first begin, none over another. */
static void
cut(struct found *f, uint32_t first, const uint64_t *hashes, uint32_t n)
{
	free(f->begins);
	free(f->sampled);
	f->begins = mem_calloc(n / f->length + 1u, sizeof(*f->begins));
	f->n_begins = 0;
	for (uint32_t i = first; i < n;) {
		if (hashes[i] == hashes[first]) {
			f->begins[f->n_begins++] = i;
			i += f->length;
		} else {
			i++;
		}
	}
	f->n_sampled = f->n_begins < infer_thresholds.max_samples
	    ? f->n_begins
	    : infer_thresholds.max_samples;
	f->sampled = mem_calloc(f->n_sampled, sizeof(*f->sampled));
	for (uint32_t i = 0; i < f->n_sampled; i++)
		f->sampled[i] =
		    (uint32_t)((uint64_t)i * f->n_begins / f->n_sampled);
}

static void
cut_from(struct found *f, uint32_t first)
{
	uint32_t n = f->s->n - f->length + 1;
	uint64_t *hashes = mem_calloc(n, sizeof(*hashes));

	hash_windows(f, hashes, n);
	if (first == INFER_NONE)
		first = usual_window(hashes, n);
	cut(f, first < n ? first : n - 1, hashes, n);
	free(hashes);
}

void
infer_rotate(struct found *f, uint32_t by)
{
	uint32_t i = 0;

	if (by == 0)
		return;
	while (
	    i + 1 < f->n_begins && f->begins[i + 1] != f->begins[i] + f->length)
		i++;
	if (i + 1 < f->n_begins)
		cut_from(f, f->begins[i] + by);
}

bool
infer_stretch(struct found *f, uint32_t multiple)
{
	uint32_t i = 0;

	if (f->length > longest_length(f->s) / multiple)
		return false;
	/* The first ones that have nothing else between them. */
	while (i + multiple <= f->n_begins &&
	    f->begins[i + multiple - 1] !=
		f->begins[i] + (multiple - 1) * f->length)
		i++;
	f->length *= multiple;
	cut_from(f, f->begins[i + multiple <= f->n_begins ? i : 0]);
	return true;
}

double
infer_mean_iteration(const struct found *f)
{
	const struct seen *first = &f->s->seen[f->begins[0]];
	const struct seen *last = &f->s->seen[f->begins[f->n_begins - 1]];

	return (double)(last->queued - first->queued) /
	    (f->n_begins > 1 ? f->n_begins - 1 : 1);
}

/* The first request that is submitted at a mark or later. */
static uint32_t
request_at_mark(const struct infer_sequence *s, nsec mark)
{
	return (uint32_t)lower_bound(i, 0, s->n, s->seen[i].queued < mark);
}

/* Calls count for each two marks in a row with requests between them: the first of
 * these, and their number. */
typedef void count_marked_fn(uint32_t first, uint32_t n, void *data);

static void
each_marked(const struct found *f, count_marked_fn *count, void *data)
{
	const struct infer_input *in = f->book->input;

	for (size_t i = 0; i + 1 < in->n_marks; i++) {
		uint32_t first = request_at_mark(f->s, in->marks[i]);
		uint32_t end = request_at_mark(f->s, in->marks[i + 1]);

		if (end > first && end - first <= infer_thresholds.max_batches)
			count(first, end - first, data);
	}
}

static void
count_marked(uint32_t first, uint32_t n, void *data)
{
	uint32_t *n_of = data;

	(void)first;
	n_of[n]++;
}

struct marked {
	uint32_t length, first;
};

static void
find_marked(uint32_t first, uint32_t n, void *data)
{
	struct marked *m = data;

	if (n == m->length && m->first == INFER_NONE)
		m->first = first;
}

/* The number of requests that are most often between two marks, and the first of
 * them; length 0: there are no marks for this client. */
static struct marked
marked_iteration(const struct found *f)
{
	uint32_t most = infer_thresholds.max_batches;
	uint32_t *n_of = mem_calloc(most + 1u, sizeof(*n_of));
	struct marked m = {0, INFER_NONE};

	each_marked(f, count_marked, n_of);
	for (uint32_t n = 1; n <= most; n++)
		if (n_of[n] > n_of[m.length])
			m.length = n;
	free(n_of);
	each_marked(f, find_marked, &m);
	return m;
}

/* True if the client did other things in a few iterations each time, where times are
 * measured: what it waited for depends on how fast it was. */
static bool
acts_differ(const struct found *f)
{
	uint32_t n = 0;

	for (uint32_t p = 0; p < f->length; p++)
		n += f->batches[p].n_act_hits < f->batches[p].n_act_samples;
	return f->s->cpu_ns > 0 && f->s->n_told > 0 &&
	    f->n_begins < FEW_REPEATS && n > FEW_LEFT * f->length;
}

bool
infer_take_all(struct found *f)
{
	uint32_t n = f->s->n;
	uint32_t left = n - f->n_begins * f->length;
	bool leaves = f->n_begins == 1 && left > FEW_LEFT * n;

	if (!f->repeats || f->book->input->n_marks > 0 ||
	    !f->book->input->deps_are_complete ||
	    n > infer_thresholds.max_batches || !(leaves || acts_differ(f)))
		return false;
	f->repeats = false;
	f->length = n;
	cut_from(f, 0);
	return true;
}

void
infer_find_iteration(struct found *f, bool by_pauses)
{
	struct marked marked = marked_iteration(f);
	uint32_t n = f->s->n;

	if (marked.length > 0) {
		f->length = marked.length;
		f->repeats = true;
		cut_from(f, marked.first);
		return;
	}
	f->length = f->book->is_apart ? 0 : shortest_repeat(f->s);
	if (f->length > 0)
		f->length = best_multiple(f, f->length, by_pauses);
	f->repeats = f->length > 0;
	if (!f->repeats) {
		f->is_cut = n > infer_thresholds.max_batches;
		f->length = f->is_cut ? infer_thresholds.max_batches : n;
	}
	cut_from(f, f->repeats ? INFER_NONE : 0);
}

void
infer_found_free(struct found *f)
{
	free(f->begins);
	free(f->sampled);
	free(f->batches);
	free(f->first_reader);
	free(f->readers);
	free(f->shared);
}
