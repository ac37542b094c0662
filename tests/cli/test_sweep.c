/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --sweep: its lines are those of single runs, in the order of combinations,
 * whatever the number of processes is; a file that was cut short is completed; and
 * the commands of the rows print the same.
 */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <jansson.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/run_program.h"

#define STEPS "1.RCS.500-1500.0.0,1.VCS.800.f-1.0,p.4000"

#define COMMON "-b", "-w", STEPS, "--duration=0.2"
#define AXES   "--sweep=clients=1..4", "--sweep=scheduler=fifo,execlists"

static void
expect_lines(const char *text, size_t n)
{
	size_t lines = 0;

	for (const char *p = text; (p = strchr(p, '\n')) != NULL; p++)
		lines++;
	assert_int_equal(lines, n);
}

/* Returns field i, from 0, of line n, in a buffer. */
static const char *
field(const char *text, size_t n, size_t i)
{
	static char buffer[256];
	size_t len;

	while (n-- > 0)
		text = strchr(text, '\n') + 1;
	while (i-- > 0)
		text += strcspn(text, "\t\n") + 1;
	len = strcspn(text, "\t\n");
	snprintf(buffer, sizeof buffer, "%.*s", (int)len, text);
	return buffer;
}

TEST(order)
{
	static const char *const clients[] = {
	    "1", "1", "2", "2", "3", "3", "4", "4"};
	struct outcome one, three;

	RUN(&one, COMMON, AXES, "-j1");
	RUN(&three, COMMON, AXES, "-j3");
	assert_string_equal(one.err, "");
	assert_int_equal(one.status, 0);
	assert_string_equal(one.out, three.out);
	expect_lines(one.out, 9);
	assert_memory_equal(one.out,
	    "clients\tscheduler\telapsed_ns\tworkloads_s\tmisses\t"
	    "latency_p50_ns\tlatency_p99_ns\tbusiest\tbusiest_percent\t"
	    "busy_percent.RCS\t",
	    20);
	for (size_t i = 0; i < 8; i++) {
		assert_string_equal(field(one.out, i + 1, 0), clients[i]);
		assert_string_equal(
		    field(one.out, i + 1, 1), i % 2 ? "execlists" : "fifo");
	}
	outcome_free(&one);
	outcome_free(&three);
}

/* The figures are those of --json. */
TEST(figures)
{
	struct outcome sweep, single;
	char rate[64], elapsed[64];
	json_t *json;

	RUN(&sweep, COMMON, "--sweep=clients=3");
	RUN(&single, COMMON, "-c3", "-q", "--json");
	json = json_loads(single.out, 0, NULL);
	assert_non_null(json);
	snprintf(rate, sizeof rate, "%.3f",
	    json_number_value(json_object_get(json, "workloads_per_s")));
	snprintf(elapsed, sizeof elapsed, "%lld",
	    (long long)json_integer_value(json_object_get(json, "elapsed_ns")));
	assert_string_equal(field(sweep.out, 1, 1), elapsed);
	assert_string_equal(field(sweep.out, 1, 2), rate);
	json_decref(json);
	outcome_free(&sweep);
	outcome_free(&single);
}

/* A combination that cannot run is a row, with an error. */
TEST(bad_rows)
{
	struct outcome r;

	RUN(&r, COMMON, "--sweep=scheduler=fifo,none,guc");
	assert_int_equal(r.status, 0);
	expect_lines(r.out, 4);
	assert_string_equal(field(r.out, 1, 1), "200000000");
	assert_string_equal(field(r.out, 2, 1), "-");
	assert_non_null(strstr(r.out, "\t-\tinvalid scheduler 'none'"));
	assert_string_equal(field(r.out, 3, 1), "200000000");
	outcome_free(&r);
}

TEST(goes_on)
{
	struct outcome whole, rest;
	char *text;

	RUN(&whole, COMMON, AXES);
	for (size_t len = 0; len <= whole.out_len; len += 97) {
		text = strndup(whole.out, len);
		write_file("cut.tsv", text);
		free(text);
		RUN(&rest, COMMON, AXES, "-o", test_path("cut.tsv"));
		assert_string_equal(rest.err, "");
		assert_int_equal(rest.status, 0);
		text = read_whole("cut.tsv", NULL);
		assert_string_equal(text, whole.out);
		free(text);
		outcome_free(&rest);
	}
	RUN(&rest, COMMON, "--sweep=clients=1..4", "-o", test_path("cut.tsv"));
	assert_int_equal(rest.status, 2);
	assert_non_null(strstr(rest.err, "cut.tsv:1: this line is of another"));
	outcome_free(&rest);
	outcome_free(&whole);
}

