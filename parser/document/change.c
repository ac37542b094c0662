/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Applies a change to a document and rechecks the lines that it may affect:
 * targets of references that came or went, lines that refer to a step which
 * became another kind, and all steps of contexts and working sets whose setup
 * changed. Reading a document goes the same way, chunk by chunk.
 */
#include "parser/document/change.h"

#include <stdlib.h>

#include "base/mem.h"
#include "parser/document/check.h"

/* Lines to recheck after a change. */
struct touched {
	struct line **targets;  /* references to them were added or removed */
	struct line **referred; /* became another kind of step */
	uint32_t *contexts, *sets;
	size_t n_targets, cap_targets, n_referred, cap_referred;
	size_t n_contexts, cap_contexts, n_sets, cap_sets;
};

static void
touched_free(struct touched *t)
{
	free(t->targets);
	free(t->referred);
	free(t->contexts);
	free(t->sets);
}

static void
touch_line(struct line ***list, size_t *n, size_t *cap, struct line *line)
{
	if (*n && (*list)[*n - 1] == line)
		return;
	*list = mem_grow(*list, *n, cap, sizeof(**list));
	(*list)[(*n)++] = line;
}

static void
touch_number(uint32_t **list, size_t *n, size_t *cap, uint32_t number)
{
	*list = mem_grow(*list, *n, cap, sizeof(**list));
	(*list)[(*n)++] = number;
}

static int
compare_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Sorts numbers and drops duplicates; returns how many are left. */
static size_t
unique(uint32_t *list, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(list, n, sizeof(*list), compare_ids);
	for (size_t i = 0; i < n; i++)
		if (!kept || list[kept - 1] != list[i])
			list[kept++] = list[i];
	return kept;
}

static void
touch_setup(struct touched *t, const struct step *step)
{
	switch (step->kind) {
	case STEP_MAP:
	case STEP_BALANCE:
	case STEP_BOND:
	case STEP_PARALLEL:
		touch_number(&t->contexts, &t->n_contexts, &t->cap_contexts,
		    step->context);
		break;
	case STEP_SET:
	case STEP_SHARED_SET:
		touch_number(&t->sets, &t->n_sets, &t->cap_sets, step->set.id);
		break;
	default: break;
	}
}

/* Adds sign (1 or -1) to the counts of references in the targets of line; t may
 * be NULL. True if all targets exist and fit. */
static bool
count_references(const struct sequence *seq, const struct line *line,
    uint32_t sign, struct touched *t)
{
	size_t step = sequence_step(seq, line);
	uint32_t iterator = 0, back;
	enum reference_kind kind;
	bool fit = true;

	while ((back = step_reference(line->step, &iterator, &kind))) {
		struct line *target = check_target(seq, line, step, back);

		if (!target) {
			fit = false;
			continue;
		}
		fit &= !target->step || check_fits(target->step, kind);
		target->n_refs += sign;
		if (kind == REF_WAIT || kind == REF_ADVANCE)
			target->n_waits += sign;
		else if (kind == REF_END)
			target->n_ends += sign;
		if (t && kind != REF_DATA && kind != REF_SYNC)
			touch_line(&t->targets, &t->n_targets, &t->cap_targets,
			    target);
	}
	return fit;
}

static void
unlink_references(struct document *doc, struct line *line, struct touched *t)
{
	if (!line->step)
		return;
	count_references(&doc->seq, line, (uint32_t)-1, t);
	touch_setup(t, line->step);
}

static void
link_references(struct document *doc, struct line *line, struct touched *t)
{
	if (!line->step)
		return;
	count_references(&doc->seq, line, 1, t);
	index_add(&doc->index, line);
	touch_setup(t, line->step);
}

static void
recheck(struct document *doc, struct line *line)
{
	uint8_t problems = line->problems & PROBLEM_SYNTAX;

	problems |= check_line(doc, line, NULL);
	if (problems != line->problems)
		sequence_set_problems(&doc->seq, line, problems);
}

