/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timeouts of guc: of the scheduler in front, for i915 and Xe; of preemption;
 * and the turns of heartbeat pulses. */
#include "engine/sched/guc.h"

#include <errno.h>
#include <stddef.h>

#include "base/util.h"
#include "engine/client/client.h"
#include "engine/client/origin.h"
#include "engine/event.h"
#include "engine/gpu/exec.h"
#include "engine/hang/hang.h"
#include "engine/hang/timeouts.h"
#include "engine/sched/parallel.h"
#include "engine/sched/preempt.h"
#include "engine/sim.h"

/* guc_exec_queue_timedout_job, check_timeout (xe_guc_submit.c): timeouts that a
 * job may not have begun, and 5 % less run time, which GuC needs. */
#define XE_STRIKES   2
#define XE_TOLERANCE 21 /* 1 - 1 / 1.05 = 1 / 21 */

static struct guc_tdr *
tdr_of(const struct sim *sim)
{
	return &((struct guc *)sim->sched_data)->tdr;
}

static nsec
expiry_of(
    const struct sim *sim, const struct guc_tdr *tdr, const struct guc_queue *q)
{
	return jiffies_expiry(
	    &sim->config.profile, q->tdr.since + tdr->timeout);
}

static void
tdr_watch_first(struct sim *sim, struct guc_tdr *tdr)
{
	timer_set(&sim->events, &tdr->timer,
	    tdr->first != NULL
		? nsec_later(sim->now, expiry_of(sim, tdr, tdr->first))
		: NSEC_NEVER);
}

static void
tdr_remove(struct guc_tdr *tdr, struct guc_queue *q)
{
	if (q->tdr.prev != NULL)
		q->tdr.prev->tdr.next = q->tdr.next;
	else
		tdr->first = q->tdr.next;
	if (q->tdr.next != NULL)
		q->tdr.next->tdr.prev = q->tdr.prev;
	else
		tdr->last = q->tdr.prev;
	q->tdr.prev = q->tdr.next = NULL;
}

static void
tdr_append(struct sim *sim, struct guc_tdr *tdr, struct guc_queue *q)
{
	q->tdr.since = sim->now;
	q->tdr.prev = tdr->last;
	if (tdr->last != NULL)
		tdr->last->tdr.next = q;
	else
		tdr->first = q;
	tdr->last = q;
}

static void
ban_queue(struct sim *sim, struct guc_queue *q)
{
	q->banned = true;
	for (struct request *rq = q->ring->first; rq != NULL;
	     rq = rq->next_of_ring)
		revoke_request(sim, rq, -ECANCELED, REVOKE_GRACE, HANG_JOB);
}

/* Returns true if the queue's oldest job has run for the timeout, or has had
 * its chances to begin. */
static bool
job_is_over_time(const struct sim *sim, nsec timeout, struct guc_queue *q)
{
	const struct request *rq = q->ring->first;
	nsec ran = rq->run_ns;

	if (!fence_signalled(&rq->scheduled))
		return ++q->tdr.strikes > XE_STRIKES;
	if (rq->piece_ns != NSEC_NEVER)
		ran += sim->now - rq->piece_ns;
	return ran >= timeout - timeout / XE_TOLERANCE;
}

/* Xe: bans the queue if its oldest job is over time; else returns false, and it
 * gets as long again. */
static bool
job_timed_out(struct sim *sim, const struct guc_tdr *tdr, struct guc_queue *q)
{
	struct request *rq = q->ring->first;

	if (!job_is_over_time(sim, tdr->timeout, q))
		return false;
	sim->n_timed_out++;
	observers_notify(sim, timed_out, rq);
	revoke_request(sim, rq, -ETIME,
	    preempt_timeout(sim, &sim->device.engines[guc_first(rq->allowed)]),
	    HANG_JOB);
	ban_queue(sim, q);
	return true;
}

static void
on_tdr_expiry(struct sim *sim, struct timer *timer)
{
	struct guc_tdr *tdr = tdr_of(sim);
	struct guc_queue *q;

	(void)timer;
	while ((q = tdr->first) != NULL && expiry_of(sim, tdr, q) <= sim->now) {
		tdr_remove(tdr, q);
		if (!sim->config.profile.xe)
			revoke_timed_out(sim, q->ring->first);
		else if (!job_timed_out(sim, tdr, q))
			tdr_append(sim, tdr, q);
	}
	tdr_watch_first(sim, tdr);
}

nsec
guc_tdr_timeout(const struct profile *profile)
{
	if (!profile->xe)
		return profile->request_timeout_ns;
	return profile->guc_long_running ? 0 : profile->job_timeout_ns;
}

