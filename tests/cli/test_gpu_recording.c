/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings of runs on a GPU, which is the virtual i915 in real time: what it did
 * is played again without it, byte for byte, whatever happened (doc/model/hardware.md
 * "Recordings").
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

static void
expect_same_files(const char *a, const char *b)
{
	char *x = read_whole(a, NULL), *y = read_whole(b, NULL);

	if (strcmp(x, y) != 0)
		fail_msg("%s and %s differ:\n%s\n%s", a, b, x, y);
	free(x);
	free(y);
}

/* Compares two results, but for what a recording has not: the GPU as a whole. */
static void
expect_same_results(const char *a, const char *b)
{
	static const char *const only_live[] = {
	    "busyness", "clock_error_ns", "other_clients", "hidden_processes"};
	json_t *x = json_load_file(a, 0, NULL), *y = json_load_file(b, 0, NULL);

	assert_non_null(x);
	assert_non_null(y);
	assert_string_equal(
	    json_string_value(json_object_get(y, "device")), "i915");
	for (size_t i = 0; i < sizeof only_live / sizeof *only_live; i++)
		json_object_del(x, only_live[i]);
	assert_true(json_equal(x, y));
	json_decref(x);
	json_decref(y);
}

#define REPLAY "$0 -b -q --replay=rec --json=b.json --requests=b.tsv"

static void
expect_repeated(const char *workloads, const char *profile, int status)
{
	char command[1024];
	struct outcome r;

	snprintf(command, sizeof command,
	    "$0 -b -q -D pci: --record=rec --json=a.json --requests=a.tsv %s",
	    workloads);
	run_shell(&r, command, profile);
	if (r.status != status)
		fail_msg("%s: status %d: %s", workloads, r.status, r.err);
	outcome_free(&r);
	run_shell(&r, REPLAY, profile);
	if (r.status != status)
		fail_msg(
		    "replay of %s: status %d: %s", workloads, r.status, r.err);
	outcome_free(&r);
	expect_same_files("a.tsv", "b.tsv");
	expect_same_results("a.json", "b.json");
}

TEST(steps_of_all_kinds)
{
	expect_repeated("-c 3 -r 10 -w 'w.1.4096,P.1.-5,M.3.VCS1|VCS2,B.3,"
			"X.4.0,1.RCS.200.w1-0.0,f,2.VCS1.100-900.f-1.0,a.-2,"
			"1.BCS.50.s-3.1,3.DEFAULT.100.f-3/s-5.0,d.100,"
			"4.RCS.*.0.0,d.300,T.-2,s.-3'",
	    "--profile=tgl", 0);
}

TEST(parallel_slots_and_many_clients)
{
	expect_repeated(
	    "-c 4 -r 5 -w G.1.VCS1/VCS2,1.DEFAULT.500.0.0,2.RCS.300.-1.1",
	    "--profile=dg2-g10", 0);
	expect_repeated("-r 5 -W 1.RCS.300.0.1,p.2000 -w 1.BCS.200.0.1,p.500",
	    "--profile=dg2-g10", 0);
}

TEST(hangs_and_bans)
{
	expect_repeated(
	    "-r 3 -w 1.RCS.500.0.1,X.1.0,1.RCS.*.0.0,2.RCS.1000.0.1",
	    "--profile=tgl", 3);
}

TEST(a_run_that_is_stopped)
{
	expect_repeated(
	    "--duration=0.02 -w '1.RCS.100-2000.0.1,2.RCS.300.0.0,2.VCS1.*.0.0'",
	    "--profile=tgl", 0);
}

/* Cut off anywhere, it is played as far as it goes. */
TEST(a_recording_that_is_cut_off)
{
	struct outcome r;

	run_shell(&r,
	    "$0 -b -q -D pci: --record=rec -r 20 -c 2 -w 1.RCS.200.0.1 && "
	    "for n in 3 7 12; do head -n $n rec >cut; "
	    "$0 -b --replay=cut || echo failed; done",
	    "--profile=tgl");
	assert_null(strstr(r.out, "failed"));
	assert_non_null(strstr(r.out, "elapsed"));
	expect_match(r.err, "cut: the recording has no end: it was cut off");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

/* The console opens it, as a run of the past that takes no changes. */
TEST(in_the_console)
{
	struct outcome r;

	write_file("keys",
	    "size 120x40\n:dump start.txt header footer\nF\n"
	    ":dump end.txt header engines contexts descriptor\n"
	    ":goto 3ms\n:dump past.txt header\n2+\n:dump refused.txt footer\n"
	    "'\n\"\n&\n:goto 1@\nR\n:dump again.txt footer\n"
	    ":goto end\n:dump end2.txt header engines contexts descriptor\n");
	run_shell(&r,
	    "$0 -b -q -D pci: --record=rec -r 20 -c 2 "
	    "-w 1.RCS.200-900.0.0,2.VCS1.300.-1.1 && "
	    "$0 --replay=rec --script=keys && cmp end.txt end2.txt && "
	    "cat start.txt end.txt past.txt refused.txt again.txt",
	    "--profile=tgl");
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	expect_match(r.out, "i915 tigerlake");
	expect_match(r.out, "a recording of .*, from its beginning");
	expect_match(r.out, "PAST .*3.000000 ?ms|PAST .*0.003");
	expect_match(r.out, "what a GPU did is recorded: it can be looked at");
	outcome_free(&r);
}

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

/* Words that are not those of its run. */
TEST(another_runs_words)
{
	struct outcome r;

	run_shell(&r,
	    "$0 -b -q -D pci: --record=rec -r 3 -w 1.RCS.200.0.1; "
	    "sed 's/\"took\",1,/\"took\",9,/' rec >bad; "
	    "$0 -b --replay=bad; echo $?; "
	    "sed 's/\"ended\",1,/\"ended\",77,/' rec >bad; "
	    "$0 -b --replay=bad; echo $?",
	    "--profile=tgl");
	expect_match(r.out, "1\n.*1\n");
	expect_match(r.err,
	    "bad:[0-9]+: error: the recording is of another run"
	    ".*request 77 is not in flight");
	outcome_free(&r);
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
