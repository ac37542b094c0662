/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records to sequences: drops what cannot be used and counts it, puts the times
 * of a request in order, sorts requests by client and submission, and numbers
 * the timelines of each client.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/infer/infer_private.h"

static bool
has_engine(const struct infer_request *r)
{
	return r->class < N_CLASSES && r->instance >= 1 &&
	    r->instance <= INFER_MAX_INSTANCES;
}

/* Fills times that are missing from those that are there, and puts them in
 * order. False: too few are there. */
static bool
order_times(const struct infer_request *r, struct seen *seen)
{
	nsec end = r->end_ns;
	nsec start = r->start_ns;

	if (end > NSEC_MAX)
		return false;
	if (start > NSEC_MAX && r->run_ns <= end)
		start = end - r->run_ns;
	if (start > NSEC_MAX)
		start = r->ready_ns <= NSEC_MAX ? r->ready_ns : r->queued_ns;
	if (start > NSEC_MAX)
		return false;
	seen->end = seen->released = end;
	seen->infinite = r->infinite;
	if (r->infinite && r->released_ns > 0)
		seen->released = nsec_earlier(end, r->released_ns);
	seen->start = nsec_earlier(start, end);
	seen->ready = r->ready_ns <= NSEC_MAX
	    ? nsec_earlier(r->ready_ns, seen->start)
	    : NSEC_NEVER;
	seen->queued = nsec_earlier(
	    r->queued_ns, nsec_earlier(seen->ready, seen->start));
	seen->run = r->run_ns <= NSEC_MAX ? r->run_ns : NSEC_NEVER;
	return true;
}

/* Takes a request that had not ended. False: it cannot be used. */
static bool
take_unfinished(const struct infer_request *r, struct seen *seen)
{
	if (!r->unfinished || r->queued_ns > NSEC_MAX || r->allowed == 0)
		return false;
	*seen = (struct seen){.queued = r->queued_ns,
	    .ready = r->queued_ns,
	    .start = r->queued_ns,
	    .end = r->queued_ns,
	    .engine = (uint32_t)__builtin_ctzll(r->allowed),
	    .unfinished = true};
	return true;
}

static void
take_records(struct infer_book *book)
{
	const struct infer_input *input = book->input;

	for (size_t i = 0; i < input->n_requests; i++) {
		const struct infer_request *r = &input->requests[i];
		struct seen *seen = &book->seen[book->n_seen];

		if (take_unfinished(r, seen)) {
			seen->record = (uint32_t)i;
			book->n_seen++;
		} else if (!has_engine(r)) {
			book->result->n_engineless++;
		} else if (!order_times(r, seen)) {
			book->result->n_incomplete++;
		} else {
			seen->record = (uint32_t)i;
			seen->engine = r->class * INFER_MAX_INSTANCES +
			    r->instance - 1u;
			book->n_seen++;
		}
	}
}

static int
compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
compare_seen(const void *a, const void *b, void *data)
{
	const struct infer_request *requests = data;
	const struct seen *x = a, *y = b;
	int order = compare_numbers(
	    requests[x->record].client, requests[y->record].client);

	if (order == 0)
		order = compare_numbers(x->queued, y->queued);
	return order != 0 ? order : compare_numbers(x->record, y->record);
}

/* True if b tells of the same request as a: an engine does not run two of one
 * timeline at the same time. */
static bool
is_duplicate(const struct infer_request *requests, const struct seen *a,
    const struct seen *b)
{
	const struct infer_request *x = &requests[a->record];
	const struct infer_request *y = &requests[b->record];

	return x->client == y->client && x->context == y->context &&
	    x->slot == y->slot && a->engine == b->engine &&
	    a->queued == b->queued && a->start == b->start &&
	    a->end == b->end && a->start < a->end;
}

/* Number of next requests, queued at the same time, that a request is compared
 * with: duplicates come from readers that saw one request twice. */
#define DUPLICATE_REACH 8

static void
drop_duplicates(struct infer_book *book)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < book->n_seen; i++) {
		uint32_t k = kept;
		bool is_new = true;

		while (is_new && k > 0 && kept - k < DUPLICATE_REACH &&
		    book->seen[k - 1].queued == book->seen[i].queued)
			is_new = !is_duplicate(book->input->requests,
			    &book->seen[--k], &book->seen[i]);
		if (is_new)
			book->seen[kept++] = book->seen[i];
	}
	book->result->n_duplicates = book->n_seen - kept;
	book->n_seen = kept;
}

static void
split(struct infer_book *book)
{
	const struct infer_request *requests = book->input->requests;
	size_t cap = 0;

	for (uint32_t i = 0; i < book->n_seen; i++) {
		uint32_t client = requests[book->seen[i].record].client;
		struct infer_sequence *s;

		if (i == 0 ||
		    book->sequences[book->n_sequences - 1].client != client) {
			book->sequences = mem_grow(book->sequences,
			    book->n_sequences, &cap, sizeof(*book->sequences));
			book->sequences[book->n_sequences++] =
			    (struct infer_sequence){
				.client = client, .seen = &book->seen[i]};
		}
		s = &book->sequences[book->n_sequences - 1];
		book->place[book->seen[i].record] = s->n++;
		book->sequence[book->seen[i].record] = book->n_sequences - 1;
	}
}

