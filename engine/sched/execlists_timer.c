/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timers of execlists: timeslices, the preemption points at which something
 * happens, preempt timeouts and heartbeat pulses. */
#include "engine/sched/execlists.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>

#include "base/util.h"
#include "engine/event.h"
#include "engine/gpu/exec.h"
#include "engine/hang/hang.h"
#include "engine/hang/timeouts.h"
#include "engine/sched/preempt.h"

/* Returns from when on the pulse that waits for e has its turn at a preemption
 * point: at once if it outranks the running request, after a timeslice if it is
 * its equal; NSEC_NEVER: not before the request ends. */
static nsec
pulse_turn_at(const struct sim *sim, const struct hw_engine *e)
{
	int priority = heartbeat_priority(e);
	nsec slice = e->knobs.timeslice_ns;

	if (priority == INT_MIN)
		return NSEC_NEVER;
	if (port_preempts(priority, e->running))
		return e->heartbeat.raised_ns;
	if (priority == e->running->priority && slice > 0)
		return jiffies_expiry(
		    &sim->config.profile, e->heartbeat.raised_ns + slice);
	return NSEC_NEVER;
}

static void
answer_pulse_at_point(struct sim *sim, struct hw_engine *e)
{
	if (e->heartbeat.pulse == PULSE_NONE || e->running == NULL)
		return;
	if (port_is_at_point(sim, e) &&
	    (pulse_turn_at(sim, e) <= sim->now ||
		(port_is_polled(e) &&
		    heartbeat_priority(e) >= e->running->priority)))
		heartbeat_answered(e);
}

/* Returns true if rq is virtual and has a sibling that is free or being reset:
 * then it does not wait for this engine only ("Virtual engines"). */
static bool
has_idle_sibling(struct sim *sim, const struct request *rq)
{
	if (!rq->is_virtual)
		return false;
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		if (sim->device.engines[__builtin_ctzll(m)].running == NULL)
			return true;
	}
	return false;
}

/* Returns true if the request on e should leave it now, but has not. */
static bool
preemption_is_due(struct sim *sim, const struct hw_engine *e)
{
	const struct port *port = port_of(sim, e);
	const struct request *rq = e->running;
	const struct request *first;

	if (rq == NULL || port_is_polled(e))
		return false;
	if (port_preempts(priolist_top(&port->waiting), rq) &&
	    !has_idle_sibling(sim, priolist_first(&port->waiting)))
		return true;
	if (pulse_turn_at(sim, e) <= sim->now)
		return true;
	if (!slice_is_over(sim, e))
		return false;
	first = port_successor(port, rq->ring, rq->priority);
	return first != NULL && !has_idle_sibling(sim, first);
}

static void
arm_preempt_timeout(struct sim *sim, struct hw_engine *e)
{
	struct port *port = port_of(sim, e);
	nsec timeout = preempt_timeout(sim, e);
	nsec due = NSEC_NEVER;

	if (timeout == 0 && !timer_is_set(&port->preempt_timeout))
		return;
	if (timeout == 0 || !preemption_is_due(sim, e)) {
		port->wanted_ns = NSEC_NEVER;
	} else {
		if (port->wanted_ns == NSEC_NEVER ||
		    port->wanted_of != e->running->seq)
			port->wanted_ns = sim->now;
		port->wanted_of = e->running->seq;
		due = nsec_later(jiffies_expiry(&sim->config.profile,
				     port->wanted_ns + timeout),
		    sim->now);
		if (preempt_releases(sim, e, sim->now, due))
			due = NSEC_NEVER;
	}
	timer_set(&sim->events, &port->preempt_timeout, due);
}

static void
on_preemption_overdue(struct sim *sim, struct timer *timer)
{
	struct execlists *x = sim->sched_data;
	struct port *port = container_of(timer, struct port, preempt_timeout);
	struct hw_engine *e = &sim->device.engines[port - x->ports];

	port_changed(sim, e);
	if (preemption_is_due(sim, e) && port->wanted_of == e->running->seq)
		reset_after_hang(sim, e, HANG_PREEMPTION, -EIO);
	else
		port->wanted_ns = NSEC_NEVER;
}

/* Returns true if the request on e leaves it before a timeout that starts at
 * from. The exact timeout, in jiffies, is rarely needed. */
static bool
releases_in_time(
    const struct sim *sim, const struct hw_engine *e, nsec from, nsec timeout)
{
	nsec to = from + timeout;

	return preempt_releases(sim, e, from, to) ||
	    (sim->config.profile.hz > 0 &&
		preempt_releases(
		    sim, e, from, jiffies_expiry(&sim->config.profile, to)));
}

/* Returns when the preempt timeout must start, which is from, unless the
 * request leaves in time; NSEC_NEVER: not at all. */
static nsec
timeout_from(const struct sim *sim, const struct hw_engine *e, nsec from)
{
	nsec timeout = preempt_timeout(sim, e);

	if (timeout == 0 || from == NSEC_NEVER || from <= sim->now ||
	    releases_in_time(sim, e, from, timeout))
		return NSEC_NEVER;
	return from;
}

