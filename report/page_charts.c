/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts of a run over time, from its digest: how busy each engine was, how long
 * batches took, iterations and missed periods. */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "engine/sim.h"
#include "report/chart.h"
#include "report/html.h"
#include "report/page.h"
#include "report/report.h"
#include "run/digest/digest.h"

#define LONG_GAP 12 /* bins without a value, over which no line is drawn */

static const struct {
	const char *class, *name;
} use_looks[N_USES] = {
    [USE_RUNNING] = {"run", "running"},
    [USE_SWITCHING] = {"switch", "switching"},
    [USE_POLLING] = {"poll", "polling a semaphore or memory"},
    [USE_BLOCKED] = {"block", "free, and work for it blocked"},
};

/* The bins of a digest on the x axis. */
struct chart_bins {
	unsigned n;
	double x[DIGEST_BINS + 1]; /* their borders */
	double middle[DIGEST_BINS];
	double length_ns[DIGEST_BINS];
};

static void
place_bins(const struct digest *d, struct chart_bins *bins)
{
	double now = (double)d->sim->now;

	bins->n = digest_n_bins(d);
	bins->x[0] = 0;
	for (unsigned i = 0; i < bins->n; i++) {
		double from = (double)i * (double)d->width;
		double to = fmin(from + (double)d->width, now);

		bins->length_ns[i] = to - from;
		bins->x[i + 1] = to / now * CHART_WIDTH;
		bins->middle[i] = (bins->x[i] + bins->x[i + 1]) / 2;
	}
}

/* Begins a section; its id is of one side only without a comparison. */
static void
begin_charts(const struct run_page *page, const char *id, const char *title,
    struct text *out)
{
	if (page->side == NULL) {
		html_begin_section(out, id, title);
		return;
	}
	text_addf(out, "<section>\n<h2>%s: ", title);
	html_add_text(out, page->side, SIZE_MAX);
	text_adds(out, "</h2>\n");
}

static void
add_uses_key(struct text *out)
{
	chart_begin_key(out);
	for (unsigned use = 0; use < N_USES; use++)
		chart_key(out, use_looks[use].class, use_looks[use].name);
	chart_end_key(out);
}

static void
add_engine_caption(const json_t *e, nsec now, struct text *out)
{
	text_adds(out, "<b>");
	html_add_text(out, figure_string(e, "name"), SIZE_MAX);
	text_adds(out, "</b> ");
	html_add_percent(out, figure_count(e, "run_ns"), now);
	text_adds(out, " running, ");
	html_add_percent(out, figure_count(e, "switch_ns"), now);
	text_adds(out, " switching, ");
	html_add_percent(out, figure_count(e, "sema_ns"), now);
	text_adds(out, " polling, ");
	html_add_percent(out, figure_count(e, "waiting_ns"), now);
	text_adds(out, " blocked");
}

static void
add_engine_chart(const struct run_page *page, const struct chart_bins *bins,
    unsigned engine, const json_t *e, struct text *out)
{
	nsec now = page->result->sim->now;
	double floor[DIGEST_BINS] = {0}, top[DIGEST_BINS];
	struct text caption = {0}, says = {0};

	add_engine_caption(e, now, &caption);
	text_addf(&says, "how %s spent its time", figure_string(e, "name"));
	chart_begin(out, "", text_str(&caption));
	chart_area(out, "100&nbsp;%", "0", text_str(&says));
	for (unsigned use = 0; use < N_USES; use++) {
		for (unsigned i = 0; i < bins->n; i++)
			top[i] = floor[i] +
			    (double)digest_times(page->digest, i, engine)
				    ->ns[use] /
				bins->length_ns[i] * CHART_HEIGHT;
		chart_steps(
		    out, use_looks[use].class, bins->x, top, floor, bins->n);
		for (unsigned i = 0; i < bins->n; i++)
			floor[i] = top[i];
	}
	chart_end_drawing(out);
	chart_end_area(out);
	chart_times(out, 0, now);
	chart_end(out);
	text_free(&caption);
	text_free(&says);
}

