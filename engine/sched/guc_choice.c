/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which waiting queue takes which engine, with parallel sets, and with RCS and
 * CCS in turns. */
#include "engine/sched/guc.h"

#include <stddef.h>

#include "engine/client/client.h"
#include "engine/client/origin.h"
#include "engine/sched/parallel.h"
#include "engine/sched/preempt.h"
#include "engine/sim.h"

static void
on_yield_turn(struct sim *sim, struct timer *timer)
{
	(void)timer;
	guc_changed(guc_of(sim), guc_of(sim)->yield.all);
}

static engine_mask
engines_of(const struct sim *sim, unsigned engine_class)
{
	engine_mask mask = 0;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		if (sim->device.engines[i].class == engine_class)
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

	timer_init(&yield->turn, on_yield_turn);
	if (profile->guc_yield_window_ns == 0 || render == 0 || compute == 0)
		return;
	yield->window = profile->guc_yield_window_ns;
	/* Rounded down, and without an overflow. */
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

/* Returns the queue of another client than that of q on one of those engines;
 * NULL: none. */
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
next_yield_turn(const struct sim *sim, const struct guc_yield *yield)
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
		    both ? next_yield_turn(sim, yield) : NSEC_NEVER);
}

/* Returns those of the engines that are free, and not held for a queue that is
 * before the one considered now. */
static engine_mask
free_of(const struct sim *sim, engine_mask engines)
{
	const struct guc *guc = sim->sched_data;

	return engines & sim->device.free & ~guc->owned & ~guc->held;
}

/* Returns the engines without those of RCS and CCS that are closed to the
 * queue. */
static engine_mask
open_of(const struct sim *sim, engine_mask engines, const struct guc_queue *q)
{
	const struct guc *guc = sim->sched_data;

	for (engine_mask m = engines & guc->yield.all; m != 0; m &= m - 1) {
		if (guc_closed_by(sim, guc, guc_first(m), q) != NULL)
			engines &= ~guc_bit(guc_first(m));
	}
	return engines;
}

/* Returns true if the owner of engine i gives way to queues of that band:
 * between two of its requests, or at a preemption point, to a higher band, or
 * to its own if its quantum is used up. is_barred has the exception. */
static bool
gives_way(const struct sim *sim, unsigned i, int band)
{
	const struct guc *guc = sim->sched_data;
	const struct guc_queue *owner = guc->engines[i].owner;
	const struct hw_engine *e = &sim->device.engines[i];

	if (owner == NULL || band < owner->band)
		return false;
	if (band == owner->band && !guc_queue_is_used_up(sim, owner))
		return false;
	return e->running == NULL || preempt_is_at_point(sim, e);
}

/* Returns true if q may not take engine i from its owner, as both are in one
 * band, and q was taken off an engine at this instant. */
static bool
is_barred(const struct sim *sim, unsigned i, const struct guc_queue *q)
{
	const struct guc *guc = sim->sched_data;

	return q->band == guc->engines[i].owner->band &&
	    guc_queue_gave_way(sim, q);
}

/* Returns the engines whose owners give way to that band. */
static engine_mask
giving_way(const struct sim *sim, engine_mask engines, int band)
{
	const struct guc *guc = sim->sched_data;
	engine_mask giving = 0;

	for (engine_mask m = engines & guc->owned; m != 0; m &= m - 1) {
		if (gives_way(sim, guc_first(m), band))
			giving |= guc_bit(guc_first(m));
	}
	return giving;
}

/* Returns the engines whose owners give way to the queue. */
static engine_mask
giving_way_to(
    const struct sim *sim, engine_mask engines, const struct guc_queue *q)
{
	engine_mask giving = giving_way(sim, engines, q->band);

	if (!guc_queue_gave_way(sim, q))
		return giving;
	for (engine_mask m = giving; m != 0; m &= m - 1) {
		if (is_barred(sim, guc_first(m), q))
			giving &= ~guc_bit(guc_first(m));
	}
	return giving;
}

/* Returns the engine for a queue that may have several: the free one that it
 * was on last, else the lowest free one, else likewise among those that give
 * way. */
static engine_mask
choose_sibling_engine(const struct sim *sim, const struct guc_queue *q)
{
	engine_mask allowed = open_of(sim, q->ring->first->allowed, q);
	engine_mask engines = free_of(sim, allowed);
	int last = q->ring->last_engine;

	if (engines == 0)
		engines = giving_way_to(sim, allowed, q);
	if (last >= 0 && (engines & guc_bit((unsigned)last)) != 0)
		return guc_bit((unsigned)last);
	return engines & -engines;
}

