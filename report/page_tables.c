/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a run: engines, clients, contexts and hangs, with the figures of
 * --json. Long ones have those with the most missed periods. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/sim.h"
#include "report/html.h"
#include "report/page.h"
#include "report/report.h"

#define MOST_CLIENTS  64
#define MOST_CONTEXTS 96
#define MOST_HANGS    32

static bool
had_work(const json_t *e)
{
	return figure_count(e, "batches") + figure_count(e, "busy_ns") +
	    figure_count(e, "waiting_ns") >
	    0;
}

static void
add_engine_row(const json_t *e, nsec now, struct text *out)
{
	const json_t *queue = json_object_get(e, "queue");

	text_adds(out, "<tr>");
	html_cell_text(out, figure_string(e, "name"));
	html_cell_percent(out, figure_count(e, "run_ns"), now);
	html_cell_percent(out, figure_count(e, "switch_ns"), now);
	html_cell_percent(out, figure_count(e, "sema_ns"), now);
	html_cell_percent(out, figure_count(e, "waiting_ns"), now);
	html_cell_percent(out, figure_count(e, "idle_ns"), now);
	html_cell_count(out, figure_count(e, "batches"));
	html_cell_count(out, figure_count(e, "switches"));
	html_cell_count(out, figure_count(e, "preemptions"));
	html_cell_real(out, figure_real(queue, "mean"), 1);
	html_cell_count(out, figure_count(queue, "max"));
	text_adds(out, "</tr>\n");
}

/* Adds the names of engines that had nothing to do. */
static void
add_unused(const json_t *list, struct text *out)
{
	const json_t *e;
	struct text names = {0};
	size_t i;

	json_array_foreach(list, i, e)
	{
		if (had_work(e))
			continue;
		text_adds(&names, names.len > 0 ? ", " : "");
		text_adds(&names, figure_string(e, "name"));
	}
	if (names.len > 0) {
		text_adds(out, "<p class=\"dim\">Without work: ");
		html_add_text(out, text_str(&names), names.len);
		text_adds(out, ".</p>\n");
	}
	text_free(&names);
}

void
page_engines(const struct run_page *page, struct text *out)
{
	const json_t *list = json_object_get(page->figures, "engines"), *e;
	size_t i;

	html_begin_section(out, "engines", "Engines");
	html_begin_table(out,
	    "<engine|running|switching|polling|blocked|idle|batches|switches|"
	    "preemptions|queue mean|queue max");
	json_array_foreach(list, i, e) if (had_work(e))
	    add_engine_row(e, page->result->sim->now, out);
	html_end_table(out);
	add_unused(list, out);
	html_end_section(out);
}

/* A client's place in the list, for sorting. */
struct client_rank {
	uint64_t missed;
	size_t at;
};

