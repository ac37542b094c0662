/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inference as a whole: records become sequences, each sequence an
 * iteration with its causes, and that a descriptor.
 */
#include "trace/infer/infer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/infer_private.h"

/* An iteration is made longer so often, so that its waits can be written. */
#define MAX_STRETCHES 2

static void
reset_batches(struct found *f)
{
	free(f->batches);
	f->batches = mem_calloc(f->length, sizeof(*f->batches));
	f->n_dropped_deps = f->n_objects = 0;
	for (uint32_t p = 0; p < f->length; p++)
		f->batches[p].timeline = f->s->seen[f->begins[0] + p].timeline;
}

/* How many requests later iterations begin if the client has done nothing else
 * since it began; INFER_NONE: not known. */
static uint32_t
start_of_client(const struct found *f)
{
	const struct infer_input *input = f->book->input;
	uint64_t earlier = input->requests[f->s->seen[0].record].n_earlier;
	uint64_t phase = (earlier + f->begins[0]) % f->length;

	if (!input->from_start)
		return INFER_NONE;
	return phase == 0 ? 0 : f->length - (uint32_t)phase;
}

/* How many requests later iterations should begin. */
static uint32_t
choose_start(const struct found *f)
{
	uint32_t start = start_of_client(f);
	bool from_first = start == 0 && f->begins[0] == 0;

	return from_first && !infer_fences_cross(f)
	    ? 0
	    : infer_best_start(f, start);
}

/* Finds dependencies and pauses of the iteration that f has. Returns the multiple
 * of its length that would be needed. */
static uint32_t
find_causes_of(struct found *f)
{
	uint32_t start;

	reset_batches(f);
	infer_find_deps(f);
	start = choose_start(f);
	if (start > 0 && f->n_begins > 1) {
		infer_rotate(f, start);
		reset_batches(f);
		infer_find_deps(f);
	}
	infer_settle_crossing_deps(f);
	infer_find_acts(f);
	return infer_find_paces(f);
}

static void
find_all_of(struct found *f, bool by_pauses)
{
	uint32_t multiple;

	infer_find_iteration(f, by_pauses);
	for (unsigned i = 0; i <= MAX_STRETCHES; i++) {
		multiple = find_causes_of(f);
		if (multiple == 1 || !infer_stretch(f, multiple))
			break;
	}
}

static double
unexplained(const struct found *f)
{
	return f->n_pauses > 0 ? (double)f->n_unexplained / f->n_pauses : 0;
}

/* The shortest iteration of which causes explain the pauses; else the one that
 * has the same pauses each time, if they are explained better then. */
static void
find_all(struct found *f)
{
	struct found longer = {.book = f->book, .s = f->s};

	find_all_of(f, false);
	if (unexplained(f) > 1 - infer_thresholds.explained) {
		find_all_of(&longer, true);
		if (unexplained(&longer) < unexplained(f) / 2) {
			infer_found_free(f);
			*f = longer;
		} else {
			infer_found_free(&longer);
		}
	}
	infer_find_values(f);
	infer_find_ends(f);
	infer_number_contexts(f);
}

static void
summarise(const struct found *f, struct infer_client *client)
{
	const struct infer_sequence *s = f->s;
	const struct found_batch *b = &f->batches[0];

	*client = (struct infer_client){.client = s->client,
	    .n_clones = 1,
	    .n_batches = f->length,
	    .n_iterations = f->n_begins,
	    .n_requests = s->n,
	    .n_explained = (uint64_t)f->n_begins * f->length,
	    .begin_ns = s->seen[0].queued,
	    .end_ns = s->endings[s->n - 1].ns};
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind == PACE_PERIOD)
			client->period_ns = b->paces[i].ns;
}

/* Dependencies of a request that are looked at. */
#define MAX_COUNTED 256

static void
count_bad_deps(const struct infer_book *book)
{
	const struct infer_input *input = book->input;

	for (uint32_t i = 0; i < book->n_seen; i++) {
		uint32_t at = book->seen[i].record;
		const struct infer_request *r = &input->requests[at];

		for (uint32_t k = 0; k < r->n_deps && k < MAX_COUNTED; k++) {
			size_t which = (size_t)r->first_dep + k;
			uint32_t on = which < input->n_deps &&
				input->deps[which].kind != INFER_SIGNAL
			    ? input->deps[which].request
			    : INFER_NONE;
			bool kept = on < input->n_requests &&
			    book->place[on] != INFER_NONE;

			if (which < input->n_deps &&
			    input->deps[which].kind == INFER_SIGNAL)
				continue;
			if (kept && input->requests[on].client != r->client)
				book->result->n_foreign_deps++;
			else if (!kept || book->place[on] >= book->place[at])
				book->result->n_bad_deps++;
		}
	}
}

static void
infer_sequences(struct infer_book *book)
{
	struct infer_result *result = book->result;
	struct found *founds = mem_calloc(book->n_sequences, sizeof(*founds));

	result->clients = mem_calloc(
	    book->n_sequences, sizeof(*result->clients));
	result->n_clients = book->n_sequences;
	for (uint32_t i = 0; i < book->n_sequences; i++) {
		founds[i] = (struct found){
		    .book = book, .s = &book->sequences[i]};
		find_all(&founds[i]);
		summarise(&founds[i], &result->clients[i]);
	}
	infer_merge(result, founds);
	for (uint32_t i = 0; i < book->n_sequences; i++)
		infer_found_free(&founds[i]);
	free(founds);
}

bool
infer(const struct infer_input *input, const struct infer_options *options,
    struct infer_result *result, struct text *err)
{
	struct infer_book book = {
	    .input = input, .options = options, .result = result};
	bool usable;

	*result = (struct infer_result){0};
	usable = infer_prepare(&book);
	if (usable) {
		count_bad_deps(&book);
		infer_sequences(&book);
	} else {
		text_addf(err,
		    "no request can be used: expected one with an engine, an"
		    " end and a time before it; %zu have no engine, %zu no"
		    " times",
		    (size_t)result->n_engineless, (size_t)result->n_incomplete);
	}
	infer_book_free(&book);
	return usable;
}

void
infer_free(struct infer_result *result)
{
	for (size_t i = 0; i < result->n_clients; i++)
		text_free(&result->clients[i].text);
	free(result->clients);
	*result = (struct infer_result){0};
}
