/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a step needs of others that speak of its context or its working set: maps,
 * balancing and rows before it, definitions anywhere. */
#include "parser/document/check_private.h"

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
stands_before(const struct check *c, const struct line *other)
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
	if (stands_before(c, find_setup(c, is_map)))
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

	if (stands_before(c, find_setup(c, is_balance)) ||
	    !check_found(c, PROBLEM_CONTEXT) ||
	    diagnose_parallel(c, "engine bonds are"))
		return;
	if (stands_before(c, find_setup(c, is_map)))
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
