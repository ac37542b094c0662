/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_SCHED_SCHED_H
#define ENGINE_SCHED_SCHED_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/gpu/engine.h"
#include "engine/gpu/request.h"

struct context_def;
struct profile;
struct program;
struct request;
struct ring;
struct sim;
struct text;

/*
 * What a scheduler is to the simulation: it says what a request has to wait
 * for, takes those that are ready, and puts them on engines. Its rules stand
 * in doc/model/.
 */

/* Why one request waits for another. */
enum wait_cause {
	WAIT_OBJECT,   /* data dependency or working set */
	WAIT_FENCE,    /* f-n */
	WAIT_SUBMIT,   /* s-n */
	WAIT_TIMELINE, /* the one before it on its ring */
};

struct dependency {
	struct request *signaler;
	enum wait_cause cause;
};

struct sched_ops {
	const char *name;
	const char *summary;

	/* A request whose wait for the end of another ends with an error gets
	 * that error: i915 does (doc/model/hangs.md "Errors travel"), the
	 * DRM scheduler does not. */
	bool propagates_errors;
	/* Priorities and preemption mean nothing to it. */
	bool ignores_priority;
	/* Of a priority it knows only if it is above 0, 0 or below. */
	bool three_levels;
	/* What an engine has taken runs to its end. */
	bool never_preempts;
	/* Its queues are priolists. */
	bool has_places;
	/* Takes programs with bonds. */
	bool takes_bonds;
	/* Infinite batches are given up after the profile's hang_ms. */
	bool hang_timeout;
	/* Jobs are given up after the profile's job_timeout_ms. */
	bool job_timeout;
	/* What may not go on (revoke.h) ends at its next preemption point. */
	bool stops_at_points;

	/* Requests are cancelled request_timeout_ms after they became ready
	 * (watchdog.h). */
	bool watchdog;
	/* Preempt timeouts are the firmware's, not in jiffies of the driver. */
	bool firmware_timers;
	/* A stopped heartbeat resets the whole GPU (GuC, facts section 2.8),
	 * not the engine. */
	bool heartbeat_resets_all;

	/* What this scheduler can't run on such a device: false and why. */
	bool (*accepts)(const struct program *p, const struct profile *profile,
	    struct text *err);

	/* State of the scheduler, in sim->sched_data. */
	void *(*create)(struct sim *sim);
	void (*destroy)(void *data);

	/* rq was submitted: makes it wait for what it depends on (instant.h),
	 * n requests that have not ended; one may come twice. Its ring does
	 * not count it as in flight yet. */
	void (*depends)(struct sim *sim, struct request *rq,
	    const struct dependency *deps, size_t n);
	/* rq has nothing left to wait for: it joins the queues. */
	void (*ready)(struct sim *sim, struct request *rq);
	/* One decision: a request takes an engine that is free
	 * (hw_engine_is_free). False: nothing to do. */
	bool (*step)(struct sim *sim);
	/* rq, that ran on e, ends now; who follows is chosen in a step. May
	 * be NULL. */
	void (*ended)(struct sim *sim, struct hw_engine *e, struct request *rq);
	/* A reset took rq off e: it waits again, in its old place. NULL: what
	 * an engine has is to blame for its hang in any case, and a full reset
	 * leaves other engines alone. */
	void (*replay)(
	    struct sim *sim, struct hw_engine *e, struct request *rq);
	/* The batch on e begins now, after switching to it took its time. May
	 * be NULL. */
	void (*began)(struct sim *sim, struct hw_engine *e);
	/* The batch that runs on e gets on at another pace from now on: the
	 * times of its end and preemption points have changed. May be NULL. */
	void (*paced)(struct sim *sim, struct hw_engine *e);
	/* e, which was being reset, takes requests again. May be NULL. */
	void (*reset_over)(struct sim *sim, struct hw_engine *e);
	/* A heartbeat pulse waits for e since now, or has been raised now, to
	 * heartbeat_priority; when it has had its turn, heartbeat_answered.
	 * NULL: no heartbeats. */
	void (*pulse)(struct sim *sim, struct hw_engine *e);
	/* Can a timer of its own (heartbeat, preempt timeout) still end the
	 * infinite batch that runs on e? May be NULL: no. */
	bool (*ends)(const struct sim *sim, const struct hw_engine *e);
	/* All that is due now has ended; what that made ready has not joined
	 * yet. May be NULL. */
	void (*all_ended)(struct sim *sim);
	/* Of two that wait for an engine, does a stand before b? NULL: in the
	 * order in which they became ready. */
	bool (*before)(const struct request *a, const struct request *b);
	/* Rings take turns: those that wait stand in no one order. */
	bool takes_turns;
	/* All that happens at this instant has happened. May be NULL. */
	void (*instant_over)(struct sim *sim);
	/* The client of the ring, which has sched_data, was killed: ends those
	 * of its requests that wait as its rules have it, now or later, by
	 * exec_cancel; what has been handed to an engine is revoked by others
	 * (revoke.h). NULL: so is all of it. */
	void (*ring_killed)(struct sim *sim, struct ring *ring);
	/* The ring, all of whose requests have ended, gets no more, unless its
	 * client takes it up again later: what its sched_data, which is not
	 * NULL, points to goes, and it becomes NULL. May be NULL. */
	void (*ring_closed)(struct sim *sim, struct ring *ring);
	/* In words, after a comma: why rq, which is ready, can have no engine,
	 * free or not. NULL: it can. May be NULL. */
	const char *(*why_held)(
	    const struct sim *sim, const struct request *rq);

