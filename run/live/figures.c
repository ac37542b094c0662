/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of a simulation: totals at a moment, rates between two moments, and
 * samples over time.
 */
#include "run/live/figures.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/sim.h"

static struct context_figures
context_now(const struct sim *sim, const struct context *c)
{
	struct context_figures f = {
	    .number = c->def->number,
	    .serial = c->serial,
	    .busy_ns = sim_context_busy(sim, c),
	    .batches = c->batches,
	    .missed = c->client->period.missed,
	};

	histogram_merge(&f.times, &c->times);
	return f;
}

/* Iterations that had something to do. Idle ones are counted when they begin,
 * all of them when they end. */
static uint64_t
iterations_worked(const struct sim *sim)
{
	return sim->n_iterations > sim->n_idle_iterations
	    ? sim->n_iterations - sim->n_idle_iterations
	    : 0;
}

struct figures
figures_totals(const struct sim *sim)
{
	struct figures f = {
	    .at = sim->now,
	    .iterations = iterations_worked(sim),
	    .missed = sim->n_missed,
	};

	for (unsigned i = 0; i < sim->device.n_engines; i++)
		f.engines[i] = hw_engine_times(
		    &sim->device.engines[i], sim->now);
	return f;
}

/* Makes room for as many whole clients as FIGURES_CONTEXTS allows. */
static void
figures_take_clients(struct figures *f, const struct sim *sim)
{
	size_t n = 0;

	f->first = mem_calloc(sim->n_clients + 1, sizeof(*f->first));
	for (size_t i = 0; i < sim->n_clients; i++) {
		n += sim->clients[i]->n_contexts;
		if (n > FIGURES_CONTEXTS)
			break;
		f->first[++f->n_clients] = n;
	}
	f->contexts = mem_calloc(
	    f->first[f->n_clients] + 1, sizeof(*f->contexts));
}

void
figures_take(struct figures *f, const struct sim *sim)
{
	*f = figures_totals(sim);
	figures_take_clients(f, sim);
	for (uint32_t i = 0; i < f->n_clients; i++) {
		const struct client *c = sim->clients[i];

		for (uint32_t j = 0; j < c->n_contexts; j++)
			f->contexts[f->n_contexts++] = context_now(
			    sim, c->contexts[j]);
	}
}

void
figures_copy(struct figures *f, const struct figures *from)
{
	*f = *from;
	if (from->first == NULL)
		return;
	f->first = mem_calloc(from->n_clients + 1, sizeof(*f->first));
	memcpy(
	    f->first, from->first, (from->n_clients + 1) * sizeof(*f->first));
	f->contexts = mem_calloc(from->n_contexts + 1, sizeof(*f->contexts));
	for (size_t i = 0; i < from->n_contexts; i++) {
		f->contexts[i] = from->contexts[i];
		f->contexts[i].times = (struct histogram){0};
		histogram_merge(
		    &f->contexts[i].times, &from->contexts[i].times);
	}
}

void
figures_free(struct figures *f)
{
	for (size_t i = 0; i < f->n_contexts; i++)
		histogram_free(&f->contexts[i].times);
	free(f->contexts);
	free(f->first);
	*f = (struct figures){0};
}

/* Programs use the numbers of contexts again. */
static bool
is_of_context(const struct context_figures *f, const struct context *context)
{
	return f->number == context->def->number &&
	    f->serial == context->serial;
}

/* Tries the context's index first: edits rarely change it. */
const struct context_figures *
figures_context(const struct figures *f, const struct context *context)
{
	uint32_t client = context->client->id;
	size_t at, end;

	if (client >= f->n_clients)
		return NULL;
	end = f->first[client + 1];
	at = f->first[client] + context->index;
	if (at < end && is_of_context(&f->contexts[at], context))
		return &f->contexts[at];
	for (at = f->first[client]; at < end; at++)
		if (is_of_context(&f->contexts[at], context))
			return &f->contexts[at];
	return NULL;
}

