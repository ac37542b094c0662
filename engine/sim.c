/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A simulation from sim_new() to sim_free(), and its loop: it runs one instant
 * after the other, and finds out when a run is done or can't continue.
 */
#include "engine/sim.h"

#include <assert.h>

#include "base/region.h"
#include "engine/backend.h"
#include "engine/client/outside.h"
#include "engine/client/walker_run.h"
#include "engine/explain/explain.h"
#include "engine/gpu/exec.h"
#include "engine/gpu/pace.h"
#include "engine/hang/hang.h"
#include "engine/hang/timeouts.h"
#include "engine/instant.h"
#include "engine/invariants/invariants.h"

struct sim *
sim_new(const struct sim_config *config)
{
	struct region *region = region_new();
	struct sim *sim = region_alloc(region, 1, sizeof *sim);

	sim->region = region;
	sim->config = *config;
	sim->backend = &model_backend;
	sim->pass_client = -1;
	sim->ready_last = &sim->ready_first;
	request_init_pool(sim);
	pool_init(&sim->waiters, region, sizeof(struct waiter));
	pool_init(&sim->rings, region, sizeof(struct ring));
	sim->events.heap.region = region;
	sim->runnable.region = region;
	sim->cpus.queue.region = region;
	sim->cpus.n = config->profile.cpus;
	sim->random = random_new(region, config->seed, config->same_random);
	device_init(&sim->device, &config->profile);
	pool_init(&sim->contexts, region, context_size(&sim->device));
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		exec_init(&sim->device.engines[i]);
	outsiders_init(sim);
	reset_init(sim);
	heartbeat_init(sim);
	pace_init(sim);
	watchdog_init(sim);
	foreign_waits_init(sim);
	invariants_create(sim);
	sim->sched_data = config->sched->create(sim);
	return sim;
}

void
sim_free(struct sim *sim)
{
	if (sim == NULL)
		return;
	for (struct program_use *p = sim->programs; p != NULL; p = p->next)
		program_unref(p->program);
	region_free(sim->region);
}

struct workload *
sim_add_workload(
    struct sim *sim, const char *name, const struct program *program)
{
	struct workload *w = region_alloc(sim->region, 1, sizeof *w);

	w->id = sim->n_workloads++;
	w->name = region_strdup(sim->region, name);
	w->program = program;
	program_use(sim, program);
	w->shared = shared_objects_new(sim, program->n_shared);
	w->next = sim->workloads;
	sim->workloads = w;
	return w;
}

/* Lets clients that become runnable between instants begin in a new pass. */
static void
new_pass(struct sim *sim)
{
	sim->pass++;
	sim->pass_client = -1;
}

void
sim_register_client(struct sim *sim, struct client *c)
{
	sim->clients = region_grow(sim->region, sim->clients, sim->n_clients,
	    &sim->cap_clients, sizeof(struct client *));
	sim->clients[sim->n_clients++] = c;
	if (!c->background)
		sim->n_foreground++;
}

struct client *
sim_add_client(struct sim *sim, struct workload *workload,
    const struct client_options *options)
{
	uint32_t id = (uint32_t)sim->n_clients;
	struct walker *w = walker_new(sim, id, workload, options);

	sim_register_client(sim, &w->client);
	if (sim->backend->contexts != NULL)
		sim->backend->contexts(&w->client);
	sim->state = SIM_RUNNING;
	cpu_start(w);
	return &w->client;
}

/* Observers (observer.h). */

#define DEFINE(event, params, args)                                            \
	void observers_##event(struct observer *list, OBSERVER_UNPACK params)  \
	{                                                                      \
		for (struct observer *o = list; o != NULL; o = o->next) {      \
			if (o->event != NULL)                                  \
				o->event(o, OBSERVER_UNPACK args);             \
		}                                                              \
	}
OBSERVER_EVENTS(DEFINE)

/* The events that any observer listens to. */
static uint32_t
observed_events(const struct sim *sim)
{
	uint32_t mask = 0;

	for (const struct observer *o = sim->observers; o != NULL;
	     o = o->next) {
#define ADD(event, params, args)                                               \
	mask |= o->event != NULL ? OBSERVER_BIT(event) : 0;
		OBSERVER_EVENTS(ADD)
	}
	return mask;
}

