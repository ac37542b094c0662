/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Devices that are served: --serve in batch mode, with descriptors and a program
 * beside them, and how it ends; gpuwl-run on them.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <dirent.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"
#include "tests/support/wsim_version.h"

#define LOAD "1.RCS.1000.0.1"

/* Number of files in the folder of sockets. */
static size_t
count_left(void)
{
	struct dirent *entry;
	size_t n = 0;
	DIR *d;

	d = opendir("gpuwl");
	if (d == NULL)
		return 0;
	while ((entry = readdir(d)) != NULL)
		n += entry->d_name[0] != '.';
	closedir(d);
	return n;
}

/* Reads a line that a child writes to the pipe. */
static void
await_line(int fd, char *line, size_t size)
{
	size_t n = 0;

	while (n + 1 < size && read(fd, line + n, 1) == 1 && line[n] != '\n')
		n++;
	line[n] = '\0';
}

/* A device that is served in the background. */
struct served {
	struct child child;
	int errors; /* its standard error */
	char path[512];
};

static void
serve_with(struct served *s, const char *const *args)
{
	char line[512];
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	s->child = start_program(&(struct streams){.err_fd = ends[1]}, args);
	close(ends[1]);
	s->errors = ends[0];
	await_line(s->errors, line, sizeof(line));
	expect_match(line, "^serving /.*\\.socket$");
	snprintf(s->path, sizeof(s->path), "%s", line + strlen("serving "));
}

#define SERVE(s, ...)                                                          \
	serve_with(                                                            \
	    (s), (const char *const[]){"-b", "--serve", __VA_ARGS__, NULL})

static void
end_serving(struct served *s, int signal, struct outcome *r)
{
	kill(s->child.pid, signal);
	finish_program(r, s->child);
	close(s->errors);
}

