/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Capacity that engines share, and costs by class (doc/model/sharing.md): all
 * times are worked out by hand from the rules there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/client/control.h"
#include "engine/gpu/pace.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

static const struct client_options once = {.repeat = 1};

/* On `ideal`, but for that one value of the matrix; both ways. */
static void
share(struct lab *lab, const char *sched, unsigned a, unsigned b,
    unsigned percent)
{
	lab_init(lab, sched);
	lab->config.profile.sharing[a][b] = percent;
	lab->config.profile.sharing[b][a] = percent;
}

/* The descriptor once, and its rows. */
static void
expect(struct lab *lab, const char *text, const char *rows, nsec elapsed_us)
{
	lab_add(lab, text, 1, once);
	lab_expect(lab, rows, elapsed_us);
}

/* 500 us at half the pace, and then the other 500 us of the longer one. */
TEST(two_engines)
{
	struct lab lab;

	share(&lab, "fifo", CLASS_RCS, CLASS_CCS, 100);
	expect(&lab, "1.RCS.1000.0.0,2.CCS.500.0.0",
	    "0 RCS 0 0 1500; 1 CCS 0 0 1000", 1500);
	/* The time on the engine, not the work. */
	assert_int_equal(lab.rows[0].run, 1500 * US);
	assert_int_equal(lab.rows[1].run, 1000 * US);
	assert_int_equal(lab.sim->device.engines[0].busy_ns, 1500 * US);
	lab_free(&lab);
}

/* 100 / 200 for 300 us, 100 / 150 for 300 us: 350 us of the work; who slows
 * down is not slowed down. */
TEST(percentages_add_up)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.sharing[CLASS_RCS][CLASS_VCS] = 50;
	expect(&lab, "1.RCS.1000.0.0,2.VCS1.300.0.0,3.VCS2.600.0.0",
	    "0 RCS 0 0 1250; 1 VCS1 0 0 300; 2 VCS2 0 0 600", 1250);
	lab_free(&lab);
}

TEST(engines_of_one_class)
{
	struct lab lab;

	share(&lab, "fifo", CLASS_VCS, CLASS_VCS, 100);
	expect(&lab, "1.VCS1.100.0.0,2.VCS2.100.0.0,3.VCS1.50.-1.0",
	    "0 VCS1 0 0 200; 1 VCS2 0 0 200; 2 VCS1 200 200 250", 250);
	lab_free(&lab);
}

/* While an engine switches it slows no other down: until 40 us. */
TEST(switching_does_not_count)
{
	struct lab lab;

	share(&lab, "fifo", CLASS_RCS, CLASS_CCS, 100);
	lab.config.profile.class_switch_ns[CLASS_CCS] = 40 * US;
	expect(&lab, "1.RCS.100.0.0,2.CCS.100.0.0",
	    "0 RCS 0 0 160; 1 CCS 0 40 200", 200);
	lab_free(&lab);
}

/* Three of seven slices: 1000 ns of work take 2333.3 ns. */
TEST(rounding)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.sseu_scales = 1;
	lab.config.profile.slices = 7;
	lab_add(&lab, "S.1.7,1.RCS.1.0.0,1.RCS.3.0.0", 1, once);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[0].end, 2334);
	assert_int_equal(lab.rows[1].end, 2334 + 7000);
	lab_free(&lab);
}

/* Eleven times as long as half of virtual time. */
TEST(beyond_the_end)
{
	const struct pace pace = {.time = 1100, .work = 100};

	assert_int_equal(pace_stretch(1, &pace), 11);
	assert_int_equal(pace_stretch(101, &pace), 1111);
	assert_true(pace_stretch(NSEC_MAX / 2, &pace) == NSEC_BEYOND);
	assert_true(pace_stretch(NSEC_MAX, &pace) == NSEC_BEYOND);
}

/* RCS and CCS only; a mask that is set while the batch runs counts from the
 * next time on. */
TEST(slices)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.sseu_scales = 1;
	expect(&lab,
	    "S.1.1,S.2.3,1.RCS.100.0.0,2.CCS.100.0.0,1.VCS.100.0.0,d.50,"
	    "S.1.7,1.RCS.100.0.0",
	    "2 RCS 0 0 300; 3 CCS 0 0 150; 4 VCS1 0 0 100; 7 RCS 50 300 400",
	    400);
	lab_free(&lab);
}