void
guc_tdr_init(struct sim *sim, struct guc_tdr *tdr)
{
	tdr->timeout = guc_tdr_timeout(&sim->config.profile);
	timer_init(&tdr->timer, on_tdr_expiry);
}

void
guc_set_watchdog(struct sim *sim, nsec timeout)
{
	struct guc_tdr *tdr = tdr_of(sim);

	if (sim->config.profile.xe)
		return;
	tdr->timeout = timeout;
	while (timeout == 0 && tdr->first != NULL)
		tdr_remove(tdr, tdr->first);
	tdr_watch_first(sim, tdr);
}

void
guc_tdr_begin(struct sim *sim, struct guc_queue *q)
{
	struct guc_tdr *tdr = tdr_of(sim);

	if (tdr->timeout == 0)
		return;
	q->tdr.strikes = 0;
	tdr_append(sim, tdr, q);
	if (tdr->first == q)
		tdr_watch_first(sim, tdr);
}

void
guc_tdr_end(struct sim *sim, struct guc_queue *q)
{
	struct guc_tdr *tdr = tdr_of(sim);
	bool first = tdr->first == q;

	if (tdr->timeout == 0 || (!first && q->tdr.prev == NULL))
		return; /* it has expired */
	tdr_remove(tdr, q);
	if (first)
		tdr_watch_first(sim, tdr);
}

/* Preempt timeouts and heartbeat pulses. */

static struct guc_engine *
guc_engine_of(const struct sim *sim, const struct hw_engine *e)
{
	struct guc *guc = sim->sched_data;

	return &guc->engines[e->index];
}

static int
pulse_band(const struct hw_engine *e)
{
	static const int8_t bands[] = {
	    [PULSE_MIN] = -1,
	    [PULSE_NORMAL] = 0,
	    [PULSE_HIGH] = 1,
	    [PULSE_BARRIER] = 2, /* KMD_HIGH */
	};

	return bands[e->heartbeat.pulse];
}

/* Returns from when on the pulse that waits for e is before the requests of q
 * there; NSEC_NEVER: not while q stays, or there is no pulse. */
static nsec
guc_pulse_due(
    const struct sim *sim, const struct hw_engine *e, const struct guc_queue *q)
{
	int band;

	if (e->heartbeat.pulse == PULSE_NONE)
		return NSEC_NEVER;
	band = pulse_band(e);
	if (band != q->band)
		return band > q->band ? sim->now : NSEC_NEVER;
	if (guc_engine_of(sim, e)->pulse_place < q->place)
		return sim->now;
	return guc_queue_used_up_at(sim, q);
}

void
guc_timer_pulse(struct sim *sim, struct hw_engine *e)
{
	struct guc *guc = sim->sched_data;

	guc_engine_of(sim, e)->pulse_place = ++guc->last_place;
	guc_changed(guc, e->bit);
}

void
guc_timer_starting(struct sim *sim, const struct guc_queue *q)
{
	for (engine_mask m = q->on; m != 0; m &= m - 1) {
		struct hw_engine *e = &sim->device.engines[guc_first(m)];

		if (guc_pulse_due(sim, e, q) <= sim->now)
			heartbeat_answered(e);
	}
}

/* Answers the pulse if the batch on e is at a preemption point. */
static void
answer_guc_pulse(struct sim *sim, struct hw_engine *e)
{
	if (preempt_is_at_point(sim, e) &&
	    guc_pulse_due(sim, e, guc_engine_of(sim, e)->owner) <= sim->now)
		heartbeat_answered(e);
}

/* Returns true if q does not wait for e only: another engine that it may take
 * is free or being reset, or it holds engines of another set. */
static bool
has_other_engine(
    const struct sim *sim, const struct hw_engine *e, const struct guc_queue *q)
{
	const struct guc *guc = sim->sched_data;
	const struct request *rq;
	engine_mask bit = e->bit, others;

	if (!q->is_parallel && q->waits->next_of_queue == NULL)
		return false; /* the common case: it waits for e only */
	rq = q->ring->first;
	if (q->is_parallel)
		return q->held_set >= 0 &&
		    (parallel_set(request_slot(rq), (unsigned)q->held_set) &
			bit) == 0;
	others = rq->allowed & ~bit & ~guc->held;
	for (; others != 0; others &= others - 1) {
		if (sim->device.engines[guc_first(others)].running == NULL)
			return true;
	}
	return false;
}

/* Returns from when on the request on e has to leave it, if nothing changes;
 * NSEC_NEVER: it may stay. */
