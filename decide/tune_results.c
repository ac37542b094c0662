/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a search: a table by set and seed. */
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
