/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpuwl-run --virtual-time (doc/model/virtual.md "Virtual time"): whose turn it
 * is, what time it is then, what ends a run; and that each run is the same.
 */
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

#define GEM_EXEC_NOP BENCHMARKS "gem_exec_nop"

/* The programs of tests/programs. */
static char turns[4096], waits[4096], timers[4096];

#define IDEAL "--profile=ideal"

/* Scenes of it, and what they print: us, and what happened. */
static const struct {
	const char *scene, *lines;
} scenes[] = {
    {"threads",
	"0 created\n"
	"1000 1 second\n"
	"2000 2 first\n2000 1 second\n2000 2 third\n"
	"4000 2 first\n4000 2 third\n4000 joined\n"},
    {"locks",
	"5000 unlocks\n5000 locked\n10000 signals\n10000 signalled\n"
	"12000 timed out\n15000 posts\n15000 taken\n"},
    {"poll",
	"3000 poll timed out\n7000 select timed out\n"
	"14000 writes\n14000 poll sees the byte\n"},
    {"timers", "5000 not yet\n10000 expired\n3 times\n22000 once more\n"},
    {"fork",
	"0 forked\n6000 child ends\n6000 child has ended\n"
	"256000 sleep has ended\n"},
    /* 100 of 200 readings, and 50 of 150 polls, cost 1 us each. */
    {"clock",
	"103 read the clock\n10154 polled\n1000 s since 2025\n"
	"3600010154 slept an hour\n"},
    {"signal", "998000 us left\n"},
    {"handler", "3000 handled\n3000 interrupted\n3000 child has ended\n"},
    {"outside", "50 signals\n"},
};

