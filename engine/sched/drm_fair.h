/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#ifndef ENGINE_SCHED_DRM_FAIR_H
#define ENGINE_SCHED_DRM_FAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/pairing.h"

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

#endif
