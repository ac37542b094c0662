/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guc: the DRM scheduler in front of GuC (doc/model/guc.md, whose headings the
 * comments quote).
 *
 *   guc.c           makes the decisions: queues take engines and give way
 *   guc_submit.c    submission, up to GuC: readiness, the message buffer
 *   guc_queue.c     the queues, and how they wait for engines
 *   guc_choice.c    which waiting queue takes which engine
 *   guc_ids.c       context ids and registration
 *   guc_timeouts.c  preempt timeouts, heartbeat pulses, request and job timeouts
 *   guc_check.c     invariants, in builds that check them
 *
 * A queue is a ring of a client (client.h): that of one (context, engine), or
 * of a load balanced or a parallel context.
 */
#ifndef ENGINE_SCHED_GUC_H
#define ENGINE_SCHED_GUC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/mem.h"
#include "base/util.h"
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
 * The buffer of messages from the host to GuC, one for each gt ("The message
 * buffer"). Nothing more of the gt is handed over while its buffer is full:
 * queues wait, first the one that found it full, then the others by band, then
 * by the time at which they came. A queue that gets room hands over all its
 * waiting requests with one message.
 */

#define GUC_MAX_GTS 16

/* The part of a queue. Zeroed at first. */
struct guc_ctb_entry {
	struct pairing_node node;
	struct request *first; /* waits for room, with the n - 1 requests after
				  it on its ring */
	uint32_t n;            /* 0: none */
};

/* The buffer of one gt. */
struct guc_ctb {
	nsec empty_at; /* when GuC will have read all messages */
	struct pairing waiting;
	struct timer room;
};

struct guc_ctbs {
	unsigned capacity; /* messages; 0: no limit */
	nsec message_ns;   /* GuC reads one message in that time */
	uint64_t last;     /* number of the queue that came to wait last */
	uint32_t n_waiting;
	uint64_t n_stalls; /* requests that waited */
	struct guc_ctb of_gt[GUC_MAX_GTS];
};

/* Returns true if the profile limits the buffer. */
bool guc_ctb_is_limited(const struct profile *profile);
/* Prepares the buffers, before anything runs. */
void guc_ctb_init(struct sim *sim, struct guc_ctbs *ctbs);
/* Moves the queue of rq, which may wait for room, as rq is in a higher band
 * now. */
void guc_ctb_raised(struct sim *sim, struct request *rq);
/* Returns true if rq of q, which is ready, waits for room. */
bool guc_ctb_holds(
    const struct sim *sim, const struct guc_queue *q, const struct request *rq);
/* Returns the number of requests of q that wait for room. */
uint32_t guc_ctb_count(const struct sim *sim, const struct guc_queue *q);

/*
 * Context ids ("Context ids"): a queue must be registered with GuC under an id
 * before GuC can run it. Part of the ids, at the bottom, is for parallel
 * contexts: a run with one id per row, rounded up to a power of two and aligned
 * to that, which the context keeps until it is closed. Each of the other ids is
 * for one queue.
 *
 * When a queue has nothing more to run, its scheduling is disabled after a
 * delay: at once if its context is banned, its client killed, or more ids are
 * taken than the profile's threshold. A disabled queue is still registered and
 * goes on at no cost; but when no id is free, the queue that has been disabled
 * for longest loses its id, and must register again. If there is none either,
 * queues wait in the order in which they asked. i915 tries four times, then
 * fails with -EAGAIN, and user space tries again: the model shows that as
 * waiting. Parallel contexts neither steal ids nor lose them. Waiting requests
 * end at once when their client is killed, as it does not try again.
 *
 * A registration takes register_ns; with a stolen id twice that, as GuC first
 * answers the deregistration of the other queue. Until then the requests are
 * handed over (ready), but cannot run; the queue takes its place when it is
 * registered. To disable scheduling and to enable it takes no time.
 */

#define GUC_MAX_IDS 65535 /* GUC_MAX_CONTEXT_ID */

enum guc_id_state {
	GUC_ID_NONE,
	GUC_ID_WANTED,
	GUC_ID_REGISTERING,
	GUC_ID_REGISTERED, /* in use; parallel contexts: also idle */
	GUC_ID_DELAYED,    /* idle, scheduling not disabled yet */
	GUC_ID_DISABLED,   /* idle: the id can be stolen */
};

/* The part of a queue. Zeroed at first. */
struct guc_id {
	struct guc_queue *next, *prev; /* in the list of its id_state */
	nsec idle_ns;                  /* GUC_ID_DELAYED: since then */
	struct event registered;
	uint16_t run; /* parallel contexts: first id of the run */
	uint8_t n_run;
};

struct guc_id_list {
	struct guc_queue *first, *last;
};

struct guc_ids {
	struct guc_counters counters;
	unsigned n_single, n_multi; /* ids of each kind; 0: no limit */
	unsigned n_taken;           /* single ones in use */
	struct guc_id_list delayed, disabled;
	struct guc_id_list wanted, wanted_multi;
	struct guc_id_list registered; /* not returned by guc_ids_next yet */
	struct timer delay;            /* disables the first of delayed */
	bool multi_taken[GUC_MAX_IDS];
};

/* Returns false, and adds the reason to err, if the profile has too few ids for
 * a parallel context: it would wait for ever. */
bool guc_ids_suffice(const struct context_def *def,
    const struct profile *profile, struct text *err);

/* Prepares the ids, before anything runs. */
void guc_ids_init(struct sim *sim, struct guc_ids *ids);
/* Gets an id for q, which has its first request handed over. Returns true if q
 * is registered now; false: guc_ids_next returns it when it is. */
bool guc_ids_acquire(struct sim *sim, struct guc_queue *q);
/* Returns the next queue whose registration is over; NULL: none. */
struct guc_queue *guc_ids_next(struct sim *sim);
/* Notes that q has nothing handed over any more. */
void guc_ids_idle(struct sim *sim, struct guc_queue *q);
/* Withdraws q, which waits for an id. */
void guc_ids_withdraw(struct sim *sim, struct guc_queue *q);
/* Frees the id of q, which is idle and is not used again. */
void guc_ids_close(struct sim *sim, struct guc_queue *q);

/*
 * The wait queue of one engine: queues by band, then by place ("Places"). Most
 * come with a new place, behind all others of their band: each band has a list
 * of those. A queue that comes back to an old place is in a pairing heap. Both
 * allow removal from the middle: a queue can wait for several engines, and
 * leaves all wait queues when it takes one.
 */

/* A queue's entry in the wait queue of one engine. */
struct guc_wait {
	struct guc_wait *next_of_queue;
	struct guc_queue *queue;
	/* Its key is band, place, engine: the lowest is first. In the list of a
	 * band, next and prev are the neighbours. */
	struct pairing_node node;
	bool is_listed; /* in the list, not in the heap */
};

static inline struct guc_wait *
guc_wait_of(const struct pairing_node *node)
{
	return container_of(node, struct guc_wait, node);
}

/* Returns the key of an entry; place is less than 1 << 56. */
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
	struct guc_wait *first;                /* of all; NULL: empty */
	struct guc_band_list lists[GUC_BANDS]; /* the high band first */
	struct pairing heap;
};

