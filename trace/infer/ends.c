/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Infinite batches: a program ends one by a store to its memory, which is no
 * call. So the step is put where the batch ended: before the next call, and
 * before, within or after the sleep that came before that (doc/model/infer.md "Acts").
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/pauses.h"

/* The end of the client's slots between submissions after a batch. */
struct place_of_end {
	uint32_t position, slot; /* position: counted on past the length */
	nsec into, length;       /* from the slot's begin; of the slot */
	bool waited;             /* in the wait behind the slot */
};

/* The time at which a slot before request index begins or ends. */
static nsec
slot_end(const struct infer_sequence *s, uint32_t index, uint32_t first,
    uint32_t slot)
{
	uint32_t at = first + slot;

	return at < s->n_told && s->told[at].index == index
	    ? s->told[at].from
	    : s->seen[index].queued;
}

static nsec
slot_begin(const struct infer_sequence *s, uint32_t index, uint32_t first,
    uint32_t slot)
{
	return slot > 0 ? s->told[first + slot - 1].to
			: s->seen[index - 1].queued;
}

static uint32_t
acts_before(const struct infer_sequence *s, uint32_t index, uint32_t first)
{
	uint32_t n = 0;

	while (first + n < s->n_told && s->told[first + n].index == index)
		n++;
	return n;
}

bool
infer_ends_in_wait(
    const struct infer_sequence *s, const struct infer_told *told, uint32_t at)
{
	const struct seen *rq = &s->seen[at];

	return told->kind == INFER_WAIT && told->target >= at &&
	    rq->timeline == s->seen[told->target].timeline &&
	    rq->released > told->from && rq->released <= told->to;
}

/* Finds the slot in which a request ended: the first one that ends not before
 * it. False: the client did nothing more in that iteration. */
static bool
place_end(const struct found *f, uint32_t begin, uint32_t position,
    struct place_of_end *place)
{
	const struct infer_sequence *s = f->s;
	nsec end = s->seen[begin + position].released;

	for (uint32_t p = position + 1; p <= f->length && begin + p < s->n;
	     p++) {
		uint32_t index = begin + p, first = infer_first_told(s, index);
		uint32_t n = acts_before(s, index, first);

		for (uint32_t slot = 0; slot <= n; slot++) {
			nsec from = slot_begin(s, index, first, slot);
			nsec to = slot_end(s, index, first, slot);
			bool waited = to < end && slot < n &&
			    infer_ends_in_wait(
				s, &s->told[first + slot], begin + position);

			if (to < end && !waited)
				continue;
			to = nsec_later(from, to);
			*place = (struct place_of_end){p, slot,
			    end > from ? nsec_earlier(end, to) - from : 0,
			    to - from, waited};
			return true;
		}
	}
	return false;
}

static bool
is_earlier(const struct place_of_end *a, const struct place_of_end *b)
{
	if (a->position != b->position)
		return a->position < b->position;
	if (a->slot != b->slot)
		return a->slot < b->slot;
	return a->into < b->into;
}

/* Compares places, or structs that begin with one. */
static int
compare_places(const void *a, const void *b)
{
	const struct place_of_end *x = a, *y = b;

	return is_earlier(x, y) ? -1 : is_earlier(y, x);
}

/* The earliest place of all iterations is taken: a batch ends when its store is
 * seen, which may be late, not before. Where times are measured, a client may be stopped
 * anywhere, so that some iterations have it earlier: the median is taken. */
static struct place_of_end
usual_place(const struct found *f, struct place_of_end *places, uint32_t n)
{
	if (n == 0)
		return (struct place_of_end){.position = f->length};
	qsort(places, n, sizeof(*places), compare_places);
	return places[f->s->cpu_ns == 0 ? 0 : n / 2];
}

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
	nsec least = infer_shortest_delay(f), from = last ? last->at : 0;
	nsec ns;

	if (sleep == NULL || place->waited || at->n_splits == MAX_SPLITS ||
	    place->into < from + least || place->length < place->into + least)
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