/* (100 + 100) * 3 / (100 * 1): six times as long. */
TEST(factors_multiply)
{
	struct lab lab;

	share(&lab, "fifo", CLASS_RCS, CLASS_CCS, 100);
	lab.config.profile.sseu_scales = 1;
	expect(&lab, "S.1.1,1.RCS.100.0.0,2.CCS.1000.0.0",
	    "1 RCS 0 0 600; 2 CCS 0 0 1300", 1300);
	lab_free(&lab);
}

/* Points are at 100 us of work: at half the pace each 200 us. */
TEST(preemption_points)
{
	static const char *const scheds[] = {"execlists", "guc"};
	struct lab lab;

	for (unsigned i = 0; i < 2; i++) {
		lab_init(&lab, scheds[i]);
		lab.config.profile.sharing[CLASS_RCS][CLASS_CCS] = 100;
		expect(&lab,
		    "X.1.100,P.2.1,3.CCS.5000.0.0,1.RCS.1000.0.0,d.50,"
		    "2.RCS.10.0.0",
		    "2 CCS 0 0 5000; 3 RCS 0 0 2020; 5 RCS 50 200 220", 5000);
		assert_int_equal(lab.rows[1].run, 2000 * US);
		assert_int_equal(lab.rows[1].preemptions, 1);
		lab_free(&lab);
	}
}

/* The point that a request waits for comes sooner when the others are gone: 75
 * us of work at 150 us, and 25 us more. */
TEST(points_are_computed_anew)
{
	static const char *const scheds[] = {"execlists", "guc"};
	struct lab lab;

	for (unsigned i = 0; i < 2; i++) {
		lab_init(&lab, scheds[i]);
		lab.config.profile.sharing[CLASS_RCS][CLASS_CCS] = 100;
		expect(&lab,
		    "X.1.100,P.2.1,3.CCS.150.0.0,1.RCS.1000.0.0,d.50,"
		    "2.RCS.10.0.0",
		    "2 CCS 0 0 150; 3 RCS 0 0 1085; 5 RCS 50 175 185", 1085);
		lab_free(&lab);
	}
}

TEST(terminate)
{
	struct lab lab;

	share(&lab, "fifo", CLASS_RCS, CLASS_CCS, 300);
	expect(&lab, "1.RCS.*.0.0,2.CCS.100.0.0,d.300,T.-3",
	    "0 RCS 0 0 300; 1 CCS 0 0 325", 325);
	lab_free(&lab);
}

/* The rows of a parallel step slow each other down, and end together; T leaves
 * the finite one its 20 us of work. */
TEST(parallel)
{
	struct lab lab;

	share(&lab, "guc", CLASS_VCS, CLASS_VCS, 100);
	expect(&lab, "G.1.VCS1/VCS2,1.DEFAULT.100/50.0.0",
	    "1 VCS1 0 0 200; 1 VCS2 0 0 200", 200);
	lab_free(&lab);
	share(&lab, "guc", CLASS_VCS, CLASS_VCS, 100);
	expect(&lab, "G.1.VCS1/VCS2,1.DEFAULT.*/20.0.0,d.10,T.-2",
	    "1 VCS1 0 0 40; 1 VCS2 0 0 40", 40);
	lab_free(&lab);
}

/* Both rows are slowed down by a third engine, and end together. */
TEST(parallel_beside_others)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.sharing[CLASS_VCS][CLASS_BCS] = 100;
	expect(&lab, "G.1.VCS1/VCS2,2.BCS.100.0.0,1.DEFAULT.100.0.0",
	    "1 BCS 0 0 100; 2 VCS1 0 0 150; 2 VCS2 0 0 150", 150);
	lab_free(&lab);
}

/* By the clock, however much it has done. */
TEST(timeouts_are_time)
{
	struct lab lab;

	share(&lab, "fifo", CLASS_RCS, CLASS_CCS, 100);
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab, "1.RCS.*.0.0,2.CCS.100.0.0", 1, once);
	lab_expect_ends(&lab, "0 RCS 1000 EIO; 1 CCS 200 ok");
	assert_int_equal(lab.hang.run_ns, NSEC_PER_MSEC);
	lab_free(&lab);
	/* drm: a job that ends at its timeout has ended in time. */
	share(&lab, "drm", CLASS_RCS, CLASS_CCS, 100);
	lab.config.profile.job_timeout_ns = NSEC_PER_MSEC;
	lab_add(&lab, "1.RCS.500.0.0,2.CCS.501.0.0", 1, once);
	lab_expect_ends(&lab, "0 RCS 1000 ok; 1 CCS 1000 ETIMEDOUT");
	lab_free(&lab);
}

