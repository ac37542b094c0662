/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scheduler drm (doc/model/drm.md, whose headings the comments quote): each
 * engine has a plain ring that runs its jobs in order, fed by a DRM GPU
 * scheduler of its own. A job is a request.
 *
 * Only the head of an entity is ever considered, yet there is no queue of jobs:
 * beside its own waits, each job waits until the job before it was put on the
 * ring.
 */
#include "engine/sched/drm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/region.h"
#include "engine/gpu/exec.h"
#include "engine/instant.h"
#include "engine/sched/sched.h"
#include "engine/sim.h"

struct drm {
	struct drm_scheduler schedulers[DEVICE_MAX_ENGINES];
	struct drm_ring rings[DEVICE_MAX_ENGINES];
	engine_mask ready;     /* engines that may have a ready head */
	engine_mask full;      /* rings without a free credit */
	engine_mask following; /* rings with jobs behind the running one */
	struct pool entities;
	uint64_t last_number;      /* of the entity attached last */
	struct request *cancelled; /* jobs to cancel now, linked by next */
};

static void *
create_with_policy(struct sim *sim, const struct drm_policy *policy)
{
	struct drm *drm = region_alloc(sim->region, 1, sizeof *drm);

	pool_init(&drm->entities, sim->region, policy->entity_size);
	for (unsigned i = 0; i < DEVICE_MAX_ENGINES; i++) {
		drm->schedulers[i].policy = policy;
		if (policy->init != NULL)
			policy->init(&drm->schedulers[i], sim->region);
		drm_ring_init(&drm->rings[i], &sim->device.engines[i]);
	}
	return drm;
}

static void *
drm_create(struct sim *sim)
{
	return create_with_policy(sim, &drm_policy_fifo);
}

static void *
drm_rr_create(struct sim *sim)
{
	return create_with_policy(sim, &drm_policy_rr);
}

static void *
drm_fair_create(struct sim *sim)
{
	return create_with_policy(sim, &drm_policy_fair);
}

/* Submission: the engine of a job, and what it waits for. */

static struct drm_entity *
entity_of(struct drm *drm, struct ring *ring)
{
	struct drm_entity *entity = ring->sched_data;

	if (entity == NULL) {
		entity = pool_get(&drm->entities);
		memset(entity, 0, drm->entities.size);
		ring->sched_data = entity;
	}
	return entity;
}

/* Binds a job to an engine ("Binding is early"). An idle entity, whose jobs
 * have all ended, takes the level that its context has now; if it is load
 * balanced, it moves to the engine with the lowest score, in which its own
 * place counts. Any other entity stays where it is. From here on the job is
 * like one for a fixed engine. */
static void
bind_job(struct sim *sim, struct request *rq)
{
	struct drm *drm = sim->sched_data;
	struct ring *ring = rq->ring;
	struct drm_entity *entity = entity_of(drm, ring);

	if (ring->in_flight == 0) {
		unsigned engine = ring->def->is_virtual
		    ? drm_best_engine(drm->schedulers, ring->def->engines)
		    : ring->def->engine;

		drm_entity_attach(entity, drm->schedulers, engine,
		    drm_level_of(rq->priority), &drm->last_number);
	}
	fence_init(&rq->issued, FENCE_ISSUED);
	rq->is_virtual = false;
	rq->engine = &sim->device.engines[entity->engine];
	rq->allowed = (engine_mask)1 << entity->engine;
	drm_entity_submitted(entity);
}

/* Returns the fence of the signaler that ends the wait ("Ready"); NULL: rq need
 * not wait. */
static struct fence *
job_fence_of(const struct request *rq, const struct dependency *dep)
{
	struct request *signaler = dep->signaler;

	if (dep->cause == WAIT_TIMELINE)
		return &signaler->issued;
	if (signaler->ring == rq->ring)
		return NULL;
	if (dep->cause == WAIT_SUBMIT || signaler->engine == rq->engine)
		return &signaler->issued;
	return &signaler->finished;
}

static void
drm_depends(struct sim *sim, struct request *rq, const struct dependency *deps,
    size_t n)
{
	bind_job(sim, rq);
	for (size_t i = 0; i < n; i++) {
		struct fence *f = job_fence_of(rq, &deps[i]);

		if (f != NULL && !fence_signalled(f))
			instant_wait(sim, rq, f);
	}
}

/* Ends a ready job of a killed entity with -ESRCH ("Killed clients"). It needs
 * no credit and no turn, but jobs end in order: if others of its ring have not
 * ended, it stays the head until they have. */
static void
cancel_job(struct sim *sim, struct request *rq)
{
	struct drm_entity *entity = rq->ring->sched_data;

	if (rq->ring->first != rq) {
		entity->head = rq;
		return;
	}
	drm_entity_cancelled(entity);
	fence_signal(&rq->issued, sim->now, 0);
	rq->error = -ESRCH;
	exec_cancel(sim, rq, -ESRCH);
}

static void
drm_ready(struct sim *sim, struct request *rq)
{
	struct drm *drm = sim->sched_data;
	struct drm_entity *entity = rq->ring->sched_data;

	if (entity->killed) {
		cancel_job(sim, rq);
		return;
	}
	drm_entity_ready(entity, rq);
	drm->ready |= rq->allowed;
	device_add_queued(&sim->device, rq->engine, 1);
}

/* Runs the next job of the first ring that has one and whose engine is free;
 * false: there is none. */
