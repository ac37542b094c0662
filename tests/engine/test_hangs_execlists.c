/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hangs under `execlists` (doc/model/hangs.md "Preempt timeout", "Resets",
 * "Errors travel", "Bans", "Foreign fences"): what finds them, preempt timeouts,
 * heartbeats and watchdogs, and what is lost. Times are in microseconds from
 * the start.
 */
#include <errno.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "tests/support/lab_control.h"

static const struct client_options once = {.repeat = 1};

static void
expect_execlists(const char *descriptor, const char *ends)
{
	lab_expect_hangs("execlists", descriptor, ends);
}

/* Section 1.6: "reset 640 ms after the ELSP write"; on RCS and CCS of gen12
 * 7500 ms (1.1). */
TEST(preempt_timeout)
{
	expect_execlists("X.1.0,1.BCS.*.0.0,d.1000,P.2.5,2.BCS.10.0.0",
	    "1 BCS 641000 EIO; 4 BCS 641010 ok");
	expect_execlists("X.1.0,1.RCS.9000000.0.0,d.1000,P.2.5,2.RCS.10.0.0",
	    "1 RCS 7501000 EIO; 4 RCS 7501010 ok");
}

/* Equal priorities: when the slice of 1 ms is over; lower ones: never. */
TEST(preempt_timeout_of_a_slice)
{
	expect_execlists("X.1.0,1.BCS.2000000.0.0,2.BCS.10.0.0",
	    "1 BCS 641000 EIO; 2 BCS 641010 ok");
	expect_execlists("P.2.-5,X.1.0,1.BCS.2000000.0.0,2.BCS.10.0.0",
	    "2 BCS 2000000 ok; 3 BCS 2000010 ok");
	/* Among negative priorities the higher takes over at the end of a
	 * slice. */
	expect_execlists("P.1.-7,P.2.-5,X.1.0,1.BCS.2000000.0.0,2.BCS.10.0.0",
	    "3 BCS 641000 EIO; 4 BCS 641010 ok");
}

/* A batch that has points, but too far apart, is hit as well. */
TEST(points_too_far_apart)
{
	expect_execlists(
	    "X.1.700000,1.BCS.2000000.0.0,d.1000,P.2.5,2.BCS.10.0.0",
	    "1 BCS 641000 EIO; 4 BCS 641010 ok");
	expect_execlists(
	    "X.1.600000,1.BCS.2000000.0.0,d.1000,P.2.5,2.BCS.10.0.0",
	    "1 BCS 2000010 ok; 4 BCS 600010 ok");
	/* A point in time counts: 640 ms after the arrival at 1 ms. */
	expect_execlists(
	    "X.1.641000,1.BCS.2000000.0.0,d.1000,P.2.5,2.BCS.10.0.0",
	    "1 BCS 2000010 ok; 4 BCS 641010 ok");
}

/* The timeout stops when no request wants the engine any more: here a virtual
 * request gets another engine. */
TEST(preempt_timeout_lapses)
{
	expect_execlists("M.3.VCS,B.3,P.3.5,X.1.0,1.VCS1.1000000.0.0,"
			 "X.2.0,2.VCS2.600000.0.0,d.1000,3.DEFAULT.900000.0.0",
	    "4 VCS1 1000000 ok; 6 VCS2 600000 ok; 8 VCS2 1500000 ok");
}

/* One virtual request resets one engine, not all that it might have. */
TEST(virtual_request_resets_one_engine)
{
	expect_execlists("M.3.VCS,B.3,P.3.5,X.1.0,1.VCS1.1000000.0.0,"
			 "X.2.0,2.VCS2.1000000.0.0,d.1000,3.DEFAULT.10.0.0",
	    "4 VCS1 641000 EIO; 6 VCS2 1000000 ok; 8 VCS1 641010 ok");
}

/* A request that comes while the engine switches to a batch is considered when the
 * batch begins, at 5 us. The first preemption point is at 105, and 5 us are paid
 * twice more: from 110 to 120, then from 125 on what is left, 900. */
TEST(arrival_during_a_switch)
{
	struct lab lab;

	lab_init_timeouts(&lab, "execlists");
	lab.config.profile.context_switch_ns = 5000;
	lab_add(&lab, "1.BCS.1000.0.0,d.2,P.2.5,2.BCS.10.0.0", 1, once);
	lab_expect_ends(&lab, "0 BCS 1025 ok; 3 BCS 120 ok");
	lab_free(&lab);
}