static int
compare_ranks(const void *pa, const void *pb)
{
	const struct client_rank *a = pa, *b = pb;

	if (a->missed != b->missed)
		return a->missed > b->missed ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int
compare_waits(const void *pa, const void *pb)
{
	const struct client_rank *a = pa, *b = pb;

	return a->at < b->at ? -1 : a->at > b->at;
}

/* Returns the clients to be shown, *n of them: all, or those with the most missed
 * periods, in the order of the list. To be freed. */
static struct client_rank *
choose_clients(const json_t *list, size_t *n)
{
	size_t all = json_array_size(list);
	struct client_rank *ranks = mem_calloc(all + 1, sizeof *ranks);

	for (size_t i = 0; i < all; i++)
		ranks[i] = (struct client_rank){
		    figure_count(json_array_get(list, i), "period_misses"), i};
	*n = all < MOST_CLIENTS ? all : MOST_CLIENTS;
	if (all > MOST_CLIENTS) {
		qsort(ranks, all, sizeof *ranks, compare_ranks);
		qsort(ranks, *n, sizeof *ranks, compare_waits);
	}
	return ranks;
}

static void
add_measures(const json_t *o, struct text *out)
{
	const json_t *latency = json_object_get(o, "latency");
	const json_t *wait = json_object_get(o, "queue_wait");

	html_cell_ns(out, figure_count(latency, "mean_ns"));
	html_cell_ns(out, figure_count(latency, "p50_ns"));
	html_cell_ns(out, figure_count(latency, "p99_ns"));
	html_cell_ns(out, figure_count(latency, "max_ns"));
	html_cell_ns(out, figure_count(wait, "p99_ns"));
}

#define MEASURES "latency mean|p50|p99|max|queue wait p99"

static void
add_period(const json_t *c, struct text *out)
{
	static const char *const keys[] = {"avg_us", "min_us", "max_us"};
	const json_t *period = json_object_get(c, "period");

	for (size_t i = 0; i < 3; i++) {
		uint64_t us = figure_count(period, keys[i]);

		if (us > 0)
			html_cell_count(out, us);
		else
			text_adds(out, "<td></td>");
	}
}

/* Adds the workload of a client without its folders, cut if it is long. */
static void
add_workload_row(const json_t *c, struct text *out)
{
	const char *name = figure_string(c, "name");
	const char *s = *name != '\0' ? name : figure_string(c, "workload");
	const char *slash = strrchr(s, '/');

	text_adds(out, "<td class=\"t\">");
	if (slash != NULL && slash[1] != '\0')
		s = slash + 1;
	html_add_line(out, s, strlen(s), 60);
	if (json_is_true(json_object_get(c, "background")))
		text_adds(out, " <span class=\"dim\">(background)</span>");
	text_adds(out, "</td>");
}

static void
add_client_row(const json_t *c, nsec now, struct text *out)
{
	bool missed = figure_count(c, "period_misses") > 0;

	text_addf(out, "<tr%s>", missed ? " class=\"off\"" : "");
	html_cell_count(out, figure_count(c, "id"));
	add_workload_row(c, out);
	html_cell_count(out, figure_count(c, "iterations"));
	html_cell_real(out, figure_real(c, "iterations_per_s"), 3);
	html_cell_count(out, figure_count(c, "period_misses"));
	add_period(c, out);
	html_cell_percent(out, figure_count(c, "busy_ns"), now);
	html_cell_count(out, figure_count(c, "batches"));
	add_measures(c, out);
	text_adds(out, "</tr>\n");
}

void
page_clients(const struct run_page *page, struct text *out)
{
	const json_t *list = json_object_get(page->figures, "clients");
	size_t n, all = json_array_size(list);
	struct client_rank *ranks = choose_clients(list, &n);

	html_begin_section(out, "clients", "Clients");
	if (n < all)
		text_addf(out,
		    "<p class=\"dim\">%zu of %zu clients: those with the most "
		    "missed periods.</p>\n",
		    n, all);
	html_begin_table(out,
	    "client|<workload|iterations|per s|missed|period avg us|min us|"
	    "max us|engine time|batches|" MEASURES);
	for (size_t i = 0; i < n; i++)
		add_client_row(json_array_get(list, ranks[i].at),
		    page->result->sim->now, out);
	html_end_table(out);
	html_end_section(out);
	free(ranks);
}

static void
add_context_row(
    const json_t *client, const json_t *c, nsec now, struct text *out)
{
	json_t *engines = json_object_get(c, "engines"), *ns;
	const char *name;

	text_adds(out, "<tr>");
	html_cell_count(out, figure_count(client, "id"));
	html_cell_count(out, figure_count(c, "id"));
	text_addf(out, "<td>%" PRId64 "</td>",
	    (int64_t)json_integer_value(json_object_get(c, "priority")));
	text_addf(out, "<td>0x%" PRIx64 "</td>", figure_count(c, "sseu"));
	html_cell_percent(out, figure_count(c, "busy_ns"), now);
	html_cell_count(out, figure_count(c, "batches"));
	add_measures(c, out);
	text_adds(out, "<td class=\"t n\">");
	json_object_foreach(engines, name, ns)
	{
		html_add_text(out, name, SIZE_MAX);
		text_addc(out, ' ');
		html_add_percent(out, (nsec)json_integer_value(ns), now);
		text_addc(out, ' ');
	}
	text_adds(out, "</td></tr>\n");
}

void
page_contexts(const struct run_page *page, struct text *out)
{
	const json_t *list = json_object_get(page->figures, "clients"), *c;
	nsec now = page->result->sim->now;
	size_t n, shown = 0, left = 0, k;
	struct client_rank *ranks = choose_clients(list, &n);

	html_begin_section(out, "contexts", "Contexts");
	html_begin_table(out,
	    "client|context|priority|slices|engine time|batches|" MEASURES
	    "|<runs on");
	for (size_t i = 0; i < n; i++) {
		const json_t *client = json_array_get(list, ranks[i].at);

		json_array_foreach(json_object_get(client, "contexts"), k, c)
		{
			if (shown < MOST_CONTEXTS)
				add_context_row(client, c, now, out);
			left += shown++ >= MOST_CONTEXTS;
		}
	}
	html_end_table(out);
	if (left > 0)
		text_addf(out, "<p class=\"dim\">And %zu more.</p>\n", left);
	html_end_section(out);
	free(ranks);
}

static void
add_hang_row(const json_t *hang, struct text *out)
{
	text_adds(out, "<tr>");
	html_cell_ns(out, figure_count(hang, "at_ns"));
	html_cell_text(out, figure_string(hang, "engine"));
	html_cell_text(out, figure_string(hang, "cause"));
	html_cell_text(out, figure_string(hang, "scope"));
	html_cell_count(out, figure_count(hang, "client"));
	html_cell_count(out, figure_count(hang, "context"));
	html_cell_count(out, figure_count(hang, "step"));
	html_cell_count(out, figure_count(hang, "iteration"));
	html_cell_ns(out, figure_count(hang, "run_ns"));
	html_cell_text(out,
	    json_is_true(json_object_get(hang, "guilty")) ? "guilty"
							  : "innocent");
	text_adds(out, "</tr>\n");
}

void
page_hangs(const struct run_page *page, struct text *out)
{
	const json_t *list = json_object_get(page->figures, "hang_list");
	size_t n = json_array_size(list);
	uint64_t all = figure_count(page->figures, "hangs");

	if (n == 0)
		return;
	html_begin_section(out, "hangs", "Hangs");
	if (all > n)
		text_addf(out,
		    "<p class=\"dim\">The last %zu of %" PRIu64 ".</p>\n", n,
		    all);
	html_begin_table(out,
	    "at|<engine|<cause|<reset of|client|context|step|iteration|ran|"
	    "<context is");
	for (size_t i = 0; i < n && i < MOST_HANGS; i++)
		add_hang_row(json_array_get(list, i), out);
	html_end_table(out);
	if (n > MOST_HANGS)
		text_addf(out, "<p class=\"dim\">And %zu more.</p>\n",
		    n - MOST_HANGS);
	html_end_section(out);
}
