/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parallel slots (doc/model/guc.md "Parallel slots") in `ideal`, on
 * descriptors small enough to be worked out by hand. A step has a row for each
 * of its batches. Errors of slots are in test_compile.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define VCS1 2 /* index in the device */
#define VCS2 3

static void
run_on(struct lab *lab, unsigned n_vcs, const char *descriptor,
    const char *rows, nsec elapsed_us)
{
	lab_init(lab, "guc");
	lab->config.profile.n_engines[CLASS_VCS] = n_vcs;
	lab_add(lab, descriptor, 1, (struct client_options){.repeat = 1});
	lab_expect(lab, rows, elapsed_us);
}

static void
expect_rows(const char *descriptor, const char *rows, nsec elapsed_us)
{
	struct lab lab;

	run_on(&lab, 2, descriptor, rows, elapsed_us);
	lab_free(&lab);
}

/* On four VCS, so that there are two sets. */
static void
expect_four(const char *descriptor, const char *rows, nsec elapsed_us)
{
	struct lab lab;

	run_on(&lab, 4, descriptor, rows, elapsed_us);
	lab_free(&lab);
}

static nsec
busy(const struct lab *lab, unsigned engine)
{
	return lab->sim->device.engines[engine].busy_ns / NSEC_PER_USEC;
}

TEST(all_rows_start_at_one_instant)
{
	expect_rows("G.1.VCS1/VCS2,2.VCS1.10.0.0,1.DEFAULT.20.0.0",
	    "1 VCS1 0 0 10; 2 VCS1 0 10 30; 2 VCS2 0 10 30", 30);
	expect_rows("1.DEFAULT.20.0.0,G.1.VECS1/VECS2",
	    "0 VECS1 0 0 20; 0 VECS2 0 0 20", 20);
}

/* "The shorter ones keep their engines, busy, until then", and each counts. */
TEST(all_rows_end_together)
{
	struct lab lab;

	run_on(&lab, 2, "G.1.VCS1/VCS2,1.DEFAULT.10/20.0.0,2.VCS1.5.0.0",
	    "1 VCS1 0 0 20; 1 VCS2 0 0 20; 2 VCS1 0 20 25", 25);
	assert_int_equal(lab.rows[0].run, 20 * NSEC_PER_USEC);
	assert_int_equal(lab.rows[1].run, 20 * NSEC_PER_USEC);
	assert_int_equal(busy(&lab, VCS1), 25);
	assert_int_equal(busy(&lab, VCS2), 20);
	assert_int_equal(lab.sim->device.engines[VCS1].batches, 2);
	assert_int_equal(lab.sim->device.engines[VCS2].batches, 1);
	assert_int_equal(lab.sim->clients[0]->contexts[0]->batches, 2);
	assert_int_equal(
	    lab.sim->clients[0]->contexts[0]->busy_ns, 40 * NSEC_PER_USEC);
	lab_free(&lab);
}

/* One object, one fence: the end of all. */
TEST(a_step_is_one_for_those_that_wait)
{
	expect_rows("G.1.VCS1/VCS2,1.DEFAULT.20/10.0.0,2.RCS.1.-1.0,"
		    "2.BCS.1.f-2.0,3.BCS.1.s-3.0",
	    "1 VCS1 0 0 20; 1 VCS2 0 0 20; 2 RCS 20 20 21; 3 BCS 20 20 21; "
	    "4 BCS 0 0 1",
	    21);
	/* And one that waits. */
	expect_rows("G.1.VCS1/VCS2,2.RCS.5.0.0,1.DEFAULT.10.-1.1,2.RCS.1.0.0",
	    "1 RCS 0 0 5; 2 VCS1 5 5 15; 2 VCS2 5 5 15; 3 RCS 15 15 16", 16);
}

/* X has no effect: 3 waits for the end, though of a higher band. */
TEST(nothing_takes_it_off)
{
	struct lab lab;

	run_on(&lab, 2,
	    "P.3.1,X.1.10,G.1.VCS1/VCS2,1.DEFAULT.2050.0.0,3.VCS2.5.0.0",
	    "3 VCS1 0 0 2050; 3 VCS2 0 0 2050; 4 VCS2 0 2050 2055", 2055);
	assert_int_equal(lab.rows[0].preemptions, 0);
	lab_free(&lab);
}

