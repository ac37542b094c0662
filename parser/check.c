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
	const struct draft *draft; /* line is one of it; NULL */
};

struct place {
	uint32_t col, len;
};

static struct place
place_of_field(const struct check *c, unsigned field)
{
	struct place p;

	line_field(c->line, c->doc->source, field, &p.col, &p.len);
	return p;
}

static struct place
place_of_dep(const struct check *c, uint32_t dep)
{
	struct place p;

	line_dependency(c->line, c->doc->source, dep, &p.col, &p.len);
	return p;
}

/* Notes the problem; true if the caller is to write its diagnostic. */
static bool
found(struct check *c, uint8_t problem)
{
	c->problems |= problem;
	return c->diags != NULL;
}

/* Of the line, or of another one that the same draft may hold. */
static size_t
index_of(const struct check *c, const struct line *line)
{
	return line->chunk ? sequence_index(&c->doc->seq, line) : c->draft->at;
}

#define DIAGNOSE(c, severity, place, ...)                                      \
	diag_add((c)->diags, severity, (uint32_t)index_of(c, (c)->line),       \
	    (place).col, (place).len, __VA_ARGS__)

static size_t
row_of(const struct check *c, const struct line *line)
{
	size_t row, column;

	document_position(c->doc, index_of(c, line), 0, &row, &column);
	return row;
}

/* "step 3 (f, line 4)" for messages. */
static void
describe(const struct check *c, const struct line *target, size_t number,
    struct text *t)
{
	struct text step = {0};

	step_print(&step, target->step);
	text_addf(t, "step %zu (%.*s%s, line %zu)", number,
	    step.len > 24 ? 24 : (int)step.len, text_str(&step),
	    step.len > 24 ? "..." : "", row_of(c, target));
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
	describe(c, target, c->number - back, &t);
	DIAGNOSE(c, DIAG_ERROR, at, "%s %s", text_str(&t),
	    misfit(target->step, kind));
	text_free(&t);
}

/* dep: which dependency of a batch; others have their target in field 1. */
static void
check_reference(
    struct check *c, enum reference kind, uint32_t back, uint32_t dep)
{
	const struct line *target = find_target(c, back);

	/* What a line that doesn't parse is meant to be, nobody knows. */
	if (target && (!target->step || check_fits(target->step, kind)))
		return;
	if (found(c, PROBLEM_REFERENCE))
		diagnose_reference(c, target,
		    c->step->kind == STEP_BATCH ? place_of_dep(c, dep)
						: place_of_field(c, 1),
		    kind, back);
}

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

static void
check_set(struct check *c, const struct dep *dep, uint32_t i)
{
	const struct line *set = find_definition(c, dep->set);

	if (!set) {
		if (found(c, PROBLEM_SET))
			DIAGNOSE(c, DIAG_ERROR, place_of_dep(c, i),
			    "working set %u is defined nowhere: add a step "
			    "like w.%u.4k",
			    dep->set, dep->set);
	} else if (dep->last >= set->step->set.n_objects) {
		if (found(c, PROBLEM_SET))
			DIAGNOSE(c, DIAG_ERROR, place_of_dep(c, i),
			    "object %u is not in working set %u: line %zu "
			    "gives it %u, numbered from 0",
			    dep->last, dep->set, row_of(c, set),
			    set->step->set.n_objects);
	}
}

static void
check_rows(struct check *c)
{
	const struct line *parallel = find_setup(c, is_parallel);
	unsigned n = c->step->batch.n_durations, rows;

	if (!parallel) {
		if (found(c, PROBLEM_CONTEXT))
			DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 2),
			    "durations by row need a parallel slot (G): add "
			    "one like G.%u.VCS1/VCS2, or give one duration",
			    c->step->context);
		return;
	}
	rows = parallel->step->map.n_rows;
	if (rows != n && found(c, PROBLEM_CONTEXT))
		DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 2),
		    "%u durations for %u rows: give one for all, or one for "
		    "each row of line %zu",
		    n, rows, row_of(c, parallel));
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
	if (!other || other == c->line)
		return false;
	if (other->chunk)
		return index_of(c, other) < index_of(c, c->line);
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
	DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 0),
	    "%s for engine maps (M), and context %u has a parallel slot "
	    "(G, line %zu), which chooses among its siblings by itself: leave "
	    "this step out",
	    what, c->step->context, row_of(c, parallel));
	return true;
}

static void
check_balance(struct check *c)
{
	if (stands_before(c, find_setup(c, is_map)))
		return;
	if (found(c, PROBLEM_CONTEXT) &&
	    !diagnose_parallel(c, "load balancing is"))
		DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 0),
		    "load balancing needs an engine map: put a step like "
		    "M.%u.VCS before it",
		    c->step->context);
}

static void
check_bond(struct check *c)
{
	uint32_t context = c->step->context;

	if (stands_before(c, find_setup(c, is_balance)) ||
	    !found(c, PROBLEM_CONTEXT) ||
	    diagnose_parallel(c, "engine bonds are"))
		return;
	if (stands_before(c, find_setup(c, is_map)))
		DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 0),
		    "engine bonds need load balancing: put B.%u before it",
		    context);
	else
		DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 0),
		    "engine bonds need load balancing: put steps like M.%u.VCS "
		    "and B.%u before it",
		    context, context);
}

