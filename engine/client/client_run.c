/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a client runs through its program as gem_wsim's thread does, iteration
 * after iteration, until it ends, is killed, or aborts an iteration. A step
 * that blocks is entered again where it was: at pc and phase.
 */
#include "engine/client/client_run.h"

#include <assert.h>
#include <errno.h>

#include "engine/backend.h"
#include "engine/hang/hang.h"
#include "engine/sched/preempt.h"
#include "engine/sim.h"

/*
 * Completed iterations. A client that does not wait runs far ahead of its
 * requests; an iteration is completed when they have ended. The first request
 * of each ring gives the oldest one that is not. All rings are searched only
 * when its last request has ended, as a client may have many rings.
 */

void
iterations_submitted(struct request *rq)
{
	struct ring *ring = rq->ring;
	struct request *before = request_get(ring->last);

	if (before != NULL)
		before->next_of_ring = rq;
	else
		ring->first = rq;
	if (rq->iteration == rq->client->completed)
		rq->client->n_oldest++;
}

/* Returns the number of requests of that iteration, the oldest, on a ring. */
static uint32_t
count_oldest(const struct ring *ring, uint64_t iteration)
{
	const struct request *rq = ring->first;
	uint32_t n = 0;

	for (; rq != NULL && rq->iteration == iteration; rq = rq->next_of_ring)
		n++;
	return n;
}

/* Counts the iterations that are completed by now. */
static void
update_completed(struct client *c)
{
	uint64_t over = c->iteration;

	for (uint32_t i = 0; i < c->n_rings; i++) {
		const struct request *first = c->rings[i]->first;

		if (first != NULL && first->iteration < over)
			over = first->iteration;
	}
	c->n_oldest = 0;
	for (uint32_t i = 0; i < c->n_rings; i++)
		c->n_oldest += count_oldest(c->rings[i], over);
	c->sim->n_iterations += over - c->completed;
	c->completed = over;
}

void
iterations_ended(struct request *rq)
{
	struct client *c = rq->client;

	assert(rq->ring->first == rq);
	rq->ring->first = rq->next_of_ring;
	if (rq->iteration == c->completed && --c->n_oldest == 0 &&
	    c->completed < c->iteration)
		update_completed(c);
}

/* To be called when the client reached the end of its program. */
static void
iterations_walked(struct client *c)
{
	if (c->n_oldest == 0)
		update_completed(c);
}

/* The end of a client. */

/* Tells the scheduler that the ring is empty and gets no more requests. */
static void
ring_close(struct sim *sim, struct ring *ring)
{
	if (sim->config.sched->ring_closed != NULL && ring->sched_data != NULL)
		sim->config.sched->ring_closed(sim, ring);
}

static void
end_client(struct client *c)
{
	struct sim *sim = c->sim;

	c->state = CLIENT_ENDED;
	c->ended_ns = sim->now;
	sim->n_gone++;
	if (!c->background)
		sim->n_ended++;
	for (uint32_t i = 0; i < c->n_rings; i++)
		ring_close(sim, c->rings[i]);
}

/* Ends the client, once all its requests have ended. */
static void
drain(struct client *c)
{
	if (c->in_flight > 0)
		c->state = CLIENT_DRAINING;
	else
		end_client(c);
}

/* Killing. */

void
client_kill(struct client *c, bool persistent)
{
	c->killed = persistent ? KILL_PERSISTENT : KILL_ALL;
	c->dying = true;
	event_disarm(&c->timer);
	runnable_add(c->sim, c);
}

/* Returns how long rq may take to its next preemption point. */
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

static void
kill_now(struct client *c)
{
	c->dying = false;
	instance_close_fences(c->instance, c->sim->now);
	for (uint32_t i = 0; i < c->n_rings; i++) {
		c->rings[i]->drain = false;
		if (c->killed == KILL_ALL)
			revoke_ring(c->sim, c->rings[i]);
	}
}

/* Aborting an iteration. */

void
client_abort_iteration(struct client *c)
{
	c->aborts = true;
	cpu_interrupt(c);
}

static void
stop_waiting(struct client *c)
{
	for (struct waiter *w = c->waits; w != NULL; w = w->next_of_owner) {
		if (w->fence != NULL)
			fence_remove_waiter(w);
	}
	c->n_waits = 0;
	waiter_release_all(&c->sim->waiters, &c->waits);
	for (uint32_t i = 0; i < c->n_rings; i++)
		c->rings[i]->drain = false;
}

/* Ends the infinite batches that the rest of the iteration would have ended. */
static void
terminate_rest(struct client *c)
{
	/* Batches before this step were submitted in this iteration. */
	uint32_t first = c->pc + (c->phase >= BATCH_QUEUE);

	for (uint32_t i = c->pc; i < c->program->n_ops; i++) {
		const struct op *op = &c->program->ops[i];

		if (op->kind == STEP_TERMINATE && op->target < first)
			c->sim->backend->terminate(c->sim, c, op->target);
	}
}

static void
abort_iteration(struct client *c)
{
	c->aborts = false;
	stop_waiting(c);
	instance_close_fences(c->instance, c->sim->now);
	terminate_rest(c);
	c->sim->backend->instant_run(c->sim);
}

/* Iterations. */

/* Closes empty rings that only earlier programs used. */
static void
close_old_rings(struct client *c)
{
	for (uint32_t i = c->program->n_rings; i < c->n_rings; i++) {
		if (c->rings[i]->in_flight == 0)
			ring_close(c->sim, c->rings[i]);
	}
}

static void
start_iteration(struct client *c)
{
	close_old_rings(c);
	c->pc = 0;
	c->phase = 0;
	c->started_ns = c->sim->now;
	c->submitted = false;
	c->left = c->in_flight;
}