static int
compare_timelines(const void *a, const void *b, void *data)
{
	const struct infer_request *requests = data;
	const struct seen *const *x = a, *const *y = b;
	const struct infer_request *p = &requests[(*x)->record];
	const struct infer_request *q = &requests[(*y)->record];

	if (p->context != q->context)
		return p->context < q->context ? -1 : 1;
	if (p->slot != q->slot)
		return p->slot < q->slot ? -1 : 1;
	return compare_numbers((uintptr_t)*x, (uintptr_t)*y);
}

static bool
is_of_timeline(
    const struct infer_timeline *timeline, const struct infer_request *r)
{
	return timeline->context == r->context && timeline->slot == r->slot;
}

static void
number_timelines(const struct infer_book *book, struct infer_sequence *s)
{
	const struct infer_request *requests = book->input->requests;
	struct seen **sorted = mem_calloc(s->n, sizeof(*sorted));
	struct infer_timeline *t = NULL;
	uint32_t before = INFER_NONE;
	size_t cap = 0;

	for (uint32_t i = 0; i < s->n; i++)
		sorted[i] = &s->seen[i];
	qsort_r(sorted, s->n, sizeof(struct seen *), compare_timelines,
	    (void *)(uintptr_t)requests);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct infer_request *r = &requests[sorted[i]->record];

		if (t == NULL || !is_of_timeline(t, r)) {
			s->timelines = mem_grow(s->timelines, s->n_timelines,
			    &cap, sizeof(*s->timelines));
			t = &s->timelines[s->n_timelines++];
			*t = (struct infer_timeline){
			    .context = r->context, .slot = r->slot};
			before = INFER_NONE;
		}
		/* Not every request may know it. */
		if (t->setup == NULL)
			t->setup = r->setup;
		t->ran_on |= __builtin_popcountll(r->allowed) == 1
		    ? r->allowed
		    : 1ull << sorted[i]->engine;
		t->allowed |= r->allowed;
		t->is_parallel = t->setup != NULL && t->setup->n_rows > 1 &&
		    t->setup->n_rows <= INFER_MAX_ROWS;
		t->is_virtual = !t->is_parallel &&
		    __builtin_popcountll(t->ran_on | t->allowed) > 1;
		sorted[i]->timeline = s->n_timelines - 1;
		s->before[sorted[i] - s->seen] = before;
		before = (uint32_t)(sorted[i] - s->seen);
	}
	free(sorted);
}

static int
compare_endings(const void *a, const void *b)
{
	const struct infer_ending *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return compare_numbers(x->index, y->index);
}

static void
index_sequence(const struct infer_book *book, struct infer_sequence *s)
{
	bool exact = book->options->exact;
	const struct infer_thresholds *t = &infer_thresholds;

	s->near_ns = exact ? t->near_exact_ns : t->near_ns;
	s->cpu_ns = exact ? t->cpu_exact_ns : t->cpu_ns;
	s->spread = exact ? t->spread_exact : t->spread;
	s->jitter = exact ? t->jitter_exact : t->jitter;
	s->submit_ns = book->options->submit_ns;
	s->wakeup_ns = book->options->wakeup_ns;
	s->slack_ns = book->options->slack_ns;
	s->endings = mem_calloc(s->n, sizeof(*s->endings));
	s->before = mem_calloc(s->n, sizeof(*s->before));
	for (uint32_t i = 0; i < s->n; i++)
		s->endings[i] = (struct infer_ending){s->seen[i].end, i};
	qsort(s->endings, s->n, sizeof(*s->endings), compare_endings);
	number_timelines(book, s);
}

bool
infer_prepare(struct infer_book *book)
{
	size_t n = book->input->n_requests;

	book->seen = mem_calloc(n, sizeof(*book->seen));
	book->place = mem_calloc(n, sizeof(*book->place));
	book->sequence = mem_calloc(n, sizeof(*book->sequence));
	for (size_t i = 0; i < n; i++)
		book->place[i] = INFER_NONE;
	take_records(book);
	qsort_r(book->seen, book->n_seen, sizeof(*book->seen), compare_seen,
	    (void *)(uintptr_t)book->input->requests);
	drop_duplicates(book);
	split(book);
	infer_runs(book);
	for (uint32_t i = 0; i < book->n_sequences; i++)
		index_sequence(book, &book->sequences[i]);
	infer_take_acts(book);
	return book->n_seen > 0;
}

void
infer_book_free(struct infer_book *book)
{
	for (uint32_t i = 0; i < book->n_sequences; i++) {
		free(book->sequences[i].endings);
		free(book->sequences[i].timelines);
		free(book->sequences[i].before);
		free(book->sequences[i].told);
		free(book->sequences[i].raw);
	}
	free(book->sequences);
	free(book->seen);
	free(book->place);
	free(book->sequence);
}
