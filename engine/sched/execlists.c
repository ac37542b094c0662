/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scheduler execlists (doc/model/execlists.md, whose headings the comments
 * quote): the decisions of each instant. A virtual request is in the queue of
 * every sibling that it may take. */
#include "engine/sched/execlists.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/region.h"
#include "engine/gpu/exec.h"
#include "engine/hang/timeouts.h"
#include "engine/instant.h"
#include "engine/invariants/invariants.h"
#include "engine/sched/dependency.h"
#include "engine/sched/preempt.h"
#include "engine/sched/priolist.h"
#include "engine/sched/sched.h"
#include "engine/sim.h"

static void *
execlists_create(struct sim *sim)
{
	struct execlists *x = region_alloc(sim->region, 1, sizeof *x);

	x->commits = sim->config.profile.committed_port;
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct priolist *waiting = &x->ports[i].waiting;

		waiting->region = sim->region;
		waiting->virtual_first = sim->config.profile.virtual_tie;
		waiting->in_order = x->commits;
	}
	pool_init(&x->places, sim->region, sizeof(struct priolist_place));
	execlists_timer_init(x);
	return x;
}

/* Moves a raised request to its new level, if it waits ("Inheritance"). */
static void
on_raised(struct sim *sim, struct request *rq)
{
	if (rq->state == REQUEST_READY)
		execlists_note_raised(sim, rq);
	else if (rq->state == REQUEST_RUNNING)
		port_changed(sim, rq->engine);
}

/* Returns true if a dependency of rq inherits its priority. */
static bool
raises(const struct request *rq, const struct dependency *deps, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (deps[i].signaler->priority < rq->priority)
			return true;
	return false;
}

static void
execlists_depends(struct sim *sim, struct request *rq,
    const struct dependency *deps, size_t n)
{
	semaphore_waits(sim, rq, deps, n,
	    rq->is_virtual ? 0 : port_of(sim, rq->engine)->saturated);
	if (execlists_has_deferred(sim, ~(engine_mask)0) && raises(rq, deps, n))
		execlists_settle(sim, ~(engine_mask)0);
	dependency_raise(sim, rq, false, on_raised);
	execlists_move_raised(sim);
}

static void
execlists_ready(struct sim *sim, struct request *rq)
{
	rq->level_ns = sim->now;
	execlists_enqueue(sim, rq);
}

/* Returns true if a request of that priority may take e: if e is free, or when
 * preempting, if it preempts the one there now. */

static bool
may_take(
    struct sim *sim, const struct hw_engine *e, int priority, bool preempting)
{
	if (!preempting)
		return hw_engine_is_free(e);
	return e->running != NULL && port_preempts(priority, e->running) &&
	    port_is_at_point(sim, e);
}

/* Engines to examine, none of them free: those whose first waiting request
 * preempts; those where a slice is over or a request polls. */
struct chances {
	engine_mask preempted, acting;
};

static void
look_at_busy(struct sim *sim, const struct hw_engine *e, bool waited_for,
    struct chances *chances)
{
	const struct priolist *waiting = &port_of(sim, e)->waiting;
	bool preempted = waited_for &&
	    port_preempts(priolist_top(waiting), e->running);
	bool acting = !exec_is_running(e) || slice_is_over(sim, e);

	if ((!preempted && !acting) || !port_is_at_point(sim, e))
		return;
	if (preempted)
		chances->preempted |= e->bit;
	if (acting)
		chances->acting |= e->bit;
}

static struct chances
find_chances(struct sim *sim)
{
	const struct execlists *x = sim->sched_data;
	engine_mask engines = (x->waited_for | x->sliced | x->committed) &
	    x->look & ~sim->device.free;
	struct chances chances = {0};

	for (engine_mask m = engines; m != 0; m &= m - 1) {
		const struct hw_engine *e =
		    &sim->device.engines[__builtin_ctzll(m)];

		if (e->running != NULL)
			look_at_busy(
			    sim, e, (x->waited_for & e->bit) != 0, &chances);
	}
	return chances;
}

/* Returns the first of the requests that wait for these engines, each of which
 * has one. */
static struct request *
choose_waiting(struct sim *sim, engine_mask engines)
{
	struct execlists *x = sim->sched_data;
	struct request *best = NULL;

	if (execlists_has_deferred(sim, engines))
		execlists_settle_first(sim, engines);
	for (engine_mask m = engines; m != 0; m &= m - 1) {
		const struct priolist *waiting =
		    &x->ports[__builtin_ctzll(m)].waiting;
		struct request *rq = priolist_first(waiting);

		if (best == NULL || priolist_before(waiting, rq, best))
			best = rq;
	}
	return best;
}

