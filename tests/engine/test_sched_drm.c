/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of `drm` (doc/model/drm.md) in `ideal`, each on descriptors
 * small enough to be worked out by hand (tests/support/lab.h says how rows
 * read): levels, what is ready when, and the policies fifo and rr; both, where
 * a test does not say otherwise. Policy fair: test_sched_drm_fair.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/sched/steps.h"
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

/* Levels. */

TEST(levels)
{
	expect_rows("P.1.-1,P.3.1,4.RCS.10.0.0,1.RCS.1.0.0,2.RCS.2.0.0,"
		    "3.RCS.3.0.0",
	    "2 RCS 0 0 10; 3 RCS 0 15 16; 4 RCS 0 13 15; 5 RCS 0 10 13", 16);
}

/* Three levels only: 1000 is as high as 1. */
TEST(a_level_is_all_that_counts)
{
	expect_rows("P.1.1,P.2.1000,P.3.-1,P.4.-1000,5.RCS.10.0.0,4.RCS.1.0.0,"
		    "3.RCS.1.0.0,1.RCS.1.0.0,2.RCS.1.0.0",
	    "4 RCS 0 0 10; 5 RCS 0 12 13; 6 RCS 0 13 14; 7 RCS 0 10 11; "
	    "8 RCS 0 11 12",
	    14);
}

TEST(nothing_is_taken_off_a_ring)
{
	expect_rows("P.1.-1,P.2.1,1.RCS.10.0.0,d.1,2.RCS.1.0.0",
	    "2 RCS 0 0 10; 4 RCS 1 10 11", 11);
}

/* P counts from the first job that finds the entity idle: not while the queue
 * is empty but the last job runs (step 3), but then (step 6). */
TEST(priority_counts_from_an_idle_entity)
{
	expect_fifo("1.RCS.10.0.0,2.RCS.5.0.0,P.1.1,1.RCS.3.0.1,3.RCS.10.0.0,"
		    "2.RCS.5.0.0,1.RCS.1.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 3 RCS 0 15 18; 4 RCS 18 18 28; "
	    "5 RCS 18 29 34; 6 RCS 18 28 29",
	    34);
}

/* Jobs already queued never change theirs, and those that join them neither:
 * entity 1 stays high. */
TEST(queued_jobs_keep_their_level)
{
	expect_rows("P.1.1,3.RCS.10.0.0,2.RCS.1.0.0,1.RCS.2.0.0,P.1.-1,"
		    "1.RCS.3.0.0",
	    "1 RCS 0 0 10; 2 RCS 0 15 16; 3 RCS 0 10 12; 5 RCS 10 12 15", 16);
}

/* -p is the priority of contexts that P says nothing of. */
TEST(priority_of_a_client)
{
	struct lab lab;

	lab_start(&lab, "drm", "1.RCS.10.0.0,2.RCS.1.0.0", 1, 1);
	lab_add(&lab, "1.RCS.2.0.0", 1,
	    (struct client_options){.repeat = 1, .priority = 5});
	lab_expect(&lab, "0 RCS 0 0 10; 1 RCS 0 12 13; 0 RCS 0 10 12", 13);
	lab_free(&lab);
}

/* Readiness. */

TEST(head_is_ready_when_the_one_before_is_on_the_ring)
{
	expect_rows("1.RCS.10.0.0,2.RCS.5.0.0,2.RCS.5.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 RCS 10 15 20", 20);
	expect_rows("1.BCS.20.0.0,2.RCS.10.-1.0,2.RCS.5.0.0,3.RCS.4.0.0",
	    "0 BCS 0 0 20; 1 RCS 20 20 30; 2 RCS 20 30 35; 3 RCS 0 0 4", 35);
}

/* A fence that signals before its job is at the head makes nothing ready. */
TEST(only_the_head_is_looked_at)
{
	expect_rows("f,1.RCS.10.0.0,1.RCS.5.0.0,1.RCS.5.f-3.0,d.3,a.-5,d.1",
	    "1 RCS 0 0 10; 2 RCS 0 10 15; 3 RCS 10 15 20", 20);
	expect_rows("f,1.RCS.10.0.0,1.RCS.5.0.0,1.RCS.5.f-3.0,d.12,a.-5,d.1",
	    "1 RCS 0 0 10; 2 RCS 0 10 15; 3 RCS 12 15 20", 20);
}

TEST(own_entity_needs_no_wait)
{
	expect_rows("1.RCS.10.0.0,1.RCS.5.-1.0,1.RCS.5.f-2/s-1.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 RCS 10 15 20", 20);
}