static double
per_second(uint64_t n, nsec span)
{
	return span > 0 ? (double)n * 1e9 / (double)span : 0;
}

struct rates
figures_rates(const struct figures *then, const struct figures *now)
{
	nsec span = now->at - then->at;

	return (struct rates){
	    .iterations = per_second(now->iterations - then->iterations, span),
	    .missed = per_second(now->missed - then->missed, span),
	};
}

double
figures_share(const struct figures *then, const struct figures *now,
    unsigned engine, enum engine_use use)
{
	nsec span = now->at - then->at;
	nsec spent = now->engines[engine].ns[use] -
	    then->engines[engine].ns[use];

	return span > 0 ? (double)spent / (double)span : 0;
}

struct context_rates
figures_context_rates(const struct context_figures *then,
    const struct context_figures *now, nsec span)
{
	static const struct context_figures nothing;
	struct histogram times = {0};
	struct context_rates r;

	if (then == NULL)
		then = &nothing;
	histogram_merge(&times, &now->times);
	histogram_subtract(&times, &then->times);
	r = (struct context_rates){
	    .busy = per_second(now->busy_ns - then->busy_ns, span) / 1e9,
	    .missed = per_second(now->missed - then->missed, span),
	    .batches = now->batches - then->batches,
	    .mean_ns = histogram_mean(&times, LATENCY),
	    .p99_ns = histogram_percentile(&times, LATENCY, 990),
	    .max_ns = histogram_max(&times, LATENCY),
	};
	histogram_free(&times);
	return r;
}

struct context_rates
figures_context_since(const struct figures *then, const struct sim *sim,
    const struct context *context)
{
	struct context_figures now = context_now(sim, context);
	struct context_rates r = figures_context_rates(
	    figures_context(then, context), &now, sim->now - then->at);

	histogram_free(&now.times);
	return r;
}

void
load_history_clear(struct load_history *h)
{
	memset(h, 0, sizeof(*h));
}

/* Less than 1 % is 1 %, not idle. */
static uint8_t
percent_of(float share)
{
	if (share <= 0)
		return 0;
	if (share < 0.01F)
		return 1;
	return share > 1 ? 100 : (uint8_t)(share * 100 + 0.5F);
}

/* sample: its number. */
static void
sample_engine(struct engine_history *e, const struct hw_engine *hw, nsec now,
    nsec since, uint64_t sample)
{
	struct engine_times times = hw_engine_times(hw, now);
	unsigned slot = sample % HISTORY_SAMPLES;

	e->counts[sample % (RATE_SAMPLES + 1)] = (struct engine_counts){
	    hw->batches, hw->switches, hw->preemptions};

	for (int use = 0; use < N_USES; use++) {
		e->shares[use] =
		    (float)((double)(times.ns[use] - e->times.ns[use]) /
			(double)(now - since));
		e->percent[use][slot] = percent_of(e->shares[use]);
	}
}

/* Ends the window, so that the next one begins. */
static void
close_window(struct load_history *h, const struct sim *sim)
{
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		h->engines[i].times = hw_engine_times(
		    &sim->device.engines[i], sim->now);
	h->window = sim->now - h->now;
	h->now = sim->now;
	h->n++;
}

void
load_history_sample(
    struct load_history *h, const struct sim *sim, uint64_t missed, nsec window)
{
	unsigned slot = h->n % HISTORY_SAMPLES;
	bool full = sim->now - h->now >= window;

	if (sim->now <= h->now || (!full && h->n > 0))
		return;
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		sample_engine(&h->engines[i], &sim->device.engines[i], sim->now,
		    h->now, h->n);
	h->totals[slot].now = sim->now;
	h->totals[slot].iterations = sim->n_iterations;
	h->totals[slot].idle = sim->n_idle_iterations;
	h->totals[slot].missed = missed;
	h->totals[slot].hangs = sim->n_hangs;
	if (full)
		close_window(h, sim);
}

/* Number of samples, with the load so far as the first one. */
static uint64_t
history_n_samples(const struct load_history *h)
{
	return h->n > 0 ? h->n : h->totals[0].now > 0;
}