/* Returns the engine that rq takes: of a virtual request the sibling that its
 * ring was on last, else the first that it may take ("Virtual engines"). */
static struct hw_engine *
choose_sibling(struct sim *sim, const struct request *rq, bool preempting)
{
	struct hw_engine *engines = sim->device.engines;
	int last = rq->ring->last_engine;

	if (!rq->is_virtual)
		return rq->engine;
	if (last >= 0 && (rq->allowed >> last & 1) &&
	    may_take(sim, &engines[last], rq->priority, preempting))
		return &engines[last];
	for (engine_mask m = rq->allowed;; m &= m - 1) {
		struct hw_engine *e = &engines[__builtin_ctzll(m)];

		if (may_take(sim, e, rq->priority, preempting))
			return e;
	}
}

/* Returns true if the ring still yields: it does so through batches that follow
 * each other directly ("Yielding"). */
static bool
still_yields(const struct sim *sim, const struct hw_engine *e,
    const struct port *port, const struct request *rq)
{
	return port->ended == rq->ring && e->last_end_ns == sim->now;
}

/* Returns how a chosen request follows the last ("Between two batches"). */
static enum follows
follows_how(const struct port *port, const struct hw_engine *e,
    const struct request *rq)
{
	return port->ended == rq->ring
	    ? exec_follows_ring(e, fence_time(&rq->queued))
	    : FOLLOWS_CHOICE;
}

static void
give_engine(
    struct sim *sim, struct hw_engine *e, struct request *rq, enum follows how)
{
	struct port *port = port_of(sim, e);

	if (port->yields != NULL && !still_yields(sim, e, port, rq))
		port->yields = NULL;
	execlists_dequeue(sim, rq);
	if (port->slice_of != rq->ring)
		slice_drop(sim, e);
	/* A pulse that the request does not outrank has had its turn before it. */
	if (heartbeat_priority(e) >= rq->priority)
		heartbeat_answered(e);
	exec_take(sim, e, rq, how);
	port->ended = NULL;
}

/* Gives e to a waiting request. */
static void
take_from_queue(struct sim *sim, struct hw_engine *e, struct request *rq)
{
	struct port *port = port_of(sim, e);

	port_learn_saturation(sim, port, rq);
	give_engine(sim, e, rq, follows_how(port, e, rq));
}

/* Puts the request on e to the tail of its level, and f on e. */
static void
rotate(struct sim *sim, struct hw_engine *e, struct request *f)
{
	struct request *rq = e->running;

	exec_preempt(
	    sim, e, exec_is_running(e) ? LEAVING_SLICE : LEAVING_YIELDED, f);
	execlists_to_tail(sim, rq);
	take_from_queue(sim, e, f);
	execlists_defer(sim, e, rq);
}

/* At a preemption point: rotates if the slice is over or the request polls and
 * another takes over; else renews the slice. False: nothing to do. */
static __attribute__((noinline)) bool
rotate_at_point(struct sim *sim, struct hw_engine *e)
{
	const struct port *port = port_of(sim, e);
	const struct request *rq = e->running;

	if (execlists_has_deferred(sim, e->bit))
		execlists_settle_first(sim, e->bit);
	if (port_successor(port, rq->ring, rq->priority) != NULL) {
		commit_unwind(sim, e);
		rotate(sim, e, port_successor(port, rq->ring, rq->priority));
		return true;
	}
	if (!exec_is_running(e) || !slice_has_run_out(sim, e))
		return false;
	/* The slice is over, but no other request takes over. */
	slice_begin(sim, e);
	return commit_unwind(sim, e);
}

/* Lets the ring of a request that has polled, and begins now, yield until
 * another has the engine ("Yielding"). */
static void
note_poller(struct sim *sim, const struct hw_engine *e)
{
	if (sim->config.profile.sticky_yield && e->sema_since < sim->now)
		port_of(sim, e)->yields = e->running->ring;
}

/* A batch that waits for memory yields at its preemption points
 * (doc/model/outside.md "Polling batches"). */
static void
execlists_polls(struct sim *sim, struct hw_engine *e, bool polls)
{
	struct port *port = port_of(sim, e);
	const struct ring *ring = e->running->ring;

	if (polls)
		port->yields = ring;
	else if (port->yields == ring && !sim->config.profile.sticky_yield)
		port->yields = NULL;
	port_changed(sim, e);
}

