/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Heartbeats, which find engines that make no progress, and the watchdog, which
 * finds requests that take too long.
 */
#include "engine/hang/timeouts.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>

#include "base/util.h"
#include "engine/event.h"
#include "engine/hang/hang.h"
#include "engine/sched/preempt.h"
#include "engine/sim.h"

/* DRM_I915_HEARTBEAT_INTERVAL: the last beat is longer only with this one. */
#define DEFAULT_INTERVAL (2500 * NSEC_PER_MSEC)

/* Returns the time from this beat to the next. After the last pulse it leaves
 * time for a preempt timeout. */
static nsec
interval(const struct sim *sim, const struct hw_engine *e)
{
	nsec usual = e->knobs.heartbeat_ns;
	nsec twice = 2 * preempt_timeout(sim, e);

	if (e->heartbeat.pulse != PULSE_BARRIER || usual != DEFAULT_INTERVAL)
		return usual;
	return twice > usual ? twice : usual;
}

static nsec
next_beat(const struct sim *sim, const struct hw_engine *e)
{
	return jiffies_heartbeat(
	    &sim->config.profile, sim->now, interval(sim, e));
}

static void
on_heartbeat_stopped(struct sim *sim, struct hw_engine *e)
{
	if (sim->config.sched->heartbeat_resets_all)
		reset_gpu(sim, e, HANG_HEARTBEAT, -EIO);
	else
		reset_after_hang(sim, e, HANG_HEARTBEAT, -EIO);
}

/* Sends the first pulse, or the next in priority. */
static void
raise_pulse(struct sim *sim, struct hw_engine *e)
{
	e->heartbeat.pulse++;
	e->heartbeat.raised_ns = sim->now;
	sim->config.sched->pulse(sim, e);
}

static void
on_beat(struct sim *sim, struct timer *timer)
{
	struct hw_engine *e = container_of(
	    timer, struct hw_engine, heartbeat.timer);

	sim->n_beats++;
	if (e->running == NULL)
		heartbeat_answered(e);
	else if (e->heartbeat.pulse == PULSE_BARRIER)
		on_heartbeat_stopped(sim, e);
	else
		raise_pulse(sim, e);
	timer_set(&sim->events, timer, next_beat(sim, e));
}

void
heartbeat_init(struct sim *sim)
{
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		timer_init(&sim->device.engines[i].heartbeat.timer, on_beat);
}

void
heartbeat_update(struct sim *sim)
{
	struct device *dev = &sim->device;
	engine_mask m = (dev->held ^ dev->awake) & dev->touched & dev->beating;

	if (m == 0 || sim->config.sched->pulse == NULL)
		return;
	dev->awake ^= m;
	for (; m != 0; m &= m - 1) {
		struct hw_engine *e = &dev->engines[__builtin_ctzll(m)];

		heartbeat_answered(e);
		timer_set(&sim->events, &e->heartbeat.timer,
		    e->running != NULL ? next_beat(sim, e) : NSEC_NEVER);
	}
}

void
heartbeat_set_interval(struct sim *sim, struct hw_engine *e, nsec interval)
{
	bool beats = interval > 0 && !sim->heartbeats_stopped &&
	    sim->config.sched->pulse != NULL;
	bool awake = beats && e->running != NULL;
	struct device *dev = &sim->device;

	e->knobs.heartbeat_ns = interval;
	heartbeat_answered(e);
	dev->beating = beats ? dev->beating | e->bit : dev->beating & ~e->bit;
	dev->awake = awake ? dev->awake | e->bit : dev->awake & ~e->bit;
	timer_set(&sim->events, &e->heartbeat.timer,
	    awake ? next_beat(sim, e) : NSEC_NEVER);
}

void
heartbeat_stop(struct sim *sim, bool stop)
{
	struct device *dev = &sim->device;

	if (sim->heartbeats_stopped == stop)
		return;
	sim->heartbeats_stopped = stop;
	for (unsigned i = 0; i < dev->n_engines; i++) {
		struct hw_engine *e = &dev->engines[i];

		heartbeat_set_interval(sim, e, e->knobs.heartbeat_ns);
		device_touch(dev, e);
	}
}

int
heartbeat_priority(const struct hw_engine *e)
{
	/* i915_priolist_types.h. */
	static const int priorities[] = {
	    [PULSE_NONE] = INT_MIN,
	    [PULSE_MIN] = -1024,
	    [PULSE_NORMAL] = 0,
	    [PULSE_HIGH] = 1025,
	    [PULSE_BARRIER] = INT_MAX - 1,
	};

	return priorities[e->heartbeat.pulse];
}

void
heartbeat_answered(struct hw_engine *e)
{
	e->heartbeat.pulse = PULSE_NONE;
}

/* The watchdog. */

static void
watch_oldest(struct sim *sim)
{
	struct watchdog *w = &sim->watchdog;

	timer_set(&sim->events, &w->timer,
	    w->first != NULL
		? nsec_later(sim->now, w->first->queued.time + w->timeout)
		: NSEC_NEVER);
}

static void
unwatch(struct watchdog *w, struct request *rq)
{
	if (rq->watch_prev != NULL)
		rq->watch_prev->watch_next = rq->watch_next;
	else
		w->first = rq->watch_next;
	if (rq->watch_next != NULL)
		rq->watch_next->watch_prev = rq->watch_prev;
	else
		w->last = rq->watch_prev;
	rq->watch_prev = rq->watch_next = NULL;
}

static void
on_request_timeout(struct sim *sim, struct timer *timer)
{
	struct watchdog *w = &sim->watchdog;
	struct request *rq;

	(void)timer;
	while ((rq = w->first) != NULL &&
	    rq->queued.time + w->timeout <= sim->now) {
		unwatch(w, rq);
		revoke_timed_out(sim, rq);
	}
	watch_oldest(sim);
}

void
watchdog_init(struct sim *sim)
{
	timer_init(&sim->watchdog.timer, on_request_timeout);
	sim->watchdog.timeout = sim->config.sched->watchdog
	    ? sim->config.profile.request_timeout_ns
	    : 0;
}

void
watchdog_set_timeout(struct sim *sim, nsec timeout)
{
	struct watchdog *w = &sim->watchdog;

	if (sim->config.profile.request_timeout_ns == 0)
		return; /* requests have no memory for it */
	if (sim->config.sched->set_watchdog != NULL)
		sim->config.sched->set_watchdog(sim, timeout);
	if (!sim->config.sched->watchdog)
		return;
	w->timeout = timeout;
	while (timeout == 0 && w->first != NULL)
		unwatch(w, w->first);
	watch_oldest(sim);
}

void
watchdog_ready(struct sim *sim, struct request *rq)
{
	struct watchdog *w = &sim->watchdog;

	if (w->timeout == 0)
		return;
	rq->watch_prev = w->last;
	if (w->last != NULL)
		w->last->watch_next = rq;
	else
		w->first = rq;
	w->last = rq;
	if (w->first == rq)
		watch_oldest(sim);
}

void
watchdog_ended(struct sim *sim, struct request *rq)
{
	struct watchdog *w = &sim->watchdog;
	bool first = w->first == rq;

	if (w->timeout == 0 || (!first && rq->watch_prev == NULL))
		return; /* not watched: it has expired, or was never ready */
	unwatch(w, rq);
	if (first)
		watch_oldest(sim);
}
