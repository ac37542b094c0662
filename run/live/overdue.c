/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the clients whose period is over: one look at each of them. */
#include "run/live/overdue.h"

#include "engine/client/client.h"
#include "engine/sim.h"

nsec
overdue_client(const struct client *c)
{
	nsec due_ns;

	return client_is_overdue(c, &due_ns) ? c->sim->now - due_ns : 0;
}

struct overdue
overdue_find(const struct sim *sim)
{
	size_t n = sim->n_clients < OVERDUE_CLIENTS ? sim->n_clients
						    : OVERDUE_CLIENTS;
	struct overdue o = {0};

	for (size_t i = 0; i < n; i++) {
		nsec late = overdue_client(sim->clients[i]);

		o.n += late > 0;
		if (late <= o.late_ns)
			continue;
		o.late_ns = late;
		o.client = (uint32_t)i;
	}
	return o;
}

uint64_t
overdue_misses(const struct overdue *o, const struct sim *sim)
{
	return sim->n_missed + o->n;
}
