/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which request may have an engine: preemption, slices, and the two hardware
 * ports with requests that are committed to the engine. */
#include "engine/sched/execlists.h"

#include "engine/event.h"
#include "engine/gpu/exec.h"
#include "engine/invariants/invariants.h"
#include "engine/sched/dependency.h"
#include "engine/sched/preempt.h"

bool
port_is_polled(const struct hw_engine *e)
{
	return e->running != NULL && !exec_is_running(e) && e->event.seq == 0;
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
port_successor(const struct port *port, const struct ring *ring, int priority)
{
	const struct priolist_place *second = port->second.first;

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
		port->saturated |= semaphore_saturated(rq);
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
	    &sim->config.profile, sim->now + e->knobs.timeslice_ns);
	port->slice_of = e->running->ring;
}

void
slice_drop(struct sim *sim, const struct hw_engine *e)
{
	struct execlists *x = sim->sched_data;

	x->sliced &= ~e->bit;
}

/* Moves a request from the queue to the end of a port. */
static void
commit_to_port(struct sim *sim, const struct hw_engine *e, struct committed *to,
    struct request *rq)
{
	struct execlists *x = sim->sched_data;
	struct port *port = port_of(sim, e);
	struct priolist_place *place = rq->places;

	execlists_remove_place(x, place);
	place->list = PLACE_COMMITTED;
	place->next = NULL;
	if (to->first != NULL)
		to->last->next = place;
	else
		to->first = place;
	to->last = place;
	x->committed |= e->bit;
	port_learn_saturation(sim, port, rq);
}

static void
fill_ports(struct sim *sim, const struct hw_engine *e)
{
	struct port *port = port_of(sim, e);
	struct committed *to = &port->first;
	const struct ring *ring;
	struct request *rq;

	if (e->running == NULL || port->second.first != NULL ||
	    port_preempts(priolist_top(&port->waiting), e->running))
		return;
	ring = e->running->ring;
	while (
	    (rq = priolist_first(&port->waiting)) != NULL && !rq->is_virtual) {
		if (rq->ring != ring) {
			if (to == &port->second)
				break;
			to = &port->second;
			ring = rq->ring;
		}
		commit_to_port(sim, e, to, rq);
	}
}

void
commit_fill(struct sim *sim, engine_mask engines)
{
	const struct execlists *x = sim->sched_data;

	for (engine_mask m = engines & x->waited_for; m != 0; m &= m - 1)
		fill_ports(sim, &sim->device.engines[__builtin_ctzll(m)]);
}

struct request *
commit_next(struct sim *sim, const struct hw_engine *e, enum follows *how)
{
	struct port *port = port_of(sim, e);

	*how = FOLLOWS_RING;
	if (port->first.first == NULL) {
		*how = FOLLOWS_PORT;
		port->first = port->second;
		port->second = (struct committed){0};
	}
	return port->first.first->rq;
}

void
commit_pop(struct sim *sim, const struct hw_engine *e)
{
	struct execlists *x = sim->sched_data;
	struct port *port = port_of(sim, e);

	port->first.first = port->first.first->next;
	if (port->first.first == NULL && port->second.first == NULL)
		x->committed &= ~e->bit;
}

/* Returns the last request in the first port, or the running one. */
static const struct request *
last_of_first(const struct port *port, const struct hw_engine *e)
{
	return port->first.first != NULL ? port->first.last->rq : e->running;
}

bool
commit_is_outranked(const struct sim *sim, const struct hw_engine *e)
{
	const struct port *port = port_of(sim, e);
	const struct request *last = last_of_first(port, e);

	return port_preempts(priolist_top(&port->waiting), last) ||
	    (port->second.first != NULL &&
		port_preempts(port->second.first->rq->priority, last));
}

static void
unwind_port(struct port *port, struct committed *from)
{
	struct priolist_place *place = from->first;

	*from = (struct committed){0};
	while (place != NULL) {
		struct priolist_place *next = place->next;

		priolist_add(&port->waiting, place);
		place = next;
	}
}

bool
commit_unwind(struct sim *sim, const struct hw_engine *e)
{
	struct execlists *x = sim->sched_data;
	struct port *port = port_of(sim, e);

	if ((x->committed & e->bit) == 0)
		return false;
	x->committed &= ~e->bit;
	unwind_port(port, &port->first);
	unwind_port(port, &port->second);
	x->waited_for |= e->bit;
	port_changed(sim, e);
	return true;
}

#ifdef GPUWL_INVARIANTS
/* Checks one port: its requests are ready, of one ring, and for this engine
 * only. Returns their number. */
static unsigned
check_committed(const struct sim *sim, const struct hw_engine *e,
    const struct committed *c, const struct ring *ring)
{
	unsigned n = 0;

	for (const struct priolist_place *p = c->first; p != NULL;
	     p = p->next, n++) {
		if (p->list != PLACE_COMMITTED || p->engine != e->index ||
		    p->rq->state != REQUEST_READY || p->rq->is_virtual ||
		    p->rq->engine != e || p->rq->places != p ||
		    (ring != NULL && p->rq->ring != ring))
			invariants_broken(sim, p->rq,
			    "is in a port of %s, where it should not be",
			    e->name);
		if (p->next == NULL && p != c->last)
			invariants_broken(
			    sim, p->rq, "ends a port of %s", e->name);
		ring = p->rq->ring;
	}
	return n;
}

unsigned
commit_check(const struct sim *sim, const struct hw_engine *e)
{
	const struct execlists *x = sim->sched_data;
	const struct port *port = port_of(sim, e);
	const struct ring *ring = e->running != NULL ? e->running->ring : NULL;
	unsigned n = check_committed(sim, e, &port->first, ring);
	unsigned second = check_committed(sim, e, &port->second, NULL);

	if ((n + second > 0) != (x->committed >> e->index & 1) ||
	    (n + second > 0 && e->running == NULL) ||
	    (second > 0 && port->second.first->rq->ring == ring))
		invariants_broken(
		    sim, e->running, "the ports of %s are wrong", e->name);
	return n + second;
}
#endif
