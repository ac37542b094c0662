/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See history.h. */
#include "run/live/history.h"

#include <string.h>

#include "engine/sim.h"

/* Samples that a rate is the mean of. */
#define RATE_SAMPLES 10

void
history_clear(struct history *h)
{
	memset(h, 0, sizeof(*h));
}

static void
sample_engine(struct engine_history *e, const struct hw_engine *hw, nsec now,
    nsec since, unsigned slot)
{
	double passed = (double)(now - since);
	nsec busy = hw_engine_busy(hw, now);
	nsec waiting = hw_engine_waiting(hw, now);

	e->busy = (float)((double)(busy - e->busy_ns) / passed);
	e->waiting = (float)((double)(waiting - e->waiting_ns) / passed);
	/* A little is not nothing. */
	e->percent[slot] = busy == 0 || e->busy <= 0 ? 0
	    : e->busy < 0.01f                        ? 1
	    : e->busy > 1                            ? 100
			  : (uint8_t)(e->busy * 100 + 0.5f);
}

/* The next window begins. */
static void
close_window(struct history *h, const struct sim *sim)
{
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct engine_history *e = &h->engines[i];
		const struct hw_engine *hw = &sim->device.engines[i];

		e->busy_ns = hw_engine_busy(hw, sim->now);
		e->waiting_ns = hw_engine_waiting(hw, sim->now);
	}
	h->window = sim->now - h->now;
	h->now = sim->now;
	h->n++;
}

void
history_sample(struct history *h, const struct sim *sim, nsec window)
{
	unsigned slot = h->n % HISTORY_SAMPLES;
	bool full = sim->now - h->now >= window;

	if (sim->now <= h->now || (!full && h->n > 0))
		return;
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		sample_engine(&h->engines[i], &sim->device.engines[i], sim->now,
		    h->now, slot);
	h->totals[slot].now = sim->now;
	h->totals[slot].iterations = sim->n_iterations;
	h->totals[slot].idle = sim->n_idle_iterations;
	if (full)
		close_window(h, sim);
}

/* With the one that stands for the first. */
static uint64_t
n_samples(const struct history *h)
{
	return h->n > 0 ? h->n : h->totals[0].now > 0;
}

int
history_engine(
    const struct history *h, unsigned engine, int max, unsigned char *percent)
{
	uint64_t all = n_samples(h);
	uint64_t n = all < HISTORY_SAMPLES ? all : HISTORY_SAMPLES;

	if (max < 0)
		max = 0;
	if (n > (uint64_t)max)
		n = (uint64_t)max;
	for (uint64_t i = 0; i < n; i++)
		percent[i] =
		    h->engines[engine].percent[(all - n + i) % HISTORY_SAMPLES];
	return (int)n;
}

bool
history_rate(const struct history *h, double *rate)
{
	uint64_t n = n_samples(h);
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
	/* They are counted when they are walked, the others when they end. */
	worked = iterations > idle ? iterations - idle : 0;
	*rate = (double)worked * 1e9 / (double)span;
	return idle == 0 || worked > 0;
}
