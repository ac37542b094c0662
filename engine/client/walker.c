/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a walker runs through its program as gem_wsim's thread does, iteration
 * after iteration, until it ends, is killed, or aborts an iteration. A step
 * that blocks is entered again where it was: at pc and phase.
 */
#include "engine/client/walker_run.h"

#include "engine/backend.h"
#include "engine/sim.h"

/*
 * Completed iterations. A walker that does not wait runs far ahead of its
 * requests; an iteration is completed when they have ended. The first request
 * of each ring gives the oldest one that is not. All rings are searched only
 * when its last request has ended, as a walker may have many rings.
 */

void
iterations_submitted(struct walker *w, const struct request *rq)
{
	if (rq->origin.iteration == w->client.completed)
		w->n_oldest++;
}

/* Returns the number of requests of that iteration, the oldest, on a ring. */
static uint32_t
count_oldest(const struct ring *ring, uint64_t iteration)
{
	const struct request *rq = ring->first;
	uint32_t n = 0;

	for (; rq != NULL && rq->origin.iteration == iteration;
	     rq = rq->next_of_ring)
		n++;
	return n;
}

/* Counts the iterations that are completed by now. */
static void
update_completed(struct walker *w)
{
	uint64_t over = w->iteration;

	for (uint32_t i = 0; i < w->client.n_rings; i++) {
		const struct request *first = w->client.rings[i]->first;

		if (first != NULL && first->origin.iteration < over)
			over = first->origin.iteration;
	}
	w->n_oldest = 0;
	for (uint32_t i = 0; i < w->client.n_rings; i++)
		w->n_oldest += count_oldest(w->client.rings[i], over);
	if (over == w->client.completed)
		return;
	w->client.sim->n_iterations += over - w->client.completed;
	w->client.completed = over;
	w->client.completed_ns = w->client.sim->now;
}

void
iterations_ended(struct walker *w, const struct request *rq)
{
	if (rq->origin.iteration == w->client.completed && --w->n_oldest == 0 &&
	    w->client.completed < w->iteration)
		update_completed(w);
}

/* To be called when the walker reached the end of its program. */
static void
iterations_walked(struct walker *w)
{
	if (w->n_oldest == 0)
		update_completed(w);
}

/* Aborting an iteration. */

void
walker_abort_iteration(struct walker *w)
{
	w->aborts = true;
	cpu_interrupt(w);
}

static void
stop_waiting(struct walker *w)
{
	for (struct waiter *wait = w->waits; wait != NULL;
	     wait = wait->next_of_owner) {
		if (wait->fence != NULL)
			fence_remove_waiter(wait);
	}
	w->n_waits = 0;
	waiter_release_all(&w->client.sim->waiters, &w->waits);
	for (uint32_t i = 0; i < w->client.n_rings; i++)
		w->client.rings[i]->drain = false;
}

/* Ends the infinite batches that the rest of the iteration would have ended. */
static void
terminate_rest(struct walker *w)
{
	/* Batches before this step were submitted in this iteration. */
	uint32_t first = w->pc + (w->phase >= BATCH_QUEUE);

	for (uint32_t i = w->pc; i < w->program->n_ops; i++) {
		const struct op *op = &w->program->ops[i];

		if (op->kind == STEP_TERMINATE && op->target < first)
			walker_terminate(w, op->target);
	}
}

static void
abort_iteration(struct walker *w)
{
	w->aborts = false;
	stop_waiting(w);
	instance_close_fences(w->instance, w->client.sim->now);
	terminate_rest(w);
	w->client.sim->backend->instant_run(w->client.sim);
}

/* Iterations. */

/* Closes empty rings that only earlier programs used. */
static void
close_old_rings(struct walker *w)
{
	for (uint32_t i = w->program->n_rings; i < w->client.n_rings; i++) {
		if (w->client.rings[i]->in_flight == 0)
			ring_close(w->client.sim, w->client.rings[i]);
	}
}

static void
start_iteration(struct walker *w)
{
	close_old_rings(w);
	w->pc = 0;
	w->phase = 0;
	w->started_ns = w->client.sim->now;
	w->submitted = false;
	w->left = w->client.in_flight;
}

/* Returns true if what is in flight shows that this program will fill a ring.
 * Requests of an earlier program do not, nor do those from before this
 * iteration of a client that has hung and may be banned. */