/* "That it has been put on the ring, be it f-n, s-n, data or object." */
TEST(same_engine_needs_only_be_on_the_ring)
{
	static const char *const waits[] = {"-1", "f-1", "s-1", "s-1/f-1/-1"};
	static const char rows[] =
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 RCS 10 15 16";

	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
		struct text t = {0};

		text_addf(
		    &t, "1.RCS.10.0.0,2.RCS.5.0.0,3.RCS.1.%s.0", waits[i]);
		expect_rows(text_str(&t), rows, 16);
		text_free(&t);
	}
	expect_rows("w.9.1n4k,1.RCS.10.0.0,2.RCS.5.w9-0.0,3.RCS.1.r9-0.0,"
		    "4.RCS.1.w9-0.0",
	    "1 RCS 0 0 10; 2 RCS 0 10 15; 3 RCS 10 15 16; 4 RCS 15 16 17", 17);
}

/* A higher level waits for a lower one to be put on the ring all the same. */
TEST(levels_are_not_inherited)
{
	expect_rows("P.2.-1,P.3.1,1.RCS.10.0.0,2.RCS.5.0.0,3.RCS.1.-1.0,"
		    "1.RCS.4.0.0",
	    "2 RCS 0 0 10; 3 RCS 0 14 19; 4 RCS 14 19 20; 5 RCS 0 10 14", 20);
}

TEST(other_engine_needs_the_end)
{
	expect_rows("1.RCS.10.0.0,2.BCS.5.-1.0,3.VCS1.5.f-2.0,"
		    "w.9.1n4k,4.RCS.3.w9-0.0,5.VECS1.1.r9-0.0",
	    "0 RCS 0 0 10; 1 BCS 10 10 15; 2 VCS1 10 10 15; 4 RCS 0 10 13; "
	    "5 VECS1 13 13 14",
	    15);
}

TEST(submit_fence_needs_it_on_the_ring)
{
	expect_rows("1.RCS.10.0.0,2.RCS.10.0.0,3.BCS.3.s-1.0,4.BCS.2.f-2.0,"
		    "5.VCS1.1.s-4.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 20; 2 BCS 10 10 13; 3 BCS 20 20 22; "
	    "4 VCS1 0 0 1",
	    22);
}

TEST(software_fence)
{
	expect_rows("f,1.RCS.10.f-1.0,2.BCS.7.f-2.0,3.VCS1.5.0.1,a.-4",
	    "1 RCS 5 5 15; 2 BCS 5 5 12; 3 VCS1 0 0 5", 15);
}

/* The policies. */

/* "Submitted first (not: became ready first)." */
TEST(fifo_is_by_submission)
{
	expect_fifo("1.BCS.5.0.0,2.RCS.8.0.0,3.RCS.1.-2.0,4.RCS.1.0.0",
	    "0 BCS 0 0 5; 1 RCS 0 0 8; 2 RCS 5 8 9; 3 RCS 0 9 10", 10);
	/* Entities do not take turns. */
	expect_fifo("1.RCS.10.0.0,2.RCS.1.0.0,2.RCS.1.0.0,3.RCS.1.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 11; 2 RCS 10 11 12; 3 RCS 0 12 13", 13);
}

TEST(rr_takes_turns)
{
	expect_rr("1.RCS.10.0.0,2.RCS.1.0.0,2.RCS.1.0.0,2.RCS.1.0.0,"
		  "3.RCS.1.0.0,3.RCS.1.0.0,1.RCS.2.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 11; 2 RCS 10 14 15; 3 RCS 14 16 17; "
	    "4 RCS 0 11 12; 5 RCS 11 15 16; 6 RCS 0 12 14",
	    17);
}

/* An entity without a ready head is passed over; when it has one again it
 * still stands where it was attached. */
TEST(rr_passes_over_what_is_not_ready)
{
	/* Attached: 1, 2, 3. At 10 the turn is at 1, and 2 waits for BCS. */
	expect_rr("4.BCS.11.0.0,1.RCS.10.0.0,2.RCS.1.-2.0,3.RCS.2.0.0,"
		  "1.RCS.1.0.0,3.RCS.1.0.0",
	    "0 BCS 0 0 11; 1 RCS 0 0 10; 2 RCS 11 13 14; 3 RCS 0 10 12; "
	    "4 RCS 0 12 13; 5 RCS 10 14 15",
	    15);
}

