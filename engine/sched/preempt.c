/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/preempt.h"

#include "engine/engine_port.h"
#include "engine/sim.h"

static nsec
ran(const struct sim *sim, const struct request *rq)
{
	return rq->run_ns + (sim->now - rq->piece_ns);
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

	return port_is_running(e) && preempt_is_possible(sim, rq) &&
	    sim->now > rq->piece_ns && ran(sim, rq) % rq->preempt_ns == 0;
}

nsec
preempt_next_point(const struct sim *sim, const struct request *rq, nsec t)
{
	nsec period = rq->preempt_ns;
	nsec at = ran(sim, rq) + (t - sim->now);

	return t + (period - at % period) % period;
}

nsec
preempt_end(const struct request *rq)
{
	return rq->infinite ? NSEC_NEVER
			    : rq->piece_ns + (rq->duration_ns - rq->run_ns);
}

bool
preempt_lets_go(
    const struct sim *sim, const struct hw_engine *e, nsec from, nsec to)
{
	const struct request *rq = e->running;

	if (!port_is_running(e))
		return false; /* it is being switched to */
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
	nsec beat = sim->config.profile.heartbeat_ns;

	if (beat == 0)
		return false;
	return !preempt_is_possible(sim, rq) || rq->preempt_ns > beat ||
	    (timeout > 0 && rq->preempt_ns > timeout);
}

nsec
preempt_timeout(const struct sim *sim, const struct hw_engine *e)
{
	const struct profile *profile = &sim->config.profile;

	/* What can't be stopped is not forced either (section 1.4). */
	if (!profile->preemption)
		return 0;
	return e->class == CLASS_RCS || e->class == CLASS_CCS
	    ? profile->preempt_timeout_compute_ns
	    : profile->preempt_timeout_ns;
}
