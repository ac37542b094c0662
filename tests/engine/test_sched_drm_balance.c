/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `drm` (doc/model/drm.md): which run queue an entity stands in, when it
 * leaves that and where it comes back, and which engine a balanced one takes.
 * In `ideal`, with policies fifo and rr, where a test does not say otherwise.
 */
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

static void
expect_fifo(const char *descriptor, const char *rows, nsec elapsed_us)
{
	lab_expect_run("drm", descriptor, 1, 1, rows, elapsed_us);
}

static void
expect_rr(const char *descriptor, const char *rows, nsec elapsed_us)
{
	lab_expect_run("drm:rr", descriptor, 1, 1, rows, elapsed_us);
}

static void
expect_rows(const char *descriptor, const char *rows, nsec elapsed_us)
{
	expect_fifo(descriptor, rows, elapsed_us);
	expect_rr(descriptor, rows, elapsed_us);
}

/* Several clients, one of each descriptor. */
static void
expect_clients(const char *const *descriptors, unsigned n, const char *rows,
    nsec elapsed_us)
{
	static const char *const scheds[] = {"drm", "drm:rr"};

	for (unsigned k = 0; k < 2; k++) {
		struct lab lab;

		lab_init(&lab, scheds[k]);
		for (unsigned i = 0; i < n; i++)
			lab_add(&lab, descriptors[i], 1,
			    (struct client_options){.repeat = 1});
		lab_expect(&lab, rows, elapsed_us);
		lab_free(&lab);
	}
}

/* Detaching. */

/* At 14 the turn of the normal level is at 2: after it come 3 and 1. */
TEST(idle_entities_stay_attached)
{
	expect_rr("P.4.1,1.RCS.1.0.0,2.RCS.1.0.0,3.RCS.1.0.1,2.RCS.1.0.1,"
		  "4.RCS.10.0.0,P.4.1,2.RCS.1.0.0,3.RCS.1.0.0,1.RCS.1.0.0",
	    "1 RCS 0 0 1; 2 RCS 0 1 2; 3 RCS 0 2 3; 4 RCS 3 3 4; "
	    "5 RCS 4 4 14; 7 RCS 4 16 17; 8 RCS 4 14 15; 9 RCS 4 15 16",
	    17);
}

/* But when 2 has left it for another level, it begins from the first. */
TEST(turn_of_one_that_left_its_level)
{
	expect_rr("P.4.1,1.RCS.1.0.0,2.RCS.1.0.0,3.RCS.1.0.1,2.RCS.1.0.1,"
		  "4.RCS.10.0.0,P.2.1,2.RCS.1.0.0,3.RCS.1.0.0,1.RCS.1.0.0",
	    "1 RCS 0 0 1; 2 RCS 0 1 2; 3 RCS 0 2 3; 4 RCS 3 3 4; "
	    "5 RCS 4 4 14; 7 RCS 4 14 15; 8 RCS 4 16 17; 9 RCS 4 15 16",
	    17);
}

/* One that comes back to a level is at the tail: after 3, where the turn is. */
TEST(attached_at_the_tail)
{
	expect_rr("1.RCS.1.0.0,2.RCS.1.0.0,3.RCS.1.0.1,P.2.1,2.RCS.1.0.1,"
		  "P.2.0,P.4.1,4.RCS.10.0.0,2.RCS.1.0.0,1.RCS.1.0.0,"
		  "3.RCS.1.0.0",
	    "0 RCS 0 0 1; 1 RCS 0 1 2; 2 RCS 0 2 3; 4 RCS 3 3 4; "
	    "7 RCS 4 4 14; 8 RCS 4 14 15; 9 RCS 4 15 16; 10 RCS 4 16 17",
	    17);
}

/* Clients' entities stand in the order 0, 1, 2; the turn is at that of client
 * 1, which has ended, or has not, when the engine is free at 19. */
