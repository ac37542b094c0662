/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `guc` (doc/model/guc.md): the places of queues in their band, quanta
 * that are used up, and the points where one gives way. In `ideal`.
 */
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

static void
run(struct lab *lab, const char *descriptor, const char *rows, nsec elapsed_us)
{
	lab_start(lab, "guc", descriptor, 1, 1);
	lab_expect(lab, rows, elapsed_us);
}

static void
expect_rows(const char *descriptor, const char *rows, nsec elapsed_us)
{
	struct lab lab;

	run(&lab, descriptor, rows, elapsed_us);
	lab_free(&lab);
}

/* Places and quanta. */

TEST(quantum)
{
	expect_rows("1.VCS1.3000.0.0,2.VCS1.2500.0.0",
	    "0 VCS1 0 0 5000; 1 VCS1 0 1000 5500", 5500);
}

/* A quantum that is over acts at the next preemption point; where there is
 * none, never. */
TEST(quantum_ends_at_a_point)
{
	expect_rows("X.1.300,1.RCS.3000.0.0,2.RCS.500.0.0",
	    "1 RCS 0 0 3500; 2 RCS 0 1200 1700", 3500);
	expect_rows("X.1.0,1.RCS.3000.0.0,2.RCS.500.0.0",
	    "1 RCS 0 0 3000; 2 RCS 0 3000 3500", 3500);
}

/* The second request is taken off after 400 of its 600. */
TEST(quantum_spans_requests)
{
	struct lab lab;

	run(&lab, "1.RCS.600.0.0,1.RCS.600.0.0,1.RCS.600.0.0,2.RCS.100.0.0",
	    "0 RCS 0 0 600; 1 RCS 0 600 1300; 2 RCS 0 1300 1900; "
	    "3 RCS 0 1000 1100",
	    1900);
	assert_int_equal(lab.rows[0].preemptions, 0);
	assert_int_equal(lab.rows[1].preemptions, 1);
	assert_int_equal(lab.rows[1].run, 600 * NSEC_PER_USEC);
	assert_int_equal(lab.sim->device.engines[0].preemptions, 1);
	assert_int_equal(lab.sim->device.engines[0].switches, 3);
	lab_free(&lab);
}

/* Between two requests a queue gives way with its quantum used up, and not
 * before. "Giving way between two requests counts none." */
TEST(giving_way_between_requests)
{
	struct lab lab;

	run(&lab, "X.1.0,1.RCS.1000.0.0,1.RCS.600.0.0,2.RCS.100.0.0",
	    "1 RCS 0 0 1000; 2 RCS 0 1100 1700; 3 RCS 0 1000 1100", 1700);
	assert_int_equal(lab.sim->device.engines[0].preemptions, 0);
	lab_free(&lab);
	expect_rows("X.1.0,1.RCS.999.0.0,1.RCS.600.0.0,2.RCS.100.0.0",
	    "1 RCS 0 0 999; 2 RCS 0 999 1599; 3 RCS 0 1599 1699", 1699);
	/* A queue gives way to a higher band at once. */
	expect_rows("X.1.0,1.RCS.50.0.0,1.RCS.60.0.0,P.2.1,2.RCS.10.0.0",
	    "1 RCS 0 0 50; 2 RCS 0 60 120; 4 RCS 0 50 60", 120);
}

/* Interrupted by a higher band at 300, 1 keeps its place before 2, and the 300
 * it has used. */
TEST(interrupted_queue_keeps_place_and_quantum)
{
	expect_rows("1.RCS.2000.0.0,2.RCS.100.0.0,P.3.1,d.250,3.RCS.50.0.0",
	    "0 RCS 0 0 2150; 1 RCS 0 1050 1150; 4 RCS 250 300 350", 2150);
}

/* "A used up quantum stays used up": who comes at 1450 need not wait for more
 * than the next point; one who comes at the very point need not wait. */
TEST(used_up_stays_used_up)
{
	expect_rows("1.RCS.2000.0.0,d.1450,2.RCS.100.0.0",
	    "0 RCS 0 0 2100; 2 RCS 1450 1500 1600", 2100);
	expect_rows("1.RCS.2000.0.0,d.1500,2.RCS.100.0.0",
	    "0 RCS 0 0 2100; 2 RCS 1500 1500 1600", 2100);
}

/* 1 leaves with its quantum used up, if to a higher band: 2 stands before it. */
TEST(leaving_used_up_takes_a_new_place)
{
	expect_rows("P.3.1,1.RCS.3000.0.0,d.1450,3.RCS.50.0.0,2.RCS.100.0.0",
	    "1 RCS 0 0 3150; 3 RCS 1450 1500 1550; 4 RCS 1450 1550 1650", 3150);
}

/* A queue with nothing more to run forgets its quantum: the next 900 do not add
 * to the first. */
TEST(quantum_is_forgotten)
{
	expect_rows("1.RCS.900.0.1,1.RCS.900.0.0,2.RCS.100.0.0",
	    "0 RCS 0 0 900; 1 RCS 900 900 1800; 2 RCS 900 1800 1900", 1900);
}