void
sim_add_observer(struct sim *sim, struct observer *o)
{
	o->next = sim->observers;
	sim->observers = o;
	sim->observed = observed_events(sim);
}

void
sim_remove_observer(struct sim *sim, struct observer *o)
{
	struct observer **at = &sim->observers;

	while (*at != NULL && *at != o)
		at = &(*at)->next;
	if (*at != NULL)
		*at = o->next;
	sim->observed = observed_events(sim);
}

/* The loop. */

/* Returns true if a device does something that only its news will tell. */
static bool
awaits_news(const struct sim *sim)
{
	return sim->config.sched->awaits != NULL &&
	    sim->config.sched->awaits(sim);
}

static bool
is_done(const struct sim *sim)
{
	return sim->n_ended == sim->n_foreground && !sim->outsiders.open;
}

/* Returns true if only infinite batches run, or poll for each other, and no
 * client will change that. */
static bool
only_infinite_runs(const struct sim *sim)
{
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];

		if (exec_is_running(e) &&
		    (!e->running->infinite || sim_will_end(sim, e)))
			return false;
	}
	for (size_t i = 0; i < sim->n_clients; i++) {
		switch (sim->clients[i]->state) {
		case CLIENT_RUNNABLE:
		case CLIENT_SUBMITTING:
		case CLIENT_SLEEPING:
		case CLIENT_IDLING:
		case CLIENT_QUEUED:
		case CLIENT_WAKING: return false;
		default: break;
		}
	}
	return true;
}

/*
 * Timeslices and heartbeats of infinite batches, and background clients, keep
 * the event queue busy in a deadlock. It is looked for when the foreground has
 * made no progress in that many events or heartbeats; tests/engine's
 * test_standstill.c has the cases.
 */
#define QUIET_EVENTS 100000
#define QUIET_BEATS  100

static bool
is_deadlocked(struct sim *sim)
{
	if (outsiders_may_act(sim))
		return false;
	if (sim->progress != sim->seen_progress) {
		sim->seen_progress = sim->progress;
		sim->quiet_since = sim->n_events;
		sim->quiet_beats = sim->n_beats;
	}
	if (sim->n_events - sim->quiet_since < QUIET_EVENTS &&
	    sim->n_beats - sim->quiet_beats < QUIET_BEATS)
		return false;
	sim->quiet_since = sim->n_events;
	sim->quiet_beats = sim->n_beats;
	if (awaits_news(sim))
		return false;
	if (sim->n_foreground == sim->n_clients)
		return only_infinite_runs(sim);
	return sim_is_stuck(sim);
}

bool
sim_poll_stop(struct sim *sim)
{
	sim->stopped |= sim->poll(sim->poll_data) == SIM_STOP;
	return sim->stopped;
}

/* Polls between two instants, where a pause is possible. */
static bool
must_return(const struct sim *sim)
{
	return sim->poll != NULL && sim->poll(sim->poll_data) != SIM_GO_ON;
}

/* Runs the instant sim->now. */
static void
run_instant(struct sim *sim)
{
	struct client *c;

	new_pass(sim);
	instant_run(sim);
	while (!sim_stops(sim) && !is_done(sim) &&
	    (c = runnable_take(sim)) != NULL) {
		sim->progress += !c->background;
		client_go(c);
		instant_run(sim);
	}
	if (sim->stopped) {
		sim->state = SIM_STOPPED;
		return;
	}
	if (sim->paced && pacing_has_changed(&sim->pacing))
		pace_update(sim);
	if (sim->config.sched->instant_over != NULL)
		sim->config.sched->instant_over(sim);
	heartbeat_update(sim);
	instant_statistics(sim);
	new_pass(sim);
	sim->outsiders.touched = false;
	sim->n_instants++;
	if (is_done(sim))
		sim->state = SIM_DONE;
	else if (is_deadlocked(sim))
		sim->state = SIM_DEADLOCK;
	invariants_instant(sim);
}

nsec
sim_next_event(struct sim *sim)
{
	return runnable_is_pending(sim) || sim->outsiders.touched
	    ? sim->now
	    : event_next_time(&sim->events);
}