TEST(turn_of_a_client_that_has_ended)
{
	static const char *const texts[] = {
	    "P.2.1,1.RCS.1.0.0,d.9,2.RCS.10.0.0,d.2,1.RCS.1.0.0",
	    "1.RCS.1.0.0,d.4,1.RCS.1.0.0", "1.RCS.1.0.0,d.10,1.RCS.1.0.0"};
	struct lab lab;

	lab_init(&lab, "drm:rr");
	for (unsigned i = 0; i < 3; i++)
		lab_add(
		    &lab, texts[i], 1, (struct client_options){.repeat = 1});
	lab_expect(&lab,
	    "1 RCS 0 0 1; 0 RCS 0 1 2; 0 RCS 0 2 3; 2 RCS 4 4 5; 3 RCS 9 9 19; "
	    "2 RCS 10 20 21; 5 RCS 11 19 20",
	    21);
	lab_free(&lab);
	lab_start(&lab, "drm:rr", texts[0], 1, 1);
	lab_add(&lab, "1.RCS.1.0.0,d.4,1.RCS.1.0.0,d.30", 1,
	    (struct client_options){.repeat = 1});
	lab_add(&lab, texts[2], 1, (struct client_options){.repeat = 1});
	lab_expect(&lab,
	    "1 RCS 0 0 1; 0 RCS 0 1 2; 0 RCS 0 2 3; 2 RCS 4 4 5; 3 RCS 9 9 19; "
	    "2 RCS 10 19 20; 5 RCS 11 20 21",
	    34);
	lab_free(&lab);
}

/* A client ends in its turn among the clients, after engines have taken work:
 * at 2 the turn is still at client 1, so client 2 comes before client 0. */
TEST(a_client_ends_after_the_engines_took_work)
{
	struct lab lab;

	lab_start(&lab, "drm:rr", "1.RCS.1.0.0,1.RCS.1.0.0", 1, 1);
	lab_add(&lab, "1.RCS.1.0.0", 1, (struct client_options){.repeat = 1});
	lab_add(&lab, "1.RCS.1.0.0", 1, (struct client_options){.repeat = 1});
	lab_expect(
	    &lab, "0 RCS 0 0 1; 1 RCS 0 3 4; 0 RCS 0 1 2; 0 RCS 0 2 3", 4);
	lab_free(&lab);
}

/* Binding. */

/* Its own place counts, so it moves on to the other engine when idle. */
TEST(idle_balanced_entity_moves_on)
{
	expect_rows("M.1.VCS,B.1,1.DEFAULT.5.0.1,1.DEFAULT.5.0.1,1.VCS.5.0.1",
	    "2 VCS1 0 0 5; 3 VCS2 5 5 10; 4 VCS1 10 10 15", 15);
}

TEST(busy_balanced_entity_stays)
{
	expect_rows("M.1.VCS,B.1,1.DEFAULT.5.0.0,1.DEFAULT.5.0.0,d.9,"
		    "1.DEFAULT.5.0.1,1.DEFAULT.5.0.0",
	    "2 VCS1 0 0 5; 3 VCS1 0 5 10; 5 VCS1 9 10 15; 6 VCS2 15 15 20", 20);
}

TEST(score_counts_idle_entities)
{
	expect_rows("M.1.VCS,B.1,2.VCS1.1.0.1,1.DEFAULT.4.0.0",
	    "2 VCS1 0 0 1; 3 VCS2 1 1 5", 5);
	/* Two idle ones on VCS1; one with a job on VCS2: a tie, so the first. */
	expect_rows("M.1.VCS,B.1,2.VCS1.1.0.1,3.VCS1.1.0.1,4.VCS2.9.0.0,"
		    "1.DEFAULT.4.0.0",
	    "2 VCS1 0 0 1; 3 VCS1 1 1 2; 4 VCS2 2 2 11; 5 VCS1 2 2 6", 11);
}

/* Three idle entities on VCS1 against one with one job, or with three. */
TEST(score_counts_jobs)
{
	expect_rows("M.1.VCS,B.1,2.VCS1.1.0.0,3.VCS1.1.0.0,4.VCS1.1.0.1,"
		    "5.VCS2.9.0.0,1.DEFAULT.4.0.0",
	    "2 VCS1 0 0 1; 3 VCS1 0 1 2; 4 VCS1 0 2 3; 5 VCS2 3 3 12; "
	    "6 VCS2 3 12 16",
	    16);
	expect_rows("M.1.VCS,B.1,2.VCS1.1.0.0,3.VCS1.1.0.0,4.VCS1.1.0.1,"
		    "5.VCS2.9.0.0,5.VCS2.9.0.0,5.VCS2.9.0.0,1.DEFAULT.4.0.0",
	    "2 VCS1 0 0 1; 3 VCS1 0 1 2; 4 VCS1 0 2 3; 5 VCS2 3 3 12; "
	    "6 VCS2 3 12 21; 7 VCS2 12 21 30; 8 VCS1 3 3 7",
	    30);
}

