/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the oldest requests some times in each quarter of a run: where in a period
 * a look falls does not matter then. */
#include "decide/backlog.h"

#include "engine/client/client.h"
#include "engine/client/walker.h"
#include "engine/gpu/request.h"
#include "engine/sim.h"

#define LOOKS 8 /* in a quarter */

static void
look_at_ring(struct backlog *b, const struct request *rq, unsigned quarter,
    nsec now, nsec period)
{
	nsec age = now - rq->submit_ns;
	unsigned e = rq->engine != NULL
	    ? rq->engine->index
	    : (unsigned)__builtin_ctzll(rq->allowed);

	if (age > b->oldest_ns[e][quarter])
		b->oldest_ns[e][quarter] = age;
	if ((double)age / (double)period > b->periods[e])
		b->periods[e] = (double)age / (double)period;
}

static void
look(struct backlog *b, const struct sim *sim, unsigned quarter)
{
	for (unsigned e = 0; e < DEVICE_MAX_ENGINES; e++)
		b->periods[e] = 0;
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];
		nsec period = client_longest_period(c);

		for (uint32_t r = 0;
		     period > 0 && !c->background && r < c->n_rings; r++)
			if (c->rings[r]->first != NULL)
				look_at_ring(b, c->rings[r]->first, quarter,
				    sim->now, period);
	}
}

void
backlog_run(struct backlog *b, struct sim *sim, nsec end)
{
	const unsigned looks = LOOKS * BACKLOG_QUARTERS;
	nsec from = sim->now;

	*b = (struct backlog){0};
	for (unsigned i = 0; end != NSEC_NEVER && i < looks; i++) {
		sim_run(sim, from + (end - from) / looks * (i + 1), 0);
		if (sim->state != SIM_RUNNING)
			break;
		look(b, sim, i / LOOKS);
	}
	if (sim->state == SIM_RUNNING)
		sim_run(sim, end, 0);
	else
		*b = (struct backlog){0};
}

int
backlog_engine(const struct backlog *b)
{
	int most = -1;

	for (int e = 0; e < DEVICE_MAX_ENGINES; e++) {
		bool grows = b->periods[e] > 1;

		for (unsigned q = 1; q < BACKLOG_QUARTERS; q++)
			grows &= b->oldest_ns[e][q] > b->oldest_ns[e][q - 1];
		if (grows && (most < 0 || b->periods[e] > b->periods[most]))
			most = e;
	}
	return most;
}
