/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Infinite batches: a program ends one by a store to its memory, which is no
 * call. So it is placed where the batch ended: in a slot of the client's, between two of
 * its acts. Where times are measured, that is the mean of all iterations
 * (doc/model/infer.md "Acts").
 */
#include "trace/infer/ends.h"

#include <stdlib.h>

#include "base/mem.h"

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

int
infer_compare_places(const void *a, const void *b)
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
	qsort(places, n, sizeof(*places), infer_compare_places);
	return places[f->s->cpu_ns == 0 ? 0 : n / 2];
}

/* The mean time from the submission before a position to the end of the infinite batch
 * that was submitted so many requests before that position, in ns: less than 0 where
 * most ended before that submission. Those that never polled, as their client was late,
 * count, too. */
static double
mean_to_end(const struct found *f, uint32_t position, uint32_t distance)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n_begins; i++) {
		uint32_t at = f->begins[i] + position;
		const struct seen *rq;

		if (at < distance ||
		    (position == 0 && infer_is_after_gap(f, i)))
			continue;
		rq = &f->s->seen[at - distance];
		if (rq->unfinished)
			continue;
		sum += (double)rq->released - (double)f->s->seen[at - 1].queued;
		n++;
	}
	return n > 0 ? sum / n : 0;
}

/* The mean times from the submission before a position to the begin of a slot, and to its
 * end, in ns, of iterations with the usual acts. */
struct mean_slot {
	double begin, end;
};

static struct mean_slot
measure_slot(const struct found *f, uint32_t position, uint32_t slot)
{
	const struct infer_sequence *s = f->s;
	struct mean_slot sum = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t at = f->begins[f->sampled[i]] + position, first;
		nsec begin, end;
		double queued;

		if ((position == 0 && infer_is_after_gap(f, f->sampled[i])) ||
		    infer_hash_acts(s, at) != f->batches[position].act_hash)
			continue;
		first = infer_first_told(s, at);
		begin = slot_begin(s, at, first, slot);
		end = nsec_later(slot_end(s, at, first, slot), begin);
		queued = (double)s->seen[at - 1].queued;
		sum.begin += (double)begin - queued;
		sum.end += (double)end - queued;
		n++;
	}
	return n > 0 ? (struct mean_slot){sum.begin / n, sum.end / n} : sum;
}

/* Makes the place in a slot, where batches of a position are ended, the mean of all
 * iterations. */
static void
take_mean_place(
    const struct found *f, uint32_t position, struct place_of_end *place)
{
	uint32_t before = place->position % f->length;
	struct mean_slot slot = measure_slot(f, before, place->slot);
	double into = mean_to_end(f, before, place->position - position) -
	    slot.begin;

	place->length = (nsec)(slot.end - slot.begin);
	place->into = into > 0 ? nsec_earlier((nsec)into, place->length) : 0;
}

bool
infer_is_within(
    const struct found *f, const struct place_of_end *place, nsec from)
{
	nsec least = infer_shortest_delay(f);

	return !place->waited && place->into >= from + least &&
	    place->length >= place->into + least;
}

struct place_of_end
infer_place_of_end(const struct found *f, uint32_t position)
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
	if (n > 0 && f->s->cpu_ns > 0 && !best.waited)
		take_mean_place(f, position, &best);
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
		place = infer_place_of_end(f, p);
		b->end_position = place.position;
		b->end_slot = place.slot;
		b->end_at = infer_is_within(f, &place, 0)           ? END_WITHIN
		    : place.waited || place.into > place.length / 2 ? END_LATE
								    : END_EARLY;
	}
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
		return sum / p->n - mean_to_end(f, p->position, position - q);
	}
	return 0;
}
