/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A batch that ends with its slice over under `execlists`
 * (doc/model/execlists.md "Slices") in `ideal`, on descriptors small enough to
 * be worked out by hand. The naive model has examples of the other rules
 * (tests/naive).
 */
#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

static void
expect_rows(const char *descriptor, const char *rows, nsec elapsed_us)
{
	lab_expect_run("execlists", descriptor, 1, 1, rows, elapsed_us);
}

/* "N goes to the tail of its level": 2 goes first. */
TEST(next_goes_to_the_tail)
{
	expect_rows("1.RCS.1000.0.0,1.RCS.100.0.0,2.RCS.100.0.0",
	    "0 RCS 0 0 1000; 1 RCS 0 1100 1200; 2 RCS 0 1000 1100", 1200);
}

/* The context has nothing that waits: who waited for the batch keeps its place,
 * and so its successor. */
TEST(without_a_next_nothing_moves)
{
	expect_rows("2.VCS1.1000.0.0,1.VCS1.100.-1.0,2.VCS1.100.s-1.0,"
		    "1.VCS1.100.0.0",
	    "0 VCS1 0 0 1000; 1 VCS1 0 1000 1100; 2 VCS1 1000 1200 1300; "
	    "3 VCS1 0 1100 1200",
	    1300);
}

/* "Behind it those that wait for N's end; nothing else moves": step 1, which
 * waited for step 0, does not. */
TEST(followers_of_the_next_go_with_it)
{
	expect_rows("1.RCS.1000.0.0,4.RCS.100.-1.0,1.RCS.100.0.0,"
		    "3.RCS.100.-1.0,2.RCS.100.0.0",
	    "0 RCS 0 0 1000; 1 RCS 0 1000 1100; 2 RCS 0 1200 1300; "
	    "3 RCS 0 1300 1400; 4 RCS 0 1100 1200",
	    1400);
}

/* "F as above, sought for N": 3 could only poll, and 2 is below N. */
TEST(next_stays_where_nobody_takes_over)
{
	expect_rows("1.RCS.1000.0.0,1.RCS.100.0.0,2.BCS.3000.0.0,"
		    "3.RCS.100.-1.0",
	    "0 RCS 0 0 1000; 1 RCS 0 1000 1100; 2 BCS 0 0 3000; "
	    "3 RCS 0 3000 3100",
	    3100);
	expect_rows("P.2.-1,1.RCS.1000.0.0,1.RCS.100.0.0,2.RCS.100.0.0",
	    "1 RCS 0 0 1000; 2 RCS 0 1000 1100; 3 RCS 0 1100 1200", 1200);
}

/* F is equal to N, not to the batch before it. */
TEST(priority_of_the_next_counts)
{
	expect_rows("P.1.5,X.1.0,1.RCS.1000.0.0,P.1.0,1.RCS.100.0.0,"
		    "2.RCS.100.0.0",
	    "2 RCS 0 0 1000; 4 RCS 0 1100 1200; 5 RCS 0 1000 1100", 1200);
}
