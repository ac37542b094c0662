/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rings that take several jobs at a time (ring_credits), worked out by hand:
 * doc/model/drm.md "Selection", "Ready", "Timeouts".
 */
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

/* The mock's default: everything goes to the hardware at once. */
#define UNLIMITED (1u << 20)

static const char *const all[] = {"drm", "drm:rr", "drm:fair"};

static void
expect_on(const char *sched, unsigned credits, const char *descriptor,
    const char *rows, nsec elapsed_us)
{
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.ring_credits = credits;
	lab_add(&lab, descriptor, 1, (struct client_options){.repeat = 1});
	lab_expect(&lab, rows, elapsed_us);
	for (unsigned i = 0; i < lab.sim->device.n_engines; i++)
		assert_int_equal(lab.sim->device.engines[i].queued, 0);
	lab_free(&lab);
}

/* Whatever the policy. */
static void
expect_rows(
    unsigned credits, const char *descriptor, const char *rows, nsec elapsed_us)
{
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		expect_on(all[i], credits, descriptor, rows, elapsed_us);
}

/* "Credits are returned when the hw fence signals": at 10 the third job is put
 * on the ring, which is what s-n waits for; it starts at 20. */
TEST(a_credit_comes_back_at_the_end)
{
	static const char text[] =
	    "1.RCS.10.0.0,1.RCS.10.0.0,1.RCS.10.0.0,2.BCS.1.s-1.0";

	expect_rows(1, text,
	    "0 RCS 0 0 10; 1 RCS 0 10 20; 2 RCS 10 20 30; 3 BCS 20 20 21", 30);
	expect_rows(2, text,
	    "0 RCS 0 0 10; 1 RCS 0 10 20; 2 RCS 0 20 30; 3 BCS 10 10 11", 30);
	expect_rows(3, text,
	    "0 RCS 0 0 10; 1 RCS 0 10 20; 2 RCS 0 20 30; 3 BCS 0 0 1", 30);
}

/* Levels end at the ring: with two credits, the high level waits for the two
 * jobs there; without a limit, for all. */
TEST(levels_end_at_the_ring)
{
	static const char text[] = "P.2.1,1.RCS.10.0.0,1.RCS.10.0.0,"
				   "1.RCS.10.0.0,2.RCS.1.0.0";

	expect_rows(1, text,
	    "1 RCS 0 0 10; 2 RCS 0 11 21; 3 RCS 11 21 31; 4 RCS 0 10 11", 31);
	expect_rows(2, text,
	    "1 RCS 0 0 10; 2 RCS 0 10 20; 3 RCS 0 21 31; 4 RCS 0 20 21", 31);
	expect_rows(UNLIMITED, text,
	    "1 RCS 0 0 10; 2 RCS 0 10 20; 3 RCS 0 20 30; 4 RCS 0 30 31", 31);
}

/* Pipelining: a job of the same engine is waited for until it is on the ring,
 * its order does the rest; one of another engine to its end, and meanwhile the
 * job takes no credit. */
TEST(dependencies)
{
	static const char text[] = "1.RCS.10.0.0,2.RCS.5.-1.0,3.BCS.5.-1.0,"
				   "4.RCS.1.-1.0,5.RCS.2.0.0";

	expect_rows(UNLIMITED, text,
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 BCS 15 15 20; 3 RCS 20 20 21; "
	    "4 RCS 0 15 17",
	    21);
	expect_rows(2, text,
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 BCS 15 15 20; 3 RCS 20 20 21; "
	    "4 RCS 0 15 17",
	    21);
}

/* With one credit the second is chosen at 10 only. By then the third is before
 * it (under fair: newcomers are first). */
TEST(dependencies_with_one_credit)
{
	static const char text[] =
	    "1.RCS.10.0.0,2.RCS.5.0.0,3.RCS.5.-1.0,4.RCS.2.0.0";

	expect_on("drm", 1, text,
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 RCS 10 15 20; 3 RCS 0 20 22", 22);
	expect_on("drm:rr", 1, text,
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 RCS 10 15 20; 3 RCS 0 20 22", 22);
	expect_on("drm:fair", 1, text,
	    "0 RCS 0 0 10; 1 RCS 0 12 17; 2 RCS 12 17 22; 3 RCS 0 10 12", 22);
	expect_rows(4, text,
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 RCS 0 15 20; 3 RCS 0 20 22", 22);
}

/* "An untimed job at the head blocks"; the one behind it finishes at (end of
 * the one before) + duration. */
TEST(an_infinite_head_blocks_the_ring)
{
	expect_rows(UNLIMITED,
	    "1.RCS.*.0.0,2.RCS.3.0.0,3.RCS.*.0.0,d.5,T.-4,d.7,T.-4",
	    "0 RCS 0 0 5; 1 RCS 0 5 8; 2 RCS 0 8 12", 12);
}

/* "No credit for the chosen head: nothing is run": rr's turn stays at 2 (step
 * 1) while the ring is full, and goes on with 3 when it is not. */
TEST(a_full_ring_moves_no_turn)
{
	expect_on("drm:rr", 2,
	    "1.RCS.10.0.0,2.RCS.10.0.0,3.RCS.1.0.0,1.RCS.1.0.0,2.RCS.1.0.0,"
	    "3.RCS.1.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 20; 2 RCS 0 20 21; 3 RCS 0 21 22; "
	    "4 RCS 0 22 23; 5 RCS 10 23 24",
	    24);
}

/* A balanced context goes where the score is lowest, credits or none. */
TEST(credits_do_not_balance)
{
	expect_rows(UNLIMITED,
	    "M.1.VCS,B.1,2.VCS1.9.0.0,2.VCS1.9.0.0,1.DEFAULT.4.0.0,"
	    "1.DEFAULT.4.0.0",
	    "2 VCS1 0 0 9; 3 VCS1 0 9 18; 4 VCS2 0 0 4; 5 VCS2 0 4 8", 18);
}
