/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/hang/revoke.h"

#include <errno.h>

#include "engine/event.h"
#include "engine/gpu/exec.h"
#include "engine/sched/preempt.h"
#include "engine/sim.h"

/* The first preemption point of the batch, which runs; NSEC_NEVER: none. */
static nsec
point_of(const struct sim *sim, const struct request *rq)
{
	if (!sim->config.sched->stops_at_points ||
	    !preempt_is_possible(sim, rq))
		return NSEC_NEVER;
	return preempt_is_at_point(sim, rq->engine)
	    ? sim->now
	    : preempt_next_point(sim, rq, sim->now + 1);
}

/* The driver's timer ends at a tick (set_preempt_timeout); firmware has its own
 * clock. */
static nsec
grace_over(const struct sim *sim, nsec grace)
{
	if (sim->config.sched->firmware_timers)
		return sim->now + grace;
	return jiffies_expiry(&sim->config.profile, sim->now + grace);
}

void
revoke_request(struct sim *sim, struct request *rq, int error, nsec grace,
    enum hang_cause cause)
{
	nsec point, end;

	if (rq->error != 0)
		return;
	if (rq->piece_ns == NSEC_NEVER) {
		request_fail(rq, error);
		return;
	}
	point = point_of(sim, rq);
	end = preempt_end(rq);
	if (point < end)
		end = point;
	if (grace == REVOKE_AT_ONCE)
		grace = point == NSEC_NEVER ? 0 : NSEC_NEVER;
	else if (grace == 0)
		grace = NSEC_NEVER;
	port_fail_at(sim, rq, error, end);
	/* At another pace it may take longer than it seems now. */
	if (grace != NSEC_NEVER &&
	    (sim->paced ||
		(end - sim->now > grace && end > grace_over(sim, grace))))
		port_give_up_at(sim, rq->engine, grace_over(sim, grace), cause);
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

void
revoke_timed_out(struct sim *sim, struct request *rq)
{
	if (rq->error != 0)
		return;
	sim->n_timed_out++;
	observers_tell(sim, timed_out, rq);
	revoke_request(sim, rq, -EINTR, REVOKE_GRACE, HANG_REQUEST);
}
