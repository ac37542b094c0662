/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inserts, replaces and moves lines. Each edit cuts the new text into lines,
 * maps old step numbers to new ones, lets the plan rewrite offsets across the
 * edit, and commits.
 */
#include "parser/document/edit.h"

#include <stdlib.h>

#include "parser/document/edit_plan.h"

static size_t
count_lines_steps(const struct lines *lines)
{
	size_t n = 0;

	for (size_t i = 0; i < lines->n; i++)
		n += line_counts(lines->list[i]);
	return n;
}

/* Returns the separator after a new line inserted before line at. */
static uint8_t
separator_for(const struct document *doc, size_t at)
{
	const struct sequence *seq = &doc->seq;
	size_t n = sequence_n_lines(seq);
	uint8_t separator = SEP_NONE;

	if (at)
		separator = sequence_line(seq, at - 1)->separator;
	else if (n && sequence_line(seq, 0)->separator == SEP_CRLF)
		separator = SEP_CRLF;
	if (separator != SEP_NONE)
		return separator;
	return doc->source == SOURCE_INLINE ? SEP_COMMA : SEP_NEWLINE;
}

static bool
ends_open(const struct document *doc)
{
	size_t n = sequence_n_lines(&doc->seq);

	return n && sequence_line(&doc->seq, n - 1)->separator == SEP_NONE;
}

/* Returns the separator after lines inserted before line at, or appended. A file
 * whose last line is new ends with a newline; text of the command line does not
 * end with a comma. */
static uint8_t
separator_of_new(struct edit_plan *plan, size_t at)
{
	struct document *doc = plan->doc;
	size_t n = sequence_n_lines(&doc->seq);

	if (at < n || (n && !ends_open(doc)))
		return separator_for(doc, at);
	if (n)
		plan_separator(plan, n - 1, separator_for(doc, n));
	return doc->source == SOURCE_INLINE ? SEP_NONE : separator_for(doc, n);
}

/* Cuts a text into lines; the last one gets the separator. */
static void
cut_new_lines(struct document *doc, const char *text, size_t len,
    uint8_t separator, struct lines *lines)
{
	const char *at = arena_copy(&doc->arena, text, len), *end = at + len;

	do {
		struct raw_line raw;
		struct line *line;
		uint8_t own;

		line_cut(&raw, at, end, doc->source);
		at = raw.next;
		own = raw.separator;
		if (at == end)
			own = separator;
		else if (own == SEP_NEWLINE && separator == SEP_CRLF)
			own = SEP_CRLF;
		raw.separator = SEP_NONE;
		line = line_make(&doc->arena, &raw);
		lines_add(lines, line_with_separator(doc, line, own));
	} while (at < end);
}

bool
edit_insert(struct document *doc, size_t at, const char *text, size_t len,
    struct text *err)
{
	struct lines lines = {0};
	struct edit_plan plan;
	struct line *unused;

	plan_init(&plan, doc, err);
	if (at > sequence_n_lines(&doc->seq))
		return plan_refuse(&plan,
		    "invalid line %zu: expected at most %zu", at + 1,
		    sequence_n_lines(&doc->seq) + 1);
	cut_new_lines(doc, text, len, separator_of_new(&plan, at), &lines);
	remap_add(&plan.map, document_step_of_line(doc, at),
	    (int64_t)count_lines_steps(&lines), false);
	plan_references(&plan, &unused);
	plan_hunk(&plan, at, 0, lines.list, lines.n);
	free(lines.list);
	return plan_commit(&plan);
}

/* Refuses to replace a step that others refer to by text that has none. */
static bool
refuse_replacement(struct edit_plan *plan, struct line *line)
{
	struct naming naming = {0};
	size_t step = sequence_step(&plan->doc->seq, line);

	line->mark = true;
	each_referrer(plan->doc, step, &step, name_referrer, &naming);
	line->mark = false;
	name_rest(&naming);
	plan_refuse(plan,
	    "the new text has no step, but the old one is used by %s",
	    text_str(&naming.names));
	text_free(&naming.names);
	return false;
}

/* Maps steps for a line at step number step, which has n_old steps (0 or 1) and
 * gets n_new. */
static void
map_replacement(struct remap *map, size_t step, size_t n_old, size_t n_new)
{
	int64_t delta = (int64_t)n_new - (int64_t)n_old;

	if (n_old && !n_new)
		remap_add(map, step, 0, true);
	remap_add(map, step + n_old, delta, false);
}

bool
edit_replace(struct document *doc, size_t at, const char *text, size_t len,
    struct text *err)
{
	struct lines lines = {0};
	struct edit_plan plan;
	struct line *line, *unused;
	size_t n_old, n_new;

