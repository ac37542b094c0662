/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of a capacity search: one line, or two, and one JSON object. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "decide/capacity.h"
#include "run/plan.h"

/* True if the clients of one source are counted, one by one. */
static bool
counts_clients(const struct capacity *c, const struct plan *plan)
{
	const struct mix_field *mix = c->question.mix;

	return plan->n_sources == 1 && mix[0].fixed == 0 && mix[0].factor == 1;
}

/* Appends "14 A.wsim + 7 B.wsim". */
static void
add_mix(const struct capacity *c, const struct plan *plan, unsigned count,
    struct text *out)
{
	for (size_t i = 0; i < plan->n_sources; i++) {
		const struct mix_field *field = &c->question.mix[i];

		text_addf(out, "%s%u ", i > 0 ? " + " : "",
		    field->fixed > 0 ? field->fixed : count * field->factor);
		source_add_title(plan, i, out);
	}
}

/* Appends ": 15 would miss 3 of 4500 periods (VCS2 99.8 % busy)", or ": with 28 work
 * piles up on VCS1 (VCS1 99.8 % busy)". */
static void
add_failure_reason(const struct capacity *c, const struct tried *fails,
    const char *before, struct text *out)
{
	const struct trial_figures *f = &fails->worst;
	struct text why = {0};

	goal_explain(c->question.goal, f, &why);
	if (why.len > 0) {
		text_addf(
		    out, "%s%u would %s", before, fails->count, text_str(&why));
		goal_add_backlog(f, ", and ", out);
	} else {
		text_addf(out, "%swith %u ", before, fails->count);
		goal_add_backlog(f, "", out);
	}
	text_free(&why);
	if (f->n_engines > 0)
		text_addf(out, " (%s %.1f %% busy)",
		    f->engines[f->busiest].name,
		    f->engines[f->busiest].busy_percent);
}

void
capacity_print(
    const struct capacity *c, const struct plan *plan, struct text *out)
{
	bool single = counts_clients(c, plan);
	struct capacity_answer a;

	capacity_answer(c, &a);
	text_addf(out, "capacity %s%u", a.at_least ? "at least " : "", a.count);
	if (a.fails != NULL && a.fails->count > a.count + 1)
		text_addf(out, " to %u", a.fails->count - 1);
	if (single) {
		text_adds(out, a.count == 1 ? " client" : " clients");
	} else {
		text_adds(out, ": ");
		add_mix(c, plan, a.count, out);
	}
	if (a.fails != NULL)
		add_failure_reason(c, a.fails, single ? ": " : "; ", out);
	text_addc(out, '\n');
	if (a.low_fails != NULL)
		text_addf(out, "not monotone: %u fails, %u holds\n",
		    a.low_fails->count, a.high_holds->count);
	if (c->media_estimates)
		text_adds(out, "media costs: estimates\n");
}

/* Returns a percentage with one decimal. */
static double
one_decimal(double percent)
{
	return round(10 * percent) / 10;
}

static json_t *
tried_json(const struct tried *t)
{
	const struct trial_figures *f = &t->worst;
	json_t *o = json_object(), *busy = json_object();

	json_put_count(o, "clients", t->count);
	json_put_bool(o, "holds", t->holds);
	json_put_count(o, "misses", f->missed);
	json_put_real(o, "rate", f->lowest_rate);
	for (unsigned i = 0; i < f->n_engines; i++)
		json_put_real(busy, f->engines[i].name,
		    one_decimal(f->engines[i].busy_percent));
	json_object_set_new(o, "busy", busy);
	json_put_count(o, "periods", f->periods);
	json_put_count(o, "latency_p99_ns", f->latency_p99_ns);
	json_put_count(o, "queue_wait_p99_ns", f->queue_wait_p99_ns);
	json_put_count(o, "hangs", f->hangs);
	json_object_set_new(o, "piles_up_on",
	    f->piled_up > 0 ? json_string(f->engines[f->piled_up_on].name)
			    : json_null());
	return o;
}

static json_t *
goal_json(const struct goal *goal)
{
	json_t *list = json_array();

	for (size_t i = 0; i < goal->n; i++)
		json_array_append_new(list, json_string(goal->list[i].text));
	return list;
}

static json_t *
all_tried_json(const struct capacity *c)
{
	json_t *list = json_array();

	for (size_t i = 0; i < c->n_tried; i++)
		json_array_append_new(list, tried_json(&c->tried[i]));
	return list;
}

void
capacity_print_json(const struct capacity *c, FILE *out)
{
	json_t *o = json_object();
	const struct trial_engine *engine;
	struct capacity_answer a;
	const struct trial_figures *f;

	capacity_answer(c, &a);
	engine = capacity_engine(&a);
	f = &a.limit->worst;
	json_put_count(o, "capacity", a.count);
	json_object_set_new(o, "goal", goal_json(c->question.goal));
	json_object_set_new(o, "limited_by",
	    engine != NULL ? json_string(engine->name) : json_null());
	json_put_real(o, "headroom_percent",
	    one_decimal(100 - f->engines[f->busiest].busy_percent));
	json_object_set_new(o, "tried", all_tried_json(c));
	json_put_bool(o, "at_least", a.at_least);
	json_put_bool(o, "monotone", a.low_fails == NULL);
	json_object_set_new(o, "media_costs",
	    c->media_estimates ? json_string("estimates") : json_null());
	json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	fputc('\n', out);
	json_decref(o);
}
