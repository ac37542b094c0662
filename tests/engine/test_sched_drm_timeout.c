/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timeouts of the DRM scheduler, karma and guilt, and killed entities
 * (doc/model/drm.md "Timeouts", "Killed clients"; engine/sched/drm.h says
 * what becomes of the job), worked out by hand. The timeout is 20 us.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/instant.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

static const char *const all[] = {"drm", "drm:rr", "drm:fair"};

struct scene {
	unsigned hang_limit, credits; /* 0: one */
};

static void
set_up(struct lab *lab, const char *sched, struct scene scene)
{
	lab_init(lab, sched);
	lab->config.profile.job_timeout_ns = 20000;
	lab->config.profile.hang_limit = scene.hang_limit;
	if (scene.credits > 0)
		lab->config.profile.ring_credits = scene.credits;
}

/* "step start end", with the error after those that have one. */
static char *
rows_text(const struct lab *lab)
{
	struct text t = {0};

	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *r = &lab->rows[i];

		text_addf(&t, "%s%u %g %g", i > 0 ? "; " : "", r->step,
		    (double)r->start / 1e3, (double)r->end / 1e3);
		if (r->error != 0)
			text_addf(&t, " %s", strerrorname_np(-r->error));
	}
	return t.data;
}

static void
expect(struct lab *lab, const char *rows, unsigned hangs)
{
	char *got;

	assert_int_equal(sim_run(lab->sim, NSEC_NEVER, 0), SIM_DONE);
	got = rows_text(lab);
	assert_string_equal(got, rows);
	free(got);
	assert_int_equal(lab->hung, hangs);
	assert_int_equal(lab->sim->n_hangs, hangs);
}

/* The same under all policies. */
static void
expect_rows(struct scene scene, const char *descriptor, const char *rows,
    unsigned hangs)
{
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		struct lab lab;

		set_up(&lab, all[i], scene);
		lab_add(
		    &lab, descriptor, 1, (struct client_options){.repeat = 1});
		expect(&lab, rows, hangs);
		lab_free(&lab);
	}
}

static const struct scene one = {0};

TEST(a_job_times_out)
{
	expect_rows(
	    one, "1.RCS.*.0.0,2.RCS.5.0.0", "0 0 20 ETIMEDOUT; 1 20 25", 1);
	/* Not only one without an end. */
	expect_rows(
	    one, "1.RCS.50.0.0,2.RCS.5.0.0", "0 0 20 ETIMEDOUT; 1 20 25", 1);
}

/* A job that ends at the instant of its timeout does not time out. */
TEST(in_time)
{
	expect_rows(one, "1.RCS.20.0.0,1.RCS.20.0.0", "0 0 20; 1 20 40", 0);
	expect_rows(
	    one, "1.RCS.*.0.0,d.19,T.-2,1.RCS.1.0.0", "0 0 19; 3 19 20", 0);
}

/* "One delayed work per scheduler watching only the oldest pending job;
 * restarted when that job finishes": the wait behind others does not count,
 * nor does another engine. */
TEST(the_timer_is_the_oldest_job_s)
{
	expect_rows((struct scene){.credits = 9},
	    "1.RCS.15.0.0,1.RCS.15.0.0,1.RCS.15.0.0,2.BCS.15.-2.0",
	    "0 0 15; 1 15 30; 2 30 45; 3 30 45", 0);
	expect_rows((struct scene){.credits = 9},
	    "1.RCS.15.0.0,2.RCS.*.0.0,3.RCS.15.0.0",
	    "0 0 15; 1 15 35 ETIMEDOUT; 2 35 50", 1);
}

/* From when it is on the ring: switching counts. */
TEST(switching_counts)
{
	struct lab lab;

	set_up(&lab, "drm", one);
	lab.config.profile.context_switch_ns = 6000;
	lab_add(&lab, "1.RCS.14.0.0,2.RCS.15.0.0,3.RCS.1.0.0", 1,
	    (struct client_options){.repeat = 1});
	expect(&lab, "0 6 20; 1 26 40 ETIMEDOUT; 2 46 47", 1);
	lab_free(&lab);
	/* One that has not begun by then never runs. */
	set_up(&lab, "drm", one);
	lab.config.profile.context_switch_ns = 30000;
	lab_add(&lab, "1.RCS.14.0.0", 1, (struct client_options){.repeat = 1});
	expect(&lab, "0 20 20 ETIMEDOUT", 1);
	assert_int_equal(lab.rows[0].run, 0);
	lab_free(&lab);
}

