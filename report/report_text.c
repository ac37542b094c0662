/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The closing lines, word for word as scripts know them from gem_wsim (the
 * manual, CLOSING LINES), and the figures that all reports share. */
#include "report/report.h"

#include <inttypes.h>

#include "base/text.h"
#include "engine/client/walker.h"
#include "engine/explain/limits.h"
#include "engine/sim.h"
#include "run/plan.h"
#include "run/totals.h"

uint64_t
client_period_avg(const struct client *c)
{
	return c->period.n > 0 ? c->period.sum_us / c->period.n : 0;
}

void
result_init(struct result *result, const struct plan *plan,
    const struct sim *sim, const struct hang_log *hangs, enum run_end end)
{
	bool done = end == RUN_DONE;
	/* Without descriptors it is as long as the device was served. */
	nsec elapsed = done && plan->n_sources > 0 ? totals_last_end(sim)
						   : sim->now;
	double n = totals_workloads(plan, sim, done);

	*result = (struct result){
	    .plan = plan,
	    .sim = sim,
	    .hangs = hangs,
	    .end = end,
	    .elapsed_ns = elapsed,
	    .rate = rate_per_s(n, elapsed),
	};
}

static double
seconds(nsec t)
{
	return (double)t / (double)NSEC_PER_SEC;
}

static void
print_client(const struct sim *sim, const struct client *c, FILE *out)
{
	nsec elapsed = client_elapsed(sim, c);

	fprintf(out,
	    "%c%" PRIu32 ": %.3fs elapsed (%" PRIu64
	    " cycles, %.3f workloads/s).",
	    c->background ? ' ' : '*', c->id, seconds(elapsed), c->completed,
	    rate_per_s(
		client_has_steps(c) ? (double)c->completed : 0, elapsed));
	if (c->period.n > 0 || client_misses(c) > 0)
		fprintf(out,
		    " Time avg/min/max=%" PRIu64 "/%" PRIu64 "/%" PRIu64
		    "us; %" PRIu64 " missed.",
		    client_period_avg(c), c->period.n ? c->period.min_us : 0,
		    c->period.max_us, client_misses(c));
	putc('\n', out);
}

static bool
is_master(const struct plan *plan, const struct client *c)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		if (plan->sources[i].master)
			return !c->background;
	return false;
}

void
report_text(const struct result *result, int verbose, FILE *out)
{
	const struct sim *sim = result->sim;

	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];

		if (c->id == i && (verbose > 0 || is_master(result->plan, c)))
			print_client(sim, c, out);
	}
	fprintf(out, "%.3fs elapsed (%.3f workloads/s)\n",
	    seconds(result->elapsed_ns), result->rate);
}

static double
percent(nsec part, nsec whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static void
print_engine(const struct hw_engine *e, nsec now, FILE *out)
{
	struct engine_times times = hw_engine_times(e, now);

	fprintf(out,
	    "%s: %.1f%% running, %.1f%% switching, %.1f%% polling, "
	    "%.1f%% blocked, %.1f%% idle; %" PRIu64 " batches, %" PRIu64
	    " switches, %" PRIu64 " preemptions, queue mean/max=%.1f/%" PRIu32
	    "\n",
	    e->name, percent(times.ns[USE_RUNNING], now),
	    percent(times.ns[USE_SWITCHING], now),
	    percent(times.ns[USE_POLLING], now),
	    percent(times.ns[USE_BLOCKED], now),
	    percent(hw_engine_idle(e, now), now), e->batches, e->switches,
	    e->preemptions, hw_engine_queue_mean(e, now),
	    hw_engine_queue_max(e, now));
}

/* Prints which engine limited the run. */
static void
print_limits(const struct sim *sim, FILE *out)
{
	static const struct limits_mark launch;
	struct limits limits;
	struct text line = {0};

	limits_find(&limits, &launch, sim, NULL);
	limits_long(&limits, sim, &line);
	if (line.len > 0)
		fprintf(out, "%s\n", text_str(&line));
	text_free(&line);
}

void
report_engines(const struct result *result, FILE *out)
{
	const struct sim *sim = result->sim;

	for (unsigned i = 0; i < sim->device.n_engines; i++)
		print_engine(&sim->device.engines[i], sim->now, out);
	print_limits(sim, out);
}

static uint64_t
microseconds(nsec t)
{
	return t / NSEC_PER_USEC;
}

static void
print_measure(
    const char *name, const struct histogram *h, enum measure m, FILE *out)
{
	fprintf(out,
	    " %s mean/p50/p99/max=%" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64
	    "us",
	    name, microseconds(histogram_mean(h, m)),
	    microseconds(histogram_percentile(h, m, 500)),
	    microseconds(histogram_percentile(h, m, 990)),
	    microseconds(histogram_max(h, m)));
}

void
report_times(const struct result *result, FILE *out)
{
	const struct sim *sim = result->sim;

	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];
		struct histogram times = {0};

		if (c->id != i)
			continue; /* it is part of sums */
		client_add_times(c, &times);
		fprintf(out, "%" PRIu32 ":", c->id);
		print_measure("latency", &times, LATENCY, out);
		putc(',', out);
		print_measure("queue wait", &times, QUEUE_WAIT, out);
		putc('\n', out);
		histogram_free(&times);
	}
}
