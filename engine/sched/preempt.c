/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where batches can be preempted, from their X, the profile and the pace at
 * which they run.
 */
#include "engine/sched/preempt.h"

#include "engine/gpu/exec.h"
#include "engine/gpu/pace.h"
#include "engine/sim.h"

/* Returns the distance (ns of run time) of the batch's points on its engine,
 * given that it has any (doc/model/execlists.md "Distance of preemption
 * points"). */
static nsec
period_of(const struct sim *sim, const struct request *rq)
{
	nsec own = sim->config.profile.arbitration_ns[rq->engine->class];

	return own > 0 ? own : rq->preempt_ns;
}

bool
preempt_is_possible(const struct sim *sim, const struct request *rq)
{
	return sim->config.profile.preemption && rq->preempt_ns > 0;
}

bool
preempt_is_at_point(const struct sim *sim, const struct hw_engine *e)
{
	const struct request *rq = e->running;

	return exec_is_running(e) && preempt_is_possible(sim, rq) &&
	    sim->now > rq->piece_ns &&
	    pace_done(rq, sim->now) % period_of(sim, rq) == 0 &&
	    pace_has_moved(rq, sim->now);
}

nsec
preempt_next_point(const struct sim *sim, const struct request *rq, nsec t)
{
	nsec period = period_of(sim, rq);

	return pace_when(rq, (pace_done(rq, t - 1) / period + 1) * period);
}

nsec
preempt_end(const struct request *rq)
{
	return pace_end(rq);
}

bool
preempt_releases(
    const struct sim *sim, const struct hw_engine *e, nsec from, nsec to)
{
	const struct request *rq = e->running;

	if (!exec_is_running(e))
		return false; /* the engine still switches to it */
	if (preempt_end(rq) <= to)
		return true;
	return preempt_is_possible(sim, rq) &&
	    preempt_next_point(sim, rq, nsec_later(from, sim->now + 1)) <= to;
}

bool
preempt_is_late_for_pulse(const struct sim *sim, const struct hw_engine *e)
{
	const struct request *rq = e->running;
	nsec timeout = preempt_timeout(sim, e);
	nsec beat = e->knobs.heartbeat_ns;

	if (beat == 0)
		return false;
	return !preempt_is_possible(sim, rq) || period_of(sim, rq) > beat ||
	    (timeout > 0 && period_of(sim, rq) > timeout);
}

nsec
preempt_timeout(const struct sim *sim, const struct hw_engine *e)
{
	/* i915 has preempt timeouts only where it has preemption. */
	return sim->config.profile.preemption ? e->knobs.preempt_timeout_ns : 0;
}