/* The derived timelines of section 1.6, B = 2.5 s: no other request is there. */
TEST(heartbeat)
{
	/* Priority 0 without points: 2B + 1 ms + 640 ms. */
	expect_execlists("X.1.0,1.BCS.*.0.0", "1 BCS 5641000 EIO");
	/* RCS of gen12: 7500 ms instead. */
	expect_execlists("X.1.0,1.RCS.*.0.0", "1 RCS 12501000 EIO");
	/* Priority 1 to 1023: 3B + 640 ms. */
	expect_execlists("P.1.1,X.1.0,1.BCS.*.0.0", "2 BCS 8140000 EIO");
	/* Below 0 the pulse of priority 0 preempts: 2B + 640 ms. */
	expect_execlists("P.1.-1,X.1.0,1.BCS.*.0.0", "2 BCS 5640000 EIO");
	/* The batch itself ends in time. */
	expect_execlists("X.1.0,1.BCS.5600000.0.0", "1 BCS 5600000 ok");
	/* Its end is an answer: the ladder begins anew, at 5 s with the second
	 * batch; so 5 s + 2B' of the same beats. */
	expect_execlists("X.1.0,1.BCS.5600000.0.0,1.BCS.5000000.0.0",
	    "1 BCS 5600000 ok; 2 BCS 10600000 ok");
}

/* Without a preempt timeout: about 5B. */
TEST(heartbeat_stops)
{
	struct lab lab;

	lab_init_timeouts(&lab, "execlists");
	lab.config.profile.preempt_timeout_ns = 0;
	lab_add(&lab, "X.1.0,1.BCS.*.0.0,2.BCS.10.0.0", 1, once);
	lab_expect_ends(&lab, "1 BCS 12500000 EIO; 2 BCS 12500010 ok");
	assert_int_equal(lab.hang.cause, HANG_HEARTBEAT);
	lab_free(&lab);
}

/* "Any, preempt_timeout = 0 or no forced preemption": the same. */
TEST(heartbeat_without_preemption)
{
	struct lab lab;

	lab_init_timeouts(&lab, "execlists");
	lab.config.profile.preemption = 0;
	lab.config.profile.preempt_timeout_ns = 640 * NSEC_PER_MSEC;
	lab_add(&lab, "1.BCS.*.0.0,2.BCS.10.0.0", 1, once);
	lab_expect_ends(&lab, "0 BCS 12500000 EIO; 1 BCS 12500010 ok");
	assert_int_equal(lab.hang.cause, HANG_HEARTBEAT);
	lab_free(&lab);
}

/* "If interval is at its default and pulse at BARRIER: max(interval, 2 x
 * preempt_timeout)". */
TEST(last_beat_is_longer)
{
	struct lab lab;

	lab_init_timeouts(&lab, "execlists");
	lab.config.profile.timeslice_ns = 0;
	lab.config.profile.preempt_timeout_ns = 30000 * NSEC_PER_MSEC;
	/* 1025 at 3B, so the preempt timeout would come at 37.5 s. */
	lab.config.profile.request_timeout_ns = 0;
	lab_add(&lab, "X.1.0,1.BCS.*.0.0", 1, once);
	lab_expect_ends(&lab, "1 BCS 37500000 EIO");
	assert_int_equal(lab.hang.cause, HANG_PREEMPTION);
	lab_free(&lab);

	lab_init_timeouts(&lab, "execlists");
	lab.config.profile.timeslice_ns = 0;
	lab.config.profile.heartbeat_ns = 100 * NSEC_PER_MSEC;
	/* Not the default: 5B. */
	lab_add(&lab, "X.1.0,1.BCS.*.0.0", 1, once);
	lab_expect_ends(&lab, "1 BCS 500000 EIO");
	assert_int_equal(lab.hang.cause, HANG_HEARTBEAT);
	lab_free(&lab);
}

/* One that answers is left alone by the heartbeat: nothing will ever end it,
 * and that is a deadlock. */
TEST(one_that_answers_is_left_alone)
{
	struct lab lab;

	lab_init_timeouts(&lab, "execlists");
	lab_add(&lab, "1.BCS.*.0.0", 1, once);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	assert_int_equal(lab.hung, 0);
	assert_int_equal(lab.sim->device.engines[1].preemptions, 0);
	/* Seen after 100 beats. */
	assert_int_equal(lab.sim->now, 250 * NSEC_PER_SEC);
	lab_free(&lab);
}

