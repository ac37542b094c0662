/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Execution on engines: what switching to a request costs; how a request that
 * ended is retired, that is accounted for to its ring, context and client; and
 * how batches begin, are preempted, and end.
 */
#include "engine/gpu/exec.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>

#include "base/util.h"
#include "engine/client/outside.h"
#include "engine/client/walker_run.h"
#include "engine/gpu/pace.h"
#include "engine/hang/timeouts.h"
#include "engine/invariants/invariants.h"
#include "engine/sim.h"

static nsec
completion_ns(const struct profile *profile, enum follows how)
{
	switch (how) {
	case FOLLOWS_RING: return profile_same_ring_ns(profile);
	case FOLLOWS_PORT: return profile_next_port_ns(profile);
	default: return profile->completion_ns;
	}
}

/* Returns true if e must be woken (doc/model/sharing.md "First batch after
 * idle"). */
static bool
is_asleep(const struct sim *sim, const struct hw_engine *e)
{
	nsec idle = sim->now - e->last_end_ns;

	return e->last == NULL ||
	    (idle > 0 && idle >= sim->config.profile.wake_after_ns);
}

/* Returns the delays of putting rq on e now, and sets the slice mask. */
static struct switching
switch_to(const struct sim *sim, struct hw_engine *e, const struct request *rq,
    enum follows how)
{
	const struct profile *profile = &sim->config.profile;
	const struct context *context = rq->context;
	nsec done = e->last_end_ns + completion_ns(profile, how);
	struct switching cost = {0};

	/* The engine takes some time after an end. */
	if (e->batches > 0 && done > sim->now)
		cost.completion = done - sim->now;
	if (profile->wake_ns > 0 && is_asleep(sim, e))
		cost.wake = profile->wake_ns;
	if (e->last != context)
		cost.context = profile_switch_ns(profile, e->class);
	if (e->class == CLASS_RCS || e->class == CLASS_CCS) {
		uint32_t sseu = rq->ring->sseu != 0 ? rq->ring->sseu
						    : context->sseu;

		if (e->last_sseu != 0 && e->last_sseu != sseu)
			cost.sseu = profile->sseu_ns;
		e->last_sseu = sseu;
	}
	return cost;
}

/* Retirement. */

/* Adds the latency, and the queue wait if it started, to the histograms. */
static void
count_times(struct request *rq, nsec now)
{
	struct histogram *times = &rq->context->times;

	histogram_add(times, LATENCY, now - rq->submit_ns);
	if (rq->scheduled.error == 0)
		histogram_add(
		    times, QUEUE_WAIT, rq->scheduled.time - rq->queued.time);
}

/* Takes rq off its ring, on which only the first row of a parallel step is. A
 * client that waits for room resumes when half of the ring is free. */
static void
leave_ring(struct sim *sim, struct request *rq)
{
	struct ring *ring = rq->ring;

	if (rq->row > 0)
		return;
	assert(ring->first == rq);
	ring->first = rq->next_of_ring;
	if (rq->origin.instance != NULL)
		iterations_ended(rq->client->walker, rq);
	ring->in_flight--;
	if (ring->drain && ring->in_flight <= ring->room / 2) {
		ring->drain = false;
		observers_notify(sim, woken, rq->client, rq);
		if (rq->client->walker != NULL)
			cpu_wake(rq->client->walker);
		else
			outside_has_room(rq);
	}
}

/* Accounts for the end of rq to its ring, context and client. A client that
 * drains becomes runnable after its last request. */
static void
account_end(struct sim *sim, struct request *rq)
{
	struct client *client = rq->client;
	struct context *context = rq->context;

	count_times(rq, sim->now);
	leave_ring(sim, rq);
	if (--context->in_flight == 0 && context->closed)
		outside_context_is_idle(context);
	client->in_flight--;
	context->batches++;
	client->batches++;
	sim->n_ended_requests++;
	sim->progress += !rq->background;
	if (client->state == CLIENT_DRAINING && client->in_flight == 0) {
		observers_notify(sim, woken, client, rq);
		runnable_add(sim, client);
	}
}

static void
notify_end(struct sim *sim, struct request *rq)
{
	sim->n_errors += rq->error != 0;
	observers_notify(sim, ended, rq);
}