TEST(signals_end_it)
{
	static const int signals[] = {SIGINT, SIGTERM};

	for (size_t i = 0; i < 2; i++) {
		struct outcome r;
		struct served s;
		struct stat st;

		SERVE(&s, "--json=end.json");
		assert_int_equal(stat(s.path, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
		assert_non_null(strstr(s.path, "/gpuwl/0.socket"));
		end_serving(&s, signals[i], &r);
		assert_int_equal(r.status, 0);
		assert_string_equal(r.out, "");
		outcome_free(&r);
		assert_int_equal(count_left(), 0);
		assert_int_equal(stat("end.json", &st), 0);
		assert_true(st.st_size > 100);
	}
}

TEST(name_is_taken)
{
	struct outcome r;
	struct served s;

	SERVE(&s, "--serve=here", "-q");
	assert_non_null(strstr(s.path, "/gpuwl/here.socket"));
	RUN(&r, "-b", "--serve=here");
	assert_int_equal(r.status, 3);
	expect_match(r.err,
	    "a device named 'here' is served already: choose another name, "
	    "e.g. --serve=0\n");
	outcome_free(&r);
	end_serving(&s, SIGTERM, &r);
	outcome_free(&r);
}

/* Another name is proposed that is free. */
TEST(a_free_name_is_proposed)
{
	struct served zero, one;
	struct outcome r;

	SERVE(&zero, "-q");
	RUN(&r, "-b", "--serve");
	expect_match(r.err, "named '0' is served already.*--serve=1\n");
	outcome_free(&r);
	SERVE(&one, "--serve=1", "-q");
	RUN(&r, "-b", "--serve=1");
	expect_match(r.err, "named '1' is served already.*--serve=2\n");
	outcome_free(&r);
	end_serving(&zero, SIGTERM, &r);
	outcome_free(&r);
	RUN(&r, "-b", "--serve=1");
	expect_match(r.err, "named '1' is served already.*--serve=0\n");
	outcome_free(&r);
	end_serving(&one, SIGTERM, &r);
	outcome_free(&r);
}

TEST(program_ends_it)
{
	struct outcome r;

	RUN(&r, "-b", "--serve", "--", "sh", "-c", "echo it; exit 7");
	assert_int_equal(r.status, 7);
	assert_string_equal(r.out, "it\n");
	expect_match(r.err, "^serving /.*/0\\.socket\n$");
	outcome_free(&r);
	RUN(&r, "-b", "--serve", "-q", "--", "sh", "-c", "kill -9 $$");
	assert_int_equal(r.status, 128 + 9);
	outcome_free(&r);
	RUN(&r, "-b", "--serve", "--", "no-such-program");
	assert_int_equal(r.status, 127);
	outcome_free(&r);
	assert_int_equal(count_left(), 0);
}

/* A descriptor and a program share the engine. */
TEST(descriptors_beside)
{
	json_t *report, *clients, *file, *program;
	struct outcome r;

	need_gem_wsim();
	write_file("load.wsim", LOAD "\n");
	RUN(&r, "-b", "--serve", "--json=both.json", "load.wsim", "--",
	    GEM_WSIM, "-w", LOAD, "-r", "50");
	assert_int_equal(r.status, 0);
	expect_match(r.out, "elapsed \\([0-9.]+ workloads/s\\)");
	expect_matchf(r.err,
	    "\n[0-9.]+s elapsed \\([0-9.]+ workloads/s\\)\n"
	    "gem_wsim \\(pid [0-9]+\\): %u batches in",
	    wsim_batches(50));
	report = json_load_file("both.json", 0, NULL);
	assert_non_null(report);
	clients = json_object_get(report, "clients");
	assert_int_equal(json_array_size(clients), 2);
	file = json_array_get(clients, 0);
	program = json_array_get(clients, 1);
	assert_string_equal(
	    json_string_value(json_object_get(file, "workload")), "load.wsim");
	assert_true(
	    json_integer_value(json_object_get(file, "iterations")) >= 40);
	assert_int_equal(
	    json_integer_value(json_object_get(program, "batches")),
	    wsim_batches(50));
	assert_string_equal(
	    json_string_value(json_object_get(report, "device")), "virtual");
	assert_string_equal(
	    json_string_value(json_object_get(program, "name")), "gem_wsim");
	assert_string_equal(
	    json_string_value(json_object_get(program, "workload")),
	    GEM_WSIM " -w " LOAD " -r 50");
	assert_true(json_integer_value(json_object_get(program, "pid")) > 1);
	assert_int_equal(
	    json_integer_value(json_object_get(program, "iterations")), 0);
	assert_null(json_object_get(file, "pid"));
	json_decref(report);
	outcome_free(&r);
}

static void
expect_options_refused(const char *a, const char *b, const char *reason)
{
	struct outcome r;

	RUN(&r, "-b", a, b);
	assert_int_equal(r.status, 2);
	if (strstr(r.err, reason) == NULL)
		fail_msg("%s %s: %s", a, b, r.err);
	outcome_free(&r);
}

TEST(refused_options)
{
	struct outcome r;

	expect_options_refused(
	    "--serve=a/b", "-q", "invalid device name 'a/b'");
	expect_options_refused("--serve=run-12", "-q",
	    "invalid device name 'run-12': run- and a number");
	expect_options_refused("--serve", "--speed=max", "in real time");
	expect_options_refused("--serve", "--record=x", "--record cannot be");
	expect_options_refused("--privileged", "-wx", "needs --serve");
	RUN(&r, "-b", "--serve", "--duration=1", "--", "true");
	assert_int_equal(r.status, 2);
	expect_match(r.err, "until the program ends");
	outcome_free(&r);
	RUN(&r, "-b", "--serve", "--json", "--", "true");
	assert_int_equal(r.status, 2);
	expect_match(r.err, "standard output is the program's");
	outcome_free(&r);
}

TEST(duration)
{
	struct outcome r;

	RUN(&r, "-b", "--serve", "--duration=0.05");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

/* Starts gpuwl-run, which is beside the program that is tested. */
static struct child
start_run(const struct streams *streams, const char *const *args)
{
	const char *top = getenv("GPUWL_TOP");
	char kept[4096], run[4096];
	struct child child;
	int folder;

	snprintf(kept, sizeof(kept), "%s", top != NULL ? top : "");
	folder = (int)(strrchr(kept, '/') + 1 - kept);
	snprintf(run, sizeof(run), "%.*sgpuwl-run", folder, kept);
	setenv("GPUWL_TOP", run, 1);
	child = start_program(streams, args);
	setenv("GPUWL_TOP", kept, 1);
	return child;
}

static void
run_on(struct outcome *r, const char *const *args)
{
	finish_program(r, start_run(NULL, args));
}

#define GPUWL_RUN(r, ...) run_on((r), (const char *const[]){__VA_ARGS__, NULL})

/* Runs a program where a device is served. */
TEST(run_connects)
{
	struct outcome r;
	struct served s;

	need_gem_wsim();
	SERVE(&s, "-q", "--json=there.json");
	GPUWL_RUN(&r, GEM_WSIM, "-w", LOAD, "-r", "20");
	assert_int_equal(r.status, 0);
	expect_matchf(r.err,
	    "^gem_wsim \\(pid [0-9]+\\): %u batches in [0-9.]+ s; "
	    "RCS [0-9.]+ %%; 0 hangs\n$",
	    wsim_batches(20));
	outcome_free(&r);
	/* One line per process of this run, and of no other. */
	GPUWL_RUN(&r, "--connect=0", "sh", "-c",
	    GEM_WSIM " -w 1.BCS.100.0.1 -r 3 >&2; " GEM_WSIM
		     " -w 1.VCS1.100.0.1 -r 4 >&2");
	assert_int_equal(r.status, 0);
	expect_matchf(r.err,
	    "\ngem_wsim \\(pid [0-9]+\\): %u batches in [0-9.]+ s; BCS .*"
	    "\ngem_wsim \\(pid [0-9]+\\): %u batches in [0-9.]+ s; VCS1 ",
	    wsim_batches(3), wsim_batches(4));
	assert_null(strstr(r.err, "RCS"));
	outcome_free(&r);
	GPUWL_RUN(&r, "-q", "--connect", s.path, "sh", "-c", "exit 9");
	assert_int_equal(r.status, 9);
	assert_string_equal(r.err, "");
	outcome_free(&r);
	end_serving(&s, SIGTERM, &r);
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

static void
expect_run_refused(const char *option, const char *program, const char *reason)
{
	struct outcome r;

	GPUWL_RUN(&r, option, program);
	assert_int_equal(r.status, 125);
	if (strstr(r.err, reason) == NULL)
		fail_msg("%s: %s", option, r.err);
	outcome_free(&r);
}

TEST(run_is_refused)
{
	struct outcome r;
	struct served a, b;

	expect_run_refused("--connect=0", "true", "the device '0' is gone");
	SERVE(&a, "-q", "--serve=a");
	expect_run_refused("--profile=ideal", "true", "add --own");
	expect_run_refused("--scheduler=fifo", "true", "add --own");
	expect_run_refused("--speed=2", "true", "add --own");
	expect_run_refused("--json=x", "true", "ask there");
	expect_run_refused("--requests=x", "true", "ask there");
	expect_run_refused("--trace=x", "true", "ask there");
	SERVE(&b, "-q", "--serve=b");
	expect_run_refused("-q", "true", "several devices are served: a, b");
	GPUWL_RUN(&r, "--own", "--profile=ideal", "true");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	setenv("GPUWL_DEVICE", "b", 1);
	GPUWL_RUN(&r, "sh", "-c", "echo $GPUWL_I915_SOCKET");
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.out, "/b.socket"));
	outcome_free(&r);
	unsetenv("GPUWL_DEVICE");
	end_serving(&a, SIGTERM, &r);
	outcome_free(&r);
	end_serving(&b, SIGTERM, &r);
	outcome_free(&r);
}

/* A console may be suspended (Ctrl-Z): programs say what they wait for. */
TEST(device_is_stopped)
{
	char line[512], wanted[128];
	struct child child;
	struct outcome r;
	struct served s;
	int ends[2];

	SERVE(&s, "-q");
	kill(s.child.pid, SIGSTOP);
	assert_int_equal(pipe(ends), 0);
	child = start_run(&(struct streams){.err_fd = ends[1]},
	    (const char *const[]){"true", NULL});
	close(ends[1]);
	await_line(ends[0], line, sizeof(line));
	snprintf(wanted, sizeof(wanted),
	    "^gpuwl-run: waiting for the device '0': its process %d is "
	    "stopped: continue it with fg",
	    (int)s.child.pid);
	expect_match(line, wanted);
	kill(s.child.pid, SIGCONT);
	finish_program(&r, child);
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	close(ends[0]);
	end_serving(&s, SIGTERM, &r);
	outcome_free(&r);
}

/* The program, its gpuwl-run and the next one are told. */
TEST(device_is_killed)
{
	struct outcome r;
	struct served s;

	need_gem_wsim();
	SERVE(&s, "-q");
	{
		char command[512];

		snprintf(command, sizeof(command),
		    "kill -9 %ld; " GEM_WSIM " -w " LOAD " >&2; exit 3",
		    (long)s.child.pid);
		GPUWL_RUN(&r, "sh", "-c", command);
	}
	assert_int_equal(r.status, 3);
	expect_match(r.err, "gpuwl: the virtual GPU has gone");
	expect_match(r.err,
	    "gpuwl-run: the device '0' is gone: it ended before the program, "
	    "whose own figures are wrong");
	outcome_free(&r);
	finish_program(&r, s.child);
	close(s.errors);
	assert_int_equal(r.status, 128 + 9);
	outcome_free(&r);
	expect_run_refused("--connect=0", "true", "its process was killed");
	/* The next device removes the files that it left. */
	assert_int_equal(count_left(), 3);
	GPUWL_RUN(&r, "--own", "true");
	outcome_free(&r);
	assert_int_equal(count_left(), 0);
}

static int
use_test_folder(void **state)
{
	char path[4096];

	(void)state;
	if (getenv("GPUWL_TOP") != NULL &&
	    realpath(getenv("GPUWL_TOP"), path) != NULL)
		setenv("GPUWL_TOP", path, 1);
	enter_test_folder();
	setenv("XDG_RUNTIME_DIR", test_folder(), 1);
	unsetenv("GPUWL_DEVICE");
	return 0;
}

FIXTURES(use_test_folder, NULL);
