/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals of a run over its clients, with gem_wsim's way of counting
 * (the manual, CLOSING LINES). */
#include "run/totals.h"

#include "engine/client/client.h"
#include "engine/client/walker.h"
#include "engine/sim.h"
#include "run/plan.h"

double
rate_per_s(double n, nsec t)
{
	return t > 0 ? n * (double)NSEC_PER_SEC / (double)t : 0;
}

bool
client_has_steps(const struct client *c)
{
	return c->walker != NULL && c->walker->program->n_ops > 0;
}

nsec
totals_last_end(const struct sim *sim)
{
	nsec last = 0;

	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];

		if (!c->background && c->ended_ns > last)
			last = c->ended_ns;
	}
	return last;
}

uint64_t
totals_iterations(const struct sim *sim)
{
	uint64_t n = sim->n_iterations;

	for (size_t i = 0; i < sim->n_clients; i++)
		if (!client_has_steps(sim->clients[i]))
			n -= sim->clients[i]->completed;
	return n;
}

double
totals_workloads(const struct plan *plan, const struct sim *sim, bool done)
{
	uint64_t n_asked = 0;

	if (!done || sim->n_controls > 0)
		return (double)totals_iterations(sim);
	for (size_t i = 0; i < sim->n_clients; i++)
		n_asked += client_has_steps(sim->clients[i]);
	return (double)n_asked * (double)plan->repeat;
}
