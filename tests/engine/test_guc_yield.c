/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RCS and CCS under guc's policy (doc/model/guc.md "Render and compute"), each
 * rule on descriptors small enough to be worked out by hand: "step engine ready
 * start end" in microseconds, the first client's first.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

static const struct client_options once = {.repeat = 1};

/* Windows of 10 ms, with this percentage for compute. */
static void
init(struct lab *lab, unsigned percent)
{
	lab_init(lab, "guc");
	lab->config.profile.guc_yield_window_ns = 10 * NSEC_PER_MSEC;
	lab->config.profile.guc_yield_percent = percent;
}

/* Two clients, each its descriptor. */
static void
expect_rows(unsigned percent, const char *a, const char *b, const char *rows,
    nsec elapsed_us)
{
	struct lab lab;

	init(&lab, percent);
	lab_add(&lab, a, 1, once);
	lab_add(&lab, b, 1, once);
	lab_expect(&lab, rows, elapsed_us);
	lab_free(&lab);
}

/* Render goes first to 5 ms, compute to 10, render to 15, ... */
TEST(take_turns)
{
	expect_rows(50, "1.RCS.20000.0.0", "1.CCS.20000.0.0",
	    "0 RCS 0 0 35000; 0 CCS 0 5000 40000", 40000);
	expect_rows(20, "1.RCS.20000.0.0", "1.CCS.20000.0.0",
	    "0 RCS 0 0 24000; 0 CCS 0 8000 40000", 40000);
}

TEST(interruptions_are_preemptions)
{
	struct lab lab;

	init(&lab, 50);
	lab_add(&lab, "1.RCS.20000.0.0", 1, once);
	lab_add(&lab, "1.CCS.20000.0.0", 1, once);
	lab_run(&lab, 40 * NSEC_PER_MSEC);
	assert_int_equal(lab.rows[0].preemptions, 3);
	assert_int_equal(lab.rows[1].preemptions, 3);
	assert_int_equal(lab.rows[1].run, 20 * NSEC_PER_MSEC);
	lab_free(&lab);
}

/* Without a share compute waits for render, without a rest render for it. */
TEST(no_share_and_no_rest)
{
	expect_rows(0, "1.RCS.20000.0.0", "1.CCS.1000.0.0",
	    "0 RCS 0 0 20000; 0 CCS 0 20000 21000", 21000);
	expect_rows(100, "1.RCS.2000.0.0", "1.CCS.1000.0.0",
	    "0 RCS 0 0 2900; 0 CCS 0 0 1000", 2900);
}

/* One address space: they run beside each other. */
TEST(one_client_runs_both)
{
	struct lab lab;

	init(&lab, 50);
	lab_add(&lab, "1.RCS.20000.0.0,2.CCS.20000.0.0", 1, once);
	lab_expect(&lab, "0 RCS 0 0 20000; 1 CCS 0 0 20000", 20000);
	lab_free(&lab);
}

/* Whoever comes while the other class is idle runs at once; it leaves at its
 * next preemption point when that has work. */
TEST(leaves_at_a_point)
{
	expect_rows(50, "1.CCS.4000.0.0", "d.3050,1.RCS.1000.0.0",
	    "0 CCS 0 0 4950; 1 RCS 3050 3050 4050", 4950);
	expect_rows(50, "X.1.0,1.CCS.4000.0.0", "d.3050,1.RCS.1000.0.0",
	    "1 CCS 0 0 4000; 1 RCS 3050 3050 4050", 4050);
	expect_rows(50, "X.1.0,1.CCS.3100.0.0,1.CCS.100.0.0",
	    "d.3050,1.RCS.1000.0.0",
	    "1 CCS 0 0 3100; 2 CCS 0 4050 4150; 1 RCS 3050 3050 4050", 4150);
}

/* The preempt timeout runs from when it is to leave. */
TEST(preempt_timeout)
{
	struct lab lab;

	init(&lab, 50);
	lab.config.profile.preempt_timeout_compute_ns = 2 * NSEC_PER_MSEC;
	lab_add(&lab, "X.1.0,1.CCS.20000.0.0", 1, once);
	lab_add(&lab, "d.1000,1.RCS.4000.0.0", 1, once);
	lab_expect_ends(&lab, "1 CCS 3000 EIO; 1 RCS 5000 ok");
	lab_free(&lab);
}

/* No queue overtakes the one that is closed out, not even of the owner's
 * client. */
TEST(first_in_line_keeps_its_place)
{
	expect_rows(50, "1.RCS.3000.0.0,d.100,2.CCS.500.0.0", "1.CCS.500.0.0",
	    "0 RCS 0 0 3000; 0 CCS 0 3000 3500; 2 CCS 100 3500 4000", 4000);
}

/* Other classes have nothing to do with it. */
TEST(other_classes)
{
	expect_rows(50, "1.RCS.20000.0.0", "1.BCS.20000.0.0,1.VCS1.20000.0.0",
	    "0 RCS 0 0 20000; 0 BCS 0 0 20000; 1 VCS1 0 0 20000", 20000);
}
