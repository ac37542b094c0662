/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deletes lines, and finds the lines that refer to them. The caller chooses
 * whether such a deletion is refused, naming those lines, or drops their
 * references.
 */
#include "parser/document/edit.h"

#include <stdlib.h>

#include "base/mem.h"
#include "parser/document/edit_plan.h"

#define MAX_NAMED     5
#define MAX_NAME_TEXT 40

void
lines_add(struct lines *lines, struct line *line)
{
	lines->list = mem_grow(
	    lines->list, lines->n, &lines->cap, sizeof(struct line *));
	lines->list[lines->n++] = line;
}

static void
lines_unmark(struct lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		lines->list[i]->mark = false;
}

/* True if the line, step number step, refers to a marked one. */
static bool
refers_to_marked(
    const struct sequence *seq, const struct line *line, size_t step)
{
	uint32_t iterator = 0, back;

	if (!line->step)
		return false;
	while ((back = step_reference(line->step, &iterator, NULL)))
		if (back <= step &&
		    sequence_line_of_step(seq, step - back)->mark)
			return true;
	return false;
}

void
each_referrer(struct document *doc, size_t step, const size_t *last_step,
    referrer_fn *visit, void *arg)
{
	const struct sequence *seq = &doc->seq;

	for (size_t i = sequence_slot_of_step(seq, step); i < seq->n; i++) {
		const struct chunk_slot *slot = &seq->slots[i];

		if (slot->reach == INT64_MIN ||
		    (int64_t)slot->first_step - slot->reach >
			(int64_t)*last_step)
			continue;
		for (uint32_t k = 0; k < slot->n_lines; k++) {
			struct line *line = slot->chunk->lines[k];
			size_t number = slot->first_step +
			    slot->chunk->step_of_line[k];

			if (!line->mark && refers_to_marked(seq, line, number))
				visit(doc, line, arg);
		}
	}
}

static int
compare_line_places(const void *a, const void *b)
{
	const struct line *x = *(struct line *const *)a;
	const struct line *y = *(struct line *const *)b;

	if (x->chunk->slot != y->chunk->slot)
		return x->chunk->slot < y->chunk->slot ? -1 : 1;
	return (x->local > y->local) - (x->local < y->local);
}

/* True if the dependency is on a marked working set. */
static bool
uses_marked(const struct document *doc, const struct dep *dep)
{
	const struct set_entry *set;

	if (dep->kind < DEP_READ)
		return false;
	set = index_set(&doc->index, dep->set);
	return set && set->definition && set->definition->mark;
}

/* Adds the unmarked lines that use a deleted working set, each once, in order.
 */
static void
find_set_users(
    struct document *doc, const struct lines *going, struct lines *users)
{
	size_t n = 0;

	for (size_t i = 0; i < going->n; i++) {
		const struct line *line = going->list[i];
		const struct set_entry *set;

		if (!line->step ||
		    (line->step->kind != STEP_SET &&
			line->step->kind != STEP_SHARED_SET))
			continue;
		set = index_set(&doc->index, line->step->set.id);
		/* Only the first definition is used; others are errors. */
		if (set->definition != line)
			continue;
		for (size_t k = 0; k < set->users.n; k++)
			if (set->users.list[k]->chunk &&
			    !set->users.list[k]->mark)
				lines_add(users, set->users.list[k]);
	}
	if (!users->n)
		return;
	qsort(
	    users->list, users->n, sizeof(struct line *), compare_line_places);
	for (size_t i = 0; i < users->n; i++)
		if (!n || users->list[n - 1] != users->list[i])
			users->list[n++] = users->list[i];
	users->n = n;
}

/* Makes the line without its dependencies on marked working sets. */
static struct line *
without_marked_sets(struct document *doc, struct line *line)
{
	struct raw_line raw;
	struct text left = {0};
	struct field rest, part;
	uint32_t i = 0;

	line_recut(&raw, line, doc->source);
	rest = raw.fields[3];
	while (scan_part(&rest, '/', &part)) {
		if (!field_is(part, '0') &&
		    uses_marked(doc, &line->step->batch.deps[i++]))
			continue;
		if (left.len)
			text_addc(&left, '/');
		text_add(&left, part.s, part.len);
	}
	if (!left.len)
		text_addc(&left, '0');
	line = line_with_field(doc, line, 3, text_str(&left), left.len);
	text_free(&left);
	return line;
}

void
name_line(
    const struct document *doc, const struct line *line, struct naming *naming)
{
	size_t row, column;
	bool cut = line->len > MAX_NAME_TEXT;

	if (naming->n++ >= MAX_NAMED)
		return;
	sequence_position(&doc->seq, line, &row, &column);
	if (naming->n > 1)
		text_adds(&naming->names, ", ");
	text_addf(&naming->names, "line %zu (", row + 1);
	text_add_visible(
	    &naming->names, line->text, cut ? MAX_NAME_TEXT : line->len);
	text_adds(&naming->names, cut ? "...)" : ")");
}

void
name_referrer(struct document *doc, struct line *line, void *arg)
{
	name_line(doc, line, arg);
}

void
name_rest(struct naming *naming)
{
	if (naming->n > MAX_NAMED)
		text_addf(
		    &naming->names, " and %zu more", naming->n - MAX_NAMED);
}

struct deletion {
	struct edit_plan plan;
	struct lines going; /* lines to delete; marked, in order */
	struct lines users; /* of deleted working sets; marked once rewritten */
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

/* A referrer_fn: deletes s, a and T that lose their target. */
static void
visit_to_drop(struct document *doc, struct line *line, void *arg)
{
	if (line->step->kind != STEP_BATCH)
		mark_going(doc, line, arg);
}

static bool
refuse_deletion(struct deletion *d)
{
	struct document *doc = d->plan.doc;
	struct naming naming = {0};

	each_referrer(
	    doc, d->first_step, &d->last_step, name_referrer, &naming);
	for (size_t i = 0; i < d->users.n; i++)
		name_line(doc, d->users.list[i], &naming);
	name_rest(&naming);
	if (naming.n)
		plan_refuse(
		    &d->plan, "still used by %s", text_str(&naming.names));
	text_free(&naming.names);
	return naming.n;
}

/* Maps the deleted steps and those after them. */
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

/* Rewrites lines that use deleted working sets. */
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

/* Adds a hunk for each run of deleted lines. */
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
		plan_row_end(&d->plan, first, k - i);
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
		return plan_refuse(&d.plan, "invalid lines: expected 1 to %zu",
		    sequence_n_lines(&doc->seq));
	d.first_step = document_step_of_line(doc, line);
	for (size_t i = 0; i < n_lines; i++)
		mark_going(doc, sequence_line(&doc->seq, line + i), &d);
	find_set_users(doc, &d.going, &d.users);
	if (d.has_steps && how == EDIT_REFUSE_REFERRED)
		refused = refuse_deletion(&d);
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
