/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of pages, and the page of a run: what was run, its totals, and the
 * sections behind them. */
#include "report/page.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "engine/explain/limits.h"
#include "engine/sim.h"
#include "report/html.h"
#include "report/report.h"
#include "run/digest/digest.h"
#include "run/plan.h"
#include "run/texts.h"

#define MOST_COMMAND 4000 /* bytes */
#define MOST_NAMED   4    /* workloads, in a title */
#define MOST_START   40   /* bytes of a text there */

void
page_begin(const char *title, struct text *out)
{
	text_adds(out,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" "
	    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n"
	    "<title>");
	html_add_text(out, title, SIZE_MAX);
	text_adds(out, "</title>\n<style>\n");
	text_adds(out, html_style);
	text_adds(out, "</style>\n</head>\n<body>\n<main>\n<h1>");
	html_add_text(out, title, SIZE_MAX);
	text_adds(out, "</h1>\n");
}

void
page_end(struct text *out)
{
	text_adds(out,
	    "<footer>Written by gpuwl-top " GPUWL_VERSION
	    ". Times are virtual times of the run.</footer>\n"
	    "</main>\n</body>\n</html>\n");
}

void
page_command(const char *command, struct text *out)
{
	if (command != NULL) {
		text_adds(out, "<code class=\"command\">");
		html_add_line(out, command, strlen(command), MOST_COMMAND);
		text_adds(out, "</code>\n");
	}
	text_adds(out, "<dl>\n");
}

void
page_fact(struct text *out, const char *name, const char *value)
{
	text_addf(out, "<dt>%s</dt><dd>", name);
	html_add_text(out, value, SIZE_MAX);
	text_adds(out, "</dd>\n");
}

/* Adds a figure in large type: value is HTML. */
static void
page_tile(struct text *out, const char *value, const char *name)
{
	text_addf(out, "<div class=\"tile\"><b>%s</b><span>%s</span></div>\n",
	    value, name);
}

/* Appends the beginning of a text. */
static void
add_start(const char *s, struct text *out)
{
	size_t len = strlen(s);

	if (len <= MOST_START) {
		text_adds(out, s);
	} else {
		text_add(out, s, utf8_whole(s, MOST_START));
		text_adds(out, "…");
	}
}

void
page_add_titles(const struct plan *plan, struct text *out)
{
	for (size_t i = 0; i < plan->n_sources && i < MOST_NAMED; i++) {
		if (i > 0)
			text_adds(out, ", ");
		if (plan->sources[i].is_inline)
			add_start(plan->sources[i].name, out);
		else
			source_add_title(plan, i, out);
	}
	if (plan->n_sources > MOST_NAMED)
		text_addf(out, " and %zu more", plan->n_sources - MOST_NAMED);
	if (plan->n_sources == 0)
		text_adds(out, "programs");
}

static void
add_device_facts(const struct plan *plan, bool served, struct text *out)
{
	struct text device = {0};
	const char *pci;

	if (plan_is_of_gpu(plan)) {
		pci = plan_gpu_address(plan);
		text_addf(&device, "i915, %s", plan_gpu_name(plan));
		if (pci != NULL)
			text_addf(&device, ", %s", pci);
		page_fact(out, "Device", text_str(&device));
		text_free(&device);
		return;
	}
	page_fact(out, "Device",
	    served ? "a virtual i915, whose GPU is the model" : "the model");
	text_addf(&device, "%s", plan->profile.name);
	if (plan->profile.description[0] != '\0')
		text_addf(&device, ": %s", plan->profile.description);
	page_fact(out, "Profile", text_str(&device));
	page_fact(out, "Scheduler", plan->sched->name);
	text_free(&device);
}

void
page_plan_facts(const struct plan *plan, bool served, struct text *out)
{
	struct text value = {0};

	add_device_facts(plan, served, out);
	text_addf(&value, "%" PRIu32, plan->seed);
	page_fact(out, "Seed", text_str(&value));
	text_clear(&value);
	if (plan->duration_scale != 1 || plan->delay_scale != 1) {
		text_addf(&value, "durations times %g, delays times %g",
		    plan->duration_scale, plan->delay_scale);
		page_fact(out, "Scaled", text_str(&value));
	}
	page_fact(out, "Version", GPUWL_VERSION);
	text_free(&value);
}

static const char *
end_in_words(enum run_end end)
{
	switch (end) {
	case RUN_DONE: return "all clients had done their iterations";
	case RUN_DURATION: return "its time was over";
	case RUN_SIGNAL: return "it was interrupted";
	case RUN_DEADLOCK: return "deadlock: clients wait for each other";
	case RUN_TIME_OVER: return "virtual time reached its end";
	case RUN_UNWRITABLE: return "an output could not be written";
	case RUN_UNPLAYABLE: return "the recording is of another run";
	case RUN_REFUSED: return "the driver of the GPU refused something";
	}
	return "";
}

