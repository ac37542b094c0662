/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A wish to stop that stays on (a key that was typed, a signal) ends whatever runs
 * the simulation, at once and with nothing run: a step, on a device and in the past
 * too, the advance of a script, which has no time limit, and journeys. A loop that
 * takes a call that has returned for one that has run something would never end.
 */
#include <stdlib.h>

#include "base/stop.h"
#include "base/text.h"
#include "run/live/pace.h"
#include "run/live/session.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/session_lab.h"

#define WORKLOAD "1.RCS.1000.0.0,2.VCS1.300.-1.1"

static enum sim_poll
hold_poll(void *answer)
{
	return *(const enum sim_poll *)answer;
}

static bool
want_stop(void *data)
{
	(void)data;
	return true;
}

static const struct stop stop = {want_stop, NULL};

/* Begins at full speed, and runs a little. */
static void
held_begin(struct session_lab *t, const char *scheduler)
{
	session_lab_begin(t, scheduler, WORKLOAD, 0);
	t->session.delay = NSEC_PER_MSEC;
	session_advance(&t->session, 0, 0);
	assert_true(t->session.run.sim->n_iterations > 100);
}

static void
hold(struct session_lab *t, enum sim_poll *answer)
{
	t->plan.stop = &stop;
	session_set_poll(&t->session, hold_poll, answer);
}

/* Steps of all kinds are stopped where the run is, and say so. */
static void
expect_steps_held(struct session *s)
{
	for (int what = SIM_STEP_EVENT; what <= SIM_STEP_ITERATION; what++) {
		uint64_t before = s->run.sim->n_events;
		struct text happened = {0};

		session_step(s, 0, (enum sim_step)what, &happened);
		assert_int_equal(s->run.sim->n_events, before);
		assert_int_equal(s->run.sim->state, SIM_RUNNING);
		assert_non_null(
		    strstr(text_str(&happened), "the step was stopped at "));
		text_free(&happened);
	}
}

/* Without the wish the step is done. */
static void
expect_step_done(struct session *s)
{
	uint64_t before = s->run.sim->n_iterations;
	struct text happened = {0};

	session_set_poll(s, NULL, NULL);
	s->plan->stop = NULL;
	session_step(s, 0, SIM_STEP_ITERATION, &happened);
	assert_int_equal(s->run.sim->n_iterations, before + 1);
	text_free(&happened);
}

TEST(step)
{
	static enum sim_poll answers[] = {SIM_PAUSE, SIM_STOP};
	struct session_lab t;

	for (int i = 0; i < 2; i++) {
		held_begin(&t, "execlists");
		hold(&t, &answers[i]);
		expect_steps_held(&t.session);
		expect_step_done(&t.session);
		session_lab_end(&t);
	}
}

TEST(step_in_the_past)
{
	enum sim_poll answer = SIM_STOP;
	struct session_lab t;
	struct text err = {0};

	held_begin(&t, "execlists");
	for (int i = 0; i < 5; i++)
		assert_true(
		    session_back(&t.session, 0, SIM_STEP_ITERATION, &err));
	hold(&t, &answer);
	expect_steps_held(&t.session);
	assert_true(session_is_past(&t.session));
	expect_step_done(&t.session);
	session_lab_end(&t);
}

TEST(step_on_a_device)
{
	enum sim_poll answer = SIM_STOP;
	struct session_lab t;
	struct text err = {0};

	enter_test_folder();
	setenv("XDG_RUNTIME_DIR", test_folder(), 1);
	held_begin(&t, "execlists");
	if (!session_serve(&t.session, NULL, false, &err))
		fail_msg("%s", text_str(&err));
	hold(&t, &answer);
	expect_steps_held(&t.session);
	expect_step_done(&t.session);
	session_lab_end(&t);
}

/* Scripts advance by events, with no limit of time. */
TEST(advance_of_a_script)
{
	enum sim_poll answer = SIM_PAUSE;
	struct session_lab t;
	struct text err = {0};
	uint64_t before;

	held_begin(&t, "execlists");
	before = t.session.run.sim->n_events;
	hold(&t, &answer);
	session_advance(&t.session, 0, 0);
	assert_int_equal(t.session.run.sim->n_events, before);
	session_set_poll(&t.session, NULL, NULL);
	assert_true(session_back(&t.session, 0, SIM_STEP_ITERATION, &err) ||
	    session_is_past(&t.session));
	session_pause(&t.session, 0, false);
	before = t.session.run.sim->n_events;
	session_set_poll(&t.session, hold_poll, &answer);
	session_advance(&t.session, 0, 0);
	assert_int_equal(t.session.run.sim->n_events, before);
	text_free(&err);
	session_lab_end(&t);
}

TEST(advance_beside_a_shadow)
{
	enum sim_poll answer = SIM_PAUSE;
	struct session_lab t;
	struct text err = {0};
	uint64_t before;

	held_begin(&t, "execlists");
	assert_true(session_compare(&t.session, 0, "drm", &err));
	session_advance(&t.session, 0, 0);
	before = t.session.run.sim->n_events;
	hold(&t, &answer);
	session_advance(&t.session, 0, 0);
	assert_int_equal(t.session.run.sim->n_events, before);
	session_lab_end(&t);
}

/* A journey says where it was stopped. */
TEST(journeys)
{
	const struct goto_target targets[] = {
	    {.kind = GOTO_TIME, .time = NSEC_PER_MSEC},
	    {.kind = GOTO_TIME, .time = 1000 * NSEC_PER_SEC},
	    {.kind = GOTO_LINE, .line = 0, .iteration = 7},
	    {.kind = GOTO_HANG, .number = 3},
	};

	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		struct session_lab t;
		struct text err = {0};

		held_begin(&t, "execlists");
		t.plan.stop = &stop;
		assert_false(session_goto(&t.session, 0, &targets[i], &err));
		assert_ptr_equal(
		    strstr(text_str(&err), "stopped at "), text_str(&err));
		text_free(&err);
		session_lab_end(&t);
	}
}
