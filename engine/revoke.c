/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/revoke.h"

#include "engine/engine_port.h"
#include "engine/preempt.h"
#include "engine/sim.h"

/* When the batch, which runs, will let go of its engine by itself. */
static nsec
end_of(const struct sim *sim, const struct request *rq)
{
	nsec end = rq->infinite ? NSEC_NEVER
				: rq->piece_ns + (rq->duration_ns - rq->run_ns);
	nsec point;

	if (!sim->config.sched->stops_at_points ||
	    !preempt_is_possible(sim, rq))
		return end;
	point = preempt_is_at_point(sim, rq->engine)
	    ? sim->now
	    : preempt_next_point(sim, rq, sim->now + 1);
	return point < end ? point : end;
}

void
revoke_request(struct sim *sim, struct request *rq, int error, nsec grace,
    enum hang_cause cause)
{
	nsec end;

	if (rq->error != 0)
		return;
	if (rq->piece_ns == NSEC_NEVER) {
		request_fail(rq, error);
		return;
	}
	end = end_of(sim, rq);
	port_fail_at(sim, rq, error, end);
	if (grace > 0 && end - sim->now > grace)
		port_give_up_at(sim, rq->engine, sim->now + grace, cause);
}

void
revoke_context(struct sim *sim, struct context *context, int error, nsec grace)
{
	struct client *client = context->client;

	for (uint32_t i = 0; i < client->n_rings; i++) {
		struct ring *ring = client->rings[i];

		if (ring->context != context)
			continue;
		for (struct request *rq = ring->first; rq != NULL;
		     rq = rq->next_of_ring)
			revoke_request(sim, rq, error, grace, HANG_REVOKED);
	}
}
