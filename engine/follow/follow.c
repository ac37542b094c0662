/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A simulation that follows a device: as a scheduler it decides nothing, but
 * keeps requests until the device has begun them (doc/model/hardware.md).
 */
#include "engine/follow/follow.h"

#include "engine/backend.h"
#include "engine/follow/follow_private.h"
#include "engine/gpu/exec.h"
#include "engine/invariants/invariants.h"
#include "engine/sched/parallel.h"

static void *
create_follow(struct sim *sim)
{
	struct follow *f = region_alloc(sim->region, 1, sizeof *f);

	pool_init(&f->requests, sim->region, sizeof(struct follow_request));
	f->given_last = &f->given_first;
	return f;
}

static void
follow_ready(struct sim *sim, struct request *rq)
{
	/* An execbuf of a client that ran late, by the record. */
	rq->queued.time = nsec_later(rq->queued.time, rq->submit_ns);
	follow_count_queued(sim, rq, 1);
	parallel_ready(sim, rq);
	for (struct request *row = rq->next_row; row != NULL;
	     row = row->next_row)
		row->queued.time = rq->queued.time;
	follow_wait_over(sim, rq);
}

static bool
follow_step(struct sim *sim)
{
	return follow_submit_held(sim) || follow_resume(sim);
}

static void
close_followed_ring(struct sim *sim, struct ring *ring)
{
	struct followed *device = follow_of(sim)->device;

	if (device->ops->ring_closed != NULL)
		device->ops->ring_closed(device, ring);
}

static bool
device_is_at_work(const struct sim *sim)
{
	const struct follow *f = follow_of(sim);

	return f->counts.n_in_flight > 0 || f->holds_all;
}

static const char *
why_not_begun(const struct sim *sim, const struct request *rq)
{
	if (follow_holds(rq))
		return follow_of(sim)->holds_all
		    ? "is held by the pause"
		    : "waits for room in the driver";
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		if (hw_engine_is_free(&sim->device.engines[__builtin_ctzll(m)]))
			return "waits for the GPU: not explained by our "
			       "requests";
	}
	return NULL;
}

#ifdef GPUWL_INVARIANTS
static bool
start_is_known(const struct request *rq)
{
	return fence_signalled(&rq->scheduled) ||
	    request_first_row((struct request *)(uintptr_t)rq)
		->followed->overtaken;
}

static bool
follow_may_idle(
    const struct sim *sim, const struct request *rq, const struct hw_engine *e)
{
	(void)sim;
	(void)rq;
	(void)e;
	return true;
}

/* Checks the lists of interrupted requests. */
static void
check_followed(const struct sim *sim)
{
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct follow_request *above = NULL;
		const struct follow_request *fr =
		    follow_of(sim)->engines[i].interrupted;

		for (; fr != NULL; above = fr, fr = fr->below) {
			if (fr->above != above || !fr->interrupted ||
			    fr->on != &sim->device.engines[i] ||
			    fr->rq->state != REQUEST_READY)
				invariants_broken(sim, fr->rq,
				    "is interrupted on %s and not in its "
				    "place",
				    sim->device.engines[i].name);
		}
	}
}
#endif

const struct sched_ops sched_follow = {
    .name = "i915",
    .summary = "a real device, which does its own scheduling",
    .takes_bonds = true,
    .takes_parallel = true,
    .reported = true,
    .create = create_follow,
    .depends = follow_depends,
    .ready = follow_ready,
    .can_run = follow_wait_over,
    .step = follow_step,
    .replay = follow_replay,
    .ring_closed = close_followed_ring,
    .awaits = device_is_at_work,
    .why_held = why_not_begun,
#ifdef GPUWL_INVARIANTS
    .has_started = start_is_known,
    .may_idle = follow_may_idle,
    .check = check_followed,
#endif
};

void
follow_device(struct sim *sim, struct followed *device)
{
	follow_of(sim)->device = device;
	sim->backend = &follow_backend;
}

void
follow_listen(struct sim *sim, struct follow_listener *listener)
{
	follow_of(sim)->listener = listener;
}

const struct follow_counts *
follow_counts(const struct sim *sim)
{
	return &follow_of(sim)->counts;
}

bool
follow_holds(const struct request *rq)
{
	const struct request *first = request_first_row(
	    (struct request *)(uintptr_t)rq);

	return rq->client->sim->config.sched == &sched_follow &&
	    first->followed != NULL && !first->followed->submitted;
}

void
follow_set_data(struct request *rq, void *data)
{
	rq->followed->data = data;
}

void *
follow_data(const struct request *rq)
{
	return rq->followed->data;
}
