/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces the whole text of a document. A diff finds the lines that both texts
 * share; they stay, so that unchanged lines keep their identity.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diff.h"
#include "base/mem.h"
#include "base/stop.h"
#include "base/text.h"
#include "parser/document/edit.h"
#include "parser/document/edit_plan.h"

/* The new text as cut lines. */
struct cut {
	struct raw_line *list;
	size_t n, cap;
};

/* Cuts the text into lines; false if stopped. */
static bool
cut_text(struct document *doc, const char *text, size_t len,
    const struct stop *stop, struct cut *cut)
{
	const char *at = arena_copy(&doc->arena, text, len), *end = at + len;

	while (at < end) {
		cut->list = mem_grow(
		    cut->list, cut->n, &cut->cap, sizeof(*cut->list));
		line_cut(&cut->list[cut->n], at, end, doc->source);
		at = cut->list[cut->n++].next;
		if (cut->n % STOP_EVERY == 0 && stop_is_wanted(stop))
			return false;
	}
	return true;
}

static bool
line_is_same(const struct line *line, const struct raw_line *raw)
{
	return line->len == raw->len && line->separator == raw->separator &&
	    memcmp(line->text, raw->text, raw->len) == 0;
}

/* Counts equal lines at the beginning or, after before of those, at the end. */
static size_t
count_common(const struct document *doc, const struct cut *cut, size_t before,
    bool from_end)
{
	size_t n_old = sequence_n_lines(&doc->seq);
	size_t most = (n_old < cut->n ? n_old : cut->n) - before, n = 0;

	while (n < most) {
		size_t old = from_end ? n_old - 1 - n : n;
		size_t new = from_end ? cut->n - 1 - n : n;

		if (!line_is_same(
			sequence_line(&doc->seq, old), &cut->list[new]))
			break;
		n++;
	}
	return n;
}

/* Makes the same line again, because its offsets lead to other steps now. */
static struct line *
remake_line(struct document *doc, const struct line *line)
{
	struct raw_line raw;

	line_recut(&raw, line, doc->source);
	raw.separator = line->separator;
	return line_make(&doc->arena, &raw);
}

/* True if the line, step number step, refers to a step before number last. */
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

/* The lines between the common beginning and the common end of both texts. */
struct middle {
	const struct document *doc;
	const struct cut *cut;
	size_t head, n_old, n_new;
};

static bool
same_in_middle(const void *arg, size_t old, size_t new)
{
	const struct middle *m = arg;

	return line_is_same(sequence_line(&m->doc->seq, m->head + old),
	    &m->cut->list[m->head + new]);
}

static struct middle
find_middle(const struct document *doc, const struct cut *cut)
{
	struct middle m = {.doc = doc, .cut = cut};
	size_t tail;

	m.head = count_common(doc, cut, 0, false);
	tail = count_common(doc, cut, m.head, true);
	m.n_old = sequence_n_lines(&doc->seq) - m.head - tail;
	m.n_new = cut->n - m.head - tail;
	return m;
}

static size_t
count_old_steps(const struct document *doc, size_t at, size_t n)
{
	return document_step_of_line(doc, at + n) -
	    document_step_of_line(doc, at);
}

/* Replaces n old lines by the new lines [from, to) of the middle. True if the
 * number of steps changes. */
static bool
put_lines(struct edit_plan *plan, const struct middle *m, size_t old, size_t n,
    size_t from, size_t to)
{
	struct line **lines = mem_calloc(to - from + 1, sizeof(struct line *));
	size_t n_steps = 0;

	for (size_t i = from; i < to; i++) {
		lines[i - from] = line_make(
		    &plan->doc->arena, &m->cut->list[m->head + i]);
		n_steps += line_counts(lines[i - from]);
	}
	if (n > 0 || to > from)
		plan_hunk(plan, m->head + old, n, lines, to - from);
	free(lines);
	return n_steps != count_old_steps(plan->doc, m->head + old, n);
}

/* Replaces a line that stays by a copy if it refers to before step number last,
 * where steps have moved. */
static void
refer_anew(struct edit_plan *plan, size_t at, size_t last)
{
	const struct sequence *seq = &plan->doc->seq;
	struct line *line = sequence_line(seq, at), *copy;

	if (!refers_before(line, sequence_step(seq, line), last))
		return;
	copy = remake_line(plan->doc, line);
	plan_hunk(plan, at, 1, &copy, 1);
}

/* Replaces the lines that differ, and copies the others where needed. */
static void
put_all(struct edit_plan *plan, const struct middle *m, const size_t *match)
{
	size_t n_lines = sequence_n_lines(&plan->doc->seq);
	size_t old = 0, new = 0, last = 0;
	bool moved = false; /* steps from number last on have moved */

	for (size_t i = 0; i <= m->n_old; i++) {
		size_t to = i < m->n_old ? match[i] : m->n_new;

		if (to == DIFF_NONE)
			continue;
		if (put_lines(plan, m, old, i - old, new, to)) {
			last = document_step_of_line(plan->doc, m->head + i);
			moved = true;
		}
		if (i < m->n_old && moved)
			refer_anew(plan, m->head + i, last);
		old = i + 1;
		new = to + 1;
	}
	for (size_t at = m->head + m->n_old; moved && at < n_lines; at++)
		refer_anew(plan, at, last);
}

void
edit_rewrite(struct document *doc, const char *text, size_t len)
{
	edit_rewrite_until(doc, text, len, NULL);
}

static void
rewrite_as(struct document *doc, const struct cut *cut)
{
	struct middle m = find_middle(doc, cut);
	size_t *match = mem_calloc(m.n_old + 1, sizeof(*match));
	struct edit_plan plan;

	plan_init(&plan, doc, NULL);
	diff_lines(m.n_old, m.n_new, same_in_middle, &m, match);
	put_all(&plan, &m, match);
	free(match);
	plan_commit(&plan);
}

bool
edit_rewrite_until(
    struct document *doc, const char *text, size_t len, const struct stop *stop)
{
	struct cut cut = {0};
	bool done = cut_text(doc, text, len, stop, &cut);

	if (done)
		rewrite_as(doc, &cut);
	free(cut.list);
	return done;
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
