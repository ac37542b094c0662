/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of the simulation that files of cases cannot describe: random durations, runs by
 * steps, many clients, what the engine keeps in memory.
 */
#include <stdlib.h>

#include "engine/gpu/pace.h"
#include "engine/sched/guc.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

static const struct client_options once = {.repeat = 1};

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
	lab_step(lab.sim, SIM_STEP_EVENT);
	assert_int_equal(lab.sim->now, 0);
	assert_int_equal(lab.n_rows, 2);
	lab_step(lab.sim, SIM_STEP_BATCH);
	assert_int_equal(lab.sim->now, 10000);
	lab_step(lab.sim, SIM_STEP_ITERATION);
	assert_int_equal(lab.sim->now, 30000);
	assert_int_equal(lab_step(lab.sim, SIM_STEP_ITERATION), SIM_DONE);
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

/* "intel_guc_steal_guc_ids: with 512 ids all used, next request gets -EAGAIN;
 * after one retires an id is stolen and the new request completes" (section
 * 2.9). A sixteenth is for parallel contexts; the queues stay alive. */
TEST(steal_guc_ids)
{
	const struct guc_counters *counters;
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.guc_ids = 512;
	lab.config.profile.guc_disable_delay_ns = 34 * NSEC_PER_MSEC;
	lab.config.profile.guc_register_ns = 10 * NSEC_PER_USEC;
	lab_add(&lab, "1.VCS1.500.0.1,d.1000000", 480, once);
	lab_add(&lab, "d.1,1.RCS.10.0.0", 1, once);
	lab_run(&lab, 600 * NSEC_PER_USEC);
	/* The first one retires at 510; its id has to be deregistered and
	 * registered. */
	assert_int_equal(lab.n_rows, 481);
	assert_int_equal(lab.rows[480].ready, 1 * NSEC_PER_USEC);
	assert_int_equal(lab.rows[480].start, 530 * NSEC_PER_USEC);
	assert_int_equal(lab.rows[480].end, 540 * NSEC_PER_USEC);
	counters = sched_guc_counters(lab.sim);
	assert_int_equal(counters->registrations, 481);
	assert_int_equal(counters->steals, 1);
	assert_int_equal(counters->waits, 1);
	lab_free(&lab);
}

/* Closing a client gives its queues back; others come after. */
TEST(clients_end)
{
	struct lab lab;

	lab_start(&lab, "guc", "1.RCS.10.0.0", 3, 2);
	lab_expect(&lab,
	    "0 RCS 0 0 10; 0 RCS 0 10 20; 0 RCS 0 20 30; 0 RCS 0 30 40; "
	    "0 RCS 0 40 50; 0 RCS 0 50 60",
	    60);
	for (unsigned i = 0; i < 3; i++)
		assert_null(lab.sim->clients[i]->rings[0]->sched_data);
	lab_free(&lab);
}

/* Eleven times as long as half of virtual time. */
TEST(beyond_the_end)
{
	const struct pace pace = {.time = 1100, .work = 100};

	assert_int_equal(pace_stretch(1, &pace), 11);
	assert_int_equal(pace_stretch(101, &pace), 1111);
	assert_true(pace_stretch(NSEC_MAX / 2, &pace) == NSEC_BEYOND);
	assert_true(pace_stretch(NSEC_MAX, &pace) == NSEC_BEYOND);
}

/* A long batch whose end changes with each short one beside it. */
TEST(many_changes_of_pace)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.sharing[CLASS_RCS][CLASS_CCS] = 100;
	lab_add(&lab, "1.RCS.1000000.0.0", 1, once);
	lab_add(&lab, "2.CCS.1.0.1,d.1", 1,
	    (struct client_options){.repeat = 20000});
	assert_int_equal(sim_run(lab.sim, 39000 * US, 0), SIM_RUNNING);
	assert_in_range(lab.sim->events.heap.n, 1, 2048);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	/* 20 ms beside the other took 10 ms longer. */
	assert_int_equal(lab.rows[0].end, 1010000 * US);
	lab_free(&lab);
}

/* Views list what is committed before who waits, whatever its priority: step 2
 * is in the first port, step 4 in the second, step 6 in the queue. */
TEST(order_that_is_shown)
{
	const size_t order[] = {1, 2, 3};
	const struct request *rq[3];
	struct lab lab;

	lab_init(&lab, "execlists");
	lab.config.profile.completion_ns = 3 * US;
	lab.config.profile.same_ring_ns = 1 * US;
	lab.config.profile.next_port_ns = 3 * US / 2;
	lab.config.profile.committed_port = 1;
	lab_add(&lab,
	    "P.1.5,1.RCS.100.0.0,1.RCS.100.0.0,2.RCS.100.0.0,P.3.3,d.50,"
	    "3.RCS.100.0.0",
	    1, once);
	lab_run(&lab, 60 * NSEC_PER_USEC);
	for (unsigned i = 0; i < 3; i++) {
		rq[i] = request_get(lab.rows[order[i]].request);
		assert_non_null(rq[i]);
		assert_int_equal(rq[i]->state, REQUEST_READY);
	}
	for (unsigned i = 0; i < 2; i++) {
		assert_true(lab.config.sched->before(rq[i], rq[i + 1]));
		assert_false(lab.config.sched->before(rq[i + 1], rq[i]));
	}
	lab_free(&lab);
}