void
page_busyness(const struct run_page *page, struct text *out)
{
	const json_t *list = json_object_get(page->figures, "engines"), *e;
	struct chart_bins bins;
	size_t i;

	if (page->result->sim->now == 0)
		return;
	place_bins(page->digest, &bins);
	begin_charts(page, "busyness", "How busy the engines were", out);
	add_uses_key(out);
	json_array_foreach(list, i,
	    e) if (hw_engine_had_work(&page->result->sim->device.engines[i]))
	    add_engine_chart(page, &bins, (unsigned)i, e, out);
	html_end_section(out);
}

/* Values of a measure by bin: NAN without batches. */
struct measure_lines {
	double p50[DIGEST_BINS], p99[DIGEST_BINS], max[DIGEST_BINS];
	double least, most;
};

static void
find_lines(
    const struct digest *d, unsigned n, enum measure m, struct measure_lines *l)
{
	l->least = INFINITY;
	l->most = 0;
	for (unsigned i = 0; i < n; i++) {
		const struct histogram *h = &d->bins[i].times;

		l->p50[i] = l->p99[i] = l->max[i] = NAN;
		if (h->data == NULL || histogram_n(h, m) == 0)
			continue;
		l->p50[i] = (double)histogram_percentile(h, m, 500);
		l->p99[i] = (double)histogram_percentile(h, m, 990);
		l->max[i] = (double)histogram_max(h, m);
		l->most = fmax(l->most, l->max[i]);
		if (l->p50[i] > 0)
			l->least = fmin(l->least, l->p50[i]);
	}
}

static void
draw_line(struct text *out, const char *class, const struct chart_bins *bins,
    const struct chart_scale *scale, const double *values)
{
	/* A point for each bin with a value, and one for each long gap. */
	double x[2 * DIGEST_BINS], y[2 * DIGEST_BINS];
	unsigned n = 0, before = 0;

	for (unsigned i = 0; i < bins->n; i++) {
		if (isnan(values[i]))
			continue;
		if (n > 0 && i - before > LONG_GAP) {
			x[n] = bins->middle[i];
			y[n++] = NAN;
		}
		x[n] = bins->middle[i];
		y[n++] = chart_y(scale, values[i]);
		before = i;
	}
	chart_line(out, class, x, y, n);
}

static void
add_measure_chart(const struct run_page *page, const struct chart_bins *bins,
    enum measure m, const char *caption, struct text *out)
{
	struct measure_lines l;
	struct chart_scale scale;
	char top[UNITS_LEN], bottom[UNITS_LEN];
	struct text words = {0};

	find_lines(page->digest, bins->n, m, &l);
	if (l.most <= 0)
		return;
	scale = chart_scale_for(isinf(l.least) ? 0 : l.least, l.most);
	text_addf(&words, "%s%s", caption,
	    scale.logarithmic ? " (logarithmic scale)" : "");
	chart_begin(out, "tall", text_str(&words));
	chart_area(out, format_duration(top, (nsec)scale.high),
	    format_duration(bottom, (nsec)scale.low), caption);
	for (int i = 1; i < 4; i++)
		chart_grid(out, i * CHART_HEIGHT / 4.0);
	draw_line(out, "max", bins, &scale, l.max);
	draw_line(out, "p99", bins, &scale, l.p99);
	draw_line(out, "p50", bins, &scale, l.p50);
	chart_end_drawing(out);
	chart_end_area(out);
	chart_times(out, 0, page->result->sim->now);
	chart_end(out);
	text_free(&words);
}