/* Section 1.6: the watchdog cancels what is not over 20 s after it was ready,
 * with -EINTR; at its next preemption point. */
TEST(watchdog)
{
	struct lab lab;

	lab_init_timeouts(&lab, "execlists");
	lab.config.profile.request_timeout_ns = 20000 * NSEC_PER_MSEC;
	lab_add(&lab,
	    "X.1.150,1.BCS.*.0.0,P.2.-5,2.BCS.10.0.0,P.3.-5,d.1000,"
	    "3.BCS.10.0.0,P.4.-5,4.VCS1.7.-5.0",
	    1, once);
	/* 20 s lie between two points. Step 3 is cancelled where it waits, 6,
	 * which came 1 ms later, is not; 8 waits for 3 on the CPU. */
	lab_expect_ends(&lab,
	    "1 BCS 20000100 EINTR; 3 BCS 20000100 EINTR; 6 BCS 20000110 ok; "
	    "8 VCS1 20000100 EINTR");
	assert_int_equal(lab.hung, 0);
	lab_free(&lab);
}

/* Without points its engine is reset after 1 ms; the status stays. */
TEST(watchdog_resets)
{
	struct lab lab;

	lab_init_timeouts(&lab, "execlists");
	lab.config.profile.heartbeat_ns = 0;
	lab.config.profile.request_timeout_ns = 20000 * NSEC_PER_MSEC;
	lab_add(&lab, "X.1.0,1.BCS.*.0.0,1.BCS.10.0.0", 1, once);
	lab_expect_ends(&lab, "1 BCS 20001000 EINTR; 2 BCS 20001000 EINTR");
	assert_int_equal(lab.hung, 1);
	assert_int_equal(lab.hang.cause, HANG_REQUEST);
	assert_int_equal(lab.hang.error, -EINTR);
	assert_true(lab.hang.guilty);
	lab_free(&lab);
}

/* A wait on the GPU (semaphore) copies no error, one on the CPU does (1.9): a
 * negative priority never uses semaphores. */
TEST(semaphores_copy_no_error)
{
	expect_execlists("X.1.0,1.BCS.*.0.0,2.VCS1.10.-1.0,P.3.-1,"
			 "3.VCS2.10.-3.0",
	    "1 BCS 5641000 EIO; 2 VCS1 5641010 ok; 4 VCS2 5641000 EIO");
}

/* Gen8 has no semaphores (1.9): the waiter is ready at the end. */
TEST(without_semaphores)
{
	struct lab lab;

	lab_init(&lab, "execlists");
	lab.config.profile.semaphores = 0;
	lab_add(&lab, "1.BCS.10.0.0,2.VCS1.10.-1.0,3.VCS1.15.0.0", 1, once);
	lab_expect(&lab, "0 BCS 0 0 10; 1 VCS1 10 15 25; 2 VCS1 0 0 15", 25);
	lab_free(&lab);
}

static void
expect_foreign(
    const char *sched, unsigned hz, const char *descriptor, const char *ends)
{
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.fence_timeout_ns = 5 * NSEC_PER_MSEC;
	lab.config.profile.hz = hz;
	lab_add(&lab, descriptor, 1, once);
	lab_expect_ends(&lab, ends);
	lab_free(&lab);
}

/* A software fence is waited for fence_timeout_ms; with ticks, up to the next whole
 * second. What follows does not inherit that error. */
TEST(foreign_fences)
{
	const char *late = "f,1.RCS.10.f-1.0,2.BCS.20.-1.0,3.RCS.30.0.0,"
			   "d.1500000,a.-5";
	const char *circular = "f,1.RCS.10.f-1.1,a.-2";

	expect_foreign("execlists", 0, late,
	    "1 RCS 5010 ETIMEDOUT; 2 BCS 5030 ok; 3 RCS 30 ok");
	expect_foreign(
	    "guc", 0, late, "1 RCS 5010 ETIMEDOUT; 2 BCS 5030 ok; 3 RCS 30 ok");
	expect_foreign(
	    "fifo", 0, late, "1 RCS 1500010 ok; 2 BCS 1500030 ok; 3 RCS 30 ok");
	expect_foreign("execlists", 250, late,
	    "1 RCS 1000010 ETIMEDOUT; 2 BCS 1000030 ok; 3 RCS 30 ok");
	expect_foreign("execlists", 0, circular, "1 RCS 5010 ETIMEDOUT");
}

