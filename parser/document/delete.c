/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deleting lines, and what refers to them: refused, or dropped with them. */
#include <stdlib.h>

#include "parser/document/edit.h"
#include "parser/document/edit_plan.h"
#include "parser/document/referrers.h"

struct deletion {
	struct plan plan;
	struct lines going; /* marked, in the order of the text */
	struct lines users; /* of working sets that go; marked when planned */
	size_t first_step, last_step;
	bool has_steps;
};

static void
mark_going(struct document *doc, struct line *line, struct deletion *d)
{
	line->mark = true;
	lines_add(&d->going, line);
	if (!line_counts(line))
		return;
	d->last_step = sequence_step(&doc->seq, line);
	d->has_steps = true;
}

static void
visit_to_name(struct document *doc, struct line *line, void *arg)
{
	name_line(doc, line, arg);
}

/* s, a and T make no sense without what they name. */
static void
visit_to_drop(struct document *doc, struct line *line, void *arg)
{
	if (line->step->kind != STEP_BATCH)
		mark_going(doc, line, arg);
}

static bool
refuse_referred(struct deletion *d)
{
	struct document *doc = d->plan.doc;
	struct naming naming = {0};

	each_referrer(
	    doc, d->first_step, &d->last_step, visit_to_name, &naming);
	for (size_t i = 0; i < d->users.n; i++)
		name_line(doc, d->users.list[i], &naming);
	name_rest(&naming);
	if (naming.n)
		plan_refuse(
		    &d->plan, "still used by %s", text_str(&naming.names));
	text_free(&naming.names);
	return naming.n;
}

static void
map_steps(struct deletion *d)
{
	const struct sequence *seq = &d->plan.doc->seq;
	int64_t gone = 0;

	for (size_t i = 0; i < d->going.n; i++) {
		const struct line *line = d->going.list[i];
		size_t step;

		if (!line_counts(line))
			continue;
		step = sequence_step(seq, line);
		remap_add(&d->plan.map, step, 0, true);
		remap_add(&d->plan.map, step + 1, -++gone, false);
	}
}

static void
rewrite_users(struct deletion *d)
{
	struct document *doc = d->plan.doc;

	for (size_t i = 0; i < d->users.n; i++) {
		struct line *line = d->users.list[i], *to;
		size_t step = sequence_step(&doc->seq, line);

		to = without_marked_sets(doc, line);
		remap_line(doc, &d->plan.map, to, step, &to);
		plan_hunk(&d->plan, sequence_index(&doc->seq, line), 1, &to, 1);
	}
	for (size_t i = 0; i < d->users.n; i++)
		d->users.list[i]->mark = true;
}

/* A row that loses its end takes over the separator. */
static void
end_row(struct deletion *d, size_t first, size_t last)
{
	const struct sequence *seq = &d->plan.doc->seq;
	uint8_t separator = sequence_line(seq, last)->separator;

	if (first && separator != SEP_COMMA &&
	    sequence_line(seq, first - 1)->separator == SEP_COMMA)
		plan_separator(&d->plan, first - 1, separator);
}

/* Runs of lines that go. */
static void
delete_lines(struct deletion *d)
{
	const struct sequence *seq = &d->plan.doc->seq;
	size_t n = d->going.n;

	for (size_t i = 0, k; i < n; i = k) {
		size_t first = sequence_index(seq, d->going.list[i]);

		for (k = i + 1; k < n; k++)
			if (sequence_index(seq, d->going.list[k]) !=
			    first + (k - i))
				break;
		plan_hunk(&d->plan, first, k - i, NULL, 0);
		end_row(d, first, first + (k - i) - 1);
	}
}

bool
edit_delete(struct document *doc, size_t line, size_t n_lines,
    enum edit_references how, struct text *err)
{
	struct deletion d = {0};
	struct line *unused;
	bool refused = false;

	plan_init(&d.plan, doc, err);
	if (line > sequence_n_lines(&doc->seq) ||
	    n_lines > sequence_n_lines(&doc->seq) - line)
		return plan_refuse(&d.plan, "there is no line %zu",
		    sequence_n_lines(&doc->seq) + 1);
	d.first_step = document_step_of_line(doc, line);
	for (size_t i = 0; i < n_lines; i++)
		mark_going(doc, sequence_line(&doc->seq, line + i), &d);
	find_set_users(doc, &d.going, &d.users);
	if (d.has_steps && how == EDIT_REFUSE_REFERRED)
		refused = refuse_referred(&d);
	else if (d.has_steps)
		each_referrer(
		    doc, d.first_step, &d.last_step, visit_to_drop, &d);
	if (!refused) {
		map_steps(&d);
		rewrite_users(&d);
		plan_references(&d.plan, &unused);
		delete_lines(&d);
	}
	lines_unmark(&d.going);
	lines_unmark(&d.users);
	free(d.going.list);
	free(d.users.list);
	return !refused && plan_commit(&d.plan);
}
