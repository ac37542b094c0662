/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Context ids (doc/model/guc.md "Context ids"): GuC knows a queue by its
 * id, with which it was registered, so a queue needs one when something is
 * handed over. Part of them, at the bottom, is for parallel contexts: a run of
 * as many as there are rows, rounded up to a power of two and aligned to that,
 * which they keep until they are closed. The others belong to one queue each.
 *
 * When such a queue has nothing more to run, its scheduling is disabled after a
 * delay, at once if its context is banned, its client killed, or more of the
 * ids are taken than the profile's threshold. From then on it is registered
 * still, and may go on at no cost; but when no id is free, the queue that has
 * been so for longest loses its own, and has to register again. Where there is
 * nothing to steal, queues wait in the order in which they asked. i915 tries
 * four times, then fails with -EAGAIN and user space tries again: seen as
 * waiting here. Parallel contexts neither steal nor are stolen from. Requests
 * that wait like that end at once when their client is killed: who has died
 * does not try again.
 *
 * To register takes register_ns; with a stolen id twice that, as the answer to
 * the deregistration of the other has to come first. Meanwhile requests stay
 * handed over (ready), but GuC can't run them; their queue takes its place when
 * it is registered. To disable and to enable again takes no time.
 */
#ifndef ENGINE_SCHED_GUC_IDS_H
#define ENGINE_SCHED_GUC_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/event.h"

struct sim;
struct context_def;
struct guc_queue;
struct profile;
struct text;

#define GUC_MAX_IDS 65535 /* GUC_MAX_CONTEXT_ID */

struct guc_counters {
	uint64_t registrations;
	uint64_t steals;
	uint64_t waits; /* queues that could not have an id at once */
};

enum guc_id_state {
	GUC_ID_NONE,
	GUC_ID_WANTED,
	GUC_ID_REGISTERS,
	GUC_ID_REGISTERED, /* in use; of a parallel context also idle */
	GUC_ID_DELAYED,    /* idle, scheduling not disabled yet */
	GUC_ID_DISABLED,   /* idle: can be stolen */
};

/* Of a queue; zeroed at first. */
struct guc_id {
	struct guc_queue *next, *prev; /* of a list, which id_state says */
	nsec idle_ns;                  /* GUC_ID_DELAYED: since then */
	struct event registered;
	uint16_t run; /* of a parallel context: the first of its ids, ... */
	uint8_t n_run;
};

struct guc_id_list {
	struct guc_queue *first, *last;
};

struct guc_ids {
	struct guc_counters counters;
	unsigned n_single, n_multi; /* in all; no limit: 0 */
	unsigned n_taken;           /* of the single ones */
	struct guc_id_list delayed, disabled;
	struct guc_id_list wanted, wanted_multi;
	struct guc_id_list registered; /* that have not been told so yet */
	struct timer delay;            /* the first is disabled */
	bool multi_taken[GUC_MAX_IDS];
};

/* So many in a row are for a parallel context of so many rows. */
unsigned guc_ids_of_rows(unsigned n_rows);
/* False, and a text: there are never so many for the context, if it is a
 * parallel one, which would wait for ever. */
bool guc_ids_suffice(const struct context_def *def,
    const struct profile *profile, struct text *err);

/* Before anything runs. */
void guc_ids_init(struct sim *sim, struct guc_ids *ids);
/* q, that had nothing handed over, has now. False: guc_ids_next will give it,
 * when it is registered. */
bool guc_ids_want(struct sim *sim, struct guc_queue *q);
/* The next queue that waited and is registered now; NULL: none. */
struct guc_queue *guc_ids_next(struct sim *sim);
/* q has nothing handed over any more. */
void guc_ids_idle(struct sim *sim, struct guc_queue *q);
/* q, which waits for an id, needs none any more. */
void guc_ids_forgo(struct sim *sim, struct guc_queue *q);
/* q, which is idle, goes for good. */
void guc_ids_close(struct sim *sim, struct guc_queue *q);

#endif
