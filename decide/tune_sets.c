/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of edits: by target, so that a set has one form. */
#include <string.h>

#include "base/mem.h"
#include "decide/tune.h"

bool
tune_set_equal(const struct tune_set *a, const struct tune_set *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->list[i].target != b->list[i].target ||
		    a->list[i].value != b->list[i].value)
			return false;
	return true;
}

struct tune_set
tune_set_without(const struct tune_set *set, size_t i)
{
	struct tune_set s = *set;

	s.n--;
	memmove(&s.list[i], &s.list[i + 1], (s.n - i) * sizeof *s.list);
	s.list[s.n] = (struct tune_edit){0};
	return s;
}

struct tune_set
tune_set_alone(const struct tune_set *set, size_t i)
{
	return (struct tune_set){.list = {set->list[i]}, .n = 1};
}

unsigned
tune_set_lines(const struct tune *t, const struct tune_set *set)
{
	unsigned n = 0;

	for (size_t i = 0; i < set->n; i++)
		n += t->targets[set->list[i].target].n_lines;
	return n;
}

static struct tune_set
with_edit(const struct tune_set *set, struct tune_edit edit)
{
	struct tune_set s = *set;
	size_t at = s.n++;

	while (at > 0 && s.list[at - 1].target > edit.target) {
		s.list[at] = s.list[at - 1];
		at--;
	}
	s.list[at] = edit;
	return s;
}

/* True if both edit the same lines. */
static bool
targets_exclude(const struct tune_target *a, const struct tune_target *b)
{
	bool engines = a->kind == TUNE_ENGINES && b->kind == TUNE_ENGINES;

	if (a->source != b->source || a->context != b->context)
		return false;
	if (a->kind == TUNE_BALANCE || b->kind == TUNE_BALANCE)
		return a->kind == TUNE_ENGINES || b->kind == TUNE_ENGINES;
	return engines && (a->whole_context || b->whole_context);
}

/* True if the set can have an edit of that target too. */
static bool
may_have(const struct tune *t, const struct tune_set *set, unsigned target)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->list[i].target == target ||
		    targets_exclude(
			&t->targets[set->list[i].target], &t->targets[target]))
			return false;
	return set->n < TUNE_MOST_EDITS;
}

static void
add_tune_set(struct tune_list *out, const struct tune_set *set)
{
	for (size_t i = 0; i < out->n; i++)
		if (tune_set_equal(&out->list[i], set))
			return;
	if (out->n == TUNE_MOST_SETS)
		return;
	out->list = mem_grow(out->list, out->n, &out->cap, sizeof *out->list);
	out->list[out->n++] = *set;
}

void
tune_extend(const struct tune *t, const struct tune_set *set, bool all,
    struct tune_list *out)
{
	struct tune_values values;

	for (unsigned i = 0; i < t->n_targets && out->n < TUNE_MOST_SETS; i++) {
		if (!may_have(t, set, i) || (!all && t->targets[i].inert))
			continue;
		tune_list_values(t, set, i, &values);
		for (size_t k = 0; k < values.n; k++) {
			struct tune_edit edit = {i, values.list[k]};
			struct tune_set with = with_edit(set, edit);

			add_tune_set(out, &with);
		}
	}
}
