/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast batches get on (doc/model/sharing.md): the work of a batch is its
 * duration; beside others, or with few slices, it takes longer than that. This
 * is the one place that knows how much work is done by when. Where nothing is
 * shared ([sharing], sseu_scales) a batch does 1 ns of work in 1 ns.
 */
#ifndef ENGINE_GPU_PACE_H
#define ENGINE_GPU_PACE_H

#include <stdbool.h>

#include "engine/gpu/engine.h"
#include "engine/gpu/request.h"

struct sim;

/* a * b / c, rounded down, without an overflow on the way. */
static inline nsec
pace_scale(nsec a, uint64_t b, uint64_t c)
{
	return a / c * b + a % c * b / c;
}

/* Work that the batch of rq has done by the time t, which is not before its
 * pace was set, as long as that stays. */
static inline nsec
pace_done(const struct request *rq, nsec t)
{
	const struct pace *pace;
	nsec gone;

	if (rq->piece_ns == NSEC_NEVER)
		return rq->work_ns;
	pace = &rq->engine->pace;
	gone = t - pace->since;
	if (pace->time != pace->work)
		gone = pace_scale(gone, pace->work, pace->time);
	return rq->work_ns + gone;
}

/* The time that so much work takes, rounded up; NSEC_BEYOND: more than virtual
 * time has. */
static inline nsec
pace_stretch(nsec work, const struct pace *pace)
{
	nsec rest = work % pace->work * pace->time;
	nsec whole;

	if (__builtin_mul_overflow(work / pace->work, pace->time, &whole))
		return NSEC_BEYOND;
	return nsec_after(whole, rest / pace->work + (rest % pace->work != 0));
}

/* The first time at which the batch of rq, which runs, has done that much work,
 * no less than when its pace was set. */
static inline nsec
pace_when(const struct request *rq, nsec work)
{
	const struct pace *pace = &rq->engine->pace;
	nsec left = work - rq->work_ns;

	if (pace->time != pace->work)
		left = pace_stretch(left, pace);
	return nsec_after(pace->since, left);
}

/* Does the batch of rq run, and end at this very instant? */
static inline bool
pace_is_at_end(const struct request *rq, nsec now)
{
	return rq->piece_ns != NSEC_NEVER && !rq->infinite &&
	    pace_done(rq, now) == rq->duration_ns;
}

/* Has the batch of rq, which runs, done some work in the last ns before now? */
bool pace_has_moved(const struct request *rq, nsec now);
/* When the batch of rq, which runs, ends; NSEC_NEVER: it is infinite. */
static inline nsec
pace_end(const struct request *rq)
{
	return rq->infinite ? NSEC_NEVER : pace_when(rq, rq->duration_ns);
}

/* Before anything runs. */
void pace_init(struct sim *sim);
/* The batch on e begins, or goes on, now; it does not run any more. */
void pace_begin(struct sim *sim, struct hw_engine *e);
void pace_end_piece(struct sim *sim, const struct hw_engine *e);
/* Before the batch leaves its engine, or goes on at another pace: accounts for
 * the work that it has done. */
static inline void
pace_account(struct request *rq, nsec now)
{
	rq->work_ns = pace_done(rq, now);
}
/* At the end of an instant in which batches have begun or left: those that run
 * get on at another pace from now on, and end at another time. */
void pace_update(struct sim *sim);

/* The state of pace.c: at the end of an instant it looks at those engines
 * only whose pace can have changed. Private to it. */

/* Slows engines of one class down: by a percentage for each batch that runs on
 * one of some engines. */
struct slowdown {
	engine_mask engines;
	unsigned percent;
};

struct pacing {
	engine_mask running; /* engines on which a batch runs */
	engine_mask seen;    /* that, when it was last looked at */
	engine_mask begun;   /* a batch began there since */
	engine_mask counts;  /* engines that slow others down */
	engine_mask varies;  /* engines on which it is not always 1 ns in 1 */
	struct slowdown by[N_CLASSES][N_CLASSES];
	unsigned n_by[N_CLASSES]; /* entries of by */
	engine_mask by_any[N_CLASSES];
};

static inline bool
pacing_has_changed(const struct pacing *p)
{
	return (p->begun | ((p->running ^ p->seen) & p->counts)) != 0;
}

#endif
