/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scheduler guc (doc/model/guc.md, whose headings the comments quote): the
 * decisions of each instant. Queues take engines, give way to each other, and
 * start their requests. */
#include "engine/sched/guc.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/region.h"
#include "base/text.h"
#include "base/util.h"
#include "engine/gpu/exec.h"
#include "engine/instant.h"
#include "engine/sched/dependency.h"
#include "engine/sched/parallel.h"
#include "engine/sched/preempt.h"
#include "engine/sched/sched.h"
#include "engine/sim.h"

static bool
guc_accepts(
    const struct program *p, const struct profile *profile, struct text *err)
{
	for (uint32_t i = 0; i < p->n_contexts; i++) {
		if (!guc_ids_suffice(&p->contexts[i], profile, err))
			return false;
	}
	return true;
}

/* Causes an instant at the point; its steps make the decision. */
static void
on_preemption_point(struct sim *sim, struct event *event)
{
	struct guc *guc = sim->sched_data;
	struct guc_engine *engine = container_of(
	    event, struct guc_engine, point);

	engine->point_ns = NSEC_NEVER;
	guc_changed(guc, (engine_mask)1 << (engine - guc->engines));
}

static void *
guc_create(struct sim *sim)
{
	struct guc *guc = region_alloc(sim->region, 1, sizeof *guc);

	pool_init(
	    &guc->queues, sim->region, guc_queue_size(&sim->config.profile));
	pool_init(&guc->waits, sim->region, sizeof(struct guc_wait));
	guc_timer_init(guc);
	guc_tdr_init(sim, &guc->tdr);
	guc_ids_init(sim, &guc->ids);
	guc_ctb_init(sim, &guc->ctbs);
	guc_yield_init(sim, &guc->yield);
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		guc->engines[i].point.fire = on_preemption_point;
		guc->engines[i].point_ns = NSEC_NEVER;
	}
	return guc;
}

static bool
any_is_resetting(const struct sim *sim, engine_mask engines)
{
	for (; engines != 0; engines &= engines - 1) {
		if (sim->device.engines[guc_first(engines)].resetting)
			return true;
	}
	return false;
}

/* Takes queues off their engines that have nothing to run, or whose engine is
 * being reset. */
static void
leave_engines(struct sim *sim)
{
	struct guc *guc = sim->sched_data;

	for (engine_mask m = guc->between; m != 0; m &= m - 1) {
		struct guc_queue *q = guc->engines[guc_first(m)].owner;

		if (q->n_ready == 0 || any_is_resetting(sim, q->on))
			guc_queue_leave(sim, q);
	}
}

/* Starts the next request of a queue that is on an engine. */
static void
start_request(struct sim *sim, struct guc_queue *q, enum follows how)
{
	struct guc *guc = sim->sched_data;
	struct request *rq = q->ring->first;
	unsigned first = guc_first(q->on);

	guc->between &= ~((engine_mask)1 << first);
	guc_count_waiting(sim, rq, -1);
	guc_timer_starting(sim, q);
	if (q->is_parallel)
		parallel_take(sim, rq, (unsigned)q->last_set, how);
	else
		exec_take(sim, &sim->device.engines[first], rq, how);
}

/* Takes a queue, with its request, off all of its engines, for another. */
static void
evict_queue(struct sim *sim, struct guc_queue *q, const struct guc_queue *to,
    enum leaving why)
{
	struct hw_engine *e = &sim->device.engines[guc_first(q->on)];

	if (e->running != NULL)
		guc_count_waiting(
		    sim, exec_preempt(sim, e, why, to->ring->first), 1);
	q->off_ns = sim->now;
	guc_queue_leave(sim, q);
}

/* Returns the queue with the first place among those on the engines; NULL: all
 * are free. */
static struct guc_queue *
first_owner_of(const struct guc *guc, engine_mask engines)
{
	struct guc_queue *first = NULL;

	for (engine_mask m = engines & guc->owned; m != 0; m &= m - 1) {
		struct guc_queue *q = guc->engines[guc_first(m)].owner;

		if (first == NULL || q->place < first->place)
			first = q;
	}
	return first;
}

/* Evicts the queues on the engines, for another: several "in the order of their
 * old places". */
static void
vacate_engines(struct sim *sim, engine_mask engines, const struct guc_queue *to)
{
	struct guc_queue *q;

	while ((q = first_owner_of(sim->sched_data, engines)) != NULL)
		evict_queue(sim, q, to,
		    to->band > q->band ? LEAVING_PREEMPTED : LEAVING_SLICE);
}

