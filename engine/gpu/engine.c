/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device and its engines: made from a profile, found by name, and what each
 * counts of its time and its queue.
 */
#include "engine/gpu/engine.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "engine/gpu/request.h"
#include "engine/profile.h"

static struct engine_knobs
knobs_of(const struct profile *p, unsigned cls)
{
	return (struct engine_knobs){
	    .timeslice_ns = p->timeslice_ns,
	    .quantum_ns = p->quantum_ns,
	    .preempt_timeout_ns = cls == CLASS_RCS || cls == CLASS_CCS
		? p->preempt_timeout_compute_ns
		: p->preempt_timeout_ns,
	    .heartbeat_ns = p->heartbeat_ns,
	};
}

static void
add_engine(struct device *dev, unsigned cls, unsigned instance,
    const struct profile *p)
{
	struct hw_engine *e = &dev->engines[dev->n_engines];

	e->class = (uint8_t)cls;
	e->instance = (uint8_t)instance;
	e->gt = (uint8_t)p->gt[cls];
	e->has_hevc = cls == CLASS_VCS && (p->hevc_vcs >> instance & 1);
	e->index = (uint8_t)dev->n_engines++;
	e->bit = (engine_mask)1 << e->index;
	dev->free |= e->bit;
	e->sema_since = NSEC_NEVER;
	e->poll_since = NSEC_NEVER;
	e->knobs = knobs_of(p, cls);
	if (e->knobs.heartbeat_ns > 0)
		dev->beating |= e->bit;
	if (p->n_engines[cls] > 1)
		snprintf(e->name, sizeof e->name, "%s%u",
		    engine_class_names[cls], instance + 1);
	else
		snprintf(
		    e->name, sizeof e->name, "%s", engine_class_names[cls]);
}

void
device_init(struct device *dev, const struct profile *p)
{
	memset(dev, 0, sizeof *dev);
	dev->slices = p->slices;
	for (unsigned cls = 0; cls < N_CLASSES; cls++) {
		for (unsigned i = 0; i < p->n_engines[cls] &&
		     dev->n_engines < DEVICE_MAX_ENGINES;
		     i++)
			add_engine(dev, cls, i, p);
	}
}

nsec
hw_engine_busy(const struct hw_engine *e, nsec now)
{
	/* A request taken before the last completion is over counts later. */
	if (e->running == NULL || now <= e->busy_since)
		return e->busy_ns;
	return e->busy_ns + (now - e->busy_since);
}

nsec
hw_engine_waiting(const struct hw_engine *e, nsec now)
{
	if (!e->is_waiting)
		return e->waiting_ns;
	return e->waiting_ns + (now - e->waiting_since);
}

nsec
hw_engine_idle(const struct hw_engine *e, nsec now)
{
	return now - hw_engine_busy(e, now) - hw_engine_waiting(e, now);
}

/* Returns how long the batch that runs on e has polled memory, for its last
 * piece. */
static nsec
hw_engine_polled(const struct hw_engine *e, nsec now)
{
	return e->polled_ns + (now > e->poll_since ? now - e->poll_since : 0);
}

nsec
hw_engine_run(const struct hw_engine *e, nsec now)
{
	if (e->running == NULL || e->running->piece_ns == NSEC_NEVER)
		return e->run_ns;
	return e->run_ns + (now - e->running->piece_ns) -
	    hw_engine_polled(e, now);
}

nsec
hw_engine_sema(const struct hw_engine *e, nsec now)
{
	nsec sema = e->sema_ns + hw_engine_polled(e, now);

	return now <= e->sema_since ? sema : sema + (now - e->sema_since);
}

bool
hw_engine_had_work(const struct hw_engine *e)
{
	return e->busy_ns > 0 || e->running != NULL || e->kept_for != NULL ||
	    e->batches > 0 || e->queue_max > 0 || e->waiting_ns > 0 ||
	    e->is_waiting;
}

nsec
hw_engine_sseu(const struct hw_engine *e, nsec now)
{
	nsec from = e->sema_since - e->sseu_cost;

	if (e->sseu_cost == 0 || now <= from)
		return e->sseu_ns;
	return e->sseu_ns + nsec_earlier(now - from, e->sseu_cost);
}

struct engine_times
hw_engine_times(const struct hw_engine *e, nsec now)
{
	nsec run = hw_engine_run(e, now), sema = hw_engine_sema(e, now);

	return (struct engine_times){
	    .ns = {
		[USE_RUNNING] = run,
		[USE_SWITCHING] = hw_engine_busy(e, now) - run - sema,
		[USE_POLLING] = sema,
		[USE_BLOCKED] = hw_engine_waiting(e, now),
	    }};
}

/* The PMU samples at the multiples of this. */
#define PMU_PERIOD (5 * NSEC_PER_MSEC)

