/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Acts that the records have, as those of an iteration: before each of its
 * batches the client does the same each time, in most iterations (doc/model/
 * infer.md "Acts").
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/infer/infer_private.h"

uint32_t
infer_first_told(const struct infer_sequence *s, uint32_t index)
{
	return (uint32_t)lower_bound(i, 0, s->n_told, s->told[i].index < index);
}

/* How many fences were made from the one that is meant to that place. */
static uint32_t
count_made(const struct infer_sequence *s, uint32_t maker, uint32_t before)
{
	uint32_t n = 0;

	for (uint32_t i = maker; i < before; i++)
		n += s->told[i].kind == INFER_MADE;
	return n;
}

bool
infer_heard_of_end(const struct infer_sequence *s, const struct infer_told *t)
{
	nsec end;

	if (s->cpu_ns > 0 || s->wakeup_ns == 0 || t->kind != INFER_WAIT ||
	    s->seen[t->target].infinite)
		return false;
	end = s->seen[t->target].end;
	return end <= t->from && t->from - end <= s->wakeup_ns;
}

/* Where times are measured, a wait for what has ended takes time, too. */
bool
infer_slept_in(const struct infer_sequence *s, const struct infer_told *t)
{
	if (t->kind != INFER_WAIT)
		return false;
	return s->cpu_ns > 0 ? s->seen[t->target].end > t->from
			     : t->to > t->from || infer_heard_of_end(s, t);
}

static struct found_act
act_of_told(const struct infer_sequence *s, uint32_t which, uint32_t index)
{
	const struct infer_told *t = &s->told[which];
	struct found_act act = {
	    .kind = t->kind, .blocks = infer_slept_in(s, t)};

	if (t->kind == INFER_WAIT)
		act.distance = index - t->target;
	else if (t->kind == INFER_SIGNALLED)
		act.distance = count_made(s, t->target, which);
	return act;
}

uint32_t
infer_hash_acts(const struct infer_sequence *s, uint32_t index)
{
	uint32_t hash = 0;

	for (uint32_t i = infer_first_told(s, index);
	     i < s->n_told && s->told[i].index == index; i++) {
		struct found_act act = act_of_told(s, i, index);

		hash = (hash + act.distance * 8 + act.kind + 1) * 2654435761u;
	}
	return hash;
}

static int
compare_told_hashes(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the hash that most of n have, 0 if n is 0. Sorts them. */
static uint32_t
usual_hash(uint32_t *hashes, uint32_t n)
{
	uint32_t hash = 0, most = 0, end;

	qsort(hashes, n, sizeof(*hashes), compare_told_hashes);
	for (uint32_t i = 0; i < n; i = end) {
		for (end = i; end < n && hashes[end] == hashes[i];)
			end++;
		if (end - i <= most)
			continue;
		most = end - i;
		hash = hashes[i];
	}
	return hash;
}

/* True if the batch of position 0 does not follow an iteration. */
bool
infer_is_after_gap(const struct found *f, uint32_t which)
{
	return which == 0 ||
	    f->begins[which - 1] + f->length != f->begins[which];
}

static void
take_acts_at(struct found *f, uint32_t position, uint32_t index)
{
	const struct infer_sequence *s = f->s;
	struct found_batch *b = &f->batches[position];

	b->n_acts = 0;
	for (uint32_t i = infer_first_told(s, index); i < s->n_told &&
	     s->told[i].index == index && b->n_acts < MAX_FOUND_ACTS;
	     i++)
		b->acts[b->n_acts++] = act_of_told(s, i, index);
}

/* Adds to n_blocked, of each act before a request, whether the client slept. */
static void
count_blocked(const struct infer_sequence *s, uint32_t index,
    uint32_t n_blocked[MAX_FOUND_ACTS])
{
	uint32_t first = infer_first_told(s, index);

	for (uint32_t i = first; i < s->n_told && s->told[i].index == index &&
	     i - first < MAX_FOUND_ACTS;
	     i++)
		n_blocked[i - first] += infer_slept_in(s, &s->told[i]);
}

static void
find_acts_at(struct found *f, uint32_t position, uint32_t *hashes)
{
	struct found_batch *b = &f->batches[position];
	uint32_t n = 0, n_blocked[MAX_FOUND_ACTS] = {0};

	for (uint32_t i = 0; i < f->n_sampled; i++)
		if (position > 0 || !infer_is_after_gap(f, f->sampled[i]))
			hashes[n++] = infer_hash_acts(
			    f->s, f->begins[f->sampled[i]] + position);
	b->act_hash = usual_hash(hashes, n);
	b->n_acts = b->n_act_hits = 0;
	b->n_act_samples = n;
	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t at = f->begins[f->sampled[i]] + position;

		if ((position == 0 && infer_is_after_gap(f, f->sampled[i])) ||
		    infer_hash_acts(f->s, at) != b->act_hash)
			continue;
		if (b->n_act_hits++ == 0)
			take_acts_at(f, position, at);
		count_blocked(f->s, at, n_blocked);
	}
	for (uint32_t i = 0; i < b->n_acts; i++)
		b->acts[i].blocks = n_blocked[i] > b->n_act_hits / 2;
}

/* A program of one iteration has its first acts before it. */
static void
find_first_acts(struct found *f)
{
	if (f->n_begins == 1)
		take_acts_at(f, 0, f->begins[0]);
}

/* Before the first batch come the last acts of the iteration before, then the
 * first ones: a fence that is made there is for this iteration. */
static void
split_first_acts(struct found *f)
{
	struct found_batch *b = &f->batches[0];

	b->n_before = 0;
	while (
	    b->n_before < b->n_acts && b->acts[b->n_before].kind != INFER_MADE)
		b->n_before++;
}

void
infer_find_acts(struct found *f)
{
	uint32_t *hashes = mem_calloc(f->n_sampled + 1u, sizeof(*hashes));

	f->has_waits = false;
	for (uint32_t p = 0; f->s->n_told > 0 && p < f->length; p++) {
		const struct found_batch *b = &f->batches[p];

		find_acts_at(f, p, hashes);
		for (uint32_t i = 0; i < b->n_acts; i++)
			f->has_waits |= b->acts[i].kind == INFER_WAIT;
	}
	if (f->s->n_told > 0) {
		find_first_acts(f);
		split_first_acts(f);
	}
	free(hashes);
}

/* Which fence a batch waits for: how many were made from it on; 0: not known. */
uint32_t
infer_fence_distance(const struct found *f, uint32_t index, uint32_t act)
{
	const struct infer_sequence *s = f->s;
	uint32_t end = infer_first_told(s, index + 1);

	for (uint32_t i = end; i-- > 0 && end - i < MAX_FENCE_REACH;)
		if (s->told[i].act == act && s->told[i].kind == INFER_MADE)
			return count_made(s, i, end);
	return 0;
}
