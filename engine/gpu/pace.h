/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pace of batches (doc/model/sharing.md): the duration of a batch is its
 * work in ns, which takes longer beside other batches or with few slices. All
 * questions of how much work is done when are answered here. Without the knobs
 * ([sharing], sseu_scales) a batch does 1 ns of work per ns.
 */
#ifndef ENGINE_GPU_PACE_H
#define ENGINE_GPU_PACE_H

#include <stdbool.h>

#include "engine/gpu/engine.h"
#include "engine/gpu/request.h"

struct sim;

/* Returns a * b / c, rounded down, without overflow in between. */
static inline nsec
pace_scale(nsec a, uint64_t b, uint64_t c)
{
	return a / c * b + a % c * b / c;
}

/* Returns the work that rq has done at t, at the current pace; t is not before
 * that was set. */
static inline nsec
pace_done(const struct request *rq, nsec t)
{
	const struct pace *pace;
	nsec gone;

	if (rq->piece_ns == NSEC_NEVER)
		return rq->work_ns;
	pace = &rq->engine->pace;
	gone = t - pace->since;
	if (pace->time == pace->work)
		return rq->work_ns + gone;
	gone = rq->work_ns + pace_scale(gone, pace->work, pace->time);
	/* A fast one has done it within the ns. */
	return !rq->infinite && gone > rq->duration_ns ? rq->duration_ns : gone;
}

/* Returns the time that work takes, rounded up; NSEC_BEYOND: longer than
 * virtual time lasts. */
static inline nsec
pace_stretch(nsec work, const struct pace *pace)
{
	nsec rest = work % pace->work * pace->time;
	nsec whole;

	if (__builtin_mul_overflow(work / pace->work, pace->time, &whole))
		return NSEC_BEYOND;
	return nsec_after(whole, rest / pace->work + (rest % pace->work != 0));
}

/* Returns when rq, whose batch runs, has done that much work at its current
 * pace; work is not less than it had done when the pace was set. */
static inline nsec
pace_when(const struct request *rq, nsec work)
{
	const struct pace *pace = &rq->engine->pace;
	nsec left = work - rq->work_ns;

	if (pace->time != pace->work)
		left = pace_stretch(left, pace);
	return nsec_after(pace->since, left);
}

/* Returns true if the batch of rq runs, and its work is done just now. */
static inline bool
pace_is_at_end(const struct request *rq, nsec now)
{
	return rq->piece_ns != NSEC_NEVER && !rq->infinite &&
	    pace_done(rq, now) == rq->duration_ns;
}

/* Returns true if rq, whose batch runs, did some work in the last ns. */
bool pace_has_moved(const struct request *rq, nsec now);
/* Returns when the batch of rq, which runs, ends; NSEC_NEVER: it is
 * infinite. */
static inline nsec
pace_end(const struct request *rq)
{
	return rq->infinite ? NSEC_NEVER : pace_when(rq, rq->duration_ns);
}

/* To be called once, before anything runs. */
void pace_init(struct sim *sim);
/* Batches do their work that much faster from the next instant on: 0.001 to
 * 1000, in steps of 0.001; 1: as said. */
void pace_set_speed(struct sim *sim, double speed);
/* To be called when the batch on e begins or resumes, and when it stops. */
void pace_begin(struct sim *sim, struct hw_engine *e);
void pace_end_piece(struct sim *sim, const struct hw_engine *e);
/* Adds up the work done by rq, before its batch stops or changes its pace. */
static inline void
pace_account(struct request *rq, nsec now)
{
	rq->work_ns = pace_done(rq, now);
}
/* Updates the pace and the end of all running batches. To be called at the end
 * of an instant in which some began or stopped. */
void pace_update(struct sim *sim);

/* A slowdown of the engines of a class: percent more time for each batch that
 * runs on one of these engines. */
struct slowdown {
	engine_mask engines;
	unsigned percent;
};

/* Private to pace.c. */
struct pacing {
	engine_mask running; /* engines whose batch runs */
	engine_mask seen;    /* running, at the last update */
	engine_mask begun;   /* engines where a batch began since */
	engine_mask counts;  /* engines that slow others down */
	engine_mask varies;  /* engines whose pace is not always 1 */
	uint32_t speed;      /* of all, in thousandths */
	bool was_fast;       /* that was more than 1000 */
	struct slowdown by[N_CLASSES][N_CLASSES];
	unsigned n_by[N_CLASSES]; /* entries of by */
	engine_mask by_any[N_CLASSES];
};

/* Returns true if pace_update() has something to do. */
static inline bool
pacing_has_changed(const struct pacing *p)
{
	return (p->begun | ((p->running ^ p->seen) & p->counts)) != 0;
}

#endif
