/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interface of a scheduler to the simulation: it says what a request waits
 * for, queues the requests that are ready, and puts them on engines. The rules
 * of the four schedulers are in doc/model/. drm.h, execlists.h and guc.h are
 * private to the scheduler of that name.
 */
#ifndef ENGINE_SCHED_SCHED_H
#define ENGINE_SCHED_SCHED_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/gpu/engine.h"
#include "engine/gpu/request.h"

struct profile;
struct program;
struct request;
struct ring;
struct sim;
struct text;

/* Why one request waits for another. */
enum wait_cause {
	WAIT_OBJECT,   /* data dependency or working set */
	WAIT_FENCE,    /* f-n */
	WAIT_SUBMIT,   /* s-n */
	WAIT_TIMELINE, /* the request before it on its ring */
};

struct dependency {
	struct request *signaler;
	enum wait_cause cause;
};

/* A scheduler. Functions that "may be NULL" then do nothing; those that return
 * a bool then return false, unless said otherwise. */
struct sched_ops {
	const char *name;
	const char *summary; /* one line, for lists */

	/* Its abilities and rules. */

	/* A request inherits the error of a request whose end it waits for:
	 * i915 does that (doc/model/hangs.md "Errors travel"), the DRM
	 * scheduler does not. */
	bool propagates_errors;
	/* Priorities and preemption have no effect. */
	bool ignores_priority;
	/* Priorities differ only as above 0, 0 and below 0. */
	bool three_levels;
	/* A batch that runs is never taken off its engine. */
	bool never_preempts;
	/* Its queues are priolists. */
	bool has_places;
	/* Runs programs with bonds, with parallel slots. */
	bool takes_bonds, takes_parallel;
	/* Refuses balanced maps of several classes. */
	bool one_class;
	/* Rings take turns: waiting requests have no total order. */
	bool takes_turns;
	/* Infinite batches are reset after the profile's hang_ms. */
	bool hang_timeout;
	/* Jobs are reset after the profile's job_timeout_ms. */
	bool job_timeout;
	/* A revoked batch (hang.h) ends at its next preemption point. */
	bool stops_at_points;
	/* Requests are revoked request_timeout_ms after they became ready
	 * (timeouts.h). */
	bool watchdog;
	/* Waits for software fences are given up after fence_timeout_ms. */
	bool limits_foreign;
	/* Changes the timeout of a watchdog of its own, in ns (0: off). NULL: it
	 * has none. */
	void (*set_watchdog)(struct sim *sim, nsec timeout);
	/* Requests raise those that they wait for to their own priority, so
	 * that their waits are kept until they end (struct waiter). */
	bool inherits;
	/* Preempt timeouts are the firmware's: not rounded to jiffies. */
	bool firmware_timers;
	/* Requests begin and end when a real device says so (follow/): not by
	 * their durations, nor because they are revoked. */
	bool reported;
	/* A stopped heartbeat resets the whole GPU, not one engine
	 * (doc/model/hangs.md "Resets"). */
	bool heartbeat_resets_all;

	/* Returns true if it can run program p, which has nothing that the
	 * flags exclude, under this profile. False: adds the reason to err. May
	 * be NULL, as a part of sched_accepts() (steps.h). */
	bool (*accepts)(const struct program *p, const struct profile *profile,
	    struct text *err);

	/* Returns its state, for sim->sched_data, in the simulation's region. */
	void *(*create)(struct sim *sim);