/* "Entity's guilty set: run_job still called with fence error -ECANCELED": in
 * their order and after what they wait for, but for 0 ns. */
TEST(jobs_of_a_guilty_entity)
{
	struct lab lab;

	set_up(&lab, "drm", one);
	lab_add(&lab,
	    "1.RCS.*.0.0,1.RCS.5.0.0,2.RCS.5.0.0,1.RCS.5.0.0,d.40,"
	    "3.BCS.9.0.0,1.RCS.5.-1.0,3.RCS.1.-1.0",
	    1, (struct client_options){.repeat = 1});
	expect(&lab,
	    "0 0 20 ETIMEDOUT; 1 20 20 ECANCELED; 2 20 25; 3 25 25 ECANCELED; "
	    "5 40 49; 6 49 49 ECANCELED; 7 49 50",
	    1);
	lab_free(&lab);
}

/* Handed over is handed over: what was on the ring already runs. */
TEST(jobs_on_the_ring_run)
{
	expect_rows((struct scene){.credits = 9},
	    "1.RCS.*.0.0,1.RCS.5.0.0,2.RCS.5.0.0,1.RCS.5.0.0,d.40,1.RCS.5.0.0",
	    "0 0 20 ETIMEDOUT; 1 20 25; 2 25 30; 3 30 35; 5 40 40 ECANCELED",
	    1);
}

/* "Dependency error does not cancel the dependent by itself"; other entities
 * of the same context are not guilty. */
TEST(dependents_run)
{
	expect_rows(one,
	    "1.RCS.*.0.0,1.BCS.5.-1.0,1.RCS.5.0.0,2.RCS.5.-1.0,3.VCS1.1.f-4.0",
	    "0 0 20 ETIMEDOUT; 1 20 25; 2 20 20 ECANCELED; 3 20 25; 4 20 21",
	    1);
}

/* A balanced context is one entity, wherever it is bound to. */
TEST(guilt_goes_with_the_entity)
{
	expect_rows(one,
	    "M.1.VCS,B.1,1.DEFAULT.*.0.1,1.DEFAULT.5.0.1,2.VCS2.5.0.0",
	    "2 0 20 ETIMEDOUT; 3 20 20 ECANCELED; 4 20 25", 1);
}

/* "karma+1; if karma > hang_limit, entity marked guilty": with less it begins
 * anew, and each time is a hang. */
TEST(hang_limit)
{
	static const struct scene two = {.hang_limit = 2};

	expect_rows(two, "1.RCS.*.0.0,2.RCS.5.0.0,d.70,1.RCS.5.0.0",
	    "0 0 60 ETIMEDOUT; 1 60 65; 3 70 70 ECANCELED", 3);
	/* From its beginning: 30 us are never done in 20. */
	expect_rows(
	    two, "1.RCS.30.0.0,2.RCS.5.0.0", "0 0 60 ETIMEDOUT; 1 60 65", 3);
	/* Karma is of the job, not of the entity. */
	expect_rows(two,
	    "1.RCS.*.0.0,1.RCS.*.0.0,d.30,T.-3,d.25,T.-4,"
	    "1.RCS.5.0.0",
	    "0 0 30; 1 30 55; 6 55 60", 2);
}

/* Run time lost in a reset does not count for the job; the engine was busy. */
TEST(run_again)
{
	struct lab lab;

	set_up(&lab, "drm", (struct scene){.hang_limit = 1});
	lab_add(&lab, "1.RCS.*.0.0,d.30,T.-2", 1,
	    (struct client_options){.repeat = 1});
	expect(&lab, "0 0 30", 1);
	assert_int_equal(lab.rows[0].run, 10000);
	assert_int_equal(lab.rows[0].preemptions, 0);
	assert_int_equal(lab.sim->device.engines[0].busy_ns, 30000);
	assert_int_equal(lab.sim->device.engines[0].batches, 1);
	lab_free(&lab);
}

