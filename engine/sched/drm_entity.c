/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entities, which hold the jobs of a ring of a client, and the plain rings of
 * the engines, which run jobs and watch the oldest. */
#include "engine/sched/drm.h"

#include <errno.h>
#include <stddef.h>

#include "base/util.h"
#include "engine/event.h"
#include "engine/gpu/exec.h"
#include "engine/gpu/pace.h"
#include "engine/hang/hang.h"
#include "engine/sim.h"

void
drm_entity_detach(struct drm_entity *entity)
{
	struct drm_scheduler *scheduler = entity->scheduler;

	if (scheduler == NULL)
		return;
	scheduler->score--;
	if (scheduler->policy->leaves != NULL)
		scheduler->policy->leaves(entity);
	scheduler->has_chosen = false;
	entity->scheduler = NULL;
}

void
drm_entity_attach(struct drm_entity *entity, struct drm_scheduler *schedulers,
    unsigned engine, enum drm_level level, uint64_t *last_number)
{
	struct drm_scheduler *scheduler = &schedulers[engine];

	if (entity->scheduler == scheduler && entity->level == level)
		return;
	drm_entity_detach(entity);
	entity->scheduler = scheduler;
	entity->engine = (uint8_t)engine;
	entity->level = (uint8_t)level;
	entity->number = ++*last_number;
	scheduler->score++;
}

void
drm_entity_submitted(struct drm_entity *entity)
{
	struct drm_scheduler *scheduler = entity->scheduler;

	scheduler->score++;
	if (entity->queued++ == 0 && !entity->killed &&
	    scheduler->policy->joins != NULL)
		scheduler->policy->joins(entity);
}

void
drm_entity_ready(struct drm_entity *entity, struct request *rq)
{
	entity->head = rq;
	entity->scheduler->policy->ready(entity);
	entity->scheduler->has_chosen = false;
}

void
drm_entity_issued(struct drm_entity *entity)
{
	entity->queued--;
	entity->scheduler->policy->take(entity);
	entity->scheduler->has_chosen = false;
	entity->head = NULL;
}

void
drm_entity_ended(struct drm_entity *entity, nsec ran)
{
	struct drm_scheduler *scheduler = entity->scheduler;

	scheduler->score--;
	if (scheduler->policy->ended != NULL)
		scheduler->policy->ended(entity, ran);
}

struct request *
drm_entity_kill(struct drm_entity *entity)
{
	struct request *head = entity->head;

	if (entity->killed)
		return NULL;
	entity->killed = true;
	entity->head = NULL;
	entity->scheduler->policy->withdraw(entity);
	entity->scheduler->has_chosen = false;
	return head;
}

void
drm_entity_cancelled(struct drm_entity *entity)
{
	entity->head = NULL;
	entity->queued--;
	entity->scheduler->score--;
}

unsigned
drm_best_engine(const struct drm_scheduler *schedulers, engine_mask engines)
{
	unsigned best = (unsigned)__builtin_ctzll(engines);

	for (engine_mask m = engines; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);

		if (schedulers[i].score < schedulers[best].score)
			best = i;
	}
	return best;
}

/* Starts the timeout of the oldest job, which has just become that. */
static void
ring_watch_oldest(struct sim *sim, struct drm_ring *ring)
{
	nsec timeout = sim->config.profile.job_timeout_ns;

	if (timeout > 0)
		timer_set(&sim->events, &ring->timer,
		    jiffies_expiry(&sim->config.profile, sim->now + timeout));
}

/* Raises the karma of a job that hung. Returns true if it is guilty, and with
 * it its entity: its karma exceeds hang_limit, or its level has no karma. */
static bool
entity_blame(struct sim *sim, struct request *rq)
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
on_job_timeout(struct sim *sim, struct timer *timer)
{
	struct drm_ring *ring = container_of(timer, struct drm_ring, timer);
	struct request *rq = ring->engine->running;

	/* A job that ends at this instant ends in time. */
	if (pace_is_at_end(rq, sim->now))
		return;
	reset_with_guilt(
	    sim, ring->engine, HANG_JOB, -ETIMEDOUT, entity_blame(sim, rq));
}

void
drm_ring_init(struct drm_ring *ring, struct hw_engine *engine)
{
	ring->engine = engine;
	ring->last = &ring->first;
	timer_init(&ring->timer, on_job_timeout);
}

bool
drm_ring_has_credit(const struct sim *sim, const struct drm_ring *ring)
{
	return ring->credits < sim->config.profile.ring_credits;
}

/* Puts a job on the engine: it is the oldest now. */
static void
ring_run(struct sim *sim, struct drm_ring *ring, struct request *rq,
    enum follows how)
{
	device_add_queued(&sim->device, ring->engine, -1);
	ring_watch_oldest(sim, ring);
	exec_take(sim, ring->engine, rq, how);
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
		ring_run(sim, ring, rq, FOLLOWS_CHOICE);
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
	ring_run(sim, ring, rq,
	    exec_follows_ring(ring->engine, fence_time(&rq->issued)));
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