	/* What its rules are to invariants.h, which asks in its builds only. */
	/* Requests raise those that they wait for to their own priority; also
	 * what those wait for that have started. */
	bool inherits, inherits_through_started;
	/* Has what an s-n waits for happened to rq? NULL: its batch began. */
	bool (*has_started)(const struct request *rq);
	/* rq is ready, may run on e, which is free, and rightly does not. May
	 * be NULL: that never is right. */
	bool (*may_idle)(const struct sim *sim, const struct request *rq,
	    const struct hw_engine *e);
	/* rq is ready, but will never need an engine. May be NULL: all do. */
	bool (*is_dropped)(const struct request *rq);
	/* Checks its own queues, when an instant is over. May be NULL. */
	void (*check)(const struct sim *sim);
};

/* By name ("fifo"), or another name of the same; NULL and a text when there is
 * none. */
const struct sched_ops *sched_find(const char *name, struct text *err);
/* The same, but "profile" is the one that the profile names. */
const struct sched_ops *sched_of(
    const struct profile *profile, const char *name, struct text *err);
#define SCHED_OF_PROFILE "profile"
/* The i-th, NULL after the last. */
const struct sched_ops *sched_list(unsigned i);
/* The i-th name that sched_find takes, NULL after the last. */
const char *sched_name(unsigned i);

/*
 * What not every scheduler can run (doc/model/drm.md "Refusals",
 * doc/model/guc.md "Refusals"). True: the context has it, and err says that it
 * is refused and who would run it.
 */

/* G; sched is who refuses it. */
bool sched_refuse_parallel(
    const struct context_def *def, const char *sched, struct text *err);
/* b */
bool sched_refuse_bonds(const struct context_def *def, struct text *err);

/* Scheduler `fifo`: everything in the order in which it became ready. */

extern const struct sched_ops sched_fifo;

/*
 * The DRM GPU scheduler over plain rings (doc/model/drm.md). Over plain rings
 * jobs end in the order in which they were put there, and only the ring
 * (drm_ring.h) knows that: a credit, an entity's score and the fences of a job
 * are given back by whichever ends. Behind guc jobs end out of order, and there
 * too a timer is to watch the oldest that is left (doc/model/drm.md
 * "Timeouts").
 */

extern const struct sched_ops sched_drm;      /* policy fifo */
extern const struct sched_ops sched_drm_rr;   /* policy rr */
extern const struct sched_ops sched_drm_fair; /* policy fair */

/* Scheduler `execlists`: priorities, preemption, timeslices, semaphores. */

extern const struct sched_ops sched_execlists;

#endif