/* Observers get a record of the timeout. */
TEST(record)
{
	struct lab lab;

	set_up(&lab, "drm", (struct scene){.hang_limit = 1});
	lab_add(
	    &lab, "d.5,1.VCS2.*.0.1", 1, (struct client_options){.repeat = 1});
	lab_run(&lab, 25000);
	assert_int_equal(lab.hang.number, 1);
	assert_int_equal(lab.hang.cause, HANG_JOB);
	assert_int_equal(lab.hang.scope, RESET_ENGINE);
	assert_string_equal(lab.hang.engine->name, "VCS2");
	assert_false(lab.hang.guilty);
	assert_int_equal(lab.hang.error, 0);
	expect(&lab, "1 5 45 ETIMEDOUT", 2);
	assert_int_equal(lab.hang.number, 2);
	assert_true(lab.hang.guilty);
	assert_int_equal(lab.hang.error, -ETIMEDOUT);
	assert_int_equal(lab.hang.run_ns, 20000);
	lab_free(&lab);
}

/* The ring waits while the engine is reset, and so does its timer. */
TEST(reset_takes_time)
{
	struct lab lab;

	set_up(&lab, "drm", (struct scene){.credits = 9});
	lab.config.profile.engine_reset_ns = 7000;
	lab_add(&lab, "1.RCS.*.0.0,2.RCS.20.0.0,d.22,3.RCS.1.0.0,4.BCS.1.0.0",
	    1, (struct client_options){.repeat = 1});
	expect(&lab, "0 0 20 ETIMEDOUT; 1 27 47; 3 47 48; 4 22 23", 1);
	lab_free(&lab);
	set_up(&lab, "drm", (struct scene){.hang_limit = 1, .credits = 9});
	lab.config.profile.engine_reset_ns = 7000;
	lab_add(&lab, "1.RCS.*.0.0,2.RCS.20.0.0", 1,
	    (struct client_options){.repeat = 1});
	expect(&lab, "0 0 47 ETIMEDOUT; 1 54 74", 2);
	lab_free(&lab);
}

/* Waits are explained in words. */
TEST(explained)
{
	static const struct {
		nsec until;
		const char *text;
	} rows[] = {
	    {10000,
		"client 0 context 2, line 1 (step 1) on RCS, which is queued "
		"behind client 0 context 1, line 1 (step 0) on RCS, which is "
		"infinite and not terminated"},
	    {22000,
		"client 0 context 2, line 1 (step 1) on RCS, whose engine is "
		"being reset"},
	    {28000,
		"client 0 context 2, line 1 (step 1) on RCS, which is running"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct lab lab;
		struct text t = {0};

		set_up(&lab, "drm", (struct scene){.credits = 2});
		lab.config.profile.engine_reset_ns = 7000;
		lab_add(&lab, "1.RCS.*.0.0,2.RCS.9.0.0", 1,
		    (struct client_options){.repeat = 1});
		lab_run(&lab, rows[i].until);
		sim_explain_request(
		    lab.sim, request_get(lab.rows[1].request), &t);
		assert_string_equal(text_str(&t), rows[i].text);
		text_free(&t);
		lab_free(&lab);
	}
}

/* If engines cannot be reset one by one, jobs on other rings begin anew, and so
 * do their timers: only the hung job gets karma. */
TEST(full_reset)
{
	struct lab lab;

	set_up(&lab, "drm", (struct scene){.credits = 9});
	lab.config.profile.engine_reset = 0;
	lab.config.profile.full_reset_ns = 7000;
	lab_add(&lab,
	    "1.RCS.*.0.0,d.5,2.BCS.18.0.0,2.BCS.3.0.0,3.VCS1.2.-2.0,d.17,"
	    "4.VECS1.1.0.0",
	    1, (struct client_options){.repeat = 1});
	expect(&lab, "0 0 20 ETIMEDOUT; 2 5 45; 3 45 48; 4 45 47; 6 27 28", 1);
	assert_int_equal(lab.hang.scope, RESET_FULL);
	assert_int_equal(lab.rows[1].run, 18000);
	for (unsigned i = 0; i < lab.sim->device.n_engines; i++)
		assert_int_equal(lab.sim->device.engines[i].queued, 0);
	lab_free(&lab);
}

static void
kill(struct lab *lab, unsigned client)
{
	struct client *c = lab->sim->clients[client];

	for (uint32_t i = 0; i < c->n_rings; i++) {
		if (c->rings[i]->sched_data != NULL)
			lab->config.sched->ring_killed(lab->sim, c->rings[i]);
	}
	instant_run(lab->sim);
}

/* "Entity killed: queued jobs wait for their deps, then scheduled & finished
 * with -ESRCH": without a credit, but after what is on the ring, and stays
 * there. Step 1 so waits for step 0 only, step 3 for step 2 as well. */
TEST(entity_killed)
{
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		struct lab lab;

		lab_init(&lab, all[i]);
		lab_add(&lab,
		    "1.RCS.*.0.0,1.RCS.5.0.0,2.BCS.30.0.0,1.RCS.5.-1.0,"
		    "2.BCS.4.0.0,1.RCS.3.0.0",
		    1, (struct client_options){.repeat = 1});
		lab_add(&lab, "1.RCS.5.0.0,d.40,1.RCS.5.0.0", 1,
		    (struct client_options){.repeat = 1});
		lab_run(&lab, 10000);
		kill(&lab, 0);
		assert_int_equal(lab.sim->device.engines[0].queued, 1);
		lab_run(&lab, 12000);
		lab_end(&lab, 0);
		expect(&lab,
		    "0 0 12; 1 12 12 ESRCH; 2 0 30; 3 30 30 ESRCH; "
		    "4 30 30 ESRCH; 5 30 30 ESRCH; 0 12 17; 2 40 45",
		    0);
		lab_free(&lab);
	}
}

