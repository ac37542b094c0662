/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hangs under guc (doc/model/guc.md "Bands", "Parallel slots";
 * doc/model/hangs.md "Numbers", "Resets", "Watchdog"), each on a descriptor
 * small enough to be worked out by hand. Times are in microseconds from the
 * start.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/client/client_run.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

static const struct client_options once = {.repeat = 1};

static void
expect_guc(const char *descriptor, const char *ends)
{
	lab_expect_hangs("guc", descriptor, ends);
}

/* From the arrival at 1 ms: 640 ms, on RCS and CCS of gen12 7500 ms. */
TEST(preempt_timeout)
{
	expect_guc("X.1.0,1.BCS.*.0.0,d.1000,P.2.5,2.BCS.10.0.0",
	    "1 BCS 641000 EIO; 4 BCS 641010 ok");
	expect_guc("X.1.0,1.RCS.9000000.0.0,d.1000,P.2.5,2.RCS.10.0.0",
	    "1 RCS 7501000 EIO; 4 RCS 7501010 ok");
}

/* From when the quantum of 1 ms is used up, in one band, which -7 and -5 share;
 * a lower band wants nothing. */
TEST(preempt_timeout_of_a_quantum)
{
	expect_guc("X.1.0,1.BCS.2000000.0.0,2.BCS.10.0.0",
	    "1 BCS 641000 EIO; 2 BCS 641010 ok");
	expect_guc("P.1.-7,P.2.-5,X.1.0,1.BCS.2000000.0.0,2.BCS.10.0.0",
	    "3 BCS 641000 EIO; 4 BCS 641010 ok");
	expect_guc("P.2.-5,X.1.0,1.BCS.2000000.0.0,2.BCS.10.0.0",
	    "2 BCS 2000000 ok; 3 BCS 2000010 ok");
	/* The first comes 500 us after the start: still 1 ms after that. */
	expect_guc("X.1.0,1.BCS.2000000.0.0,d.500,2.BCS.10.0.0",
	    "1 BCS 641000 EIO; 3 BCS 641010 ok");
}

/* It is one for each request that keeps the engine: between two the queue gives
 * way, here at 600 ms. */
TEST(next_request_gives_way)
{
	expect_guc("X.1.0,1.BCS.600000.0.0,1.BCS.600000.0.0,2.BCS.10.0.0",
	    "1 BCS 600000 ok; 2 BCS 1200010 ok; 3 BCS 600010 ok");
}

/* 640 ms after the arrival is in time; later is not. */
TEST(points_too_far_apart)
{
	expect_guc("X.1.641001,1.BCS.2000000.0.0,d.1000,P.2.5,2.BCS.10.0.0",
	    "1 BCS 641000 EIO; 4 BCS 641010 ok");
	expect_guc("X.1.641000,1.BCS.2000000.0.0,d.1000,P.2.5,2.BCS.10.0.0",
	    "1 BCS 2000010 ok; 4 BCS 641010 ok");
}

/* It stops with the wish: the virtual request gets VCS2 at 600 ms. And one
 * virtual request resets one engine, not all that it might have. */
TEST(virtual_queue_wants_one_engine)
{
	expect_guc("M.3.VCS,B.3,P.3.5,X.1.0,1.VCS1.1000000.0.0,"
		   "X.2.0,2.VCS2.600000.0.0,d.1000,3.DEFAULT.900000.0.0",
	    "4 VCS1 1000000 ok; 6 VCS2 600000 ok; 8 VCS2 1500000 ok");
	expect_guc("M.3.VCS,B.3,P.3.5,X.1.0,1.VCS1.1000000.0.0,"
		   "X.2.0,2.VCS2.1000000.0.0,d.1000,3.DEFAULT.10.0.0",
	    "4 VCS1 641000 EIO; 6 VCS2 1000000 ok; 8 VCS1 641010 ok");
}

/* "Guilty only if its oldest unfinished request had started": here the engine
 * still switches to it, which takes 1 s. */
TEST(not_started_is_innocent)
{
	struct lab lab;

	lab_init_timeouts(&lab, "guc");
	lab.config.profile.context_switch_ns = NSEC_PER_SEC;
	lab_add(&lab, "1.BCS.10.0.0,d.1000,P.2.5,2.BCS.10.0.0", 1, once);
	/* Reset at 641 ms; 1 s to the second, then 1 s to the first again. */
	lab_expect_ends(&lab, "0 BCS 2641020 ok; 3 BCS 1641010 ok");
	assert_int_equal(lab.hung, 1);
	assert_false(lab.hang.guilty);
	assert_int_equal(lab.hang.cause, HANG_PREEMPTION);
	assert_int_equal(lab.hang.scope, RESET_ENGINE);
	assert_int_equal(lab.sim->clients[0]->contexts[0]->ban.guilty, 0);
	lab_free(&lab);
}

/* Section 2.7: "no preemption inside", so whoever waits for one of its engines
 * resets all of them; the reset takes 1 ms, of both. */