/* Between two of its requests it gives way, whole, and then waits for both:
 * 4, of its own band, can't take VCS1 meanwhile. */
TEST(gives_way_whole)
{
	struct lab lab;

	run_on(&lab, 2,
	    "P.3.1,G.1.VCS1/VCS2,1.DEFAULT.50.0.0,1.DEFAULT.50.0.0,"
	    "3.VCS2.5.0.0,4.VCS1.7.0.0",
	    "2 VCS1 0 0 50; 2 VCS2 0 0 50; 3 VCS1 0 55 105; 3 VCS2 0 55 105; "
	    "4 VCS2 0 50 55; 5 VCS1 0 105 112",
	    112);
	assert_int_equal(lab.sim->device.engines[VCS1].preemptions, 0);
	lab_free(&lab);
}

/* One place, one quantum: 600 are not used up, 1200 are. */
TEST(one_quantum_for_all_rows)
{
	expect_rows("G.1.VCS1/VCS2,G.2.VCS1/VCS2,1.DEFAULT.600.0.0,"
		    "1.DEFAULT.600.0.0,1.DEFAULT.600.0.0,2.DEFAULT.100.0.0",
	    "2 VCS1 0 0 600; 2 VCS2 0 0 600; 3 VCS1 0 600 1200; "
	    "3 VCS2 0 600 1200; 4 VCS1 0 1300 1900; 4 VCS2 0 1300 1900; "
	    "5 VCS1 0 1200 1300; 5 VCS2 0 1200 1300",
	    1900);
}

/* A waiter raises the set: 4 is in the band of 1 then, and must wait for the
 * end of the second. */
TEST(band_of_a_set)
{
	expect_rows("P.1.-1,P.3.1,G.1.VCS1/VCS2,1.DEFAULT.50.0.0,"
		    "1.DEFAULT.50.0.0,3.RCS.1.-1.0,4.VCS2.5.0.0",
	    "3 VCS1 0 0 50; 3 VCS2 0 0 50; 4 VCS1 0 50 100; 4 VCS2 0 50 100; "
	    "5 RCS 100 100 101; 6 VCS2 0 100 105",
	    105);
}

/* VCS2 is free from the start, and held: 3 comes after it. */
TEST(holds_what_it_can_have)
{
	struct lab lab;

	run_on(&lab, 2,
	    "2.VCS1.30.0.0,G.1.VCS1/VCS2,1.DEFAULT.10.0.0,3.VCS2.5.0.0",
	    "0 VCS1 0 0 30; 2 VCS1 0 30 40; 2 VCS2 0 30 40; 3 VCS2 0 40 45",
	    45);
	/* "Held is not busy." */
	assert_int_equal(busy(&lab, VCS2), 15);
	lab_free(&lab);
	/* A higher band may take it, and the set holds it again after that. */
	expect_rows("P.3.1,2.VCS1.30.0.0,G.1.VCS1/VCS2,1.DEFAULT.10.0.0,"
		    "3.VCS2.5.0.0,d.7,4.VCS2.5.0.0",
	    "1 VCS1 0 0 30; 3 VCS1 0 30 40; 3 VCS2 0 30 40; 4 VCS2 0 0 5; "
	    "6 VCS2 7 40 45",
	    45);
	/* Virtual queues do not get it either, nor another set. */
	expect_rows("2.VCS1.30.0.0,G.1.VCS1/VCS2,G.4.VCS1/VCS2,M.3.VCS,B.3,"
		    "1.DEFAULT.10.0.0,4.DEFAULT.10.0.0,3.VCS.5.0.0",
	    "0 VCS1 0 0 30; 5 VCS1 0 30 40; 5 VCS2 0 30 40; 6 VCS1 0 40 50; "
	    "6 VCS2 0 40 50; 7 VCS1 0 50 55",
	    55);
}

