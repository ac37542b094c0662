/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * i915's own tests of its execlists backend (doc/behaviours.md "The table",
 * section 6.2): resets and cancels. A cancel is for a context, so here a client
 * of its own dies. The tests for GuC ask the same, but for the list of those
 * that are held: there all waits are for the end.
 */
#include <errno.h>

#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* The reset takes 10 ms: no batch runs there meanwhile, and the guilty one never
 * again; who only follows it on the engine goes on then, who has waited for its
 * end gets its status. */
static void
hold_reset(const char *sched)
{
	nsec until;
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	lab.config.profile.engine_reset_ns = MS(10);
	scene_client(&lab,
	    "P.9.1023,X.1.0,1.BCS.*.0.0,1.BCS.10.0.0,2.BCS.10.-2.0,"
	    "P.3.-1,3.VCS1.10.-4.0,d.1000,9.BCS.10.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(641));
	expect_ended(first(&lab, 1), -EIO);
	assert_int_equal(first(&lab, 1)->run, MS(641));
	until = first(&lab, 1)->end + MS(10);
	lab_run(&lab, until - 1);
	assert_int_equal(first(&lab, 9)->start, NSEC_NEVER);
	assert_int_equal(nth(&lab, 1, 1)->start, NSEC_NEVER);
	assert_int_equal(first(&lab, 2)->start, NSEC_NEVER);
	expect_ended(first(&lab, 3), -EIO);
	assert_int_equal(first(&lab, 3)->run, 0);
	lab_run(&lab, until + MS(1));
	assert_int_equal(first(&lab, 9)->start, until);
	expect_ended(first(&lab, 9), 0);
	expect_ended(nth(&lab, 1, 1), 0);
	expect_ended(first(&lab, 2), 0);
	assert_int_equal(lab.hung, 1);
	lab_free(&lab);
}

static void
cancel_active(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_client(&lab, "1.BCS.*.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(5));
	lab_kill(&lab, 0, false);
	lab_run(&lab, MS(6));
	expect_ended(first(&lab, 1), -EIO);
	assert_in_range(first(&lab, 1)->end, MS(5), MS(5) + US(100));
	assert_int_equal(lab.hung, 0);
	lab_free(&lab);
}

/* The first goes on, the second, behind it, is cancelled. */
static void
cancel_second(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_client(&lab, "1.BCS.*.0.0");
	scene_client(&lab, "2.BCS.*.0.0");
	scene_clock(&lab);
	lab_run(&lab, US(500));
	assert_int_equal(first(&lab, 2)->start, NSEC_NEVER);
	lab_kill(&lab, 1, false);
	lab_run(&lab, MS(6));
	expect_ended(first(&lab, 2), -EIO);
	assert_int_equal(first(&lab, 2)->run, 0);
	assert_true(is_busy(first(&lab, 1)));
	scene_end(&lab, 1);
	scene_go_on(&lab, MS(1));
	expect_ended(first(&lab, 1), 0);
	lab_free(&lab);
}

/* Before and behind another one's: both go, that stays. */
static void
cancel_queued(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_client(&lab, "1.BCS.*.0.0,d.200,1.BCS.*.0.0");
	scene_client(&lab, "d.100,2.BCS.*.0.0");
	scene_clock(&lab);
	lab_run(&lab, US(500));
	lab_kill(&lab, 0, false);
	lab_run(&lab, MS(6));
	expect_ended(nth(&lab, 1, 0), -EIO);
	expect_ended(nth(&lab, 1, 1), -EIO);
	assert_int_equal(nth(&lab, 1, 1)->run, 0);
	assert_true(is_busy(first(&lab, 2)));
	scene_end(&lab, 2);
	scene_go_on(&lab, MS(1));
	expect_ended(first(&lab, 2), 0);
	lab_free(&lab);
}

/* Without preemption points: the preempt timeout, shortened, resets its engine,
 * or, where that fails, the GPU. Batches on other engines survive either. */
static void
cancel_hostile_on(const char *sched, unsigned engine_reset)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	lab.config.profile.preempt_timeout_ns = MS(1);
	lab.config.profile.engine_reset = engine_reset;
	scene_client(&lab, "X.1.0,1.BCS.*.0.0");
	scene_client(&lab, "2.VCS1.*.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(5));
	lab_kill(&lab, 0, false);
	lab_run(&lab, MS(100));
	expect_ended(first(&lab, 1), -EIO);
	assert_int_equal(first(&lab, 1)->end, MS(6));
	assert_int_equal(lab.hung, 1);
	assert_int_equal(
	    lab.hang.scope, engine_reset ? RESET_ENGINE : RESET_FULL);
	assert_true(is_busy(first(&lab, 2)));
	scene_end(&lab, 2);
	scene_go_on(&lab, MS(1));
	expect_ended(first(&lab, 2), 0);
	lab_free(&lab);
}

static void
cancel_hostile(const char *sched)
{
	cancel_hostile_on(sched, 1);
}

static void
cancel_fail(const char *sched)
{
	cancel_hostile_on(sched, 0);
}

static void
preempt_timeout(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		char *text = text_on_engine(
		    "P.1.-1023,P.2.1023,X.1.0,1.@.*.0.0,d.1000,2.@.10.0.0",
		    ideal_engines[e]);
		struct lab lab;

		lab_init(&lab, sched);
		scene_timeouts(&lab);
		scene_preempt_timeout(&lab, MS(1));
		scene_client(&lab, text);
		scene_clock(&lab);
		lab_run(&lab, SEC(1));
		expect_ended(first(&lab, 1), -EIO);
		expect_ended(first(&lab, 2), 0);
		assert_true(first(&lab, 2)->end < MS(100));
		lab_free(&lab);
		free(text);
	}
}

/* A virtual request without points is reset: it runs on no sibling again, the
 * other ones' go on. With the whole GPU, who was innocent runs again from its
 * beginning, on any sibling, once. */
static void
virtual_reset(const char *sched)
{
	for (unsigned engine_reset = 0; engine_reset < 2; engine_reset++) {
		const struct lab_row *other;
		struct lab lab;

		lab_init(&lab, sched);
		scene_timeouts(&lab);
		lab.config.profile.engine_reset = engine_reset;
		scene_client(&lab,
		    "M.1.VCS,B.1,M.2.VCS,B.2,M.3.VCS,B.3,P.9.1023,X.1.0,"
		    "1.DEFAULT.*.0.0,2.DEFAULT.2000000.0.0,d.1000,"
		    "9.VCS1.10.0.0,3.DEFAULT.1000.0.0");
		scene_clock(&lab);
		lab_run(&lab, SEC(4));
		expect_ended(first(&lab, 1), -EIO);
		assert_string_equal(first(&lab, 1)->engine, "VCS1");
		assert_int_equal(first(&lab, 1)->end, MS(641));
		assert_int_equal(first(&lab, 1)->run, MS(641));
		other = first(&lab, 2);
		expect_ended(other, 0);
		assert_in_range(other->end, SEC(2),
		    SEC(2) + MS(engine_reset ? 2 : 641 + 22));
		assert_true(engine_reset || other->end >= SEC(2) + MS(641));
		expect_ended(first(&lab, 3), 0);
		expect_ended(first(&lab, 9), 0);
		assert_int_equal(lab.hung, 1);
		lab_free(&lab);
	}
}

#define KILLED                                                                 \
	INSTEAD("its client is killed: a descriptor cancels no single context")

static const struct behaviour list[] = {
    {2, "live_hold_reset", EXECLISTS, hold_reset, NULL},
    {11, "live_preempt_cancel: active0", PREEMPTIVE, cancel_active, KILLED},
    {11, "live_preempt_cancel: active1", PREEMPTIVE, cancel_second, KILLED},
    {11, "live_preempt_cancel: queued", PREEMPTIVE, cancel_queued, KILLED},
    {11, "live_preempt_cancel: hostile", PREEMPTIVE, cancel_hostile, KILLED},
    {11, "live_preempt_cancel: fail", PREEMPTIVE, cancel_fail, KILLED},
    {14, "live_preempt_timeout", PREEMPTIVE, preempt_timeout, NULL},
    {16, "live_virtual_reset", PREEMPTIVE, virtual_reset, NULL},
};

const struct behaviours behaviours_selftests_resets = BEHAVIOURS("6.2", list);