/* Returns the number of samples from since on and before now. */
static uint64_t
n_pmu_samples(nsec since, nsec now)
{
	uint64_t before = since > 0 ? (since - 1) / PMU_PERIOD : 0;

	return now > 0 ? (now - 1) / PMU_PERIOD - before : 0;
}

nsec
hw_engine_pmu_sema(const struct hw_engine *e, nsec now)
{
	uint64_t n = e->sema_samples;

	if (now > e->sema_since)
		n += n_pmu_samples(e->sema_since, now);
	if (now > e->poll_since)
		n += n_pmu_samples(e->poll_since, now);
	return n * PMU_PERIOD;
}

nsec
hw_engine_poll_over(struct hw_engine *e, nsec now)
{
	nsec polled = 0;

	if (e->sseu_cost > 0) {
		e->sseu_ns = hw_engine_sseu(e, now);
		e->sseu_cost = 0;
	}
	if (now > e->sema_since) {
		polled = now - e->sema_since;
		e->sema_ns += polled;
		e->sema_samples += n_pmu_samples(e->sema_since, now);
	}
	e->sema_since = NSEC_NEVER;
	return polled;
}

void
hw_engine_set_polling(struct hw_engine *e, bool polls, nsec now)
{
	if (polls == (e->poll_since != NSEC_NEVER))
		return;
	if (polls) {
		e->poll_since = now;
		return;
	}
	e->polled_ns += now - e->poll_since;
	e->sema_samples += n_pmu_samples(e->poll_since, now);
	e->poll_since = NSEC_NEVER;
}

nsec
hw_engine_batch_polled(struct hw_engine *e, nsec now)
{
	nsec polled;

	hw_engine_set_polling(e, false, now);
	polled = e->polled_ns;
	e->polled_ns = 0;
	e->sema_ns += polled;
	return polled;
}

nsec
hw_engine_queued(const struct hw_engine *e, nsec now)
{
	return e->queued_ns + (e->queue_depth > 0 ? now - e->queue_since : 0);
}

unsigned __int128
hw_engine_queue_area(const struct hw_engine *e, nsec now)
{
	return e->queue_area +
	    (unsigned __int128)e->queue_depth * (now - e->queue_since);
}

double
hw_engine_queue_mean(const struct hw_engine *e, nsec now)
{
	return now > 0 ? (double)hw_engine_queue_area(e, now) / (double)now : 0;
}

/* The depth counts only if it lasted longer than its instant. */
uint32_t
hw_engine_queue_max(const struct hw_engine *e, nsec now)
{
	bool counts = now > e->queue_since && e->queue_depth > e->queue_max;

	return counts ? e->queue_depth : e->queue_max;
}

/* Returns true if e is free while requests for it are blocked on fences. */
static bool
is_waiting(const struct hw_engine *e)
{
	return (e->running == NULL) & (e->blocked > 0);
}

static void
update_queue(struct hw_engine *e, nsec now)
{
	e->queue_max = hw_engine_queue_max(e, now);
	e->queue_area = hw_engine_queue_area(e, now);
	e->queued_ns = hw_engine_queued(e, now);
	e->queue_since = now;
	e->queue_depth = e->queued;
}

static void
update_waiting(struct hw_engine *e, nsec now)
{
	e->is_waiting = !e->is_waiting;
	if (e->is_waiting)
		e->waiting_since = now;
	else
		e->waiting_ns += now - e->waiting_since;
}

/* Most often neither has changed: one branch tests both. */
bool
hw_engine_instant_over(struct hw_engine *e, nsec now)
{
	bool queue = e->queued != e->queue_depth;
	bool waiting = is_waiting(e) != e->is_waiting;

	if (!(queue | waiting))
		return false;
	if (queue)
		update_queue(e, now);
	if (waiting)
		update_waiting(e, now);
	return waiting;
}

engine_mask
device_match(const struct device *dev, struct engine_name name)
{
	engine_mask mask = 0;

	for (unsigned i = 0; i < dev->n_engines; i++) {
		const struct hw_engine *e = &dev->engines[i];

		if (e->class != name.class)
			continue;
		if (name.instance != 0 && e->instance + 1 != name.instance)
			continue;
		if (name.gt >= 0 && e->gt != name.gt)
			continue;
		mask |= (engine_mask)1 << i;
	}
	return mask;
}

uint32_t
device_all_slices(const struct device *dev)
{
	return dev->slices >= 32 ? UINT32_MAX : (1u << dev->slices) - 1;
}

bool
device_check_slices(const struct device *dev, int64_t mask, struct text *err)
{
	uint32_t all = device_all_slices(dev);

	if (mask == -1 || (mask > 0 && mask <= all))
		return true;
	text_addf(err,
	    "invalid slice mask '%lld': expected a mask of this GPU's slices, "
	    "%#x, or -1 for all",
	    (long long)mask, all);
	return false;
}
