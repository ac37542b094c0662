/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inference as a whole: records become sequences, each sequence an
 * iteration with its causes, and that a descriptor.
 */
#include "trace/infer/infer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/pauses.h"

/* An iteration is made longer so often, so that its waits can be written. */
#define MAX_STRETCHES 2
/* It is made that many times as long at most, so that pauses which are too short
 * for a delay are one together. */
#define MAX_JOINED 16
/* Share of an iteration's time that its pauses may be off. */
#define PAUSES_OFF 0.01

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
	infer_fill_waits(f);
	infer_find_acts(f);
	return infer_find_paces(f);
}

/* Adds what short pauses leave over to a delay of the iteration, the last one.
 * Returns false if there is none. */
static bool
lengthen_delay(struct found *f)
{
	for (uint32_t p = f->length; p-- > 0;) {
		struct found_batch *b = &f->batches[(p + 1) % f->length];

		for (uint32_t i = b->n_paces; i-- > 0;) {
			if (b->paces[i].kind != PACE_DELAY)
				continue;
			b->paces[i].ns += f->carry_ns;
			f->carry_ns = 0;
			return true;
		}
	}
	return false;
}

/* Measured pauses that are shorter than any delay add up: to a delay that there is,
 * half a delay is one, or those of several iterations, which are one then. */
static void
join_short_pauses(struct found *f)
{
	nsec rest = f->carry_ns, least = infer_shortest_delay(f);
	double may = PAUSES_OFF * infer_mean_iteration(f);
	uint32_t multiple;

	if (f->s->cpu_ns == 0 || !f->repeats || (double)rest <= may ||
	    rest >= least || lengthen_delay(f))
		return;
	multiple = (uint32_t)((least + rest - 1) / rest);
	if ((double)(least - rest) <= may) {
		f->rounds_carry = true;
		find_causes_of(f);
	} else if (multiple <= MAX_JOINED && multiple * 4 <= f->n_begins &&
	    infer_stretch(f, multiple)) {
		find_causes_of(f);
	}
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
	if (infer_take_all(f))
		find_causes_of(f);
	join_short_pauses(f);
}

static double
unexplained(const struct found *f)
{
	return f->n_pauses > 0 ? (double)f->n_unexplained / f->n_pauses : 0;
}

/* Finds all that does not decide how long an iteration is. */
static void
find_rest(struct found *f)
{
	infer_find_values(f);
	infer_find_uses(f);
	infer_find_ends(f);
	infer_number_contexts(f);
	if (f->book->input->is_trace)
		infer_settle_priorities(f);
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
			infer_fill_waits(f);
		}
	}
	find_rest(f);
}

/* True if a client uses objects that others use too. */
static bool
is_stage(const struct found *f)
{
	const struct infer_request *requests = f->book->input->requests;

	if (!f->repeats)
		return false;
	for (uint32_t i = 0; i < f->s->n; i++)
		if (requests[f->s->seen[i].record].n_uses > 0)
			return true;
	return false;
}

/* The fewest iterations of such a client; 0: there is none. */
static uint32_t
fewest_of_stages(const struct found *founds, uint32_t n)
{
	uint32_t fewest = 0;

	for (uint32_t i = 0; i < n; i++)
		if (is_stage(&founds[i]) &&
		    (fewest == 0 || founds[i].n_begins < fewest))
			fewest = founds[i].n_begins;
	return fewest;
}

/* Clients that pass data to each other do as many iterations, so that all end as far
 * as they came: those that did a multiple of the others' have longer ones. */
static void
join_stages(struct found *founds, uint32_t n)
{
	uint32_t fewest = fewest_of_stages(founds, n);

	for (uint32_t i = 0; fewest > 0 && i < n; i++) {
		struct found *f = &founds[i];
		uint32_t multiple = f->n_begins / fewest;

		if (multiple < 2 || multiple > MAX_JOINED ||
		    f->n_begins % fewest != 0 || !is_stage(f) ||
		    !infer_stretch(f, multiple))
			continue;
		find_causes_of(f);
		find_rest(f);
	}
}

