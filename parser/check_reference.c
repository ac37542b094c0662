/* SPDX-License-Identifier: GPL-3.0-or-later */
/* References to steps before: what -n, f-n, s.-n, a.-n and T.-n may name. */
#include "parser/check_private.h"
#include "parser/text.h"

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

static const char *
misfit(const struct step *target, enum reference kind)
{
	switch (kind) {
	case REF_DATA:
		return target->kind == STEP_FENCE
		    ? "is a fence: wait for it with f-n"
		    : "is no batch: name one whose output is read";
	case REF_WAIT: return "is neither batch nor fence: name one of those";
	case REF_SYNC: return "is no batch: s waits for a batch";
	case REF_ADVANCE: return "is no fence: a signals an f step";
	case REF_END:
		return target->kind == STEP_BATCH
		    ? "ends by itself: T ends a batch of duration *"
		    : "is no batch: T ends a batch of duration *";
	}
	return "";
}

static void
diagnose_reference(const struct check *c, const struct line *target,
    struct place at, enum reference kind, uint32_t back)
{
	struct text t = {0};

	if (!target) {
		DIAGNOSE(c, DIAG_ERROR, at,
		    "offset -%u goes before the first step: %zu stand before "
		    "this one",
		    back, c->number);
		return;
	}
	describe(c, target, c->number - back, &t);
	DIAGNOSE(c, DIAG_ERROR, at, "%s %s", text_str(&t),
	    misfit(target->step, kind));
	text_free(&t);
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
