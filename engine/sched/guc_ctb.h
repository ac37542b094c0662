/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The buffer of messages from the host to the GuC, of which there is one for each
 * gt (doc/model/guc.md "The message buffer"). Where it is full, nothing more of
 * the gt is handed over: queues wait, the one that found it full in front, the
 * others by band and then by the time at which they came. A queue that has its
 * turn hands over all that it has with one message.
 */
#ifndef ENGINE_SCHED_GUC_CTB_H
#define ENGINE_SCHED_GUC_CTB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pairing.h"
#include "engine/event.h"

struct sim;
struct request;
struct guc_queue;
struct profile;

#define GUC_MAX_GTS 16

/* The part of a queue; zeroed at first. */
struct guc_letter {
	struct pairing_node node;
	struct request *first; /* that waits for room; the next n - 1 of its
				  ring do, too */
	uint32_t n;            /* 0: none */
};

/* The buffer of one gt. */
struct guc_ctb {
	nsec empty_at; /* GuC has taken all messages out */
	struct pairing waiting;
	struct timer room;
};

struct guc_ctbs {
	unsigned capacity; /* messages; 0: no limit */
	nsec message_ns;   /* GuC takes one out in that time */
	uint64_t last;     /* counts those that came to wait */
	uint32_t n_waiting;
	uint64_t n_stalls; /* requests that waited */
	struct guc_ctb of_gt[GUC_MAX_GTS];
};

/* Is there a limit that can be reached? */
bool guc_ctb_is_limited(const struct profile *profile);
/* Before anything runs. */
void guc_ctb_init(struct sim *sim, struct guc_ctbs *ctbs);
/* Can rq of q be handed over now? Else it waits for room, behind those of its
 * ring that do: guc_ctb_next will give its queue. */
bool guc_ctb_takes(struct sim *sim, struct guc_queue *q, struct request *rq);
/* The next queue for which there is room; what it waits with (letter.first and
 * those behind it, *n of them) is to be handed over now. NULL: none. */
struct guc_queue *guc_ctb_next(
    struct sim *sim, struct request **first, uint32_t *n);
/* rq, which may wait for room, has come to a higher band. */
void guc_ctb_raised(struct sim *sim, struct request *rq);
/* Does rq of q, which is ready, wait for room? */
bool guc_ctb_holds(
    const struct sim *sim, const struct guc_queue *q, const struct request *rq);
/* How many of q do. */
uint32_t guc_ctb_count(const struct sim *sim, const struct guc_queue *q);

#endif