TEST(set_is_reset_whole)
{
	struct lab lab;

	lab_init_timeouts(&lab, "guc");
	lab.config.profile.engine_reset_ns = NSEC_PER_MSEC;
	lab_add(&lab,
	    "X.1.100,G.1.VCS1/VCS2,1.DEFAULT.*/5.0.0,1.DEFAULT.7.0.0,d.1000,"
	    "P.2.5,2.VCS2.10.0.0,P.3.-5,3.VCS1.20.0.0",
	    1, once);
	/* The next one of the set has to wait for VCS2. */
	lab_expect_ends(&lab,
	    "2 VCS1 641000 EIO; 2 VCS2 641000 EIO; 3 VCS1 642017 ok; "
	    "3 VCS2 642017 ok; 6 VCS2 642010 ok; 8 VCS1 642037 ok");
	assert_int_equal(lab.hung, 1);
	assert_int_equal(lab.sim->clients[0]->contexts[0]->ban.guilty, 1);
	lab_free(&lab);
}

/* A hog that is alone, B = 2.5 s. The pulse comes to its band with the first
 * beat (low), the second (normal) or the third (high), where its quantum has
 * long been used up: GuC resets the engine 640 ms later. */
TEST(heartbeat)
{
	expect_guc("P.1.-1,X.1.0,1.BCS.*.0.0", "2 BCS 3140000 EIO");
	expect_guc("X.1.0,1.BCS.*.0.0", "1 BCS 5640000 EIO");
	expect_guc("X.1.0,1.RCS.*.0.0", "1 RCS 12500000 EIO");
	expect_guc("P.1.1,X.1.0,1.BCS.*.0.0", "2 BCS 8140000 EIO");
	expect_guc("X.1.0,1.BCS.5600000.0.0", "1 BCS 5600000 ok");
	expect_guc("G.1.VCS1/VCS2,1.DEFAULT.5/*.0.0",
	    "1 VCS1 5640000 EIO; 1 VCS2 5640000 EIO");
}

/* A batch with preemption points answers, and so does a context of many short
 * requests: a pulse between them preempts nothing. */
TEST(those_that_answer_are_left_alone)
{
	struct lab lab;

	lab_init_timeouts(&lab, "guc");
	lab_add(&lab, "1.BCS.30000000.0.0,X.2.0,2.VCS1.400000.0.0", 1, once);
	lab_add(&lab, "X.1.0,1.RCS.400000.0.0", 1,
	    (struct client_options){.repeat = 75});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->now, 30 * NSEC_PER_SEC);
	assert_int_equal(lab.hung, 0);
	assert_int_equal(lab.sim->n_errors, 0);
	assert_int_equal(lab.sim->device.engines[1].preemptions, 0);
	lab_free(&lab);
}

/* Section 2.8: "Heartbeat stall: full GT reset", at 5B where nothing is fired
 * by GuC. Batches on other engines are lost too. */
TEST(stopped_heartbeat_resets_the_gpu)
{
	struct lab lab;

	lab_init_timeouts(&lab, "guc");
	lab.config.profile.preempt_timeout_ns = 0;
	lab_add(&lab,
	    "X.1.0,1.BCS.*.0.0,2.VCS1.13000000.0.0,"
	    "G.3.VECS1/VECS2,3.DEFAULT.12499000.0.0,4.BCS.10.0.0",
	    1, once);
	lab_expect_ends(&lab,
	    "1 BCS 12500000 EIO; 2 VCS1 25500000 ok; "
	    "4 VECS1 12499000 ok; 4 VECS2 12499000 ok; 5 BCS 12500010 ok");
	assert_int_equal(lab.hung, 1);
	assert_int_equal(lab.hang.cause, HANG_HEARTBEAT);
	assert_int_equal(lab.hang.scope, RESET_FULL);
	assert_int_equal(lab.sim->clients[0]->contexts[1]->ban.active, 1);
	assert_int_equal(lab.sim->clients[0]->contexts[1]->ban.guilty, 0);
	lab_free(&lab);
}

/* The same of a set: it hangs whole, and no part of it is replayed; another
 * set is, whole, from its beginning. */
TEST(full_reset_and_sets)
{
	struct lab lab;

	lab_init_timeouts(&lab, "guc");
	lab.config.profile.engine_reset = 0;
	lab_add(&lab,
	    "G.1.VCS1/VCS2,1.DEFAULT.*.0.0,G.2.VECS1/VECS2,"
	    "2.DEFAULT.1000000.0.0,d.1000,P.3.5,3.VCS2.10.0.0",
	    1, once);
	lab_expect_ends(&lab,
	    "1 VCS1 641000 EIO; 1 VCS2 641000 EIO; 3 VECS1 1641000 ok; "
	    "3 VECS2 1641000 ok; 6 VCS2 641010 ok");
	assert_int_equal(lab.hang.scope, RESET_FULL);
	lab_free(&lab);
}

