/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See history.h. */
#include "tui/console/history.h"

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
    double passed, unsigned slot)
{
	nsec busy = hw_engine_busy(hw, now);
	nsec waiting = hw_engine_waiting(hw, now);

	e->busy = (float)((double)(busy - e->busy_ns) / passed);
	e->waiting = (float)((double)(waiting - e->waiting_ns) / passed);
	e->busy_ns = busy;
	e->waiting_ns = waiting;
	/* A little is not nothing. */
	e->percent[slot] = busy == 0 || e->busy <= 0 ? 0
	    : e->busy < 0.01f                        ? 1
	    : e->busy > 1                            ? 100
			  : (uint8_t)(e->busy * 100 + 0.5f);
}

void
history_sample(struct history *h, const struct sim *sim)
{
	unsigned slot = h->n % HISTORY_SAMPLES;

	if (sim->now <= h->now)
		return;
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		sample_engine(&h->engines[i], &sim->device.engines[i], sim->now,
		    (double)(sim->now - h->now), slot);
	h->totals[slot].now = sim->now;
	h->totals[slot].iterations = sim->n_iterations;
	h->now = sim->now;
	h->n++;
}

int
history_engine(
    const struct history *h, unsigned engine, int max, unsigned char *percent)
{
	uint64_t n = h->n < HISTORY_SAMPLES ? h->n : HISTORY_SAMPLES;

	if (max < 0)
		max = 0;
	if (n > (uint64_t)max)
		n = (uint64_t)max;
	for (uint64_t i = 0; i < n; i++)
		percent[i] = h->engines[engine]
				 .percent[(h->n - n + i) % HISTORY_SAMPLES];
	return (int)n;
}

double
history_rate(const struct history *h)
{
	unsigned last = (h->n - 1) % HISTORY_SAMPLES;
	unsigned first = (h->n - 1 - RATE_SAMPLES) % HISTORY_SAMPLES;
	uint64_t iterations = 0;
	nsec since = 0;

	if (h->n == 0)
		return 0;
	if (h->n > RATE_SAMPLES) {
		since = h->totals[first].now;
		iterations = h->totals[first].iterations;
	}
	return (double)(h->totals[last].iterations - iterations) * 1e9 /
	    (double)(h->totals[last].now - since);
}
