/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search as a function of what is known: tune_think() goes through it from its
 * beginning, and ends where it needs a result that is not known, which it wants.
 */
#include "decide/tune.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/gpu/engine.h"
#include "run/plan.h"

#define CONFIRM_AT_ONCE 8 /* sets of which all seeds are run at a time */

/* A step of the search. */
enum thought {
	UNKNOWN, /* it wants results */
	YES,
	NO,
};

/* Asks if the goal holds with a set, on all seeds of the search. */
static enum thought
holds(struct tune *t, const struct tune_set *set)
{
	if (!tune_want_seeds(t, set, 0, t->question.seeds))
		return UNKNOWN;
	return tune_worst(t, set, 0, t->question.seeds)->violation.n == 0 ? YES
									  : NO;
}

/* Asks if a set is worse than none on a seed that was held out. */
static enum thought
is_worse_elsewhere(struct tune *t, const struct tune_set *set)
{
	struct tune_set none = {.n = 0};
	unsigned first = t->question.seeds, n = tune_held_out(t);

	if (!tune_want_seeds(t, set, first, n))
		return UNKNOWN;
	for (unsigned i = first; i < first + n; i++)
		if (violation_compare(tune_find(t, set, i)->violation,
			tune_find(t, &none, i)->violation) > 0)
			return YES;
	return NO;
}

/* Asks if a set is an answer. */
static enum thought
is_tuned(struct tune *t, const struct tune_set *set)
{
	enum thought so = holds(t, set);

	if (so != YES)
		return so;
	so = is_worse_elsewhere(t, set);
	return so == UNKNOWN ? UNKNOWN : so == YES ? NO : YES;
}

/* Asks for the first set, from the smallest, that is an answer. Some are run at
 * once; the first counts. */
static enum thought
find_answer(
    struct tune *t, const struct tune_list *sets, struct tune_set *found)
{
	for (size_t i = 0; i < sets->n; i += CONFIRM_AT_ONCE) {
		size_t end = i + CONFIRM_AT_ONCE;
		bool known = true;

		if (end > sets->n)
			end = sets->n;
		for (size_t k = i; k < end; k++)
			known = holds(t, &sets->list[k]) != UNKNOWN && known;
		if (!known)
			return UNKNOWN;
		for (size_t k = i; k < end; k++) {
			enum thought so = is_tuned(t, &sets->list[k]);

			if (so == NO)
				continue;
			*found = sets->list[k];
			return so;
		}
	}
	return NO;
}

/* Takes out each edit that is not needed. Returns false if results are wanted. */
static bool
take_out(struct tune *t, struct tune_set *set)
{
	size_t i = 0;

	while (i < set->n) {
		struct tune_set less = tune_set_without(set, i);
		enum thought so = is_tuned(t, &less);

		if (so == UNKNOWN)
			return false;
		i = so == YES ? 0 : i + 1;
		if (so == YES)
			*set = less;
	}
	return true;
}

/* Asks for all that the report says of a set: each edit alone, and the set without
 * it. Returns false if results are wanted. */
static bool
weigh(struct tune *t, const struct tune_set *set)
{
	unsigned seeds = t->question.seeds;
	bool known = tune_want_seeds(t, set, 0, seeds + tune_held_out(t));

	for (size_t i = 0; i < set->n; i++) {
		struct tune_set alone = tune_set_alone(set, i);
		struct tune_set without = tune_set_without(set, i);

		known = tune_want_seeds(t, &alone, 0, seeds) && known;
		known = tune_want_seeds(t, &without, 0, seeds) && known;
	}
	return known;
}

/* Runs the sets with the first seed. Returns false if results are wanted. */
static bool
run_sets(struct tune *t, const struct tune_list *sets)
{
	bool known = true;

	for (size_t i = 0; i < sets->n; i++)
		known = tune_want(t, &sets->list[i], 0) && known;
	return known;
}

/* Lists those with which the goal holds on the first seed, smallest first. */
static void
list_holding(
    const struct tune *t, const struct tune_list *sets, struct tune_list *out)
{
	for (size_t i = 0; i < sets->n; i++) {
		if (tune_find(t, &sets->list[i], 0)->violation.n > 0)
			continue;
		out->list = mem_grow(
		    out->list, out->n, &out->cap, sizeof *out->list);
		out->list[out->n++] = sets->list[i];
	}
	tune_sort_by_size(t, out);
}

/* Tries the sets of a number of edits. YES: found is an answer. */
static enum thought
try_sets(struct tune *t, struct tune_list *sets, struct tune_set *found)
{
	struct tune_list holding = {0};
	enum thought so;

	if (!run_sets(t, sets))
		return UNKNOWN;
	list_holding(t, sets, &holding);
	so = find_answer(t, &holding, found);
	free(holding.list);
	tune_sort_by_result(t, sets);
	return so;
}

