/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of `fifo` in `ideal` (doc/model/common.md): what starts when, on
 * which engine, after whom; each on a descriptor small enough to be worked out
 * by hand (tests/support/lab.h says how rows read).
 */
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

static void
expect_rows(const char *descriptor, const char *rows, nsec elapsed_us)
{
	lab_expect_run("fifo", descriptor, 1, 1, rows, elapsed_us);
}

TEST(one_at_a_time_in_order_of_readiness)
{
	expect_rows("1.RCS.10.0.0,2.RCS.5.0.0,3.BCS.7.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 BCS 0 0 7", 15);
}

TEST(other_engine_waits_for_the_end)
{
	expect_rows("1.RCS.10.0.0,2.BCS.5.-1.0,2.VECS.5.f-2.0",
	    "0 RCS 0 0 10; 1 BCS 10 10 15; 2 VECS1 10 10 15", 15);
}

/* On the same physical engine a dependency need only be ready. */
TEST(same_engine_needs_only_be_ready)
{
	expect_rows("1.BCS.20.0.0,2.RCS.10.-1.0,3.RCS.5.-1.0,4.RCS.1.0.0",
	    "0 BCS 0 0 20; 1 RCS 20 20 30; 2 RCS 20 30 35; 3 RCS 0 0 1", 35);
}

/* The request before it on its timeline holds it back until ready. */
TEST(timeline_keeps_order)
{
	expect_rows("1.BCS.20.0.0,2.RCS.10.-1.0,2.RCS.5.0.0,3.RCS.4.0.0",
	    "0 BCS 0 0 20; 1 RCS 20 20 30; 2 RCS 20 30 35; 3 RCS 0 0 4", 35);
}

TEST(submit_fence_waits_for_the_start)
{
	expect_rows("1.RCS.10.0.0,2.RCS.10.0.0,3.BCS.3.s-1.0,4.RCS.1.s-2.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 20; 2 BCS 10 10 13; 3 RCS 10 20 21", 21);
}

/* Free engines take work at once, so the virtual engine takes the first free
 * sibling, then keeps to the one it ran on last. */
TEST(virtual_engine_takes_last_else_first_free)
{
	expect_rows("M.1.VCS,B.1,2.VCS1.10.0.0,1.DEFAULT.4.0.0,1.VCS.20.0.0,"
		    "2.VCS1.3.0.0,1.DEFAULT.1.0.0",
	    "2 VCS1 0 0 10; 3 VCS2 0 0 4; 4 VCS2 4 4 24; 5 VCS1 0 10 13; "
	    "6 VCS2 24 24 25",
	    25);
}

/* Never "the same physical engine" as anything. */
TEST(virtual_request_is_waited_for_to_its_end)
{
	expect_rows("M.1.VCS,B.1,1.DEFAULT.4.0.0,2.VCS1.5.-1.0,3.VCS1.2.0.0",
	    "2 VCS1 0 0 4; 3 VCS1 4 6 11; 4 VCS1 0 4 6", 11);
}

TEST(one_engine_of_a_balanced_map_is_fixed)
{
	expect_rows("M.1.VCS,B.1,1.VCS2.4.0.0,1.VCS2.4.0.0,M.2.VCS2,B.2,"
		    "2.DEFAULT.3.0.0",
	    "2 VCS2 0 0 4; 3 VCS2 0 4 8; 6 VCS2 0 8 11", 11);
}

TEST(software_fence)
{
	expect_rows("f,1.RCS.10.f-1.0,2.BCS.7.f-2.0,3.VCS1.5.0.1,a.-4",
	    "1 RCS 5 5 15; 2 BCS 5 5 12; 3 VCS1 0 0 5", 15);
}

/* At the end of the iteration the timeline advances past all fences. */
TEST(fence_that_nobody_advances)
{
	expect_rows("f,1.RCS.10.f-1.0,d.4", "1 RCS 4 4 14", 14);
}

/* Fences created earlier in the iteration signal with a later one. */
TEST(advance_signals_earlier_fences)
{
	expect_rows("f,f,1.RCS.10.f-2.0,d.3,a.-3,d.9", "2 RCS 3 3 13", 13);
}

TEST(terminate)
{
	expect_rows(
	    "1.RCS.*.0.0,d.7,T.-2,2.RCS.1.0.0", "0 RCS 0 0 7; 3 RCS 7 7 8", 8);
	/* One not yet started runs 0 ns. */
	expect_rows("1.RCS.10.0.0,2.RCS.*.0.0,T.-1,3.RCS.1.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 10; 3 RCS 0 10 11", 11);
}

/* The example of gem_wsim's README: infinite master, bonded follower, submit
 * and software fences. */