/* Adds an entry by its key, which must not change until it is removed. */
void guc_waitq_add(struct guc_waitq *waitq, struct guc_wait *wait);
/* Removes an entry, from the middle too. */
void guc_waitq_remove(struct guc_waitq *waitq, struct guc_wait *wait);

/*
 * The timeout of the DRM scheduler in front of GuC. Each queue has a scheduler
 * of its own, which watches the oldest request that it has handed over, from
 * the time at which that became the oldest. All queues have the same timeout,
 * so they expire in the order in which they were noted: one list, and one timer
 * for its first.
 *
 * i915 (doc/model/hangs.md "Watchdog"): after request_timeout_ms the request is
 * revoked with -EINTR, whether it runs or not; the others of its context go on,
 * and the next is the oldest when it has ended.
 *
 * Xe ("Job timeouts of Xe"): after job_timeout_ms the request must have run for
 * that long, less 5 %; else it gets as long again. A request that has not begun
 * gets three times as long. Then its queue is banned.
 */

struct guc_tdr {
	nsec timeout; /* 0: off */
	struct guc_queue *first, *last;
	struct timer timer;
};

/* The part of a queue. Zeroed at first. */
struct guc_tdr_entry {
	nsec since;
	struct guc_queue *next, *prev;
	uint8_t strikes; /* Xe: timeouts before the request began */
};

/* Returns the timeout in ns; 0: off. */
nsec guc_tdr_timeout(const struct profile *profile);
/* Prepares the timer, before anything runs. */
void guc_tdr_init(struct sim *sim, struct guc_tdr *tdr);
/* Under i915; Xe's jobs have no watchdog. */
void guc_set_watchdog(struct sim *sim, nsec timeout);
/* Watches the first request of q, which becomes its oldest now. */
void guc_tdr_begin(struct sim *sim, struct guc_queue *q);
/* Stops watching that request: it ends. */
void guc_tdr_end(struct sim *sim, struct guc_queue *q);

