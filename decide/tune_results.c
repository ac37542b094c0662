/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a search: a table by set and seed, and comparisons of them. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "decide/tune.h"

static size_t
hash_result(const struct tune_set *set, unsigned seed)
{
	uint64_t h = seed + 1;

	for (size_t i = 0; i < set->n; i++) {
		h = (h ^ set->list[i].target) * UINT64_C(0x9e3779b97f4a7c15);
		h = (h ^ (uint64_t)set->list[i].value) *
		    UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return (size_t)(h ^ h >> 32);
}

/* Returns the place of a result in the table: it is empty if there is none. */
static size_t *
table_place(const struct tune *t, const struct tune_set *set, unsigned seed)
{
	size_t i = hash_result(set, seed) & (t->n_table - 1);

	for (; t->table[i] != 0; i = (i + 1) & (t->n_table - 1)) {
		const struct tune_result *r = &t->results[t->table[i] - 1];

		if (r->seed == seed && tune_set_equal(&r->set, set))
			break;
	}
	return &t->table[i];
}

static void
grow_table(struct tune *t)
{
	if (t->n_table >= 2 * (t->n_results + 1))
		return;
	free(t->table);
	t->n_table = t->n_table == 0 ? 256 : 2 * t->n_table;
	t->table = mem_calloc(t->n_table, sizeof *t->table);
	for (size_t i = 0; i < t->n_results; i++)
		*table_place(t, &t->results[i].set, t->results[i].seed) = i + 1;
}

const struct tune_result *
tune_find(const struct tune *t, const struct tune_set *set, unsigned seed)
{
	size_t at = t->n_table == 0 ? 0 : *table_place(t, set, seed);

	return at > 0 && t->results[at - 1].known ? &t->results[at - 1] : NULL;
}

bool
tune_want(struct tune *t, const struct tune_set *set, unsigned seed)
{
	size_t *place;

	grow_table(t);
	place = table_place(t, set, seed);
	if (*place > 0)
		return t->results[*place - 1].known;
	t->results = mem_grow(
	    t->results, t->n_results, &t->cap_results, sizeof *t->results);
	t->results[t->n_results] = (struct tune_result){
	    .set = *set, .seed = seed};
	*place = ++t->n_results;
	return false;
}

bool
tune_want_seeds(
    struct tune *t, const struct tune_set *set, unsigned first, unsigned n)
{
	bool known = true;

	for (unsigned i = first; i < first + n; i++)
		known = tune_want(t, set, i) && known;
	return known;
}

unsigned
tune_held_out(const struct tune *t)
{
	return t->question.seeds > TUNE_HELD_OUT ? t->question.seeds
						 : TUNE_HELD_OUT;
}

const struct tune_result *
tune_worst(const struct tune *t, const struct tune_set *set, unsigned first,
    unsigned n)
{
	const struct tune_result *worst = NULL;

	for (unsigned i = first; i < first + n; i++) {
		const struct tune_result *r = tune_find(t, set, i);

		if (r == NULL)
			return NULL;
		if (worst == NULL ||
		    violation_compare(r->violation, worst->violation) > 0)
			worst = r;
	}
	return worst;
}

size_t
tune_n_sets(const struct tune *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_results; i++)
		n += t->results[i].seed == 0;
	return n;
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
