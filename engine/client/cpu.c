/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which client runs next: the order of those that are runnable, and the CPUs
 * and wake-up times before that (doc/model/client.md, whose headings the
 * comments quote).
 */
#include "engine/client/client_run.h"

#include "engine/sim.h"

/* "The rule": the longest that a thread keeps its CPU while others wait. */
#define CPU_SLICE (3 * NSEC_PER_MSEC)

/* Notifies that the wait of the client is over, and that a new one begins. */
static void
notify_queued(struct client *c)
{
	observers_notify(c->sim, resumed, c);
	observers_notify(c->sim, blocked, c);
}

/* Spends time in that state on the CPU that the client has; 0 ns: makes it
 * runnable. */
static void
run_on_cpu(struct client *c, enum client_state state, nsec time)
{
	if (time == 0)
		runnable_add(c->sim, c);
	else
		client_sleep(c, c->sim->now + time, state);
}

/* Appends the client to the queue for a CPU: "First come, first served; of
 * those that come in one instant, the lowest id first." */
static void
queue_for_cpu(struct client *c, enum client_state state, nsec time)
{
	c->state = CLIENT_QUEUED;
	c->cpu_state = (uint8_t)state;
	c->cpu_time_ns = time;
	heap_push(&c->sim->cpus.queue, c->sim->now, c->id, c);
}

void
cpu_start(struct client *c)
{
	if (c->sim->cpus.n > 0)
		queue_for_cpu(c, CLIENT_RUNNABLE, 0);
	else
		runnable_add(c->sim, c);
}

static bool
waits_for_cpu(const struct client *c)
{
	return c->state == CLIENT_QUEUED || c->state == CLIENT_WAKING;
}

void
cpu_wake(struct client *c)
{
	struct sim *sim = c->sim;
	nsec wakeup = sim->config.profile.wakeup_ns;

	/* "By a client that was killed." */
	if (c->killed || (sim->cpus.n == 0 && wakeup == 0)) {
		runnable_add(sim, c);
		return;
	}
	if (c->state == CLIENT_RUNNABLE || waits_for_cpu(c))
		return;
	if (sim->cpus.n > 0)
		queue_for_cpu(c, CLIENT_WAKING, wakeup);
	else
		run_on_cpu(c, CLIENT_WAKING, wakeup);
	notify_queued(c);
}

static void
release_cpu(struct client *c)
{
	c->on_cpu = false;
	c->sim->cpus.busy--;
}

void
cpu_spend(struct client *c, nsec time, enum client_state state)
{
	if (c->on_cpu && c->sim->now - c->cpu_since_ns >= CPU_SLICE) {
		release_cpu(c);
		queue_for_cpu(c, state, time);
	} else {
		run_on_cpu(c, state, time);
	}
}

void
cpu_interrupt(struct client *c)
{
	if (waits_for_cpu(c))
		return; /* it will run */
	event_disarm(&c->timer);
	if (c->state == CLIENT_SUBMITTING || c->state == CLIENT_IDLING)
		runnable_add(c->sim, c);
	else
		cpu_wake(c);
}

void
cpu_leave(struct client *c)
{
	if (c->on_cpu && c->state != CLIENT_SUBMITTING &&
	    c->state != CLIENT_IDLING && c->state != CLIENT_RUNNABLE)
		release_cpu(c);
}

bool
cpu_is_idle(const struct sim *sim)
{
	return sim->cpus.busy < sim->cpus.n;
}

/* Returns the first client in the queue, NULL for none; drops stale entries. */
static struct client *
first_queued(struct heap *clients)
{
	const struct heap_entry *entry;

	while ((entry = heap_peek(clients)) != NULL) {
		struct client *c = entry->item;

		if (c->state == CLIENT_QUEUED)
			return c;
		heap_pop(clients);
	}
	return NULL;
}

static void
assign_cpu(struct client *c)
{
	struct sim *sim = c->sim;

	sim->cpus.busy++;
	c->on_cpu = true;
	c->cpu_since_ns = sim->now;
	/* Its first iteration begins when its thread does. */
	if (c->cpu_state == CLIENT_RUNNABLE)
		c->started_ns = sim->now;
	run_on_cpu(c, (enum client_state)c->cpu_state, c->cpu_time_ns);
	if (c->state == CLIENT_SUBMITTING || c->state == CLIENT_IDLING)
		notify_queued(c);
}

/* Gives free CPUs to waiting clients, first come first served. */
static void
hand_out_cpus(struct sim *sim)
{
	struct client *c;

	while (
	    cpu_is_idle(sim) && (c = first_queued(&sim->cpus.queue)) != NULL) {
		heap_pop(&sim->cpus.queue);
		assign_cpu(c);
	}
}

/* Returns true if a CPU is free and a client waits for one. */
static bool
cpu_has_taker(struct sim *sim)
{
	return cpu_is_idle(sim) && first_queued(&sim->cpus.queue) != NULL;
}

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
		hand_out_cpus(sim);
	entry = heap_peek(&sim->runnable);
	if (entry == NULL)
		return NULL;
	client = entry->item;
	sim->pass = entry->key;
	sim->pass_client = client->id;
	heap_pop(&sim->runnable);
	return client;
}
