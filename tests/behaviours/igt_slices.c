/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * IGT's gem_exec_schedule (doc/behaviours.md "The table", section 6.1, rows 18
 * to 24): slices and semaphores.
 */
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* Slices. */

/* A token goes round among n batches of one engine: none ends before it has
 * seen all the others. */
static void
token(const char *sched, unsigned n, unsigned late_us)
{
	struct text t = {0};
	struct lab lab;

	for (unsigned i = 1; i <= n; i++) {
		if (i == n && late_us > 0)
			text_addf(&t, "d.%u,", late_us);
		text_addf(&t, "%u.RCS.*.0.0,", i);
	}
	t.data[--t.len] = '\0';
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(n + 1) + US(late_us));
	for (unsigned i = 1; i <= n; i++)
		scene_end(&lab, i);
	scene_go_on(&lab, MS(1) * n);
	expect_all_met(&lab, 1, n);
	for (unsigned i = 1; i <= n; i++)
		assert_int_not_equal(first(&lab, i)->end, NSEC_NEVER);
	lab_free(&lab);
	text_free(&t);
}

static void
timeslicing(const char *sched)
{
	token(sched, 2, 0);
}

static void
thriceslice(const char *sched)
{
	token(sched, 3, 0);
}

static void
manyslice(const char *sched)
{
	token(sched, 67, 0);
}

static void
lateslice(const char *sched)
{
	token(sched, 3, 10300);
}

/* Three spinners share an engine: their times differ by no more. */
static void
fairslice_on(const char *sched, const char *engine, nsec run)
{
	struct text t = {0};
	struct lab lab;

	text_addf(
	    &t, "1.%s.*.0.0,2.%s.*.0.0,3.%s.*.0.0", engine, engine, engine);
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, run);
	expect_fair(&lab, 1, 3, run);
	lab_free(&lab);
	text_free(&t);
}

static void
fairslice(const char *sched)
{
	fairslice_on(sched, "RCS", SEC(2));
}

static void
fairslice_all(const char *sched)
{
	for (unsigned i = 0; i < N_ENGINES; i++)
		fairslice_on(sched, ideal_engines[i], SEC(1));
}

/*
 * A spinner on RCS, and on BCS what cancels it: it has a submit fence on the
 * spinner, and when it is done the spinner ends. Another client's spinner of
 * the same priority is on BCS already, or comes first of both or after both.
 */
static void
submit_slice(const char *sched, const char *early, const char *middle,
    const char *late, unsigned back)
{
	struct text t = {0};
	struct lab lab;

	text_addf(&t, "%s1.RCS.*.0.0,%s2.BCS.100.s-%u.0,%ss.-%u,T.-%u", early,
	    middle, *middle != '\0' ? 2u : 1u, late, *late != '\0' ? 2u : 1u,
	    back);
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(10));
	assert_int_not_equal(first(&lab, 2)->end, NSEC_NEVER);
	assert_true(first(&lab, 2)->start >= first(&lab, 1)->start);
	assert_int_equal(first(&lab, 1)->end, first(&lab, 2)->end);
	assert_true(is_busy(first(&lab, 3)));
	lab_free(&lab);
	text_free(&t);
}

static void
submit_early_slice(const char *sched)
{
	submit_slice(sched, "3.BCS.*.0.0,", "", "", 3);
}

static void
submit_golden_slice(const char *sched)
{
	submit_slice(sched, "", "3.BCS.*.0.0,", "", 4);
}

static void
submit_late_slice(const char *sched)
{
	submit_slice(sched, "", "", "3.BCS.*.0.0,", 4);
}

/* Semaphores. */