static void
expect_lines(const char *profile, const char *program, const char *scene,
    const char *lines)
{
	struct outcome r;

	RUN(&r, "--virtual-time", profile, program, scene);
	assert_string_equal(r.err, "");
	assert_string_equal(r.out, lines);
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

TEST(scenes)
{
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
		expect_lines(IDEAL, turns, scenes[i].scene, scenes[i].lines);
}

/* Calls by which threads and processes wait for each other. */
static const struct {
	const char *scene, *lines;
} waits_scenes[] = {
    {"rwlock",
	"0 reads\n0 reads\n2000 timed out\n3000 writes\n"
	"7000 reads again\n7000 reads again\n"},
    {"barrier",
	"3000 passes\n3000 passes\n3000 passes\n"
	"6000 passes\n6000 passes\n6000 passes\n9000 joined\n"},
    {"c11", "3000 timed out\n5000 locked\n7000 timed out\n7000 joined\n"},
    {"futex", "1000 timed out\n2000 woken\n2000 changed\n"},
    {"descriptors", "2000 event\n4000 byte\n"},
    {"sigwait", "2000 timed out\n5000 first\n10000 second\n"},
    {"spawn", "3000 sleep has ended\n13000 shell has ended\n"},
    {"popen", "2000 one\n4000 two\n4000 closed\n5000 written\n"},
    {"shared", "2000 posted\n4000 hello\n6000 child has ended\n"},
};

/* Timers, and timeouts of each call that has one. */
static const struct {
	const char *scene, *lines;
} timers_scenes[] = {
    {"alarm",
	"2000000 signal\n8 s left\n3 s left of the alarm\n"
	"14600000 signal\n14600000 paused\n"},
    {"itimer",
	"5000 signal\n8000 signal\n11000 signal\n2000 of 3000 us\n"
	"22000 no more\n22000 alarm in 4 ms\n26000 signal\n"
	"26000 interrupted\n"},
    {"exec", "3000000 child without alarm\n4000000 ended by it\n"},
    {"signals",
	"0 created\n7000 value 42\n9000 value 42\n11000 value 42\n"
	"2000 of 2000 us\n31000 value 42\n31000 deleted\n"
	"31000 only once\n5000 us left\n0 us left\n41000 ends\n"},
    {"thread", "4000 other thread\n4000 interrupted\n"},
    {"calls",
	"0 created\n5000 called with 7\n10000 called with 7\n"
	"15000 called with 7\n34000 ends\n34040 created again\n"},
    {"sleeps",
	"3000 realtime\n3000 past\n6000 monotonic\n6000 past\n"
	"9000 boottime\n9000 past\n12000 tai\n12000 past\n"},
    {"locks",
	"3000 condition\n6000 its clock\n9000 clock of the call\n"
	"12000 semaphore\n15000 by a clock\n18000 mutex\n"
	"21000 by a clock\n"},
    {"polls",
	"2500 ppoll\n5000 pselect\n7500 epoll_pwait2\n"
	"10500 epoll_pwait\n"},
    {"messages",
	"3000 no message\n3000 sent\n6000 no room\n6000 received\n"
	"6000 datagram\n6000 recvmmsg\n10000 timeout of the socket\n"
	"13000 no semaphore\n"},
    {"waits", "2500 no signal\n7500 alarm\n"},
    {"descriptors",
	"3000 us left\n4000 expired\n4000 not set\n4000 no such time\n"
	"3000 us left\n8000 expired\n8000 not set\n8000 no such time\n"
	"3000 us left\n12000 expired\n12000 not set\n12000 no such time\n"
	"12000 no such timer\n"},
};

TEST(timers)
{
	for (size_t i = 0; i < sizeof timers_scenes / sizeof *timers_scenes;
	     i++)
		expect_lines(IDEAL, timers, timers_scenes[i].scene,
		    timers_scenes[i].lines);
}

TEST(waits)
{
	for (size_t i = 0; i < sizeof waits_scenes / sizeof *waits_scenes; i++)
		expect_lines(
		    IDEAL, waits, waits_scenes[i].scene, waits_scenes[i].lines);
}

/* The same where the CPU takes time: timers are 50 us late, and a thread that has
 * waited takes 5 us to wake up. A timerfd is exact. */
static const struct {
	const char *scene, *lines;
} turns_default[] =
    {
	{"threads",
	    "0 created\n"
	    "1055 1 second\n"
	    "2055 2 first\n2055 2 third\n2110 1 second\n"
	    "4110 2 first\n4110 2 third\n4115 joined\n"},
	{"locks",
	    "5055 unlocks\n5060 locked\n10110 signals\n10115 signalled\n"
	    "12170 timed out\n15165 posts\n15170 taken\n"},
	{"poll",
	    "3055 poll timed out\n7110 select timed out\n"
	    "14165 writes\n14170 poll sees the byte\n"},
	{"timers", "5055 not yet\n10005 expired\n3 times\n22005 once more\n"},
	{"fork",
	    "0 forked\n6055 child ends\n6060 child has ended\n"
	    "256120 sleep has ended\n"},
	{"signal", "997940 us left\n"},
	{"handler", "3110 handled\n3115 interrupted\n3115 child has ended\n"},
},
  timers_default[] =
      {
	  {"thread", "4000 other thread\n4005 interrupted\n"},
	  {"calls",
	      "0 created\n5005 called with 7\n10005 called with 7\n"
	      "15005 called with 7\n34110 ends\n36350 created again\n"},
},
  waits_default[] = {
      {"futex", "1055 timed out\n2060 woken\n2060 changed\n"},
      {"descriptors", "2060 event\n4115 byte\n"},
      {"sigwait", "2055 timed out\n5060 first\n10115 second\n"},
      {"c11", "3110 timed out\n5060 locked\n7115 timed out\n7115 joined\n"},
};

#define DEFAULT "--profile=default"

TEST(the_cpu_takes_time)
{
	for (size_t i = 0; i < sizeof turns_default / sizeof *turns_default;
	     i++)
		expect_lines(DEFAULT, turns, turns_default[i].scene,
		    turns_default[i].lines);
	for (size_t i = 0; i < sizeof timers_default / sizeof *timers_default;
	     i++)
		expect_lines(DEFAULT, timers, timers_default[i].scene,
		    timers_default[i].lines);
	for (size_t i = 0; i < sizeof waits_default / sizeof *waits_default;
	     i++)
		expect_lines(DEFAULT, waits, waits_default[i].scene,
		    waits_default[i].lines);
}

static void
expect_stop(const char *scene, const char *why)
{
	struct outcome r;

	RUN(&r, "--virtual-time", turns, scene);
	if (strstr(r.err, why) == NULL)
		fail_msg("%s", r.err);
	assert_string_equal(r.out, "");
	assert_int_equal(r.status, 125);
	outcome_free(&r);
}

/* A program that waits in a call which is not known, or for ever, is ended. */
TEST(stops)
{
	expect_stop("read", "virtual time stops: turns (pid ");
	expect_stop("read",
	    "thread 1) waits in read, which virtual time does not serve: run "
	    "it without --virtual-time\n");
	expect_stop("forever",
	    "all threads wait, and nothing can wake them: turns (pid ");
	expect_stop("forever", "thread 1) waits for a lock\n");
}

/* Shells, their children, and the end of both by signals. */
TEST(processes)
{
	struct outcome r;

	RUN(&r, "--virtual-time", "sh", "-c",
	    "sleep 3000 & sleep 1000; echo first; wait; echo second; exit 3");
	assert_string_equal(r.err, "");
	assert_string_equal(r.out, "first\nsecond\n");
	assert_int_equal(r.status, 3);
	outcome_free(&r);
	RUN(&r, "--virtual-time", "sh", "-c",
	    "sleep 3000 & kill -9 $!; wait $!; echo $?; kill -TERM $$");
	assert_string_equal(r.out, "137\n");
	assert_int_equal(r.status, 128 + 15);
	outcome_free(&r);
}

/* The run's time is as long as the programs have run, whether or not they submit. */
TEST(the_time_of_the_run)
{
	struct outcome r;
	char *json;

	RUN(&r, "--virtual-time", "-q", IDEAL, "--json=time.json", turns,
	    "threads");
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	json = read_whole("time.json", NULL);
	assert_non_null(strstr(json, "\"elapsed_ns\": 4000000,"));
	assert_non_null(strstr(json, "\"idle_ns\": 4000000,"));
	free(json);
}

#define OUTPUTS 4

/* A submission takes so long that a benchmark, which counts those of two seconds,
 * has few. */
#define SLOW_PROFILE "slow.ini"

static const char slow_profile[] =
    "[profile]\nname = slow\n"
    "[device]\nRCS = 1\nBCS = 1\nVCS = 2\nVECS = 1\n"
    "[costs]\nsubmit_ns = 500000\n";

/* Programs, with their arguments: requests of each kind, eight clients, forks,
 * threads, and waits of processes. */
static const char *const repeated[][24] = {
    {GEM_WSIM, "-v", "-I", "3", "-r", "20", "-c", "3", "-w",
	"M.1.VCS,B.1,w.1.4k,1.VCS.1-5000.0.0,2.RCS.1000-3000.-1.0,f,"
	"3.BCS.500.f-1/w1-0.0,a.-2,3.VECS.*.0.0,d.300,T.-2,s.-3,p.9000"},
    {GEM_WSIM, "-v", "-I", "1", "-r", "10", "-c", "8", "-w",
	"1.VCS1.3000-5000.0.0,1.RCS.1000.-1.0,2.VCS2.1-900.-1.1,p.7000"},
    {GEM_EXEC_NOP, "-r", "1"},
    {BENCHMARKS "gem_exec_ctx", "-r", "1"},
    /* Threads that spin, and one with a timer of its own. */
    {BENCHMARKS "gem_syslatency", "-t", "1"},
    {turns, "threads", "locks", "fork", "handler"},
    {waits, "rwlock", "shared", "popen"},
    {timers, "itimer", "exec", "signals", "calls", "messages"},
};

/* Returns err without the line that gem_syslatency writes first where there is no
 * /dev/cpu_dma_latency, as in a container, or where this user may not open it. */
static const char *
without_sleeps(const char *err)
{
	static const char note[] = "Unable to prevent CPU sleeps";
	const char *end = strchr(err, '\n');

	return strncmp(err, note, strlen(note)) == 0 && end != NULL ? end + 1
								    : err;
}

/* Cuts the thread's number, which is real, from a line of gem_syslatency 2.0. */
static void
cut_thread(char *out)
{
	static const char mark[] = "[thread:";
	char *from = strstr(out, mark), *to;

	if (from == NULL)
		return;
	from += strlen(mark);
	to = from + strspn(from, "0123456789");
	memmove(from, to, strlen(to) + 1);
}

/* Runs a program, and returns all that it wrote. */
static void
run_for_outputs(const char *const *program, char *outputs[OUTPUTS])
{
	static const char profile[] = "--profile=" SLOW_PROFILE;
	const char *args[40] = {"-q", "--virtual-time", profile,
	    "--json=run.json", "--requests=run.tsv", "--trace=run.trace.json"};
	struct outcome r;

	for (size_t i = 0; program[i] != NULL; i++)
		args[6 + i] = program[i];
	run_program(&r, args);
	if (r.status != 0 || *without_sleeps(r.err) != '\0')
		fail_msg("%s: status %d: %s", program[0], r.status, r.err);
	outputs[0] = strdup(r.out);
	cut_thread(outputs[0]);
	outputs[1] = read_whole("run.json", NULL);
	outputs[2] = read_whole("run.tsv", NULL);
	outputs[3] = read_whole("run.trace.json", NULL);
	outcome_free(&r);
}

/* Keeps the machine busy, while this process lives. At a real-time priority, which the
 * test may have been given, nothing else would run. */
static pid_t
start_load(void)
{
	const struct sched_param none = {0};
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sched_setscheduler(0, SCHED_OTHER, &none);
	}
	while (pid == 0)
		continue;
	return pid;
}

