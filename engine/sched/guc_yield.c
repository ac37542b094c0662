/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/guc_yield.h"

#include <stddef.h>

#include "engine/sched/guc_queue.h"
#include "engine/sim.h"

static struct guc *
guc_of(const struct sim *sim)
{
	return sim->sched_data;
}

static void
on_turn(struct sim *sim, struct timer *timer)
{
	(void)timer;
	guc_changed(guc_of(sim), guc_of(sim)->yield.all);
}

static engine_mask
engines_of(const struct sim *sim, unsigned class)
{
	engine_mask mask = 0;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		if (sim->device.engines[i].class == class)
			mask |= (engine_mask)1 << i;
	}
	return mask;
}

void
guc_yield_init(struct sim *sim, struct guc_yield *yield)
{
	const struct profile *profile = &sim->config.profile;
	engine_mask render = engines_of(sim, CLASS_RCS);
	engine_mask compute = engines_of(sim, CLASS_CCS);

	timer_init(&yield->turn, on_turn);
	if (profile->guc_yield_window_ns == 0 || render == 0 || compute == 0)
		return;
	yield->window = profile->guc_yield_window_ns;
	/* Rounded down, and without a product that overflows. */
	yield->share = yield->window / 100 * profile->guc_yield_percent +
	    yield->window % 100 * profile->guc_yield_percent / 100;
	yield->render = render;
	yield->compute = compute;
	yield->all = render | compute;
}

static bool
compute_goes_first(const struct sim *sim, const struct guc_yield *yield)
{
	return sim->now % yield->window >= yield->window - yield->share;
}

/* Finds a queue of another client than q on one of those engines. */
static const struct guc_queue *
other_owner(
    const struct guc *guc, engine_mask engines, const struct guc_queue *q)
{
	const struct client *client = q->ring->context->client;

	for (; engines != 0; engines &= engines - 1) {
		const struct guc_queue *owner =
		    guc->engines[guc_first(engines)].owner;

		if (owner->ring->context->client != client)
			return owner;
	}
	return NULL;
}

const struct guc_queue *
guc_yield_closed_by(
    const struct sim *sim, unsigned i, const struct guc_queue *q)
{
	const struct guc *guc = guc_of(sim);
	const struct guc_yield *yield = &guc->yield;
	bool is_compute = (yield->compute >> i & 1) != 0;
	engine_mask others = is_compute ? yield->render : yield->compute;

	if (compute_goes_first(sim, yield) == is_compute)
		return NULL;
	return other_owner(guc, others & guc->owned, q);
}

static nsec
next_turn(const struct sim *sim, const struct guc_yield *yield)
{
	nsec into = sim->now % yield->window;
	nsec render = yield->window - yield->share;

	if (render == 0 || yield->share == 0)
		return NSEC_NEVER;
	return sim->now + (into < render ? render : yield->window) - into;
}

void
guc_yield_update(struct sim *sim)
{
	struct guc *guc = guc_of(sim);
	struct guc_yield *yield = &guc->yield;
	engine_mask busy = guc->owned | guc->waited_for;
	bool both = (busy & yield->render) != 0 && (busy & yield->compute) != 0;

	if (both || timer_is_set(&yield->turn))
		timer_set(&sim->events, &yield->turn,
		    both ? next_turn(sim, yield) : NSEC_NEVER);
}
