/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search as one JSON object: the question, the answer, and each set of edits that
 * was run, in that order. */
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "decide/tune.h"
#include "run/plan.h"

/* Figures of the worst of n seeds from first; null if a run failed. */
static json_t *
tune_figures_json(const struct tune *t, const struct tune_set *set,
    unsigned first, unsigned n)
{
	const struct tune_result *r = tune_worst(t, set, first, n);
	json_t *o;

	if (r == NULL || r->failed)
		return json_null();
	o = json_object();
	json_put_bool(o, "holds", r->violation.n == 0);
	json_put_count(o, "misses", r->figures.missed);
	json_put_count(o, "periods", r->figures.periods);
	json_put_real(o, "rate", r->figures.lowest_rate);
	json_put_count(o, "latency_p99_ns", r->figures.latency_p99_ns);
	json_put_count(o, "queue_wait_p99_ns", r->figures.queue_wait_p99_ns);
	json_put_count(o, "hangs", r->figures.hangs);
	return o;
}

static json_t *
edit_words_json(const struct tune *t, const struct tune_edit *edit)
{
	struct text words = {0};
	json_t *o = json_object(), *s;

	tune_add_edit(t, edit, &words);
	json_put_string(o, "text", text_str(&words));
	s = json_incref(json_object_get(o, "text"));
	json_decref(o);
	text_free(&words);
	return s;
}

static json_t *
edit_json(const struct tune *t, size_t i)
{
	const struct tune_edit *edit = &t->best.list[i];
	const struct tune_target *target = &t->targets[edit->target];
	struct tune_set alone = tune_set_alone(&t->best, i);
	struct tune_set without = tune_set_without(&t->best, i);
	unsigned seeds = t->question.seeds;
	json_t *o = json_object();

	json_put_string(o, "kind", tune_kind_name(target->kind));
	json_put_string(o, "workload", t->plan->sources[target->source].name);
	json_put_count(o, "context", target->context);
	json_object_set_new(o, "text", edit_words_json(t, edit));
	json_put_count(o, "lines", target->n_lines);
	json_put_bool(o, "needs_privilege", tune_needs_privilege(t, edit));
	json_object_set_new(o, "alone", tune_figures_json(t, &alone, 0, seeds));
	json_object_set_new(
	    o, "without", tune_figures_json(t, &without, 0, seeds));
	return o;
}

/* A set that was run: its edits, and figures of its first seed. */
static json_t *
tried_set_json(const struct tune *t, const struct tune_result *r)
{
	json_t *o = json_object(), *edits = json_array();

	for (size_t i = 0; i < r->set.n; i++)
		json_array_append_new(
		    edits, edit_words_json(t, &r->set.list[i]));
	json_object_set_new(o, "edits", edits);
	json_object_set_new(
	    o, "first_seed", tune_figures_json(t, &r->set, 0, 1));
	return o;
}

static json_t *
tune_goal_json(const struct goal *goal)
{
	json_t *list = json_array();

	for (size_t i = 0; i < goal->n; i++)
		json_array_append_new(list, json_string(goal->list[i].text));
	return list;
}

/* The documents that are the answer. */
static json_t *
documents_json(const struct tune *t, struct plan *plan)
{
	json_t *list = json_array();

	for (size_t i = 0; i < plan->n_sources; i++) {
		struct text text = {0};
		json_t *o;

		if (plan->sources[i].is_alias ||
		    !tune_print_document(t, &t->best, plan, i, &text, NULL))
			continue;
		o = json_object();
		json_put_string(o, "workload", plan->sources[i].name);
		json_put_string(o, "text", text_str(&text));
		json_array_append_new(list, o);
		text_free(&text);
	}
	return list;
}

static json_t *
tune_json(const struct tune *t, struct plan *plan)
{
	struct tune_set none = {.n = 0};
	unsigned seeds = t->question.seeds, others = tune_held_out(t);
	json_t *o = json_object(), *edits = json_array(), *tried = json_array();

	json_put_bool(o, "met", t->outcome != TUNE_NOT_MET);
	json_object_set_new(o, "goal", tune_goal_json(t->question.goal));
	json_put_count(o, "seed", t->plan->seed);
	json_put_count(o, "seeds", seeds);
	json_object_set_new(o, "before", tune_figures_json(t, &none, 0, seeds));
	json_object_set_new(
	    o, "after", tune_figures_json(t, &t->best, 0, seeds));
	json_put_count(o, "other_seeds", others);
	json_object_set_new(
	    o, "before_on_others", tune_figures_json(t, &none, seeds, others));
	json_object_set_new(o, "after_on_others",
	    tune_figures_json(t, &t->best, seeds, others));
	for (size_t i = 0; i < t->best.n; i++)
		json_array_append_new(edits, edit_json(t, i));
	json_object_set_new(o, "edits", edits);
	json_put_count(o, "runs", t->n_known);
	for (size_t i = 0; i < t->n_results; i++)
		if (t->results[i].seed == 0)
			json_array_append_new(
			    tried, tried_set_json(t, &t->results[i]));
	json_object_set_new(o, "tried", tried);
	if (t->outcome != TUNE_NOT_MET)
		json_object_set_new(o, "documents", documents_json(t, plan));
	return o;
}

void
tune_print_json(const struct tune *t, struct plan *plan, FILE *out)
{
	json_t *o = tune_json(t, plan);

	json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	fputc('\n', out);
	json_decref(o);
}
