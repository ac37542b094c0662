/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_SCHED_DRM_H
#define ENGINE_SCHED_DRM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/nsec.h"
#include "engine/event.h"
#include "engine/gpu/engine.h"

struct drm_entity;
struct drm_scheduler;
struct hw_engine;
struct request;
struct sim;

/*
 * Levels of the DRM GPU scheduler (doc/model/drm.md "Entities and levels"), the
 * highest first. KERNEL is never used by clients.
 */

enum drm_level { DRM_KERNEL, DRM_HIGH, DRM_NORMAL, DRM_LOW, N_DRM_LEVELS };

static inline enum drm_level
drm_level_of(int priority)
{
	if (priority == 0)
		return DRM_NORMAL;
	return priority > 0 ? DRM_HIGH : DRM_LOW;
}

/*
 * The run queue of one level, as policies fifo and rr have it (doc/model/drm.md
 * "Selection"): the entities that have a ready head, by a key that none has
 * twice: fifo: the order of submission of the head; rr: the order of attachment
 * of the entity. With turns, the first one is the one after the turn, in a
 * circle.
 */

/* What an entity has of it; its memory stays readable as long as the queue is
 * there, so that one that was withdrawn can be recognised. */
struct drm_link {
	uint64_t key; /* in the queue with it; 0: not there */
};

struct drm_runqueue {
	struct heap now;        /* keys after the turn */
	struct heap next_round; /* the others: after the last the first again */
	uint64_t turn;          /* key taken last; 0: none, or no turns */
};

void drm_runqueue_free(struct drm_runqueue *q);
void drm_runqueue_add(
    struct drm_runqueue *q, uint64_t key, struct drm_link *link);
/* The one whose turn it is; NULL when none has a ready head. */
struct drm_link *drm_runqueue_first(struct drm_runqueue *q);
/* Takes that one out, and with turns moves the turn to it. */
struct drm_link *drm_runqueue_take(struct drm_runqueue *q, bool turns);
/* Takes one out before its turn. */
void drm_runqueue_withdraw(struct drm_link *link);
/* The turn begins anew, from the first. */
void drm_runqueue_restart(struct drm_runqueue *q);

/*
 * The run queue of policy fair (doc/model/drm.md "Shares"): all entities of a
 * scheduler that have jobs which are not on the ring, of whatever level,
 * ordered by their virtual runtime: the GPU time of their jobs, weighted by
 * level. The one that has had least goes first.
 *
 * What the facts leave open is chosen here as follows:
 *  - GPU time is what the batch itself ran. It is charged when a job of the
 *    entity is taken while more stay behind it, not when it ends: only so can
 *    one that waits for each of its jobs come back to the top of the queue,
 *    which the rule for joining is about. So a queue runs one job late.
 *  - The average job is an exponential one, the newest weighs a quarter.
 *  - "Just before" and "just after" the head are 1 ns of virtual runtime.
 *  - Where nobody is in the queue the least virtual runtime is 0.
 *  - Of equals the one that was attached first goes first.
 */

/* What an entity has of it. All zero for one that never had a job. */
struct fair_member {
	int64_t vruntime; /* ns; out of the queue: behind the least of it */
	nsec uncharged;   /* GPU time that vruntime does not have yet */
	nsec average_ns;  /* of its jobs */
	/* Its seq, which decides among equals, is in the order of
	 * attachment. */
	struct pairing_node node;
	uint8_t level; /* enum drm_level */
	bool is_queued;
	bool is_ready; /* its head */
};

struct fair_queue {
	struct pairing blocked, ready; /* by whether the head is */
	nsec average_ns;               /* of all jobs */
};

/* The entity has its first job that is not on the ring. */
void fair_queue_join(struct fair_queue *q, struct fair_member *m);
/* Its head is ready. */
void fair_queue_ready(struct fair_queue *q, struct fair_member *m);
/* Whose head goes next; NULL: none is ready. */
struct fair_member *fair_queue_first(const struct fair_queue *q);
/* Its head has been put on the ring; with more behind it. */
void fair_queue_take(struct fair_queue *q, struct fair_member *m, bool more);
/* It has no jobs any more that could go to the ring. */
void fair_queue_withdraw(struct fair_queue *q, struct fair_member *m);
/* A job of it has ended. */
void fair_queue_ended(struct fair_queue *q, struct fair_member *m, nsec ran);

/*
 * A policy: which entity of a scheduler puts its head on the ring next. fifo
 * and rr keep the levels apart, strictly (doc/model/drm.md "Selection"); fair
 * has one queue ("Shares").
 */

struct drm_policy {
	size_t entity_size; /* bytes of a struct drm_entity that it uses */
	/* The entity has its first job that is not on the ring. May be NULL. */
	void (*joins)(struct drm_entity *entity);
	/* Its head is ready. */
	void (*ready)(struct drm_entity *entity);
	/* Whose head goes next; NULL: none is ready. */
	struct drm_entity *(*first)(struct drm_scheduler *scheduler);
	/* The first one's head has been put on the ring. */
	void (*take)(struct drm_entity *entity);
	/* Its jobs that are not on the ring will not come to it, though its
	 * head may be ready. */
	void (*withdraw)(struct drm_entity *entity);
	/* A job of it has ended, having run for so long. May be NULL. */
	void (*ended)(struct drm_entity *entity, nsec ran);
	/* It has no jobs, and leaves the scheduler. May be NULL. */
	void (*leaves)(struct drm_entity *entity);
	/* Frees its queues. May be NULL. */
	void (*free)(struct drm_scheduler *scheduler);
};

