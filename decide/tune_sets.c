/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of edits: by target, so that a set has one form. */
#include <math.h>
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

bool
tune_is_better(const struct tune *t, const struct tune_set *set,
    const struct tune_set *than)
{
	const struct tune_result *a = tune_find(t, set, 0);
	const struct tune_result *b = tune_find(t, than, 0);

	if (a->violation.n != b->violation.n)
		return a->violation.n < b->violation.n;
	return a->violation.sum < 0.98 * b->violation.sum ||
	    (a->violation.sum <= b->violation.sum &&
		a->figures.lowest_rate > 1.02 * b->figures.lowest_rate);
}

static bool
same_busyness(const struct trial_figures *f, const struct trial_figures *g)
{
	for (unsigned i = 0; i < f->n_engines; i++)
		if (fabs(f->engines[i].busy_percent -
			g->engines[i].busy_percent) > 1e-9)
			return false;
	return true;
}

/* True if nothing that is counted of two runs differs. */
static bool
same_figures(const struct trial_figures *f, const struct trial_figures *g)
{
	return f->elapsed_ns == g->elapsed_ns && f->periods == g->periods &&
	    f->missed == g->missed && f->hangs == g->hangs &&
	    f->requests == g->requests &&
	    f->latency_p50_ns == g->latency_p50_ns &&
	    f->latency_p99_ns == g->latency_p99_ns &&
	    f->queue_wait_p99_ns == g->queue_wait_p99_ns &&
	    fabs(f->workloads_s - g->workloads_s) < 1e-9 &&
	    fabs(f->lowest_rate - g->lowest_rate) < 1e-9 && same_busyness(f, g);
}

void
tune_mark_inert(struct tune *t, const struct tune_list *singles)
{
	struct tune_set none = {.n = 0};
	const struct tune_result *before = tune_find(t, &none, 0);

	for (size_t i = 0; i < t->n_targets; i++)
		t->targets[i].inert = true;
	for (size_t i = 0; i < singles->n; i++) {
		const struct tune_set *s = &singles->list[i];
		const struct tune_result *r = tune_find(t, s, 0);

		if (!r->failed && !same_figures(&r->figures, &before->figures))
			t->targets[s->list[0].target].inert = false;
	}
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