static __attribute__((noinline)) void
begin_pollers(struct sim *sim)
{
	struct execlists *x = sim->sched_data;

	engine_mask begin = x->can_begin;

	x->can_begin = 0;
	for (; begin != 0; begin &= begin - 1) {
		struct hw_engine *e =
		    &sim->device.engines[__builtin_ctzll(begin)];

		if (e->running != NULL && !exec_is_running(e) &&
		    e->running->n_unended == 0) {
			note_poller(sim, e);
			exec_begin(sim, e);
		}
		port_changed(sim, e);
	}
}

static void
take_idle(struct sim *sim, engine_mask engines)
{
	struct request *rq = choose_waiting(sim, engines);

	take_from_queue(sim, choose_sibling(sim, rq, false), rq);
}

/* Preempts. The request that is taken off keeps its time, and so its place
 * before later ones. */
static __attribute__((noinline)) void
preempt_for(struct sim *sim, engine_mask engines)
{
	struct request *rq = choose_waiting(sim, engines);
	struct hw_engine *e = choose_sibling(sim, rq, true);

	commit_unwind(sim, e);
	execlists_enqueue(sim, exec_preempt(sim, e, LEAVING_PREEMPTED, rq));
	take_from_queue(sim, e, rq);
}

/* Gives the first free engine with committed requests to the next of them ("Two
 * ports", "Going on"). */
static bool __attribute__((noinline)) continue_ports(struct sim *sim)
{
	const struct execlists *x = sim->sched_data;
	engine_mask committed = x->committed & x->look;

	for (; committed != 0; committed &= committed - 1) {
		struct hw_engine *e =
		    &sim->device.engines[__builtin_ctzll(committed)];
		enum follows how;
		struct request *rq;

		if (e->running != NULL)
			continue;
		if (!hw_engine_is_free(e)) {
			commit_unwind(sim, e);
			continue;
		}
		rq = commit_next(sim, e, &how);
		give_engine(sim, e, rq, how);
		return true;
	}
	return false;
}

/* Unwinds the ports of engines with an outranking request ("Outranked"). */
static bool __attribute__((noinline)) unwind_outranked(struct sim *sim)
{
	const struct execlists *x = sim->sched_data;
	engine_mask committed = x->committed & x->look;
	bool any = false;

	for (; committed != 0; committed &= committed - 1) {
		const struct hw_engine *e =
		    &sim->device.engines[__builtin_ctzll(committed)];

		if (e->running != NULL && commit_is_outranked(sim, e))
			any |= commit_unwind(sim, e);
	}
	return any;
}

/* Makes the first decision that is possible ("Within one instant"): pollers
 * begin; (A), else (B), else (C). With committed ports: (P) before (A), (U)
 * before (B), and (D) after (C), after which no request can do more. */
static bool __attribute__((noinline)) execlists_decide(struct sim *sim)
{
	struct execlists *x = sim->sched_data;
	struct chances chances;
	engine_mask free;

	if (x->can_begin != 0) {
		begin_pollers(sim);
		return true;
	}
	if (x->commits && continue_ports(sim))
		return true;
	free = x->waited_for & x->look & sim->device.free;
	if (free != 0) {
		take_idle(sim, free);
		return true;
	}
	if (x->commits && unwind_outranked(sim))
		return true;
	chances = find_chances(sim);
	if (chances.preempted != 0) {
		preempt_for(sim, chances.preempted);
		return true;
	}
	for (engine_mask m = chances.acting; m != 0; m &= m - 1) {
		if (rotate_at_point(
			sim, &sim->device.engines[__builtin_ctzll(m)]))
			return true;
	}
	if (x->commits)
		commit_fill(sim, x->look);
	x->look = 0;
	return false;
}

static bool
execlists_step(struct sim *sim)
{
	const struct execlists *x = sim->sched_data;

	return (x->look | x->can_begin) != 0 && execlists_decide(sim);
}

/* Prefetches the waiting request that probably runs next. */
static void
prefetch_waiting(const struct port *port)
{
	const struct request *first = priolist_first(&port->waiting);

	if (first != NULL)
		request_prefetch(first);
}

/* rq, which has ended, was deferred, or the slice is over: the successor is then
 * chosen when all others of this instant have ended (execlists_all_ended). */
static __attribute__((noinline)) void
end_after_slice(struct sim *sim, struct hw_engine *e, struct request *rq)
{
	struct execlists *x = sim->sched_data;

	if (rq->deferred)
		execlists_hand_on(sim, e, rq);
	if (!slice_is_over(sim, e))
		return;
	slice_drop(sim, e);
	port_of(sim, e)->over = rq->ring;
	x->over |= e->bit;
}

