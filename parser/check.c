/* SPDX-License-Identifier: GPL-3.0-or-later */
/* References, contexts and working sets: what one line can't tell alone. */
#include "parser/check.h"

#include "parser/text.h"

/* One line under check. */
struct check {
	const struct document *doc;
	const struct line *line;
	const struct step *step;
	size_t number; /* of the step */
	struct diag_list *diags;
	uint8_t problems;
};

struct place {
	uint32_t col, len;
};

static struct place
place_of_field(const struct check *c, unsigned field)
{
	struct place p;

	document_field(c->doc, sequence_index(&c->doc->seq, c->line), field,
	    &p.col, &p.len);
	return p;
}

static struct place
place_of_dep(const struct check *c, uint32_t dep)
{
	struct place p;

	document_dependency(
	    c->doc, sequence_index(&c->doc->seq, c->line), dep, &p.col, &p.len);
	return p;
}

/* Notes the problem; true if the caller is to write its diagnostic. */
static bool
found(struct check *c, uint8_t problem)
{
	c->problems |= problem;
	return c->diags != NULL;
}

#define DIAGNOSE(c, severity, place, ...)                                      \
	diag_add((c)->diags, severity,                                         \
	    (uint32_t)sequence_index(&(c)->doc->seq, (c)->line), (place).col,  \
	    (place).len, __VA_ARGS__)

static size_t
row_of(const struct document *doc, const struct line *line)
{
	size_t row, column;

	sequence_position(&doc->seq, line, &row, &column);
	return row + 1;
}

/* "step 3 (f, line 4)" for messages. */
static void
describe(const struct check *c, const struct line *target, struct text *t)
{
	struct text step = {0};

	step_print(&step, target->step);
	text_addf(t, "step %zu (%.*s%s, line %zu)",
	    sequence_step(&c->doc->seq, target),
	    step.len > 24 ? 24 : (int)step.len, text_str(&step),
	    step.len > 24 ? "..." : "", row_of(c->doc, target));
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

static bool
is_infinite(const struct step *step)
{
	if (step->batch.n_durations > 1)
		for (unsigned i = 0; i < step->batch.n_durations; i++)
			if (step->batch.rows[i].infinite)
				return true;
	return step->batch.duration.infinite;
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
	case REF_END: return target->kind == STEP_BATCH && is_infinite(target);
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
	describe(c, target, &t);
	DIAGNOSE(c, DIAG_ERROR, at, "%s %s", text_str(&t),
	    misfit(target->step, kind));
	text_free(&t);
}

/* dep: which dependency of a batch; others have their target in field 1. */
static void
check_reference(
    struct check *c, enum reference kind, uint32_t back, uint32_t dep)
{
	const struct line *target = check_target(
	    &c->doc->seq, c->line, c->number, back);

	/* What a line that doesn't parse is meant to be, nobody knows. */
	if (target && (!target->step || check_fits(target->step, kind)))
		return;
	if (found(c, PROBLEM_REFERENCE))
		diagnose_reference(c, target,
		    c->step->kind == STEP_BATCH ? place_of_dep(c, dep)
						: place_of_field(c, 1),
		    kind, back);
}

static void
check_set(struct check *c, const struct dep *dep, uint32_t i)
{
	const struct set_entry *set = index_set(&c->doc->index, dep->set);

	if (!set || !set->definition) {
		if (found(c, PROBLEM_SET))
			DIAGNOSE(c, DIAG_ERROR, place_of_dep(c, i),
			    "working set %u is defined nowhere: add a step "
			    "like w.%u.4k",
			    dep->set, dep->set);
	} else if (dep->last >= set->n_objects) {
		if (found(c, PROBLEM_SET))
			DIAGNOSE(c, DIAG_ERROR, place_of_dep(c, i),
			    "object %u is not in working set %u: line %zu "
			    "gives it %u, numbered from 0",
			    dep->last, dep->set,
			    row_of(c->doc, set->definition), set->n_objects);
	}
}

static void
check_rows(struct check *c)
{
	const struct context_entry *context = index_context(
	    &c->doc->index, c->step->context);
	unsigned n = c->step->batch.n_durations, rows;

	if (!context || !context->parallel) {
		if (found(c, PROBLEM_CONTEXT))
			DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 2),
			    "durations by row need a parallel slot (G): add "
			    "one like G.%u.VCS1/VCS2, or give one duration",
			    c->step->context);
		return;
	}
	rows = context->parallel->step->map.n_rows;
	if (rows != n && found(c, PROBLEM_CONTEXT))
		DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 2),
		    "%u durations for %u rows: give one for all, or one for "
		    "each row of line %zu",
		    n, rows, row_of(c->doc, context->parallel));
}