/* 20 s after a request became the oldest of its queue it is cancelled, with
 * -EINTR: at its next point; after 1 ms by a reset; where it waits, with 0 ns
 * at its turn. The others of its context go on. */
TEST(request_timeout)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.request_timeout_ns = 20 * NSEC_PER_SEC;
	lab_add(&lab,
	    "X.1.150,1.BCS.*.0.0,1.BCS.10.0.0,P.2.-5,2.BCS.10.0.0,"
	    "2.BCS.20.0.0,P.3.-5,3.RCS.10.-3.0,X.4.0,4.VCS1.*.0.0,4.VCS1.10.0.0",
	    1, once);
	/* Context 3 has waited for the end of what was cancelled. */
	lab_expect_ends(&lab,
	    "1 BCS 20000100 EINTR; 2 BCS 20000110 ok; 4 BCS 20000110 EINTR; "
	    "5 BCS 20000130 ok; 7 RCS 20000110 EINTR; 9 VCS1 20001000 EINTR; "
	    "10 VCS1 20001010 ok");
	assert_int_equal(lab.hung, 1);
	assert_int_equal(lab.hang.cause, HANG_REQUEST);
	lab_free(&lab);
}

/* Only the oldest is watched: 15 s each, one after the other, are in time. */
TEST(request_timeout_is_of_the_oldest)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.request_timeout_ns = 20 * NSEC_PER_SEC;
	lab_add(&lab, "1.BCS.15000000.0.0,1.BCS.15000000.0.0", 1, once);
	lab_expect_ends(&lab, "0 BCS 15000000 ok; 1 BCS 30000000 ok");
	lab_free(&lab);
}

/* Section 1.9: with GuC all waits are for the end, on the CPU, so errors go
 * on; but nothing is waited for within a queue. Context 2 is another queue of
 * the same engine. */
TEST(errors_are_handed_on)
{
	expect_guc("X.1.0,1.BCS.*.0.0,1.BCS.5.0.0,2.BCS.5.-2.0,3.VCS1.7.-1.0",
	    "1 BCS 5640000 EIO; 2 BCS 5640005 ok; 3 BCS 5640000 EIO; "
	    "4 VCS1 5640000 EIO");
}

/* Section 1.8: the third hang bans the context; what it has besides fails. */
TEST(third_hang_bans)
{
	struct lab lab;

	lab_init_timeouts(&lab, "guc");
	lab_add(&lab, "X.1.0,1.BCS.*.0.0,P.2.5,2.BCS.10.0.1", 1,
	    (struct client_options){.repeat = 4});
	lab_expect_ends(&lab,
	    "1 BCS 640000 EIO; 3 BCS 640010 ok; 1 BCS 1280010 EIO; "
	    "3 BCS 1280020 ok; 1 BCS 1920020 EIO; 3 BCS 1920030 ok; "
	    "1 - 1920030 EIO; 3 BCS 1920040 ok");
	assert_true(lab.sim->clients[0]->contexts[0]->ban.banned);
	lab_free(&lab);
}

/* A client that is killed while a set of it runs: the preempt timeout later it
 * is reset, whole; what waits ends with the same error, and its ids go. */
TEST(killed_with_a_set)
{
	struct lab lab;

	lab_init_timeouts(&lab, "guc");
	lab.config.profile.guc_ids = 32; /* one run of two, for one set */
	lab_add(&lab, "G.1.VCS1/VCS2,1.DEFAULT.*.0.0,1.DEFAULT.5.0.0", 1, once);
	lab_add(&lab, "G.1.VECS1/VECS2,1.DEFAULT.10.0.0", 1, once);
	lab_run(&lab, NSEC_PER_MSEC);
	client_kill(lab.sim->clients[0], false);
	lab_expect_ends(&lab,
	    "1 VCS1 641000 EIO; 1 VCS2 641000 EIO; 2 VCS1 641000 EIO; "
	    "2 VCS2 641000 EIO; 1 VECS1 641010 ok; 1 VECS2 641010 ok");
	assert_int_equal(lab.hung, 1);
	lab_free(&lab);
}

/* Without points one that answers no pulse is ended by GuC; in `ideal` nothing
 * ends it. */
TEST(deadlock_knows_of_timers)
{
	struct lab lab;

	lab_init_timeouts(&lab, "guc");
	lab_add(&lab, "1.BCS.*.0.0", 1, once);
	lab_add(&lab, "1.VCS1.1.0.1", 1,
	    (struct client_options){.background = true});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	assert_int_equal(lab.hung, 0);
	lab_free(&lab);

	lab_init_timeouts(&lab, "guc");
	lab_add(&lab, "X.1.0,1.BCS.*.0.0", 1, once);
	lab_add(&lab, "1.VCS1.1.0.1", 1,
	    (struct client_options){.background = true});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->now, 5640 * NSEC_PER_MSEC);
	lab_free(&lab);
}