static void
kill_all(struct lab *lab, uint32_t client)
{
	const struct control control = {.kind = CONTROL_KILL, .client = client};
	struct text err = {0};

	assert_true(sim_control(lab->sim, &control, &err));
}

/* Killed at 250 us, with 125 us done: 200 us are done at 400 us; or at 350 us
 * if the other one has ended at 300. */
TEST(kill)
{
	static const struct {
		const char *other, *ends;
	} cases[] = {
	    {"2.CCS.5000.0.0", "0 RCS 400 EIO; 0 CCS 5000 ok"},
	    {"2.CCS.300.0.0", "0 RCS 350 EIO; 0 CCS 300 ok"},
	};
	struct lab lab;

	for (unsigned i = 0; i < 2; i++) {
		lab_init(&lab, "execlists");
		lab.config.profile.sharing[CLASS_RCS][CLASS_CCS] = 100;
		lab.config.profile.preempt_timeout_ns =
		    lab.config.profile.preempt_timeout_compute_ns =
			NSEC_PER_SEC;
		lab_add(&lab, "X.1.100,1.RCS.1000.0.0", 1, once);
		lab_add(&lab, cases[i].other, 1, once);
		lab_run(&lab, 250 * US);
		kill_all(&lab, 0);
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		assert_int_equal(lab.rows[0].end, (i == 0 ? 400 : 350) * US);
		assert_int_equal(lab.rows[0].error, -EIO);
		lab_free(&lab);
	}
}

/* A batch slowed down beyond its grace is reset, though it would have ended
 * within it before: banned at 100 us, its next point is 0.6 ms of work away. */
TEST(grace)
{
	struct lab lab;

	lab_init(&lab, "execlists");
	lab.config.profile.sharing[CLASS_RCS][CLASS_CCS] = 300;
	lab.config.profile.request_timeout_ns = 100 * US;
	lab_add(&lab, "X.1.700,1.RCS.2000.0.0", 1, once);
	lab_add(&lab,
	    "d.200,2.CCS.90.0.0,s.-1,2.CCS.90.0.0,s.-1,2.CCS.90.0.0,"
	    "s.-1,2.CCS.90.0.0,s.-1,2.CCS.90.0.0,s.-1,2.CCS.90.0.0,"
	    "s.-1,2.CCS.90.0.0,s.-1,2.CCS.90.0.0,s.-1,2.CCS.90.0.0,"
	    "s.-1,2.CCS.90.0.0,s.-1,2.CCS.90.0.0,s.-1,2.CCS.90.0.0",
	    1, once);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[0].end, 1100 * US);
	assert_int_equal(lab.hung, 1);
	assert_int_equal(lab.hang.cause, HANG_REQUEST);
	lab_free(&lab);
}

/* A batch that is taken back by a reset has all its work before it again. */
TEST(reset)
{
	struct lab lab;

	lab_init(&lab, "execlists");
	lab.config.profile.sharing[CLASS_CCS][CLASS_RCS] = 100;
	lab.config.profile.request_timeout_ns = 300 * US;
	lab.config.profile.engine_reset = 0;
	/* RCS is cancelled at 300 us and given up at 1300 us, when CCS, on
	 * since 1200 us, has done 50 of 100 us; then it is alone. */
	lab_add(&lab, "X.1.0,1.RCS.*.0.0", 1, once);
	lab_add(&lab, "d.1200,2.CCS.100.0.0", 1, once);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[0].end, 1300 * US);
	assert_int_equal(lab.rows[1].start, 1200 * US);
	assert_int_equal(lab.rows[1].end, 1400 * US);
	assert_int_equal(lab.rows[1].run, 100 * US);
	lab_free(&lab);
}

