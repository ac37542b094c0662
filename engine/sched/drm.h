/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The DRM GPU scheduler over plain rings (doc/model/drm.md): one scheduler and
 * one ring per engine.
 *
 *   drm.c         binds jobs to engines, and makes the decisions
 *   drm_entity.c  entities, which hold the jobs of one ring of a client; the
 *                 rings, which run jobs in order
 *   drm_policy.c  which entity is next: fifo, rr, fair
 *
 * On a plain ring jobs end in the order in which they were put there. Only the
 * ring may rely on that: credits, scores and fences are given back by whichever
 * job ends.
 */
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

/* Levels ("Entities and levels"), the highest first. No client has KERNEL. */
enum drm_level { DRM_KERNEL, DRM_HIGH, DRM_NORMAL, DRM_LOW, N_DRM_LEVELS };

static inline enum drm_level
drm_level_of(int priority)
{
	if (priority == 0)
		return DRM_NORMAL;
	return priority > 0 ? DRM_HIGH : DRM_LOW;
}

/*
 * The run queue of one level, for policies fifo and rr ("Selection"): the
 * entities with a ready head, in the order of a key. Keys are unique: fifo uses
 * the head's order of submission, rr the entity's order of attachment. With
 * turns, the first entity is the next one after the turn, in a circle.
 */

/* The part of an entity. Its memory must stay readable as long as the queue
 * exists: an entry that was withdrawn is recognised when it comes up. */
struct drm_link {
	uint64_t key; /* in the queue with this key; 0: not in it */
};

struct drm_runqueue {
	struct heap now;        /* keys after the turn */
	struct heap next_round; /* the others: they follow the last of now */
	uint64_t turn;          /* key taken last; 0: none, or no turns */
};

/* Adds a link with a key that was never used in q. */
void drm_runqueue_add(
    struct drm_runqueue *q, uint64_t key, struct drm_link *link);
/* Returns the next entity's link; NULL: no entity has a ready head. */
struct drm_link *drm_runqueue_first(struct drm_runqueue *q);
/* Removes and returns the first; with turns, the turn moves to it. */
struct drm_link *drm_runqueue_take(struct drm_runqueue *q, bool turns);
/* Removes a link before its turn. */
void drm_runqueue_withdraw(struct drm_link *link);
/* Starts the circle again from the first. */
void drm_runqueue_restart(struct drm_runqueue *q);

/*
 * The run queue of policy fair ("Shares"): all entities with jobs that are not
 * on the ring, of all levels, by virtual runtime: the GPU time of their jobs,
 * weighted by level. The entity with the least is first.
 *
 * Where the kernel leaves a choice, the model chooses:
 *  - GPU time is the run time of the batch. It is charged when a job of the
 *    entity is taken while more are behind it, not when the job ends. Only so
 *    can an entity that waits for each of its jobs come back to the top of the
 *    queue, which the rule for joining is about. So a queue runs one job late.
 *  - The average job is exponential: the newest counts a quarter.
 *  - "Just before" and "just after" the head are 1 ns of virtual runtime.
 *  - In an empty queue the least virtual runtime is 0.
 *  - Of equals the entity that was attached first is first.
 */

/* The part of an entity. All zeros for one that never had a job. */
struct fair_member {
	int64_t vruntime; /* ns; outside the queue: offset to its minimum */
	nsec uncharged;   /* GPU time that vruntime lacks */
	nsec average_ns;  /* of its jobs */
	/* node.seq, which decides among equals, is the order of attachment. */
	struct pairing_node node;
	uint8_t level; /* enum drm_level */
	bool is_queued;
	bool is_ready; /* its head is */
};

struct fair_queue {
	struct pairing blocked, ready; /* by whether the head is ready */
	nsec average_ns;               /* of all jobs */
};

/* Adds an entity, which has its first job that is not on the ring. */
void fair_queue_join(struct fair_queue *q, struct fair_member *m);
/* Notes that the head of an entity is ready. */
void fair_queue_ready(struct fair_queue *q, struct fair_member *m);
/* Returns the entity whose head is next; NULL: no head is ready. */
struct fair_member *fair_queue_first(const struct fair_queue *q);
/* The head of the entity was put on the ring; more: it has other jobs, and
 * stays in the queue. */
void fair_queue_take(struct fair_queue *q, struct fair_member *m, bool more);
/* Counts a job of the entity that ended after running for ran ns. */
void fair_queue_ended(struct fair_queue *q, struct fair_member *m, nsec ran);

/*
 * A policy: which entity of a scheduler puts its head on the ring next. fifo
 * and rr keep the levels strictly apart ("Selection"); fair has one queue
 * ("Shares"). Functions that may be NULL then do nothing.
 */
struct drm_policy {
	size_t entity_size; /* bytes of a struct drm_entity that it uses */
	/* The entity has its first job that is not on the ring. May be NULL. */
	void (*joins)(struct drm_entity *entity);
	/* The head of the entity is ready. */
	void (*ready)(struct drm_entity *entity);
	/* Returns the entity whose head is next; NULL: no head is ready. */
	struct drm_entity *(*first)(struct drm_scheduler *scheduler);
	/* The head of the entity, which was the first, went to the ring. */
	void (*take)(struct drm_entity *entity);
	/* The jobs of the entity that are not on the ring will not go there,
	 * though its head may be ready. */
	void (*withdraw)(struct drm_entity *entity);
	/* A job of the entity ended after running for ran ns. May be NULL. */
	void (*ended)(struct drm_entity *entity, nsec ran);
	/* The entity, without jobs, leaves the scheduler. May be NULL. */
	void (*leaves)(struct drm_entity *entity);
	/* Prepares the policy's queues of a scheduler, which is all zero. May
	 * be NULL. */
	void (*init)(struct drm_scheduler *scheduler, struct region *region);
};

