/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/client/kill.h"

#include <errno.h>

#include "engine/client/turn.h"
#include "engine/hang/revoke.h"
#include "engine/sched/preempt.h"
#include "engine/sim.h"

void
kill_client(struct client *c, bool persistent)
{
	c->killed = persistent ? KILL_PERSISTENT : KILL_ALL;
	c->dying = true;
	event_disarm(&c->timer);
	turn_add(c->sim, c);
}

static nsec
grace_of(const struct sim *sim, const struct request *rq)
{
	nsec timeout = rq->engine != NULL ? preempt_timeout(sim, rq->engine)
					  : 0;

	return timeout > 0 ? timeout : REVOKE_AT_ONCE;
}

static void
revoke_ring(struct sim *sim, struct ring *ring)
{
	if (sim->config.sched->ring_killed != NULL && ring->sched_data != NULL)
		sim->config.sched->ring_killed(sim, ring);
	for (struct request *rq = ring->first; rq != NULL;
	     rq = rq->next_of_ring)
		revoke_request(sim, rq, -EIO, grace_of(sim, rq), HANG_REVOKED);
}

void
kill_in_turn(struct client *c)
{
	c->dying = false;
	image_close_fences(c->image, c->sim->now);
	for (uint32_t i = 0; i < c->n_rings; i++) {
		c->rings[i]->drain = false;
		if (c->killed == KILL_ALL)
			revoke_ring(c->sim, c->rings[i]);
	}
}
