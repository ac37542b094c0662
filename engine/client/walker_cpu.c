/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPUs that walkers share, and how long their threads take to wake up
 * (doc/model/client.md, whose headings the comments quote).
 */
#include "engine/client/walker_run.h"
#include "engine/sim.h"

/* "The rule": the longest that a thread keeps its CPU while others wait. */
#define CPU_SLICE (3 * NSEC_PER_MSEC)

/* Notifies that the wait of the walker is over, and that a new one begins. */
static void
notify_queued(struct walker *w)
{
	observers_notify(w->client.sim, resumed, &w->client);
	observers_notify(w->client.sim, blocked, &w->client);
}

/* Spends time in that state on the CPU that the walker has; 0 ns: makes it
 * runnable. */
static void
run_on_cpu(struct walker *w, enum client_state state, nsec time)
{
	if (time == 0)
		runnable_add(w->client.sim, &w->client);
	else
		walker_sleep(w, w->client.sim->now + time, state);
}

/* Appends the walker to the queue for a CPU: "First come, first served; of
 * those that come in one instant, the lowest id first." */
static void
queue_for_cpu(struct walker *w, enum client_state state, nsec time)
{
	w->client.state = CLIENT_QUEUED;
	w->cpu_state = (uint8_t)state;
	w->cpu_time_ns = time;
	heap_push(
	    &w->client.sim->cpus.queue, w->client.sim->now, w->client.id, w);
}

void
cpu_start(struct walker *w)
{
	if (w->client.sim->cpus.n > 0)
		queue_for_cpu(w, CLIENT_RUNNABLE, 0);
	else
		runnable_add(w->client.sim, &w->client);
}

static bool
waits_for_cpu(const struct walker *w)
{
	return w->client.state == CLIENT_QUEUED ||
	    w->client.state == CLIENT_WAKING;
}

void
cpu_wake(struct walker *w)
{
	struct sim *sim = w->client.sim;
	nsec wakeup = sim->config.profile.wakeup_ns;

	/* "By a client that was killed." */
	if (w->client.killed || (sim->cpus.n == 0 && wakeup == 0)) {
		runnable_add(sim, &w->client);
		return;
	}
	if (w->client.state == CLIENT_RUNNABLE || waits_for_cpu(w))
		return;
	if (sim->cpus.n > 0)
		queue_for_cpu(w, CLIENT_WAKING, wakeup);
	else
		run_on_cpu(w, CLIENT_WAKING, wakeup);
	notify_queued(w);
}

static void
release_cpu(struct walker *w)
{
	w->on_cpu = false;
	w->client.sim->cpus.busy--;
}

void
cpu_spend(struct walker *w, nsec time, enum client_state state)
{
	if (w->on_cpu && w->client.sim->now - w->cpu_since_ns >= CPU_SLICE) {
		release_cpu(w);
		queue_for_cpu(w, state, time);
	} else {
		run_on_cpu(w, state, time);
	}
}

void
cpu_interrupt(struct walker *w)
{
	if (waits_for_cpu(w))
		return; /* it will run */
	event_disarm(&w->client.timer);
	if (w->client.state == CLIENT_SUBMITTING ||
	    w->client.state == CLIENT_IDLING)
		runnable_add(w->client.sim, &w->client);
	else
		cpu_wake(w);
}

void
cpu_leave(struct walker *w)
{
	if (w->on_cpu && w->client.state != CLIENT_SUBMITTING &&
	    w->client.state != CLIENT_IDLING &&
	    w->client.state != CLIENT_RUNNABLE)
		release_cpu(w);
}

bool
cpu_is_idle(const struct sim *sim)
{
	return sim->cpus.busy < sim->cpus.n;
}

/* Returns the first walker in the queue, NULL for none; drops stale entries. */
static struct walker *
first_queued(struct heap *walkers)
{
	const struct heap_entry *entry;

	while ((entry = heap_peek(walkers)) != NULL) {
		struct walker *w = entry->item;

		if (w->client.state == CLIENT_QUEUED)
			return w;
		heap_pop(walkers);
	}
	return NULL;
}

static void
assign_cpu(struct walker *w)
{
	struct sim *sim = w->client.sim;

	sim->cpus.busy++;
	w->on_cpu = true;
	w->cpu_since_ns = sim->now;
	/* Its first iteration begins when its thread does. */
	if (w->cpu_state == CLIENT_RUNNABLE)
		w->started_ns = sim->now;
	run_on_cpu(w, (enum client_state)w->cpu_state, w->cpu_time_ns);
	if (w->client.state == CLIENT_SUBMITTING ||
	    w->client.state == CLIENT_IDLING)
		notify_queued(w);
}

/* Gives free CPUs to waiting walkers, first come first served. */
void
cpu_hand_out(struct sim *sim)
{
	struct walker *w;

	while (
	    cpu_is_idle(sim) && (w = first_queued(&sim->cpus.queue)) != NULL) {
		heap_pop(&sim->cpus.queue);
		assign_cpu(w);
	}
}

bool
cpu_has_taker(struct sim *sim)
{
	return cpu_is_idle(sim) && first_queued(&sim->cpus.queue) != NULL;
}