static void
retire_row(struct sim *sim, struct request *rq)
{
	rq->state = REQUEST_ENDED;
	if (rq->gave_up)
		request_set_error(rq, -ETIMEDOUT);
	fence_signal(&rq->finished, sim->now, rq->error);
	watchdog_ended(sim, rq);
	account_end(sim, rq);
	notify_end(sim, rq);
	invariants_ended(sim, rq);
	waiter_release_all(&sim->waiters, &rq->waits);
	if (rq->origin.instance != NULL)
		instance_leave(rq);
	else
		outside_ended(sim, rq);
	request_release(sim, rq);
}

/* Retires all rows of a parallel step, in order. */
static void
retire_rows(struct sim *sim, struct request *rq)
{
	while (rq != NULL) {
		struct request *next = rq->next_row;

		retire_row(sim, rq);
		rq = next;
	}
}

/* Execution. */

/* Accounts for the polling of the request on e, which begins or leaves. */
static void
account_polling(struct sim *sim, struct hw_engine *e)
{
	struct context *context = e->running->context;
	nsec polled = hw_engine_poll_over(e, sim->now);

	if (polled > 0)
		context->sema_ns = nsec_total(context->sema_ns, polled);
}

/* Accounts for the time in which the batch on e, which leaves, polled memory,
 * and returns it. */
static OUTSIDE_COLD nsec
account_memory_polling(struct sim *sim, struct hw_engine *e)
{
	struct context *context = e->running->context;
	nsec polled = hw_engine_batch_polled(e, sim->now);

	context->sema_ns = nsec_total(context->sema_ns, polled);
	return polled;
}

/* Accounts for the piece of the batch on e, which has begun and leaves. */
static void
account_run(struct sim *sim, struct hw_engine *e)
{
	struct request *rq = e->running;
	nsec ran = sim->now - rq->piece_ns;

	rq->run_ns += ran;
	if (__builtin_expect(hw_engine_has_polled(e), 0))
		ran -= account_memory_polling(sim, e);
	e->run_ns += ran;
	rq->context->run_ns[e->index] += ran;
	pace_account(rq, sim->now);
	pace_end_piece(sim, e);
	rq->piece_ns = NSEC_NEVER;
}

/* Takes the request off e and accounts for the time that it held e and ran. why
 * and by are for observers. */
static struct request *
leave_engine(struct sim *sim, struct hw_engine *e, enum leaving why,
    const struct request *by)
{
	struct request *rq = e->running;
	nsec held = sim->now > e->busy_since ? sim->now - e->busy_since : 0;

	event_disarm(&e->event);
	event_disarm(&e->timeout_event);
	if (rq->piece_ns != NSEC_NEVER)
		account_run(sim, e);
	else
		account_polling(sim, e);
	device_set_running(&sim->device, e, NULL);
	e->last_end_ns = sim->now;
	e->busy_ns += held;
	rq->context->busy_ns = nsec_total(rq->context->busy_ns, held);
	rq->client->busy_ns = nsec_total(rq->client->busy_ns, held);
	observers_notify(sim, left, e, rq, why, by);
	return rq;
}

/* Ends the request on e; of a parallel step, all rows. */
static void
end_batch(struct sim *sim, struct hw_engine *e)
{
	struct request *rq = request_first_row(e->running);

	for (struct request *row = rq; row != NULL; row = row->next_row) {
		leave_engine(sim, row->engine, LEAVING_ENDED, NULL);
		row->engine->batches++;
	}
	if (sim->config.sched->ended != NULL)
		sim->config.sched->ended(sim, rq->engine, rq);
	retire_rows(sim, rq);
}

/* Sets the work of rq and of the rows after it to duration, ns in all. */
static void
set_work(struct request *rq, nsec duration)
{
	for (; rq != NULL; rq = rq->next_row) {
		rq->infinite = false;
		rq->duration_ns = duration;
	}
}

static void
set_infinite(struct request *rq)
{
	for (; rq != NULL; rq = rq->next_row) {
		rq->infinite = true;
		rq->duration_ns = NSEC_NEVER;
	}
}

/* Lets the owner of rq, which asks, say how its batch goes on
 * (doc/model/outside.md "Instalments"). */
static void
ask_owner(const struct sim *sim, struct request *rq)
{
	nsec more = outside_duration(rq);

	rq->asked = true;
	rq->asks = more > 0;
	if (more == NSEC_NEVER)
		set_infinite(rq);
	else
		set_work(rq, nsec_after(pace_done(rq, sim->now), more));
}

/* Returns for how long infinite batches may run; 0: without limit. */
static nsec
hang_limit(const struct sim *sim)
{
	return sim->config.sched->hang_timeout ? sim->config.profile.hang_ns
					       : 0;
}

