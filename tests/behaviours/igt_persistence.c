/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of IGT for contexts that are closed while they have work
 * (doc/behaviours.md "The table", section 6.1, rows 41, 56 and 59): here, those of
 * a client whose process dies. Without heartbeats, or hangcheck, i915 gives
 * no context persistence: closing is then always of the other kind.
 */
#include <errno.h>

#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* The first client is the one that is closed, by this time. */
#define CLOSED MS(10)

/* At once, but for the next preemption point; IGT waits for a second or so. */
#define SOON (CLOSED + MS(50))

/* After lab_init, and what was put into the profile. */
static void
close_one(struct lab *lab, const char *text, bool persistent)
{
	scene_client(lab, text);
	scene_clock(lab);
	lab_run(lab, CLOSED);
	lab_kill(lab, 0, persistent);
}

static void
start_timeouts(struct lab *lab, const char *sched)
{
	lab_init(lab, sched);
	scene_timeouts(lab);
}

/* It is still there, a heartbeat or some later, and ends in its own way. */
static void
expect_survives(struct lab *lab, unsigned context)
{
	lab_run(lab, SEC(10));
	assert_true(is_busy(first(lab, context)));
	scene_end(lab, context);
	scene_go_on(lab, MS(1));
	expect_ended(first(lab, context), 0);
	assert_int_equal(lab->hung, 0);
}

/* All that it had is over by then, with -EIO; other clients' goes on. */
static void
expect_killed(const struct lab *lab, nsec by)
{
	unsigned n = 0;

	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *row = &lab->rows[i];

		if (row->client != 0)
			continue;
		expect_ended(row, -EIO);
		assert_in_range(row->end, CLOSED, by);
		n++;
	}
	assert_true(n > 0);
}

/* Virtual engines (row 41). */

#define VIRTUAL "M.1.VCS,B.1,1.DEFAULT.*.0.0"

static void
balancer_persistence(const char *sched)
{
	struct lab lab;

	start_timeouts(&lab, sched);
	close_one(&lab, VIRTUAL, true);
	expect_survives(&lab, 1);
	lab_free(&lab);

	start_timeouts(&lab, sched);
	close_one(&lab, VIRTUAL, false);
	lab_run(&lab, SOON);
	expect_killed(&lab, SOON);
	lab_free(&lab);
}

static void
balancer_noheartbeat(const char *sched)
{
	struct lab lab;

	start_timeouts(&lab, sched);
	lab.config.profile.heartbeat_ns = 0;
	close_one(&lab, VIRTUAL, false);
	lab_run(&lab, SOON);
	expect_killed(&lab, SOON);
	lab_free(&lab);
}

/* enable_hangcheck=0: no heartbeats, and no watchdog. */
static void
balancer_nohangcheck(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_preempt_timeout(&lab, MS(640));
	close_one(&lab, VIRTUAL ",1.DEFAULT.10.0.0", false);
	lab_run(&lab, SOON);
	expect_killed(&lab, SOON);
	lab_free(&lab);
}

/* gem_ctx_persistence (row 56). */

static void
close_on_each(const char *sched, const char *format, bool persistent,
    nsec preempt_timeout, nsec by)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		char *text = text_on_engine(format, ideal_engines[e]);
		struct lab lab;

		start_timeouts(&lab, sched);
		scene_preempt_timeout(&lab, preempt_timeout);
		close_one(&lab, text, persistent);
		if (persistent) {
			expect_survives(&lab, 1);
		} else {
			lab_run(&lab, by);
			expect_killed(&lab, by);
		}
		lab_free(&lab);
		free(text);
	}
}

static void
engines_persistence(const char *sched)
{
	close_on_each(sched, "1.@.*.0.0", true, MS(640), 0);
}

static void
engines_cleanup(const char *sched)
{
	close_on_each(sched, "1.@.*.0.0", false, MS(640), SOON);
}

/* Many of one context, and of several. */
static void
engines_queued(const char *sched)
{
	close_on_each(sched,
	    "1.@.*.0.0,1.@.*.0.0,1.@.10.0.0,2.@.*.0.0,3.@.10.-1.0,1.@.*.0.0",
	    false, MS(640), SOON);
}

