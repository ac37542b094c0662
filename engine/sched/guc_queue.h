/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What GuC has of the queues (doc/model/guc.md "Places"): those with
 * something handed over are on an engine, or wait in the order of band and
 * place. A queue is a ring of a client (client.h): one of (context, engine), of
 * a load balanced or of a parallel context.
 */
#ifndef ENGINE_SCHED_GUC_QUEUE_H
#define ENGINE_SCHED_GUC_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "engine/event.h"
#include "engine/gpu/engine.h"
#include "engine/sched/guc_ctb.h"
#include "engine/sched/guc_ids.h"
#include "engine/sched/guc_line.h"
#include "engine/sched/guc_tdr.h"
#include "engine/sched/guc_yield.h"

struct profile;
struct sim;
struct ring;
struct request;

enum guc_state {
	GUC_IDLE,      /* nothing is handed over */
	GUC_REGISTERS, /* it is, but GuC doesn't know the queue yet */
	GUC_WAITS,
	GUC_ON_ENGINE, /* of a parallel context: on all of a set */
};

struct guc_queue {
	struct ring *ring;
	struct guc_stand *stands; /* while it waits */
	uint64_t place;
	nsec used_ns;     /* of its quantum, without this stay on an engine */
	nsec since_ns;    /* this stay; or its place, taken meanwhile */
	nsec off_ns;      /* when it gave way last; NSEC_NEVER: never */
	engine_mask on;   /* engines that it is on */
	uint32_t n_ready; /* handed over, not ended */
	int8_t band;      /* -1 low, 0 normal, 1 high */
	uint8_t state;    /* enum guc_state */
	uint8_t id_state; /* enum guc_id_state: here, where all looks are */
	bool raised;      /* noted in guc->raised */
	bool banned;      /* Xe: nothing that it has runs any more */
	bool is_parallel; /* and then: */
	int8_t last_set;  /* that it was on; -1: none yet */
	int8_t held_set;  /* some engines of which are held for it; -1 */
	/* The rest is there only where the profile has a watchdog, ids that are
	 * limited or take time, or a message buffer (guc_queue_size). */
	struct guc_tdr_entry tdr;
	struct guc_id id;
	struct guc_letter letter;
};

/* What there is of one engine. */
struct guc_engine {
	struct guc_line line;
	struct guc_queue *owner; /* that is on it; NULL: free */
	struct event point;      /* the next preemption point that matters */
	nsec point_ns;           /* its time; NSEC_NEVER: not armed */
	/* guc_timer.h: somebody is to have the engine from then on, instead of
	 * the request with that seq; NSEC_NEVER: nobody. */
	nsec wanted_ns;
	uint64_t wanted_of;
	struct timer preempt_timeout;
	uint64_t pulse_place; /* of the pulse that waits, if any */
	struct timer pulse_point;
};

struct guc {
	struct guc_engine engines[DEVICE_MAX_ENGINES];
	engine_mask waited_for; /* engines with a line */
	engine_mask owned;
	engine_mask held;    /* free, but kept for a set */
	engine_mask between; /* whose queue stands between two requests; of a
				set its first engine only */
	engine_mask look;    /* where a step may find something to do */
	engine_mask changed; /* since points were looked at */
	unsigned n_sets;     /* parallel queues that wait */
	uint64_t last_place;
	struct request **ready; /* found ready, not handed over yet */
	size_t n_ready, cap_ready;
	struct guc_queue **raised; /* whose band has changed as they wait */
	size_t n_raised, cap_raised;
	struct pool queues, stands;
	struct guc_tdr tdr;
	struct guc_ids ids;
	struct guc_ctbs ctbs;
	struct guc_yield yield;
};

/* The first engine of a set, which stands for all of it. */
static inline unsigned
guc_first(engine_mask engines)
{
	return (unsigned)__builtin_ctzll(engines);
}

/* Steps look at these engines, until they find nothing more to do there; and
 * at the end of the instant their timers are set anew. */
static inline void
guc_changed(struct guc *guc, engine_mask engines)
{
	guc->look |= engines;
	guc->changed |= engines;
}

/* guc_yield.h's closed_by, without a call where no queue has the other
 * class. */
static inline const struct guc_queue *
guc_closed_by(const struct sim *sim, const struct guc *guc, unsigned i,
    const struct guc_queue *q)
{
	const struct guc_yield *yield = &guc->yield;
	engine_mask others = (yield->render >> i & 1) != 0 ? yield->compute
							   : yield->render;

	if ((yield->all >> i & 1) == 0 || (others & guc->owned) == 0)
		return NULL;
	return guc_yield_closed_by(sim, i, q);
}

/* Bytes that a queue takes under this profile. */
size_t guc_queue_size(const struct profile *profile);
/* The ring's queue, a new one at first. */
struct guc_queue *guc_queue_of(struct guc *guc, struct ring *ring);

/* rq, the oldest of its ring that is not, is handed over: its queue waits if
 * it had nothing, as soon as it is registered. */
void guc_queue_add(struct sim *sim, struct request *rq);
void guc_queue_registered(struct sim *sim, struct guc_queue *q);
/* Its oldest request ends now. */
void guc_queue_ended(struct sim *sim, struct guc_queue *q);
/* rq, that may be handed over already, has come to a higher band. */
void guc_queue_raised(struct sim *sim, struct request *rq);
/* Those that have come to another band as they wait take new places there. */
void guc_queues_settle(struct sim *sim);

/* Is its quantum used up? */
bool guc_queue_is_used_up(const struct sim *sim, const struct guc_queue *q);
/* When it will be, if the queue stays on its engine; NSEC_NEVER: never. */
nsec guc_queue_used_up_at(const struct sim *sim, const struct guc_queue *q);

/* Has it given way at this instant, so that no queue of its band does so to
 * it? */
bool guc_queue_gave_way(const struct sim *sim, const struct guc_queue *q);

/* From waiting to all of those engines, which are free; its request is then to
 * be started. */
void guc_queue_enter(struct sim *sim, struct guc_queue *q, engine_mask engines);
/* Off its engines: to wait; or, with nothing to run, idle. */
void guc_queue_leave(struct sim *sim, struct guc_queue *q);

#endif