/* Rechecks the lines that refer to line; stops after the last, by n_refs. */
static void
recheck_referrers(struct document *doc, const struct line *line)
{
	const struct sequence *seq = &doc->seq;
	size_t wanted = sequence_step(seq, line);
	uint32_t left = line->n_refs;

	for (size_t i = line->chunk->slot; i < seq->n && left; i++) {
		const struct chunk_slot *slot = &seq->slots[i];

		if (slot->reach == INT64_MIN ||
		    (int64_t)slot->first_step - slot->reach > (int64_t)wanted)
			continue;
		for (uint32_t k = 0; k < slot->n_lines && left; k++) {
			struct line *other = slot->chunk->lines[k];
			size_t step = slot->first_step +
			    slot->chunk->step_of_line[k];
			uint32_t iterator = 0, back, n = 0;

			if (!other->step)
				continue;
			while ((back = step_reference(
				    other->step, &iterator, NULL)))
				n += step >= back && step - back == wanted;
			if (n)
				recheck(doc, other);
			left -= n < left ? n : left;
		}
	}
}

static void
recheck_context(struct document *doc, uint32_t number)
{
	struct context_entry *context = index_context(&doc->index, number);

	if (!context)
		return;
	index_refresh_context(&doc->seq, context);
	for (size_t i = 0; i < context->steps.n; i++)
		if (context->steps.list[i]->chunk)
			recheck(doc, context->steps.list[i]);
}

static void
recheck_set(struct document *doc, uint32_t id)
{
	struct set_entry *set = index_set(&doc->index, id);
	uint32_t n_objects;

	if (!set)
		return;
	n_objects = set->n_objects;
	index_refresh_set(&doc->seq, set);
	for (size_t i = 0; i < set->definitions.n; i++)
		if (set->definitions.list[i]->chunk)
			recheck(doc, set->definitions.list[i]);
	if (n_objects == set->n_objects)
		return;
	for (size_t i = 0; i < set->users.n; i++)
		if (set->users.list[i]->chunk)
			recheck(doc, set->users.list[i]);
}

static void
recheck_touched(struct document *doc, struct touched *t)
{
	t->n_contexts = unique(t->contexts, t->n_contexts);
	t->n_sets = unique(t->sets, t->n_sets);
	for (size_t i = 0; i < t->n_contexts; i++)
		recheck_context(doc, t->contexts[i]);
	for (size_t i = 0; i < t->n_sets; i++)
		recheck_set(doc, t->sets[i]);
	for (size_t i = 0; i < t->n_targets; i++)
		if (t->targets[i]->chunk)
			recheck(doc, t->targets[i]);
	for (size_t i = 0; i < t->n_referred; i++)
		if (t->referred[i]->chunk)
			recheck_referrers(doc, t->referred[i]);
}

/* Classes of steps that differ in which references may lead to them. */
static int
category(const struct line *line)
{
	if (!line->step)
		return 0;
	if (line->step->kind == STEP_FENCE)
		return 1;
	if (line->step->kind != STEP_BATCH)
		return 2;
	return step_is_infinite(line->step) ? 3 : 4;
}

static struct line *
next_step(struct line **lines, size_t n, size_t *i)
{
	while (*i < n) {
		struct line *line = lines[(*i)++];

		if (line_counts(line))
			return line;
	}
	return NULL;
}

static void
set_counts(struct line *line, const struct line *from)
{
	line->n_refs = from ? from->n_refs : 0;
	line->n_waits = from ? from->n_waits : 0;
	line->n_ends = from ? from->n_ends : 0;
}

/* Copies the reference counts of replaced steps to their replacements. */
static void
carry_counts(struct line **old, size_t n_old, struct line **new, size_t n_new,
    struct touched *t)
{
	size_t i = 0, k = 0;

	for (;;) {
		struct line *to = next_step(new, n_new, &k);
		struct line *from = to ? next_step(old, n_old, &i) : NULL;

		if (!to)
			return;
		set_counts(to, from);
		if (from && from->n_refs && category(from) != category(to))
			touch_line(
			    &t->referred, &t->n_referred, &t->cap_referred, to);
	}
}

/* Splices hunks from the last to the first, so that earlier indices stay
 * valid. */
static void
splice_all(struct document *doc, const struct change *change, bool back)
{
	size_t shift = 0; /* may wrap */

	if (back)
		for (size_t i = 0; i < change->n; i++)
			shift += change->hunks[i].n_new -
			    change->hunks[i].n_old;
	for (size_t i = change->n; i-- > 0;) {
		const struct hunk *h = &change->hunks[i];
		struct hunk_sides v = hunk_sides(h, back);

		if (back)
			shift -= h->n_new - h->n_old;
		for (size_t k = 0; k < v.n_old; k++)
			v.old[k]->chunk = NULL;
		sequence_splice(
		    &doc->seq, h->at + shift, v.n_old, v.new, v.n_new);
	}
	sequence_refresh(&doc->seq);
}

