/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client walks its program as gem_wsim's thread does (doc/model/gem_wsim.md
 * "A client"). A step that blocks is entered again where it stood: a client's
 * pc and phase say where.
 */
#include "engine/client/client_run.h"

#include "engine/client/client_step.h"
#include "engine/client/cpu.h"
#include "engine/client/give_up.h"
#include "engine/client/iterations.h"
#include "engine/client/kill.h"
#include "engine/client/swap.h"
#include "engine/sim.h"

/* Gets no more requests, and has none in flight. */
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

/* Rings that its program has no more, once they are empty. */
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

/* What an earlier program has left in flight, or a context that has hung and
 * may be banned, is no sign that more of it comes, until a ring is full. */
static bool
fills_a_ring(const struct client *c)
{
	if (c->image->next != NULL || c->ban.hangs > 0)
		return c->in_flight > c->left;
	return c->in_flight > 0;
}

/*
 * An iteration that submits nothing and takes no time costs the profile's
 * minimum. One that submits may take none (0 ns batches, infinite ones that T
 * ends at once); but where there is no last iteration and nothing is left in
 * flight, so that no ring will ever fill, it costs too: nobody spins.
 */
static bool
costs_nothing(const struct client *c)
{
	if (c->sim->now > c->started_ns || fills_a_ring(c))
		return false;
	return !c->submitted || c->repeat == 0;
}

/* It ends, when its requests have. */
static void
drain(struct client *c)
{
	if (c->in_flight > 0)
		c->state = CLIENT_DRAINING;
	else
		end_client(c);
}

static void
end_iteration(struct client *c)
{
	struct sim *sim = c->sim;

	if (c->program->n_fences > 0)
		client_signal_fences(c, c->program->n_fences);
	c->iteration++;
	iterations_walked(c);
	observers_tell(sim, iterated, c);
	if (c->repeat == 0 || c->iteration < c->repeat)
		start_iteration(c);
	else
		drain(c);
}

/* At the end of the program: the iteration, unless it has to cost first. */
static void
finish_program(struct client *c)
{
	if (c->phase++ == 0 && costs_nothing(c)) {
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
walk(struct client *c)
{
	if (c->dying)
		kill_in_turn(c);
	/* One that was killed may still be waited for. */
	if (c->n_waits == 0)
		waiter_release_all(&c->sim->waiters, &c->waits);
	if (is_draining(c)) {
		drain(c);
		return;
	}
	if (c->gives_up) {
		give_up_iteration(c);
		start_iteration(c);
	}
	while (c->state == CLIENT_RUNNABLE && !sim_stops(c->sim)) {
		const struct op *op;

		if (c->wanted != NULL && c->pc == 0 && c->phase == 0)
			swap_take_over(c);
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
	observers_tell(c->sim, resumed, c);
	walk(c);
	cpu_leave(c);
	observers_tell(c->sim, blocked, c);
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
