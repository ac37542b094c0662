/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/hang/watchdog.h"

#include <errno.h>

#include "engine/hang/revoke.h"
#include "engine/sim.h"

static void
watch_first(struct sim *sim)
{
	struct watchdog *w = &sim->watchdog;

	timer_set(&sim->events, &w->timer,
	    w->first != NULL ? w->first->queued.time + w->timeout : NSEC_NEVER);
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
on_expiry(struct sim *sim, struct timer *timer)
{
	struct watchdog *w = &sim->watchdog;
	struct request *rq;

	(void)timer;
	while ((rq = w->first) != NULL &&
	    rq->queued.time + w->timeout <= sim->now) {
		unwatch(w, rq);
		revoke_timed_out(sim, rq);
	}
	watch_first(sim);
}

void
watchdog_init(struct sim *sim)
{
	timer_init(&sim->watchdog.timer, on_expiry);
	sim->watchdog.timeout = sim->config.sched->watchdog
	    ? sim->config.profile.request_timeout_ns
	    : 0;
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
		watch_first(sim);
}

void
watchdog_ended(struct sim *sim, struct request *rq)
{
	struct watchdog *w = &sim->watchdog;
	bool first = w->first == rq;

	if (w->timeout == 0 || (!first && rq->watch_prev == NULL))
		return; /* not watched: expired, or never ready */
	unwatch(w, rq);
	if (first)
		watch_first(sim);
}