TEST(never_to_a_lower_band)
{
	expect_rows("P.2.-1,1.RCS.3000.0.0,2.RCS.100.0.0",
	    "1 RCS 0 0 3000; 2 RCS 0 3000 3100", 3100);
}

/* Its place is that of the first time, before 2: not when it got more. */
TEST(place_is_kept_while_something_is_handed_over)
{
	expect_rows("9.RCS.10.0.0,1.RCS.1.0.0,2.RCS.2.0.0,1.RCS.3.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 11; 2 RCS 0 14 16; 3 RCS 0 11 14", 16);
}

TEST(no_quantum)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.quantum_ns = 0;
	lab_add(&lab, "1.RCS.3000.0.0,2.RCS.100.0.0", 1,
	    (struct client_options){.repeat = 1});
	lab_expect(&lab, "0 RCS 0 0 3000; 1 RCS 0 3000 3100", 3100);
	lab_free(&lab);
}

/* Preemption points. */

TEST(higher_band_waits_for_a_point)
{
	expect_rows("1.RCS.150.0.0,P.3.1,3.RCS.10.0.0",
	    "0 RCS 0 0 160; 2 RCS 0 100 110", 160);
	expect_rows("X.1.40,1.RCS.150.0.0,P.3.1,3.RCS.10.0.0",
	    "1 RCS 0 0 160; 3 RCS 0 40 50", 160);
	expect_rows("X.1.0,1.RCS.150.0.0,P.3.1,3.RCS.10.0.0",
	    "1 RCS 0 0 150; 3 RCS 0 150 160", 160);
	/* At the very instant of a point. */
	expect_rows("1.RCS.150.0.0,P.3.1,d.100,3.RCS.10.0.0",
	    "0 RCS 0 0 160; 3 RCS 100 100 110", 160);
}

/* Points are of its own run time: 50 are left to the next one at 350. And at
 * 350, where 1 has just been put on again after 300, it is not taken off. */
TEST(points_of_its_own_run_time)
{
	expect_rows("X.1.120,1.RCS.250.0.0,P.3.1,3.RCS.10.0.0,d.140,"
		    "3.RCS.10.0.0",
	    "1 RCS 0 0 270; 3 RCS 0 120 130; 5 RCS 140 250 260", 270);
	expect_rows("P.3.1,1.RCS.1000.0.0,d.250,3.RCS.50.0.1,3.RCS.10.0.0",
	    "1 RCS 0 0 1060; 3 RCS 250 300 350; 4 RCS 350 450 460", 1060);
}

/* "Within the band never to one that was itself taken off an engine at this
 * instant": 1 gives way between two requests at 1000, as the quantum of VCS2's
 * owner is over. */
TEST(taken_off_takes_no_equal)
{
	expect_rows("M.1.VCS,B.1,1.VCS.1000.0.0,1.VCS.1000.0.0,2.VCS1.500.0.0,"
		    "2.VCS2.3000.0.0",
	    "2 VCS1 0 0 1000; 3 VCS2 0 1100 2100; 4 VCS1 0 1000 1500; "
	    "5 VCS2 0 0 4000",
	    4000);
}

/* At 1000, 1 stands before 4 in the line of VCS2. */
TEST(who_stands_behind_takes_it)
{
	expect_rows("M.1.VCS,B.1,P.3.1,2.VCS2.3000.0.0,d.200,1.VCS.1500.0.0,"
		    "d.100,4.VCS2.100.0.0,d.650,3.VCS1.200.0.0",
	    "3 VCS2 0 0 3300; 5 VCS1 200 200 1800; 7 VCS2 300 1000 1100; "
	    "9 VCS1 950 1000 1200",
	    3300);
}

/* The same with a parallel context that waits for its own engines. */
TEST(who_stands_behind_takes_it_beside_a_set)
{
	expect_rows("G.5.VECS1/VECS2,X.6.0,6.VECS1.1200.0.0,5.DEFAULT.50.0.0,"
		    "M.1.VCS,B.1,P.3.1,2.VCS2.3000.0.0,d.200,1.VCS.1500.0.0,"
		    "d.100,4.VCS2.100.0.0,d.650,3.VCS1.200.0.0",
	    "2 VECS1 0 0 1200; 3 VECS1 0 1200 1250; 3 VECS2 0 1200 1250; "
	    "7 VCS2 0 0 3300; 9 VCS1 200 200 1800; 11 VCS2 300 1000 1100; "
	    "13 VCS1 950 1000 1200",
	    3300);
}

/* Sixty quanta each: they end within two of each other. */
TEST(equals_share_fewer_engines)
{
	expect_rows("M.1.VCS,B.1,M.2.VCS,B.2,M.3.VCS,B.3,1.VCS.6000.0.0,"
		    "2.VCS.6000.0.0,3.VCS.6000.0.0",
	    "6 VCS2 0 0 8100; 7 VCS1 0 0 8900; 8 VCS2 0 1000 9100", 9100);
	expect_rows("M.1.VCS,B.1,M.2.VCS,B.2,M.3.VCS,B.3,1.VCS.60000.0.0,"
		    "2.VCS.60000.0.0,3.VCS.60000.0.0",
	    "6 VCS2 0 0 89100; 7 VCS1 0 0 89900; 8 VCS2 0 1000 90100", 90100);
}