/* Lists the dependencies on ends within an iteration. */
static void
list_deps(const struct found *f, struct infer_client *client)
{
	uint32_t n = 0;

	client->first_dep = mem_calloc(
	    f->length + 1u, sizeof(*client->first_dep));
	client->deps = mem_calloc(
	    (size_t)f->length * MAX_FOUND_DEPS, sizeof(*client->deps));
	for (uint32_t p = 0; p < f->length; p++) {
		const struct found_batch *b = &f->batches[p];

		for (uint32_t i = 0; i < b->n_deps; i++)
			if (b->deps[i].kind <= INFER_FENCE &&
			    b->deps[i].distance <= p)
				client->deps[n++] = b->deps[i].distance;
		client->first_dep[p + 1] = n;
	}
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
	    .end_ns = s->endings[s->n - 1].ns,
	    .first_ns = s->seen[f->begins[0]].queued};
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind == PACE_PERIOD)
			client->period_ns = b->paces[i].ns;
	list_deps(f, client);
}

static void
note_positions(const struct found *f, uint32_t *positions)
{
	for (uint32_t i = 0; i < f->n_begins; i++)
		for (uint32_t p = 0; p < f->length; p++)
			positions[f->s->seen[f->begins[i] + p].record] = p;
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
list_contexts(const struct found *f, uint32_t *contexts)
{
	const struct infer_sequence *s = f->s;

	for (uint32_t i = 0; i < s->n; i++)
		contexts[s->seen[i].record] =
		    s->timelines[s->seen[i].timeline].number;
}

/* False: the user stops. */
static bool
find_sequences(struct infer_book *book, struct found *founds)
{
	for (uint32_t i = 0; i < book->n_sequences; i++) {
		if (stop_is_wanted(book->options->stop))
			return false;
		founds[i] = (struct found){
		    .book = book, .s = &book->sequences[i]};
		find_all(&founds[i]);
	}
	return !stop_is_wanted(book->options->stop);
}

/* False: the user stops. */
static bool
infer_sequences(struct infer_book *book)
{
	struct infer_result *result = book->result;
	struct found *founds = mem_calloc(book->n_sequences, sizeof(*founds));
	bool finished;

	result->clients = mem_calloc(
	    book->n_sequences, sizeof(*result->clients));
	result->n_clients = book->n_sequences;
	result->positions = mem_calloc(
	    book->input->n_requests + 1, sizeof(*result->positions));
	for (size_t i = 0; i < book->input->n_requests; i++)
		result->positions[i] = INFER_NO_POSITION;
	result->contexts = mem_calloc(
	    book->input->n_requests, sizeof(*result->contexts));
	finished = find_sequences(book, founds);
	if (finished && !book->input->is_trace)
		join_stages(founds, book->n_sequences);
	if (finished)
		infer_find_phases(founds, book->n_sequences);
	for (uint32_t i = 0; finished && i < book->n_sequences; i++) {
		summarise(&founds[i], &result->clients[i]);
		note_positions(&founds[i], result->positions);
		list_contexts(&founds[i], result->contexts);
	}
	if (finished)
		infer_merge(result, founds);
	for (uint32_t i = 0; i < book->n_sequences; i++)
		infer_found_free(&founds[i]);
	free(founds);
	return finished;
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
		book.is_apart = infer_begin_apart(&book);
		usable = infer_sequences(&book);
		if (!usable)
			text_adds(err, "stopped");
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
infer_client_free(struct infer_client *client)
{
	text_free(&client->text);
	free(client->first_dep);
	free(client->deps);
}

void
infer_free(struct infer_result *result)
{
	for (size_t i = 0; i < result->n_clients; i++)
		infer_client_free(&result->clients[i]);
	free(result->clients);
	free(result->positions);
	free(result->members);
	free(result->contexts);
	*result = (struct infer_result){0};
}
