/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a session in its page: the changes of the run with what each did, and
 * the figures side by side with those of its baseline. */
#include <inttypes.h>

#include "base/units.h"
#include "engine/sim.h"
#include "report/html.h"
#include "report/page.h"
#include "report/report.h"
#include "run/live/session.h"

#define MOST_CHANGES  100
#define MOST_COMPARED 64 /* contexts */

/* Adds a row: a figure of both sides, with their difference. */
static void
add_compared(struct text *out, const char *name, double now, double other,
    const char *unit)
{
	text_adds(out, "<tr>");
	html_cell_text(out, name);
	text_addf(out, "<td>%.1f%s</td><td>%.1f%s</td><td>%+.1f%s</td></tr>\n",
	    other, unit, now, unit, difference_in_steps(now - other, 0.1),
	    unit);
}

static void
add_baseline_engines(const struct session *s, struct text *out)
{
	const struct device *dev = &s->run.sim->device;
	struct text name = {0};
	double live, other;

	for (unsigned i = 0; i < dev->n_engines; i++) {
		if (!baseline_engine(s, i, &live, &other) ||
		    (live <= 0 && other <= 0))
			continue;
		text_clear(&name);
		text_addf(&name, "%s busy", dev->engines[i].name);
		add_compared(
		    out, text_str(&name), live * 100, other * 100, "&nbsp;%");
	}
	text_free(&name);
}

static void
add_baseline_context(
    const struct session *s, const struct context *context, struct text *out)
{
	struct difference d = baseline_context(s, context);
	struct text name = {0};

	if (!d.known)
		return;
	text_addf(&name, "client %" PRIu32 " context %" PRIu32 " latency mean",
	    context->client->id, context->def->number);
	add_compared(out, text_str(&name), (double)d.live.mean_ns / 1000,
	    (double)d.other.mean_ns / 1000, "&nbsp;us");
	text_clear(&name);
	text_addf(&name, "client %" PRIu32 " context %" PRIu32 " latency p99",
	    context->client->id, context->def->number);
	add_compared(out, text_str(&name), (double)d.live.p99_ns / 1000,
	    (double)d.other.p99_ns / 1000, "&nbsp;us");
	text_free(&name);
}

static void
add_baseline_contexts(const struct session *s, struct text *out)
{
	const struct sim *sim = s->run.sim;
	unsigned n = 0;

	for (size_t i = 0; i < sim->n_clients; i++)
		for (uint32_t k = 0; k < sim->clients[i]->n_contexts; k++)
			if (n++ < MOST_COMPARED)
				add_baseline_context(
				    s, sim->clients[i]->contexts[k], out);
}

void
page_baseline(const struct run_page *page, struct text *out)
{
	const struct session *s = page->session;
	struct rates live, other;
	char since[UNITS_LEN];
	struct text columns = {0};

	if (s == NULL || baseline_name(s) == NULL ||
	    !baseline_totals(s, &live, &other))
		return;
	html_begin_section(out, "baseline", "Compared");
	text_addf(out, "<p class=\"dim\">The run from %s on, and %s%s.</p>\n",
	    format_time(since, baseline_since(s)),
	    s->baseline.kind == BASELINE_SHADOW
		? "the same run under the scheduler "
		: "the ",
	    baseline_name(s));
	text_addf(&columns, "<figure|%s|this run|difference", baseline_name(s));
	html_begin_table(out, text_str(&columns));
	add_compared(out, "workloads/s", live.iterations, other.iterations, "");
	if (s->baseline.kind != BASELINE_TRACE)
		add_compared(
		    out, "missed periods/s", live.missed, other.missed, "");
	add_baseline_engines(s, out);
	add_baseline_contexts(s, out);
	html_end_table(out);
	html_end_section(out);
	text_free(&columns);
}

static void
add_change_row(const struct run_page *page, size_t i, struct text *out)
{
	const struct changes *c = &page->session->changes;
	const struct run_change *change = &c->list[i];
	struct run_figures after = changes_after(c, i, page->result->sim);
	struct text effect = {0};
	char at[UNITS_LEN];

	changes_effect(&change->before, &after, page->result->sim, &effect);
	text_addf(out, "<tr><td>%s</td>", format_time(at, change->at));
	html_cell_text(out, text_str(&change->what));
	html_cell_text(out, text_str(&effect));
	text_adds(out, "</tr>\n");
	text_free(&effect);
}

void
page_changes(const struct run_page *page, struct text *out)
{
	const struct changes *c;
	size_t first;

	if (page->session == NULL || page->session->changes.n == 0)
		return;
	c = &page->session->changes;
	first = c->n > MOST_CHANGES ? c->n - MOST_CHANGES : 0;
	html_begin_section(out, "changes", "Changes, and what each did");
	if (first + c->n_forgotten > 0)
		text_addf(out,
		    "<p class=\"dim\">And %" PRIu64 " earlier ones.</p>\n",
		    (uint64_t)first + c->n_forgotten);
	html_begin_table(out,
	    "at|<change|<misses, rates and latency before and "
	    "after");
	for (size_t i = first; i < c->n; i++)
		add_change_row(page, i, out);
	html_end_table(out);
	html_end_section(out);
}
