/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hunks collected, put in order, done. */
#include "parser/document/edit_plan.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/document/undo.h"

void
plan_init(struct plan *plan, struct document *doc, struct text *err)
{
	*plan = (struct plan){.doc = doc, .err = err};
}

static void
plan_free(struct plan *plan)
{
	free(plan->hunks);
	remap_free(&plan->map);
}

bool
plan_refuse(struct plan *plan, const char *fmt, ...)
{
	va_list ap;

	if (plan->err) {
		va_start(ap, fmt);
		text_addv(plan->err, fmt, ap);
		va_end(ap);
	}
	plan_free(plan);
	return false;
}

void
plan_hunk(struct plan *plan, size_t at, size_t n_old, struct line *const *lines,
    size_t n_new)
{
	struct line **all = arena_array(
	    &plan->doc->arena, n_old + n_new, sizeof(struct line *));

	for (size_t i = 0; i < n_old; i++)
		all[i] = sequence_line(&plan->doc->seq, at + i);
	for (size_t i = 0; i < n_new; i++)
		all[n_old + i] = lines[i];
	plan->hunks = mem_grow(
	    plan->hunks, plan->n, &plan->cap, sizeof(*plan->hunks));
	plan->hunks[plan->n++] = (struct hunk){at, n_old, n_new, all};
}

/* May the slot's lines refer to a step before number last? */
static bool
slot_reaches(const struct slot *slot, size_t last)
{
	return slot->reach != INT64_MIN &&
	    (int64_t)slot->first_step - slot->reach < (int64_t)last;
}

static bool
slot_references(struct plan *plan, const struct slot *slot, struct line **at)
{
	for (uint32_t k = 0; k < slot->n_lines; k++) {
		struct line *line = slot->chunk->lines[k], *to;
		size_t step = slot->first_step + slot->chunk->step_of_line[k];

		if (line->mark)
			continue;
		switch (remap_line(plan->doc, &plan->map, line, step, &to)) {
		case REWRITE_SAME:
		case REWRITE_LOST: break;
		case REWRITE_CHANGED:
		case REWRITE_UNCHANGED:
			plan_hunk(plan, slot->first_line + k, 1, &to, 1);
			break;
		case REWRITE_FORWARD: *at = line; return false;
		}
	}
	return true;
}

bool
plan_references(struct plan *plan, struct line **line)
{
	const struct sequence *seq = &plan->doc->seq;
	const struct remap *map = &plan->map;
	size_t last;

	if (remap_is_identity(map))
		return true;
	last = map->pieces[map->n - 1].from;
	for (size_t i = sequence_slot_of_step(seq, map->pieces[0].from);
	     i < seq->n; i++)
		if (slot_reaches(&seq->slots[i], last) &&
		    !slot_references(plan, &seq->slots[i], line))
			return false;
	return true;
}

void
plan_separator(struct plan *plan, size_t at, uint8_t separator)
{
	struct line *line = sequence_line(&plan->doc->seq, at), *made;

	for (size_t i = 0; i < plan->n; i++) {
		struct hunk *h = &plan->hunks[i];

		if (at < h->at || at >= h->at + h->n_old)
			continue;
		/* A line that goes needs none. */
		if (h->n_new)
			h->lines[h->n_old + h->n_new - 1] = line_with_separator(
			    plan->doc, h->lines[h->n_old + h->n_new - 1],
			    separator);
		return;
	}
	made = line_with_separator(plan->doc, line, separator);
	if (made != line)
		plan_hunk(plan, at, 1, &made, 1);
}

/* An insertion comes before what happens to the line that it stands before. */
static int
compare_hunks(const void *a, const void *b)
{
	const struct hunk *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->n_old > 0) - (y->n_old > 0);
}

bool
plan_commit(struct plan *plan)
{
	struct arena *arena = &plan->doc->arena;
	struct change *change = arena_alloc(arena, sizeof(*change));

	if (!plan->n) {
		plan_free(plan);
		return true;
	}
	qsort(plan->hunks, plan->n, sizeof(*plan->hunks), compare_hunks);
	*change = (struct change){
	    .hunks = arena_array(arena, plan->n, sizeof(*plan->hunks)),
	    .n = plan->n,
	};
	memcpy(change->hunks, plan->hunks, plan->n * sizeof(*plan->hunks));
	plan_free(plan);
	change_apply(plan->doc, change, false);
	undo_note(&plan->doc->undo, change);
	return true;
}