	/* rq was submitted: makes it wait (instant.h) for its n dependencies,
	 * requests that have not ended; one may be in deps twice. The ring does
	 * not count rq as in flight yet. */
	void (*depends)(struct sim *sim, struct request *rq,
	    const struct dependency *deps, size_t n);
	/* rq has nothing left to wait for: puts it in the queues. */
	void (*ready)(struct sim *sim, struct request *rq);
	/* rq, which may be ready or on an engine, waits for no end any more
	 * (instant_wait_end). NULL: it uses no such waits. */
	void (*can_run)(struct sim *sim, struct request *rq);
	/* Makes one decision, such as giving a free engine
	 * (hw_engine_is_free) to a request. False: nothing to do. */
	bool (*step)(struct sim *sim);
	/* rq, which ran on e, ends now. A step chooses its successor. May be
	 * NULL. */
	void (*ended)(struct sim *sim, struct hw_engine *e, struct request *rq);
	/* A reset took rq, which is innocent, off e: puts it back in its old
	 * place. NULL: the request on a hung engine is always guilty, and a
	 * full reset leaves other engines alone. */
	void (*replay)(
	    struct sim *sim, struct hw_engine *e, struct request *rq);
	/* The batch on e begins now: switching to it is over. May be NULL. */
	void (*began)(struct sim *sim, struct hw_engine *e);
	/* The batch that runs on e changes its pace: the times of its end and
	 * of its preemption points are new. May be NULL. */
	void (*paced)(struct sim *sim, struct hw_engine *e);
	/* The batch on e, which may be about to begin, waits for memory from
	 * now on, or does not any more. May be NULL. */
	void (*polls)(struct sim *sim, struct hw_engine *e, bool polls);
	/* The reset of e is over: it takes requests again. May be NULL. */
	void (*reset_over)(struct sim *sim, struct hw_engine *e);
	/* A heartbeat pulse was sent to e, or raised, to heartbeat_priority;
	 * when it has had its turn, the scheduler calls heartbeat_answered.
	 * NULL: no heartbeats. */
	void (*pulse)(struct sim *sim, struct hw_engine *e);
	/* Returns true if a timer of the scheduler (preempt timeout, pulse) can
	 * still end the infinite batch that runs on e. May be NULL. */
	bool (*ends)(const struct sim *sim, const struct hw_engine *e);
	/* All requests due to end now have ended; those that this made ready
	 * are not queued yet. May be NULL. */
	void (*all_ended)(struct sim *sim);
	/* Returns true if a is before b, two requests that wait for one engine.
	 * NULL: in the order in which they became ready. */
	bool (*before)(const struct request *a, const struct request *b);
	/* The instant is over: no step has anything left to do. May be NULL. */
	void (*instant_over)(struct sim *sim);
	/* The client of the ring, whose sched_data is not NULL, was killed:
	 * cancels its waiting requests with exec_cancel, now or later, as the
	 * scheduler's rules say. Requests on engines are revoked by the caller.
	 * NULL: waiting ones are, too. */
	void (*ring_killed)(struct sim *sim, struct ring *ring);
	/* All requests of the ring have ended, and its client submits no more,
	 * unless it is started again: frees the ring's sched_data, which is not
	 * NULL, and sets it to NULL. May be NULL. */
	void (*ring_closed)(struct sim *sim, struct ring *ring);
	/* The ring, which was closed, is freed: the scheduler must not refer to
	 * it any more. May be NULL. */
	void (*ring_freed)(struct sim *sim, const struct ring *ring);
	/* Returns true if something will happen of which there is no event yet.
	 * May be NULL. */
	bool (*awaits)(const struct sim *sim);
	/* Returns why rq, which is ready, can have no engine, free or not:
	 * static text that begins with "which". NULL: it can. May be NULL. */
	const char *(*why_held)(
	    const struct sim *sim, const struct request *rq);

	/* For engine/invariants, in builds that check them. */

	/* Requests raise also what those that they wait for wait for, if these
	 * have started. */
	bool inherits_through_started;
	/* Returns true if an s-n wait for rq is over. NULL: when its batch has
	 * begun. */
	bool (*has_started)(const struct request *rq);
	/* Returns true if rq, which is ready and may run on e, rightly does
	 * not, though e is free. May be NULL. */
	bool (*may_idle)(const struct sim *sim, const struct request *rq,
	    const struct hw_engine *e);
	/* Returns true if rq is ready, but will end without an engine. May be
	 * NULL. */
	bool (*is_dropped)(const struct request *rq);
	/* Checks the scheduler's queues at the end of an instant. May be
	 * NULL. */
	void (*check)(const struct sim *sim);
};

/* Requests in the order in which they became ready, one at a time. */
extern const struct sched_ops sched_fifo;
/* Priorities, preemption, timeslices, semaphores. */
extern const struct sched_ops sched_execlists;
/* The DRM scheduler over plain rings, with policy fifo, rr, or fair. */
extern const struct sched_ops sched_drm, sched_drm_rr, sched_drm_fair;
/* The DRM scheduler in front of GuC. */
extern const struct sched_ops sched_guc;

/* Returns the scheduler of that name or alias ("fifo"). NULL: there is none,
 * and err says which there are. */
const struct sched_ops *sched_find(const char *name, struct text *err);
/* As sched_find, but SCHED_OF_PROFILE means the scheduler that the profile
 * names. */
const struct sched_ops *sched_of(
    const struct profile *profile, const char *name, struct text *err);
#define SCHED_OF_PROFILE "profile"
/* Returns the i-th scheduler; NULL after the last. */
const struct sched_ops *sched_list(unsigned i);
/* Returns the i-th name or alias that sched_find knows; NULL after the last. */
const char *sched_name(unsigned i);

/* Counts of GuC's context ids (doc/model/guc.md "Context ids"). */
struct guc_counters {
	uint64_t registrations;
	uint64_t steals;
	uint64_t waits; /* queues that could not have an id at once */
};

/* Returns the counts of a run, valid as long as sim; NULL: its scheduler is not
 * guc. */
const struct guc_counters *sched_guc_counters(const struct sim *sim);

#endif
