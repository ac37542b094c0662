/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Endless batches that programs end before these have an engine
 * (doc/model/virtual.md "Batches").
 */
#include <stddef.h>
#include <string.h>

#include "device/i915/device.h"
#include "engine/observer.h"
#include "engine/sim.h"
#include "tests/runner/test.h"
#include "tests/support/device_rig.h"

#define MOST 128

static struct virtual_work work_of_ended[MOST];
static unsigned n_ended;

static void
keep_work(struct observer *o, struct request *rq)
{
	(void)o;
	assert_true(n_ended < MOST);
	work_of_ended[n_ended++] = virtual_work_of(rq);
}

static struct observer watches = {.ended = keep_work};

/* Starts a device that looks ahead, or does not. */
static struct rig *
start(bool looks)
{
	struct rig *b = rig_start("execlists");
	struct gpu *gpu = virtual_i915(b->device)->gpu;

	n_ended = 0;
	sim_add_observer(b->model.sim, &watches);
	gpu->ops->look_ahead(gpu, looks);
	return b;
}

static void
finish(struct rig *b)
{
	sim_remove_observer(b->model.sim, &watches);
	rig_finish(b);
}

/* Submits a batch of 500 us, a spinner, and an empty batch; ends the spinner at 200 us. */
static void
end_spinner_early(bool looks)
{
	struct rig *b = start(looks);
	struct code wsim = rig_wsim(b, 500, true), spin = rig_spin(b);
	struct code empty = rig_spin(b);

	rig_store(b, &empty, BATCH_END);
	rig_submit(b, &wsim, 0, BLIT);
	rig_submit(b, &spin, 0, BLIT);
	rig_submit(b, &empty, 0, BLIT);
	rig_run_to(b, 200);
	rig_end_spin(b, &spin);
	virtual_poke(b->device);
	rig_run_to(b, 900);
	assert_int_equal(n_ended, 3);
	assert_int_equal(work_of_ended[0].released_ns, 0);
	assert_int_equal(work_of_ended[1].released_ns, looks ? 200 * US : 0);
	assert_int_equal(work_of_ended[1].polled_ns, 0);
	assert_int_equal(work_of_ended[2].released_ns, 0);
	finish(b);
}

TEST(ended_early)
{
	end_spinner_early(true);
	end_spinner_early(false);
}

/* Counts the batches that were seen to be ended, of 100; stops: the device looks ahead
 * until the first call after their submission only. */
static unsigned
count_of_100(bool stops)
{
	struct rig *b = start(true);
	struct code wsim = rig_wsim(b, 500, true), spin = rig_spin(b);
	struct gpu *gpu = virtual_i915(b->device)->gpu;
	unsigned n = 0;

	rig_submit(b, &wsim, 0, BLIT);
	for (int i = 0; i < 100; i++)
		rig_submit(b, &spin, 0, BLIT);
	if (stops)
		gpu->ops->look_ahead(gpu, false);
	rig_run_to(b, 200);
	rig_end_spin(b, &spin);
	virtual_poke(b->device);
	rig_run_to(b, 5000);
	assert_int_equal(n_ended, 101);
	for (unsigned i = 0; i < n_ended; i++)
		n += work_of_ended[i].released_ns > 0;
	finish(b);
	return n;
}

/* 64 are looked at, at a time, and none after the end of a capture. */
TEST(many)
{
	assert_int_equal(count_of_100(false), 64);
	assert_int_equal(count_of_100(true), 0);
}

/* Batches whose program goes, or which are in flight at the end, are forgotten. */
TEST(left_behind)
{
	struct rig *b = start(true);
	struct code wsim = rig_wsim(b, 500, true), spin = rig_spin(b);

	rig_submit(b, &wsim, 0, BLIT);
	rig_submit(b, &spin, 0, BLIT);
	rig_run_to(b, 100);
	assert_int_equal(n_ended, 0);
	finish(b);
}
