/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts and engines of a descriptor. A timeline that ran on several engines,
 * or might have, is a load balanced context of its own: all batches of one that
 * name an engine outside its map would be balanced too (doc/model/infer.md
 * "Engines").
 */
#include "parser/value.h"
#include "trace/infer/infer_private.h"

/* How many timelines the context of the first one has: they are sorted by
 * context. */
static uint32_t
timelines_of_context(const struct infer_sequence *s, uint32_t first)
{
	uint32_t end = first;

	while (end < s->n_timelines &&
	    s->timelines[end].context == s->timelines[first].context)
		end++;
	return end - first;
}

/* True if the recorded numbers can be written, with room for n more. */
static bool
numbers_can_stay(const struct infer_sequence *s, uint32_t n)
{
	return s->timelines[0].context > 0 &&
	    s->timelines[s->n_timelines - 1].context < STEP_MAX_NUMBER - n;
}

/* Direct timelines of a context have one number, *next or
 * the recorded one; a virtual one has a number of its own if it has company. */
static void
number_group(struct infer_sequence *s, uint32_t first, uint32_t n, bool keep,
    uint32_t *next)
{
	uint32_t direct = keep ? s->timelines[first].context : INFER_NONE;

	for (uint32_t i = first; i < first + n; i++) {
		struct infer_timeline *t = &s->timelines[i];

		if ((t->is_virtual || t->is_parallel) && (n > 1 || !keep)) {
			t->number = (*next)++;
			continue;
		}
		if (direct == INFER_NONE)
			direct = (*next)++;
		t->number = direct;
	}
}

void
infer_number_contexts(struct found *f)
{
	struct infer_sequence *s = (struct infer_sequence *)(uintptr_t)f->s;
	bool keep = f->book->options->keep_contexts &&
	    numbers_can_stay(s, s->n);
	uint32_t next = keep ? s->timelines[s->n_timelines - 1].context + 1 : 1;
	uint32_t n;

	for (uint32_t first = 0; first < s->n_timelines; first += n) {
		n = timelines_of_context(s, first);
		number_group(s, first, n, keep, &next);
	}
}

void
infer_print_bit(unsigned bit, bool numbered, struct text *out)
{
	unsigned class = bit / INFER_MAX_INSTANCES;
	unsigned instance = bit % INFER_MAX_INSTANCES + 1;

	engine_name_print(out,
	    (struct engine_name){.class = (uint8_t) class,
		.gt = -1,
		.instance = numbered || instance > 1 ? (int32_t)instance : 0});
}

void
infer_print_engine(const struct infer_timeline *t, struct text *out)
{
	unsigned bit = (unsigned)__builtin_ctzll(t->ran_on);

	if (t->is_virtual || t->is_parallel)
		text_adds(out, "DEFAULT");
	else
		infer_print_bit(
		    bit, bit / INFER_MAX_INSTANCES == CLASS_VCS, out);
}

static bool
has_others_of_class(uint64_t set, unsigned bit)
{
	uint64_t class = ((1ull << INFER_MAX_INSTANCES) - 1)
	    << bit / INFER_MAX_INSTANCES * INFER_MAX_INSTANCES;

	return (set & class & ~(1ull << bit)) != 0;
}

void
infer_print_set(uint64_t set, struct text *out)
{
	bool first = true;

	for (unsigned bit = 0; bit < 64; bit++) {
		unsigned class = bit / INFER_MAX_INSTANCES;

		if ((set >> bit & 1) == 0 || class >= N_CLASSES)
			continue;
		if (!first)
			text_addc(out, '|');
		/* Without a number it is all engines of the class. */
		infer_print_bit(bit,
		    (class != CLASS_RCS && class != CLASS_BCS) ||
			has_others_of_class(set, bit),
		    out);
		first = false;
	}
}

void
infer_print_map(const struct infer_timeline *t, struct text *out)
{
	infer_print_set(t->allowed | t->ran_on, out);
}

void
infer_print_rows(const struct infer_timeline *t, struct text *out)
{
	for (uint32_t row = 0; row < t->setup->n_rows; row++) {
		uint32_t first = row * t->setup->n_siblings;
		uint64_t set = 0;

		for (uint32_t i = first; i < first + t->setup->n_siblings; i++)
			set |= 1ull << (t->setup->engines[i] & 63);
		text_adds(out, row > 0 ? "/" : "");
		infer_print_set(set, out);
	}
}
