/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What of a descriptor gem_wsim does not take: our additions, and what it
 * refuses although it means something (facts: its language and limits).
 */
#include "parser/document_private.h"

#include <stdlib.h>

#include "parser/mem.h"
#include "parser/text.h"

/* Where its 32-bit sum of nanoseconds would wrap. */
#define GEM_WSIM_MAX_US 4294967u
/* It has memory for all numbers up to the one named; more is a crash. */
#define GEM_WSIM_MAX_CONTEXT 65535u

struct report {
	const struct document *doc;
	const struct line *line;
	struct text *why;
	bool *waited; /* by step: a batch waits for it */
	bool portable;
};

static void
say(struct report *r, const char *cause)
{
	size_t row, column;

	r->portable = false;
	if (!r->why)
		return;
	sequence_position(&r->doc->seq, r->line, &row, &column);
	text_addf(r->why, "line %zu: %s\n", row + 1, cause);
}

static void
batch(struct report *r, const struct step *step)
{
	unsigned n_fences = 0;

	if (step->batch.n_durations > 1)
		say(r, "durations by row are not in gem_wsim");
	else if (step->batch.duration.max_us > GEM_WSIM_MAX_US)
		say(r, "gem_wsim wraps durations above 4294967 us");
	for (uint32_t i = 0; i < step->batch.n_deps; i++)
		n_fences += step->batch.deps[i].kind == DEP_FENCE ||
		    step->batch.deps[i].kind == DEP_SUBMIT;
	if (n_fences > 1)
		say(r, "gem_wsim takes one f or s dependency per batch");
}

/* The steps that batches wait for by f-n or s-n; to be freed. */
static bool *
find_waited(const struct document *doc)
{
	size_t n = sequence_n_steps(&doc->seq);
	bool *waited = mem_calloc(n + 1, sizeof(*waited));

	for (size_t i = 0; i < n; i++) {
		const struct line *line = sequence_line_of_step(&doc->seq, i);
		const struct step *step = line->step;

		if (step == NULL || step->kind != STEP_BATCH)
			continue;
		for (uint32_t k = 0; k < step->batch.n_deps; k++) {
			const struct dep *dep = &step->batch.deps[k];

			if ((dep->kind == DEP_FENCE ||
				dep->kind == DEP_SUBMIT) &&
			    dep->back <= i)
				waited[i - dep->back] = true;
		}
	}
	return waited;
}

/* What kernels refuse of the map of a balanced context. */
static void
map(struct report *r, const struct step *step)
{
	const struct context_entry *context = index_context(
	    &r->doc->index, step->context);
	const struct engine_name *e = step->map.engines;
	bool mixed = false, twice = false;

	if (context == NULL || context->balance == NULL)
		return;
	for (uint32_t i = 1; i < step->map.n_engines; i++) {
		mixed = mixed || e[i].class != e[0].class;
		for (uint32_t k = 0; k < i && !twice; k++)
			twice = engine_name_equal(e[i], e[k]);
	}
	if (mixed)
		say(r, "kernels refuse to balance over engines of two classes");
	else if (twice)
		say(r, "kernels refuse to balance over an engine named twice");
}

static void
blanks(struct report *r)
{
	struct raw_line raw;

	line_recut(&raw, r->line, r->doc->source);
	if (raw.trimmed.s + raw.trimmed.len != r->line->text + r->line->len)
		say(r, "gem_wsim takes no blanks after a step");
	else if (r->line->separator == SEP_CRLF)
		say(r, "gem_wsim takes no carriage returns");
	else if (raw.trimmed.s != r->line->text &&
	    r->line->step->kind != STEP_BATCH)
		say(r, "gem_wsim takes no blanks before a step");
}

static void
mask(struct report *r)
{
	struct raw_line raw;

	line_recut(&raw, r->line, r->doc->source);
	if (raw.fields[2].len > 1 && (raw.fields[2].s[1] | 0x20) == 'x')
		say(r, "gem_wsim reads a hexadecimal slice mask as 0");
}

static void
step_line(struct report *r)
{
	const struct step *step = r->line->step;

	blanks(r);
	if (step->kind == STEP_BATCH)
		batch(r, step);
	else if (step->kind == STEP_PARALLEL)
		say(r, "parallel slots (G) are not in gem_wsim");
	else if (step->kind == STEP_MAP)
		map(r, step);
	else if (step->kind == STEP_SSEU)
		mask(r);
	else if (step->kind == STEP_FENCE &&
	    !r->waited[sequence_step(&r->doc->seq, r->line)])
		say(r, "gem_wsim aborts on a fence that no batch waits for");
	if (step->context > GEM_WSIM_MAX_CONTEXT)
		say(r,
		    "gem_wsim takes memory by the context's number: this one "
		    "is above 65535");
}

/* A comment is one only where gem_wsim looks for it: first in its line. */
static void
comment_line(struct report *r, const struct line *before)
{
	if (r->line->text[0] != '#')
		say(r, "gem_wsim takes no blanks before a comment");
	else if (before && before->separator == SEP_COMMA &&
	    r->doc->source == SOURCE_FILE)
		say(r, "gem_wsim takes no comment after a comma");
}

bool
document_is_portable(const struct document *doc, struct text *why)
{
	struct report r = {doc, NULL, why, find_waited(doc), true};
	const struct line *before = NULL;

	for (size_t i = 0; i < doc->seq.n; i++) {
		const struct slot *slot = &doc->seq.slots[i];

		for (uint32_t k = 0; k < slot->n_lines; k++) {
			r.line = slot->chunk->lines[k];
			if (r.line->kind == LINE_STEP)
				step_line(&r);
			else if (r.line->kind == LINE_BAD)
				say(&r, "is no step");
			else if (r.line->kind != LINE_BLANK)
				comment_line(&r, before);
			before = r.line;
		}
	}
	free(r.waited);
	return r.portable;
}