/* At 100 it takes 2 off VCS1 and holds that until 3 has ended. */
TEST(takes_off_what_gives_way)
{
	struct lab lab;

	run_on(&lab, 2,
	    "P.1.1,G.1.VCS1/VCS2,X.3.0,2.VCS1.500.0.0,3.VCS2.450.0.0,"
	    "1.DEFAULT.10.0.0",
	    "3 VCS1 0 0 860; 4 VCS2 0 0 450; 5 VCS1 0 450 460; "
	    "5 VCS2 0 450 460",
	    860);
	assert_int_equal(lab.rows[0].preemptions, 1);
	assert_int_equal(lab.sim->device.engines[VCS1].preemptions, 1);
	assert_int_equal(busy(&lab, VCS1), 510);
	lab_free(&lab);
	/* Both at one instant. */
	expect_rows("P.1.1,G.1.VCS1/VCS2,2.VCS1.500.0.0,3.VCS2.500.0.0,"
		    "1.DEFAULT.10.0.0",
	    "2 VCS1 0 0 510; 3 VCS2 0 0 510; 4 VCS1 0 100 110; "
	    "4 VCS2 0 100 110",
	    510);
	/* A queue of its own band gives way once its quantum is used up: 2 at
	 * 1000. */
	expect_rows("G.1.VCS1/VCS2,X.3.0,2.VCS1.1500.0.0,3.VCS2.1200.0.0,"
		    "1.DEFAULT.10.0.0",
	    "2 VCS1 0 0 1710; 3 VCS2 0 0 1200; 4 VCS1 0 1200 1210; "
	    "4 VCS2 0 1200 1210",
	    1710);
}

/* Both give way at 1000 with their quanta used up: 3 stood before 2, and so it
 * does at 1500, where VCS2 alone is left for them. */
TEST(places_of_those_that_give_way)
{
	expect_rows("M.2.VCS,B.2,G.1.VCS1/VCS2,P.4.1,3.VCS2.1500.0.0,"
		    "2.VCS.1500.0.0,1.DEFAULT.500.0.0,d.1200,4.VCS1.1000.0.0",
	    "4 VCS2 0 0 2000; 5 VCS2 0 0 2500; 6 VCS1 0 1000 1500; "
	    "6 VCS2 0 1000 1500; 8 VCS1 1200 1500 2500",
	    2500);
}

/* Two sets: VCS1 with VCS2, VCS3 with VCS4. */
TEST(aligned_sets)
{
	expect_four("2.VCS1.30.0.0,G.1.VCS1|VCS3/VCS2|VCS4,1.DEFAULT.10.0.0",
	    "0 VCS1 0 0 30; 2 VCS3 0 0 10; 2 VCS4 0 0 10", 30);
	/* Siblings are in the order of their instances, however written. */
	expect_four("G.1.VCS3|VCS1/VCS2|VCS4,1.DEFAULT.10.0.0",
	    "1 VCS1 0 0 10; 1 VCS2 0 0 10", 10);
	/* The set it was on last, if all of it is free; else the lowest. */
	expect_four("2.VCS1.5.0.0,G.1.VCS1|VCS3/VCS2|VCS4,1.DEFAULT.10.0.1,"
		    "1.DEFAULT.10.0.1,3.VCS4.20.0.0,1.DEFAULT.10.0.0",
	    "0 VCS1 0 0 5; 2 VCS3 0 0 10; 2 VCS4 0 0 10; 3 VCS3 10 10 20; "
	    "3 VCS4 10 10 20; 4 VCS4 20 20 40; 5 VCS1 20 20 30; "
	    "5 VCS2 20 20 30",
	    40);
}

/* It holds VCS2 of the first set and leaves VCS4 to others; and keeps to that
 * set until it can have all of one. */
TEST(holds_of_one_set)
{
	expect_four("2.VCS1.30.0.0,3.VCS3.20.0.0,G.1.VCS1|VCS3/VCS2|VCS4,"
		    "1.DEFAULT.10.0.0,4.VCS2.5.0.0,5.VCS4.5.0.0",
	    "0 VCS1 0 0 30; 1 VCS3 0 0 20; 3 VCS3 0 20 30; 3 VCS4 0 20 30; "
	    "4 VCS2 0 20 25; 5 VCS4 0 0 5",
	    30);
}