/* Each level has its own turn. */
TEST(rr_turns_are_of_a_level)
{
	expect_rr("P.4.1,P.5.1,1.RCS.1.0.0,2.RCS.1.0.0,3.RCS.1.0.0,d.1,"
		  "4.RCS.1.0.0,5.RCS.1.0.0,2.RCS.1.0.0,1.RCS.1.0.0,"
		  "4.RCS.1.0.0",
	    "2 RCS 0 0 1; 3 RCS 0 1 2; 4 RCS 0 5 6; 6 RCS 1 2 3; "
	    "7 RCS 1 3 4; 8 RCS 1 7 8; 9 RCS 1 6 7; 10 RCS 2 4 5",
	    8);
}

/* At 10 RCS would choose 3 (step 3), but the choice of BCS (step 2) was
 * submitted first, and makes 2 (step 4) ready. The turn is at 1 still. */
TEST(rr_only_what_is_taken_moves_the_turn)
{
	expect_rr("1.RCS.10.0.0,5.BCS.10.0.0,4.BCS.3.0.0,3.RCS.1.0.0,"
		  "2.RCS.1.s-2.0",
	    "0 RCS 0 0 10; 1 BCS 0 0 10; 2 BCS 0 10 13; 3 RCS 0 10 11; "
	    "4 RCS 10 11 12",
	    13);
}

/* The next in turn is looked for among those that are ready by then. */
TEST(one_instant_ready_before_the_next_choice)
{
	expect_rows("1.RCS.10.0.0,5.BCS.10.0.0,4.BCS.3.0.0,2.RCS.1.s-1.0,"
		    "3.RCS.1.0.0",
	    "0 RCS 0 0 10; 1 BCS 0 0 10; 2 BCS 0 10 13; 3 RCS 10 10 11; "
	    "4 RCS 0 11 12",
	    13);
}

/* All that ends at an instant ends before anything is chosen: step 2, for
 * which both must end, is ready when RCS chooses. */
TEST(one_instant_ends_come_first)
{
	expect_fifo("1.RCS.10.0.0,2.BCS.10.0.0,3.RCS.1.-1.0,4.RCS.1.0.0",
	    "0 RCS 0 0 10; 1 BCS 0 0 10; 2 RCS 10 10 11; 3 RCS 0 11 12", 12);
}

/* It holds the engine for a round. */
TEST(a_batch_of_no_time)
{
	expect_rows("1.RCS.3.0.0,1.RCS.*.0.0,T.-1,2.BCS.1.f-2.0,1.RCS.2.0.0",
	    "0 RCS 0 0 3; 1 RCS 0 3 3; 3 BCS 3 3 4; 4 RCS 3 3 5", 5);
}

/* T, costs, credits. */

TEST(terminate)
{
	expect_rows(
	    "1.RCS.*.0.0,d.7,T.-2,2.RCS.1.0.0", "0 RCS 0 0 7; 3 RCS 7 7 8", 8);
	expect_rows("1.RCS.10.0.0,2.RCS.*.0.0,T.-1,3.RCS.1.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 10; 3 RCS 0 10 11", 11);
}

/* A job on the ring may start later: s-n waits for its issue only. */
TEST(on_the_ring_before_the_start)
{
	struct lab lab;

	lab_init(&lab, "drm");
	lab.config.profile.context_switch_ns = 2000;
	lab_add(&lab, "1.RCS.10.0.0,2.BCS.5.s-1.0", 1,
	    (struct client_options){.repeat = 1});
	lab_expect(&lab, "0 RCS 0 2 12; 1 BCS 0 2 7", 12);
	lab_free(&lab);
}

static void
expect_credits(
    unsigned credits, const char *descriptor, const char *rows, nsec elapsed_us)
{
	struct lab lab;

	lab_init(&lab, "drm");
	lab.config.profile.ring_credits = credits;
	lab_add(&lab, descriptor, 1, (struct client_options){.repeat = 1});
	lab_expect(&lab, rows, elapsed_us);
	for (unsigned i = 0; i < lab.sim->device.n_engines; i++)
		assert_int_equal(lab.sim->device.engines[i].queued, 0);
	lab_free(&lab);
}

/* With two, a job on the ring is before a higher level, and s-n and the next
 * of its entity need not wait for its start. */
TEST(credits)
{
	expect_credits(2,
	    "P.4.1,1.RCS.10.0.0,2.RCS.5.0.0,3.RCS.5.0.0,4.RCS.1.0.0,"
	    "2.RCS.2.0.0,5.BCS.3.s-4.0,6.BCS.1.f-5.0",
	    "1 RCS 0 0 10; 2 RCS 0 10 15; 3 RCS 0 16 21; 4 RCS 0 15 16; "
	    "5 RCS 0 21 23; 6 BCS 0 0 3; 7 BCS 15 15 16",
	    23);
	/* All are on the ring at once. */
	expect_credits(9, "P.2.1,1.RCS.4.0.0,1.RCS.*.0.0,2.RCS.3.0.0,T.-2",
	    "1 RCS 0 0 4; 2 RCS 0 4 4; 3 RCS 0 4 7", 7);
}