/*
 * RCS and CCS take turns ("Render and compute"): in each window one of the two
 * classes goes first, then for a share of it the other. While a queue is on an
 * engine of the class that goes first, engines of the other class are closed to
 * queues of other clients: these give way at their next preemption point, and
 * take no engine.
 */
struct guc_yield {
	engine_mask render, compute; /* 0: no such policy on this GPU */
	engine_mask all;             /* both */
	nsec window;
	nsec share;        /* of compute, at the end of each window */
	struct timer turn; /* when the other class goes first */
};

/* Prepares the policy, before anything runs. */
void guc_yield_init(struct sim *sim, struct guc_yield *yield);
/* Returns the queue that closes engine i, of RCS or CCS, to q now; NULL: it is
 * open. Use guc_closed_by, which is faster. */
const struct guc_queue *guc_yield_closed_by(
    const struct sim *sim, unsigned i, const struct guc_queue *q);
/* Sets the timer of the next turn at the end of an instant, if both classes
 * have work. */
void guc_yield_update(struct sim *sim);

enum guc_state {
	GUC_IDLE,        /* nothing is handed over */
	GUC_REGISTERING, /* waits for its id or registration */
	GUC_WAITING,     /* waits for an engine */
	GUC_ON_ENGINE,   /* of a parallel context: on all engines of a set */
};

struct guc_queue {
	struct ring *ring;
	struct guc_wait *waits; /* GUC_WAITING: one per engine */
	uint64_t place;
	/* Its quantum: of the engine that it is on, else of the profile. */
	const nsec *quantum_ns;
	nsec used_ns;     /* of it, without this stay on an engine */
	nsec since_ns;    /* start of this stay, or of its place if later */
	nsec off_ns;      /* when it gave way last; NSEC_NEVER: never */
	engine_mask on;   /* engines that it is on */
	uint32_t n_ready; /* requests handed over that have not ended */
	int8_t band;      /* -1 low, 0 normal, 1 high */
	uint8_t state;    /* enum guc_state */
	uint8_t id_state; /* enum guc_id_state: here, in a hot cache line */
	bool raised;      /* in guc->raised */
	bool banned;      /* Xe: none of its requests runs any more */
	bool is_parallel; /* then it has the two below */
	int8_t last_set;  /* set that it was on; -1: none yet */
	int8_t held_set;  /* set of which engines are held for it; -1: none */
	/* The rest exists only if the profile has a watchdog, ids that are
	 * limited or take time, or a message buffer (guc_queue_size). */
	struct guc_tdr_entry tdr;
	struct guc_id id;
	struct guc_ctb_entry ctb;
};

/* GuC's state of one engine. */
struct guc_engine {
	struct guc_waitq waitq;
	struct guc_queue *owner; /* queue on the engine; NULL: free */
	struct event point;      /* the next preemption point that matters */
	nsec point_ns;           /* its time; NSEC_NEVER: not armed */
	/* When request wanted_of (its seq) is first due to leave the engine;
	 * NSEC_NEVER: it may stay. */
	nsec wanted_ns;
	uint64_t wanted_of;
	struct timer preempt_timeout;
	uint64_t pulse_place; /* of the heartbeat pulse that waits, if any */
	struct timer pulse_point;
};

