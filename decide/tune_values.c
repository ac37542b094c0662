/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values that are tried for a target. Of priorities only the order counts
 * (doc/model/execlists.md), so one value is tried for each place in it: level with
 * another, just above it and just below. Where only three levels differ
 * (doc/model/guc.md, doc/model/drm.md), one of each.
 */
#include <stdlib.h>

#include "decide/tune.h"
#include "engine/profile.h"
#include "engine/sched/sched.h"
#include "engine/sched/steps.h"
#include "parser/value.h"
#include "run/plan.h"

#define MOST_PRIORITIES 15 /* of others, that are looked at */

/* The value of a target with the edits of a set. */
static int64_t
value_in(const struct tune *t, const struct tune_set *set, unsigned target)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->list[i].target == target)
			return set->list[i].value;
	return t->targets[target].now;
}

static void
add_tune_value(struct tune_values *v, int64_t value, int64_t now)
{
	if (value == now || v->n == TUNE_MOST_VALUES)
		return;
	for (size_t i = 0; i < v->n; i++)
		if (v->list[i] == value)
			return;
	v->list[v->n++] = value;
}

/* Priorities, each once. */
struct priorities {
	int64_t list[MOST_PRIORITIES];
	size_t n;
};

/* Lists those of the other targets. */
static void
list_priorities(const struct tune *t, const struct tune_set *set,
    unsigned target, struct priorities *p)
{
	for (unsigned i = 0; i < t->n_targets; i++) {
		int64_t value = value_in(t, set, i);
		size_t k = 0;

		if (i == target || t->targets[i].kind != TUNE_PRIORITY)
			continue;
		while (k < p->n && p->list[k] != value)
			k++;
		if (k == p->n && p->n < MOST_PRIORITIES)
			p->list[p->n++] = value;
	}
}

/* True if a priority is in [low, high]. */
static bool
has_between(const struct priorities *p, int64_t low, int64_t high)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->list[i] >= low && p->list[i] <= high)
			return true;
	return false;
}

/* True if a context may as well have priority b as a. */
static bool
same_rank(const struct priorities *p, int64_t a, int64_t b)
{
	return a < b ? !has_between(p, a, b) : !has_between(p, b, a);
}

static void
add_rank(const struct priorities *p, int64_t value, int64_t now,
    struct tune_values *out)
{
	if (value < -STEP_MAX_PRIORITY || value > STEP_MAX_PRIORITY ||
	    same_rank(p, value, now))
		return;
	for (size_t i = 0; i < out->n; i++)
		if (same_rank(p, value, out->list[i]))
			return;
	add_tune_value(out, value, now);
}

/* A value farther away than another one of the same place is left out, so that
 * edits are small. */
static int
compare_distance(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void
list_places(const struct tune *t, const struct tune_set *set, unsigned target,
    struct tune_values *out)
{
	int64_t now = t->targets[target].now;
	int64_t distances[3 * MOST_PRIORITIES];
	struct priorities p = {0};
	size_t n = 0;

	list_priorities(t, set, target, &p);
	for (size_t i = 0; i < p.n; i++)
		for (int64_t by = -1; by <= 1; by++)
			distances[n++] = llabs(p.list[i] + by - now);
	qsort(distances, n, sizeof *distances, compare_distance);
	for (size_t i = 0; i < n; i++) {
		add_rank(&p, now + distances[i], now, out);
		add_rank(&p, now - distances[i], now, out);
	}
}

static void
list_levels(int64_t now, struct tune_values *out)
{
	for (int64_t level = 1; level >= -1; level--)
		if (sched_level((int)level) != sched_level((int)now))
			add_tune_value(out, level, now);
}

static void
list_slices(const struct tune *t, int64_t now, struct tune_values *out)
{
	uint32_t all = device_all_slices(t->device);

	if (now == (int64_t)all)
		now = -1;
	for (uint32_t mask = all; mask != 0 && (all & 1) != 0; mask >>= 1)
		add_tune_value(out, mask == all ? -1 : (int64_t)mask, now);
}

/* The nearest first; none is last: a batch without preemption points can hang
 * others. */
static void
list_preemption(int64_t now, struct tune_values *out)
{
	static const int64_t values[] = {100, 50, 25, 10, 250, 500, 1000, 0};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		add_tune_value(out, values[i], now);
}

static void
list_engine_values(const struct tune *t, const struct tune_target *target,
    struct tune_values *out)
{
	for (unsigned i = 0; i < t->device->n_engines; i++)
		if (target->values >> i & 1)
			add_tune_value(out, i, target->now);
}

void
tune_list_values(const struct tune *t, const struct tune_set *set,
    unsigned target, struct tune_values *out)
{
	const struct tune_target *of = &t->targets[target];
	const struct sched_ops *sched = t->plan->sched;

	out->n = 0;
	if (of->kept)
		return;
	if (of->kind == TUNE_PRIORITY && sched->three_levels)
		list_levels(of->now, out);
	else if (of->kind == TUNE_PRIORITY && !sched->ignores_priority)
		list_places(t, set, target, out);
	else if (of->kind == TUNE_SSEU)
		list_slices(t, of->now, out);
	else if (of->kind == TUNE_PREEMPT && !sched->never_preempts &&
	    t->plan->profile.preemption)
		list_preemption(of->now, out);
	else if (of->kind == TUNE_ENGINES)
		list_engine_values(t, of, out);
	else if (of->kind == TUNE_BALANCE)
		add_tune_value(out, 0, of->now);
}

bool
tune_needs_privilege(const struct tune *t, const struct tune_edit *edit)
{
	if (t->targets[edit->target].kind != TUNE_PRIORITY || edit->value <= 0)
		return false;
	for (size_t i = 0; i < t->n_targets; i++)
		if (t->targets[i].kind == TUNE_PRIORITY &&
		    t->targets[i].now > 0)
			return false;
	return true;
}
