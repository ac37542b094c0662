/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds parts of a descriptor that gem_wsim does not read as they are meant:
 * our additions, and meaningful input that it refuses (doc/model/language.md
 * "What gem_wsim does not read").
 */
#include "parser/document/document_private.h"

#include <limits.h>
#include <stdlib.h>

#include "base/mem.h"
#include "parser/step.h"

/* Its 32-bit sum of nanoseconds wraps above. */
#define GEM_WSIM_MAX_US 4294967u
/* It allocates arrays up to the largest context and working set and crashes if
 * they are too large. */
#define GEM_WSIM_MAX_NUMBER 65535u

/* Largest file that it reads, in bytes. */
#define GEM_WSIM_MAX_BYTES (1024u * 1024u - 1)

struct portable_report {
	const struct document *doc;
	const struct line *line;
	size_t index; /* of the line */
	struct diag_list *why;
	bool *waited; /* by step number: a batch waits for it */
	bool portable;
};

/* Adds a note at a field of the line. */
static void
add_cause(struct portable_report *r, unsigned field, const char *cause)
{
	uint32_t col = 0, len = r->line->len;

	r->portable = false;
	if (r->line->kind == LINE_STEP)
		line_field(r->line, r->doc->source, field, &col, &len);
	diag_add_as(r->why, cause, DIAG_NOTE, (uint32_t)r->index, col, len,
	    "%s", cause);
}

/* True if a 0 (no dependency) is not the whole field. */
static bool
has_zero_among_others(const struct portable_report *r)
{
	struct raw_line raw;
	struct field rest, part;

	line_recut(&raw, r->line, r->doc->source);
	rest = raw.fields[3];
	if (rest.len == 1)
		return false;
	while (scan_part(&rest, '/', &part))
		if (field_is(part, '0'))
			return true;
	return false;
}

static void
check_portable_batch(struct portable_report *r, const struct step *step)
{
	unsigned n_fences = 0;

	if (step->batch.n_durations > 1)
		add_cause(r, 2, "durations by row are not in gem_wsim");
	else if (step->batch.duration.max_us > GEM_WSIM_MAX_US)
		add_cause(r, 2, "gem_wsim wraps durations above 4294967 us");
	for (uint32_t i = 0; i < step->batch.n_deps; i++)
		n_fences += step->batch.deps[i].kind == DEP_FENCE ||
		    step->batch.deps[i].kind == DEP_SUBMIT;
	if (n_fences > 1)
		add_cause(
		    r, 3, "gem_wsim takes one f or s dependency per batch");
	if (has_zero_among_others(r))
		add_cause(r, 3, "gem_wsim takes 0 as a dependency only alone");
}

/* Returns an array by step number: true if a batch waits for the step by f-n or
 * s-n. The caller frees it. */
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

/* Notes maps of balanced contexts that kernels refuse. */
static void
check_portable_map(struct portable_report *r, const struct step *step)
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
		add_cause(r, 2,
		    "kernels refuse to balance over engines of two classes");
	else if (twice)
		add_cause(r, 2,
		    "kernels refuse to balance over an engine named twice");
}

static void
check_portable_mask(struct portable_report *r, const struct step *step)
{
	struct raw_line raw;

	line_recut(&raw, r->line, r->doc->source);
	if (raw.fields[2].len > 1 && (raw.fields[2].s[1] | 0x20) == 'x')
		add_cause(r, 2, "gem_wsim reads a hexadecimal slice mask as 0");
	else if (step->value > INT_MAX)
		add_cause(r, 2, "gem_wsim reads slice masks up to 2147483647");
}

/* True if the step ends with a number: gem_wsim ignores text after that. */
static bool
ends_with_number(const struct step *step)
{
	switch (step->kind) {
	case STEP_BATCH:
	case STEP_FENCE:
	case STEP_MAP:
	case STEP_BOND:
	case STEP_PARALLEL:
	case STEP_SET:
	case STEP_SHARED_SET: return false;
	default: return true;
	}
}