extern const struct drm_policy drm_policy_fifo, drm_policy_rr, drm_policy_fair;

/* The scheduler of one engine. */
struct drm_scheduler {
	const struct drm_policy *policy;
	union { /* the policy's own */
		struct drm_runqueue levels[N_DRM_LEVELS];
		struct fair_queue fair;
	};
	uint64_t score; /* attached entities plus jobs that have not ended */
	/* The policy's last answer, if it still holds (has_chosen). */
	struct drm_entity *choice;
	bool has_chosen;
};

/* An entity ("Entities and levels"): the jobs of one ring of a client, in order
 * of submission. It is attached to the scheduler of one engine, in a level. */
struct drm_entity {
	struct drm_scheduler *scheduler; /* NULL: not attached */
	uint8_t engine;                  /* index, of the scheduler */
	uint8_t level;                   /* enum drm_level */
	bool guilty;                     /* a job of it hung */
	bool killed;                     /* its jobs go to no ring any more */
	uint32_t queued;                 /* jobs that are not on the ring */
	uint64_t number;                 /* in the order of attachment */
	struct request *head;            /* the first of them, if ready */
	/* The policy's own. Last, as the entity has only as much of it as the
	 * policy needs (entity_size). */
	union {
		struct drm_link link;    /* fifo, rr */
		struct fair_member fair; /* fair */
	};
};

/* Detaches the entity and attaches it to the tail of a level of
 * schedulers[engine], with the next number; does nothing if it is in that level
 * already. */
void drm_entity_attach(struct drm_entity *entity,
    struct drm_scheduler *schedulers, unsigned engine, enum drm_level level,
    uint64_t *last_number);
/* Detaches an entity without jobs. */
void drm_entity_detach(struct drm_entity *entity);

/* Counts a job that was submitted to the entity. */
void drm_entity_submitted(struct drm_entity *entity);
/* Makes rq, which is ready, the head. */
void drm_entity_ready(struct drm_entity *entity, struct request *rq);
/* The head, which was the scheduler's choice, went to the ring. */
void drm_entity_issued(struct drm_entity *entity);
/* A job ended after running for ran ns. */
void drm_entity_ended(struct drm_entity *entity, nsec ran);

/* Stops jobs of the entity from going to a ring. Returns its head if that was
 * ready, for the caller to cancel; else NULL. */
struct request *drm_entity_kill(struct drm_entity *entity);
/* A ready job of a killed entity ended without the ring. */
void drm_entity_cancelled(struct drm_entity *entity);

/* Returns the entity whose head is next; NULL: no head is ready. */
static inline struct drm_entity *
drm_scheduler_choice(struct drm_scheduler *scheduler)
{
	if (!scheduler->has_chosen)
		scheduler->choice = scheduler->policy->first(scheduler);
	scheduler->has_chosen = true;
	return scheduler->choice;
}

/* Returns the engine with the lowest score, the first of several. */
unsigned drm_best_engine(
    const struct drm_scheduler *schedulers, engine_mask engines);

/*
 * The plain ring of an engine, which runs its jobs in order ("Selection"). One
 * timer watches the oldest job ("Timeouts").
 *
 * When the timer expires the engine is reset, and the karma of the job rises.
 * If its karma exceeds the profile's hang_limit, the job ends with -ETIMEDOUT
 * and its entity is guilty: jobs that it puts on a ring from then on end with
 * -ECANCELED after 0 ns; those on the ring already run. Else the job begins
 * anew, as with drivers that resubmitted jobs after a reset; that is deprecated
 * in the kernel, and hang_limit 0 switches it off. The jobs behind it go on
 * when the reset is over. Jobs of level KERNEL have no karma: they end at once,
 * and their entity is not guilty.
 */
struct drm_ring {
	struct hw_engine *engine;      /* runs the oldest job */
	struct request *first, **last; /* jobs behind it, linked by next */
	unsigned credits;              /* in use */
	struct timer timer;            /* job timeout */
};

/* Prepares the ring of an engine, before anything runs. */
void drm_ring_init(struct drm_ring *ring, struct hw_engine *engine);
/* Returns true if another job may be put on the ring. */
bool drm_ring_has_credit(const struct sim *sim, const struct drm_ring *ring);
/* Adds a job, which runs at once if the engine is free. guilty: its entity
 * is. */
void drm_ring_put(
    struct sim *sim, struct drm_ring *ring, struct request *rq, bool guilty);
/* Returns true if jobs are behind the one that runs, or ran last. */
bool drm_ring_is_followed(const struct drm_ring *ring);
/* Runs the next job; drm_ring_is_followed, and the engine is free. */
void drm_ring_go_on(struct sim *sim, struct drm_ring *ring);
/* Puts rq, which a reset took off the engine, in front, to begin anew. */
void drm_ring_replay(
    struct sim *sim, struct drm_ring *ring, struct request *rq);
/* The oldest job has ended. */
void drm_ring_ended(struct sim *sim, struct drm_ring *ring);

#endif
