/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the step that ends an infinite batch is: before, within or after the sleep of the
 * slot in which the batch ended, which is split for it (doc/model/infer.md "Acts").
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/ends.h"

/* An infinite batch, and where it is ended. */
struct ended_batch {
	struct place_of_end place; /* first */
	struct found_batch *batch;
	nsec early_ns; /* that it is ended before that place */
};

/* The client's sleep in a slot before a batch; NULL: none. */
static struct found_pace *
sleep_in(struct found_batch *b, uint32_t slot)
{
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].slot == slot && b->paces[i].kind != PACE_WAIT)
			return &b->paces[i];
	return NULL;
}

/* The last part of a slot's sleep behind which batches end; NULL: none. */
static const struct found_split *
last_split(const struct found_batch *b, uint32_t slot)
{
	for (uint32_t i = b->n_splits; i-- > 0;)
		if (b->splits[i].pace.slot == slot)
			return &b->splits[i];
	return NULL;
}

/* Splits the sleep of the slot where a batch ends, if both parts are long enough. */
static bool
split_sleep(const struct found *f, struct found_batch *at,
    const struct place_of_end *place)
{
	struct found_pace *sleep = sleep_in(at, place->slot);
	const struct found_split *last = last_split(at, place->slot);
	nsec from = last ? last->at : 0, ns;

	if (sleep == NULL || at->n_splits == MAX_SPLITS ||
	    !infer_is_within(f, place, from))
		return false;
	ns = place->into - from;
	if (sleep->kind == PACE_DELAY) {
		if (sleep->ns < ns + NSEC_PER_USEC)
			return false;
		sleep->ns -= ns;
	}
	at->splits[at->n_splits] = (struct found_split){*sleep, place->into};
	at->splits[at->n_splits].pace.kind = PACE_DELAY;
	at->splits[at->n_splits++].pace.ns = infer_without_slack(f->s, ns);
	return true;
}

/* True if a batch ends with the part of the sleep before it, rather than at the end of
 * the sleep. */
static bool
is_nearer_before(
    const struct found_split *last, const struct place_of_end *place)
{
	return last != NULL && !place->waited &&
	    place->into - last->at <= place->length - place->into;
}

/* Sets where in its slot a batch ends, after those that end earlier. */
static void
end_at(const struct found *f, struct found_batch *b, struct found_batch *at,
    const struct place_of_end *place)
{
	const struct found_split *last;

	b->end_at = END_EARLY;
	split_sleep(f, at, place);
	last = last_split(at, place->slot);
	if (is_nearer_before(last, place)) {
		b->end_at = END_WITHIN;
		b->end_split = (uint8_t)(last - at->splits);
	} else if (last != NULL || place->waited ||
	    place->into > place->length / 2) {
		b->end_at = END_LATE;
	}
}

/* True if a delay between an infinite batch and the slot in which it is ended has taken what
 * was carried when the batch was submitted: those at the end of an iteration are found
 * first. */
static bool
has_taken_carry(const struct found *f, const struct ended_batch *e)
{
	const struct place_of_end *place = &e->place;

	for (uint32_t p = (uint32_t)(e->batch - f->batches) + 1;
	     p <= place->position && p < f->length; p++) {
		const struct found_batch *b = &f->batches[p];

		for (uint32_t i = 0; i < b->n_paces; i++)
			if (b->paces[i].kind == PACE_DELAY &&
			    (p < place->position ||
				b->paces[i].slot <= place->slot))
				return true;
	}
	return false;
}

/* The first delay behind a slot before a batch; NULL: none. */
static struct found_pace *
delay_behind(struct found_batch *b, uint32_t slot)
{
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind == PACE_DELAY && b->paces[i].slot > slot)
			return &b->paces[i];
	return NULL;
}

/* Rounds a part of a sleep to one that is long enough, or none. */
static nsec
round_part(const struct found *f, nsec ns)
{
	nsec least = infer_shortest_delay(f);

	return ns >= least ? ns : ns > least / 2 ? least : 0;
}

/* Ends a batch as much earlier as its early_ns says; the client pauses as much longer
 * then: in a delay behind its next wait, else before it. */
static void
end_earlier(const struct found *f, struct ended_batch *e)
{
	struct place_of_end *place = &e->place;
	struct found_batch *at = &f->batches[place->position % f->length];
	struct found_pace *sleep = sleep_in(at, place->slot);
	struct found_pace *behind = delay_behind(at, place->slot);
	nsec into = place->waited ? place->length : place->into, rest;

	if (place->waited && behind != NULL && sleep != NULL &&
	    sleep->kind == PACE_DELAY &&
	    sleep->ns > e->early_ns + NSEC_PER_USEC) {
		sleep->ns -= e->early_ns;
		behind->ns += e->early_ns;
		return;
	}
	into -= nsec_earlier(into, e->early_ns);
	rest = round_part(f, place->length - into);
	if (rest >= place->length)
		return;
	place->into = place->length - rest;
	place->waited &= rest == 0;
}

/* True if two are ended in the same slot, and an engine runs one behind the other. */
static bool
is_behind(const struct found *f, const struct ended_batch *a,
    const struct ended_batch *b)
{
	const struct infer_timeline *t = f->s->timelines;

	return a->place.position == b->place.position &&
	    a->place.slot == b->place.slot &&
	    (t[a->batch->timeline].ran_on & t[b->batch->timeline].ran_on) != 0;
}

/* Pauses before an infinite batch that were too short for a delay are in one behind it, and
 * would prolong it: it is ended as much earlier, and so are those that an engine begins
 * then. */
static void
end_carried_earlier(
    const struct found *f, struct ended_batch *ended, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct ended_batch *e = &ended[i];

		if (has_taken_carry(f, e))
			e->early_ns = e->batch->carried_ns;
		for (uint32_t k = 0; k < i; k++)
			if (is_behind(f, &ended[k], e))
				e->early_ns = nsec_later(
				    e->early_ns, ended[k].early_ns);
	}
	for (uint32_t i = 0; f->s->cpu_ns > 0 && i < n; i++)
		end_earlier(f, &ended[i]);
}

void
infer_find_ends(struct found *f)
{
	struct ended_batch *ended = mem_calloc(f->length, sizeof(*ended));
	uint32_t n = 0;

	for (uint32_t p = 0; p < f->length; p++) {
		struct ended_batch *e = &ended[n];

		if (!f->batches[p].infinite)
			continue;
		e->batch = &f->batches[p];
		e->place = infer_place_of_end(f, p);
		n++;
	}
	qsort(ended, n, sizeof(*ended), infer_compare_places);
	end_carried_earlier(f, ended, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct place_of_end *place = &ended[i].place;
		struct found_batch *b = ended[i].batch;

		b->end_position = place->position;
		b->end_slot = place->slot;
		end_at(f, b, &f->batches[place->position % f->length], place);
	}
	free(ended);
}