/* The rest. */

TEST(refusals)
{
	static const char *const names[] = {"drm", "drm:rr"};
	static const char *const texts[][3] = {
	    {"G.1.VCS1/VCS2,1.DEFAULT.10.0.0", "parallel slots (G)", "guc"},
	    {"M.1.RCS|VECS1,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS1.VECS1,"
	     "1.DEFAULT.1.0.0,2.DEFAULT.1.s-1.0",
		"engine bonds (b)", "fifo or execlists"},
	};

	for (unsigned i = 0; i < 4; i++) {
		struct lab lab;
		struct text err = {0}, wanted = {0};
		struct program *p;

		lab_init(&lab, names[i / 2]);
		assert_string_equal(lab.config.sched->name, names[i / 2]);
		text_addf(&wanted,
		    "%s need --scheduler=%s: %s, chosen instead of profile "
		    "ideal's fifo, refuses them",
		    texts[i % 2][1], texts[i % 2][2], names[i / 2]);
		p = lab_compile(&lab, texts[i % 2][0]);
		assert_non_null(p);
		assert_false(sched_accepts(
		    lab.config.sched, p, &lab.config.profile, &err));
		assert_string_equal(text_str(&err), text_str(&wanted));
		text_free(&err);
		text_free(&wanted);
		program_free(p);
	}
}

/* It has the name of its policy too, as the others have; it tells one. */
TEST(drm_is_drm_fifo)
{
	struct text err = {0};
	const char *name;
	bool listed = false;

	assert_ptr_equal(sched_find("drm:fifo", &err), sched_find("drm", &err));
	assert_string_equal(sched_find("drm:fifo", &err)->name, "drm");
	for (unsigned i = 0; (name = sched_name(i)) != NULL; i++) {
		assert_non_null(sched_find(name, &err));
		listed |= strcmp(name, "drm:fifo") == 0;
	}
	assert_true(listed);
	/* Each that is there has a name that can be typed. */
	for (unsigned i = 0; sched_list(i) != NULL; i++)
		assert_ptr_equal(
		    sched_find(sched_list(i)->name, &err), sched_list(i));
	assert_null(sched_find("drm:", &err));
	assert_string_equal(text_str(&err),
	    "invalid scheduler 'drm:': expected fifo, execlists, drm, drm:rr, "
	    "drm:fair, guc");
	text_free(&err);
}

TEST(deadlock_names_the_steps)
{
	struct lab lab;
	char *why;

	lab_start(&lab, "drm", "1.RCS.*.0.0,1.RCS.10.0.0,1.RCS.1.0.0,s.-1,T.-4",
	    1, 1);
	why = lab_deadlock(&lab);
	assert_string_equal(why,
	    "client 0 is at line 1 (step 3) and waits for client 0 context 1, "
	    "line 1 (step 2) on RCS, which waits for the start of client 0 "
	    "context 1, line 1 (step 1) on RCS, which is queued behind client 0 "
	    "context 1, line 1 (step 0) on RCS, which is infinite and not terminated\n");
	free(why);
	lab_free(&lab);
}

/* However many jobs stand before the one that is waited for. */
TEST(deadlock_beside_background_clients)
{
	struct lab lab;
	struct text t = {0};

	text_adds(&t, "1.RCS.*.0.0");
	for (unsigned i = 0; i < 1000; i++)
		text_adds(&t, ",1.RCS.1.0.0");
	text_adds(&t, ",s.-1");
	lab_init(&lab, "drm");
	lab_add(&lab, "d.1,1.BCS.1.0.0", 1,
	    (struct client_options){.background = true});
	lab_add(&lab, text_str(&t), 1, (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	text_free(&t);
	lab_free(&lab);
}

/* Stopping and going on changes nothing. */
TEST(run_in_slices_is_the_same_run)
{
	static const char descriptor[] =
	    "M.1.VCS,B.1,q.2,1.DEFAULT.3-90.0.0,P.2.1,2.RCS.5-70.-2.0,"
	    "2.RCS.10.0.0,f,3.BCS.4-9.f-1/-2.0,d.7,a.-3,P.2.-1,"
	    "1.VCS.30.s-5.1,p.200";

	lab_expect_same_in_slices("drm", descriptor);
	lab_expect_same_in_slices("drm:rr", descriptor);
}
