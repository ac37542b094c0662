/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The watchdog of guc is the timeout of the DRM scheduler in front
 * (doc/model/hangs.md "Watchdog"): each queue has a scheduler of its own, which
 * watches the oldest request that it has handed over, from when that became the
 * oldest. One that has not ended request_timeout_ms later is cancelled with
 * -EINTR (revoke.h), running or not, and the others of its context go on: the
 * next is the oldest when it has ended.
 *
 * All queues have the same time, so they expire in the order in which they were
 * noted: one list, and one timer for its first.
 *
 * Under Xe it is the job timeout (doc/model/guc.md "Job timeouts of Xe"): the
 * oldest request must have run for that long, but for 5 %, else it gets as long
 * again; one that has not begun has three such times. Then its queue is banned.
 */
#ifndef ENGINE_SCHED_GUC_TDR_H
#define ENGINE_SCHED_GUC_TDR_H

#include "engine/event.h"

struct sim;
struct guc_queue;
struct profile;

struct guc_tdr {
	nsec timeout; /* 0: off */
	struct guc_queue *first, *last;
	struct timer timer;
};

/* Of a queue; zeroed at first. */
struct guc_tdr_entry {
	nsec since;
	struct guc_queue *next, *prev;
	uint8_t strikes; /* Xe: times that it was over before it had begun */
};

/* 0: off. */
nsec guc_tdr_timeout(const struct profile *profile);

/* Before anything runs. */
void guc_tdr_init(struct sim *sim, struct guc_tdr *tdr);
/* The first request of q is its oldest since now. */
void guc_tdr_begin(struct sim *sim, struct guc_queue *q);
/* It ends. */
void guc_tdr_end(struct sim *sim, struct guc_queue *q);
/* Xe: all requests of q that have no error yet, and all that come, end with
 * -ECANCELED, without running on. */
void guc_tdr_ban(struct sim *sim, struct guc_queue *q);

#endif