/* Rechecks annotations around each hunk. Hunks are sorted, so batches checked
 * for one are skipped for the next, unless its last line is the batch that the
 * check ended with: what comes after that one has another batch before it now. */
static void
recheck_annotations(
    struct document *doc, const struct change *change, bool back)
{
	size_t shift = 0, done = 0; /* shift may wrap */

	for (size_t i = 0; i < change->n; i++) {
		const struct hunk *h = &change->hunks[i];
		struct hunk_sides v = hunk_sides(h, back);
		size_t first = h->at + (back ? 0 : shift);
		size_t end = first + v.n_new;

		if (end >= done)
			done = check_annotations(doc, first, end);
		shift += h->n_new - h->n_old;
	}
}

void
change_apply(struct document *doc, const struct change *change, bool back)
{
	struct touched t = {0};

	for (size_t i = 0; i < change->n; i++) {
		struct hunk_sides v = hunk_sides(&change->hunks[i], back);

		for (size_t k = 0; k < v.n_old; k++)
			unlink_references(doc, v.old[k], &t);
	}
	for (size_t i = 0; i < change->n; i++) {
		struct hunk_sides v = hunk_sides(&change->hunks[i], back);

		carry_counts(v.old, v.n_old, v.new, v.n_new, &t);
	}
	splice_all(doc, change, back);
	for (size_t i = 0; i < change->n; i++) {
		struct hunk_sides v = hunk_sides(&change->hunks[i], back);

		for (size_t k = 0; k < v.n_new; k++)
			link_references(doc, v.new[k], &t);
	}
	/* Contexts and sets first: checks of lines use them. */
	recheck_touched(doc, &t);
	for (size_t i = 0; i < change->n; i++) {
		struct hunk_sides v = hunk_sides(&change->hunks[i], back);

		for (size_t k = 0; k < v.n_new; k++)
			recheck(doc, v.new[k]);
	}
	recheck_annotations(doc, change, back);
	touched_free(&t);
	identity_follow(doc, change, back);
	doc->revision++;
}

/* True if the problems of a line may depend on later lines. */
static bool
looks_ahead(const struct line *line)
{
	const struct step *step = line->step;

	switch (step->kind) {
	case STEP_BATCH:
		if (category(line) == 3 || step->batch.n_durations > 1)
			return true;
		for (uint32_t i = 0; i < step->batch.n_deps; i++)
			if (step->batch.deps[i].kind >= DEP_READ)
				return true;
		return false;
	case STEP_FENCE:
	case STEP_BALANCE:
	case STEP_BOND:
	case STEP_SET:
	case STEP_SHARED_SET: return true;
	default: return false;
	}
}

/* True for a batch that refers to nothing. Most batches are, and need no
 * check. */
static bool
is_independent(const struct step *step)
{
	return step->kind == STEP_BATCH && !step->batch.n_deps &&
	    step->batch.n_durations == 1 && !step->batch.duration.infinite;
}

void
change_read_chunk(struct document *doc, size_t i, struct deferred *deferred)
{
	const struct chunk_slot *slot = &doc->seq.slots[i];

	for (uint32_t k = 0; k < slot->n_lines; k++) {
		struct line *line = slot->chunk->lines[k];
		bool fit;

		if (!line->step || is_independent(line->step))
			continue;
		fit = count_references(&doc->seq, line, 1, NULL);
		index_add(&doc->index, line);
		if (looks_ahead(line))
			touch_line(&deferred->list, &deferred->n,
			    &deferred->cap, line);
		else if (!fit)
			recheck(doc, line);
	}
}

void
change_read_end(struct document *doc, struct deferred *deferred)
{
	for (size_t i = 0; i < doc->index.n_contexts; i++)
		index_refresh_context(&doc->seq, &doc->index.contexts[i]);
	for (size_t i = 0; i < doc->index.n_sets; i++)
		index_refresh_set(&doc->seq, &doc->index.sets[i]);
	for (size_t i = 0; i < deferred->n; i++)
		recheck(doc, deferred->list[i]);
	check_all_annotations(doc);
	free(deferred->list);
}