/* Returns true if what is in flight shows that this program will fill a ring.
 * Requests of an earlier program do not, nor do those from before this
 * iteration of a client that has hung and may be banned. */
static bool
fills_a_ring(const struct client *c)
{
	if (c->instance->next != NULL || c->ban.hangs > 0)
		return c->in_flight > c->left;
	return c->in_flight > 0;
}

/*
 * Returns true if the iteration would take no time and so must take the
 * profile's minimum: one that submits nothing, or, in a client without end, one
 * whose requests have ended already (0 ns batches, infinite ones that T ends at
 * once). Otherwise a client would run without end in one instant, as no ring
 * ever fills.
 */
static bool
needs_min_time(const struct client *c)
{
	if (c->sim->now > c->started_ns || fills_a_ring(c))
		return false;
	return !c->submitted || c->repeat == 0;
}

static void
end_iteration(struct client *c)
{
	struct sim *sim = c->sim;

	if (c->program->n_fences > 0)
		client_signal_fences(c, c->program->n_fences);
	c->iteration++;
	iterations_walked(c);
	observers_notify(sim, iterated, c);
	if (c->repeat == 0 || c->iteration < c->repeat)
		start_iteration(c);
	else
		drain(c);
}

/* Ends the iteration at the end of the program, after its least time. */
static void
finish_program(struct client *c)
{
	if (c->phase++ == 0 && needs_min_time(c)) {
		c->sim->n_idle_iterations += !c->submitted;
		cpu_spend(
		    c, c->sim->config.profile.iteration_min_ns, CLIENT_IDLING);
		return;
	}
	end_iteration(c);
}

static bool
is_draining(const struct client *c)
{
	return c->killed || (c->repeat != 0 && c->iteration >= c->repeat);
}

static void
walk_program(struct client *c)
{
	if (c->dying)
		kill_now(c);
	/* A client that was killed may have waits left. */
	if (c->n_waits == 0)
		waiter_release_all(&c->sim->waiters, &c->waits);
	if (is_draining(c)) {
		drain(c);
		return;
	}
	if (c->aborts) {
		abort_iteration(c);
		start_iteration(c);
	}
	while (c->state == CLIENT_RUNNABLE && !sim_stops(c->sim)) {
		const struct op *op;

		if (c->next_instance != NULL && c->pc == 0 && c->phase == 0)
			swap_apply(c);
		if (c->pc == c->program->n_ops) {
			finish_program(c);
			continue;
		}
		op = &c->program->ops[c->pc];
		if (client_step(c, op)) {
			waiter_release_all(&c->sim->waiters, &c->waits);
			c->pc++;
			c->phase = 0;
		}
	}
}

void
client_go(struct client *c)
{
	observers_notify(c->sim, resumed, c);
	walk_program(c);
	cpu_leave(c);
	observers_notify(c->sim, blocked, c);
}

void
client_add_times(const struct client *c, struct histogram *times)
{
	for (uint32_t i = 0; i < c->n_contexts; i++)
		histogram_merge(times, &c->contexts[i]->times);
}

const struct request *
client_any_request(const struct client *c)
{
	for (uint32_t i = 0; i < c->n_rings; i++) {
		const struct request *rq = request_get(c->rings[i]->last);

		if (rq != NULL)
			return rq;
	}
	return NULL;
}

/* Queries of views. */

const char *
client_state_name(const struct client *c)
{
	static const char *const names[] = {
	    [CLIENT_RUNNABLE] = "runnable",
	    [CLIENT_SUBMITTING] = "submitting",
	    [CLIENT_WAITING] = "waiting",
	    [CLIENT_RING_FULL] = "ring full",
	    [CLIENT_SLEEPING] = "sleeping",
	    [CLIENT_IDLING] = "idling",
	    [CLIENT_QUEUED] = "needs CPU",
	    [CLIENT_WAKING] = "waking",
	    [CLIENT_DRAINING] = "draining",
	    [CLIENT_ENDED] = "ended",
	};

	if (c->killed && c->state >= CLIENT_DRAINING)
		return c->state == CLIENT_ENDED ? "killed" : "dying";
	return names[c->state];
}

/* The phase is what a batch step does next: it waits for the one before. */
static enum client_block
block_of_phase(enum batch_phase phase)
{
	switch (phase) {
	case BATCH_THROTTLE: return BLOCK_DATA;
	case BATCH_ROOM: return BLOCK_THROTTLE;
	case BATCH_QUEUE: return BLOCK_WAIT_FLAG;
	case BATCH_DEPTH: return BLOCK_QUEUE_DEPTH;
	case BATCH_DATA:
	case BATCH_CPU:
	case BATCH_SUBMIT: break;
	}
	return BLOCK_NOT;
}

static enum client_block
block_at_step(const struct client *c, enum step_kind kind)
{
	switch (kind) {
	case STEP_DELAY: return BLOCK_DELAY;
	case STEP_PERIOD: return BLOCK_PERIOD;
	case STEP_BATCH: return block_of_phase(c->phase);
	default: return BLOCK_SYNC;
	}
}

enum client_block
client_block(const struct client *c)
{
	switch (c->state) {
	case CLIENT_RUNNABLE: return BLOCK_NOT;
	case CLIENT_SUBMITTING: return BLOCK_SUBMIT;
	case CLIENT_RING_FULL: return BLOCK_RING;
	case CLIENT_IDLING: return BLOCK_IDLE;
	case CLIENT_QUEUED:
	case CLIENT_WAKING: return BLOCK_CPU;
	case CLIENT_DRAINING: return BLOCK_DRAIN;
	case CLIENT_ENDED: return BLOCK_ENDED;
	default: return block_at_step(c, c->program->ops[c->pc].kind);
	}
}
