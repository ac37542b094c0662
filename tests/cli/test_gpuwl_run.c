/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpuwl-run: unmodified programs on the virtual i915, gem_wsim of Debian's
 * intel-gpu-tools among them; what is said of them, and exit statuses.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <regex.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"
#include "tests/support/wsim_version.h"

#define BLITS BENCHMARKS "intel_upload_blit_large"

/* Two clients, a dependency, an infinite batch that T ends. */
#define STEPS     "1.RCS.1000.0.0,2.VCS1.500.-1.0,1.BCS.*.0.0,d.1000,T.-2,s.-3,s.-5"
#define N_BATCHES (3 * 2 * 5)

TEST(gem_wsim)
{
	struct outcome r;
	size_t lines = 0;
	char *requests;

	need_gem_wsim();
	RUN(&r, "--requests=requests.tsv", GEM_WSIM, "-w", STEPS, "-r", "5",
	    "-c", "2");
	assert_string_equal(strstr(r.err, "CRITICAL") ? r.err : "", "");
	assert_int_equal(r.status, 0);
	expect_match(r.out, "s elapsed \\([0-9.]+ workloads/s\\)");
	expect_matchf(r.err,
	    "^gem_wsim \\(pid [0-9]+\\): %u batches in [0-9.]+ s; "
	    "RCS [0-9.]+ %%, BCS [0-9.]+ %%, VCS1 [0-9.]+ %%; 0 hangs\n$",
	    wsim_batches(N_BATCHES));
	requests = read_whole("requests.tsv", NULL);
	for (const char *p = requests; (p = strchr(p, '\n')) != NULL; p++)
		lines++;
	assert_int_equal(lines, 1 + wsim_batches(N_BATCHES));
	free(requests);
	outcome_free(&r);
}

/* Batches of a fixed duration take it: by the engine's time, not the host's. */
TEST(durations)
{
	json_t *report, *engine;
	struct outcome r;
	double run;

	need_gem_wsim();
	RUN(&r, "-q", "--profile=ideal", "--scheduler=fifo",
	    "--json=report.json", GEM_WSIM, "-w", "1.RCS.2000.0.1", "-r", "10");
	assert_int_equal(r.status, 0);
	assert_string_equal(r.err, "");
	report = json_load_file("report.json", 0, NULL);
	assert_non_null(report);
	engine = json_array_get(json_object_get(report, "engines"), 0);
	assert_string_equal(
	    json_string_value(json_object_get(engine, "name")), "RCS");
	assert_int_equal(json_integer_value(json_object_get(engine, "batches")),
	    wsim_batches(10));
	run = (double)json_integer_value(json_object_get(engine, "run_ns"));
	assert_true(run >= 10 * 2e6 && run <= 10 * 2.02e6);
	json_decref(report);
	outcome_free(&r);
}

/* The contents of batches, in the column and in the object. */
TEST(contents)
{
	json_t *report, *commands;
	struct outcome r;
	char *requests;

	if (access(BLITS, X_OK) != 0)
		skip_test("no " BLITS " (intel-gpu-tools)");
	RUN(&r, "-q", "--requests=requests.tsv", "--json=report.json", BLITS);
	assert_int_equal(r.status, 0);
	assert_string_equal(r.err, "");
	requests = read_whole("requests.tsv", NULL);
	expect_match(requests, "^client\t[^\n]*\tstatus\tcontents\n");
	expect_match(requests, "\tok\t1 blit\n");
	free(requests);
	report = json_load_file("report.json", 0, NULL);
	commands = json_object_get(report, "commands");
	assert_true(json_integer_value(json_object_get(commands, "blits")) > 0);
	assert_int_equal(
	    json_integer_value(json_object_get(commands, "unknown")), 0);
	assert_true(json_is_null(json_object_get(commands, "unknown_last")));
	json_decref(report);
	outcome_free(&r);
}

/* Runs a shell as the program. */
static void
expect_status(const char *command, int status, const char *out)
{
	struct outcome r;

	RUN(&r, "sh", "-c", command, "word", "--json");
	assert_int_equal(r.status, status);
	assert_string_equal(r.out, out);
	assert_string_equal(r.err, "");
	outcome_free(&r);
}

TEST(statuses)
{
	expect_status("exit 7", 7, "");
	expect_status("kill -TERM $$", 128 + 15, "");
	/* Options after the program are its own. */
	expect_status("echo $0 $1", 0, "word --json\n");
}

static void
expect_refused(
    const char *option, const char *program, int status, const char *reason)
{
	struct outcome r;

	RUN(&r, option, program);
	assert_int_equal(r.status, status);
	assert_string_equal(r.out, "");
	if (strstr(r.err, reason) == NULL)
		fail_msg("%s %s: %s", option, program, r.err);
	outcome_free(&r);
}

