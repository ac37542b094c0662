/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules between steps. A balancing, bond or row of durations needs the setup of
 * its context; a use of a working set needs its definition; an offset must lead
 * to an earlier step of a kind that fits.
 */
#include "parser/document/check.h"

#include "base/text.h"

typedef bool fits_fn(const struct step *step, uint32_t id);

static bool
is_map(const struct step *step, uint32_t context)
{
	return step->kind == STEP_MAP && step->context == context;
}

static bool
is_balance(const struct step *step, uint32_t context)
{
	return step->kind == STEP_BALANCE && step->context == context;
}

static bool
is_parallel(const struct step *step, uint32_t context)
{
	return step->kind == STEP_PARALLEL && step->context == context;
}

static bool
is_definition(const struct step *step, uint32_t id)
{
	return (step->kind == STEP_SET || step->kind == STEP_SHARED_SET) &&
	    step->set.id == id;
}

/* Returns the first line that fits, with the draft in its place. */
static const struct line *
first_with_draft(const struct check *c, const struct posting *posting,
    fits_fn *fits, uint32_t id)
{
	const struct draft *draft = c->draft;
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < posting->n; i++) {
		const struct line *line = posting->list[i];

		if (line->chunk && line != draft->old && fits(line->step, id) &&
		    sequence_index(&c->doc->seq, line) < first)
			first = sequence_index(&c->doc->seq, line);
	}
	for (size_t i = 0; i < draft->n && first >= draft->at; i++)
		if (draft->lines[i]->step && fits(draft->lines[i]->step, id))
			return draft->lines[i];
	return first != SIZE_MAX ? sequence_line(&c->doc->seq, first) : NULL;
}

/* Returns the line with the map, balancing or rows of the step's context; NULL:
 * none. */
static const struct line *
find_setup(const struct check *c, fits_fn *fits)
{
	static const struct context_entry none;
	const struct context_entry *context = index_context(
	    &c->doc->index, c->step->context);

	if (!context)
		context = &none;
	if (c->draft)
		return first_with_draft(
		    c, &context->steps, fits, c->step->context);
	return fits == is_map    ? context->map
	    : fits == is_balance ? context->balance
				 : context->parallel;
}

static const struct line *
find_definition(const struct check *c, uint32_t id)
{
	static const struct set_entry none;
	const struct set_entry *set = index_set(&c->doc->index, id);

	if (!set)
		set = &none;
	if (c->draft)
		return first_with_draft(
		    c, &set->definitions, is_definition, id);
	return set->definition;
}

void
check_set(struct check *c, const struct dep *dep, uint32_t i)
{
	const struct line *set = find_definition(c, dep->set);

	if (!set) {
		if (check_found(c, PROBLEM_SET))
			DIAGNOSE(c, DIAG_ERROR, check_dep(c, i),
			    "undefined working set %u: expected a step that "
			    "defines it, e.g. w.%u.4k",
			    dep->set, dep->set);
	} else if (dep->last >= set->step->set.n_objects) {
		if (check_found(c, PROBLEM_SET))
			DIAGNOSE(c, DIAG_ERROR, check_dep(c, i),
			    "invalid object %u of working set %u: expected 0 "
			    "to %u, line %zu defines %u",
			    dep->last, dep->set, set->step->set.n_objects - 1,
			    check_row(c, set), set->step->set.n_objects);
	}
}

void
check_rows(struct check *c)
{
	const struct line *parallel = find_setup(c, is_parallel);
	unsigned n = c->step->batch.n_durations, rows;

	if (!parallel) {
		if (check_found(c, PROBLEM_CONTEXT))
			DIAGNOSE(c, DIAG_ERROR, check_field(c, 2),
			    "durations by row without a parallel slot: "
			    "expected one duration, or a G, e.g. "
			    "G.%u.VCS1/VCS2",
			    c->step->context);
		return;
	}
	rows = parallel->step->map.n_rows;
	if (rows != n && check_found(c, PROBLEM_CONTEXT))
		DIAGNOSE(c, DIAG_ERROR, check_field(c, 2),
		    "invalid number of durations %u: expected 1, or %u for "
		    "the rows of line %zu",
		    n, rows, check_row(c, parallel));
}

static bool
comes_before(const struct check *c, const struct line *other)
{
	if (!other || other == c->line)
		return false;
	if (other->chunk)
		return check_index(c, other) < check_index(c, c->line);
	for (size_t i = 0; c->draft->lines[i] != c->line; i++)
		if (c->draft->lines[i] == other)
			return true;
	return false;
}

/* Diagnoses a B or b whose context has a parallel slot: no engine map can be
 * added there. True if it did. */