/* Returns true if a waiting request, or the successor of a yielding poller,
 * takes e at the next preemption point. */
static bool
is_taken_at_point(const struct sim *sim, const struct hw_engine *e)
{
	const struct port *port = port_of(sim, e);
	const struct request *rq = e->running;

	return port_preempts(priolist_top(&port->waiting), rq) ||
	    (port->yields != NULL &&
		port_successor(port, rq->ring, rq->priority) != NULL);
}

/* Returns the next time, before its end, at which e, whose batch runs, needs a
 * decision; NSEC_NEVER: none. The end usually comes first, and is a decision
 * anyway. */
static nsec
next_decision(const struct sim *sim, const struct hw_engine *e)
{
	const struct request *rq = e->running;
	nsec slice_end = slice_is_running(sim, e) ? port_of(sim, e)->slice_end
						  : NSEC_NEVER;
	nsec pulse = pulse_turn_at(sim, e),
	     from = nsec_earlier(slice_end, pulse);
	bool taken = is_taken_at_point(sim, e);
	nsec next;

	if (!taken && from >= preempt_end(rq))
		return NSEC_NEVER;
	next = nsec_earlier(
	    timeout_from(sim, e, slice_end), timeout_from(sim, e, pulse));
	if (!preempt_is_possible(sim, rq))
		return next;
	if (taken)
		from = nsec_earlier(from, sim->now);
	if (from >= preempt_end(rq))
		return next;
	return nsec_earlier(
	    next, preempt_next_point(sim, rq, nsec_later(from, sim->now + 1)));
}

/* Programs from outside submit after the instant that they have waited for, and
 * yet in it: a slice that was dropped there goes on (doc/model/virtual.md "Virtual
 * time"). Returns false if there is none. */
static bool
slice_goes_on(struct sim *sim, const struct hw_engine *e)
{
	struct execlists *x = sim->sched_data;
	const struct port *port = port_of(sim, e);

	if (port->slice_of != e->running->ring ||
	    port->slice_dropped_ns != sim->now)
		return false;
	x->sliced |= e->bit;
	return true;
}

static void
update_slice(struct sim *sim, const struct hw_engine *e)
{
	bool contended = exec_is_running(e) && port_is_contended(e);

	if (!contended || e->knobs.timeslice_ns == 0) {
		if (slice_is_running(sim, e))
			port_of(sim, e)->slice_dropped_ns = sim->now;
		slice_drop(sim, e);
	} else if (!slice_is_running(sim, e) && !slice_goes_on(sim, e))
		slice_begin(sim, e);
}

/* Forgets the saturation of e when it idles ("Saturation"). */
static void
forget_saturation(struct sim *sim, const struct hw_engine *e)
{
	struct port *port = port_of(sim, e);

	if (port->saturated != 0 && e->running == NULL && e->queued == 0 &&
	    e->blocked == 0)
		port->saturated = 0;
}

static void
arm_point(struct sim *sim, const struct hw_engine *e)
{
	struct port *port = port_of(sim, e);
	nsec next = exec_is_running(e) ? next_decision(sim, e) : NSEC_NEVER;

	if (next != NSEC_NEVER && next >= preempt_end(e->running))
		next = NSEC_NEVER;
	if (next == port->point_ns)
		return;
	port->point_ns = next;
	event_disarm(&port->point);
	if (next != NSEC_NEVER)
		event_arm(&sim->events, &port->point, next);
}

/* Slices begin and are dropped only here, when all decisions of the instant are
 * made. */
void
execlists_instant_over(struct sim *sim)
{
	struct execlists *x = sim->sched_data;

	for (; x->changed != 0; x->changed &= x->changed - 1) {
		struct hw_engine *e =
		    &sim->device.engines[__builtin_ctzll(x->changed)];

		answer_pulse_at_point(sim, e);
		forget_saturation(sim, e);
		update_slice(sim, e);
		arm_preempt_timeout(sim, e);
		arm_point(sim, e);
	}
}

/* Causes an instant at the point; its steps make the decision. */
static void
on_decision_point(struct sim *sim, struct event *event)
{
	struct port *port = container_of(event, struct port, point);
	struct execlists *x = sim->sched_data;

	port->point_ns = NSEC_NEVER;
	ports_changed(x, (engine_mask)1 << (port - x->ports));
}

void
execlists_timer_init(struct execlists *x)
{
	for (unsigned i = 0; i < DEVICE_MAX_ENGINES; i++) {
		struct port *port = &x->ports[i];

		port->point.fire = on_decision_point;
		port->point_ns = NSEC_NEVER;
		port->wanted_ns = NSEC_NEVER;
		timer_init(&port->preempt_timeout, on_preemption_overdue);
	}
}

bool
execlists_ends(const struct sim *sim, const struct hw_engine *e)
{
	if (timer_is_set(&port_of(sim, e)->preempt_timeout))
		return true;
	return preempt_is_late_for_pulse(sim, e);
}
