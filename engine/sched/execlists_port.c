/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/execlists_port.h"

#include "engine/event.h"
#include "engine/gpu/exec.h"
#include "engine/sched/preempt.h"
#include "engine/sched/semaphore.h"

bool
port_is_polled(const struct hw_engine *e)
{
	return e->running != NULL && !port_is_running(e) && e->event.seq == 0;
}

bool
port_is_at_point(const struct sim *sim, const struct hw_engine *e)
{
	return port_is_polled(e) || preempt_is_at_point(sim, e);
}

bool
port_preempts(int priority, const struct request *running)
{
	int threshold = running->priority > -1 ? running->priority : -1;

	return priority > threshold;
}

struct request *
port_taker(const struct port *port, const struct ring *ring, int priority)
{
	const struct place *second = port->second.first;

	if (second != NULL &&
	    (second->rq->priority > priority ||
		(second->rq->priority == priority &&
		    second->rq->n_unended == 0)))
		return second->rq;
	return priolist_first_above(&port->waiting, priority, ring);
}

bool
port_is_contended(const struct hw_engine *e)
{
	return e->queued > e->running->ring->waiting;
}

void
port_learn_saturation(
    const struct sim *sim, struct port *port, const struct request *rq)
{
	if (sim->config.profile.saturation && rq->semaphores != 0)
		port->saturated |= semaphore_useless(rq);
}

bool
slice_is_running(const struct sim *sim, const struct hw_engine *e)
{
	const struct execlists *x = sim->sched_data;

	return (x->sliced & e->bit) != 0;
}

bool
slice_has_run_out(const struct sim *sim, const struct hw_engine *e)
{
	return slice_is_running(sim, e) &&
	    sim->now >= port_of(sim, e)->slice_end;
}

bool
slice_is_over(const struct sim *sim, const struct hw_engine *e)
{
	return slice_has_run_out(sim, e) || port_of(sim, e)->yields != NULL;
}

void
slice_begin(struct sim *sim, const struct hw_engine *e)
{
	struct execlists *x = sim->sched_data;
	struct port *port = port_of(sim, e);

	x->sliced |= e->bit;
	x->changed |= e->bit;
	port->slice_end = jiffies_expiry(
	    &sim->config.profile, sim->now + sim->config.profile.timeslice_ns);
	port->slice_of = e->running->ring;
}

void
slice_drop(struct sim *sim, const struct hw_engine *e)
{
	struct execlists *x = sim->sched_data;

	x->sliced &= ~e->bit;
}
