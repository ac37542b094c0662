/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Priorities of contexts (doc/model/infer.md "Priorities"): a batch has that of the
 * batches which wait for it, if theirs is higher. So the lowest that batches of a
 * context have is the context's, where the others are explained by that.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/infer_private.h"

/* Rounds in which priorities are passed on. */
#define MAX_PASSES 64

static uint32_t
context_at(const struct found *f, uint32_t position)
{
	return f->s->timelines[f->batches[position].timeline].number;
}

/* Sets own[p] to the lowest priority in the context of p. */
static void
find_lowest(const struct found *f, int32_t *own)
{
	uint32_t n = 0;
	int32_t *lowest;

	for (uint32_t p = 0; p < f->length; p++)
		n = context_at(f, p) >= n ? context_at(f, p) + 1 : n;
	lowest = mem_calloc(n, sizeof(*lowest));
	for (uint32_t i = 0; i < n; i++)
		lowest[i] = INT32_MAX;
	for (uint32_t p = 0; p < f->length; p++) {
		int32_t *low = &lowest[context_at(f, p)];
		int32_t priority = f->batches[p].priority;

		if (priority != INFER_NO_PRIORITY && priority < *low)
			*low = priority;
	}
	for (uint32_t p = 0; p < f->length; p++)
		own[p] = lowest[context_at(f, p)] != INT32_MAX
		    ? lowest[context_at(f, p)]
		    : 0;
	free(lowest);
}

static bool
pass_on(int32_t *to, int32_t priority)
{
	if (priority <= *to)
		return false;
	*to = priority;
	return true;
}

/* Gives batches the priority of those that wait for them, in this iteration or the
 * next; true: some have another one now. */
static bool
pass_once(const struct found *f, const uint32_t *before, int32_t *priorities)
{
	uint32_t n = f->length;
	bool changed = false;

	for (uint32_t p = n; p-- > 0;) {
		const struct found_batch *b = &f->batches[p];

		changed |= pass_on(&priorities[before[p]], priorities[p]);
		for (uint32_t i = 0; i < b->n_deps; i++)
			if (b->deps[i].kind != INFER_SIGNAL &&
			    b->deps[i].distance <= n)
				changed |= pass_on(
				    &priorities[(p + n - b->deps[i].distance) %
					n],
				    priorities[p]);
	}
	return changed;
}

/* before[p]: the batch before that one on its timeline, around the start. */
static uint32_t *
list_before(const struct found *f)
{
	uint32_t *before = mem_calloc(f->length, sizeof(*before));
	uint32_t *last = mem_calloc(f->s->n_timelines, sizeof(*last));

	for (unsigned pass = 0; pass < 2; pass++) {
		for (uint32_t p = 0; p < f->length; p++) {
			before[p] = last[f->batches[p].timeline];
			last[f->batches[p].timeline] = p;
		}
	}
	free(last);
	return before;
}

/* Lets the last batch whose priority is higher than those of all that wait for it
 * have its own; all: each of them. True: there was one. */
static bool
keep_own(const struct found *f, const uint32_t *before, int32_t *own, bool all)
{
	int32_t *raised = mem_calloc(f->length, sizeof(*raised));
	bool changed = false;

	for (uint32_t p = 0; p < f->length; p++)
		raised[p] = own[p];
	for (unsigned i = 0; i < MAX_PASSES; i++)
		if (!pass_once(f, before, raised))
			break;
	for (uint32_t p = f->length; p-- > 0 && (all || !changed);) {
		if (f->batches[p].priority <= raised[p])
			continue;
		own[p] = f->batches[p].priority;
		changed = true;
	}
	free(raised);
	return changed;
}

void
infer_settle_priorities(struct found *f)
{
	int32_t *own = mem_calloc(f->length, sizeof(*own));
	uint32_t *before = list_before(f);

	find_lowest(f, own);
	for (unsigned i = 0; keep_own(f, before, own, i >= MAX_PASSES); i++)
		;
	for (uint32_t p = 0; p < f->length; p++)
		if (f->batches[p].priority != INFER_NO_PRIORITY)
			f->batches[p].priority = own[p];
	free(before);
	free(own);
}
