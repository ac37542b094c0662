/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Acts of clients and their costs (doc/model/common.md "Clients"):
 * iterations, periods, room in rings, costs of a profile, random durations, and
 * that a run is the same in slices and in steps. On `fifo`, worked out by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/sched/steps.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

TEST(periods)
{
	struct lab lab;
	const struct period_stats *s;

	lab_start(&lab, "fifo", "1.RCS.100.0.1,p.100,1.RCS.50.0.1,p.120", 1, 2);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	s = &lab.sim->clients[0]->period;
	/* Exactly the period is no miss; 150 us of 120 is. */
	assert_int_equal(s->n, 4);
	assert_int_equal(s->missed, 2);
	assert_int_equal(s->min_us, 100);
	assert_int_equal(s->max_us, 150);
	assert_int_equal(s->sum_us, 500);
	assert_int_equal(lab.sim->now, 300000);
	lab_free(&lab);
}

TEST(empty_iterations_cost_the_minimum)
{
	lab_expect_run("fifo", "", 1, 3, "", 3);
	lab_expect_run("fifo", "f,a.-1", 1, 2, "", 2);
	/* One that submits may take no time. */
	lab_expect_run(
	    "fifo", "1.RCS.*.0.0,T.-1", 1, 2, "0 RCS 0 0 0; 0 RCS 0 0 0", 0);
}

/* Without an end in sight such an iteration must cost too. */
TEST(nobody_spins)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.*.0.0,T.-1", 1, (struct client_options){0});
	assert_int_equal(sim_run(lab.sim, 5000, 0), SIM_RUNNING);
	assert_int_equal(lab.sim->now, 5000);
	assert_int_equal(lab.sim->n_iterations, 5);
	lab_free(&lab);
}

/* An iteration is completed when its requests have ended, however far ahead the
 * client is. */
TEST(iterations_are_those_that_have_ended)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.10.0.0,2.BCS.4.0.0", 1, 100);
	assert_int_equal(sim_run(lab.sim, 35000, 0), SIM_RUNNING);
	assert_int_equal(lab.sim->clients[0]->walker->iteration, 100);
	assert_int_equal(lab.sim->clients[0]->completed, 3);
	assert_int_equal(lab.sim->n_iterations, 3);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->n_iterations, 100);
	lab_free(&lab);
}

/* A full ring blocks the submitter until half of it is free. */
TEST(ring_room)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.ring_requests = 4;
	lab_add(&lab, "1.RCS.10.0.0", 1, (struct client_options){.repeat = 8});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[3].submit, 0);
	assert_int_equal(lab.rows[4].submit, 20000);
	assert_int_equal(lab.rows[5].submit, 20000);
	assert_int_equal(lab.rows[6].submit, 40000);
	lab_free(&lab);
}

TEST(sync_in_user_space)
{
	struct lab lab;
	char *rows;

	lab_init(&lab, "fifo");
	lab.config.sync_deps = true;
	lab_add(&lab, "1.BCS.10.0.0,2.RCS.5.-1.0", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[1].submit, 10000);
	rows = lab_rows_text(&lab);
	assert_string_equal(rows, "0 BCS 0 0 10; 1 RCS 10 10 15");
	free(rows);
	lab_free(&lab);
}

TEST(background_clients_stop_with_the_master)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab_add(&lab, "1.BCS.10.0.1", 1,
	    (struct client_options){.background = true});
	lab_add(&lab, "1.RCS.25.0.1", 1, (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->now, 25000);
	assert_int_equal(lab.sim->clients[0]->walker->iteration, 2);
	lab_free(&lab);
}

TEST(costs)
{
	struct lab lab;
	char *rows;

	lab_init(&lab, "fifo");
	lab.config.profile.submit_ns = 1000;
	lab.config.profile.context_switch_ns = 2000;
	lab.config.profile.completion_ns = 500;
	lab.config.profile.sseu_ns = 10000;
	lab_add(&lab, "S.2.1,1.RCS.10.0.0,2.RCS.10.0.0,2.RCS.10.0.0", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	rows = lab_rows_text(&lab);
	/* 1: cpu 1, switch 2; 2: gap .5, switch 2, sseu 10; 3: gap .5. */
	assert_string_equal(
	    rows, "1 RCS 1 3 13; 2 RCS 2 25.5 35.5; 3 RCS 3 36 46");
	/* The gaps are idle, switching is busy. */
	assert_int_equal(lab.sim->device.engines[0].busy_ns, 44000);
	assert_int_equal(lab.sim->device.engines[0].switches, 2);
	free(rows);
	lab_free(&lab);
}

TEST(switches_count_contexts_and_clients)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.10.0.0,1.RCS.10.0.0,2.RCS.10.0.0", 2, 1);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->device.engines[0].switches, 4);
	assert_int_equal(lab.sim->device.engines[0].batches, 6);
	assert_int_equal(lab.sim->clients[1]->contexts[0]->batches, 2);
	assert_int_equal(lab.sim->clients[1]->contexts[1]->busy_ns, 10000);
	lab_free(&lab);
}

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

/* Stopping and going on changes nothing. */
TEST(run_in_slices_is_the_same_run)
{
	static const char descriptor[] =
	    "M.1.VCS,B.1,q.2,1.DEFAULT.3-90.0.0,2.RCS.5-70.-1.0,"
	    "2.RCS.10.0.0,f,3.BCS.4-9.f-1/-2.0,d.7,a.-3,1.VCS.30.s-4.1,p.200";

	lab_expect_same_in_slices("fifo", descriptor);
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

TEST(parallel_slots_are_refused)
{
	struct lab lab;
	struct text err = {0};
	struct program *p;

	lab_init(&lab, "fifo");
	p = lab_compile(&lab, "G.1.VCS1/VCS2,1.DEFAULT.10.0.0");
	assert_non_null(p);
	assert_false(
	    sched_accepts(lab.config.sched, p, &lab.config.profile, &err));
	assert_string_equal(text_str(&err),
	    "parallel slots (G) need --scheduler=guc: fifo, the scheduler of "
	    "profile ideal, refuses them");
	text_free(&err);
	program_free(p);
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
