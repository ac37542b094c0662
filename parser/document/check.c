/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks a line of the document, or a line being typed, against the other lines
 * and writes its diagnostics. The rules for references, contexts and working
 * sets are in check_steps.c, those for pairs of annotations in
 * check_annotations.c.
 */
#include "parser/document/check.h"

struct line_place
check_field(const struct check *c, unsigned field)
{
	struct line_place p;

	line_field(c->line, c->doc->source, field, &p.col, &p.len);
	return p;
}

/* Continues the walk over the field from the last dependency asked for, so that
 * a line with many invalid ones is cut once. */
struct line_place
check_dep(struct check *c, uint32_t dep)
{
	struct dep_walk *walk = &c->walk;
	struct field part;

	if (!walk->begun || dep < walk->next) {
		struct line_place field = check_field(c, 3);

		*walk = (struct dep_walk){
		    .rest = {c->line->text + field.col, field.len},
		    .begun = true,
		};
	}
	/* 0 means no dependency, so it is not counted. */
	while (walk->next <= dep && scan_part(&walk->rest, '/', &part))
		if (!field_is(part, '0')) {
			walk->at = part;
			walk->next++;
		}
	return (struct line_place){
	    (uint32_t)(walk->at.s - c->line->text), walk->at.len};
}

bool
check_found(struct check *c, uint8_t problem)
{
	c->problems |= problem;
	return c->diags != NULL;
}

size_t
check_index(const struct check *c, const struct line *line)
{
	return line->chunk ? sequence_index(&c->doc->seq, line) : c->draft->at;
}

size_t
check_row(const struct check *c, const struct line *line)
{
	size_t row, column;

	document_position(c->doc, check_index(c, line), 0, &row, &column);
	return row;
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
	if (step_is_infinite(step) && !c->line->n_ends &&
	    check_found(c, PROBLEM_UNNAMED))
		DIAGNOSE(c, DIAG_WARNING, check_field(c, 2),
		    "infinite batch without a T hangs: expected a step that "
		    "ends it, e.g. T.-1");
}

static void
check_fence(struct check *c)
{
	if (!c->line->n_waits && check_found(c, PROBLEM_UNNAMED))
		DIAGNOSE(c, DIAG_WARNING, check_field(c, 0),
		    "unused fence: expected a batch that waits for it with "
		    "f-n, or a step that signals it, e.g. a.-1");
}

void
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

/* The next three depend on all lines, so they are computed on demand and have
 * no bit in line->problems. True if a t.n has n above the number of steps. */
static bool
throttle_is_invalid(const struct document *doc, const struct line *line)
{
	return line->step && line->step->kind == STEP_THROTTLE &&
	    line->step->count > sequence_n_steps(&doc->seq);
}

bool
check_batch_follows(const struct document *doc, size_t index)
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

/* True for an annotation that no batch follows. */
static bool
is_lost(const struct document *doc, const struct line *line)
{
	return line->kind == LINE_ANNOTATION &&
	    !check_batch_follows(doc, sequence_index(&doc->seq, line) + 1);
}

size_t
check_n_suspended(const struct document *doc)
{
	return doc->seq.slots[doc->seq.n].first_suspended;
}

/* True if a render pass is resumed and none is suspended. */
static bool
is_loose(const struct document *doc, const struct line *line)
{
	return line->pass == PASS_RESUMES && check_n_suspended(doc) == 0;
}

bool
check_slot_alone(const struct document *doc, size_t slot)
{
	const struct sequence *seq = &doc->seq;

	if (seq->slots[slot].n_annotations == 0)
		return false;
	if (seq->slots[slot].n_resumes && check_n_suspended(doc) == 0)
		return true;
	while (++slot < seq->n)
		if (seq->slots[slot].n_batches > 0)
			return false;
	return true;
}

/* Returns the place of the line without the blanks around it. */
static struct line_place
whole(const struct check *c)
{
	struct raw_line raw;

	line_recut(&raw, c->line, c->doc->source);
	return (struct line_place){
	    (uint32_t)(raw.trimmed.s - c->line->text), raw.trimmed.len};
}

void
check_diagnose_lost(const struct check *c)
{
	DIAGNOSE(c, DIAG_WARNING, whole(c),
	    "annotation without a batch: expected a batch after it");
}

void
check_diagnose_loose(const struct check *c)
{
	DIAGNOSE(c, DIAG_WARNING, whole(c),
	    "resumed render pass without a suspended one: expected one before, "
	    "e.g. #@ renderpass 1920x1080 suspend");
}

void
check_diagnose_pairing(const struct check *c)
{
	uint8_t problems = c->line->problems & PROBLEM_ANNOTATIONS;
	struct line_place at = whole(c);

	if (problems & PROBLEM_NESTED)
		DIAGNOSE(c, DIAG_ERROR, at,
		    "too many nested secondaries: expected at most %d, each within "
		    "another, which are executed %d times in all",
		    ANNOTATION_NESTED_MAX, ANNOTATION_TIMES_MAX);
	else if (problems & PROBLEM_UNPAIRED &&
	    c->line->annotation_kind == ANNOTATION_SECONDARY_BEGIN)
		DIAGNOSE(c, DIAG_ERROR, at,
		    "unterminated secondary: expected #@ secondary end before "
		    "its batch");
	else if (problems & PROBLEM_UNPAIRED)
		DIAGNOSE(c, DIAG_ERROR, at,
		    "unexpected end of a secondary: expected #@ secondary "
		    "begin before it");
	else if (problems && c->line->annotation_kind == ANNOTATION_WEIGHT)
		DIAGNOSE(c, DIAG_WARNING, at,
		    "weight without a workload: expected one after it, e.g. "
		    "#@ dispatch 64x64x1");
	else if (problems)
		DIAGNOSE(c, DIAG_WARNING, at,
		    "once without a workload: expected one in the batch, e.g. "
		    "#@ dispatch 64x64x1");
}

void
check_diagnose_throttle(const struct check *c, size_t n_steps)
{
	DIAGNOSE(c, DIAG_ERROR, check_field(c, 1),
	    "invalid throttle '%u': expected 0 (off) to %zu, the number of "
	    "steps",
	    c->step->count, n_steps);
}

void
check_diagnose_syntax(const struct check *c)
{
	struct raw_line raw;

	line_recut(&raw, c->line, c->doc->source);
	line_diagnose(&raw, (uint32_t)check_index(c, c->line), c->diags);
}

void
check_diagnose(const struct document *doc, const struct line *line,
    struct diag_list *diags)
{
	struct check c = {
	    .doc = doc, .line = line, .step = line->step, .diags = diags};

	if (line->problems & PROBLEM_SYNTAX)
		check_diagnose_syntax(&c);
	else if (throttle_is_invalid(doc, line))
		check_diagnose_throttle(&c, sequence_n_steps(&doc->seq));
	else if (is_lost(doc, line))
		check_diagnose_lost(&c);
	else if (is_loose(doc, line))
		check_diagnose_loose(&c);
	else if (line->problems & PROBLEM_ANNOTATIONS)
		check_diagnose_pairing(&c);
	else if (line->problems)
		check_line(doc, line, diags);
}