/* Evicts queues from engines of RCS and CCS that are closed to them now. */
static void
close_engines(struct sim *sim)
{
	struct guc *guc = sim->sched_data;

	for (engine_mask m = guc->yield.all & guc->owned & guc->look; m != 0;
	     m &= m - 1) {
		unsigned i = guc_first(m);
		const struct hw_engine *e = &sim->device.engines[i];
		struct guc_queue *q = guc->engines[i].owner;
		const struct guc_queue *by = guc_closed_by(sim, guc, i, q);

		if (by != NULL &&
		    (e->running == NULL || preempt_is_at_point(sim, e)))
			evict_queue(sim, q, by, LEAVING_PREEMPTED);
	}
}

/* Gives engines to one waiting queue, or of a set those that it can have now.
 * False: no queue can take an engine. */
static bool
take_engine(struct sim *sim)
{
	struct guc_choice choice;

	if (!guc_choose(sim, &choice))
		return false;
	vacate_engines(sim, choice.engines, choice.queue);
	if (choice.holds)
		return true;
	guc_queue_enter(sim, choice.queue, choice.engines);
	start_request(sim, choice.queue, FOLLOWS_CHOICE);
	return true;
}

/* Starts the next request of the queue on engine i: a context with more in its
 * submitted tail goes on by itself (doc/model/execlists.md "Between two
 * batches"). */
static void
continue_queue(struct sim *sim, unsigned i)
{
	const struct hw_engine *e = &sim->device.engines[i];
	struct guc *guc = sim->sched_data;
	struct guc_queue *q = guc->engines[i].owner;

	start_request(
	    sim, q, exec_follows_ring(e, fence_time(&q->ring->first->queued)));
}

/* Makes one decision ("One instant"). Ready requests are handed over, and
 * queues with nothing to run leave. Then one waiting queue takes an engine; if
 * none can, the lowest engine whose queue is between two requests starts the
 * next one. */
static bool
guc_step(struct sim *sim)
{
	struct guc *guc = sim->sched_data;

	guc_hand_over(sim);
	leave_engines(sim);
	guc_register_ready(sim);
	if ((guc->yield.all & guc->look) != 0)
		close_engines(sim);
	if (take_engine(sim))
		return true;
	if (guc->between == 0)
		return false;
	continue_queue(sim, guc_first(guc->between));
	return true;
}

/* Prefetches the request that probably runs next. */
static void
prefetch_waitq(const struct sim *sim, const struct hw_engine *e)
{
	const struct guc *guc = sim->sched_data;
	const struct guc_wait *first = guc->engines[e->index].waitq.first;

	if (first != NULL)
		request_prefetch(first->queue->ring->first);
}

static void
guc_ended(struct sim *sim, struct hw_engine *e, struct request *rq)
{
	prefetch_waitq(sim, e);
	guc_queue_ended(sim, rq->ring->sched_data);
}

static void
guc_replay(struct sim *sim, struct hw_engine *e, struct request *rq)
{
	(void)e;
	guc_count_waiting(sim, rq, 1);
	guc_queue_leave(sim, rq->ring->sched_data);
}

/* Returns true if the first queue that waits for the engine can take it from
 * its owner at a later point. */
static bool
may_take_later(const struct sim *sim, unsigned i, const struct guc_wait *first)
{
	const struct guc *guc = sim->sched_data;

	return first != NULL &&
	    guc_wait_band(first) >= guc->engines[i].owner->band &&
	    guc_closed_by(sim, guc, i, first->queue) == NULL;
}

/* Returns the next preemption point, before the end of the batch, at which the
 * owner has to leave, or the first waiting queue can take the engine;
 * NSEC_NEVER: none. */
static nsec
next_preemption(struct sim *sim, unsigned i)
{
	struct guc *guc = sim->sched_data;
	const struct guc_queue *owner = guc->engines[i].owner;
	const struct guc_wait *first = guc->engines[i].waitq.first;
	const struct request *rq = sim->device.engines[i].running;
	nsec from = sim->now + 1;
	bool closed = guc_closed_by(sim, guc, i, owner) != NULL;

	if (!preempt_is_possible(sim, rq) ||
	    (!closed && !may_take_later(sim, i, first)))
		return NSEC_NEVER;
	if (!closed && guc_wait_band(first) == owner->band) {
		nsec end = guc_queue_used_up_at(sim, owner);

		from = end > from ? end : from;
	}
	if (from < preempt_end(rq))
		from = preempt_next_point(sim, rq, from);
	return from < preempt_end(rq) ? from : NSEC_NEVER;
}