static void
compare_runs(const char *const *program)
{
	char *first[OUTPUTS], *second[OUTPUTS];
	pid_t load[3];

	run_for_outputs(program, first);
	for (size_t i = 0; i < sizeof load / sizeof *load; i++)
		load[i] = start_load();
	run_for_outputs(program, second);
	for (size_t i = 0; i < sizeof load / sizeof *load; i++) {
		kill(load[i], SIGKILL);
		waitpid(load[i], NULL, 0);
	}
	for (int i = 0; i < OUTPUTS; i++) {
		assert_string_equal(first[i], second[i]);
		free(first[i]);
		free(second[i]);
	}
}

TEST(each_run_is_the_same)
{
	FILE *f = fopen(SLOW_PROFILE, "w");

	assert_non_null(f);
	fputs(slow_profile, f);
	fclose(f);
	for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++)
		if (access(repeated[i][0], X_OK) == 0)
			compare_runs(repeated[i]);
	need_gem_wsim();
}

/* gpuwl-run is beside the program that is tested, and so are its programs. */
static int
use_second_name(void **state)
{
	char *real = realpath(test_program(), NULL);
	char path[4096];
	int folder;

	(void)state;
	assert_non_null(real);
	folder = (int)(strrchr(real, '/') - real);
	snprintf(path, sizeof path, "%.*s/gpuwl-run", folder, real);
	snprintf(
	    turns, sizeof turns, "%.*s/tests/programs/turns", folder, real);
	snprintf(
	    waits, sizeof waits, "%.*s/tests/programs/waits", folder, real);
	snprintf(
	    timers, sizeof timers, "%.*s/tests/programs/timers", folder, real);
	free(real);
	setenv("GPUWL_TOP", path, 1);
	enter_test_folder();
	use_own_devices();
	return 0;
}

FIXTURES(use_second_name, NULL);
