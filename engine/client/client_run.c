/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which client runs next, the end of a client, by itself or killed, and the
 * name of its state.
 */
#include "engine/client/client_run.h"

#include <errno.h>

#include "engine/backend.h"
#include "engine/client/outside.h"
#include "engine/client/walker_run.h"
#include "engine/hang/hang.h"
#include "engine/sched/preempt.h"
#include "engine/sim.h"

/* The order of clients that can run. */

void
runnable_add(struct sim *sim, struct client *client)
{
	bool passed = client->id <= sim->pass_client;

	if (client->state == CLIENT_RUNNABLE)
		return;
	client->state = CLIENT_RUNNABLE;
	heap_push(&sim->runnable, sim->pass + passed, client->id, client);
}

bool
runnable_is_pending(struct sim *sim)
{
	return heap_peek(&sim->runnable) != NULL || cpu_has_taker(sim);
}

struct client *
runnable_take(struct sim *sim)
{
	const struct heap_entry *entry;
	struct client *client;

	if (sim->cpus.n > 0)
		cpu_hand_out(sim);
	entry = heap_peek(&sim->runnable);
	if (entry == NULL)
		return NULL;
	client = entry->item;
	sim->pass = entry->key;
	sim->pass_client = client->id;
	heap_pop(&sim->runnable);
	return client;
}

/* The end of a client. */

void
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

void
client_drain(struct client *c)
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

void
client_revoke_context(struct context *context)
{
	for (struct ring *r = context->timelines; r != NULL;
	     r = r->next_of_context)
		revoke_ring(context->client->sim, r);
}

void
client_close_context(struct context *context)
{
	for (struct ring *r = context->timelines; r != NULL;
	     r = r->next_of_context)
		ring_close(context->client->sim, r);
}

void
client_kill_now(struct client *c)
{
	c->dying = false;
	if (c->walker != NULL)
		instance_close_fences(c->walker->instance, c->sim->now);
	for (uint32_t i = 0; i < c->n_rings; i++) {
		c->rings[i]->drain = false;
		if (c->killed == KILL_ALL)
			revoke_ring(c->sim, c->rings[i]);
	}
	if (c->sim->backend->killed != NULL)
		c->sim->backend->killed(c);
}

void
client_go(struct client *c)
{
	if (c->walker == NULL) {
		outside_go(outside_of(c));
		return;
	}
	observers_notify(c->sim, resumed, c);
	walker_go(c->walker);
	observers_notify(c->sim, blocked, c);
}

nsec
client_elapsed(const struct sim *sim, const struct client *c)
{
	nsec until = c->state == CLIENT_ENDED ? c->ended_ns : sim->now;

	return until - c->begun_ns;
}

void
client_add_times(const struct client *c, struct histogram *times)
{
	for (uint32_t i = 0; i < c->n_contexts; i++)
		histogram_merge(times, &c->contexts[i]->times);
	if (client_past(c) != NULL)
		histogram_merge(times, &client_past(c)->times);
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

struct context *
client_find_context(const struct client *c, uint32_t number)
{
	const struct program *p = client_program(c);
	uint32_t i;

	if (p != NULL) {
		i = program_find_context(p, number);
		return i < p->n_contexts ? c->contexts[i] : NULL;
	}
	for (i = 0; i < c->n_contexts; i++) {
		if (c->contexts[i]->def->number == number)
			return c->contexts[i];
	}
	return NULL;
}

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
	    [CLIENT_OUTSIDE] = "connected",
	    [CLIENT_DRAINING] = "draining",
	    [CLIENT_ENDED] = "ended",
	};

	if (c->killed && c->state >= CLIENT_DRAINING)
		return c->state == CLIENT_ENDED ? "killed" : "dying";
	return names[c->state];
}

enum client_block
client_block(const struct client *c)
{
	switch (c->state) {
	case CLIENT_RUNNABLE:
	case CLIENT_OUTSIDE: return BLOCK_NOT;
	case CLIENT_SUBMITTING: return BLOCK_SUBMIT;
	case CLIENT_RING_FULL: return BLOCK_RING;
	case CLIENT_IDLING: return BLOCK_IDLE;
	case CLIENT_QUEUED:
	case CLIENT_WAKING: return BLOCK_CPU;
	case CLIENT_DRAINING: return BLOCK_DRAIN;
	case CLIENT_ENDED: return BLOCK_ENDED;
	default: return walker_block(c->walker);
	}
}
