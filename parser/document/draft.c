/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnoses lines that are being typed as if they were in the document: they
 * take over the references to the line that they replace, and references among
 * themselves and from later lines are counted. The document stays as it is.
 */
#include "parser/document/check.h"

#include <stdlib.h>

#include "parser/document/edit_plan.h"

static size_t
draft_n_steps(const struct draft *draft, size_t n)
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
	return !check_batch_follows(doc, draft->at + (draft->old != NULL));
}

static bool
draft_is_loose(const struct document *doc, const struct draft *draft, size_t k)
{
	size_t n = check_n_suspended(doc);

	if (draft->lines[k]->pass != PASS_RESUMES)
		return false;
	if (draft->old && draft->old->pass == PASS_BEGINS)
		n--;
	for (size_t i = 0; i < draft->n; i++)
		n += draft->lines[i]->pass == PASS_BEGINS;
	return n == 0;
}

static void
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
	    draft_n_steps(draft, draft->n) - (old && line_counts(old));

	c.number = draft->step + draft_n_steps(draft, k);
	if (line->problems & PROBLEM_SYNTAX)
		check_diagnose_syntax(&c);
	else if (line->step && line->step->kind == STEP_THROTTLE &&
	    line->step->count > n_steps)
		check_diagnose_throttle(&c, n_steps);
	else if (line->step)
		check_step(&c);
	else if (draft_is_lost(doc, draft, k))
		check_diagnose_lost(&c);
	else if (draft_is_loose(doc, draft, k))
		check_diagnose_loose(&c);
	else
		check_diagnose_pairing(&c);
}

static void
cut_draft(struct arena *arena, enum document_source source, const char *text,
    size_t len, struct lines *lines)
{
	const char *end = text + len;

	do {
		struct raw_line raw;

		line_cut(&raw, text, end, source);
		text = raw.next;
		lines_add(lines, line_make(arena, &raw));
	} while (text < end);
}

/* Copies the reference counts of the old line to the first step of the draft.
 */
static void
inherit_references(const struct draft *draft, struct diag_list *diags)
{
	const struct line *old = draft->old;

	if (!old || !line_counts(old))
		return;
	for (size_t i = 0; i < draft->n; i++) {
		struct line *line = draft->lines[i];

		if (!line_counts(line))
			continue;
		line->n_refs = old->n_refs;
		line->n_waits = old->n_waits;
		line->n_ends = old->n_ends;
		return;
	}
	if (old->n_refs)
		diag_add(diags, DIAG_ERROR, (uint32_t)draft->at, 0, 1,
		    "missing step that others refer to: expected a step, or "
		    "delete the line");
}

static struct line *
step_of_draft(const struct draft *draft, size_t number)
{
	for (size_t i = 0; i < draft->n; i++)
		if (line_counts(draft->lines[i]) && number-- == 0)
			return draft->lines[i];
	return NULL;
}

/* Counts the references among the lines of the draft. */
static void
count_own_references(const struct draft *draft)
{
	size_t number = 0;

	for (size_t i = 0; i < draft->n; i++) {
		const struct line *line = draft->lines[i];
		uint32_t iterator = 0, back;
		enum reference_kind kind;

		while (line->step &&
		    (back = step_reference(line->step, &iterator, &kind))) {
			struct line *target = back <= number
			    ? step_of_draft(draft, number - back)
			    : NULL;

			if (!target)
				continue;
			target->n_waits += kind == REF_WAIT ||
			    kind == REF_ADVANCE;
			target->n_ends += kind == REF_END;
		}
		number += line_counts(line);
	}
}

/* Counts references from line, step number step, that lead to before the first
 * step now, and to a line of the draft with more steps before them. */
static void
count_from(const struct draft *draft, const struct line *line, size_t step,
    size_t more)
{
	uint32_t iterator = 0, back;
	enum reference_kind kind;

	while ((back = step_reference(line->step, &iterator, &kind))) {
		struct line *target;

		if (back <= step || back > step + more ||
		    step + more - back < draft->step)
			continue;
		target = step_of_draft(draft, step + more - back - draft->step);
		if (!target)
			continue;
		target->n_waits += kind == REF_WAIT || kind == REF_ADVANCE;
		target->n_ends += kind == REF_END;
	}
}

/* Counts references from lines after the draft that lead to before the first
 * step: an edit does not rewrite those, so they may lead to lines of the draft.
 * Skips chunks without such references. */
static void
count_strays(const struct document *doc, const struct draft *draft)
{
	const struct sequence *seq = &doc->seq;
	size_t n_old = draft->old && line_counts(draft->old), n_new = 0;
	size_t first = draft->step + n_old;

	for (size_t i = 0; i < draft->n; i++)
		n_new += line_counts(draft->lines[i]);
	for (size_t i = 0; n_new > n_old && i < seq->n; i++) {
		const struct chunk_slot *slot = &seq->slots[i];

		if (slot->reach <= (int64_t)slot->first_step)
			continue;
		for (size_t k = 0; k < slot->n_lines; k++) {
			const struct line *line = slot->chunk->lines[k];
			size_t step = slot->first_step +
			    slot->chunk->step_of_line[k];

			if (line->step && step >= first)
				count_from(draft, line, step, n_new - n_old);
		}
	}
}

/* Converts columns of a line to those of the text. */
static void
shift_columns(struct diag_list *diags, size_t from, size_t by)
{
	for (size_t i = from; i < diags->n; i++)
		diags->list[i].col += (uint32_t)by;
}

void
draft_diagnose(const struct document *doc, size_t at, bool is_new,
    const char *text, size_t len, struct diag_list *diags)
{
	struct arena arena = {0};
	struct lines lines = {0};
	struct draft draft = {
	    .at = at,
	    .step = document_step_of_line(doc, at),
	    .old = is_new ? NULL : sequence_line(&doc->seq, at),
	};

	cut_draft(&arena, doc->source, text, len, &lines);
	draft.lines = lines.list;
	draft.n = lines.n;
	inherit_references(&draft, diags);
	count_own_references(&draft);
	count_strays(doc, &draft);
	check_draft_annotations(doc, &draft);
	for (size_t i = 0; i < lines.n; i++) {
		size_t before = diags->n;

		check_draft(doc, &draft, i, diags);
		shift_columns(
		    diags, before, (size_t)(lines.list[i]->text - text));
	}
	free(lines.list);
	arena_free(&arena);
}
