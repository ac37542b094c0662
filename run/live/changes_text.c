/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The effect of a change in words: what differs between two times, the most
 * important first. */
#include "run/live/changes.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "engine/sim.h"

/* Smaller differences are not named. */
#define NAMED_RATE    0.01 /* of workloads/s */
#define NAMED_LATENCY 0.05
#define NAMED_MISSES  0.05 /* per second */
#define NAMED_MEANS   3    /* contexts */

static void
add_separator(struct text *out, size_t start)
{
	if (out->len > start)
		text_adds(out, ", ");
}

/* Adds a rate: "54", "0.3". */
static void
add_change_rate(struct text *out, double rate)
{
	text_addf(out, rate >= 10 || rate < 0.05 ? "%.0f" : "%.1f", rate);
}

static void
add_misses(struct text *out, size_t start, const struct run_figures *before,
    const struct run_figures *after)
{
	if (fabs(before->missed - after->missed) < NAMED_MISSES)
		return;
	add_separator(out, start);
	text_adds(out, "misses ");
	add_change_rate(out, before->missed);
	text_adds(out, "/s -> ");
	add_change_rate(out, after->missed);
	if (after->missed >= 0.05)
		text_adds(out, "/s");
}

/* Adds the relative change: "+29 %", "x 4.1". */
static void
add_ratio(struct text *out, double before, double after)
{
	double ratio = after / before;

	if (ratio >= 3)
		text_addf(out, "x %.1f", ratio);
	else
		text_addf(
		    out, "%+.0f %%", difference_in_steps((ratio - 1) * 100, 1));
}

static void
add_rate(struct text *out, size_t start, const struct run_figures *before,
    const struct run_figures *after)
{
	double was = before->iterations, is = after->iterations;

	if (fabs(is - was) <= NAMED_RATE * was)
		return;
	add_separator(out, start);
	text_addf(out, "workloads/s %.1f -> %.1f", was, is);
}

/* The latency of a context before and after. */
struct mean_change {
	const struct context_mean *before, *after;
	double ratio;
};

static const struct context_mean *
find_mean(const struct run_figures *f, const struct context_mean *like)
{
	for (unsigned i = 0; i < f->n_contexts; i++)
		if (f->contexts[i].workload == like->workload &&
		    f->contexts[i].context == like->context)
			return &f->contexts[i];
	return NULL;
}

/* Returns how far a ratio is from 1, whichever way. */
static double
weight(const struct mean_change *m)
{
	return m->ratio > 1 ? m->ratio : 1 / m->ratio;
}

/* Keeps the largest changes, the largest first. Returns their number. */
static unsigned
keep_largest(struct mean_change *kept, unsigned n, struct mean_change m)
{
	unsigned at = n;

	while (at > 0 && weight(&kept[at - 1]) < weight(&m)) {
		if (at < NAMED_MEANS)
			kept[at] = kept[at - 1];
		at--;
	}
	if (at < NAMED_MEANS)
		kept[at] = m;
	return n < NAMED_MEANS ? n + 1 : n;
}

static unsigned
find_means(const struct run_figures *before, const struct run_figures *after,
    struct mean_change kept[NAMED_MEANS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < before->n_contexts; i++) {
		struct mean_change m = {.before = &before->contexts[i]};

		m.after = find_mean(after, m.before);
		if (m.after == NULL || m.before->latency == 0 ||
		    m.after->latency == 0)
			continue;
		m.ratio = (double)m.after->latency / (double)m.before->latency;
		if (fabs(m.ratio - 1) >= NAMED_LATENCY)
			n = keep_largest(kept, n, m);
	}
	return n;
}

/* Names the context's file if several are run. */
static void
add_context_name(
    struct text *out, const struct sim *sim, const struct context_mean *m)
{
	const struct workload *w = sim->workloads;
	const char *slash;

	text_addf(out, "context %u", m->context);
	while (w != NULL && w->id != m->workload)
		w = w->next;
	if (w == NULL || sim->n_workloads < 2)
		return;
	slash = strrchr(w->name, '/');
	text_adds(out, " of ");
	text_add_visible(out, slash != NULL ? slash + 1 : w->name,
	    strlen(slash != NULL ? slash + 1 : w->name));
}

static void
add_means(struct text *out, size_t start, const struct run_figures *before,
    const struct run_figures *after, const struct sim *sim)
{
	struct mean_change kept[NAMED_MEANS];
	unsigned n = find_means(before, after, kept);

	for (unsigned i = 0; i < n; i++) {
		add_separator(out, start);
		text_adds(out, "latency of ");
		add_context_name(out, sim, kept[i].before);
		text_addc(out, ' ');
		add_ratio(out, (double)kept[i].before->latency,
		    (double)kept[i].after->latency);
	}
}

void
changes_effect(const struct run_figures *before,
    const struct run_figures *after, const struct sim *sim, struct text *out)
{
	size_t start = out->len;

	if (before->span == 0 || after->span == 0) {
		text_adds(out,
		    after->span == 0 ? "no time has passed since"
				     : "nothing ran before");
		return;
	}
	add_misses(out, start, before, after);
	add_rate(out, start, before, after);
	add_means(out, start, before, after, sim);
	if (out->len == start)
		text_adds(out, "no difference");
}