static bool
run_next_jobs(struct sim *sim)
{
	struct drm *drm = sim->sched_data;

	engine_mask free = drm->following & sim->device.free;
	struct drm_ring *ring;

	if (free == 0)
		return false;
	ring = &drm->rings[__builtin_ctzll(free)];
	drm_ring_go_on(sim, ring);
	if (!drm_ring_is_followed(ring))
		drm->following &= ~(free & -free);
	return true;
}

/* Returns the entity whose head goes to a ring next: of the choices of all
 * schedulers with a credit, the one submitted first. NULL: there is none. */
static struct drm_entity *
choose_entity(struct drm *drm)
{
	struct drm_entity *best = NULL;

	for (engine_mask m = drm->ready & ~drm->full; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);
		struct drm_entity *entity = drm_scheduler_choice(
		    &drm->schedulers[i]);

		if (entity == NULL)
			drm->ready &= ~((engine_mask)1 << i);
		else if (best == NULL || entity->head->seq < best->head->seq)
			best = entity;
	}
	return best;
}

/* Puts the head of the entity on its ring. */
static void
issue_head(struct sim *sim, struct drm_entity *entity)
{
	struct drm *drm = sim->sched_data;
	struct drm_ring *ring = &drm->rings[entity->engine];
	engine_mask engine = (engine_mask)1 << entity->engine;
	struct request *rq = entity->head;

	drm_entity_issued(entity);
	drm_ring_put(sim, ring, rq, entity->guilty);
	if (!drm_ring_has_credit(sim, ring))
		drm->full |= engine;
	if (drm_ring_is_followed(ring))
		drm->following |= engine;
}

static bool
drm_step(struct sim *sim)
{
	struct drm *drm = sim->sched_data;
	struct request *rq = drm->cancelled;
	struct drm_entity *entity;

	if (rq != NULL) {
		drm->cancelled = rq->next;
		cancel_job(sim, rq);
		return true;
	}
	if (run_next_jobs(sim))
		return true;
	entity = choose_entity(drm);
	if (entity == NULL)
		return false;
	issue_head(sim, entity);
	return true;
}

static void
drm_replay(struct sim *sim, struct hw_engine *e, struct request *rq)
{
	struct drm *drm = sim->sched_data;

	drm_ring_replay(sim, &drm->rings[e->index], rq);
	drm->following |= rq->allowed;
}

/* Prefetches the job that is issued next. */
static void
prefetch_choice(struct drm_scheduler *scheduler)
{
	const struct drm_entity *entity = drm_scheduler_choice(scheduler);

	if (entity != NULL)
		request_prefetch(entity->head);
}

static void
drm_ended(struct sim *sim, struct hw_engine *e, struct request *rq)
{
	struct drm *drm = sim->sched_data;
	struct drm_entity *entity = rq->ring->sched_data;

	drm_ring_ended(sim, &drm->rings[e->index]);
	drm->full &= ~e->bit;
	drm_entity_ended(entity, rq->run_ns);
	prefetch_choice(&drm->schedulers[e->index]);
	if (entity->killed && entity->head != NULL &&
	    rq->next_of_ring == entity->head) {
		entity->head->next = drm->cancelled;
		drm->cancelled = entity->head;
	}
}

static void
drm_ring_killed(struct sim *sim, struct ring *ring)
{
	struct drm_entity *entity = ring->sched_data;
	struct request *head = drm_entity_kill(entity);

	if (head == NULL)
		return;
	device_add_queued(&sim->device, head->engine, -1);
	cancel_job(sim, head);
}

/* Frees an entity, which "leaves when its client has ended". */
static void
drm_ring_closed(struct sim *sim, struct ring *ring)
{
	struct drm *drm = sim->sched_data;
	struct drm_entity *entity = ring->sched_data;

	drm_entity_detach(entity);
	pool_put(&drm->entities, entity);
	ring->sched_data = NULL;
}

/* An s-n wait is over when the job is on a ring. */
static bool
drm_has_started(const struct request *rq)
{
	return fence_signalled(&rq->issued);
}

/* A job of a killed entity ends without an engine, unless it is on a ring. */
static bool
drm_is_dropped(const struct request *rq)
{
	const struct drm_entity *entity = rq->ring->sched_data;

	return entity->killed && !fence_signalled(&rq->issued);
}

/* The operations that all policies share. */
#define DRM_OPS                                                                \
	.three_levels = true, .never_preempts = true, .job_timeout = true,     \
	.depends = drm_depends, .ready = drm_ready, .step = drm_step,          \
	.ended = drm_ended, .replay = drm_replay,                              \
	.ring_killed = drm_ring_killed, .ring_closed = drm_ring_closed,        \
	.has_started = drm_has_started, .is_dropped = drm_is_dropped

const struct sched_ops sched_drm = {
    .name = "drm",
    .takes_turns = true,
    .summary = "the DRM scheduler over plain rings: levels, first submitted "
	       "first",
    .create = drm_create,
    DRM_OPS,
};

const struct sched_ops sched_drm_rr = {
    .name = "drm:rr",
    .takes_turns = true,
    .summary = "the DRM scheduler over plain rings: levels, entities in turn",
    .create = drm_rr_create,
    DRM_OPS,
};

const struct sched_ops sched_drm_fair = {
    .name = "drm:fair",
    .takes_turns = true,
    .summary = "the DRM scheduler over plain rings: GPU time shared out by "
	       "level",
    .create = drm_fair_create,
    DRM_OPS,
};