static void
check_batch(struct check *c)
{
	const struct step *step = c->step;

	for (uint32_t i = 0; i < step->batch.n_deps; i++) {
		const struct dep *dep = &step->batch.deps[i];

		if (dep->kind >= DEP_READ)
			check_set(c, dep, i);
		else
			check_reference(c,
			    dep->kind == DEP_DATA ? REF_DATA : REF_WAIT,
			    dep->back, i);
	}
	if (step->batch.n_durations > 1)
		check_rows(c);
	if (is_infinite(step) && !c->line->n_ends && found(c, PROBLEM_UNNAMED))
		DIAGNOSE(c, DIAG_WARNING, place_of_field(c, 2),
		    "no T names this infinite batch, so it hangs: end it with "
		    "a step like T.-1");
}

static void
check_fence(struct check *c)
{
	if (!c->line->n_waits && found(c, PROBLEM_UNNAMED))
		DIAGNOSE(c, DIAG_WARNING, place_of_field(c, 0),
		    "no step names this fence: wait for it with f-n, or "
		    "signal it with a.-n");
}

static bool
stands_before(const struct check *c, const struct line *other)
{
	return other &&
	    sequence_index(&c->doc->seq, other) <
	    sequence_index(&c->doc->seq, c->line);
}

static void
check_balance(struct check *c)
{
	const struct context_entry *context = index_context(
	    &c->doc->index, c->step->context);

	if (stands_before(c, context->map))
		return;
	if (found(c, PROBLEM_CONTEXT))
		DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 0),
		    "load balancing needs an engine map: put a step like "
		    "M.%u.VCS before it",
		    c->step->context);
}

static void
check_bond(struct check *c)
{
	const struct context_entry *context = index_context(
	    &c->doc->index, c->step->context);

	if (stands_before(c, context->balance))
		return;
	if (found(c, PROBLEM_CONTEXT))
		DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 0),
		    "engine bonds need load balancing: put B.%u before it",
		    c->step->context);
}

static void
check_definition(struct check *c)
{
	const struct set_entry *set = index_set(
	    &c->doc->index, c->step->set.id);

	if (set->definition != c->line && found(c, PROBLEM_SET))
		DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 1),
		    "working set %u is defined in line %zu already: ids are "
		    "one space for w and W",
		    c->step->set.id, row_of(c->doc, set->definition));
}

uint8_t
check_line(const struct document *doc, const struct line *line,
    struct diag_list *diags)
{
	struct check c = {doc, line, line->step, 0, diags, 0};

	if (!c.step)
		return 0;
	c.number = sequence_step(&doc->seq, line);
	switch (c.step->kind) {
	case STEP_BATCH: check_batch(&c); break;
	case STEP_SYNC: check_reference(&c, REF_SYNC, c.step->back, 0); break;
	case STEP_ADVANCE:
		check_reference(&c, REF_ADVANCE, c.step->back, 0);
		break;
	case STEP_TERMINATE:
		check_reference(&c, REF_END, c.step->back, 0);
		break;
	case STEP_FENCE: check_fence(&c); break;
	case STEP_BALANCE: check_balance(&c); break;
	case STEP_BOND: check_bond(&c); break;
	case STEP_SET:
	case STEP_SHARED_SET: check_definition(&c); break;
	default: break;
	}
	return c.problems;
}

bool
check_throttle(const struct document *doc, const struct line *line)
{
	return line->step && line->step->kind == STEP_THROTTLE &&
	    line->step->count > sequence_n_steps(&doc->seq);
}

void
check_diagnose(const struct document *doc, const struct line *line,
    struct diag_list *diags)
{
	struct check c = {doc, line, line->step, 0, diags, 0};
	size_t n_steps = sequence_n_steps(&doc->seq);

	if (line->problems & PROBLEM_SYNTAX) {
		struct raw_line raw;

		line_recut(&raw, line, doc->source);
		line_diagnose(
		    &raw, (uint32_t)sequence_index(&doc->seq, line), diags);
	} else if (check_throttle(doc, line)) {
		DIAGNOSE(&c, DIAG_ERROR, place_of_field(&c, 1),
		    "throttle %u is more than there are steps: use at most "
		    "%zu, or 0 to turn it off",
		    line->step->count, n_steps);
	} else if (line->problems) {
		check_line(doc, line, diags);
	}
}