/* 30 us at first and after 10 ms of idle time; before the context switch. */
TEST(wake)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.wake_ns = 30 * US;
	lab.config.profile.wake_after_ns = 10 * NSEC_PER_MSEC;
	lab.config.profile.context_switch_ns = 5 * US;
	expect(&lab, "1.RCS.65.0.1,d.9999,1.RCS.10.0.1,d.10000,1.RCS.10.0.1",
	    "0 RCS 0 35 100; 2 RCS 10099 10099 10109; "
	    "4 RCS 20109 20139 20149",
	    20149);
	/* Busy meanwhile. */
	assert_int_equal(lab.sim->device.engines[0].busy_ns, 150 * US);
	lab_free(&lab);
}

TEST(switch_by_class)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.context_switch_ns = 8 * US;
	lab.config.profile.class_switch_ns[CLASS_VCS] = 2 * US;
	expect(&lab, "1.RCS.10.0.0,1.VCS1.10.0.0,2.VCS1.10.0.0",
	    "0 RCS 0 8 18; 1 VCS1 0 2 12; 2 VCS1 0 14 24", 24);
	lab_free(&lab);
}

/* Four on CCS, two elsewhere, a virtual engine of VCS too. */
TEST(rings_by_class)
{
	static const nsec submits[] = {0, 0, 0, 0, 20, 0, 0, 10, 0, 0, 10};
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.ring_requests = 2;
	lab.config.profile.class_ring_requests[CLASS_CCS] = 4;
	lab_add(&lab,
	    "1.CCS.10.0.0,1.CCS.10.0.0,1.CCS.10.0.0,1.CCS.10.0.0,1.CCS.10.0.0",
	    1, once);
	lab_add(&lab, "1.RCS.10.0.0,1.RCS.10.0.0,1.RCS.10.0.0", 1, once);
	lab_add(&lab, "M.1.VCS,B.1,1.VCS.10.0.0,1.VCS.10.0.0,1.VCS.10.0.0", 1,
	    once);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	for (unsigned client = 0, n = 0; client < 3; client++) {
		for (size_t i = 0; i < lab.n_rows; i++) {
			if (lab.rows[i].client == client)
				assert_int_equal(
				    lab.rows[i].submit, submits[n++] * US);
		}
	}
	lab_free(&lab);
}

/* A long batch whose end changes with each short one beside it. */
TEST(many_changes_of_pace)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.sharing[CLASS_RCS][CLASS_CCS] = 100;
	lab_add(&lab, "1.RCS.1000000.0.0", 1, once);
	lab_add(&lab, "2.CCS.1.0.1,d.1", 1,
	    (struct client_options){.repeat = 20000});
	assert_int_equal(sim_run(lab.sim, 39000 * US, 0), SIM_RUNNING);
	assert_in_range(lab.sim->events.heap.n, 1, 2048);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	/* 20 ms beside the other took 10 ms longer. */
	assert_int_equal(lab.rows[0].end, 1010000 * US);
	lab_free(&lab);
}

TEST(same_in_slices)
{
	static const char *const scheds[] = {
	    "fifo", "execlists", "guc", "drm", "drm:fair"};
	struct lab whole, sliced;

	for (unsigned i = 0; i < 5; i++) {
		static const char text[] =
		    "1.RCS.100-300.0.0,2.CCS.50-700.0.0,3.VCS1.20-30.-1.0,"
		    "4.VCS2.100.-2.1";
		char *a, *b;

		share(&whole, scheds[i], CLASS_RCS, CLASS_CCS, 70);
		whole.config.profile.sharing[CLASS_VCS][CLASS_VCS] = 33;
		share(&sliced, scheds[i], CLASS_RCS, CLASS_CCS, 70);
		sliced.config = whole.config;
		lab_add(&whole, text, 3, (struct client_options){.repeat = 20});
		lab_add(
		    &sliced, text, 3, (struct client_options){.repeat = 20});
		assert_int_equal(sim_run(whole.sim, NSEC_NEVER, 0), SIM_DONE);
		for (nsec t = 1; sim_run(sliced.sim, t, 1) == SIM_RUNNING;
		     t += 333)
			;
		a = lab_rows_text(&whole);
		b = lab_rows_text(&sliced);
		assert_string_equal(a, b);
		free(a);
		free(b);
		lab_free(&whole);
		lab_free(&sliced);
	}
}
