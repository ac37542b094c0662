/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/drm_ring.h"

#include <errno.h>
#include <stddef.h>

#include "engine/event.h"
#include "engine/gpu/exec.h"
#include "engine/gpu/pace.h"
#include "engine/hang/reset.h"
#include "engine/sched/drm_entity.h"
#include "engine/sim.h"

/* "Watching only the oldest pending job; restarted when that job finishes." */
static void
watch(struct sim *sim, struct drm_ring *ring)
{
	nsec timeout = sim->config.profile.job_timeout_ns;

	if (timeout > 0)
		timer_set(&sim->events, &ring->timer,
		    jiffies_expiry(&sim->config.profile, sim->now + timeout));
}

/* "For non-KERNEL prio jobs karma+1; if karma > hang_limit, entity marked
 * guilty": is it? */
static bool
blame(struct sim *sim, struct request *rq)
{
	struct drm_entity *entity = rq->ring->sched_data;

	if (entity->level == DRM_KERNEL)
		return true;
	if (++rq->karma <= sim->config.profile.hang_limit)
		return false;
	entity->guilty = true;
	return true;
}

static void
on_timeout(struct sim *sim, struct timer *timer)
{
	struct drm_ring *ring = (struct drm_ring *)(void *)((char *)timer -
	    offsetof(struct drm_ring, timer));
	struct request *rq = ring->engine->running;

	/* One that ends at the very instant has ended in time. */
	if (pace_is_at_end(rq, sim->now))
		return;
	reset_judged(sim, ring->engine, HANG_JOB, -ETIMEDOUT, blame(sim, rq));
}

void
drm_ring_init(struct drm_ring *ring, struct hw_engine *engine)
{
	ring->engine = engine;
	ring->last = &ring->first;
	timer_init(&ring->timer, on_timeout);
}

bool
drm_ring_has_credit(const struct sim *sim, const struct drm_ring *ring)
{
	return ring->credits < sim->config.profile.ring_credits;
}

/* The job becomes the oldest. */
static void
run(struct sim *sim, struct drm_ring *ring, struct request *rq,
    enum follows how)
{
	device_add_queued(&sim->device, ring->engine, -1);
	watch(sim, ring);
	port_take(sim, ring->engine, rq, how);
}

void
drm_ring_put(
    struct sim *sim, struct drm_ring *ring, struct request *rq, bool guilty)
{
	ring->credits++;
	if (guilty)
		request_fail(rq, -ECANCELED);
	fence_signal(&rq->issued, sim->now, 0);
	if (hw_engine_is_free(ring->engine)) {
		run(sim, ring, rq, FOLLOWS_CHOICE);
		return;
	}
	rq->next = NULL;
	*ring->last = rq;
	ring->last = &rq->next;
}

bool
drm_ring_is_followed(const struct drm_ring *ring)
{
	return ring->first != NULL;
}

void
drm_ring_go_on(struct sim *sim, struct drm_ring *ring)
{
	struct request *rq = ring->first;

	ring->first = rq->next;
	if (ring->first == NULL)
		ring->last = &ring->first;
	run(sim, ring, rq,
	    port_follows_ring(ring->engine, fence_time(&rq->issued)));
}

void
drm_ring_replay(struct sim *sim, struct drm_ring *ring, struct request *rq)
{
	timer_set(&sim->events, &ring->timer, NSEC_NEVER);
	device_add_queued(&sim->device, ring->engine, 1);
	rq->next = ring->first;
	ring->first = rq;
	if (rq->next == NULL)
		ring->last = &rq->next;
}

void
drm_ring_ended(struct sim *sim, struct drm_ring *ring)
{
	ring->credits--;
	timer_set(&sim->events, &ring->timer, NSEC_NEVER);
}
