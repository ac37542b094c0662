/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the pace of each running batch up to date: at the end of an instant,
 * the batches whose neighbours have begun or left get a new pace and a new end.
 */
#include "engine/gpu/pace.h"

#include "engine/gpu/exec.h"
#include "engine/sim.h"

/* The numbers of [sharing] are in percent of this. */
#define WHOLE 100
/* Unit of pacing.speed: the speed without changes. */
#define NORMAL_SPEED 1000
#define MAX_SPEED    (1000 * NORMAL_SPEED)

bool
pace_has_moved(const struct request *rq, nsec now)
{
	const struct pace *pace = &rq->engine->pace;

	if (now == pace->since)
		return pace->moved;
	return pace_done(rq, now) != pace_done(rq, now - 1);
}

/* Collects what slows engines of class a down. */
static void
note_sharing(struct sim *sim, unsigned a)
{
	struct pacing *pacing = &sim->pacing;

	for (unsigned b = 0; b < N_CLASSES; b++) {
		struct slowdown by = {
		    .percent = sim->config.profile.sharing[a][b]};

		for (unsigned i = 0; i < sim->device.n_engines; i++) {
			if (sim->device.engines[i].class == b)
				by.engines |= (engine_mask)1 << i;
		}
		if (by.percent == 0 || by.engines == 0)
			continue;
		pacing->by[a][pacing->n_by[a]++] = by;
		pacing->by_any[a] |= by.engines;
		pacing->counts |= by.engines;
	}
}

/* Returns true if the batches of e run on slices. */
static bool
has_slices(const struct hw_engine *e)
{
	return e->class == CLASS_RCS || e->class == CLASS_CCS;
}

/* Finds the engines whose pace is not always 1. */
static void
find_varying(struct sim *sim)
{
	const struct profile *profile = &sim->config.profile;

	sim->pacing.varies = 0;
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];

		if (sim->pacing.speed != NORMAL_SPEED ||
		    sim->pacing.n_by[e->class] > 0 ||
		    (has_slices(e) && profile->sseu_scales &&
			profile->slices > 1))
			sim->pacing.varies |= (engine_mask)1 << i;
	}
	sim->paced = sim->pacing.varies != 0;
}

void
pace_init(struct sim *sim)
{
	sim->pacing.speed = NORMAL_SPEED;
	for (unsigned a = 0; a < N_CLASSES; a++)
		note_sharing(sim, a);
	find_varying(sim);
}

void
pace_set_speed(struct sim *sim, double speed)
{
	double thousandths = speed * NORMAL_SPEED + 0.5;
	struct pacing *pacing = &sim->pacing;

	pacing->speed = thousandths < 1 ? 1
	    : thousandths > MAX_SPEED   ? MAX_SPEED
					: (uint32_t)thousandths;
	pacing->was_fast |= pacing->speed > NORMAL_SPEED;
	find_varying(sim);
	/* Engines that run change at the end of the next instant. */
	pacing->begun |= pacing->running;
	sim->paced = true;
}

void
pace_begin(struct sim *sim, struct hw_engine *e)
{
	engine_mask bit = e->bit;

	e->pace = (struct pace){.time = 1, .work = 1, .since = sim->now};
	sim->pacing.running |= bit;
	sim->pacing.begun |= bit & sim->pacing.varies;
}

void
pace_end_piece(struct sim *sim, const struct hw_engine *e)
{
	sim->pacing.running &= ~e->bit;
}

/* Returns, in percent, how much longer a batch on e takes beside those that run
 * on other engines. */
static uint32_t
slowdown_of(const struct sim *sim, const struct hw_engine *e)
{
	const struct pacing *pacing = &sim->pacing;
	engine_mask others = pacing->running & ~e->bit;
	uint32_t percent = 0;

	for (unsigned i = 0; i < pacing->n_by[e->class]; i++) {
		const struct slowdown *by = &pacing->by[e->class][i];
		engine_mask m = by->engines & others;

		for (; m != 0; m &= m - 1)
			percent += by->percent;
	}
	return percent;
}

/* Returns the number of slices that the context on e has. */
static uint32_t
slices_of(const struct sim *sim, const struct hw_engine *e)
{
	uint32_t mask = e->last_sseu & device_all_slices(&sim->device);

	if (!has_slices(e) || !sim->config.profile.sseu_scales || mask == 0)
		return sim->device.slices;
	return (uint32_t)__builtin_popcount(mask);
}

static struct pace
pace_of(const struct sim *sim, const struct hw_engine *e)
{
	struct pace pace = {
	    .time = (WHOLE + slowdown_of(sim, e)) * sim->device.slices,
	    .work = WHOLE * slices_of(sim, e),
	};

	if (sim->pacing.speed != NORMAL_SPEED) {
		pace.time *= NORMAL_SPEED;
		pace.work *= sim->pacing.speed;
	}
	return pace;
}

static bool
paces_differ(const struct pace *a, const struct pace *b)
{
	return (uint64_t)a->time * b->work != (uint64_t)b->time * a->work;
}

/* Gives the batch on e, a first row, that pace from now on, and so the other
 * rows, which are on engines of the same class. */
static void
change_pace(struct sim *sim, struct hw_engine *e, struct pace pace)
{
	struct request *rq = e->running;

	pace.since = sim->now;
	for (struct request *row = rq; row != NULL; row = row->next_row) {
		observers_notify(sim, paced, row);
		pace.moved = pace_has_moved(row, sim->now);
		pace_account(row, sim->now);
		row->engine->pace = pace;
	}
	if (!rq->infinite)
		exec_set_end(sim, e);
	if (sim->config.sched->paced != NULL)
		sim->config.sched->paced(sim, e);
}

/* Returns the engines of first rows whose pace may have changed: the batch, or
 * one that slows it down, began or left since the last update. */
static engine_mask
find_changed(const struct sim *sim)
{
	const struct pacing *pacing = &sim->pacing;
	engine_mask changed = (pacing->running ^ pacing->seen) & pacing->counts;
	engine_mask found = 0;

	for (engine_mask m = pacing->running; m != 0; m &= m - 1) {
		const struct hw_engine *e =
		    &sim->device.engines[__builtin_ctzll(m)];

		if ((m & -m & pacing->begun) != 0 ||
		    (pacing->by_any[e->class] & changed) != 0)
			found |= (engine_mask)1
			    << request_first_row(e->running)->engine->index;
	}
	return found;
}

void
pace_update(struct sim *sim)
{
	engine_mask changed = find_changed(sim);

	sim->pacing.seen = sim->pacing.running;
	sim->pacing.begun = 0;
	for (; changed != 0; changed &= changed - 1) {
		struct hw_engine *e =
		    &sim->device.engines[__builtin_ctzll(changed)];
		struct pace pace = pace_of(sim, e);

		if (paces_differ(&pace, &e->pace))
			change_pace(sim, e, pace);
	}
}
