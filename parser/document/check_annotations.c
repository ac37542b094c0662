/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the annotations of a batch against each other: secondaries that begin
 * or end without their counterpart, weights and `once` without a workload. The
 * annotations of a batch are those between it and the batch before, whatever
 * other steps are among them.
 */
#include "parser/document/check.h"

/* The lines of a document with a draft in it; indices count those of both. */
struct text_lines {
	const struct document *doc;
	struct sequence
	    *counts; /* in which problems are counted; NULL: a draft */
	const struct draft *draft;
	size_t n;
};

static bool
matters(const struct line *line)
{
	return line->kind == LINE_ANNOTATION || line_may_be_batch(line);
}

static const struct chunk_slot *
line_slot(const struct document *doc, const struct line *line)
{
	return &doc->seq.slots[line->chunk->slot];
}

/* Returns the index of the first annotation or batch of the document from i on,
 * or the number of lines. */
static size_t
next_of_document(const struct document *doc, size_t i)
{
	size_t n = sequence_n_lines(&doc->seq);

	while (i < n) {
		const struct line *line = sequence_line(&doc->seq, i);
		const struct chunk_slot *slot = line_slot(doc, line);

		if (matters(line))
			break;
		i++;
		if (!slot->n_annotations && !slot->n_batches)
			i = slot->first_line + slot->n_lines;
	}
	return i;
}

/* Returns the index after the last batch before i. */
static size_t
after_last_batch(const struct document *doc, size_t i)
{
	while (i > 0) {
		const struct line *line = sequence_line(&doc->seq, i - 1);
		const struct chunk_slot *slot = line_slot(doc, line);

		if (line_may_be_batch(line))
			break;
		i = slot->n_batches ? i - 1 : slot->first_line;
	}
	return i;
}

/* Returns by how much indices after the draft exceed those of the document. */
static size_t
draft_shift(const struct text_lines *t)
{
	return t->draft->n - (t->draft->old != NULL); /* may wrap */
}

static struct line *
line_at(const struct text_lines *t, size_t i)
{
	const struct draft *draft = t->draft;

	if (draft && i >= draft->at) {
		if (i < draft->at + draft->n)
			return draft->lines[i - draft->at];
		i -= draft_shift(t);
	}
	return sequence_line(&t->doc->seq, i);
}

/* next_of_document() with the draft in its place. */
static size_t
next_at(const struct text_lines *t, size_t i)
{
	const struct draft *draft = t->draft;
	size_t found;

	if (!draft)
		return next_of_document(t->doc, i);
	if (i < draft->at) {
		found = next_of_document(t->doc, i);
		if (found < draft->at)
			return found;
		i = draft->at;
	}
	for (; i < draft->at + draft->n; i++)
		if (matters(draft->lines[i - draft->at]))
			return i;
	return next_of_document(t->doc, i - draft_shift(t)) + draft_shift(t);
}

/* A batch and its annotations. */
struct batch_lines {
	size_t first, batch; /* indices; batch == n: no batch */
	/* Index after the last workload, and after the last end of a secondary that
	 * is within that many others; 0: none. */
	size_t after_workload, after_end[ANNOTATION_NESTED_MAX];
	bool has_default; /* the default workload exists */
	bool unclear;     /* an annotation has a syntax error */
};

/* True if a batch without workloads gets a default one. Lines that do not parse
 * and engine DEFAULT may. */
static bool
may_have_default(const struct line *batch)
{
	unsigned engine_class;

	if (!batch->step)
		return true;
	engine_class = batch->step->batch.engine.class;
	return engine_class != CLASS_VCS && engine_class != CLASS_VECS;
}

static struct batch_lines
look_ahead(const struct text_lines *t, size_t first)
{
	struct batch_lines b = {.first = first};
	size_t i = first, depth = 0;

	while ((i = next_at(t, i)) < t->n) {
		const struct line *line = line_at(t, i++);

		if (line_may_be_batch(line)) {
			b.has_default = may_have_default(line);
			b.batch = i - 1;
			return b;
		}
		b.unclear |= line->problems & PROBLEM_SYNTAX;
		if (annotation_is_workload(line->annotation_kind))
			b.after_workload = i;
		else if (line->annotation_kind == ANNOTATION_SECONDARY_BEGIN)
			depth++;
		else if (line->annotation_kind == ANNOTATION_SECONDARY_END &&
		    depth > 0 && --depth < ANNOTATION_NESTED_MAX)
			b.after_end[depth] = i;
	}
	b.batch = t->n;
	return b;
}

