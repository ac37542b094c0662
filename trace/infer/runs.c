/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts that records may leave open: how long a request ran and when it was
 * ready, and where in a client's submissions it waited.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/infer/infer_private.h"

static int
compare_starts(const void *a, const void *b)
{
	const struct seen *const *x = a, *const *y = b;

	if ((*x)->engine != (*y)->engine)
		return (*x)->engine < (*y)->engine ? -1 : 1;
	if ((*x)->start != (*y)->start)
		return (*x)->start < (*y)->start ? -1 : 1;
	return (*x)->end < (*y)->end ? -1 : (*x)->end > (*y)->end;
}

/*
 * doc/model/infer.md "Durations": an engine runs one request at a time, so a
 * request begins when the one before it on its engine has ended. One that begins
 * on an idle engine has become ready just then, or polled for its dependencies
 * until then.
 */
void
infer_runs(struct infer_book *book)
{
	struct seen **sorted = mem_calloc(book->n_seen, sizeof(*sorted));
	nsec until = 0;

	for (uint32_t i = 0; i < book->n_seen; i++)
		sorted[i] = &book->seen[i];
	qsort(sorted, book->n_seen, sizeof(struct seen *), compare_starts);
	for (uint32_t i = 0; i < book->n_seen; i++) {
		struct seen *seen = sorted[i];

		if (i == 0 || sorted[i - 1]->engine != seen->engine)
			until = 0;
		if (seen->run == NSEC_NEVER) {
			nsec start = nsec_later(seen->start, until);

			seen->run = seen->end > start ? seen->end - start : 0;
		}
		if (seen->start > until)
			seen->ready = seen->start;
		until = nsec_later(until, seen->end);
	}
	free(sorted);
}

/* The sequence of a client; NULL: it has none. */
static struct infer_sequence *
sequence_of(const struct infer_book *book, uint32_t client)
{
	uint32_t i = (uint32_t)lower_bound(
	    at, 0, book->n_sequences, book->sequences[at].client < client);

	return i < book->n_sequences && book->sequences[i].client == client
	    ? &book->sequences[i]
	    : NULL;
}

/* Notes that a wait for request target ended before the submission of the first
 * request that was queued at that time or later. */
static void
take_wait(struct infer_sequence *s, uint32_t target, nsec to_ns, size_t *cap)
{
	uint32_t at = (uint32_t)lower_bound(
	    i, target + 1, s->n, s->seen[i].queued < to_ns);
	uint32_t(*pairs)[2] = (uint32_t(*)[2])s->waits;

	pairs = mem_grow(pairs, s->n_waits, cap, sizeof(*pairs));
	pairs[s->n_waits][0] = at;
	pairs[s->n_waits++][1] = target;
	s->waits = pairs[0];
}

static int
compare_pairs(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	return x[1] < y[1] ? -1 : x[1] > y[1];
}

void
infer_take_waits(struct infer_book *book)
{
	const struct infer_input *input = book->input;
	size_t *caps = mem_calloc(book->n_sequences + 1u, sizeof(*caps));

	for (size_t i = 0; i < input->n_waits; i++) {
		const struct infer_wait *w = &input->waits[i];
		struct infer_sequence *s = sequence_of(book, w->client);

		if (s == NULL || w->to_ns > NSEC_MAX ||
		    w->request >= input->n_requests ||
		    book->place[w->request] == INFER_NONE ||
		    s != &book->sequences[book->sequence[w->request]])
			book->result->n_bad_waits++;
		else
			take_wait(s, book->place[w->request], w->to_ns,
			    &caps[s - book->sequences]);
	}
	free(caps);
	for (uint32_t i = 0; i < book->n_sequences; i++)
		if (book->sequences[i].n_waits > 0)
			qsort(book->sequences[i].waits,
			    book->sequences[i].n_waits, 2 * sizeof(uint32_t),
			    compare_pairs);
}