static void
check_definition(struct check *c)
{
	const struct line *set = find_definition(c, c->step->set.id);

	if (set != c->line && found(c, PROBLEM_SET))
		DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 1),
		    "working set %u is defined in line %zu already: ids are "
		    "one space for w and W",
		    c->step->set.id, row_of(c, set));
}

static void
check_step(struct check *c)
{
	switch (c->step->kind) {
	case STEP_BATCH: check_batch(c); break;
	case STEP_SYNC: check_reference(c, REF_SYNC, c->step->back, 0); break;
	case STEP_ADVANCE:
		check_reference(c, REF_ADVANCE, c->step->back, 0);
		break;
	case STEP_TERMINATE:
		check_reference(c, REF_END, c->step->back, 0);
		break;
	case STEP_FENCE: check_fence(c); break;
	case STEP_BALANCE: check_balance(c); break;
	case STEP_BOND: check_bond(c); break;
	case STEP_SET:
	case STEP_SHARED_SET: check_definition(c); break;
	default: break;
	}
}

uint8_t
check_line(const struct document *doc, const struct line *line,
    struct diag_list *diags)
{
	struct check c = {
	    .doc = doc, .line = line, .step = line->step, .diags = diags};

	if (!c.step)
		return 0;
	c.number = sequence_step(&doc->seq, line);
	check_step(&c);
	return c.problems;
}

bool
check_throttle(const struct document *doc, const struct line *line)
{
	return line->step && line->step->kind == STEP_THROTTLE &&
	    line->step->count > sequence_n_steps(&doc->seq);
}

/* Does a batch stand at the index or behind it? */
static bool
batch_follows(const struct document *doc, size_t index)
{
	const struct sequence *seq = &doc->seq;
	size_t i = seq->n, k;

	while (i > 0 && seq->slots[i - 1].first_line > index)
		if (seq->slots[--i].n_batches > 0)
			return true;
	if (i == 0)
		return false;
	k = index - seq->slots[--i].first_line;
	for (; k < seq->slots[i].n_lines; k++)
		if (line_may_be_batch(seq->slots[i].chunk->lines[k]))
			return true;
	return false;
}

bool
check_lost(const struct document *doc, const struct line *line)
{
	return line->kind == LINE_ANNOTATION &&
	    !batch_follows(doc, sequence_index(&doc->seq, line) + 1);
}

bool
check_slot_lost(const struct document *doc, size_t slot)
{
	const struct sequence *seq = &doc->seq;

	if (seq->slots[slot].n_annotations == 0)
		return false;
	while (++slot < seq->n)
		if (seq->slots[slot].n_batches > 0)
			return false;
	return true;
}

static void
diagnose_lost(const struct check *c)
{
	struct raw_line raw;
	struct place at;

	line_recut(&raw, c->line, c->doc->source);
	at.col = (uint32_t)(raw.trimmed.s - c->line->text);
	at.len = raw.trimmed.len;
	DIAGNOSE(c, DIAG_WARNING, at,
	    "no batch follows: an annotation belongs to the next batch");
}

static void
diagnose_throttle(const struct check *c, size_t n_steps)
{
	DIAGNOSE(c, DIAG_ERROR, place_of_field(c, 1),
	    "throttle %u is more than there are steps: use at most %zu, or 0 "
	    "to turn it off",
	    c->step->count, n_steps);
}

static void
diagnose_syntax(const struct check *c)
{
	struct raw_line raw;

	line_recut(&raw, c->line, c->doc->source);
	line_diagnose(&raw, (uint32_t)index_of(c, c->line), c->diags);
}

void
check_diagnose(const struct document *doc, const struct line *line,
    struct diag_list *diags)
{
	struct check c = {
	    .doc = doc, .line = line, .step = line->step, .diags = diags};

	if (line->problems & PROBLEM_SYNTAX)
		diagnose_syntax(&c);
	else if (check_throttle(doc, line))
		diagnose_throttle(&c, sequence_n_steps(&doc->seq));
	else if (check_lost(doc, line))
		diagnose_lost(&c);
	else if (line->problems)
		check_line(doc, line, diags);
}

static size_t
count_steps(const struct draft *draft, size_t n)
{
	size_t steps = 0;

	for (size_t i = 0; i < n; i++)
		steps += line_counts(draft->lines[i]);
	return steps;
}

static bool
draft_is_lost(const struct document *doc, const struct draft *draft, size_t k)
{
	if (draft->lines[k]->kind != LINE_ANNOTATION)
		return false;
	while (++k < draft->n)
		if (line_may_be_batch(draft->lines[k]))
			return false;
	return !batch_follows(doc, draft->at + (draft->old != NULL));
}

void
check_draft(const struct document *doc, const struct draft *draft, size_t k,
    struct diag_list *diags)
{
	const struct line *line = draft->lines[k];
	const struct line *old = draft->old;
	struct check c = {.doc = doc,
	    .line = line,
	    .step = line->step,
	    .diags = diags,
	    .draft = draft};
	size_t n_steps = sequence_n_steps(&doc->seq) +
	    count_steps(draft, draft->n) - (old && line_counts(old));

	c.number = draft->step + count_steps(draft, k);
	if (line->problems & PROBLEM_SYNTAX)
		diagnose_syntax(&c);
	else if (line->step && line->step->kind == STEP_THROTTLE &&
	    line->step->count > n_steps)
		diagnose_throttle(&c, n_steps);
	else if (line->step)
		check_step(&c);
	else if (draft_is_lost(doc, draft, k))
		diagnose_lost(&c);
}
