/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of `guc` (doc/model/guc.md) in `ideal`, each on descriptors
 * small enough to be worked out by hand (tests/support/lab.h says how rows
 * read): what is handed over and when, bands, engines. Quanta and preemption
 * points: test_sched_guc_quantum.c; parallel slots: test_parallel.c.
 */
#include <string.h>

#include "base/text.h"
#include "engine/sched/steps.h"
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

/* Submission: which requests are handed over, and when. */

TEST(own_queue_needs_no_wait)
{
	expect_rows("1.RCS.10.0.0,1.RCS.5.-1.0,1.RCS.5.f-2/s-1.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 RCS 0 15 20", 20);
}

TEST(handed_over_after_the_one_before)
{
	expect_rows("1.BCS.20.0.0,2.RCS.10.-1.0,2.RCS.5.0.0,3.RCS.4.0.0",
	    "0 BCS 0 0 20; 1 RCS 20 20 30; 2 RCS 20 30 35; 3 RCS 0 0 4", 35);
}

/* "For any other request its end, on the same engine too." */
TEST(others_are_waited_for_to_their_end)
{
	static const char *const waits[] = {"-1", "f-1", "f-1/-1"};
	static const char rows[] =
	    "0 RCS 0 0 10; 1 RCS 10 11 16; 2 RCS 0 10 11";

	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
		struct text t = {0};

		text_addf(
		    &t, "1.RCS.10.0.0,2.RCS.5.%s.0,3.RCS.1.0.0", waits[i]);
		expect_rows(text_str(&t), rows, 16);
		text_free(&t);
	}
	expect_rows("w.9.1n4k,1.RCS.10.w9-0.0,2.RCS.5.r9-0.0,3.RCS.1.0.0",
	    "1 RCS 0 0 10; 2 RCS 10 11 16; 3 RCS 0 10 11", 16);
}

TEST(submit_fence_waits_for_the_first_start)
{
	expect_rows("1.RCS.10.0.0,2.RCS.5.0.0,3.RCS.1.s-1.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 RCS 10 15 16", 16);
	expect_rows("1.RCS.10.0.0,2.RCS.5.0.0,3.BCS.1.s-1.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 BCS 10 10 11", 15);
}

TEST(software_fence)
{
	expect_rows("f,1.RCS.10.f-1.0,2.RCS.5.0.0,d.3,a.-4,d.1",
	    "1 RCS 3 5 15; 2 RCS 0 0 5", 15);
}

/* "Several at one instant in order of submission." */
TEST(handed_over_in_order_of_submission)
{
	expect_rows("f,3.RCS.5.f-1.0,2.RCS.4.f-2.0,1.RCS.3.f-3.0,d.3,a.-5",
	    "1 RCS 3 3 8; 2 RCS 3 8 12; 3 RCS 3 12 15", 15);
}

/* "A virtual engine's queue is no exception." */
TEST(virtual_queue_is_handed_over_whole)
{
	expect_rows("M.1.VCS,B.1,1.VCS.10.0.0,1.VCS.5.0.0",
	    "2 VCS1 0 0 10; 3 VCS1 0 10 15", 15);
}

/* Bands. */

TEST(bands)
{
	expect_rows("P.1.-1,P.3.1,4.RCS.10.0.0,1.RCS.1.0.0,2.RCS.2.0.0,"
		    "3.RCS.3.0.0",
	    "2 RCS 0 0 10; 3 RCS 0 15 16; 4 RCS 0 13 15; 5 RCS 0 10 13", 16);
}

/* Three bands only: 1000 is as high as 1. */
TEST(a_band_is_all_that_counts)
{
	expect_rows("P.1.1,P.2.1000,P.3.-1,P.4.-1000,5.RCS.10.0.0,4.RCS.1.0.0,"
		    "3.RCS.1.0.0,1.RCS.1.0.0,2.RCS.1.0.0",
	    "4 RCS 0 0 10; 5 RCS 0 12 13; 6 RCS 0 13 14; 7 RCS 0 10 11; "
	    "8 RCS 0 11 12",
	    14);
}

/* "Of the context when it submits." */
TEST(band_is_that_of_the_submission)
{
	expect_rows("9.RCS.10.0.0,1.RCS.1.0.0,P.2.1,2.RCS.2.0.0,P.1.1,P.2.-1",
	    "0 RCS 0 0 10; 1 RCS 0 12 13; 3 RCS 0 10 12", 13);
}

/* A high one that waits makes the low one high, though that has started: the
 * normal one can't take the engine over at 100. Without it, it does. */
TEST(who_waits_raises_what_has_started)
{
	expect_rows("P.1.-1,P.3.1,1.RCS.250.0.0,3.BCS.1.-1.0,2.RCS.10.0.0",
	    "2 RCS 0 0 250; 3 BCS 250 250 251; 4 RCS 0 250 260", 260);
	expect_rows("P.1.-1,P.3.1,1.RCS.250.0.0,3.BCS.1.0.0,2.RCS.10.0.0",
	    "2 RCS 0 0 260; 3 BCS 0 0 1; 4 RCS 0 100 110", 260);
}