/* Jobs that waited for it go on, and the turn of the others too. */
TEST(dependents_of_the_killed)
{
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		struct lab lab;

		lab_init(&lab, all[i]);
		lab_add(&lab, "1.RCS.9.0.0,1.RCS.9.0.0,1.RCS.9.0.0", 1,
		    (struct client_options){.repeat = 1});
		for (unsigned k = 0; k < 3; k++)
			lab_add(&lab, "1.RCS.2.0.0,2.BCS.1.-1.0,2.RCS.1.-2.0",
			    1, (struct client_options){.repeat = 1});
		lab_run(&lab, 1000);
		kill(&lab, 0);
		kill(&lab, 2);
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		/* 9, then two clients with 3 us on the engine. */
		assert_int_equal(lab.sim->now, 15000);
		assert_int_equal(lab.rows[0].error, 0);
		assert_int_equal(lab.rows[1].error, -ESRCH);
		assert_int_equal(lab.rows[1].end, 9000);
		assert_int_equal(lab.rows[2].end, 9000);
		for (unsigned k = 6; k < 9; k++) {
			assert_int_equal(lab.rows[k].error, -ESRCH);
			assert_int_equal(lab.rows[k].end, 1000);
		}
		lab_free(&lab);
	}
}

/* A job that will time out is no deadlock, whichever other jobs there are. */
TEST(no_deadlock)
{
	struct lab lab;

	set_up(&lab, "drm", one);
	lab.config.profile.job_timeout_ns = 400 * NSEC_PER_MSEC;
	lab_add(&lab, "d.3,1.BCS.1.0.0", 1,
	    (struct client_options){.background = true});
	lab_add(&lab, "1.RCS.*.0.1", 1, (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->now, 400 * NSEC_PER_MSEC);
	lab_free(&lab);
}

/* Only the DRM scheduler has job timeouts, and not on `ideal`. */
TEST(whose_timeout_it_is)
{
	static const struct {
		const char *sched;
		nsec timeout;
	} rows[] = {{"fifo", 20000}, {"execlists", 20000}, {"drm", 0}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct lab lab;

		lab_init(&lab, rows[i].sched);
		assert_int_equal(lab.config.profile.job_timeout_ns, 0);
		assert_int_equal(lab.config.profile.hang_limit, 0);
		lab.config.profile.job_timeout_ns = rows[i].timeout;
		lab_add(&lab, "1.RCS.*.0.0", 1,
		    (struct client_options){.repeat = 1});
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
		lab_free(&lab);
	}
}