static bool
diagnose_parallel(const struct check *c, const char *what)
{
	const struct line *parallel = find_setup(c, is_parallel);

	if (!parallel)
		return false;
	DIAGNOSE(c, DIAG_ERROR, check_field(c, 0),
	    "unexpected %s in context %u, which has a parallel slot (G, line "
	    "%zu): expected no such step, the slot chooses its engines",
	    what, c->step->context, check_row(c, parallel));
	return true;
}

void
check_balance(struct check *c)
{
	if (comes_before(c, find_setup(c, is_map)))
		return;
	if (check_found(c, PROBLEM_CONTEXT) &&
	    !diagnose_parallel(c, "load balancing"))
		DIAGNOSE(c, DIAG_ERROR, check_field(c, 0),
		    "load balancing without an engine map: expected one "
		    "before it, e.g. M.%u.VCS",
		    c->step->context);
}

void
check_bond(struct check *c)
{
	uint32_t context = c->step->context;

	if (comes_before(c, find_setup(c, is_balance)) ||
	    !check_found(c, PROBLEM_CONTEXT) ||
	    diagnose_parallel(c, "engine bonds"))
		return;
	if (comes_before(c, find_setup(c, is_map)))
		DIAGNOSE(c, DIAG_ERROR, check_field(c, 0),
		    "engine bonds without load balancing: expected B.%u "
		    "before it",
		    context);
	else
		DIAGNOSE(c, DIAG_ERROR, check_field(c, 0),
		    "engine bonds without load balancing: expected M.%u.VCS "
		    "and B.%u before it",
		    context, context);
}

void
check_definition(struct check *c)
{
	const struct line *set = find_definition(c, c->step->set.id);

	if (set != c->line && check_found(c, PROBLEM_SET))
		DIAGNOSE(c, DIAG_ERROR, check_field(c, 1),
		    "repeated working set %u: expected an unused id, line %zu "
		    "defines it (w and W share ids)",
		    c->step->set.id, check_row(c, set));
}

/* Appends "step 3 (f, line 4)". */
static void
add_target(const struct check *c, const struct line *target, size_t number,
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

/* check_target() for a line of a draft; the target may be in the draft, too. */
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
check_fits(const struct step *target, enum reference_kind kind)
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

/* Why a reference does not fit its target: the rest of the message, and the
 * kind by which such diagnostics are counted. */
struct misfit {
	const char *words, *kind;
};

static struct misfit
find_misfit(const struct step *target, enum reference_kind kind)
{
	switch (kind) {
	case REF_DATA:
		if (target->kind == STEP_FENCE)
			return (struct misfit){
			    "a fence: expected f-n to wait for it",
			    "invalid target, a fence"};
		return (struct misfit){
		    "not a batch: expected one whose output is read",
		    "invalid target of a dependency"};
	case REF_WAIT:
		return (struct misfit){
		    "not a batch or fence: expected one of these",
		    "invalid target of an f or s dependency"};
	case REF_SYNC:
		return (struct misfit){
		    "not a batch: expected one for s", "invalid target of s"};
	case REF_ADVANCE:
		return (struct misfit){"not a fence: expected an f step for a",
		    "invalid target of a"};
	case REF_END:
		if (target->kind == STEP_BATCH)
			return (struct misfit){
			    "not infinite: expected a batch of duration * "
			    "for T",
			    "invalid target of T, a finite batch"};
		return (struct misfit){
		    "not a batch: expected one of duration * for T",
		    "invalid target of T"};
	}
	return (struct misfit){"", ""};
}

static void
diagnose_misfit(const struct check *c, const struct line *target,
    struct line_place at, enum reference_kind kind, uint32_t back)
{
	struct misfit why = find_misfit(target->step, kind);
	struct text t = {0};

	if (!diag_has_room(c->diags, DIAG_ERROR)) {
		diag_count(c->diags, why.kind, DIAG_ERROR, 1);
		return;
	}
	add_target(c, target, c->number - back, &t);
	diag_say(c->diags, why.kind, DIAG_ERROR,
	    (uint32_t)check_index(c, c->line), at.col, at.len,
	    "invalid target %s, %s", text_str(&t), why.words);
	text_free(&t);
}

static void
diagnose_reference(const struct check *c, const struct line *target,
    struct line_place at, enum reference_kind kind, uint32_t back)
{
	if (target)
		diagnose_misfit(c, target, at, kind, back);
	else
		DIAGNOSE(c, DIAG_ERROR, at,
		    "invalid offset '-%u': expected at most %zu, the number of "
		    "steps before it",
		    back, c->number);
}

void
check_reference(
    struct check *c, enum reference_kind kind, uint32_t back, uint32_t dep)
{
	const struct line *target = find_target(c, back);

	/* A target that does not parse may be meant as any kind. */
	if (target && (!target->step || check_fits(target->step, kind)))
		return;
	if (check_found(c, PROBLEM_REFERENCE))
		diagnose_reference(c, target,
		    c->step->kind == STEP_BATCH ? check_dep(c, dep)
						: check_field(c, 1),
		    kind, back);
}