/* Lets the batch on e, which asks and has done its work, go on or end. */
static __attribute__((cold, noinline)) void
go_on(struct sim *sim, struct hw_engine *e)
{
	struct request *rq = e->running;

	ask_owner(sim, rq);
	if (!rq->asks) {
		end_batch(sim, e);
		return;
	}
	if (!rq->infinite) {
		sim->progress += !rq->background;
		exec_set_end(sim, e);
	} else if (hang_limit(sim) > 0) {
		exec_set_timeout(
		    sim, e, nsec_after(sim->now, hang_limit(sim)), HANG_BATCH);
	}
	/* Its preemption points may be others from now on. */
	if (sim->config.sched->paced != NULL)
		sim->config.sched->paced(sim, e);
}

static void
on_end(struct sim *sim, struct event *event)
{
	struct hw_engine *e = container_of(event, struct hw_engine, event);
	const struct request *rq = e->running;

	if (__builtin_expect(rq->asks, 0) && rq->error == 0)
		go_on(sim, e);
	else
		end_batch(sim, e);
}

static void
first_begin(struct sim *sim, struct request *rq)
{
	if (sim->config.sched->takes_bonds && rq->origin.instance != NULL)
		instance_started(rq, rq->engine);
	observers_notify(sim, started, rq);
	fence_signal(&rq->scheduled, sim->now, 0);
	if (rq->origin.instance == NULL)
		outside_started(rq);
}

/* Begins or resumes the batch on e, and those of the rows after it, which end
 * with it. */
static void
begin_batch(struct sim *sim, struct hw_engine *e)
{
	struct request *rq = e->running;
	nsec hang = hang_limit(sim);

	invariants_begin(sim, e);
	e->event.fire = on_end;
	if (rq->error != 0)
		set_work(rq, rq->work_ns);
	else if (rq->asks && (!rq->asked || rq->infinite))
		ask_owner(sim, rq);
	if (!rq->infinite) {
		sim->progress += !rq->background;
		event_arm(&sim->events, &e->event,
		    nsec_after(sim->now, rq->duration_ns - rq->work_ns));
	} else if (hang > 0) {
		exec_set_timeout(
		    sim, e, sim->now + (hang - rq->run_ns), HANG_BATCH);
	}
	for (; rq != NULL; rq = rq->next_row) {
		account_polling(sim, rq->engine);
		rq->piece_ns = sim->now;
		pace_begin(sim, rq->engine);
		observers_notify(sim, began, rq);
		if (!fence_signalled(&rq->scheduled))
			first_begin(sim, rq);
	}
}

/* Otherwise the request polls until exec_begin(). */
static void
begin_unless_polling(struct sim *sim, struct hw_engine *e)
{
	if (e->running->n_unended == 0)
		begin_batch(sim, e);
}

static void
on_begin(struct sim *sim, struct event *event)
{
	struct hw_engine *e = container_of(event, struct hw_engine, event);

	begin_unless_polling(sim, e);
	if (sim->config.sched->began != NULL)
		sim->config.sched->began(sim, e);
}

void
exec_init(struct hw_engine *e)
{
	e->event.fire = on_begin;
}

/* Gives e to rq. Returns when its batch could begin there. */
static nsec
occupy_engine(
    struct sim *sim, struct hw_engine *e, struct request *rq, enum follows how)
{
	struct switching cost = switch_to(sim, e, rq, how);
	nsec switched = sim->now + cost.completion + cost.wake + cost.context +
	    cost.sseu;

	if (e->last != rq->context)
		e->switches++;
	if (rq->is_virtual)
		rq->ring->last_engine = (int8_t)e->index;
	e->last = rq->context;
	device_set_running(&sim->device, e, rq);
	e->busy_since = sim->now + cost.completion;
	e->sema_since = switched;
	e->sseu_cost = cost.sseu;
	rq->engine = e;
	rq->state = REQUEST_RUNNING;
	histogram_prefetch(&rq->context->times);
	observers_notify(sim, took, e, rq, cost);
	return switched;
}

static void
begin_at(struct sim *sim, struct hw_engine *e, nsec time)
{
	if (time > sim->now) {
		e->event.fire = on_begin;
		event_arm(&sim->events, &e->event, time);
	} else {
		begin_unless_polling(sim, e);
	}
}

enum follows
exec_follows_ring(const struct hw_engine *e, nsec since)
{
	return since < e->last_end_ns ? FOLLOWS_RING : FOLLOWS_CHOICE;
}

