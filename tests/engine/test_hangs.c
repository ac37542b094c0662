/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hangs, and what becomes of those that wait for what hung (doc/model/hangs.md
 * "Resets", "Bans", "Errors travel"): errors that are handed on, bans, resets
 * of an engine and of all. Each on a descriptor small enough to be worked out
 * by hand; times are in microseconds from the start. How hangs are found under
 * execlists: test_hangs_execlists.c.
 */
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

static const struct client_options once = {.repeat = 1};

/* Section 1.9: "a waiter on a not yet signalled completion fence that ends
 * with -EIO gets the same error and its payload is skipped"; what is on the
 * same engine has only its order to wait for, and a submit fence the start. */
TEST(error_goes_to_those_that_wait_for_the_end)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab,
	    "1.RCS.*.0.0,2.BCS.5.-1.0,3.VCS1.7.f-2.0,4.RCS.9.-3.0,"
	    "5.VCS2.11.s-4.0,6.VECS.13.-4.0",
	    1, once);
	/* 6 waits for 2, which inherited. */
	lab_expect_ends(&lab,
	    "0 RCS 1000 EIO; 1 BCS 1000 EIO; 2 VCS1 1000 EIO; 3 RCS 1009 ok; "
	    "4 VCS2 11 ok; 5 VECS1 1000 EIO");
	assert_int_equal(lab.sim->n_errors, 4);
	lab_free(&lab);
}

/* The next request of a virtual engine's timeline waits for the end of the one
 * before, so it inherits; that of a fixed engine does not (section 1.9). */
TEST(error_goes_down_a_virtual_timeline)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab,
	    "M.1.VCS,B.1,1.DEFAULT.*.0.0,1.DEFAULT.5.0.0,2.RCS.*.0.0,"
	    "2.RCS.5.0.0",
	    1, once);
	lab_expect_ends(&lab,
	    "2 VCS1 1000 EIO; 3 VCS1 1000 EIO; 4 RCS 1000 EIO; 5 RCS 1005 ok");
	lab_free(&lab);
}

/* The DRM scheduler hands no error on (section 5.3). */
TEST(drm_hands_no_error_on)
{
	struct lab lab;

	lab_init(&lab, "drm");
	lab.config.profile.job_timeout_ns = NSEC_PER_MSEC;
	lab_add(&lab, "1.RCS.*.0.0,2.BCS.5.-1.0", 1, once);
	lab_expect_ends(&lab, "0 RCS 1000 ETIMEDOUT; 1 BCS 1005 ok");
	lab_free(&lab);
}

/* Section 1.8: the third hang in 120 s bans the context. Its execbufs fail from
 * then on, on no engine; another context of the client goes on. */
TEST(third_hang_bans_the_context)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab, "1.RCS.*.0.1,2.BCS.10.0.1", 1,
	    (struct client_options){.repeat = 5});
	lab_expect_ends(&lab,
	    "0 RCS 1000 EIO; 1 BCS 1010 ok; 0 RCS 2010 EIO; 1 BCS 2020 ok; "
	    "0 RCS 3020 EIO; 1 BCS 3030 ok; 0 - 3030 EIO; 1 BCS 3040 ok; "
	    "0 - 3040 EIO; 1 BCS 3050 ok");
	assert_int_equal(lab.hung, 3);
	assert_true(lab.hang.context_banned);
	assert_false(lab.hang.client_banned);
	assert_int_equal(lab.rows[6].ready, 3030 * NSEC_PER_USEC);
	assert_int_equal(lab.rows[6].start, 3030 * NSEC_PER_USEC);
	assert_int_equal(lab.sim->clients[0]->contexts[0]->ban.guilty, 3);
	/* 1 for each of two hangs soon after another, 3 for the ban. */
	assert_int_equal(lab.sim->clients[0]->ban.score, 5);
	lab_free(&lab);
}

/* Not if the first of the three is 120 s ago or more. */
TEST(slow_hangs_ban_nobody)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab, "1.RCS.*.0.1,d.59999000", 1,
	    (struct client_options){.repeat = 4});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.hung, 4);
	assert_false(lab.sim->clients[0]->contexts[0]->ban.banned);
	/* Exactly 60 s after the one before is not soon after it. */
	assert_int_equal(lab.sim->clients[0]->ban.score, 0);
	lab_free(&lab);
}