int
load_history_engine(const struct load_history *h, unsigned engine,
    enum engine_use use, int max, unsigned char *percent)
{
	uint64_t all = history_n_samples(h);
	uint64_t n = all < HISTORY_SAMPLES ? all : HISTORY_SAMPLES;

	if (max < 0)
		max = 0;
	if (n > (uint64_t)max)
		n = (uint64_t)max;
	for (uint64_t i = 0; i < n; i++)
		percent[i] = h->engines[engine]
				 .percent[use][(all - n + i) % HISTORY_SAMPLES];
	return (int)n;
}

nsec
load_history_window(const struct load_history *h, nsec *from)
{
	*from = h->n > 0 ? h->now - h->window : 0;
	return h->n > 0 ? h->now : h->totals[0].now;
}

/* The last sample, and the one RATE_SAMPLES before it; NULL: that is the
 * launch. */
static void
rate_samples(const struct load_history *h, const struct history_totals **last,
    const struct history_totals **first)
{
	uint64_t n = history_n_samples(h);

	*last = n > 0 ? &h->totals[(n - 1) % HISTORY_SAMPLES] : NULL;
	*first = n > RATE_SAMPLES
	    ? &h->totals[(n - 1 - RATE_SAMPLES) % HISTORY_SAMPLES]
	    : NULL;
}

nsec
load_history_rate_from(const struct load_history *h)
{
	const struct history_totals *last, *first;

	rate_samples(h, &last, &first);
	return first != NULL ? first->now : 0;
}

double
load_history_missed(const struct load_history *h)
{
	const struct history_totals *last, *first;
	uint64_t before;

	rate_samples(h, &last, &first);
	before = first != NULL ? first->missed : 0;
	if (last == NULL || last->missed < before)
		return 0;
	return per_second(
	    last->missed - before, last->now - (first ? first->now : 0));
}

double
load_history_hangs(const struct load_history *h)
{
	const struct history_totals *last, *first;

	rate_samples(h, &last, &first);
	if (last == NULL)
		return 0;
	return per_second(last->hangs - (first ? first->hangs : 0),
	    last->now - (first ? first->now : 0));
}

bool
load_history_rate(const struct load_history *h, double *rate)
{
	uint64_t n = history_n_samples(h);
	unsigned last = (n - 1) % HISTORY_SAMPLES;
	unsigned first = (n - 1 - RATE_SAMPLES) % HISTORY_SAMPLES;
	uint64_t iterations, idle, worked;
	nsec span;

	*rate = 0;
	if (n == 0)
		return true;
	iterations = h->totals[last].iterations;
	idle = h->totals[last].idle;
	span = h->totals[last].now;
	if (n > RATE_SAMPLES) {
		iterations -= h->totals[first].iterations;
		idle -= h->totals[first].idle;
		span -= h->totals[first].now;
	}
	/* Idle iterations are counted when they begin, all of them when they
	 * end. */
	worked = iterations > idle ? iterations - idle : 0;
	*rate = (double)worked * 1e9 / (double)span;
	return idle == 0 || worked > 0;
}

struct engine_rates
load_history_counts(const struct load_history *h, unsigned engine)
{
	static const struct engine_counts none;
	const struct engine_counts *ring = h->engines[engine].counts, *to,
				   *from = &none;
	const struct history_totals *last, *first;
	uint64_t n = history_n_samples(h);
	nsec span;

	rate_samples(h, &last, &first);
	if (last == NULL)
		return (struct engine_rates){0};
	to = &ring[(n - 1) % (RATE_SAMPLES + 1)];
	if (first != NULL)
		from = &ring[(n - 1 - RATE_SAMPLES) % (RATE_SAMPLES + 1)];
	span = last->now - (first != NULL ? first->now : 0);
	return (struct engine_rates){
	    .batches = per_second(to->batches - from->batches, span),
	    .switches = per_second(to->switches - from->switches, span),
	    .preemptions = per_second(
		to->preemptions - from->preemptions, span),
	};
}