static void
execlists_ended(struct sim *sim, struct hw_engine *e, struct request *rq)
{
	struct execlists *x = sim->sched_data;
	struct port *port = &x->ports[e->index];

	prefetch_waiting(port);
	port_changed(sim, e);
	port->ended = rq->ring;
	if (rq->deferred || slice_is_over(sim, e))
		end_after_slice(sim, e, rq);
}

/* Examines e: switching or a reset is over, the pace has changed, or a pulse
 * waits. */
static void
look_at_engine(struct sim *sim, struct hw_engine *e)
{
	port_changed(sim, e);
}

static void
execlists_replay(struct sim *sim, struct hw_engine *e, struct request *rq)
{
	commit_unwind(sim, e);
	execlists_enqueue(sim, rq);
}

/* A batch has ended with its slice over: the next request of its context goes
 * to the tail if a request of another context takes over from it. As the
 * requests of a ring begin in order, the next is the first of the ring. */
static void __attribute__((noinline))
end_slice(struct sim *sim, const struct hw_engine *e)
{
	struct port *port = port_of(sim, e);
	struct request *next = port->over->first;

	if (next == NULL || next->state != REQUEST_READY ||
	    port_successor(port, next->ring, next->priority) == NULL)
		return;
	commit_unwind(sim, e);
	execlists_to_tail(sim, next);
	execlists_defer(sim, e, next);
}

static __attribute__((noinline)) void
end_slices(struct sim *sim, struct execlists *x)
{
	for (; x->over != 0; x->over &= x->over - 1)
		end_slice(sim, &sim->device.engines[__builtin_ctzll(x->over)]);
}

static void
execlists_all_ended(struct sim *sim)
{
	struct execlists *x = sim->sched_data;

	if (x->over != 0)
		end_slices(sim, x);
}

static void
execlists_ring_freed(struct sim *sim, const struct ring *ring)
{
	struct execlists *x = sim->sched_data;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct port *port = &x->ports[i];

		if (port->slice_of == ring)
			port->slice_of = NULL;
		if (port->ended == ring)
			port->ended = NULL;
		if (port->yields == ring)
			port->yields = NULL;
		if (port->over == ring)
			port->over = NULL;
	}
}

/* Returns 0 for a request in the first port, 1 in the second, 2 in neither. */
static unsigned
port_rank(const struct execlists *x, const struct request *rq)
{
	const struct priolist_place *second;

	if (!commit_is_committed(rq))
		return 2;
	second = x->ports[rq->engine->index].second.first;
	return second != NULL && second->rq->ring == rq->ring;
}

static bool
execlists_before(const struct request *a, const struct request *b)
{
	struct sim *sim = a->client->sim;
	const struct execlists *x = sim->sched_data;
	unsigned port = port_rank(x, a), other = port_rank(x, b);

	if (port != other)
		return port < other;
	execlists_settle(sim, ~(engine_mask)0);
	return priolist_before(&x->ports[0].waiting, a, b);
}

#ifdef GPUWL_INVARIANTS
static void
execlists_check(const struct sim *sim)
{
	const struct execlists *x = sim->sched_data;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];
		const struct port *port = &x->ports[i];

		invariants_priolist(
		    sim, e, &port->waiting, commit_check(sim, e));
		if ((port->waiting.n > 0) != (x->waited_for >> i & 1) ||
		    (x->can_begin >> i & 1))
			invariants_broken(sim, NULL,
			    "execlists has lost track of what waits for %s",
			    e->name);
	}
}
#endif

const struct sched_ops sched_execlists = {
    .name = "execlists",
    .summary = "priorities, preemption, timeslices, GPU semaphores",
    .has_places = true,
    .takes_bonds = true,
    .propagates_errors = true,
    .stops_at_points = true,
    .watchdog = true,
    .limits_foreign = true,
    .create = execlists_create,
    .depends = execlists_depends,
    .ready = execlists_ready,
    .can_run = execlists_can_run,
    .step = execlists_step,
    .replay = execlists_replay,
    .before = execlists_before,
    .began = look_at_engine,
    .polls = execlists_polls,
    .paced = look_at_engine,
    .reset_over = look_at_engine,
    .pulse = look_at_engine,
    .ends = execlists_ends,
    .ended = execlists_ended,
    .ring_freed = execlists_ring_freed,
    .all_ended = execlists_all_ended,
    .instant_over = execlists_instant_over,
    .inherits = true,
#ifdef GPUWL_INVARIANTS
    .check = execlists_check,
#endif
};