/* Returns the preferred set, if all (or any) of its engines are among those;
 * else the lowest such set; -1: there is none. */
static int
choose_set_of(
    const struct ring_def *def, int preferred, engine_mask engines, bool all)
{
	int found = -1;

	for (unsigned j = def->n_siblings; j-- > 0;) {
		engine_mask set = parallel_set(def, j);
		engine_mask had = set & engines;

		if (all ? had != set : had == 0)
			continue;
		if ((int)j == preferred)
			return preferred;
		found = (int)j;
	}
	return found;
}

/* Chooses a set for a parallel queue: the set that it was on last if all of it
 * is free, else the lowest free one, else likewise with engines that give way.
 * If there is none it holds what it can of one set, and keeps to that set.
 * False: it can have no engine. */
static bool
choose_set(
    const struct sim *sim, struct guc_queue *q, struct guc_choice *choice)
{
	const struct request *rq = q->ring->first;
	const struct ring_def *def = request_slot(rq);
	engine_mask engines = free_of(sim, rq->allowed);
	int set = choose_set_of(def, q->last_set, engines, true);

	if (set < 0) {
		engines |= giving_way_to(sim, rq->allowed, q);
		set = choose_set_of(def, q->last_set, engines, true);
	}
	choice->queue = q;
	choice->holds = set < 0;
	if (set >= 0) {
		q->held_set = -1;
		q->last_set = (int8_t)set;
		choice->engines = parallel_set(def, (unsigned)set);
		return true;
	}
	set = choose_set_of(
	    def, q->held_set >= 0 ? q->held_set : q->last_set, engines, false);
	q->held_set = (int8_t)set;
	if (set < 0)
		return false;
	choice->engines = engines & parallel_set(def, (unsigned)set);
	return true;
}

/* Removes q from the wait queues of those engines, as it cannot take them, but
 * queues behind it can. The entries are in a list, linked by next. */
static void
skip_in_waitqs(struct guc *guc, struct guc_queue *q, engine_mask engines,
    struct pairing_node **stepped)
{
	for (struct guc_wait *s = q->waits; s != NULL; s = s->next_of_queue) {
		unsigned i = guc_wait_engine(s);

		if ((engines & guc_bit(i)) == 0)
			continue;
		guc_waitq_remove(&guc->engines[i].waitq, s);
		s->node.next = *stepped;
		*stepped = &s->node;
	}
}

static void
return_to_waitqs(struct guc *guc, struct pairing_node *stepped)
{
	while (stepped != NULL) {
		struct pairing_node *next = stepped->next;
		struct guc_wait *wait = guc_wait_of(stepped);

		guc_waitq_add(&guc->engines[guc_wait_engine(wait)].waitq, wait);
		stepped = next;
	}
}

/* Returns the first entry for engine i, of the band of the first, whose queue
 * has not just given way; NULL: none. The owner gives way to that band. */
static const struct guc_wait *
first_unbarred(struct sim *sim, unsigned i)
{
	struct guc *guc = sim->sched_data;
	struct guc_waitq *waitq = &guc->engines[i].waitq;
	int band = guc_wait_band(waitq->first);
	struct pairing_node *stepped = NULL;
	const struct guc_wait *found;

	while (waitq->first != NULL && guc_wait_band(waitq->first) == band &&
	    is_barred(sim, i, waitq->first->queue))
		skip_in_waitqs(guc, waitq->first->queue, guc_bit(i), &stepped);
	found = waitq->first;
	return_to_waitqs(guc, stepped);
	return found != NULL && guc_wait_band(found) == band ? found : NULL;
}

/* Returns the first entry for engine i that can take it, as it is free or its
 * owner gives way; NULL: none. */
static const struct guc_wait *
first_taker(struct sim *sim, unsigned i)
{
	struct guc *guc = sim->sched_data;
	const struct guc_wait *first = guc->engines[i].waitq.first;

	if (guc->engines[i].owner == NULL)
		return (sim->device.free >> i & 1) != 0 ? first : NULL;
	if (!gives_way(sim, i, guc_wait_band(first)))
		return NULL;
	return is_barred(sim, i, first->queue) ? first_unbarred(sim, i) : first;
}

/* As first_taker, but NULL if the first queue is closed out of the engine: it
 * keeps the queues behind it out, too. Used when no set waits. */
