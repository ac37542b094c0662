/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/pace.h"

#include "engine/engine_port.h"
#include "engine/sim.h"

/* The whole of [sharing] is in percent. */
#define WHOLE 100

bool
pace_has_moved(const struct request *rq, nsec now)
{
	const struct pace *pace = &rq->engine->pace;

	if (now == pace->since)
		return pace->moved;
	return pace_done(rq, now) != pace_done(rq, now - 1);
}

static bool
is_shared(const struct profile *profile)
{
	for (unsigned a = 0; a < N_CLASSES; a++) {
		for (unsigned b = 0; b < N_CLASSES; b++) {
			if (profile->sharing[a][b] > 0)
				return true;
		}
	}
	return profile->sseu_scales && profile->slices > 1;
}

void
pace_init(struct sim *sim)
{
	sim->paced = is_shared(&sim->config.profile);
}

void
pace_begin(struct hw_engine *e, nsec now)
{
	e->pace = (struct pace){.time = 1, .work = 1, .since = now};
}

/* How much longer a batch takes beside what runs now, in percent, by the class
 * of its engine; beside itself as well. */
static void
sum_up(const struct sim *sim, uint32_t percent[N_CLASSES])
{
	const struct profile *profile = &sim->config.profile;
	unsigned running[N_CLASSES] = {0};

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];

		running[e->class] += port_is_running(e);
	}
	for (unsigned a = 0; a < N_CLASSES; a++) {
		percent[a] = 0;
		for (unsigned b = 0; b < N_CLASSES; b++)
			percent[a] += profile->sharing[a][b] * running[b];
	}
}

/* Slices that the context on e has of those of the device. */
static uint32_t
slices_of(const struct sim *sim, const struct hw_engine *e)
{
	uint32_t mask = e->last_sseu & device_all_slices(&sim->device);
	bool has_slices = e->class == CLASS_RCS || e->class == CLASS_CCS;

	if (!has_slices || !sim->config.profile.sseu_scales || mask == 0)
		return sim->device.slices;
	return (uint32_t)__builtin_popcount(mask);
}

static struct pace
pace_of(const struct sim *sim, const struct hw_engine *e,
    const uint32_t percent[N_CLASSES])
{
	const struct profile *profile = &sim->config.profile;
	uint32_t beside = percent[e->class] -
	    profile->sharing[e->class][e->class];

	return (struct pace){
	    .time = (WHOLE + beside) * sim->device.slices,
	    .work = WHOLE * slices_of(sim, e),
	};
}

static bool
is_slower(const struct pace *a, const struct pace *b)
{
	return (uint64_t)a->time * b->work > (uint64_t)b->time * a->work;
}

/* "The rows of a parallel step get on as the slowest of them does." */
static struct pace
slowest(const struct sim *sim, const struct request *rq,
    const uint32_t percent[N_CLASSES])
{
	struct pace slow = pace_of(sim, rq->engine, percent);

	for (rq = rq->next_row; rq != NULL; rq = rq->next_row) {
		struct pace pace = pace_of(sim, rq->engine, percent);

		if (is_slower(&pace, &slow))
			slow = pace;
	}
	return slow;
}

/* The batch on e, and those of the rows after it, get on at that pace. */
static void
set_pace(struct sim *sim, struct hw_engine *e, struct pace pace)
{
	struct request *rq = e->running;

	pace.since = sim->now;
	for (struct request *row = rq; row != NULL; row = row->next_row) {
		observers_tell(sim, paced, row);
		pace.moved = pace_has_moved(row, sim->now);
		pace_account(row, sim->now);
		row->engine->pace = pace;
	}
	if (!rq->infinite)
		port_set_end(sim, e);
	if (sim->config.sched->paced != NULL)
		sim->config.sched->paced(sim, e);
}

void
pace_update(struct sim *sim)
{
	uint32_t percent[N_CLASSES];

	sim->pace_changed = false;
	sum_up(sim, percent);
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct hw_engine *e = &sim->device.engines[i];
		struct pace pace;

		if (!port_is_running(e) || e->running->row > 0)
			continue;
		pace = slowest(sim, e->running, percent);
		if (is_slower(&pace, &e->pace) || is_slower(&e->pace, &pace))
			set_pace(sim, e, pace);
	}
}
