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

/* The first of such lines with the draft in its place. */
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

/* Where the step's context gets its map, balancing or rows; NULL: nowhere. */
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
			    "working set %u is defined nowhere: add a step "
			    "like w.%u.4k",
			    dep->set, dep->set);
	} else if (dep->last >= set->step->set.n_objects) {
		if (check_found(c, PROBLEM_SET))
			DIAGNOSE(c, DIAG_ERROR, check_dep(c, i),
			    "object %u is not in working set %u: line %zu "
			    "gives it %u, numbered from 0",
			    dep->last, dep->set, check_row(c, set),
			    set->step->set.n_objects);
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
			    "durations by row need a parallel slot (G): add "
			    "one like G.%u.VCS1/VCS2, or give one duration",
			    c->step->context);
		return;
	}
	rows = parallel->step->map.n_rows;
	if (rows != n && check_found(c, PROBLEM_CONTEXT))
		DIAGNOSE(c, DIAG_ERROR, check_field(c, 2),
		    "%u durations for %u rows: give one for all, or one for "
		    "each row of line %zu",
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

/* A context with a parallel slot gets no engine map, so to ask for one would
 * lead nowhere. True: that was said. */
static bool
diagnose_parallel(const struct check *c, const char *what)
{
	const struct line *parallel = find_setup(c, is_parallel);

	if (!parallel)
		return false;
	DIAGNOSE(c, DIAG_ERROR, check_field(c, 0),
	    "%s for engine maps (M), and context %u has a parallel slot "
	    "(G, line %zu), which chooses among its siblings by itself: leave "
	    "this step out",
	    what, c->step->context, check_row(c, parallel));
	return true;
}

void
check_balance(struct check *c)
{
	if (comes_before(c, find_setup(c, is_map)))
		return;
	if (check_found(c, PROBLEM_CONTEXT) &&
	    !diagnose_parallel(c, "load balancing is"))
		DIAGNOSE(c, DIAG_ERROR, check_field(c, 0),
		    "load balancing needs an engine map: put a step like "
		    "M.%u.VCS before it",
		    c->step->context);
}

void
check_bond(struct check *c)
{
	uint32_t context = c->step->context;

	if (comes_before(c, find_setup(c, is_balance)) ||
	    !check_found(c, PROBLEM_CONTEXT) ||
	    diagnose_parallel(c, "engine bonds are"))
		return;
	if (comes_before(c, find_setup(c, is_map)))
		DIAGNOSE(c, DIAG_ERROR, check_field(c, 0),
		    "engine bonds need load balancing: put B.%u before it",
		    context);
	else
		DIAGNOSE(c, DIAG_ERROR, check_field(c, 0),
		    "engine bonds need load balancing: put steps like M.%u.VCS "
		    "and B.%u before it",
		    context, context);
}

void
check_definition(struct check *c)
{
	const struct line *set = find_definition(c, c->step->set.id);

	if (set != c->line && check_found(c, PROBLEM_SET))
		DIAGNOSE(c, DIAG_ERROR, check_field(c, 1),
		    "working set %u is defined in line %zu already: ids are "
		    "one space for w and W",
		    c->step->set.id, check_row(c, set));
}

/* "step 3 (f, line 4)" for messages. */
static void
describe_step(const struct check *c, const struct line *target, size_t number,
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

/* Why a step can't be named, in a message and where messages are counted. */
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
    struct line_place at, enum reference_kind kind, uint32_t back)
{
	struct misfit why = find_misfit(target->step, kind);
	struct text t = {0};

	if (!diag_has_room(c->diags, DIAG_ERROR)) {
		diag_count(c->diags, why.kind, DIAG_ERROR, 1);
		return;
	}
	describe_step(c, target, c->number - back, &t);
	diag_say(c->diags, why.kind, DIAG_ERROR,
	    (uint32_t)check_index(c, c->line), at.col, at.len, "%s %s",
	    text_str(&t), why.words);
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
		    "offset -%u goes before the first step: %zu stand before "
		    "this one",
		    back, c->number);
}

void
check_reference(
    struct check *c, enum reference_kind kind, uint32_t back, uint32_t dep)
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
