/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another text in the place of all of a document's. What both begin and end
 * with stays, so that lines which nobody changed go on being the same ones.
 */
#include <stdlib.h>
#include <string.h>

#include "parser/edit.h"
#include "parser/mem.h"
#include "parser/plan.h"
#include "parser/text.h"

/* The new text, cut. */
struct cut {
	struct raw_line *list;
	size_t n, cap;
};

static void
cut_all(struct document *doc, const char *text, size_t len, struct cut *cut)
{
	const char *at = arena_copy(&doc->arena, text, len), *end = at + len;

	while (at < end) {
		cut->list = mem_grow(
		    cut->list, cut->n, &cut->cap, sizeof(*cut->list));
		line_cut(&cut->list[cut->n], at, end, doc->source);
		at = cut->list[cut->n++].next;
	}
}

static bool
is_same(const struct line *line, const struct raw_line *raw)
{
	return line->len == raw->len && line->separator == raw->separator &&
	    memcmp(line->text, raw->text, raw->len) == 0;
}

/* How many lines at the beginning, or of those the others at the end, stay. */
static size_t
common(const struct document *doc, const struct cut *cut, size_t before,
    bool from_end)
{
	size_t n_old = sequence_n_lines(&doc->seq);
	size_t most = (n_old < cut->n ? n_old : cut->n) - before, n = 0;

	while (n < most) {
		size_t old = from_end ? n_old - 1 - n : n;
		size_t new = from_end ? cut->n - 1 - n : n;

		if (!is_same(sequence_line(&doc->seq, old), &cut->list[new]))
			break;
		n++;
	}
	return n;
}

/* The same line once more: what it refers to is another step now. */
static struct line *
copy_line(struct document *doc, const struct line *line)
{
	struct raw_line raw;

	line_recut(&raw, line, doc->source);
	raw.separator = line->separator;
	return line_make(&doc->arena, &raw);
}

/* Does the line, step number step, refer to one before number last? */
static bool
refers_before(const struct line *line, size_t step, size_t last)
{
	uint32_t iterator = 0, back;

	if (!line->step)
		return false;
	while ((back = step_reference(line->step, &iterator, NULL)))
		if (step < (size_t)back + last)
			return true;
	return false;
}

/* Lines from at on that stay, but refer across what comes before them. */
static void
refer_anew(struct plan *plan, size_t at)
{
	const struct sequence *seq = &plan->doc->seq;
	size_t n = sequence_n_lines(seq);
	size_t last = document_step_of_line(plan->doc, at);

	for (size_t i = at; i < n; i++) {
		struct line *line = sequence_line(seq, i), *copy;

		if (!refers_before(line, sequence_step(seq, line), last))
			continue;
		copy = copy_line(plan->doc, line);
		plan_hunk(plan, i, 1, &copy, 1);
	}
}

static size_t
count_old_steps(const struct document *doc, size_t at, size_t n)
{
	return document_step_of_line(doc, at + n) -
	    document_step_of_line(doc, at);
}

void
edit_rewrite(struct document *doc, const char *text, size_t len)
{
	size_t head, tail, n_old, n_new, n_steps = 0;
	struct line **lines;
	struct cut cut = {0};
	struct plan plan;

	plan_init(&plan, doc, NULL);
	cut_all(doc, text, len, &cut);
	head = common(doc, &cut, 0, false);
	tail = common(doc, &cut, head, true);
	n_old = sequence_n_lines(&doc->seq) - head - tail;
	n_new = cut.n - head - tail;
	lines = mem_calloc(n_new + 1, sizeof(struct line *));
	for (size_t i = 0; i < n_new; i++) {
		lines[i] = line_make(&doc->arena, &cut.list[head + i]);
		n_steps += line_counts(lines[i]);
	}
	if (n_old || n_new)
		plan_hunk(&plan, head, n_old, lines, n_new);
	if (n_steps != count_old_steps(doc, head, n_old))
		refer_anew(&plan, head + n_old);
	free(lines);
	free(cut.list);
	plan_commit(&plan);
}

void
edit_into_file(struct document *doc)
{
	struct text t = {0};

	document_print_file(doc, &t);
	edit_rewrite(doc, text_str(&t), t.len);
	doc->source = SOURCE_FILE;
	text_free(&t);
}