/* From its submit, blocked or not, to its end. */
TEST(score_counts_blocked_jobs)
{
	expect_rows("M.1.VCS,B.1,f,3.VCS2.1.0.1,2.VCS1.1.f-2.0,1.DEFAULT.4.0.1,"
		    "a.-4,s.-3,1.DEFAULT.4.0.0",
	    /* Blocked: 2 against 1; then 1 against 2, its own place. */
	    "3 VCS2 0 0 1; 4 VCS1 5 5 6; 5 VCS2 1 1 5; 8 VCS1 6 6 10", 10);
}

/* Bound where the score is lowest even if another engine is free. */
TEST(binding_is_early)
{
	expect_rows("M.1.VCS,B.1,2.VCS1.2.0.0,3.VCS2.9.0.0,1.DEFAULT.4.0.0,"
		    "1.DEFAULT.4.0.0,4.VCS2.1.0.0",
	    "2 VCS1 0 0 2; 3 VCS2 0 0 9; 4 VCS1 0 2 6; 5 VCS1 2 6 10; "
	    "6 VCS2 0 9 10",
	    10);
}

/* "Bound to the same engine (whatever context, balanced too)." */
TEST(balanced_jobs_count_as_on_their_engine)
{
	expect_rows("M.2.VCS,B.2,1.VCS2.10.0.0,3.VCS2.10.0.0,4.VCS1.7.0.0,"
		    "2.DEFAULT.5.-1.0,4.VCS1.1.-1.0,5.VCS2.1.-2.0",
	    "2 VCS2 0 0 10; 3 VCS2 0 10 20; 4 VCS1 0 0 7; 5 VCS1 0 7 12; "
	    "6 VCS1 7 12 13; 7 VCS2 12 20 21",
	    21);
}

/* A batch for one engine of the map is of another entity. */
TEST(one_engine_of_a_balanced_map)
{
	expect_rows("M.1.VCS,B.1,1.VCS1.5.0.0,1.DEFAULT.5.0.0,1.VCS1.1.0.0",
	    "2 VCS1 0 0 5; 3 VCS2 0 0 5; 4 VCS1 0 5 6", 6);
}

TEST(entities_leave_with_their_client)
{
	static const char *const gone[] = {
	    "2.VCS1.1.0.0", "M.1.VCS,B.1,d.3,1.DEFAULT.4.0.0"};
	static const char *const there[] = {
	    "2.VCS1.1.0.0,d.9", "M.1.VCS,B.1,d.3,1.DEFAULT.4.0.0"};

	expect_clients(gone, 2, "0 VCS1 0 0 1; 3 VCS1 3 3 7", 7);
	expect_clients(there, 2, "0 VCS1 0 0 1; 3 VCS2 3 3 7", 9);
}

TEST(mixed_classes_balance)
{
	expect_rows("M.1.BCS|RCS,B.1,1.DEFAULT.5.0.1,1.DEFAULT.5.0.0",
	    "2 RCS 0 0 5; 3 BCS 5 5 10", 10);
}

/* With turns, a balanced entity that moves to another engine is at the tail
 * there. */
TEST(moved_to_the_tail)
{
	/* 1 is attached to VCS1 first, then to VCS2 after 2 and 3, where the
	 * turn is at 3 when 4 has held the engine: 1, then 2. */
	expect_rr("M.1.VCS,B.1,P.4.1,1.DEFAULT.1.0.1,2.VCS2.1.0.0,"
		  "3.VCS2.1.0.1,5.VCS1.1.0.0,6.VCS1.1.0.0,7.VCS1.1.0.1,"
		  "4.VCS2.9.0.0,2.VCS2.1.0.0,1.DEFAULT.1.0.0",
	    "3 VCS1 0 0 1; 4 VCS2 1 1 2; 5 VCS2 1 2 3; 6 VCS1 3 3 4; "
	    "7 VCS1 3 4 5; 8 VCS1 3 5 6; 9 VCS2 6 6 15; 10 VCS2 6 15 16; "
	    "11 VCS1 6 6 7",
	    16);
}
