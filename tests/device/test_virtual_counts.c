/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contents of batches of programs: labels of requests, and the counts of the
 * device (doc/model/streamer.md "Counts").
 */
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "device/streamer/streamer.h"
#include "engine/client/origin.h"
#include "engine/observer.h"
#include "engine/sim.h"
#include "tests/runner/test.h"
#include "tests/support/device_rig.h"

#define DRAW(vertices) 0x7b000005, 4, (vertices), 0, 1, 0, 0

static struct text last_label;

static void
keep_label(struct observer *o, struct request *rq)
{
	(void)o;
	text_adds(&last_label, request_label(rq) ? request_label(rq) : "-");
}

/* A batch that ends when it is first asked has a label too. */
TEST(labels_and_counts)
{
	struct rig *b = rig_start("execlists");
	struct code c = rig_code(b);
	struct observer watches = {.ended = keep_label};
	const struct streamer_counts *counts = virtual_counts(b->device);

	sim_add_observer(b->model.sim, &watches);
	EMIT(&c, DRAW(3), 0x13800001, 0, 0, BATCH_END);
	rig_write(b, c.handle, 0, c.dwords, (size_t)c.n * 4);
	rig_submit(b, &c, 0, RENDER);
	rig_run_to(b, 1000);
	assert_string_equal(text_str(&last_label), "1 draw");
	assert_int_equal(counts->draws, 1);
	assert_int_equal(counts->unknown, 1);
	assert_int_equal(counts->unknown_last, 0x13800001);
	text_free(&last_label);
	sim_remove_observer(b->model.sim, &watches);
	rig_finish(b);
}

/* The label of a batch that fails says why. */
TEST(labels_of_faults)
{
	struct rig *b = rig_start("execlists");
	struct code c = rig_code(b);
	struct observer watches = {.ended = keep_label};

	sim_add_observer(b->model.sim, &watches);
	EMIT(&c, DRAW(3), 0x18800101, ADDRESS(0xdead0000));
	rig_write(b, c.handle, 0, c.dwords, (size_t)c.n * 4);
	rig_submit(b, &c, 0, RENDER);
	rig_run_to(b, 100000);
	assert_string_equal(text_str(&last_label),
	    "page fault at 0x0000dead0000: no memory is there to fetch commands "
	    "from (expected an address of an object of the request)");
	text_free(&last_label);
	sim_remove_observer(b->model.sim, &watches);
	rig_finish(b);
}
