/* SPDX-License-Identifier: GPL-3.0-or-later */
/* References to steps before: what -n, f-n, s.-n, a.-n and T.-n may name. */
#include "base/text.h"
#include "parser/document/check_private.h"

/* "step 3 (f, line 4)" for messages. */
static void
describe(const struct check *c, const struct line *target, size_t number,
    struct text *t)
{
	struct text step = {0};

	step_print(&step, target->step);
	text_addf(t, "step %zu (%.*s%s, line %zu)", number,
	    step.len > 24 ? 24 : (int)step.len, text_str(&step),
	    step.len > 24 ? "..." : "", check_row(c, target));
	text_free(&step);
}

struct line *
check_target(const struct sequence *seq, const struct line *line, size_t step,
    uint32_t back)
{
	const struct chunk *chunk = line->chunk;
	size_t first = seq->slots[chunk->slot].first_step;

	if (back > step)
		return NULL;
	step -= back;
	if (step >= first)
		return chunk->lines[chunk->line_of_step[step - first]];
	return sequence_line_of_step(seq, step);
}

/* The same from a draft: the target may stand in it as well. */
static const struct line *
draft_target(const struct check *c, uint32_t back)
{
	const struct draft *draft = c->draft;
	size_t step = draft->step;

	if (back > c->number)
		return NULL;
	if (c->number - back < step)
		return sequence_line_of_step(&c->doc->seq, c->number - back);
	for (size_t i = 0; i < draft->n; i++)
		if (line_counts(draft->lines[i]) && step++ == c->number - back)
			return draft->lines[i];
	return NULL;
}

static const struct line *
find_target(const struct check *c, uint32_t back)
{
	if (c->draft)
		return draft_target(c, back);
	return check_target(&c->doc->seq, c->line, c->number, back);
}

bool
check_fits(const struct step *target, enum reference kind)
{
	switch (kind) {
	case REF_DATA:
	case REF_SYNC: return target->kind == STEP_BATCH;
	case REF_WAIT:
		return target->kind == STEP_BATCH || target->kind == STEP_FENCE;
	case REF_ADVANCE: return target->kind == STEP_FENCE;
	case REF_END:
		return target->kind == STEP_BATCH && step_is_infinite(target);
	}
	return false;
}

/* Why a step can't be named, in a message and where messages are counted. */
struct misfit {
	const char *words, *kind;
};

static struct misfit
misfit(const struct step *target, enum reference kind)
{
	switch (kind) {
	case REF_DATA:
		if (target->kind == STEP_FENCE)
			return (struct misfit){
			    "is a fence: wait for it with f-n",
			    "offset to a fence that needs f-n"};
		return (struct misfit){
		    "is no batch: name one whose output is read",
		    "offset to a step that is not a batch"};
	case REF_WAIT:
		return (struct misfit){
		    "is neither batch nor fence: name one of those",
		    "offset to a step that is neither batch nor fence"};
	case REF_SYNC:
		return (struct misfit){"is no batch: s waits for a batch",
		    "s that names no batch"};
	case REF_ADVANCE:
		return (struct misfit){"is no fence: a signals an f step",
		    "a that names no fence"};
	case REF_END:
		if (target->kind == STEP_BATCH)
			return (struct misfit){
			    "ends by itself: T ends a batch of duration *",
			    "T that names a batch that ends by itself"};
		return (struct misfit){
		    "is no batch: T ends a batch of duration *",
		    "T that names no batch"};
	}
	return (struct misfit){"", ""};
}

static void
diagnose_misfit(const struct check *c, const struct line *target,
    struct place at, enum reference kind, uint32_t back)
{
	struct misfit why = misfit(target->step, kind);
	struct text t = {0};

	if (!diag_has_room(c->diags, DIAG_ERROR)) {
		diag_count(c->diags, why.kind, DIAG_ERROR, 1);
		return;
	}
	describe(c, target, c->number - back, &t);
	diag_say(c->diags, why.kind, DIAG_ERROR,
	    (uint32_t)check_index(c, c->line), at.col, at.len, "%s %s",
	    text_str(&t), why.words);
	text_free(&t);
}

static void
diagnose_reference(const struct check *c, const struct line *target,
    struct place at, enum reference kind, uint32_t back)
{
	if (target)
		diagnose_misfit(c, target, at, kind, back);
	else
		DIAGNOSE(c, DIAG_ERROR, at,
		    "offset -%u goes before the first step: %zu stand before "
		    "this one",
		    back, c->number);
}

void
check_reference(
    struct check *c, enum reference kind, uint32_t back, uint32_t dep)
{
	const struct line *target = find_target(c, back);

	/* What a line that doesn't parse is meant to be, nobody knows. */
	if (target && (!target->step || check_fits(target->step, kind)))
		return;
	if (check_found(c, PROBLEM_REFERENCE))
		diagnose_reference(c, target,
		    c->step->kind == STEP_BATCH ? check_dep(c, dep)
						: check_field(c, 1),
		    kind, back);
}
