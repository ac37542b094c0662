/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The job timeout of Xe under guc (doc/model/guc.md "Job timeouts of Xe"), each
 * rule on descriptors small enough to be worked out by hand. Times are in
 * microseconds from the start.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

static const struct client_options once = {.repeat = 1};

static void
init(struct lab *lab)
{
	lab_init(lab, "guc");
	lab->config.profile.xe = 1;
	lab->config.profile.job_timeout_ns = 5 * NSEC_PER_SEC;
}

static void
expect_xe(const char *descriptor, const char *ends)
{
	struct lab lab;

	init(&lab);
	lab_add(&lab, descriptor, 1, once);
	lab_expect_ends(&lab, ends);
	lab_free(&lab);
}

/* After 5 s, at the next point of its run time, from which 2 took 10 us; what
 * its queue has, and gets, ends without running on. Other queues of its context
 * go on. */
TEST(bans_its_queue)
{
	expect_xe("1.RCS.*.0.0,1.RCS.10.0.0,2.RCS.10.0.0,1.BCS.10.0.0",
	    "0 RCS 5000010 ETIME; 1 RCS 5000010 ECANCELED; 2 RCS 1010 ok; "
	    "3 BCS 10 ok");
	expect_xe("1.RCS.*.0.1,1.RCS.10.0.1,2.RCS.10.0.0",
	    "0 RCS 5000000 ETIME; 1 RCS 5000000 ECANCELED; "
	    "2 RCS 5000010 ok");
}

/* A job that has run for less has as long again: two that share an engine run
 * for 2.5 s each in 5. But 5 % are granted: 4762 ms are enough. */
TEST(only_time_that_it_ran_counts)
{
	expect_xe("1.RCS.*.0.0,2.RCS.*.0.0",
	    "0 RCS 10000000 ETIME; 1 RCS 10000000 ETIME");
	expect_xe("1.RCS.*.0.0,P.2.1,d.1000000,2.RCS.238000.0.0",
	    "0 RCS 5000000 ETIME; 3 RCS 1238000 ok");
	expect_xe("1.RCS.*.0.0,P.2.1,d.1000000,2.RCS.239000.0.0",
	    "0 RCS 10000000 ETIME; 3 RCS 1239000 ok");
}

/* One that has not begun has three times as long. Without points, and without a
 * preempt timeout, the hog itself ends when it likes. */
TEST(has_not_begun)
{
	expect_xe("P.1.1,X.1.0,1.RCS.20000000.0.0,2.RCS.10.0.0",
	    "2 RCS 20000000 ETIME; 3 RCS 20000000 ETIME");
	expect_xe("P.1.1,X.1.0,1.RCS.14000000.0.0,2.RCS.10.0.0",
	    "2 RCS 14000000 ETIME; 3 RCS 14000010 ok");
}

/* Without points it has the preempt timeout to let go of its engine. */
TEST(reset_after_the_preempt_timeout)
{
	struct lab lab;

	init(&lab);
	lab.config.profile.preempt_timeout_ns = 640 * NSEC_PER_MSEC;
	lab_add(&lab, "X.1.0,1.BCS.*.0.0", 1, once);
	lab_expect_ends(&lab, "1 BCS 5640000 ETIME");
	lab_free(&lab);
}

/* Any reset that a queue is to blame for bans it. */
TEST(any_reset_bans)
{
	struct lab lab;

	init(&lab);
	lab.config.profile.preempt_timeout_ns = 640 * NSEC_PER_MSEC;
	lab_add(&lab,
	    "X.1.0,1.BCS.*.0.0,1.BCS.5.0.0,d.1000,P.2.5,2.BCS.10.0.1,"
	    "1.BCS.5.0.0,1.VCS1.5.0.0",
	    1, once);
	lab_expect_ends(&lab,
	    "1 BCS 641000 EIO; 2 BCS 641010 ECANCELED; 5 BCS 641010 ok; "
	    "6 BCS 641010 ECANCELED; 7 VCS1 641015 ok");
	lab_free(&lab);
}

/* A job that waits for another runs whatever became of that; not so in i915. */
TEST(errors_do_not_travel)
{
	struct lab lab;

	expect_xe("1.RCS.*.0.0,2.BCS.10.-1.0",
	    "0 RCS 5000000 ETIME; 1 BCS 5000010 ok");
	init(&lab);
	lab.config.profile.xe = 0;
	lab.config.profile.request_timeout_ns = 5 * NSEC_PER_SEC;
	lab_add(&lab, "1.RCS.*.0.0,2.BCS.10.-1.0", 1, once);
	lab_expect_ends(&lab, "0 RCS 5000000 EINTR; 1 BCS 5000000 EINTR");
	lab_free(&lab);
}

/* i915's queues have its watchdog instead: job_timeout_ms is nothing to them. */
TEST(i915_has_none)
{
	struct lab lab;

	init(&lab);
	lab.config.profile.xe = 0;
	lab.config.profile.request_timeout_ns = 7 * NSEC_PER_SEC;
	lab_add(&lab, "1.RCS.*.0.0,1.RCS.10.0.0", 1, once);
	lab_expect_ends(&lab, "0 RCS 7000000 EINTR; 1 RCS 7000010 ok");
	lab_free(&lab);
}