/* The requests of a banned context fail, in their turn; one that runs on
 * another engine ends at a preemption point. */
TEST(ban_takes_all_of_the_context)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab,
	    "1.RCS.*.0.1,1.RCS.*.0.1,1.VCS1.950.0.0,1.VCS1.10000.0.0,"
	    "1.VCS1.10000.0.0,1.RCS.*.0.0,1.RCS.100.0.0,2.RCS.70.0.0",
	    1, once);
	/* The ban comes at 3000, 50 us into the batch of step 3's time 1050. */
	lab_expect_ends(&lab,
	    "0 RCS 1000 EIO; 1 RCS 2000 EIO; 2 VCS1 2950 ok; 3 VCS1 3050 EIO; "
	    "4 VCS1 3050 EIO; 5 RCS 3000 EIO; 6 RCS 3000 EIO; 7 RCS 3070 ok");
	assert_int_equal(lab.hung, 3);
	lab_free(&lab);
}

/* Without preemption points the engine is reset after 1 ms (section 1.8). */
TEST(ban_resets_what_does_not_let_go)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab,
	    "1.RCS.*.0.1,1.RCS.*.0.1,X.1.0,1.VCS1.10000.0.0,1.RCS.*.0.0", 1,
	    once);
	lab_expect_ends(&lab,
	    "0 RCS 1000 EIO; 1 RCS 2000 EIO; 3 VCS1 4000 EIO; 4 RCS 3000 EIO");
	assert_int_equal(lab.hung, 4);
	assert_int_equal(lab.hang.cause, HANG_REVOKED);
	assert_false(lab.hang.context_banned);
	lab_free(&lab);
}

/* A client with a score of 9 is banned. Each ban 3, each hang soon after
 * another 1: hangs 2 to 7 make 6, two bans 6. */
TEST(client_is_banned)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab, "1.RCS.*.0.1,2.RCS.*.0.1", 1,
	    (struct client_options){.repeat = 3});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.hung, 6);
	assert_int_equal(lab.sim->clients[0]->ban.score, 5 + 3 + 3);
	/* The fifth hang bans context 1 and makes 7, the sixth 11. */
	assert_true(lab.hang.client_banned);
	assert_true(lab.hang.context_banned);
	lab_free(&lab);
}

/* An engine takes nothing while it is reset; others go on. */
TEST(engine_reset_takes_time)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab.config.profile.engine_reset_ns = 300 * NSEC_PER_USEC;
	lab_add(&lab, "1.RCS.*.0.0,2.RCS.10.0.0,3.BCS.2000.0.0", 1, once);
	lab_expect_ends(&lab, "0 RCS 1000 EIO; 1 RCS 1310 ok; 2 BCS 2000 ok");
	assert_int_equal(lab.hang.scope, RESET_ENGINE);
	lab_free(&lab);
}

/* Without engine resets (i915.reset < 2, section 1.7) the whole GPU is: what
 * runs elsewhere begins again, innocent. */
TEST(full_reset_replays_the_innocent)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab.config.profile.engine_reset = 0;
	lab.config.profile.full_reset_ns = 500 * NSEC_PER_USEC;
	lab_add(&lab,
	    "1.RCS.*.0.0,2.RCS.10.0.0,3.BCS.2000.0.0,3.BCS.20.0.0,"
	    "4.VCS1.900.0.0",
	    1, once);
	lab_expect_ends(&lab,
	    "0 RCS 1000 EIO; 1 RCS 1510 ok; 2 BCS 3500 ok; 3 BCS 3520 ok; "
	    "4 VCS1 900 ok");
	assert_int_equal(lab.rows[2].start, 0);
	assert_int_equal(lab.hang.scope, RESET_FULL);
	assert_int_equal(lab.sim->clients[0]->contexts[2]->ban.active, 1);
	assert_int_equal(lab.sim->clients[0]->contexts[2]->ban.guilty, 0);
	assert_int_equal(lab.sim->clients[0]->contexts[3]->ban.active, 0);
	lab_free(&lab);
}