TEST(terminate)
{
	/* "T ends the infinite rows; the set ends when all have." */
	expect_rows("G.1.VCS1/VCS2,1.DEFAULT.*/30.0.0,d.20,T.-2",
	    "1 VCS1 0 0 30; 1 VCS2 0 0 30", 30);
	expect_rows("G.1.VCS1/VCS2,1.DEFAULT.*/30.0.0,d.40,T.-2",
	    "1 VCS1 0 0 40; 1 VCS2 0 0 40", 40);
	/* Not started yet. */
	expect_rows("2.VCS1.10.0.0,G.1.VCS1/VCS2,1.DEFAULT.*/30.0.0,T.-1",
	    "0 VCS1 0 0 10; 2 VCS1 0 10 40; 2 VCS2 0 10 40", 40);
	expect_rows("2.VCS1.10.0.0,G.1.VCS1/VCS2,1.DEFAULT.*.0.0,T.-1",
	    "0 VCS1 0 0 10; 2 VCS1 0 10 10; 2 VCS2 0 10 10", 10);
}

/* "q has it on the list of the first engine of the first row": 2's batch on
 * VCS2 is in another list, that on VCS1 is not. */
TEST(queue_depth)
{
	expect_rows("q.1,G.1.VCS1/VCS2,1.DEFAULT.10.0.0,2.VCS2.5.0.0,"
		    "3.BCS.1.0.0,2.VCS1.5.0.0,3.RCS.1.0.0",
	    "2 VCS1 0 0 10; 2 VCS2 0 0 10; 3 VCS2 0 10 15; 4 BCS 0 0 1; "
	    "5 VCS1 0 10 15; 6 RCS 10 10 11",
	    15);
}

/* A ring has the step once: with room for two, the third waits until half of
 * it is free. */
TEST(room_of_the_ring)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.ring_requests = 2;
	lab_add(&lab,
	    "G.1.VCS1/VCS2,1.DEFAULT.10.0.0,1.DEFAULT.10.0.0,2.RCS.1.0.0,"
	    "1.DEFAULT.10.0.0,2.RCS.1.0.0",
	    1, (struct client_options){.repeat = 1});
	lab_expect(&lab,
	    "1 VCS1 0 0 10; 1 VCS2 0 0 10; 2 VCS1 0 10 20; 2 VCS2 0 10 20; "
	    "3 RCS 0 0 1; 4 VCS1 10 20 30; 4 VCS2 10 20 30; 5 RCS 10 10 11",
	    30);
	lab_free(&lab);
}

/* All begin when the last of its engines could: VCS1 has run another context,
 * and VCS2 none. */
TEST(costs)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.context_switch_ns = 2 * NSEC_PER_USEC;
	lab.config.profile.completion_ns = 3 * NSEC_PER_USEC;
	lab_add(&lab, "2.VCS1.10.0.0,G.1.VCS1/VCS2,1.DEFAULT.20.0.0", 1,
	    (struct client_options){.repeat = 1});
	lab_expect(&lab, "0 VCS1 0 2 12; 2 VCS1 0 17 37; 2 VCS2 0 17 37", 37);
	lab_free(&lab);
}

/* The quantum of the set is over after 1 ms, and nothing takes it off: 1 ms
 * later it hangs, all of it. */
TEST(hang)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.preempt_timeout_ns = NSEC_PER_MSEC;
	lab_add(&lab, "G.1.VCS1/VCS2,1.DEFAULT.5/*.0.0,2.VCS2.1.0.0", 1,
	    (struct client_options){.repeat = 1});
	lab_expect(
	    &lab, "1 VCS1 0 0 2000; 1 VCS2 0 0 2000; 2 VCS2 0 2000 2001", 2001);
	assert_int_equal(lab.hung, 1);
	assert_int_equal(lab.rows[0].error, -5 /* EIO */);
	assert_int_equal(lab.rows[1].error, -5);
	lab_free(&lab);
}

TEST(deadlocks)
{
	static const char *const background[] = {NULL, "1.RCS.1000.0.1"};

	for (unsigned i = 0; i < 2; i++) {
		lab_expect_deadlock("guc",
		    "G.1.VCS1/VCS2,1.DEFAULT.*/5.0.0,2.VCS2.1.0.1",
		    background[i],
		    "queued behind client 0 context 1, line 1 (step 1");
		/* VCS2 is held for what never starts. */
		lab_expect_deadlock("guc",
		    "X.2.0,2.VCS1.*.0.0,G.1.VCS1/VCS2,"
		    "1.DEFAULT.5.0.0,3.VCS2.1.0.1",
		    background[i],
		    "queued behind client 0 context 1, line 1 (step 3), which is "
		    "queued behind client 0 context 2, line 1 (step 1");
	}
}