/* Adds a chart of counts per bin, per second if rate. */
static void
add_counts_chart(const struct run_page *page, const struct chart_bins *bins,
    bool misses, const char *caption, struct text *out)
{
	const struct digest *d = page->digest;
	double values[DIGEST_BINS], most = 0;
	char top[32];

	for (unsigned i = 0; i < bins->n; i++) {
		values[i] = misses
		    ? (double)d->bins[i].missed
		    : (double)d->bins[i].iterations / bins->length_ns[i] * 1e9;
		most = fmax(most, values[i]);
	}
	if (most <= 0)
		return;
	for (unsigned i = 0; i < bins->n; i++)
		values[i] = values[i] / most * CHART_HEIGHT;
	snprintf(top, sizeof top, misses ? "%.0f" : "%.4g", most);
	chart_begin(out, "", caption);
	chart_area(out, top, "0", caption);
	chart_steps(
	    out, misses ? "miss" : "run", bins->x, values, NULL, bins->n);
	chart_end_drawing(out);
	chart_end_area(out);
	chart_times(out, 0, d->sim->now);
	chart_end(out);
}

/* Returns the least value of a distribution that is not 0, of the percentiles that are
 * drawn. */
static double
least_shown(const struct histogram *all)
{
	double least = (double)histogram_percentile(all, LATENCY, 1);

	for (unsigned i = 1; i <= 100; i++) {
		uint64_t wait = histogram_percentile(all, QUEUE_WAIT, i * 10);

		if (wait > 0)
			return fmin(least, (double)wait);
	}
	return least;
}

/* Adds latency and queue wait by the share of batches that have no more. */
static void
add_distribution(const struct run_page *page, struct text *out)
{
	static const char *const classes[] = {
	    [QUEUE_WAIT] = "p99", [LATENCY] = "p50"};
	const struct sim *sim = page->result->sim;
	struct histogram all = {0};
	struct chart_scale scale;
	char top[UNITS_LEN], bottom[UNITS_LEN];
	double x[101], y[101];

	report_all_times(sim, &all);
	if (all.data == NULL || histogram_max(&all, LATENCY) == 0) {
		histogram_free(&all);
		return;
	}
	scale = chart_scale_for(
	    least_shown(&all), (double)histogram_max(&all, LATENCY));
	chart_begin(out, "tall",
	    scale.logarithmic
		? "Share of batches that took no longer (logarithmic scale)"
		: "Share of batches that took no longer");
	chart_area(out, format_duration(top, (nsec)scale.high),
	    format_duration(bottom, (nsec)scale.low),
	    "latency and queue wait by share of batches");
	for (int i = 1; i < 4; i++)
		chart_grid(out, i * CHART_HEIGHT / 4.0);
	for (enum measure m = 0; m < N_MEASURES; m++) {
		for (unsigned i = 0; i <= 100; i++) {
			x[i] = i * CHART_WIDTH / 100.0;
			y[i] = chart_y(&scale,
			    (double)histogram_percentile(
				&all, m, i == 0 ? 1 : i * 10));
		}
		chart_line(out, classes[m], x, y, 101);
	}
	chart_end_drawing(out);
	chart_end_area(out);
	chart_words(out, "0 %|25 %|50 %|75 %|100 % of batches");
	chart_end(out);
	chart_begin_key(out);
	chart_key(out, "l p50", "latency, from submission to end");
	chart_key(out, "l p99", "queue wait, from ready to start");
	chart_end_key(out);
	histogram_free(&all);
}

void
page_latency(const struct run_page *page, struct text *out)
{
	struct chart_bins bins;

	if (page->result->sim->now == 0)
		return;
	place_bins(page->digest, &bins);
	begin_charts(page, "latency", "How long batches took", out);
	chart_begin_key(out);
	chart_key(out, "l p50", "half of the batches took no longer (p50)");
	chart_key(out, "l p99", "99 of 100 took no longer (p99)");
	chart_key(out, "l max", "the slowest");
	chart_end_key(out);
	add_measure_chart(page, &bins, LATENCY,
	    "Latency, from submission to end, by time of the end", out);
	add_measure_chart(page, &bins, QUEUE_WAIT,
	    "Queue wait, from ready to start, by time of the end", out);
	add_distribution(page, out);
	add_counts_chart(page, &bins, false, "Iterations per second", out);
	add_counts_chart(page, &bins, true, "Missed periods", out);
	html_end_section(out);
}
