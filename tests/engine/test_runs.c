/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of the simulation that files of cases cannot describe: random durations, runs by
 * steps, many clients, what the engine keeps in memory.
 */
#include <stdlib.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

/* doc/model/gem_wsim.md "Random numbers": glibc's rand() seeds F54-1. The
 * numbers were drawn with the C library's own srand(1), rand(). */
TEST(random_durations)
{
	struct lab lab;
	uint32_t rng;

	srand(1);
	(void)rand();
	rng = (uint32_t)rand();
	lab_start(&lab, "fifo", "1.RCS.1000-2000.0.0", 1, 3);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	for (unsigned i = 0; i < 3; i++) {
		uint32_t left5 = rng << 5 | rng >> 27;
		uint32_t left24 = rng << 24 | rng >> 8;

		rng = (rng ^ left5 ^ left24) + 0x37798849;
		assert_int_equal(lab.rows[i].end - lab.rows[i].start,
		    (1000 + rng % 1001) * 1000);
	}
	lab_free(&lab);
}

TEST(steps)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.10.0.0,2.BCS.30.0.1", 1, 2);
	sim_step(lab.sim, SIM_STEP_EVENT);
	assert_int_equal(lab.sim->now, 0);
	assert_int_equal(lab.n_rows, 2);
	sim_step(lab.sim, SIM_STEP_BATCH);
	assert_int_equal(lab.sim->now, 10000);
	sim_step(lab.sim, SIM_STEP_ITERATION);
	assert_int_equal(lab.sim->now, 30000);
	assert_int_equal(sim_step(lab.sim, SIM_STEP_ITERATION), SIM_DONE);
	assert_int_equal(lab.sim->now, 60000);
	lab_free(&lab);
}

/* An object that is only ever read does not collect readers that have ended. */
TEST(readers_that_have_ended)
{
	struct client_options options = {.repeat = 1000};
	const struct object *set;
	struct lab lab;

	lab_init(&lab, "fifo");
	lab_add(&lab, "w.1.4k,1.RCS.10.r1-0.0,2.BCS.10.r1-0.1", 1, options);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	/* Behind the two outputs. */
	set = &lab.sim->clients[0]->walker->instance->objects[2];
	assert_in_range(set->n_readers, 1, 4);
	assert_in_range(set->log_cap, 1, 2);
	lab_free(&lab);
}

static uint64_t
missed(unsigned cpus)
{
	struct lab lab;
	uint64_t n;

	lab_init(&lab, "fifo");
	lab.config.profile.cpus = cpus;
	lab.config.profile.submit_ns = 20 * US;
	lab_add(&lab,
	    "1.RCS.5.0.0,2.BCS.5.0.0,3.VCS1.5.0.0,4.VCS2.5.0.1,p.1000", 64,
	    (struct client_options){.repeat = 20});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	n = lab.sim->n_missed;
	lab_free(&lab);
	return n;
}

/*
 * 64 clients take 320 us of each engine in each period of 1000 us, and 64 * 80
 * us of CPU time: 1280 us of each of four CPUs.
 */
TEST(many_clients_miss)
{
	assert_int_equal(missed(0), 0);
	assert_int_equal(missed(16), 0);
	assert_in_range(missed(4), 64 * 10, 64 * 20);
}