void
exec_take(
    struct sim *sim, struct hw_engine *e, struct request *rq, enum follows how)
{
	begin_at(sim, e, occupy_engine(sim, e, rq, how));
}

void
exec_take_rows(struct sim *sim, struct hw_engine *const *engines,
    struct request *rq, enum follows how)
{
	nsec last = 0;
	unsigned i = 0;

	for (struct request *row = rq; row != NULL; row = row->next_row) {
		nsec time = occupy_engine(sim, engines[i++], row, how);

		last = time > last ? time : last;
	}
	begin_at(sim, engines[0], last);
}

void
exec_begin(struct sim *sim, struct hw_engine *e)
{
	if (e->event.seq == 0) /* not switching */
		begin_batch(sim, e);
}

struct request *
exec_preempt(struct sim *sim, struct hw_engine *e, enum leaving why,
    const struct request *by)
{
	bool ran = exec_is_running(e);
	struct request *rq = leave_engine(sim, e, why, by);

	if (ran) {
		rq->preemptions++;
		e->preemptions++;
	}
	rq->state = REQUEST_READY;
	return rq;
}

struct request *
exec_rewind(struct sim *sim, struct hw_engine *e)
{
	bool ran = exec_is_running(e);
	struct request *rq = request_first_row(e->running);

	for (struct request *row = rq; row != NULL; row = row->next_row) {
		leave_engine(sim, row->engine, LEAVING_RESET, NULL);
		if (ran)
			row->run_ns = row->work_ns = 0;
		row->state = REQUEST_READY;
	}
	if (ran && rq->asks && rq->error == 0) {
		rq->asked = false;
		set_infinite(rq);
	}
	return rq;
}

void
exec_end(struct sim *sim, struct hw_engine *e, int error)
{
	struct request *rq = request_first_row(e->running);

	request_set_error(rq, error);
	for (struct request *row = rq; row != NULL; row = row->next_row) {
		if (!fence_signalled(&row->scheduled))
			first_begin(sim, row);
	}
	end_batch(sim, e);
}

void
exec_set_timeout(
    struct sim *sim, struct hw_engine *e, nsec time, enum hang_cause cause)
{
	e->timeout_cause = (uint8_t)cause;
	event_arm(&sim->events, &e->timeout_event, time);
}

bool
exec_is_running(const struct hw_engine *e)
{
	return e->running != NULL && e->running->piece_ns != NSEC_NEVER;
}

void
exec_terminate(struct sim *sim, struct request *rq, nsec more)
{
	struct hw_engine *e = rq->engine;

	if (!rq->infinite || rq->asks != rq->asked)
		return;
	rq->terminated = !rq->asks;
	/* Only finite rows have work left. */
	set_work(rq,
	    nsec_later(
		nsec_after(pace_done(rq, sim->now), more), rq->finite_ns));
	if (rq->piece_ns == NSEC_NEVER)
		return;
	event_disarm(&e->timeout_event);
	exec_set_end(sim, e);
}

void
exec_set_end(struct sim *sim, struct hw_engine *e)
{
	event_disarm(&e->event);
	/* The work may have been done some ns ago. */
	event_arm(&sim->events, &e->event,
	    nsec_later(pace_end(e->running), sim->now));
}

void
exec_fail_at(struct sim *sim, struct request *rq, int error, nsec time)
{
	struct hw_engine *e;

	rq = request_first_row(rq);
	e = rq->engine;
	request_set_error(rq, error);
	if (time == NSEC_NEVER)
		return;
	set_work(rq, pace_done(rq, time));
	event_disarm(&e->timeout_event);
	exec_set_end(sim, e);
}

void
exec_cancel(struct sim *sim, struct request *rq, int error)
{
	request_fail(rq, error);
	for (struct request *row = rq; row != NULL; row = row->next_row)
		fence_signal(&row->scheduled, sim->now, row->error);
	retire_rows(sim, rq);
}

void
exec_refuse(struct sim *sim, struct request *rq, int error)
{
	request_fail(rq, error);
	while (rq != NULL) {
		struct request *next = rq->next_row;

		rq->state = REQUEST_ENDED;
		rq->engine = NULL;
		fence_signal(&rq->queued, sim->now, 0);
		fence_signal(&rq->scheduled, sim->now, error);
		fence_signal(&rq->finished, sim->now, error);
		notify_end(sim, rq);
		if (rq->origin.instance == NULL)
			outside_release(sim, rq);
		request_release(sim, rq);
		rq = next;
	}
}
