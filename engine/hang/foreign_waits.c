/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits of requests for fences that are not the GPU's, software fences here: i915 ends
 * them after a time (doc/model/hangs.md "Foreign fences"). All have the same time, so
 * that they end in the order of submission.
 */
#include "base/region.h"
#include "engine/instant.h"
#include "engine/sim.h"

/* Entries at which the list is first looked through for those that are over. */
#define FEW_WAITS 64

/* A request that waits for software fences, until due at most. */
struct foreign_wait {
	struct request_ref request;
	nsec due;
};

/* Returns the request of an entry; NULL: it has ended or waits no more. */
static struct request *
still_blocked(const struct foreign_wait *wait)
{
	struct request *rq = request_get(wait->request);

	return rq != NULL && rq->state == REQUEST_BLOCKED ? rq : NULL;
}

static void
set_foreign_timer(struct sim *sim)
{
	const struct foreign_waits *waits = &sim->foreign;

	timer_set(&sim->events, &sim->foreign.timer,
	    waits->n > 0 ? waits->list[0].due : NSEC_NEVER);
}

/* Ends the waits of rq for software fences that have not signalled. */
static void
stop_foreign_waits(struct request *rq)
{
	for (struct waiter *w = rq->waits; w != NULL; w = w->next_of_owner) {
		if (w->fence == NULL || w->fence->kind != FENCE_SOFTWARE)
			continue;
		rq->gave_up = true;
		instant_stop_waiting(w);
	}
}

/* Removes the first entries, of which n are given, and those that are over. */
static void
drop_entries(struct foreign_waits *waits, size_t first)
{
	size_t kept = 0;

	for (size_t i = first; i < waits->n; i++)
		if (still_blocked(&waits->list[i]) != NULL)
			waits->list[kept++] = waits->list[i];
	waits->n = kept;
}

static void
on_foreign_timeout(struct sim *sim, struct timer *timer)
{
	struct foreign_waits *waits = &sim->foreign;
	size_t i;

	(void)timer;
	for (i = 0; i < waits->n && waits->list[i].due <= sim->now; i++) {
		struct request *rq = still_blocked(&waits->list[i]);

		if (rq != NULL)
			stop_foreign_waits(rq);
	}
	drop_entries(waits, i);
	set_foreign_timer(sim);
}

void
foreign_waits_init(struct sim *sim)
{
	struct foreign_waits *waits = &sim->foreign;

	timer_init(&waits->timer, on_foreign_timeout);
	waits->timeout = sim->config.sched->limits_foreign
	    ? sim->config.profile.fence_timeout_ns
	    : 0;
	waits->sweep_at = FEW_WAITS;
}

void
foreign_waits_add(struct sim *sim, struct request *rq)
{
	struct foreign_waits *waits = &sim->foreign;

	if (waits->timeout == 0)
		return;
	if (waits->n >= waits->sweep_at) {
		drop_entries(waits, 0);
		waits->sweep_at = 2 * waits->n + FEW_WAITS;
	}
	waits->list = region_grow(sim->region, waits->list, waits->n,
	    &waits->cap, sizeof *waits->list);
	waits->list[waits->n++] = (struct foreign_wait){request_ref(rq),
	    jiffies_second(&sim->config.profile, sim->now + waits->timeout)};
	if (waits->n == 1)
		set_foreign_timer(sim);
}
