/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding and naming the lines that an edit would leave without target. */
#include "parser/document/referrers.h"

#include <stdlib.h>

#include "base/mem.h"
#include "parser/document/remap.h"

#define MAX_NAMED     5
#define MAX_NAME_TEXT 40

void
lines_add(struct lines *lines, struct line *line)
{
	lines->list = mem_grow(
	    lines->list, lines->n, &lines->cap, sizeof(struct line *));
	lines->list[lines->n++] = line;
}

void
lines_unmark(struct lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		lines->list[i]->mark = false;
}

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
		const struct slot *slot = &seq->slots[i];

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
compare_places(const void *a, const void *b)
{
	const struct line *x = *(struct line *const *)a;
	const struct line *y = *(struct line *const *)b;

	if (x->chunk->slot != y->chunk->slot)
		return x->chunk->slot < y->chunk->slot ? -1 : 1;
	return (x->local > y->local) - (x->local < y->local);
}

static bool
uses_marked(const struct document *doc, const struct dep *dep)
{
	const struct set_entry *set;

	if (dep->kind < DEP_READ)
		return false;
	set = index_set(&doc->index, dep->set);
	return set && set->definition && set->definition->mark;
}

void
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
		/* A second definition, an error anyway, is used by none. */
		if (set->definition != line)
			continue;
		for (size_t k = 0; k < set->users.n; k++)
			if (set->users.list[k]->chunk &&
			    !set->users.list[k]->mark)
				lines_add(users, set->users.list[k]);
	}
	if (!users->n)
		return;
	qsort(users->list, users->n, sizeof(struct line *), compare_places);
	for (size_t i = 0; i < users->n; i++)
		if (!n || users->list[n - 1] != users->list[i])
			users->list[n++] = users->list[i];
	users->n = n;
}

struct line *
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
name_rest(struct naming *naming)
{
	if (naming->n > MAX_NAMED)
		text_addf(
		    &naming->names, " and %zu more", naming->n - MAX_NAMED);
}
