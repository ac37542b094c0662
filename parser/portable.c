/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What of a descriptor gem_wsim does not take: our additions, and what it
 * refuses although it means something (facts: its language and limits).
 */
#include "parser/document_private.h"

#include "parser/text.h"

/* Where its 32-bit sum of nanoseconds would wrap. */
#define GEM_WSIM_MAX_US 4294967u

struct report {
	const struct document *doc;
	const struct line *line;
	struct text *why;
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
step_line(struct report *r)
{
	const struct step *step = r->line->step;

	blanks(r);
	if (step->kind == STEP_BATCH)
		batch(r, step);
	else if (step->kind == STEP_PARALLEL)
		say(r, "parallel slots (G) are not in gem_wsim");
	else if (step->kind == STEP_FENCE && !r->line->n_waits)
		say(r, "gem_wsim aborts on a fence that no step names");
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
	struct report r = {doc, NULL, why, true};
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
	return r.portable;
}
