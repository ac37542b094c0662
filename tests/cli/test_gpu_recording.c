/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings of runs on a GPU, which is the virtual i915 in real time, from inside and in the
 * console; gpu_recording.cases has others (doc/model/hardware.md "Recordings").
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/text.h"
#include "run/live/session.h"
#include "run/plan.h"
#include "run/recording.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/pty.h"
#include "tests/support/run_program.h"

/* Runs a command of a shell in which $0 is gpuwl-top. */
static void
run_shell(struct outcome *r, const char *command, const char *profile)
{
	RUN(r, "-q", profile, "sh", "-c", command, gpuwl_top());
}

#define REPLAY "$0 -b -q --replay=rec --json=b.json --requests=b.tsv"

/* Counts of a simulation, to compare it with another one. */
struct counts {
	nsec now;
	uint64_t instants, events, submitted, ended;
};

static struct counts
counts_of(const struct sim *sim)
{
	return (struct counts){sim->now, sim->n_instants, sim->n_events,
	    sim->n_submitted, sim->n_ended_requests};
}

/* Returns what the recording has come to at that time, straight from its
 * beginning. */
static struct counts
play_straight(nsec at)
{
	struct replay replay;
	struct plan plan;
	struct run run;
	struct text err = {0};
	struct counts counts;

	assert_true(replay_open(&replay, &plan, "rec", &err));
	assert_true(plan_launch(&plan, &run, &err));
	assert_true(replay_run(&replay, &run, at, 0, &err));
	counts = counts_of(run.sim);
	run_free(&run);
	replay_close(&replay);
	plan_close(&plan);
	text_free(&err);
	return counts;
}

TEST(any_instant_of_it)
{
	struct replay replay;
	struct plan plan;
	struct session s;
	struct text err = {0};
	struct outcome r;
	nsec end;

	run_shell(&r,
	    "$0 -b -q -D pci: --record=rec -r 60 -c 3 "
	    "-w '1.RCS.100-900.0.0,2.VCS1.300.-1.1,d.100,p.2000'",
	    "--profile=tgl");
	outcome_free(&r);
	assert_true(replay_open(&replay, &plan, "rec", &err));
	assert_true(session_begin(&s, &plan, 1, NSEC_NEVER, NULL, NULL, &err));
	s.delay = NSEC_PER_SEC / 4;
	assert_true(session_play_recording(&s, 0, &replay, &err));
	end = s.run.sim->now;
	assert_true(end > 0);
	for (unsigned i = 0; i < 40; i++) {
		struct goto_target to = {
		    .kind = GOTO_TIME, .time = end / 41 * (i * 17 % 41)};
		struct counts is, was;

		assert_true(session_goto(&s, 0, &to, &err));
		is = counts_of(s.run.sim);
		was = play_straight(to.time);
		assert_memory_equal(&is, &was, sizeof(is));
	}
	session_end(&s);
	replay_close(&replay);
	plan_close(&plan);
	text_free(&err);
}

static void
expect_clients(const char *json, size_t n)
{
	json_t *o = json_load_file(json, 0, NULL);

	assert_non_null(o);
	assert_int_equal(json_array_size(json_object_get(o, "clients")), n);
	json_decref(o);
}

/* Live changes, a pause and a restart in the console. */
TEST(console)
{
	char *argv[] = {pty_program(), (char *)"-q", (char *)"--profile=tgl",
	    gpuwl_top(), (char *)"-D", (char *)"pci:", (char *)"--record=rec",
	    (char *)"-w", (char *)"1.RCS.2000.0.1,2.VCS1.1000.0.1", NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p;
	struct outcome r;

	unlink("rec");
	p = pty_start(120, 40, argv, env);
	pty_wait_text(p, "ctx 1 ");
	pty_send(p, "R");
	pty_wait_text(p, "restarted");
	pty_send(p, ":launch 2\r");
	pty_wait_text(p, "clients 3");
	pty_send(p, " ");
	pty_wait_text(p, "PAUSED");
	pty_send(p, " ");
	pty_wait_text(p, "running");
	pty_send(p, ":prio 1 -5\r");
	pty_wait_text(p, "P.1.-5");
	pty_send(p, ":kill 1\r");
	pty_wait_text(p, "Kill client 1");
	pty_send(p, "y");
	pty_wait_text(p, "clients 2 of 3");
	pty_send(p, ":quit!\r");
	assert_int_equal(pty_wait_status(p), 0);
	pty_free(p);
	run_shell(&r, REPLAY, "--profile=tgl");
	if (r.status != 0)
		fail_msg("status %d: %s", r.status, r.err);
	outcome_free(&r);
	expect_clients("b.json", 3);
}

FIXTURES(use_gpuwl_top, NULL);