TEST(refused)
{
	struct outcome r;

	expect_refused(
	    "-q", "no-such-program", 127, "no such program in $PATH");
	expect_refused("-q", "./", 126, "not an executable file");
	write_file("old", "\177ELF\1");
	assert_int_equal(chmod("old", 0755), 0);
	expect_refused("-q", "./old", 126, "it is a 32-bit program");
	expect_refused("--bogus", "true", 125, "unknown option '--bogus'");
	expect_refused("-c2", "true", 125, "has no effect with gpuwl-run");
	/* Modes of gpuwl-top. */
	expect_refused(
	    "-b", "true", 125, "-b (--batch) has no effect with gpuwl-run");
	expect_refused("--import=trace.txt", "true", 125,
	    "--import has no effect with gpuwl-run");
	expect_refused("--speed=max", "true", 125, "in real time");
	expect_refused(
	    "--json", "true", 125, "standard output is the program's");
	expect_refused("--requests=-", "true", 125, "name a file");
	RUN(&r, "-q");
	assert_int_equal(r.status, 125);
	expect_match(r.err, "no program: name one");
	outcome_free(&r);
	RUN(&r, "--help");
	assert_int_equal(r.status, 0);
	expect_match(r.out, "^Usage: gpuwl-run .*--privileged");
	assert_null(strstr(r.out, "--import"));
	outcome_free(&r);
}

/* One line, which begins with the name that was typed. */
static void
expect_only_line(const char *option, const char *line)
{
	struct outcome r;

	RUN(&r, "-q", option, "true");
	assert_int_equal(r.status, 125);
	expect_match(r.err, line);
	outcome_free(&r);
}

TEST(caller)
{
	expect_only_line(
	    "--profile=none", "^gpuwl-run: no profile 'none'[^\n]*\n$");
	expect_only_line("--scheduler=none",
	    "^gpuwl-run: invalid scheduler 'none'[^\n]*\n$");
	expect_only_line("--json=/dev/full",
	    "^gpuwl-run: /dev/full: No space left on device\n$");
}

/* The device's timers are exact, a program's are as late as ever. */
TEST(timers)
{
	struct outcome r;
	char expected[64];

	snprintf(expected, sizeof expected, "%d\n", prctl(PR_GET_TIMERSLACK));
	RUN(&r, "-q", "cat", "/proc/self/timerslack_ns");
	assert_string_equal(r.out, expected);
	outcome_free(&r);
	if (geteuid() != 0)
		skip_test("timers of another process are shown to root only");
	RUN(&r, "-q", "sh", "-c", "cat /proc/$PPID/timerslack_ns");
	assert_string_equal(r.out, "1\n");
	outcome_free(&r);
}

/* The device has as many descriptors as it may, for objects; a program has as
 * many as ever. */
TEST(descriptors)
{
	struct rlimit before, few;
	struct outcome r;
	char wanted[64];

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 1000;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	RUN(&r, "-q", "bash", "-c",
	    "ulimit -Sn; read -r max < <(ulimit -Hn); prlimit --pid=$PPID "
	    "--nofile -o SOFT --noheadings | { read -r soft; "
	    "[ \"$soft\" -ge \"$max\" ] && echo \"most $max\"; }");
	setrlimit(RLIMIT_NOFILE, &before);
	/* Root's device has more than its hard limit, and the program has not. */
	snprintf(wanted, sizeof(wanted), "1000\nmost %llu\n",
	    (unsigned long long)before.rlim_max);
	assert_string_equal(r.out, wanted);
	outcome_free(&r);
}

/* gpuwl-top is a program too, also with sanitizers: those of gcc are a library,
 * which then comes behind the preload library. */
TEST(gpuwl_top_is_a_program)
{
	char path[4096];
	struct outcome r;

	snprintf(path, sizeof path, "%s", getenv("GPUWL_TOP"));
	strcpy(strrchr(path, '/') + 1, "gpuwl-top");
	allow_sanitizers();
	RUN(&r, "-q", path, "-b", "-w", "1.RCS.100.0.0", "-r", "3");
	unsetenv("ASAN_OPTIONS");
	if (r.status != 0 || strstr(r.out, "workloads/s") == NULL)
		fail_msg("status %d: %s%s", r.status, r.out, r.err);
	outcome_free(&r);
}

/* Socket and files are gone with the device. */
TEST(nothing_is_left)
{
	struct outcome r;
	struct stat st;

	RUN(&r, "sh", "-c",
	    "test -S $GPUWL_I915_SOCKET && test -e $GPUWL_I915_ROOT/dev/dri && "
	    "echo $GPUWL_I915_SOCKET $GPUWL_I915_ROOT");
	assert_int_equal(r.status, 0);
	r.out[strcspn(r.out, "\n")] = 0;
	assert_int_equal(lstat(strchr(r.out, ' ') + 1, &st), -1);
	*strchr(r.out, ' ') = 0;
	assert_int_equal(lstat(r.out, &st), -1);
	outcome_free(&r);
}

FIXTURES(use_gpuwl_run, NULL);