/* Secondaries around a line. */
struct nesting {
	size_t depth;
	/* How often those are executed, up to each; 0: more often than may be. */
	uint32_t times[ANNOTATION_NESTED_MAX + 1];
};

/* i: of the line after it. */
static uint8_t
begin_nested(const struct line *line, size_t i, const struct batch_lines *b,
    struct nesting *n)
{
	size_t at = n->depth++;
	uint32_t times;

	if (at >= ANNOTATION_NESTED_MAX)
		return PROBLEM_NESTED;
	times = n->times[at] * line->annotation->times;
	n->times[at + 1] = times <= ANNOTATION_TIMES_MAX ? times : 0;
	if (n->times[at] > 0 && n->times[at + 1] == 0)
		return PROBLEM_NESTED;
	return b->after_end[at] > i ? 0 : PROBLEM_UNPAIRED;
}

static uint8_t
problems_of(const struct line *line, size_t i, const struct batch_lines *b,
    struct nesting *n)
{
	switch (line->annotation_kind) {
	case ANNOTATION_SECONDARY_BEGIN: return begin_nested(line, i, b, n);
	case ANNOTATION_SECONDARY_END:
		if (n->depth == 0)
			return PROBLEM_UNPAIRED;
		n->depth--;
		return 0;
	case ANNOTATION_WEIGHT:
		if (b->after_workload > i)
			return 0;
		return b->after_workload || !b->has_default ? PROBLEM_IDLE : 0;
	case ANNOTATION_ONCE:
		return b->after_workload || b->has_default ? 0 : PROBLEM_IDLE;
	default: return 0;
	}
}

static void
set_problems(const struct text_lines *t, struct line *line, uint8_t problems)
{
	problems |= line->problems & (uint8_t)~PROBLEM_ANNOTATIONS;
	if (problems == line->problems)
		return;
	if (t->counts)
		sequence_set_problems(t->counts, line, problems);
	else if (!line->chunk)
		line->problems = problems;
}

static void
check_batch_lines(const struct text_lines *t, const struct batch_lines *b)
{
	bool known = b->batch < t->n && !b->unclear;
	struct nesting n = {.times = {1}};

	for (size_t i = b->first; (i = next_at(t, i)) < b->batch; i++) {
		struct line *line = line_at(t, i);

		set_problems(t, line, known ? problems_of(line, i, b, &n) : 0);
	}
}

/* Checks batches from first, which begins the annotations of one. */
static size_t
check_range(const struct text_lines *t, size_t first, size_t end)
{
	struct batch_lines b;

	do {
		b = look_ahead(t, first);
		check_batch_lines(t, &b);
		first = b.batch + 1;
	} while (b.batch < end && b.batch < t->n);
	return first;
}

size_t
check_annotations(struct document *doc, size_t first, size_t end)
{
	struct text_lines t = {
	    .doc = doc, .counts = &doc->seq, .n = sequence_n_lines(&doc->seq)};

	return check_range(&t, after_last_batch(doc, first), end);
}

void
check_all_annotations(struct document *doc)
{
	size_t done = 0;

	for (size_t i = 0; i < doc->seq.n; i++) {
		const struct chunk_slot *slot = &doc->seq.slots[i];
		size_t end = slot->first_line + slot->n_lines;

		if (slot->n_annotations && end > done)
			done = check_annotations(doc, slot->first_line, end);
	}
}

void
check_draft_annotations(const struct document *doc, const struct draft *draft)
{
	struct text_lines t = {.doc = doc, .draft = draft};

	t.n = sequence_n_lines(&doc->seq) + draft_shift(&t);
	check_range(&t, after_last_batch(doc, draft->at), draft->at + draft->n);
}
