/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a capacity search: the answer, the figures of the goal over the
 * number of clients, and all that was tried. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "decide/capacity.h"
#include "report/curve.h"
#include "report/html.h"
#include "report/page.h"
#include "run/plan.h"

static const struct {
	const char *caption;
	enum curve_unit unit;
} goal_looks[N_GOAL_FIGURES] = {
    [GOAL_MISSES] = {"Missed periods", CURVE_NUMBER},
    [GOAL_RATE] = {"Iterations per second of the slowest client", CURVE_NUMBER},
    [GOAL_LATENCY] = {"Latency p99", CURVE_NS},
    [GOAL_QUEUE_WAIT] = {"Queue wait p99", CURVE_NS},
    [GOAL_HANGS] = {"Hangs", CURVE_NUMBER},
};

/* Returns the figure that a condition is about, in its unit. */
static double
condition_value(const struct condition *c, const struct trial_figures *f)
{
	switch (c->figure) {
	case GOAL_MISSES:
		if (!c->percent)
			return (double)f->missed;
		return f->periods > 0
		    ? 100 * (double)f->missed / (double)f->periods
		    : 0;
	case GOAL_RATE: return f->lowest_rate;
	case GOAL_LATENCY: return (double)f->latency_p99_ns;
	case GOAL_QUEUE_WAIT: return (double)f->queue_wait_p99_ns;
	case GOAL_HANGS: return (double)f->hangs;
	case N_GOAL_FIGURES: break;
	}
	return 0;
}

/* The parts that all curves of a search share. */
struct capacity_curves {
	const struct capacity *c;
	double *x, *y; /* y: CURVE_SERIES times n_tried */
	struct curve curve;
};

static void
add_condition(struct capacity_curves *k, const struct condition *condition,
    struct text *out)
{
	struct curve *curve = &k->curve;
	struct text caption = {0};

	text_addf(&caption, "%s%s, and the goal ",
	    goal_looks[condition->figure].caption,
	    condition->percent ? ", in percent" : "");
	html_add_text(&caption, condition->text, SIZE_MAX);
	curve->caption = text_str(&caption);
	curve->unit = condition->percent ? CURVE_PERCENT
					 : goal_looks[condition->figure].unit;
	curve->limit = condition->limit;
	curve->n_series = 1;
	curve->names[0] = NULL;
	curve->y[0] = k->y;
	for (size_t i = 0; i < curve->n; i++)
		k->y[i] = condition_value(condition, &k->c->tried[i].worst);
	curve_draw(curve, out);
	text_free(&caption);
}

/* True if the engine had work in one of the runs. */
static bool
is_engine_used(const struct capacity *c, unsigned engine)
{
	for (size_t i = 0; i < c->n_tried; i++)
		if (engine < c->tried[i].worst.n_engines &&
		    c->tried[i].worst.engines[engine].busy_percent >= 0.05)
			return true;
	return false;
}

static void
add_busy_curves(struct capacity_curves *k, struct text *out)
{
	const struct capacity *c = k->c;
	struct curve *curve = &k->curve;
	unsigned n = c->tried[0].worst.n_engines;

	curve->caption = "How busy the engines were";
	curve->unit = CURVE_PERCENT;
	curve->limit = NAN;
	curve->n_series = 0;
	for (unsigned e = 0; e < n && curve->n_series < CURVE_SERIES; e++) {
		double *y = k->y + curve->n_series * curve->n;

		if (!is_engine_used(c, e))
			continue;
		curve->names[curve->n_series] =
		    c->tried[0].worst.engines[e].name;
		curve->y[curve->n_series++] = y;
		for (size_t i = 0; i < curve->n; i++)
			y[i] = c->tried[i].worst.engines[e].busy_percent;
	}
	curve_draw(curve, out);
}