/* Returns where batches of a position are ended in most iterations. */
static struct place_of_end
place_of_position(const struct found *f, uint32_t position)
{
	struct place_of_end *places = mem_calloc(
	    f->n_sampled + 1u, sizeof(*places));
	const struct found_batch *at;
	struct place_of_end best;
	uint32_t n = 0, most;

	for (uint32_t i = 0; f->repeats && i < f->n_sampled; i++) {
		uint32_t begin = f->begins[f->sampled[i]];

		if (!f->s->seen[begin + position].unfinished &&
		    place_end(f, begin, position, &places[n]))
			n++;
	}
	best = usual_place(f, places, n);
	free(places);
	at = &f->batches[best.position % f->length];
	most = best.position < f->length ? at->n_acts : at->n_before;
	if (best.slot > most)
		best = (struct place_of_end){best.position, most, 0, 0, false};
	return best;
}

static bool
is_mostly_infinite(const struct found *f, uint32_t position)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n_sampled; i++) {
		const struct seen *rq =
		    &f->s->seen[f->begins[f->sampled[i]] + position];

		n += rq->infinite && !rq->unfinished;
	}
	return n > f->n_sampled / 2;
}

void
infer_place_ends(struct found *f)
{
	for (uint32_t p = 0; p < f->length; p++) {
		struct found_batch *b = &f->batches[p];
		struct place_of_end place;

		b->infinite = is_mostly_infinite(f, p);
		if (!b->infinite)
			continue;
		place = place_of_position(f, p);
		b->end_position = place.position;
		b->end_slot = place.slot;
		b->end_at = place.waited || place.into > place.length / 2
		    ? END_LATE
		    : END_EARLY;
	}
}

/* The mean time from the submission before a position to the end of the infinite batch
 * that was submitted so many requests before that position, in ns: less than 0 where
 * most ended before that submission. Those that never polled, as their client was late,
 * count, too. */
static double
mean_to_end(const struct pauses *p, uint32_t distance)
{
	const struct found *f = p->f;
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n_begins; i++) {
		uint32_t at = f->begins[i] + p->position;
		const struct seen *rq;

		if (at < distance ||
		    (p->position == 0 && infer_is_after_gap(f, i)))
			continue;
		rq = &f->s->seen[at - distance];
		if (rq->unfinished)
			continue;
		sum += (double)rq->released - (double)f->s->seen[at - 1].queued;
		n++;
	}
	return n > 0 ? sum / n : 0;
}

double
infer_beyond_end(const struct pauses *p)
{
	const struct found *f = p->f;
	uint32_t position = p->position == 0 ? f->length : p->position;
	double sum = 0;

	for (uint32_t q = 0; q < position; q++) {
		const struct found_batch *b = &f->batches[q];

		if (!b->infinite || b->end_position != position ||
		    b->end_slot != p->slot || b->end_at != END_LATE)
			continue;
		for (uint32_t i = 0; i < p->n; i++) {
			const struct sample *sample = &p->samples[i];

			sum += (double)sample->at -
			    (double)f->s->seen[sample->index - 1].queued;
		}
		return sum / p->n - mean_to_end(p, position - q);
	}
	return 0;
}

/* An infinite batch, and where it is ended. */
struct ended_batch {
	struct place_of_end place; /* first */
	struct found_batch *batch;
};

void
infer_find_ends(struct found *f)
{
	struct ended_batch *ended = mem_calloc(f->length, sizeof(*ended));
	uint32_t n = 0;

	for (uint32_t p = 0; p < f->length; p++)
		if (f->batches[p].infinite)
			ended[n++] = (struct ended_batch){
			    place_of_position(f, p), &f->batches[p]};
	qsort(ended, n, sizeof(*ended), compare_places);
	for (uint32_t i = 0; i < n; i++) {
		const struct place_of_end *place = &ended[i].place;
		struct found_batch *b = ended[i].batch;

		b->end_position = place->position;
		b->end_slot = place->slot;
		end_at(f, b, &f->batches[place->position % f->length], place);
	}
	free(ended);
}