	plan_init(&plan, doc, err);
	if (at >= sequence_n_lines(&doc->seq))
		return plan_refuse(&plan,
		    "invalid line %zu: expected at most %zu", at + 1,
		    sequence_n_lines(&doc->seq));
	line = sequence_line(&doc->seq, at);
	cut_new_lines(doc, text, len, line->separator, &lines);
	n_old = line_counts(line);
	n_new = count_lines_steps(&lines);
	if (n_old && !n_new && line->n_refs) {
		free(lines.list);
		return refuse_replacement(&plan, line);
	}
	map_replacement(
	    &plan.map, sequence_step(&doc->seq, line), n_old, n_new);
	line->mark = true;
	plan_references(&plan, &unused);
	line->mark = false;
	plan_hunk(&plan, at, 1, lines.list, lines.n);
	free(lines.list);
	return plan_commit(&plan);
}

/* Maps steps for lines [at, at + n) that move to before line to. */
static void
map_move(
    struct document *doc, struct remap *map, size_t at, size_t n, size_t to)
{
	size_t first = document_step_of_line(doc, at);
	size_t end = document_step_of_line(doc, at + n);
	size_t before = document_step_of_line(doc, to);
	int64_t moved = (int64_t)(end - first);

	if (to < at) {
		remap_add(map, before, moved, false);
		remap_add(map, first, -(int64_t)(first - before), false);
		remap_add(map, end, 0, false);
	} else {
		remap_add(map, first, (int64_t)(before - end), false);
		remap_add(map, end, -moved, false);
		remap_add(map, before, 0, false);
	}
}

static bool
refuse_forward(struct edit_plan *plan, const struct line *line)
{
	struct naming naming = {0};

	name_line(plan->doc, line, &naming);
	plan_refuse(plan, "%s would come before a step that it refers to",
	    text_str(&naming.names));
	text_free(&naming.names);
	return false;
}

/* Rewrites the moved lines for their new place. Returns NULL, or the line whose
 * offset would point forward. */
static struct line *
move_lines(struct edit_plan *plan, size_t at, size_t n, struct lines *lines)
{
	struct document *doc = plan->doc;

	for (size_t i = 0; i < n; i++) {
		struct line *line = sequence_line(&doc->seq, at + i), *to;

		if (remap_line(doc, &plan->map, line,
			sequence_step(&doc->seq, line), &to) == REWRITE_FORWARD)
			return line;
		lines_add(lines, to);
	}
	return NULL;
}

static void
set_marks(const struct document *doc, size_t at, size_t n, bool mark)
{
	for (size_t i = 0; i < n; i++)
		sequence_line(&doc->seq, at + i)->mark = mark;
}

/* If the lines only cross comments and blanks, moves those the other way
 * instead: no step number changes then. */
static void
swap_move(const struct document *doc, size_t *at, size_t *n, size_t *to)
{
	size_t begin = *to < *at ? *to : *at + *n;
	size_t end = *to < *at ? *at : *to;

	if (document_step_of_line(doc, begin) !=
	    document_step_of_line(doc, end))
		return;
	*to = *to < *at ? *at + *n : *at;
	*at = begin;
	*n = end - begin;
}

bool
edit_move(
    struct document *doc, size_t at, size_t n, size_t to, struct text *err)
{
	size_t n_lines = sequence_n_lines(&doc->seq);
	struct lines lines = {0};
	struct line *stuck;
	struct edit_plan plan;

	plan_init(&plan, doc, err);
	if (at > n_lines || n > n_lines - at || to > n_lines)
		return plan_refuse(
		    &plan, "invalid lines: expected 1 to %zu", n_lines);
	if (!n || (to >= at && to <= at + n))
		return plan_commit(&plan);
	swap_move(doc, &at, &n, &to);
	map_move(doc, &plan.map, at, n, to);
	stuck = move_lines(&plan, at, n, &lines);
	if (!stuck) {
		set_marks(doc, at, n, true);
		plan_references(&plan, &stuck);
		set_marks(doc, at, n, false);
	}
	if (stuck) {
		free(lines.list);
		return refuse_forward(&plan, stuck);
	}
	lines.list[n - 1] = line_with_separator(
	    doc, lines.list[n - 1], separator_of_new(&plan, to));
	plan_row_end(&plan, at, n);
	plan_hunk(&plan, at, n, NULL, 0);
	plan_hunk(&plan, to, 0, lines.list, n);
	free(lines.list);
	return plan_commit(&plan);
}
