/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Infinite batches: a program ends one by a store to its memory, which is no
 * call. So the step is put where the batch ended: before the next call, and
 * before or after the sleep that came before that (doc/model/infer.md "Acts").
 */
#include "trace/infer/infer_private.h"

/* The end of the client's slots between submissions after a batch. */
struct place_of_end {
	uint32_t position, slot; /* position: counted on past the length */
	bool late;
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

/* Finds the slot in which a request ended: the first one that ends not before
 * it. */
static struct place_of_end
place_end(const struct found *f, uint32_t begin, uint32_t position)
{
	const struct infer_sequence *s = f->s;
	nsec end = s->seen[begin + position].end;

	for (uint32_t p = position + 1; p <= f->length && begin + p < s->n;
	     p++) {
		uint32_t index = begin + p, first = infer_first_told(s, index);
		uint32_t n = acts_before(s, index, first);

		for (uint32_t slot = 0; slot <= n; slot++) {
			nsec from = slot_begin(s, index, first, slot);
			nsec to = slot_end(s, index, first, slot);

			if (to >= end)
				return (struct place_of_end){p, slot,
				    end > from && end - from > (to - from) / 2};
		}
	}
	return (struct place_of_end){f->length, 0, false};
}

static bool
is_earlier(const struct place_of_end *a, const struct place_of_end *b)
{
	if (a->position != b->position)
		return a->position < b->position;
	if (a->slot != b->slot)
		return a->slot < b->slot;
	return !a->late && b->late;
}

/* The earliest place of all iterations is taken: a batch ends when its store is
 * seen, which may be late, not before. */
static void
find_termination(struct found *f, uint32_t position)
{
	struct found_batch *b = &f->batches[position];
	struct place_of_end best = {f->length, 0, false};
	bool found = false;

	for (uint32_t i = 0; f->repeats && i < f->n_sampled; i++) {
		uint32_t begin = f->begins[f->sampled[i]];
		struct place_of_end place;

		if (f->s->seen[begin + position].unfinished)
			continue;
		place = place_end(f, begin, position);
		if (!found || is_earlier(&place, &best))
			best = place;
		found = true;
	}
	if (best.position < f->length) {
		if (best.slot > f->batches[best.position].n_acts)
			best.slot = f->batches[best.position].n_acts;
	} else if (best.slot > f->batches[0].n_before) {
		best.slot = f->batches[0].n_before;
	}
	b->end_position = best.position;
	b->end_slot = best.slot;
	b->end_late = best.late;
}

void
infer_find_ends(struct found *f)
{
	for (uint32_t p = 0; p < f->length; p++)
		if (f->batches[p].infinite)
			find_termination(f, p);
}