static void
semaphore_user(const char *sched)
{
	struct lab lab;

	/* Requests that wait for RCS poll on BCS; 9 does not wait. */
	scene_start(&lab, sched,
	    "1.RCS.*.0.0,2.BCS.10.-1.0,3.BCS.10.-2.0,d.500,9.BCS.10.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(100));
	assert_int_equal(first(&lab, 2)->end, NSEC_NEVER);
	assert_int_equal(first(&lab, 3)->end, NSEC_NEVER);
	assert_true(first(&lab, 9)->end <= US(510));
	lab_free(&lab);
}

/* Two tasks: a spinner on BCS, then one on RCS that waits for it. The first
 * task was queued first everywhere; the second one's first half ends first. */
static void
semaphore_codependency(const char *sched)
{
	struct lab lab;

	scene_start(&lab, sched,
	    "1.BCS.*.0.0,1.RCS.*.-1.0,2.BCS.*.0.0,2.RCS.*.-1.0,"
	    "d.2500,T.-3,d.5000,T.-4,d.1000,T.-9,d.1000,T.-10");
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_true(nth(&lab, 2, 1)->start < nth(&lab, 1, 0)->end);
	assert_true(nth(&lab, 2, 1)->end <= MS(8));
	expect_before(nth(&lab, 1, 0), nth(&lab, 1, 1));
	lab_free(&lab);
}

/* A batch polls memory that a later context writes on the same engine (it is
 * ended when that one has run), also among more that poll. */
static void
semaphore_resolve(const char *sched)
{
	struct lab lab;

	scene_start(&lab, sched,
	    "1.RCS.*.0.0,2.RCS.*.0.0,3.RCS.*.0.0,d.100,4.RCS.10.0.1,"
	    "T.-5,T.-5,T.-5");
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_true(first(&lab, 4)->end <= MS(4));
	for (unsigned i = 1; i <= 3; i++)
		assert_true(first(&lab, i)->end >= first(&lab, 4)->end);
	lab_free(&lab);
}

/* A request with a semaphore is not overtaken by what follows it in its chain:
 * its own context, and a reader of its data, also at MAX. Others pass. */
static void
semaphore_noskip(const char *sched)
{
	static const int priorities[] = {0, 1023};

	for (unsigned p = 0; p < 2; p++) {
		struct text t = {0};
		struct lab lab;

		text_addf(&t,
		    "P.4.%d,P.5.1023,1.RCS.*.0.0,2.BCS.10.-1.0,2.BCS.10.0.0,"
		    "3.BCS.10.-2.0,4.BCS.10.-1.0,5.BCS.10.0.0,d.5000,T.-7",
		    priorities[p]);
		scene_run(&lab, sched, text_str(&t));
		assert_true(first(&lab, 5)->end <= MS(1));
		assert_int_equal(first(&lab, 1)->end, MS(5));
		assert_true(nth(&lab, 2, 0)->start >= MS(5));
		expect_before(nth(&lab, 2, 0), nth(&lab, 2, 1));
		expect_before(nth(&lab, 2, 0), first(&lab, 3));
		expect_before(first(&lab, 3), first(&lab, 4));
		lab_free(&lab);
		text_free(&t);
	}
}

#define ENDED_BY_CLIENT                                                        \
	INSTEAD("the client ends the spinner when the canceller has ended")

static const struct behaviour list[] = {
    {18, "gem_exec_schedule@timeslicing", PREEMPTIVE, timeslicing,
	TOKEN_BY_TEST},
    {18, "gem_exec_schedule@thriceslice", PREEMPTIVE, thriceslice,
	TOKEN_BY_TEST},
    {18, "gem_exec_schedule@manyslice", PREEMPTIVE, manyslice, TOKEN_BY_TEST},
    {19, "gem_exec_schedule@lateslice", PREEMPTIVE, lateslice, TOKEN_BY_TEST},
    {20, "gem_exec_schedule@fairslice", PREEMPTIVE, fairslice, NULL},
    {20, "gem_exec_schedule@fairslice-all", PREEMPTIVE, fairslice_all, NULL},
    {21, "gem_exec_schedule@submit-early-slice", PREEMPTIVE, submit_early_slice,
	ENDED_BY_CLIENT},
    {21, "gem_exec_schedule@submit-golden-slice", PREEMPTIVE,
	submit_golden_slice, ENDED_BY_CLIENT},
    {21, "gem_exec_schedule@submit-late-slice", PREEMPTIVE, submit_late_slice,
	ENDED_BY_CLIENT},
    {22, "gem_exec_schedule@semaphore-user", PREEMPTIVE, semaphore_user, NULL},
    {23, "gem_exec_schedule@semaphore-codependency", PREEMPTIVE,
	semaphore_codependency,
	INSTEAD(
	    "a kernel semaphore for the wait between engines; the client ends the spinners that poll memory")},
    {24, "gem_exec_schedule@semaphore-resolve", PREEMPTIVE, semaphore_resolve,
	INSTEAD(
	    "spinners for batches that poll memory; the client ends them when the last context has run")},
    {24, "gem_exec_schedule@semaphore-noskip", PREEMPTIVE, semaphore_noskip,
	INSTEAD("kernel semaphores for those of user space")},
};

const struct behaviours behaviours_igt_slices = BEHAVIOURS("6.1", list);
