/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the figures of a run: its totals, without those of the warm-up. */
#include "decide/trial_figures.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "decide/backlog.h"
#include "decide/request_times.h"
#include "engine/client/client.h"
#include "engine/client/walker.h"
#include "engine/sim.h"
#include "run/totals.h"

static void
add_foreground_times(const struct sim *sim, struct histogram *times)
{
	for (size_t i = 0; i < sim->n_clients; i++)
		if (!sim->clients[i]->background)
			client_add_times(sim->clients[i], times);
}

void
warmup_totals_take(struct warmup_totals *b, const struct sim *sim)
{
	*b = (struct warmup_totals){
	    .at = sim->now,
	    .n_iterations = totals_iterations(sim),
	    .clients = mem_calloc(sim->n_clients + 1, sizeof *b->clients),
	    .n_clients = sim->n_clients,
	};
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];

		b->clients[i] = (struct client_warmup){
		    .completed = c->completed,
		    .completed_ns = c->completed_ns,
		    .periods = c->period.n,
		    .missed = c->period.missed,
		};
	}
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		b->busy_ns[i] = hw_engine_busy(
		    &sim->device.engines[i], sim->now);
	add_foreground_times(sim, &b->times);
}

void
warmup_totals_free(struct warmup_totals *b)
{
	free(b->clients);
	histogram_free(&b->times);
	*b = (struct warmup_totals){0};
}

/* Returns the iterations per second of a client, from the last that was completed in
 * the warm-up to the last of all: where the run is cut off does not matter. One that
 * takes longer than those before it counts as if it were completed at the end. */
static double
client_rate(const struct client *c, const struct client_warmup *since, nsec now)
{
	double n = (double)(c->completed - since->completed);
	nsec from = since->completed > 0 ? since->completed_ns : c->begun_ns;
	double rate, slowest;

	if (n < 1)
		return 0;
	if (c->state == CLIENT_ENDED)
		return rate_per_s(n, c->ended_ns - from);
	slowest = rate_per_s(n + 1, now - from);
	if (c->completed_ns <= from)
		return slowest;
	rate = rate_per_s(n, c->completed_ns - from);
	return rate < slowest ? rate : slowest;
}

/* Counts a client of the foreground. */
static void
add_client(struct trial_figures *f, const struct client *c,
    const struct client_warmup *since, nsec now)
{
	double rate = client_rate(c, since, now);
	uint64_t missed = client_misses(c);

	if (f->lowest_rate < 0 || rate < f->lowest_rate)
		f->lowest_rate = rate;
	f->periods += c->period.n - since->periods +
	    (missed - c->period.missed);
	f->missed += missed - since->missed;
}

static void
add_trial_clients(struct trial_figures *f, const struct sim *sim,
    const struct warmup_totals *since)
{
	f->lowest_rate = -1;
	for (size_t i = 0; i < since->n_clients; i++)
		if (!sim->clients[i]->background)
			add_client(
			    f, sim->clients[i], &since->clients[i], sim->now);
	if (f->lowest_rate < 0)
		f->lowest_rate = 0;
}

static void
add_trial_engines(struct trial_figures *f, const struct sim *sim,
    const struct warmup_totals *since)
{
	nsec window = sim->now - since->at;

	f->n_engines = sim->device.n_engines;
	for (unsigned i = 0; i < f->n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];
		nsec busy = hw_engine_busy(e, sim->now) - since->busy_ns[i];

		memcpy(f->engines[i].name, e->name, sizeof e->name);
		f->engines[i].busy_percent = window > 0
		    ? 100 * (double)busy / (double)window
		    : 0;
		if (f->engines[i].busy_percent >
		    f->engines[f->busiest].busy_percent)
			f->busiest = i;
	}
}

/* Returns a percentile: exact, unless there were too many requests to keep. */
static nsec
trial_percentile(struct request_times *exact, const struct histogram *all,
    enum measure m, unsigned per_mille)
{
	nsec ns;

	if (!request_times_percentile(exact, m, per_mille, &ns))
		ns = histogram_percentile(all, m, per_mille);
	return ns;
}

static void
add_trial_times(struct trial_figures *f, const struct sim *sim,
    const struct warmup_totals *since, struct request_times *exact)
{
	struct histogram all = {0};

	add_foreground_times(sim, &all);
	if (histogram_n(&since->times, LATENCY) > 0)
		histogram_subtract(&all, &since->times);
	f->requests = histogram_n(&all, LATENCY);
	f->latency_p50_ns = trial_percentile(exact, &all, LATENCY, 500);
	f->latency_p99_ns = trial_percentile(exact, &all, LATENCY, 990);
	f->queue_wait_p99_ns = trial_percentile(exact, &all, QUEUE_WAIT, 990);
	histogram_free(&all);
}

void
trial_figures_take(struct trial_figures *f, const struct plan *plan,
    const struct sim *sim, const struct warmup_totals *since,
    struct request_times *times, const struct backlog *backlog, bool done)
{
	int piled_up_on = backlog_engine(backlog);
	nsec end = done ? totals_last_end(sim) : sim->now;
	double n = since->at == 0
	    ? totals_workloads(plan, sim, done)
	    : (double)(totals_iterations(sim) - since->n_iterations);

	memset(f, 0, sizeof *f); /* padding too: it is sent */
	f->elapsed_ns = end > since->at ? end - since->at : 0;
	f->workloads_s = rate_per_s(n, f->elapsed_ns);
	f->hangs = sim->n_hangs;
	add_trial_clients(f, sim, since);
	add_trial_engines(f, sim, since);
	if (piled_up_on >= 0) {
		f->piled_up_on = (unsigned)piled_up_on;
		f->piled_up = backlog->periods[piled_up_on];
	}
	add_trial_times(f, sim, since, times);
}