/* Through others, and through those that have started: 1 runs, 2 waits for its
 * end, 3 for the end of that. */
TEST(raising_goes_through_all)
{
	expect_rows("P.1.-1,P.2.-1,P.3.1,1.RCS.250.0.0,2.BCS.1.-1.0,"
		    "3.BCS.1.-1.0,4.RCS.10.0.0",
	    "3 RCS 0 0 250; 4 BCS 250 250 251; 5 BCS 251 251 252; "
	    "6 RCS 0 250 260",
	    260);
	/* The end of 1 is waited for by 2, whose start 3 has seen. */
	expect_rows("P.1.-1,P.2.-1,P.3.1,1.RCS.250.0.0,2.BCS.300.s-1.0,"
		    "3.VECS1.1.-1.0,4.RCS.10.0.0,5.BCS.10.0.0",
	    "3 RCS 0 0 250; 4 BCS 0 0 300; 5 VECS1 300 300 301; "
	    "6 RCS 0 250 260; 7 BCS 0 300 310",
	    310);
}

TEST(nothing_is_lowered)
{
	expect_rows("P.2.-1,1.RCS.250.0.0,2.BCS.1.-1.0,3.RCS.10.0.0",
	    "1 RCS 0 0 250; 2 BCS 250 250 251; 3 RCS 0 250 260", 260);
}

/* The high band goes with the request: what is left of the queue is low. */
TEST(band_falls_back)
{
	expect_rows("P.1.-1,P.3.1,1.RCS.50.0.0,1.RCS.60.0.0,3.BCS.1.-2.0,"
		    "2.RCS.10.0.0",
	    "2 RCS 0 0 50; 3 RCS 0 60 120; 4 BCS 50 50 51; 5 RCS 0 50 60", 120);
}

/* The ones before it in its queue are waited for, too. */
TEST(queue_raises_itself)
{
	expect_rows("P.1.-1,9.RCS.10.0.0,1.RCS.1.0.0,2.RCS.2.0.0,P.1.1,"
		    "1.RCS.3.0.0",
	    "1 RCS 0 0 10; 2 RCS 0 10 11; 3 RCS 0 14 16; 5 RCS 0 11 14", 16);
}

/* A waiting queue that comes to another band takes a new place, behind the
 * queues there. Several do so in the order of their old places. */
TEST(raised_queue_takes_a_new_place)
{
	expect_rows("X.9.0,9.RCS.100.0.0,1.RCS.10.0.0,P.5.1,5.RCS.20.0.0,"
		    "P.4.1,4.BCS.1.-4.0",
	    "1 RCS 0 0 100; 2 RCS 0 120 130; 4 RCS 0 100 120; "
	    "6 BCS 130 130 131",
	    131);
	expect_rows("X.9.0,9.RCS.100.0.0,1.RCS.10.0.0,2.RCS.20.0.0,"
		    "3.RCS.30.0.0,P.4.1,4.BCS.1.-2/-4.0",
	    "1 RCS 0 0 100; 2 RCS 0 100 110; 3 RCS 0 140 160; "
	    "4 RCS 0 110 140; 6 BCS 140 140 141",
	    160);
}

/* Engines. */

/* At 20 both are free, and 1 was on VCS2. */
TEST(virtual_takes_last_else_lowest)
{
	expect_rows("M.1.VCS,B.1,3.VCS1.10.0.0,1.VCS.20.0.1,1.VCS.5.0.0",
	    "2 VCS1 0 0 10; 3 VCS2 0 0 20; 4 VCS2 20 20 25", 25);
	expect_rows("M.1.VCS,B.1,1.VCS.20.0.0", "2 VCS1 0 0 20", 20);
}

TEST(virtual_takes_what_gives_way_now)
{
	expect_rows("P.1.-1,P.2.-1,P.3.1,M.3.VCS,B.3,1.VCS1.500.0.0,"
		    "2.VCS2.500.0.0,3.VCS.50.0.0",
	    "5 VCS1 0 0 550; 6 VCS2 0 0 500; 7 VCS1 0 100 150", 550);
	expect_rows("P.1.-1,P.2.-1,P.3.1,M.3.VCS,B.3,X.1.150,1.VCS1.500.0.0,"
		    "2.VCS2.500.0.0,3.VCS.50.0.0",
	    "6 VCS1 0 0 500; 7 VCS2 0 0 550; 8 VCS2 0 100 150", 550);
}

/* Taken off VCS1 at 100 it goes on on VCS2, in the same instant. */
TEST(taken_off_goes_on_elsewhere)
{
	struct lab lab;

	run(&lab, "M.1.VCS,B.1,P.2.1,1.VCS.300.0.0,2.VCS1.50.0.0",
	    "3 VCS2 0 0 300; 4 VCS1 0 100 150", 300);
	assert_int_equal(lab.rows[0].preemptions, 1);
	assert_int_equal(lab.rows[0].run, 300 * NSEC_PER_USEC);
	/* Time and interruptions where they were. */
	assert_int_equal(
	    lab.sim->device.engines[2].busy_ns, 150 * NSEC_PER_USEC);
	assert_int_equal(
	    lab.sim->device.engines[3].busy_ns, 200 * NSEC_PER_USEC);
	assert_int_equal(lab.sim->device.engines[2].preemptions, 1);
	assert_int_equal(lab.sim->device.engines[3].preemptions, 0);
	lab_free(&lab);
}

