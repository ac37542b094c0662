/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The closing lines, word for word as scripts know them from gem_wsim
 * (facts/gem_wsim.md section 2). */
#include <inttypes.h>

#include "engine/sim.h"
#include "tui/batch/report.h"
#include "tui/plan.h"

double
rate_per_s(double n, nsec t)
{
	return t > 0 ? n * (double)NSEC_PER_SEC / (double)t : 0;
}

nsec
client_elapsed(const struct sim *sim, const struct client *c)
{
	return c->state == CLIENT_ENDED ? c->ended_ns : sim->now;
}

uint64_t
client_period_avg(const struct client *c)
{
	return c->period.n > 0 ? c->period.sum_us / c->period.n : 0;
}

static nsec
last_end(const struct sim *sim)
{
	nsec last = 0;

	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];

		if (!c->background && c->ended_ns > last)
			last = c->ended_ns;
	}
	return last;
}

/* A run that was cut short, or changed meanwhile, counts what it did, not what
 * it was to do. */
void
result_init(struct result *result, const struct plan *plan,
    const struct sim *sim, enum run_end end)
{
	bool done = end == RUN_DONE;
	nsec elapsed = done ? last_end(sim) : sim->now;
	double n = done && sim->n_controls == 0
	    ? (double)sim->n_clients * (double)plan->repeat
	    : (double)sim->n_iterations;

	*result = (struct result){
	    .plan = plan,
	    .sim = sim,
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
	    rate_per_s((double)c->completed, elapsed));
	if (c->period.n > 0)
		fprintf(out,
		    " Time avg/min/max=%" PRIu64 "/%" PRIu64 "/%" PRIu64
		    "us; %" PRIu64 " missed.",
		    client_period_avg(c), c->period.min_us, c->period.max_us,
		    c->period.missed);
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

		if (verbose > 0 || is_master(result->plan, c))
			print_client(sim, c, out);
	}
	fprintf(out, "%.3fs elapsed (%.3f workloads/s)\n",
	    seconds(result->elapsed_ns), result->rate);
}

void
report_engines(const struct result *result, FILE *out)
{
	const struct sim *sim = result->sim;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];
		double busy = (double)hw_engine_busy(e, sim->now);

		fprintf(out,
		    "%s: %.1f%% busy, %" PRIu64 " batches, %" PRIu64
		    " switches, %" PRIu64 " preemptions\n",
		    e->name, sim->now > 0 ? 100 * busy / (double)sim->now : 0,
		    e->batches, e->switches, e->preemptions);
	}
}