/* After a reset the others go on, by priority; the replayed kept its place. */
TEST(the_others_go_on)
{
	expect_execlists("X.1.0,1.BCS.*.0.0,2.BCS.10.0.0,P.3.7,3.BCS.10.0.0,"
			 "P.4.9,4.BCS.10.0.0,2.BCS.10.0.0",
	    "1 BCS 640000 EIO; 2 BCS 640030 ok; 4 BCS 640020 ok; "
	    "6 BCS 640010 ok; 7 BCS 640040 ok");
}

/* A virtual request that hung leaves its engine to the others, and its
 * timeline inherits (1.9). */
TEST(virtual_hang)
{
	expect_execlists("M.1.VCS,B.1,X.1.0,1.DEFAULT.*.0.0,1.DEFAULT.10.0.0,"
			 "P.2.5,2.VCS1.10.0.0,2.VCS2.10.0.0",
	    "3 VCS1 640000 EIO; 4 VCS2 640000 EIO; 6 VCS1 640010 ok; "
	    "7 VCS2 10 ok");
}

/* A stopped heartbeat where engines can't be reset alone. */
TEST(full_reset_under_execlists)
{
	struct lab lab;

	lab_init_timeouts(&lab, "execlists");
	lab.config.profile.engine_reset = 0;
	lab.config.profile.full_reset_ns = 10 * NSEC_PER_MSEC;
	lab_add(&lab,
	    "X.1.0,1.BCS.*.0.0,2.VCS1.9000000.0.0,2.VCS1.7.0.0,"
	    "3.VCS2.500.-3.0",
	    1, once);
	/* Slices of the pulse on VCS1 do it no harm; 4 polled, and did not
	 * inherit. */
	lab_expect_ends(&lab,
	    "1 BCS 5641000 EIO; 2 VCS1 14651000 ok; 3 VCS1 14651007 ok; "
	    "4 VCS2 5651500 ok");
	assert_int_equal(lab.sim->clients[0]->contexts[1]->ban.active, 1);
	assert_int_equal(lab.sim->clients[0]->contexts[2]->ban.active, 0);
	lab_free(&lab);
}

/* "Closed context hangs: treated as banned immediately" (1.8): what a killed
 * client's persistent context has left does not run. */
TEST(closed_context_is_banned_at_once)
{
	struct lab lab;

	lab_init_timeouts(&lab, "execlists");
	lab_add(
	    &lab, "X.1.0,1.BCS.*.0.0,1.BCS.10.0.0,2.VCS1.6000000.0.0", 1, once);
	sim_run(lab.sim, NSEC_PER_MSEC, 0);
	lab_kill(&lab, 0, true);
	lab_expect_ends(&lab,
	    "1 BCS 5641000 EIO; 2 BCS 5641000 EIO; "
	    "3 VCS1 6000000 ok");
	assert_true(lab.hang.context_banned);
	lab_free(&lab);
}

/* While an engine is reset its queue waits, but not what may run elsewhere. */
TEST(engine_reset_under_execlists)
{
	struct lab lab;

	lab_init_timeouts(&lab, "execlists");
	lab.config.profile.engine_reset_ns = 300 * NSEC_PER_USEC;
	lab_add(&lab,
	    "M.3.VCS,B.3,X.1.0,1.VCS1.*.0.0,2.VCS1.10.0.0,"
	    "2.VCS2.641100.0.0,3.DEFAULT.20.0.0,P.4.5,4.VCS1.7.0.0",
	    1, once);
	/* VCS2 is sliced between 2 and 3, which ends there early; 4 waits
	 * for 640 ms, and for the reset. */
	lab_expect_ends(&lab,
	    "3 VCS1 640000 EIO; 4 VCS1 640317 ok; 5 VCS2 641120 ok; "
	    "6 VCS2 1020 ok; 8 VCS1 640307 ok");
	lab_free(&lab);
}

/* A switch to a context with another slice mask costs time under execlists too,
 * each time (doc/model/hangs.md "Bans"). */
TEST(slices_cost_between_contexts)
{
	struct lab lab;

	lab_init(&lab, "execlists");
	lab.config.profile.sseu_ns = 50000;
	lab_add(&lab, "S.1.1,1.RCS.1500.0.0,2.RCS.1500.0.0", 1, once);
	/* Slices of 1 ms and 50 us between: 1 runs to 1000, 2 from 1050 to
	 * 2050, 1 from 2100 to 2600, 2 from 2650 to 3150. */
	lab_expect_ends(&lab, "1 RCS 2600 ok; 2 RCS 3150 ok");
	lab_free(&lab);
}