static bool
fills_a_ring(const struct walker *w)
{
	if (w->instance->next != NULL || w->client.ban.hangs > 0)
		return w->client.in_flight > w->left;
	return w->client.in_flight > 0;
}

/*
 * Returns true if the iteration would take no time and so must take the
 * profile's minimum: one that submits nothing, or, in a client without end, one
 * whose requests have ended already (0 ns batches, infinite ones that T ends at
 * once). Otherwise a client would run without end in one instant, as no ring
 * ever fills.
 */
static bool
needs_min_time(const struct walker *w)
{
	if (w->client.sim->now > w->started_ns || fills_a_ring(w))
		return false;
	return !w->submitted || w->repeat == 0;
}

static void
end_iteration(struct walker *w)
{
	struct sim *sim = w->client.sim;

	if (w->program->n_fences > 0)
		walker_signal_fences(w, w->program->n_fences);
	w->iteration++;
	iterations_walked(w);
	observers_notify(sim, iterated, &w->client);
	if (w->repeat == 0 || w->iteration < w->repeat)
		start_iteration(w);
	else
		client_drain(&w->client);
}

/* Ends the iteration at the end of the program, after its least time. */
static void
finish_program(struct walker *w)
{
	if (w->phase++ == 0 && needs_min_time(w)) {
		w->client.sim->n_idle_iterations += !w->submitted;
		cpu_spend(w, w->client.sim->config.profile.iteration_min_ns,
		    CLIENT_IDLING);
		return;
	}
	end_iteration(w);
}

static bool
is_draining(const struct walker *w)
{
	return w->client.killed ||
	    (w->repeat != 0 && w->iteration >= w->repeat);
}

static void
walk_program(struct walker *w)
{
	if (w->client.dying)
		client_kill_now(&w->client);
	/* A client that was killed may have waits left. */
	if (w->n_waits == 0)
		waiter_release_all(&w->client.sim->waiters, &w->waits);
	if (is_draining(w)) {
		client_drain(&w->client);
		return;
	}
	if (w->aborts) {
		abort_iteration(w);
		start_iteration(w);
	}
	while (
	    w->client.state == CLIENT_RUNNABLE && !sim_stops(w->client.sim)) {
		const struct op *op;

		if (w->next_instance != NULL && w->pc == 0 && w->phase == 0)
			swap_apply(w);
		if (w->pc == w->program->n_ops) {
			finish_program(w);
			continue;
		}
		op = &w->program->ops[w->pc];
		if (walker_step(w, op)) {
			waiter_release_all(&w->client.sim->waiters, &w->waits);
			w->pc++;
			w->phase = 0;
		}
	}
}

void
walker_go(struct walker *w)
{
	walk_program(w);
	cpu_leave(w);
}

/* Queries. */

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

enum client_block
walker_block(const struct walker *w)
{
	switch (w->program->ops[w->pc].kind) {
	case STEP_DELAY: return BLOCK_DELAY;
	case STEP_PERIOD: return BLOCK_PERIOD;
	case STEP_BATCH: return block_of_phase(w->phase);
	default: return BLOCK_SYNC;
	}
}

/* Returns the first p step that w has yet to reach in this iteration; NULL:
 * none. */
static const struct op *
next_period_of(const struct walker *w)
{
	const struct program *p = w->program;
	uint32_t from = w->pc + (w->phase > 0), lo = 0, hi = p->n_periods;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (p->periods[mid] < from)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < p->n_periods ? &p->ops[p->periods[lo]] : NULL;
}

bool
client_is_overdue(const struct client *c, nsec *due_ns)
{
	const struct walker *w = c->walker;
	const struct op *period;

	if (w == NULL || w->program->n_periods == 0 || c->killed != KILL_NOT ||
	    c->state == CLIENT_DRAINING || c->state == CLIENT_ENDED)
		return false;
	period = next_period_of(w);
	if (period == NULL)
		return false;
	*due_ns = nsec_after(w->started_ns, period->delay);
	return c->sim->now > *due_ns;
}

uint64_t
client_misses(const struct client *c)
{
	nsec due_ns;

	return c->period.missed + client_is_overdue(c, &due_ns);
}

nsec
client_longest_period(const struct client *c)
{
	const struct program *p = c->walker != NULL ? c->walker->program : NULL;
	nsec longest = 0;

	for (uint32_t i = 0; p != NULL && i < p->n_periods; i++)
		if (p->ops[p->periods[i]].delay > longest)
			longest = p->ops[p->periods[i]].delay;
	return longest;
}