TEST(bonds_follow_the_master)
{
	expect_rows("M.1.RCS|VECS1,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS1.VECS1,"
		    "b.2.VCS2.RCS,1.DEFAULT.10.0.0,2.DEFAULT.10.s-1.0",
	    "6 RCS 0 0 10; 7 VCS2 0 0 10", 10);
	expect_rows("M.1.RCS|VECS1,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS1.VECS1,"
		    "b.2.VCS2.RCS,3.RCS.5.0.0,1.DEFAULT.10.0.0,"
		    "2.DEFAULT.10.s-1.0,4.VCS1.15.0.0",
	    "6 RCS 0 0 5; 7 VECS1 0 0 10; 8 VCS1 0 0 10; 9 VCS1 0 10 25", 25);
}

/* A master that had started before the follower came counts as well. */
TEST(bonds_of_a_master_that_runs)
{
	expect_rows("M.1.RCS|VECS1,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS2.RCS,"
		    "1.DEFAULT.10.0.0,d.2,2.DEFAULT.10.s-2.0",
	    "5 RCS 0 0 10; 7 VCS2 2 2 12", 12);
}

/* The fence of one that has ended has signalled, and means nothing. */
TEST(bonds_of_a_master_that_has_ended)
{
	expect_rows("M.1.RCS|VECS1,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS2.RCS,"
		    "1.DEFAULT.10.0.1,2.DEFAULT.10.s-1.0",
	    "5 RCS 0 0 10; 6 VCS1 10 10 20", 20);
}

/* Write after read, across iterations: the writer's next submission waits for
 * the readers of the one before. */
TEST(next_iteration_waits_for_readers)
{
	lab_expect_run("fifo", "1.BCS.1.0.0,2.RCS.10.-1.0", 1, 2,
	    "0 BCS 0 0 1; 1 RCS 1 1 11; 0 BCS 11 11 12; 1 RCS 12 12 22", 22);
}

TEST(working_sets)
{
	/* Readers run side by side, the writer waits for both. */
	expect_rows("w.1.4n4k,1.RCS.5.r1-0-3.0,2.BCS.9.r1-1.0,"
		    "3.VCS1.2.w1-1.0,4.VECS1.2.r1-0/r1-2-3.0",
	    "1 RCS 0 0 5; 2 BCS 0 0 9; 3 VCS1 9 9 11; 4 VECS1 0 0 2", 11);
	/* Read and written by one batch counts as written. */
	expect_rows("w.1.2n4k,1.RCS.5.r1-0/w1-0.0,2.BCS.1.r1-0.0",
	    "1 RCS 0 0 5; 2 BCS 5 5 6", 6);
}

TEST(shared_working_set_orders_clones)
{
	lab_expect_run("fifo", "W.1.4k,1.RCS.5.w1-0.0,2.BCS.3.w1-0.0", 2, 1,
	    "1 RCS 0 0 5; 2 BCS 5 5 8; 1 RCS 8 8 13; 2 BCS 13 13 16", 16);
	lab_expect_run("fifo", "w.1.4k,1.RCS.5.w1-0.0,2.BCS.3.w1-0.0", 2, 1,
	    "1 RCS 0 0 5; 2 BCS 5 5 8; 1 RCS 0 5 10; 2 BCS 10 10 13", 13);
}

/* s waits for the submitted readers of the object as well. */
TEST(sync_waits_for_readers)
{
	expect_rows("1.BCS.1.0.0,2.RCS.10.-1.0,s.-2,3.VCS1.1.0.0",
	    "0 BCS 0 0 1; 1 RCS 1 1 11; 3 VCS1 11 11 12", 12);
}

/* t.1 waits for the step before, which is t itself, so further back: round
 * to the last batch, of the iteration before. */
TEST(throttle)
{
	lab_expect_run("fifo", "t.1,1.RCS.10.0.0,1.RCS.5.0.0", 1, 2,
	    "1 RCS 0 0 10; 2 RCS 10 10 15; 1 RCS 15 15 25; 2 RCS 25 25 30", 30);
}

TEST(queue_depth)
{
	expect_rows("q.1,1.RCS.10.0.0,1.RCS.5.0.0,1.RCS.5.0.0,2.BCS.1.0.0",
	    "1 RCS 0 0 10; 2 RCS 0 10 15; 3 RCS 10 15 20; 4 BCS 15 15 16", 20);
}

TEST(priorities_mean_nothing)
{
	expect_rows("P.2.100,1.RCS.10.0.0,1.RCS.10.0.0,2.RCS.1.0.0",
	    "1 RCS 0 0 10; 2 RCS 0 10 20; 3 RCS 0 20 21", 21);
}
