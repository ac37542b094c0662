/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of a search as lines: the goal before and after, and what each edit
 * does alone and in the set. */
#include "base/text.h"
#include "decide/tune.h"
#include "run/plan.h"

static void
add_worst_figures(const struct tune *t, const struct tune_set *set,
    unsigned first, unsigned n, struct text *out)
{
	const struct tune_result *r = tune_worst(t, set, first, n);

	if (r == NULL)
		text_adds(out, "not known");
	else if (r->failed)
		text_adds(out, "cannot run");
	else
		goal_print_figures(t->question.goal, &r->figures, out);
}

/* Appends the goal's figures of the worst of the search's seeds: "misses 3 of
 * 600"; "fails" if a run failed. */
static void
tune_add_figures(
    const struct tune *t, const struct tune_set *set, struct text *out)
{
	add_worst_figures(t, set, 0, t->question.seeds, out);
}

static void
add_edit_line(const struct tune *t, size_t i, struct text *out)
{
	struct tune_set alone = tune_set_alone(&t->best, i);
	struct tune_set without = tune_set_without(&t->best, i);

	text_adds(out, "edit: ");
	tune_add_edit(t, &t->best.list[i], out);
	if (tune_needs_privilege(t, &t->best.list[i]))
		text_adds(out, " (needs CAP_SYS_NICE)");
	text_adds(out, ": alone ");
	tune_add_figures(t, &alone, out);
	text_adds(out, "; without it ");
	tune_add_figures(t, &without, out);
	text_addc(out, '\n');
}

static void
add_figures_after(const struct tune *t, struct text *out)
{
	unsigned seeds = t->question.seeds;

	text_adds(out, "after: ");
	tune_add_figures(t, &t->best, out);
	text_addf(out, "; on %u other seeds ", tune_held_out(t));
	add_worst_figures(t, &t->best, seeds, tune_held_out(t), out);
	text_addc(out, '\n');
}

static void
add_not_met(const struct tune *t, struct text *out)
{
	size_t n = t->best.n;

	text_adds(out, "goal not met: best ");
	tune_add_figures(t, &t->best, out);
	if (n == 0)
		text_adds(out, ", without an edit\n");
	else if (n == 1)
		text_adds(out, ", with this edit\n");
	else
		text_addf(out, ", with these %zu edits\n", n);
}

void
tune_print(const struct tune *t, struct text *out)
{
	struct tune_set none = {.n = 0};
	size_t sets = tune_n_sets(t) - 1;

	text_adds(out, "before: ");
	tune_add_figures(t, &none, out);
	text_addc(out, '\n');
	for (size_t i = 0; i < t->best.n; i++)
		add_edit_line(t, i, out);
	if (t->outcome == TUNE_HOLDS)
		text_adds(out, "the goal holds: no edit is needed\n");
	else if (t->outcome == TUNE_FOUND)
		add_figures_after(t, out);
	else
		add_not_met(t, out);
	if (t->outcome != TUNE_HOLDS)
		text_addf(out, "tried %zu set%s of edits in %zu runs\n", sets,
		    sets == 1 ? "" : "s", t->n_known);
}

/* Appends the figures of the set that comes nearest to the goal on the first seed, of
 * those before the first result that is not known: they are what has been sent. */
static void
add_nearest_figures(const struct tune *t, struct text *out)
{
	const struct tune_result *nearest = NULL;

	for (size_t i = 0; i < t->n_results && t->results[i].known; i++) {
		const struct tune_result *r = &t->results[i];

		if (r->seed == 0 && !r->failed &&
		    (nearest == NULL ||
			violation_compare(r->violation, nearest->violation) <
			    0))
			nearest = r;
	}
	if (nearest != NULL)
		goal_print_figures(t->question.goal, &nearest->figures, out);
}

void
tune_add_progress(const struct tune *t, struct text *out)
{
	text_addf(out, "%zu of %zu runs", t->n_known, t->n_results);
	if (t->depth == 0)
		return;
	text_addf(out, ", sets of %zu edit%s; nearest, on one seed: ", t->depth,
	    t->depth == 1 ? "" : "s");
	add_nearest_figures(t, out);
}