/* Runs the next instant. False: there is none up to until. */
static bool
run_next(struct sim *sim, nsec until)
{
	nsec next = sim_next_event(sim);

	if (sim->state != SIM_RUNNING)
		return false;
	if (is_done(sim)) {
		sim->state = SIM_DONE;
		return false;
	}
	if (next == NSEC_NEVER) {
		if (!outsiders_may_act(sim) && !awaits_news(sim))
			sim->state = SIM_DEADLOCK;
		return false;
	}
	if (next > NSEC_MAX && until >= NSEC_MAX) {
		sim->now = NSEC_MAX;
		sim->state = SIM_TIME_OVER;
		return false;
	}
	if (next > until)
		return false;
	sim->now = next;
	run_instant(sim);
	return true;
}

enum sim_ran
sim_run_instants(
    struct sim *sim, nsec until, uint64_t n_instants, uint64_t max_events)
{
	uint64_t last = max_events > 0 ? sim->n_events + max_events
				       : UINT64_MAX;

	do {
		if (sim->state != SIM_RUNNING)
			return SIM_ENDED;
		if (sim->n_instants >= n_instants || sim->n_events >= last)
			return SIM_RAN;
		if (must_return(sim))
			return SIM_HELD;
	} while (run_next(sim, until));
	if (sim->state != SIM_RUNNING)
		return SIM_ENDED;
	if (until <= NSEC_MAX && until > sim->now)
		sim->now = until;
	return SIM_RAN;
}

enum sim_ran
sim_go(struct sim *sim, nsec until, uint64_t max_events)
{
	return sim_run_instants(sim, until, UINT64_MAX, max_events);
}

enum sim_state
sim_run(struct sim *sim, nsec until, uint64_t max_events)
{
	enum sim_ran ran = sim_go(sim, until, max_events);

	assert(ran != SIM_HELD);
	(void)ran;
	return sim->state;
}

bool
sim_move_to(struct sim *sim, nsec then)
{
	if (then < sim->now || then > sim_next_event(sim))
		return false;
	sim->now = then;
	return true;
}

/* Returns how long the request on e has kept it busy. */
static nsec
busy_with_current(const struct sim *sim, const struct hw_engine *e)
{
	return hw_engine_busy(e, sim->now) - e->busy_ns;
}

nsec
sim_context_busy(const struct sim *sim, const struct context *context)
{
	nsec busy = context->busy_ns;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];

		if (e->running != NULL && e->running->context == context)
			busy = nsec_total(busy, busy_with_current(sim, e));
	}
	return busy;
}

/* Adds what e has done since it took the request that it has. */
static void
add_current(struct sim_times *times, const struct hw_engine *e, nsec now)
{
	nsec run = hw_engine_run(e, now) - e->run_ns;
	nsec sema = hw_engine_sema(e, now) - e->sema_ns;

	times->run_ns[e->index] = nsec_total(times->run_ns[e->index], run);
	times->all.ns[USE_RUNNING] = nsec_total(
	    times->all.ns[USE_RUNNING], run);
	times->all.ns[USE_POLLING] = nsec_total(
	    times->all.ns[USE_POLLING], sema);
}

void
sim_context_times(const struct sim *sim, const struct context *context,
    struct sim_times *times)
{
	nsec *all = times->all.ns;
	nsec other;

	*times = (struct sim_times){0};
	all[USE_POLLING] = context->sema_ns;
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];

		times->run_ns[i] = context->run_ns[i];
		all[USE_RUNNING] = nsec_total(
		    all[USE_RUNNING], context->run_ns[i]);
		if (e->running != NULL && e->running->context == context)
			add_current(times, e, sim->now);
	}
	times->busy = sim_context_busy(sim, context);
	other = nsec_total(all[USE_RUNNING], all[USE_POLLING]);
	all[USE_SWITCHING] = times->busy > other ? times->busy - other : 0;
}

nsec
sim_client_busy(const struct sim *sim, const struct client *client)
{
	nsec busy = client->busy_ns;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];

		if (e->running != NULL && e->running->client == client)
			busy = nsec_total(busy, busy_with_current(sim, e));
	}
	return busy;
}