struct guc {
	struct guc_engine engines[DEVICE_MAX_ENGINES];
	engine_mask waited_for; /* engines with a queue that waits */
	engine_mask owned;
	engine_mask held;    /* free, but kept for a parallel set */
	engine_mask between; /* engines whose queue is between two requests; of
				a set the first engine only */
	engine_mask look;    /* where a step may find something to do */
	engine_mask changed; /* since timers were set last */
	unsigned n_sets;     /* parallel queues that wait */
	uint64_t last_place;
	struct request **ready; /* ready, not handed over yet */
	size_t n_ready, cap_ready;
	struct guc_queue **raised; /* waiting queues with a new band */
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

/* Returns the first engine of a set, which represents all of it. */
static inline unsigned
guc_first(engine_mask engines)
{
	return (unsigned)__builtin_ctzll(engines);
}

/* Notes that something has changed on these engines: steps examine them until
 * they find nothing to do, and their timers are set anew at the end of the
 * instant. */
static inline void
guc_changed(struct guc *guc, engine_mask engines)
{
	guc->look |= engines;
	guc->changed |= engines;
}

/* As guc_yield_closed_by, for any engine; without a call where no queue is on
 * an engine of the other class. */
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

/* Returns the bytes of a queue under this profile. */
size_t guc_queue_size(const struct profile *profile);
/* Returns the queue of a ring; makes it the first time. */
struct guc_queue *guc_queue_of(struct guc *guc, struct ring *ring);

/* Adds rq, the next request of its ring, which is handed over: its queue waits
 * for an engine if this is its only one, as soon as it is registered. */
void guc_queue_add(struct sim *sim, struct request *rq);
/* Lets a queue whose registration is over wait for an engine. */
void guc_queue_registered(struct sim *sim, struct guc_queue *q);
/* The oldest request of q ends. */
void guc_queue_ended(struct sim *sim, struct guc_queue *q);
/* Notes that rq, handed over or not, is in a higher band now. */
void guc_queue_raised(struct sim *sim, struct request *rq);
/* Gives waiting queues with a new band a new place in it. */
void guc_queues_move_raised(struct sim *sim);

/* Returns true if the queue has used up its quantum. */
bool guc_queue_is_used_up(const struct sim *sim, const struct guc_queue *q);
/* Returns when it will have, if it stays on its engine; NSEC_NEVER: never. */
nsec guc_queue_used_up_at(const struct sim *sim, const struct guc_queue *q);

/* Returns true if the queue gave way at this instant: then no queue of its band
 * gives way to it. */
bool guc_queue_gave_way(const struct sim *sim, const struct guc_queue *q);

/* Puts a waiting queue on all of those engines, which are free. The caller
 * starts its request. */
void guc_queue_enter(struct sim *sim, struct guc_queue *q, engine_mask engines);
/* Takes a queue off its engines: it waits again, or is idle if it has nothing
 * to run. */
void guc_queue_leave(struct sim *sim, struct guc_queue *q);

/* A choice ("Choice of an engine", "Parallel slots"). */
struct guc_choice {
	struct guc_queue *queue;
	/* Free engines, or engines whose queues give way to it now. */
	engine_mask engines;
	/* The queue cannot have all of a set: the owners give way, and the
	 * engines are held for it. */
	bool holds;
};

/* Chooses the waiting queue that takes an engine, and the engine. False: none
 * can. Updates which engines are held for sets in any case. */
bool guc_choose(struct sim *sim, struct guc_choice *choice);

/*
 * Engines that are not released in time, and heartbeat pulses
 * (doc/model/hangs.md "Preempt timeout", "Heartbeat").
 *
 * The preempt timeout is GuC's own. It runs while a queue of a higher band
 * waits for the engine, or one of the owner's band when the owner's quantum is
 * used up. When it expires GuC resets the engine. The owner's context is guilty
 * if its request had started. A parallel set has no preemption points, and is
 * reset as a whole.
 *
 * A pulse is a request of the kernel's context, in the band of its priority:
 * -1024 low, 0 normal, 1025 high, like those of users; only BARRIER is in a
 * band above them. It gets a new place with each band. It has its turn before
 * the queues behind it, and like a queue it waits for an engine whose owner is
 * in a lower band, or in its own with the quantum used up. If the next beat
 * finds a BARRIER pulse unanswered, i915 resets the whole GPU: it cannot reset
 * a single engine of GuC.
 */

/* Prepares the timers of all engines, before anything runs. */
void guc_timer_init(struct guc *guc);
/* sched_ops.pulse. */
void guc_timer_pulse(struct sim *sim, struct hw_engine *e);
/* Answers the pulses that are before q, which is about to start a request on
 * its engines. */
void guc_timer_starting(struct sim *sim, const struct guc_queue *q);
/* Sets the timers of engine i at the end of an instant. */
void guc_timer_update(struct sim *sim, unsigned i);
/* sched_ops.ends. */
bool guc_timer_ends(const struct sim *sim, const struct hw_engine *e);

/* sched_ops.depends, ready and ring_killed. */
void guc_depends(struct sim *sim, struct request *rq,
    const struct dependency *deps, size_t n);
void guc_ready(struct sim *sim, struct request *rq);
void guc_ring_killed(struct sim *sim, struct ring *ring);
/* Hands over to GuC all ready requests, as far as there is room for messages;
 * then those that waited for room. */
void guc_hand_over(struct sim *sim);
/* Lets the queues whose registration is over wait for engines. */
void guc_register_ready(struct sim *sim);
/* Adds n to the counts of waiting requests of each engine that rq may take. */
void guc_count_waiting(struct sim *sim, const struct request *rq, int n);

/* sched_ops.may_idle and check. */
bool guc_may_idle(
    const struct sim *sim, const struct request *rq, const struct hw_engine *e);
void guc_check(const struct sim *sim);

#endif