extern const struct drm_policy drm_policy_fifo, drm_policy_rr, drm_policy_fair;

/*
 * Entities of the DRM GPU scheduler (doc/model/drm.md "Entities and levels").
 * An entity holds the jobs of one ring of a client (client.h) in the order of
 * submission; it is attached to the scheduler of one engine, in one level.
 */

/* The scheduler of one engine. */
struct drm_scheduler {
	const struct drm_policy *policy;
	union { /* the policy's own */
		struct drm_runqueue levels[N_DRM_LEVELS];
		struct fair_queue fair;
	};
	uint64_t score; /* attached entities, jobs that have not ended */
	/* What the policy said last; forgotten when that may have changed. */
	struct drm_entity *choice;
	bool has_chosen;
};

struct drm_entity {
	struct drm_scheduler *scheduler; /* NULL: not attached */
	uint8_t engine;                  /* index, of the scheduler */
	uint8_t level;                   /* enum drm_level */
	bool guilty;                     /* a job of it hung (drm_ring.h) */
	bool killed;                     /* its jobs go to no ring any more */
	uint32_t queued;                 /* jobs that are not on the ring */
	uint64_t number;                 /* in the order of attachment */
	struct request *head;            /* the first of them, if ready */
	/* The policy's own. Last, as there is only as much of it as the policy
	 * has (its entity_size). */
	union {
		struct drm_link link;    /* fifo, rr */
		struct fair_member fair; /* fair */
	};
};

/* Leaves where it was for the tail of a level of schedulers[engine], with a
 * number higher than all before; but stays where it is if that is there. */
void drm_entity_attach(struct drm_entity *entity,
    struct drm_scheduler *schedulers, unsigned engine, enum drm_level level,
    uint64_t *last_number);
/* It has no jobs. */
void drm_entity_detach(struct drm_entity *entity);

/* A job was submitted to it; its head, rq, is ready; its head, which is the
 * policy's choice, has been put on the ring; a job ended, having run so long. */
void drm_entity_submitted(struct drm_entity *entity);
void drm_entity_ready(struct drm_entity *entity, struct request *rq);
void drm_entity_issued(struct drm_entity *entity);
void drm_entity_ended(struct drm_entity *entity, nsec ran);

/* From now on its jobs go to no ring. Returns its head if that was ready, to
 * be dropped; else NULL. */
struct request *drm_entity_kill(struct drm_entity *entity);
/* A job of a killed entity, which was ready, has ended without the ring. */
void drm_entity_cancelled(struct drm_entity *entity);

/* The entity whose head goes next; NULL: none is ready. */
static inline struct drm_entity *
drm_scheduler_choice(struct drm_scheduler *scheduler)
{
	if (!scheduler->has_chosen)
		scheduler->choice = scheduler->policy->first(scheduler);
	scheduler->has_chosen = true;
	return scheduler->choice;
}

/* The engine with the lowest score, the first of several. */
unsigned drm_best_engine(
    const struct drm_scheduler *schedulers, engine_mask engines);

/*
 * The plain ring of an engine under the DRM GPU scheduler: it runs its jobs in
 * the order in which they were put there (doc/model/drm.md "Selection"), and
 * one timer watches the oldest of them (doc/model/drm.md "Timeouts").
 *
 * When the timer expires the engine is reset and the job's karma rises. With
 * more of it than the profile's hang_limit the job ends with -ETIMEDOUT and its
 * entity is guilty: whatever that puts on a ring from then on ends with
 * -ECANCELED after 0 ns (section 5.4); what is on the ring already has been
 * handed over and runs. With less the job begins anew, as drivers did while
 * they resubmitted after a reset; that is deprecated, and the mock of section
 * 5.7 has the job off the ring at once: as here with hang_limit 0. Those behind
 * it go on after it, when the reset is over. Jobs of level KERNEL have no
 * karma: they end at once, and nobody is guilty.
 */

struct drm_ring {
	struct hw_engine *engine;      /* runs the oldest job */
	struct request *first, **last; /* that follow it, linked by next */
	unsigned credits;              /* taken */
	struct timer timer;
};

void drm_ring_init(struct drm_ring *ring, struct hw_engine *engine);
/* May another job be put on it? */
bool drm_ring_has_credit(const struct sim *sim, const struct drm_ring *ring);
/* It runs at once if no other does; guilty: its entity is. */
void drm_ring_put(
    struct sim *sim, struct drm_ring *ring, struct request *rq, bool guilty);
/* Do jobs follow the one that runs, or that ran? */
bool drm_ring_is_followed(const struct drm_ring *ring);
/* The one that follows runs. */
void drm_ring_go_on(struct sim *sim, struct drm_ring *ring);
/* The oldest, which a reset took off the engine, is to begin anew. */
void drm_ring_replay(
    struct sim *sim, struct drm_ring *ring, struct request *rq);
/* The oldest has ended. */
void drm_ring_ended(struct sim *sim, struct drm_ring *ring);

#endif