TEST(commands)
{
	struct outcome whole, commands;
	char *joined;

	RUN(&whole, COMMON, AXES);
	RUN(&commands, COMMON, AXES, "--sweep-commands");
	assert_int_equal(commands.status, 0);
	expect_lines(commands.out, 8);
	write_file("commands.sh", commands.out);
	assert_int_equal(system("sh commands.sh >joined"), 0);
	joined = read_whole("joined", NULL);
	assert_string_equal(joined, whole.out);
	free(joined);
	outcome_free(&commands);
	outcome_free(&whole);
}

static bool
has_parallel(void)
{
	return system("parallel --version 2>&1 </dev/null | "
		      "grep -q '^GNU parallel'") == 0;
}

TEST(parallel)
{
	struct outcome whole, commands;
	char *joined;

	if (!has_parallel())
		skip_test("no GNU parallel (package parallel)");
	RUN(&whole, COMMON, AXES);
	RUN(&commands, COMMON, AXES, "--sweep-commands");
	write_file("commands.sh", commands.out);
	assert_int_equal(
	    system("HOME=$PWD parallel -k <commands.sh >joined"), 0);
	joined = read_whole("joined", NULL);
	assert_string_equal(joined, whole.out);
	free(joined);
	outcome_free(&commands);
	outcome_free(&whole);
}

#define LONG_AXES "--sweep=clients=1..6", "--sweep=seed=1..20"

/* Waits until a file has that many bytes, or the program has ended. False: it
 * has. */
static bool
wait_for_bytes(const char *path, off_t bytes, pid_t pid)
{
	struct stat st = {0};
	siginfo_t end = {0};

	while (stat(path, &st) != 0 || st.st_size < bytes) {
		struct timespec ms = {.tv_nsec = 1000000};

		if (waitid(P_PID, (id_t)pid, &end,
			WEXITED | WNOHANG | WNOWAIT) != 0 ||
		    end.si_pid == pid)
			return false;
		nanosleep(&ms, NULL);
	}
	return true;
}

/* Killed again and again, and started again, it writes the same. */
TEST(killed)
{
	static const char *const args[] = {"-b", "-w", STEPS, "--duration=0.2",
	    LONG_AXES, "-j2", "-o", "killed.tsv", NULL};
	struct outcome whole, r;
	unsigned seed = 5, kills = 0;
	off_t bytes = 0;
	char *text;

	RUN(&whole, COMMON, LONG_AXES);
	for (bool killed = true; killed;) {
		struct child c = start_program(NULL, args);

		bytes += rand_r(&seed) % 2000;
		killed = wait_for_bytes("killed.tsv", bytes, c.pid);
		if (killed)
			kill(c.pid, SIGKILL);
		kills += killed;
		finish_program(&r, c);
		assert_string_equal(r.err, "");
		outcome_free(&r);
	}
	assert_true(kills > 0);
	text = read_whole("killed.tsv", NULL);
	assert_string_equal(text, whole.out);
	free(text);
	outcome_free(&whole);
}

/* Two sweeps cannot write one file at a time. */
TEST(locked)
{
	static const char *const args[] = {"-b", "-w", STEPS,
	    "--sweep=seed=1..8", "--sweep=repeat=10,100000000", "-j1", "-o",
	    "locked.tsv", NULL};
	struct child c = start_program(NULL, args);
	struct outcome r;
	char *text;

	assert_true(wait_for_bytes("locked.tsv", 200, c.pid));
	RUN(&r, COMMON, "--sweep=seed=1..8", "--sweep=repeat=10,100000000",
	    "-o", "locked.tsv");
	assert_int_equal(r.status, 2);
	assert_string_equal(r.err,
	    "gpuwl-top: --output: locked.tsv is being written by another "
	    "sweep: expected another file, or its end\n");
	assert_string_equal(r.out, "");
	outcome_free(&r);
	kill(c.pid, SIGKILL);
	finish_program(&r, c);
	outcome_free(&r);
	text = read_whole("locked.tsv", NULL);
	assert_non_null(strstr(text, "\n1\t10\t"));
	free(text);
}