/* While it is on an engine it stays there: VCS1 has been free since 10. */
TEST(queue_stays_on_its_engine)
{
	expect_rows("M.1.VCS,B.1,3.VCS1.10.0.0,1.VCS.20.0.0,1.VCS.5.0.0,"
		    "2.VCS1.1.0.0",
	    "2 VCS1 0 0 10; 3 VCS2 0 0 20; 4 VCS2 0 20 25; 5 VCS1 0 10 11", 25);
}

/* Instants. */

/* At 50 what 3 waits for ends, and so does the first of 1: 3 is handed over
 * before the next one of 1 starts, and takes the engine. */
TEST(handing_over_comes_before_the_next_start)
{
	expect_rows("P.3.1,1.RCS.50.0.0,1.RCS.50.0.0,4.BCS.50.0.0,"
		    "3.RCS.10.-1.0",
	    "1 RCS 0 0 50; 2 RCS 0 60 110; 3 BCS 0 0 50; 4 RCS 50 50 60", 110);
	/* A queue in the same band waits. */
	expect_rows("1.RCS.50.0.0,1.RCS.50.0.0,4.BCS.50.0.0,3.RCS.10.-1.0",
	    "0 RCS 0 0 50; 1 RCS 0 50 100; 2 BCS 0 0 50; 3 RCS 50 100 110",
	    110);
}

TEST(batches_of_no_time)
{
	expect_rows("9.RCS.10.0.0,1.RCS.*.0.0,2.RCS.*.0.0,1.RCS.*.f-1.0,"
		    "T.-3,T.-3,T.-3",
	    "0 RCS 0 0 10; 1 RCS 0 10 10; 2 RCS 0 10 10; 3 RCS 10 10 10", 10);
}

/* T ends a spinner. */

TEST(terminate)
{
	expect_rows("1.RCS.*.0.0,d.30,T.-2", "0 RCS 0 0 30", 30);
	/* Taken off at 100: it ends at 300, when it has the engine again. */
	expect_rows("P.3.1,1.RCS.*.0.0,d.50,3.RCS.200.0.0,d.100,T.-4",
	    "1 RCS 0 0 300; 3 RCS 50 100 300", 300);
	/* Not started yet. */
	expect_rows("9.RCS.10.0.0,1.RCS.*.0.0,T.-1,2.RCS.1.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 10; 3 RCS 0 10 11", 11);
}

TEST(infinite_batches_in_turn_are_a_deadlock)
{
	lab_expect_deadlock("guc", "1.RCS.*.0.0,2.RCS.*.0.0,1.RCS.1.0.1", NULL,
	    "which is infinite and not terminated");
	/* A lower band never runs. */
	lab_expect_deadlock("guc", "P.2.-1,1.RCS.*.0.0,2.RCS.1.0.1", NULL,
	    "queued behind client 0 context 1, line 1 (step 1)");
	/* A run in which a client sleeps is no deadlock. */
	expect_rows("1.RCS.*.0.0,2.RCS.*.0.0,d.20000,T.-3,T.-3",
	    "0 RCS 0 0 20000; 1 RCS 0 1000 20000", 20000);
}

/* Closing a client gives its queues back; others come after. */
TEST(clients_end)
{
	struct lab lab;

	lab_start(&lab, "guc", "1.RCS.10.0.0", 3, 2);
	lab_expect(&lab,
	    "0 RCS 0 0 10; 0 RCS 0 10 20; 0 RCS 0 20 30; 0 RCS 0 30 40; "
	    "0 RCS 0 40 50; 0 RCS 0 50 60",
	    60);
	for (unsigned i = 0; i < 3; i++)
		assert_null(lab.sim->clients[i]->rings[0]->sched_data);
	lab_free(&lab);
}

TEST(what_is_refused)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
	    {"M.1.VCS|RCS,B.1,1.DEFAULT.1.0.0",
		"balanced maps of several classes need --scheduler=fifo, "
		"execlists, drm, drm:rr or drm:fair: guc, chosen instead of "
		"profile ideal's fifo, refuses them"},
	    {"M.1.VCS,B.1,b.1.VCS1.RCS,1.VCS.1.0.0",
		"engine bonds (b) need --scheduler=fifo or execlists: guc, "
		"chosen instead of profile ideal's fifo, refuses them"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct lab lab;
		struct text err = {0};
		struct program *p;

		lab_init(&lab, "guc");
		p = lab_compile(&lab, rows[i].text);
		assert_non_null(p);
		assert_false(sched_accepts(
		    lab.config.sched, p, &lab.config.profile, &err));
		assert_string_equal(text_str(&err), rows[i].why);
		text_free(&err);
		program_free(p);
	}
}