static void
add_curves(
    const struct capacity *c, const struct capacity_answer *a, struct text *out)
{
	size_t n = c->n_tried;
	struct capacity_curves k = {
	    .c = c,
	    .x = mem_calloc(n + 1, sizeof(double)),
	    .y = mem_calloc(CURVE_SERIES * n + 1, sizeof(double)),
	    .curve = {.n = n,
		.x_name = "clients, as counted",
		.mark = a->fails != NULL && a->count > 0 ? a->count + 0.5
							 : NAN},
	};

	for (size_t i = 0; i < n; i++)
		k.x[i] = c->tried[i].count;
	k.curve.x = k.x;
	html_begin_section(out, "curves", "By number of clients");
	if (!isnan(k.curve.mark))
		text_adds(out,
		    "<p class=\"dim\">The goal holds to the left of the "
		    "vertical line. Figures are those of the worst seed.</p>\n");
	for (size_t i = 0; i < c->question.goal->n; i++)
		add_condition(&k, &c->question.goal->list[i], out);
	add_busy_curves(&k, out);
	html_end_section(out);
	free(k.x);
	free(k.y);
}

static void
add_tried_row(const struct tried *t, struct text *out)
{
	const struct trial_figures *f = &t->worst;
	struct text busiest = {0};

	text_addf(out, "<tr%s>", t->holds ? "" : " class=\"off\"");
	html_cell_count(out, t->count);
	html_cell_text(out, t->holds ? "holds" : "fails");
	html_cell_count(out, f->missed);
	html_cell_count(out, f->periods);
	html_cell_real(out, f->lowest_rate, 3);
	html_cell_ns(out, f->latency_p99_ns);
	html_cell_ns(out, f->queue_wait_p99_ns);
	html_cell_count(out, f->hangs);
	if (f->n_engines > 0)
		text_addf(&busiest, "%s %.1f %%", f->engines[f->busiest].name,
		    f->engines[f->busiest].busy_percent);
	goal_add_backlog(f, ", ", &busiest);
	html_cell_text(out, text_str(&busiest));
	text_adds(out, "</tr>\n");
	text_free(&busiest);
}

static void
add_tried_table(const struct capacity *c, struct text *out)
{
	html_begin_section(out, "tried", "All that was tried");
	html_begin_table(out,
	    "counted|<goal|missed|of periods|slowest client per s|latency p99|"
	    "queue wait p99|hangs|<busiest");
	for (size_t i = 0; i < c->n_tried; i++)
		add_tried_row(&c->tried[i], out);
	html_end_table(out);
	html_end_section(out);
}

static void
add_question_facts(
    const struct capacity *c, const struct plan *plan, struct text *out)
{
	const struct capacity_question *q = &c->question;
	struct text value = {0};
	char buf[UNITS_LEN];

	for (size_t i = 0; i < q->goal->n; i++)
		text_addf(
		    &value, "%s%s", i > 0 ? ", " : "", q->goal->list[i].text);
	page_fact(out, "Goal", text_str(&value));
	page_plan_facts(plan, false, out);
	text_clear(&value);
	text_addf(
	    &value, "%u, from that on; the goal must hold on each", q->seeds);
	page_fact(out, "Seeds", text_str(&value));
	page_fact(out, "Each run",
	    q->end == NSEC_NEVER
		? "until all clients have done their iterations"
		: format_duration(buf, q->end));
	if (q->warmup > 0)
		page_fact(out, "Warm-up", format_duration(buf, q->warmup));
	text_adds(out, "</dl>\n");
	text_free(&value);
}

void
page_of_capacity(const struct capacity *c, const struct plan *plan,
    const char *command, struct text *out)
{
	struct capacity_answer a;
	struct text title = {0}, answer = {0};

	capacity_answer(c, &a);
	text_adds(&title, "Capacity of ");
	page_add_titles(plan, &title);
	page_begin(text_str(&title), out);
	page_command(command, out);
	add_question_facts(c, plan, out);
	capacity_print(c, plan, &answer);
	text_adds(out, "<p class=\"answer\">");
	html_add_text(out, text_str(&answer), strcspn(text_str(&answer), "\n"));
	text_adds(out, "</p>\n");
	if (a.low_fails != NULL)
		text_addf(out,
		    "<p class=\"bad\">More clients are not always worse: %u "
		    "fail, %u hold.</p>\n",
		    a.low_fails->count, a.high_holds->count);
	add_curves(c, &a, out);
	add_tried_table(c, out);
	page_documents(plan, false, out);
	page_end(out);
	text_free(&title);
	text_free(&answer);
}