/* One of either kind on each engine: the other one is left in peace. */
static void
engines_mixed(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		char *gone = text_on_engine("1.@.*.0.0", ideal_engines[e]);
		char *stays = text_on_engine("2.@.*.0.0", ideal_engines[e]);
		struct lab lab;

		start_timeouts(&lab, sched);
		scene_client(&lab, gone);
		scene_client(&lab, stays);
		scene_clock(&lab);
		lab_run(&lab, CLOSED);
		lab_kill(&lab, 0, false);
		lab_kill(&lab, 1, true);
		lab_run(&lab, SOON);
		expect_killed(&lab, SOON);
		expect_survives(&lab, 2);
		lab_free(&lab);
		free(gone);
		free(stays);
	}
}

/* One without points is reset after the preempt timeout, and not before. */
static void
hostile_on(const char *sched, const char *format, const char *other)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		char *text = text_on_engine(format, ideal_engines[e]);
		char *others = text_on_engine(other, ideal_engines[e]);
		struct lab lab;

		start_timeouts(&lab, sched);
		scene_preempt_timeout(&lab, MS(640));
		scene_client(&lab, text);
		scene_client(&lab, others);
		scene_clock(&lab);
		lab_run(&lab, CLOSED);
		lab_kill(&lab, 0, false);
		lab_run(&lab, CLOSED + MS(600));
		assert_true(is_busy(first(&lab, 1)));
		lab_run(&lab, SEC(2));
		expect_killed(&lab, SOON + MS(640));
		assert_int_equal(lab.hung, 1);
		for (size_t i = 0; i < lab.n_rows; i++) {
			if (lab.rows[i].client == 1)
				expect_ended(&lab.rows[i], 0);
		}
		lab_free(&lab);
		free(text);
		free(others);
	}
}

static void
engines_hostile(const char *sched)
{
	hostile_on(sched, "X.1.0,1.@.*.0.0", "d.1");
}

/* Others want the engine, too: of lower priority, so that it is the close that
 * takes it away. */
static void
engines_hostile_preempt(const char *sched)
{
	hostile_on(sched, "X.1.0,1.@.*.0.0,1.@.*.0.0", "P.2.-5,2.@.100.0.0");
}

static void
hostile(const char *sched)
{
	hostile_on(sched, "X.1.0,1.@.*.0.0,2.@.10.0.0,3.@.10.-2.0", "d.1");
}

/* With a hog on one engine, much work of others is queued there and elsewhere:
 * all of it completes. */
static void
saturated_hostile(const char *sched)
{
	struct text t = {0};

	for (unsigned i = 0; i < N_ENGINES; i++)
		text_addf(&t, "%sP.%u.-5", i > 0 ? "," : "", 11 + i);
	for (unsigned k = 0; k < 100; k++) {
		for (unsigned i = 0; i < N_ENGINES; i++)
			text_addf(
			    &t, ",%u.%s.50.0.0", 11 + i, ideal_engines[i]);
	}
	hostile_on(sched, "X.1.0,1.@.*.0.0", text_str(&t));
	text_free(&t);
}

/* Heartbeats. */

/* Without a timeout the reset comes at once. */
static void
heartbeat_hostile(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		char *text = text_on_engine(
		    "X.1.0,1.@.*.0.0", ideal_engines[e]);
		struct lab lab;

		lab_init(&lab, sched);
		close_one(&lab, text, false);
		lab_run(&lab, SOON);
		expect_killed(&lab, CLOSED);
		assert_int_equal(lab.hung, 1);
		lab_free(&lab);
		free(text);
	}
}

static void
heartbeat_close(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		char *text = text_on_engine(
		    "1.@.*.0.0,1.@.*.0.0", ideal_engines[e]);
		struct lab lab;

		start_timeouts(&lab, sched);
		lab.config.profile.heartbeat_ns = 0;
		close_one(&lab, text, false);
		lab_run(&lab, SOON);
		expect_killed(&lab, SOON);
		assert_int_equal(lab.hung, 0);
		lab_free(&lab);
		free(text);
	}
}