static nsec
eviction_due(const struct sim *sim, const struct hw_engine *e)
{
	const struct guc_engine *engine = guc_engine_of(sim, e);
	const struct guc_queue *owner = engine->owner, *q;
	nsec at;

	if (e->running == NULL)
		return NSEC_NEVER;
	if (guc_closed_by(sim, sim->sched_data, e->index, owner) != NULL)
		return sim->now;
	at = guc_pulse_due(sim, e, owner);
	if (engine->waitq.first == NULL)
		return at;
	q = engine->waitq.first->queue;
	if (q->band < owner->band || has_other_engine(sim, e, q) ||
	    guc_closed_by(sim, sim->sched_data, e->index, q) != NULL)
		return at;
	if (q->band > owner->band)
		return sim->now;
	return nsec_earlier(at, guc_queue_used_up_at(sim, owner));
}

static void
watch_eviction(struct sim *sim, struct hw_engine *e)
{
	struct guc_engine *engine = guc_engine_of(sim, e);
	nsec timeout = preempt_timeout(sim, e);
	nsec at, due = NSEC_NEVER;

	if (timeout == 0 && !timer_is_set(&engine->preempt_timeout))
		return;
	at = timeout > 0 ? eviction_due(sim, e) : NSEC_NEVER;
	if (at == NSEC_NEVER) {
		engine->wanted_ns = NSEC_NEVER;
	} else {
		if (engine->wanted_ns > sim->now ||
		    engine->wanted_of != e->running->seq)
			engine->wanted_ns = at;
		engine->wanted_of = e->running->seq;
		due = nsec_later(engine->wanted_ns + timeout, sim->now);
		if (preempt_releases(sim, e, engine->wanted_ns, due))
			due = NSEC_NEVER;
	}
	timer_set(&sim->events, &engine->preempt_timeout, due);
}

static void
on_guc_preempt_timeout(struct sim *sim, struct timer *timer)
{
	struct guc *guc = sim->sched_data;
	struct guc_engine *engine = container_of(
	    timer, struct guc_engine, preempt_timeout);
	struct hw_engine *e = &sim->device.engines[engine - guc->engines];
	struct guc_queue *q;
	bool started;

	guc_changed(guc, e->bit);
	if (eviction_due(sim, e) > sim->now ||
	    engine->wanted_of != e->running->seq) {
		engine->wanted_ns = NSEC_NEVER;
		return;
	}
	started = fence_signalled(&e->running->scheduled);
	q = engine->owner;
	reset_with_guilt(sim, e, HANG_PREEMPTION, -EIO, started);
	if (started && sim->config.profile.xe)
		ban_queue(sim, q);
}

/* Sets the timer of the next point at which the pulse has its turn. */
static void
watch_pulse(struct sim *sim, struct hw_engine *e)
{
	struct guc_engine *engine = guc_engine_of(sim, e);
	const struct request *rq = e->running;
	nsec next = NSEC_NEVER;

	if (exec_is_running(e) && preempt_is_possible(sim, rq))
		next = guc_pulse_due(sim, e, engine->owner);
	if (next != NSEC_NEVER)
		next = preempt_next_point(
		    sim, rq, nsec_later(next, sim->now + 1));
	timer_set(&sim->events, &engine->pulse_point, next);
}

/* Causes an instant at the point, at whose end the pulse is answered. */
static void
on_pulse_point(struct sim *sim, struct timer *timer)
{
	struct guc *guc = sim->sched_data;
	struct guc_engine *engine = container_of(
	    timer, struct guc_engine, pulse_point);

	guc_changed(guc, (engine_mask)1 << (engine - guc->engines));
}

void
guc_timer_init(struct guc *guc)
{
	for (unsigned i = 0; i < DEVICE_MAX_ENGINES; i++) {
		struct guc_engine *engine = &guc->engines[i];

		engine->wanted_ns = NSEC_NEVER;
		timer_init(&engine->preempt_timeout, on_guc_preempt_timeout);
		timer_init(&engine->pulse_point, on_pulse_point);
	}
}

void
guc_timer_update(struct sim *sim, unsigned i)
{
	struct hw_engine *e = &sim->device.engines[i];

	if (e->heartbeat.pulse != PULSE_NONE)
		answer_guc_pulse(sim, e);
	watch_eviction(sim, e);
	if (e->heartbeat.pulse != PULSE_NONE ||
	    timer_is_set(&guc_engine_of(sim, e)->pulse_point))
		watch_pulse(sim, e);
}

bool
guc_timer_ends(const struct sim *sim, const struct hw_engine *e)
{
	if (timer_is_set(&guc_engine_of(sim, e)->preempt_timeout) ||
	    guc_tdr_timeout(&sim->config.profile) > 0)
		return true;
	return preempt_is_late_for_pulse(sim, e);
}