static const struct guc_wait *
first_open_taker(struct sim *sim, unsigned i)
{
	const struct guc *guc = sim->sched_data;
	const struct guc_wait *first = first_taker(sim, i);

	if (first == NULL || guc_closed_by(sim, guc, i, first->queue) != NULL)
		return NULL;
	return first;
}

/* Chooses the first of all queues that can take their engine. Used when no set
 * waits. Only engines where something has changed, or a preemption point has
 * come, need a look. */
static bool
choose_single(struct sim *sim, struct guc_choice *choice)
{
	struct guc *guc = sim->sched_data;
	const struct guc_wait *best = NULL;

	for (engine_mask m = guc->waited_for & guc->look; m != 0; m &= m - 1) {
		unsigned i = guc_first(m);
		const struct guc_wait *first = guc->engines[i].waitq.first;

		if (best != NULL && best->node.key < first->node.key)
			continue;
		first = first_open_taker(sim, i);
		if (first != NULL &&
		    (best == NULL || first->node.key < best->node.key))
			best = first;
	}
	if (best == NULL) {
		guc->look = 0;
		return false;
	}
	choice->queue = best->queue;
	choice->engines = best == best->queue->waits &&
		best->next_of_queue == NULL
	    ? guc_bit(guc_wait_engine(best))
	    : choose_sibling_engine(sim, best->queue);
	choice->holds = false;
	return true;
}

/* Returns the first queue that waits for one of those engines; NULL: none. */
static struct guc_queue *
first_in_waitqs(const struct guc *guc, engine_mask engines)
{
	const struct guc_wait *best = NULL;

	for (engine_mask m = engines; m != 0; m &= m - 1) {
		const struct guc_wait *first =
		    guc->engines[guc_first(m)].waitq.first;

		if (first != NULL &&
		    (best == NULL || first->node.key < best->node.key))
			best = first;
	}
	return best != NULL ? best->queue : NULL;
}

/* Holds free engines for a queue. They are not busy; views show for whom they
 * are held. */
static void
hold_engines(struct sim *sim, const struct guc_queue *q, engine_mask engines)
{
	struct guc *guc = sim->sched_data;

	guc->held |= engines;
	for (; engines != 0; engines &= engines - 1)
		sim->device.engines[guc_first(engines)].kept_for =
		    q->ring->first;
}

static void
release_held(struct sim *sim)
{
	struct guc *guc = sim->sched_data;

	for (; guc->held != 0; guc->held &= guc->held - 1)
		sim->device.engines[guc_first(guc->held)].kept_for = NULL;
}

/* Finds engines that q can take, or hold; false: none. */
static bool
choose_for(
    const struct sim *sim, struct guc_queue *q, struct guc_choice *choice)
{
	*choice = (struct guc_choice){.queue = q};
	if (q->is_parallel)
		return choose_set(sim, q, choice);
	choice->engines = choose_sibling_engine(sim, q);
	return choice->engines != 0;
}

/* Chooses when sets wait: queue by queue, in their order. Engines that one
 * queue cannot have, no queue behind it can have either, so they are not
 * considered any more. The exceptions are engines that a set could have had but
 * does not hold, and those that do not give way to a queue only because it has
 * just given way itself. */
static bool
choose_in_order(
    struct sim *sim, struct guc_choice *choice, struct pairing_node **stepped)
{
	struct guc *guc = sim->sched_data;
	engine_mask open = guc->waited_for;
	struct guc_queue *q;

	while ((q = first_in_waitqs(guc, open)) != NULL) {
		engine_mask allowed = q->ring->first->allowed, left = 0;

		if (choose_for(sim, q, choice)) {
			if (!choice->holds ||
			    (choice->engines & guc->owned) != 0)
				return true;
			hold_engines(sim, q, choice->engines);
		}
		if (choice->holds || guc_queue_gave_way(sim, q)) {
			left = free_of(sim, allowed) |
			    giving_way(sim, allowed, q->band);
			left &= open;
			skip_in_waitqs(guc, q, left, stepped);
		}
		open &= ~allowed | left;
	}
	return false;
}

bool
guc_choose(struct sim *sim, struct guc_choice *choice)
{
	struct guc *guc = sim->sched_data;
	struct pairing_node *stepped = NULL;
	bool chosen;

	if (guc->held != 0)
		release_held(sim);
	if (guc->n_sets == 0)
		return choose_single(sim, choice);
	chosen = choose_in_order(sim, choice, &stepped);
	return_to_waitqs(guc, stepped);
	return chosen;
}