/* A persistent request that hangs is found by the heartbeat. */
static void
heartbeat_hang(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		char *text = text_on_engine(
		    "X.1.0,1.@.*.0.0", ideal_engines[e]);
		struct lab lab;

		start_timeouts(&lab, sched);
		scene_preempt_timeout(&lab, MS(640));
		lab.config.profile.heartbeat_ns = MS(100);
		close_one(&lab, text, true);
		lab_run(&lab, MS(200));
		assert_true(is_busy(first(&lab, 1)));
		lab_run(&lab, SEC(2));
		expect_killed(&lab, 3 * MS(100) + MS(640) + MS(150));
		lab_free(&lab);
		free(text);
	}
}

/* Many contexts at once. */
static void
heartbeat_many(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	for (unsigned i = 1; i <= 500; i++)
		text_addf(&t, "%s%u.%s.*.0.0", i > 1 ? "," : "", i,
		    ideal_engines[i % N_ENGINES]);
	start_timeouts(&lab, sched);
	lab.config.profile.heartbeat_ns = 0;
	close_one(&lab, text_str(&t), false);
	lab_run(&lab, SOON);
	expect_killed(&lab, SOON);
	assert_int_equal(lab.n_rows, 500);
	assert_int_equal(lab.hung, 0);
	lab_free(&lab);
	text_free(&t);
}

/* Close while the client submits: whatever it has submitted until then ends,
 * in its way or cancelled; it submits nothing more. */
static void
close_race(const char *sched)
{
	for (unsigned us = 0; us < 200; us++) {
		unsigned n_closed = 0;
		nsec at = US(us);
		struct lab lab;

		lab_init(&lab, sched);
		lab.config.profile.submit_ns = US(3);
		lab_add(&lab, "1.RCS.10.0.0,2.BCS.7.-1.0,1.VCS1.5.0.0", 1,
		    (struct client_options){.repeat = 0});
		lab_add(&lab, "3.RCS.10.0.1", 1,
		    (struct client_options){.repeat = 100});
		lab_run(&lab, at);
		lab_kill(&lab, 0, us % 2);
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		for (size_t i = 0; i < lab.n_rows; i++) {
			const struct lab_row *row = &lab.rows[i];

			if (row->client == 1) {
				expect_ended(row, 0);
				continue;
			}
			n_closed++;
			assert_int_not_equal(row->end, NSEC_NEVER);
			assert_true(row->submit <= at);
			if (us % 2 || row->end < at)
				assert_int_equal(row->error, 0);
			else if (row->end > at)
				assert_int_equal(row->error, -EIO);
		}
		assert_true(us < 4 || n_closed > 0);
		lab_free(&lab);
	}
}

#define CLOSED_BY_KILL                                                         \
	INSTEAD("the client is killed: a descriptor closes no single context")

static const struct behaviour list[] = {
    {41, "gem_exec_balancer@persistence", PREEMPTIVE, balancer_persistence,
	CLOSED_BY_KILL},
    {41, "gem_exec_balancer@noheartbeat", PREEMPTIVE, balancer_noheartbeat,
	CLOSED_BY_KILL},
    {41, "gem_exec_balancer@nohangcheck", PREEMPTIVE, balancer_nohangcheck,
	CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@engines-persistence", PREEMPTIVE,
	engines_persistence, CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@engines-cleanup", PREEMPTIVE, engines_cleanup,
	CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@engines-queued", PREEMPTIVE, engines_queued,
	CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@engines-mixed", PREEMPTIVE, engines_mixed,
	CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@engines-hostile", PREEMPTIVE, engines_hostile,
	CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@engines-hostile-preempt", PREEMPTIVE,
	engines_hostile_preempt, CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@hostile", PREEMPTIVE, hostile, CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@heartbeat-close", PREEMPTIVE, heartbeat_close,
	CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@heartbeat-hang", PREEMPTIVE, heartbeat_hang,
	CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@heartbeat-hostile", PREEMPTIVE, heartbeat_hostile,
	CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@heartbeat-many", PREEMPTIVE, heartbeat_many,
	CLOSED_BY_KILL},
    {56, "gem_ctx_persistence@heartbeat-stop", NULL, NULL,
	NOT_APPLICABLE(
	    "heartbeats that are switched off in a run: a profile stays as it is")},
    {56, "gem_ctx_persistence@saturated-hostile", PREEMPTIVE, saturated_hostile,
	CLOSED_BY_KILL},
    {59, "gem_ctx_exec@basic-close-race", PREEMPTIVE, close_race, NULL},
};

const struct behaviours behaviours_igt_persistence = BEHAVIOURS("6.1", list);
