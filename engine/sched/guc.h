/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_SCHED_GUC_H
#define ENGINE_SCHED_GUC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/mem.h"
#include "engine/event.h"
#include "engine/gpu/engine.h"
#include "engine/sched/sched.h"
#include "engine/sim.h"

struct context_def;
struct guc_queue;
struct hw_engine;
struct profile;
struct request;
struct ring;
struct sim;
struct text;

/*
 * The buffer of messages from the host to the GuC, of which there is one for each
 * gt (doc/model/guc.md "The message buffer"). Where it is full, nothing more of
 * the gt is handed over: queues wait, the one that found it full in front, the
 * others by band and then by the time at which they came. A queue that has its
 * turn hands over all that it has with one message.
 */

#define GUC_MAX_GTS 16

/* The part of a queue; zeroed at first. */
struct guc_ctb_entry {
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

#define GUC_MAX_IDS 65535 /* GUC_MAX_CONTEXT_ID */

struct guc_counters {
	uint64_t registrations;
	uint64_t steals;
	uint64_t waits; /* queues that could not have an id at once */
};

enum guc_id_state {
	GUC_ID_NONE,
	GUC_ID_WANTED,
	GUC_ID_REGISTERING,
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
bool guc_ids_acquire(struct sim *sim, struct guc_queue *q);
/* The next queue that waited and is registered now; NULL: none. */
struct guc_queue *guc_ids_next(struct sim *sim);
/* q has nothing handed over any more. */
void guc_ids_idle(struct sim *sim, struct guc_queue *q);
/* q, which waits for an id, needs none any more. */
void guc_ids_withdraw(struct sim *sim, struct guc_queue *q);
/* q, which is idle, goes for good. */
void guc_ids_close(struct sim *sim, struct guc_queue *q);

/*
 * The queues that wait for one engine, in the order in which they stand
 * (doc/model/guc.md "Places": band, then place). Most come with a new place,
 * behind all others of their band: for those there is a list per band. Who
 * comes back to an old place stands in a pairing heap instead. Either way one
 * can leave from the middle: a queue can wait for several engines, and leaves
 * all other lines when it takes one.
 */

/* Where one queue stands in the line of one engine. */
struct guc_wait {
	struct guc_wait *next_of_queue;
	struct guc_queue *queue;
	/* Its key is band, place, engine: the lower, the further in front. In
	 * the list of its band next and prev are the neighbours. */
	struct pairing_node node;
	bool is_listed;
};

static inline struct guc_wait *
guc_wait_of(const struct pairing_node *node)
{
	return (struct guc_wait *)((uintptr_t)node -
	    offsetof(struct guc_wait, node));
}

/* place is less than 1 << 56. */
static inline uint64_t
guc_wait_key(int band, uint64_t place, unsigned engine)
{
	return (uint64_t)(1 - band) << 62 | place << 6 | engine;
}

static inline int
guc_wait_band(const struct guc_wait *wait)
{
	return 1 - (int)(wait->node.key >> 62);
}

/* The list that it may stand in. */
static inline unsigned
guc_wait_list(const struct guc_wait *wait)
{
	return (unsigned)(wait->node.key >> 62);
}

static inline unsigned
guc_wait_engine(const struct guc_wait *wait)
{
	return wait->node.key & 63;
}

#define GUC_BANDS 3

struct guc_band_list {
	struct pairing_node *first, *last;
};

struct guc_waitq {
	struct guc_wait *first;                /* of all; NULL: nobody waits */
	struct guc_band_list lists[GUC_BANDS]; /* the high band first */
	struct pairing heap;
};

/* By its key, which is set and stays while it is in a line. */
void guc_waitq_add(struct guc_waitq *waitq, struct guc_wait *wait);
void guc_waitq_remove(struct guc_waitq *waitq, struct guc_wait *wait);

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

/*
 * RCS and CCS take turns (doc/model/guc.md "Render and compute"): in each window
 * one of the two classes goes first, for part of it the other. While an engine of
 * the class that goes first has a queue of one client, engines of the other class
 * are closed to queues of other clients: those give way at their next preemption
 * point, and take no engine.
 */

struct guc_yield {
	engine_mask render, compute; /* none: no such policy on this GPU */
	engine_mask all;             /* both */
	nsec window;
	nsec share;        /* of compute, at the end of each window */
	struct timer turn; /* the other class goes first from then on */
};

/* Before anything runs. */
void guc_yield_init(struct sim *sim, struct guc_yield *yield);
/* The queue that keeps q from engine i, of RCS or CCS, now; NULL: none. */
const struct guc_queue *guc_yield_closed_by(
    const struct sim *sim, unsigned i, const struct guc_queue *q);
/* Nothing is left in the instant: the next turn comes only where both classes
 * have work. */
void guc_yield_update(struct sim *sim);

/*
 * What GuC has of the queues (doc/model/guc.md "Places"): those with
 * something handed over are on an engine, or wait in the order of band and
 * place. A queue is a ring of a client (client.h): one of (context, engine), of
 * a load balanced or of a parallel context.
 */

enum guc_state {
	GUC_IDLE,        /* nothing is handed over */
	GUC_REGISTERING, /* it is, but GuC doesn't know the queue yet */
	GUC_WAITING,
	GUC_ON_ENGINE, /* of a parallel context: on all of a set */
};

struct guc_queue {
	struct ring *ring;
	struct guc_wait *waits; /* while it waits */
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
	struct guc_ctb_entry ctb;
};

/* What there is of one engine. */
struct guc_engine {
	struct guc_waitq waitq;
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
	struct pool queues, waits;
	struct guc_tdr tdr;
	struct guc_ids ids;
	struct guc_ctbs ctbs;
	struct guc_yield yield;
};

static inline struct guc *
guc_of(const struct sim *sim)
{
	return sim->sched_data;
}

static inline engine_mask
guc_bit(unsigned engine)
{
	return (engine_mask)1 << engine;
}

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
void guc_queues_move_raised(struct sim *sim);

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

/*
 * Which waiting queue takes an engine, and which one (doc/model/guc.md "Choice
 * of an engine" and "Parallel slots").
 */

struct guc_choice {
	struct guc_queue *queue;
	/* That are free, or whose queues give way to it now. */
	engine_mask engines;
	/* It can't have all of the set: those who give way do so, and the
	 * engines are kept for it. */
	bool holds;
};

/* False: no waiting queue can take anything. guc->held, and what engines are
 * kept for, is as it is now. */
bool guc_choose(struct sim *sim, struct guc_choice *choice);

/*
 * What GuC does about an engine that is not given up (doc/model/hangs.md
 * "Preempt timeout", "Heartbeat"), and how heartbeat pulses get through it.
 *
 * The preempt timeout is GuC's own: it runs from the instant at which a queue
 * of a higher band waits for the engine, or one of its owner's band and the
 * quantum of that is used up, until the owner gives way or that is so no more;
 * then GuC resets the engine. The owner's context is guilty if its request has
 * ever started ("only if its oldest unfinished request had started"). Nothing
 * takes off a parallel set, so it is hit as a batch without points is, whole.
 *
 * A pulse is a request of the kernel's context, in the band that its priority
 * maps to (section 2.2): -1024 low, 0 normal, 1025 high, as users have it; only
 * BARRIER is in the band above theirs. It comes to a new place with each band.
 * Like any queue it has its turn before those that stand behind it, and it
 * wants an engine whose owner is of a lower band, or of its own with the
 * quantum used up. A beat that finds the last one unanswered is a stall, for
 * which i915 resets the whole GPU: it can't reset one engine of GuC's.
 */

/* Before anything runs. */
void guc_timer_init(struct guc *guc);
/* A pulse waits for e, or has been raised. */
void guc_timer_pulse(struct sim *sim, struct hw_engine *e);
/* A queue is about to start a request on the engines that it is on: pulses that
 * stand before it have their turn. */
void guc_timer_starting(struct sim *sim, const struct guc_queue *q);
/* Nothing is left in the instant: looks at engine i again. */
void guc_timer_update(struct sim *sim, unsigned i);
/* sched.h's ends. */
bool guc_timer_ends(const struct sim *sim, const struct hw_engine *e);

/* What always holds of GuC's queues, for invariants.h. */

/* Is it right that rq, which is ready, does not run on e, which is free? */
bool guc_may_idle(
    const struct sim *sim, const struct request *rq, const struct hw_engine *e);
void guc_check(const struct sim *sim);

/* guc: doc/model/guc.md. */

extern const struct sched_ops sched_guc;

/* Of ids and registrations, for views; NULL with another scheduler. */
const struct guc_counters *sched_guc_counters(const struct sim *sim);

/* guc_submit.c: sched.h's depends, ready and ring_killed. */
void guc_depends(struct sim *sim, struct request *rq,
    const struct dependency *deps, size_t n);
void guc_ready(struct sim *sim, struct request *rq);
void guc_ring_killed(struct sim *sim, struct ring *ring);
/* Hands over to GuC all requests that are ready, and those that waited for
 * room in the message buffer and have it now. */
void guc_hand_over(struct sim *sim);
/* Puts the queues whose registration is over in line. */
void guc_register_ready(struct sim *sim);
/* Adds n to the count of requests that wait for each engine of rq. */
void guc_count_waiting(struct sim *sim, const struct request *rq, int n);

#endif