static void
check_portable_blanks(struct portable_report *r)
{
	struct raw_line raw;
	bool strict = !ends_with_number(r->line->step);

	line_recut(&raw, r->line, r->doc->source);
	if (strict &&
	    raw.trimmed.s + raw.trimmed.len != r->line->text + r->line->len)
		add_cause(
		    r, 0, "gem_wsim takes no blanks after a step like this");
	else if (strict && r->line->separator == SEP_CRLF)
		add_cause(r, 0,
		    "gem_wsim takes no carriage return after a step like this");
	else if (raw.trimmed.s != r->line->text &&
	    r->line->step->kind != STEP_BATCH)
		add_cause(r, 0, "gem_wsim takes no blanks before a step");
}

static void
check_portable_numbers(struct portable_report *r, const struct step *step)
{
	if (step_has_context(step) && step->context > GEM_WSIM_MAX_NUMBER)
		add_cause(r, 0,
		    "gem_wsim takes memory by the context's number: this one "
		    "is above 65535");
	if ((step->kind == STEP_SET || step->kind == STEP_SHARED_SET) &&
	    step->set.id > GEM_WSIM_MAX_NUMBER)
		add_cause(r, 1,
		    "gem_wsim takes memory by the working set's number: this "
		    "one is above 65535");
}

static void
check_portable_step(struct portable_report *r)
{
	const struct step *step = r->line->step;

	check_portable_blanks(r);
	if (step->kind == STEP_BATCH)
		check_portable_batch(r, step);
	else if (step->kind == STEP_PARALLEL)
		add_cause(r, 0, "parallel slots (G) are not in gem_wsim");
	else if (step->kind == STEP_MAP)
		check_portable_map(r, step);
	else if (step->kind == STEP_SSEU)
		check_portable_mask(r, step);
	else if (step->kind == STEP_FENCE &&
	    !r->waited[sequence_step(&r->doc->seq, r->line)])
		add_cause(
		    r, 0, "gem_wsim aborts on a fence that no batch waits for");
	check_portable_numbers(r, step);
}

/* Notes a comment that does not begin its row: gem_wsim takes it for a step. */
static void
check_portable_comment(struct portable_report *r, const struct line *before)
{
	if (r->line->text[0] != '#')
		add_cause(r, 0, "gem_wsim takes no blanks before a comment");
	else if (before && before->separator == SEP_COMMA &&
	    r->doc->source == SOURCE_FILE)
		add_cause(r, 0, "gem_wsim takes no comment after a comma");
}

static void
check_portable_line(struct portable_report *r, const struct line *before)
{
	if (r->line->kind == LINE_STEP)
		check_portable_step(r);
	else if (r->line->kind == LINE_BAD)
		add_cause(r, 0, "invalid step: expected one that parses");
	else if (r->line->kind != LINE_BLANK)
		check_portable_comment(r, before);
	else if (r->line->len > 0)
		add_cause(r, 0, "gem_wsim takes no blanks in an empty line");
}

bool
document_is_portable(const struct document *doc, struct diag_list *why)
{
	struct portable_report r = {doc, NULL, 0, why, find_waited(doc), true};
	const struct line *before = NULL;
	size_t bytes = 0;

	for (size_t i = 0; i < doc->seq.n; i++) {
		const struct chunk_slot *slot = &doc->seq.slots[i];

		for (uint32_t k = 0; k < slot->n_lines; k++) {
			r.line = slot->chunk->lines[k];
			check_portable_line(&r, before);
			before = r.line;
			bytes += r.line->len +
			    separator_length(r.line->separator);
			r.index++;
		}
	}
	if (bytes > GEM_WSIM_MAX_BYTES && doc->source == SOURCE_FILE) {
		r.line = sequence_line(&doc->seq, 0);
		r.index = 0;
		add_cause(&r, 0, "gem_wsim reads files below 1 MiB");
	}
	free(r.waited);
	return r.portable;
}