/* Remembers the best set on the first seed. Returns true if it is better than the one
 * before. */
static bool
note_best(struct tune *t, const struct tune_set *set)
{
	bool better = tune_is_better(t, set, &t->best);

	if (better)
		t->best = *set;
	return better;
}

/* Replaces the sets by those of one edit more, from the best on. Edits that alone
 * change nothing come last: they may help others. */
static void
go_deeper(const struct tune *t, struct tune_list *sets)
{
	struct tune_list next = {0};

	for (unsigned all = 0; all < 2; all++)
		for (size_t i = 0; i < sets->n; i++)
			if (!tune_find(t, &sets->list[i], 0)->failed)
				tune_extend(t, &sets->list[i], all, &next);
	free(sets->list);
	*sets = next;
}

/* Tries sets of more and more edits, until one is an answer. Ends where two sizes
 * have brought nothing, unless all sets of both were tried: several edits may be
 * needed before the first helps. */
static enum thought
search_sets(struct tune *t, struct tune_list *sets, struct tune_set *found)
{
	unsigned in_vain = 0;

	for (t->depth = 1; t->depth <= TUNE_MOST_EDITS; t->depth++) {
		enum thought so;

		go_deeper(t, sets);
		if (sets->n == 0)
			break;
		so = try_sets(t, sets, found);
		if (so != NO)
			return so;
		if (t->depth == 1)
			tune_mark_inert(t, sets);
		in_vain = note_best(t, &sets->list[0]) ? 0 : in_vain + 1;
		if (in_vain >= 2 && sets->n == TUNE_MOST_SETS)
			break;
	}
	return NO;
}

static void
end_tuning(
    struct tune *t, enum tune_outcome outcome, const struct tune_set *set)
{
	t->outcome = outcome;
	t->best = *set;
}

static void
fail_tuning(struct tune *t)
{
	struct text why = {0};

	text_addf(&why, "without an edit, seed %u: %s", t->plan->seed,
	    t->failure != NULL ? t->failure : "the run failed");
	t->error = mem_strdup(text_str(&why));
	t->outcome = TUNE_FAILED;
	text_free(&why);
}

/* Looks at the documents as they are. NO: they have to be edited. */
static enum thought
look_at_none(struct tune *t)
{
	struct tune_set none = {.n = 0};
	unsigned seeds = t->question.seeds;

	if (!tune_want_seeds(t, &none, 0, seeds + tune_held_out(t)))
		return UNKNOWN;
	if (tune_worst(t, &none, 0, seeds)->failed)
		fail_tuning(t);
	else if (holds(t, &none) == YES)
		end_tuning(t, TUNE_HOLDS, &none);
	else
		return NO;
	return YES;
}

void
tune_think(struct tune *t)
{
	struct tune_set found = {.n = 0};
	struct tune_list sets = {0};
	enum thought so = look_at_none(t);

	if (so != NO)
		return;
	t->best = (struct tune_set){.n = 0};
	sets.list = mem_calloc(1, sizeof *sets.list);
	sets.n = 1;
	so = search_sets(t, &sets, &found);
	free(sets.list);
	if (so == YES && take_out(t, &found) && weigh(t, &found))
		end_tuning(t, TUNE_FOUND, &found);
	else if (so == NO && weigh(t, &t->best))
		t->outcome = TUNE_NOT_MET;
}

/* Notes the rules of the platform that the documents break already. */
static uint32_t
refusals_of(const struct plan *plan)
{
	uint32_t refusals = 0;

	for (size_t i = 0; i < plan->n_sources; i++) {
		const struct source *s = &plan->sources[i];
		struct text ignored = {0};
		struct program *program = s->is_alias || s->waiting
		    ? NULL
		    : plan_build(plan, s, &ignored);

		if (program != NULL)
			refusals |= program->refusals;
		program_free(program);
		text_free(&ignored);
	}
	return refusals;
}

void
tune_open(struct tune *t, const struct tune_question *question,
    const struct plan *plan)
{
	*t = (struct tune){.question = *question, .plan = plan};
	t->device = mem_calloc(1, sizeof *t->device);
	device_init(t->device, &plan->profile);
	tune_find_targets(t);
}

void
tune_begin(struct tune *t, const struct tune_question *question,
    const struct plan *plan)
{
	tune_open(t, question, plan);
	t->refusals = refusals_of(plan);
	tune_think(t);
}

void
tune_free(struct tune *t)
{
	free(t->device);
	free(t->targets);
	free(t->results);
	free(t->table);
	free(t->failure);
	free(t->error);
	*t = (struct tune){0};
}