static const char *
end_of_page(const struct run_page *page)
{
	const struct result *result = page->result;

	if (page->goes_on)
		return "it had not ended when this was written";
	if (result->served && result->end == RUN_DONE)
		return "all programs had ended";
	return end_in_words(result->end);
}

static void
add_run_facts(const struct run_page *page, struct text *out)
{
	const struct result *result = page->result;
	struct text clients = {0};

	page_command(page->command, out);
	text_addf(&clients, "%zu", result->sim->n_clients);
	page_plan_facts(result->plan, result->served, out);
	page_fact(out, "Clients", text_str(&clients));
	page_fact(out, "Ended as", end_of_page(page));
	text_adds(out, "</dl>\n");
	text_free(&clients);
}

/* Adds a tile of a time. */
static void
add_time_tile(
    const json_t *o, const char *key, const char *name, struct text *out)
{
	struct text value = {0};

	html_add_ns(&value, figure_count(o, key));
	page_tile(out, text_str(&value), name);
	text_free(&value);
}

uint64_t
page_missed(const struct run_page *page)
{
	json_t *list = json_object_get(page->figures, "clients"), *c;
	uint64_t missed = 0;
	size_t i;

	json_array_foreach(list, i, c)
	    missed += figure_count(c, "period_misses");
	return missed;
}

static uint64_t
count_periods(const struct sim *sim)
{
	uint64_t n = 0;

	for (size_t i = 0; i < sim->n_clients; i++)
		n += sim->clients[i]->period.n;
	return n;
}

static void
add_missed_tile(const struct run_page *page, struct text *out)
{
	uint64_t n = count_periods(page->result->sim);
	struct text value = {0}, name = {0};

	if (n == 0)
		return;
	text_addf(&value, "%" PRIu64, page_missed(page));
	text_addf(&name, "missed of %" PRIu64 " periods", n);
	page_tile(out, text_str(&value), text_str(&name));
	text_free(&value);
	text_free(&name);
}

static void
add_tiles(const struct run_page *page, struct text *out)
{
	const json_t *o = page->figures, *latency;
	struct text value = {0};

	text_adds(out, "<div class=\"tiles\">\n");
	text_addf(&value, "<data value=\"%" PRIu64 "\">%.3fs</data>",
	    figure_count(o, "elapsed_ns"),
	    (double)figure_count(o, "elapsed_ns") / 1e9);
	page_tile(out, text_str(&value), "elapsed");
	text_clear(&value);
	html_add_real(&value, figure_real(o, "workloads_per_s"), 3);
	if (page->result->plan->n_sources > 0)
		page_tile(out, text_str(&value), "workloads/s");
	add_missed_tile(page, out);
	latency = json_object_get(o, "latency");
	add_time_tile(latency, "p50_ns", "latency p50", out);
	add_time_tile(latency, "p99_ns", "latency p99", out);
	add_time_tile(latency, "max_ns", "latency max", out);
	add_time_tile(
	    json_object_get(o, "queue_wait"), "p99_ns", "queue wait p99", out);
	text_clear(&value);
	html_add_count(&value, figure_count(o, "hangs"));
	page_tile(out, text_str(&value), "hangs");
	text_adds(out, "</div>\n");
	text_free(&value);
}

/* Adds the engine that limits, in the words of -vv. */
static void
add_limits_words(const struct sim *sim, struct text *out)
{
	static const struct limits_mark launch;
	struct limits limits;
	struct text words = {0};

	limits_find(&limits, &launch, sim, NULL);
	limits_long(&limits, sim, &words);
	if (words.len > 0) {
		text_adds(out, "<p>");
		html_add_text(out, text_str(&words), words.len);
		text_adds(out, ".</p>\n");
	}
	text_free(&words);
}

void
page_of_run(struct run_page *page, struct text *out)
{
	struct text title = {0};

	page->figures = report_object(page->result);
	text_adds(&title, "Run of ");
	page_add_titles(page->result->plan, &title);
	page_begin(text_str(&title), out);
	add_run_facts(page, out);
	add_tiles(page, out);
	add_limits_words(page->result->sim, out);
	page_busyness(page, out);
	page_latency(page, out);
	page_worst(page, out);
	page_hangs(page, out);
	page_engines(page, out);
	page_clients(page, out);
	page_contexts(page, out);
	page_baseline(page, out);
	page_changes(page, out);
	page_documents(page->result->plan, true, out);
	page_end(out);
	json_decref(page->figures);
	page->figures = NULL;
	text_free(&title);
}