static int
compare_times(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/* Returns the smallest of n times that per_mille of 1000 do not exceed. */
static uint64_t
nearest_rank(uint64_t *times, size_t n, size_t per_mille)
{
	qsort(times, n, sizeof *times, compare_times);
	return times[(n * per_mille + 999) / 1000 - 1];
}

#define MOST_ROWS 100000

/* Percentiles are exact: those of the rows of --requests. */
static void
expect_percentiles(const char *workload, const char *clients)
{
	static uint64_t latency[MOST_ROWS], wait[MOST_ROWS];
	char sweep_option[40], clients_option[40], expected[64];
	struct outcome sweep, single;
	size_t n = 0;

	snprintf(
	    sweep_option, sizeof sweep_option, "--sweep=clients=%s", clients);
	snprintf(
	    clients_option, sizeof clients_option, "--clients=%s", clients);
	RUN(&sweep, "-b", "--duration=1", sweep_option, "-w", workload);
	RUN(&single, "-b", "--duration=1", clients_option, "-q", "--requests=-",
	    "-w", workload);
	for (const char *line = strchr(single.out, '\n') + 1; *line != '\0';
	     line = strchr(line, '\n') + 1) {
		unsigned long long submit, ready, start, end;

		assert_true(n < MOST_ROWS);
		if (sscanf(line,
			"%*s %*s %*s %*s %*s %llu %llu %llu %llu %*s %*s ok",
			&submit, &ready, &start, &end) != 4 ||
		    strncmp(strchr(line, '\n') - 2, "ok", 2) != 0)
			continue;
		latency[n] = end - submit;
		wait[n++] = start - ready;
	}
	assert_true(n > 100);
	snprintf(expected, sizeof expected, "%llu",
	    (unsigned long long)nearest_rank(latency, n, 500));
	assert_string_equal(field(sweep.out, 1, 4), expected);
	snprintf(expected, sizeof expected, "%llu",
	    (unsigned long long)nearest_rank(latency, n, 990));
	assert_string_equal(field(sweep.out, 1, 5), expected);
	outcome_free(&sweep);
	snprintf(expected, sizeof expected, "\"queue_wait_p99_ns\": %llu",
	    (unsigned long long)nearest_rank(wait, n, 990));
	RUN(&sweep, "-b", "--duration=1", "--capacity", "--goal=hangs<=0",
	    "--max-clients=1", "--seeds=1", "-q", "--json", "-w", workload);
	if (strcmp(clients, "1") == 0)
		assert_non_null(strstr(sweep.out, expected));
	outcome_free(&sweep);
	outcome_free(&single);
}

TEST(percentiles)
{
	expect_percentiles("1.RCS.1000.0.1", "1");
	expect_percentiles("1.RCS.1000.0.1", "3");
	expect_percentiles(STEPS, "1");
	expect_percentiles(STEPS, "5");
	expect_percentiles(
	    "1.RCS.10-2000.0.0,2.BCS.5.0.0,1.VCS.7-900.-2.1", "7");
}

static void
expect_refused(const char *option, const char *words)
{
	struct outcome r;

	RUN(&r, COMMON, option);
	if (r.status != 2 || strstr(r.err, words) == NULL)
		fail_msg("%s: status %d, %s", option, r.status, r.err);
	outcome_free(&r);
}

TEST(refused)
{
	struct outcome r;

	expect_refused("--sweep=clients", "expected KEY=VALUES");
	expect_refused("--sweep=klients=1", "invalid key 'klients'");
	expect_refused("--sweep=costs.x=1", "invalid key 'costs.x'");
	expect_refused("--sweep=seed=2..1", "rising");
	expect_refused("--sweep-commands", "needs --sweep");
	expect_refused("--warmup=1", "needs --sweep");
	expect_refused("--goal=hangs<=0", "--goal needs --capacity or --tune");
	RUN(&r, "-b", "--sweep=seed=1", "-o", "/dev/zero", "-w", "1.RCS.1.0.0");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "/dev/zero is not a regular file"));
	outcome_free(&r);
}

FIXTURES(in_test_folder, NULL);