static void
update_point(struct sim *sim, unsigned i)
{
	struct guc *guc = sim->sched_data;
	struct guc_engine *engine = &guc->engines[i];
	bool runs = exec_is_running(&sim->device.engines[i]);
	nsec next = runs ? next_preemption(sim, i) : NSEC_NEVER;

	/* The batch begins later, or the engine is being reset: examine it
	 * again. */
	if (!runs && (engine->owner != NULL || engine->waitq.first != NULL))
		guc_changed(guc, (engine_mask)1 << i);
	if (next == engine->point_ns)
		return;
	engine->point_ns = next;
	event_disarm(&engine->point);
	if (next != NSEC_NEVER)
		event_arm(&sim->events, &engine->point, next);
}

static void
guc_instant_over(struct sim *sim)
{
	struct guc *guc = sim->sched_data;
	engine_mask changed = guc->changed;
	bool yields = (changed & guc->yield.all) != 0;

	guc->changed = guc->look = 0;
	for (; changed != 0; changed &= changed - 1) {
		guc_timer_update(sim, guc_first(changed));
		update_point(sim, guc_first(changed));
	}
	if (yields)
		guc_yield_update(sim);
}

/* The times of its preemption points and of its end have changed. */
static void
guc_paced(struct sim *sim, struct hw_engine *e)
{
	guc_changed(sim->sched_data, e->bit);
}

static void
guc_ring_closed(struct sim *sim, struct ring *ring)
{
	struct guc *guc = sim->sched_data;

	guc_ids_close(sim, ring->sched_data);
	pool_put(&guc->queues, ring->sched_data);
	ring->sched_data = NULL;
}

/* Returns true if all engines that the queue may take are closed to it. */
static bool
all_engines_closed(const struct sim *sim, const struct guc_queue *q)
{
	const struct guc *guc = sim->sched_data;

	for (engine_mask m = q->ring->first->allowed; m != 0; m &= m - 1) {
		if (guc_closed_by(sim, guc, guc_first(m), q) == NULL)
			return false;
	}
	return true;
}

/* A request behind one that is held on the same ring is held for the same
 * reason. */
static const char *
guc_why_held(const struct sim *sim, const struct request *rq)
{
	const struct guc_queue *q = rq->ring->sched_data;

	if (guc_ctb_holds(sim, q, rq))
		return "which waits for room in GuC's message buffer";
	if (q->state == GUC_WAITING && all_engines_closed(sim, q))
		return "which may not run while the other class of RCS and "
		       "CCS goes first";
	if (q->state != GUC_REGISTERING)
		return NULL;
	return q->id_state == GUC_ID_WANTED
	    ? "which waits for a GuC context id"
	    : "which is being registered with GuC";
}

const struct guc_counters *
sched_guc_counters(const struct sim *sim)
{
	const struct guc *guc = sim->sched_data;

	return sim->config.sched == &sched_guc ? &guc->ids.counters : NULL;
}

const struct sched_ops sched_guc = {
    .name = "guc",
    .takes_turns = true,
    .three_levels = true,
    .takes_parallel = true,
    .one_class = true,
    .summary = "the DRM scheduler before GuC: bands, quanta, parallel slots",
    .propagates_errors = true,
    .stops_at_points = true,
    .heartbeat_resets_all = true,
    .firmware_timers = true,
    .accepts = guc_accepts,
    .create = guc_create,
    .depends = guc_depends,
    .ready = guc_ready,
    .step = guc_step,
    .replay = guc_replay,
    .paced = guc_paced,
    .pulse = guc_timer_pulse,
    .ends = guc_timer_ends,
    .ended = guc_ended,
    .instant_over = guc_instant_over,
    .ring_killed = guc_ring_killed,
    .ring_closed = guc_ring_closed,
    .limits_foreign = true,
    .set_watchdog = guc_set_watchdog,
    .why_held = guc_why_held,
    .inherits = true,
    .inherits_through_started = true,
#ifdef GPUWL_INVARIANTS
    .may_idle = guc_may_idle,
    .check = guc_check,
#endif
};
