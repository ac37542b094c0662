/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that the console writes of the layer: they are whole however it ends, have
 * one time line over launches, and no reader of them can hold the console up.
 */
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fcntl.h>

#include <jansson.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"
#include "tests/support/run_program.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

#define STEPS                                                                  \
	"#@ label push \"Shadow\"\n#@ renderpass 64x64 draws=2\n"              \
	"#@ label pop\n1.RCS.2000.0.0\n2.VCS1.1000.-1.0\np.5000\n"

static struct pty *
start(const char *option, const char *file)
{
	char *argv[] = {pty_program(), (char *)"--delay", (char *)"0.05",
	    (char *)"a.wsim", (char *)(uintptr_t)option,
	    (char *)(uintptr_t)file, NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p;

	write_file("a.wsim", STEPS);
	p = pty_start(100, 30, argv, env);
	pty_wait_text(p, "F10");
	return p;
}

/* The virtual time in the header, in seconds; -1: the screen has none. */
static double
virtual_time_shown(struct pty *p)
{
	struct text screen = {0};
	const char *at;
	double time = -1;

	pty_screen(p, &screen);
	at = strstr(text_str(&screen), " time ");
	if (at != NULL)
		time = strtod(at + strlen(" time "), NULL);
	text_free(&screen);
	return time;
}

/* Until some virtual time has passed: at least that much, as no screen need be seen
 * that has an instant of it. */
static void
wait_a_while(struct pty *p)
{
	time_t end = time(NULL) + 60;

	while (virtual_time_shown(p) < 0.3) {
		if (time(NULL) > end)
			fail_msg("virtual time stands still");
		pty_wait_bytes(p);
	}
}

/* How a console can end: keys, or a signal. */
static const struct end {
	const char *keys;
	int signal;
} ends[] = {{"q", 0}, {":q!\r", 0}, {"\003", 0}, {"", SIGTERM}, {"", SIGHUP},
    {"", SIGINT}, {"", SIGKILL}};

static void
end(struct pty *p, const struct end *how)
{
	pty_send(p, how->keys);
	if (how->signal != 0)
		kill(pty_pid(p), how->signal);
	pty_wait_status(p);
	pty_free(p);
}

static json_t *
load(const char *path)
{
	json_error_t error;
	json_t *trace = json_load_file(path, 0, &error);

	if (trace == NULL)
		fail_msg("%s:%d: %s", path, error.line, error.text);
	assert_true(json_array_size(trace) > 100);
	return trace;
}

TEST(json_ends_whole)
{
	for (size_t i = 0; i < N(ends); i++) {
		struct pty *p = start("--trace-json", "t.json");

		wait_a_while(p);
		end(p, &ends[i]);
		json_decref(load("t.json"));
	}
}

/* The last message is of the end of the run, not of a while before. */
TEST(layer_ends_whole)
{
	for (size_t i = 0; i < N(ends); i++) {
		struct pty *p = start("--layer", "m");
		struct outcome r;

		wait_a_while(p);
		end(p, &ends[i]);
		RUN(&r, "--layer-dump", "m");
		assert_string_equal(r.err, "");
		assert_int_equal(r.status, 0);
		assert_non_null(strstr(r.out, "\"label\":[\"Shadow\"]"));
		assert_non_null(strstr(r.out, "\"fid\":50,"));
		outcome_free(&r);
	}
}

/* The number of the launch whose row of engines the event names; -1: none. */
static int
named_launch(const json_t *event)
{
	const char *name = json_string_value(
	    json_object_get(json_object_get(event, "args"), "name"));

	if (name == NULL)
		return -1;
	if (strcmp(name, "Engines") == 0)
		return 0;
	return strcmp(name, "Launch 2 (guc): Engines") == 0 ? 1 : -1;
}

static json_int_t
number_of(const json_t *event, const char *key)
{
	return json_integer_value(json_object_get(event, key));
}

static bool
is_named(const json_t *event, const char *name)
{
	const char *is = json_string_value(
	    json_object_get(json_object_get(event, "args"), "name"));

	return is != NULL && strcmp(is, name) == 0;
}

static bool
is_slice_of(const json_t *event, json_int_t row)
{
	return strcmp(json_string_value(json_object_get(event, "ph")), "X") ==
	    0 &&
	    number_of(event, "tid") == row;
}

/* Slices of the rows of RCS come one after the other, in all launches. */
static void
expect_in_order(const json_t *trace)
{
	json_int_t groups[2] = {-1, -1}, rows[2] = {-1, -1};
	unsigned n_slices[2] = {0};
	double last = -1;
	size_t i;
	json_t *event;

	json_array_foreach(trace, i, event)
	{
		double at = json_number_value(json_object_get(event, "ts"));
		int launch = named_launch(event);

		if (launch >= 0)
			groups[launch] = number_of(event, "pid");
		for (launch = 0; launch < 2; launch++) {
			if (is_named(event, "RCS") &&
			    number_of(event, "pid") == groups[launch])
				rows[launch] = number_of(event, "tid");
			if (rows[launch] < 0 ||
			    !is_slice_of(event, rows[launch]))
				continue;
			assert_true(at >= last);
			assert_true(launch == 1 || n_slices[1] == 0);
			n_slices[launch]++;
			last = at;
		}
	}
	assert_true(n_slices[0] > 0 && n_slices[1] > 0);
	assert_int_not_equal(groups[0], groups[1]);
}

/* The time of the launch before it is shown until the next frame: while it is paused
 * the second launch is at its begin. */
TEST(launches_follow_each_other)
{
	struct pty *p = start("--trace-json", "t.json");
	json_t *trace;

	wait_a_while(p);
	pty_send(p, " ");
	pty_wait_text(p, "PAUSED");
	pty_send(p, ":scheduler guc\r");
	pty_wait_text(p, "restarted with");
	pty_wait_text(p, " time 0.0");
	pty_send(p, " ");
	pty_wait_text(p, "running");
	wait_a_while(p);
	end(p, &ends[0]);
	trace = load("t.json");
	expect_in_order(trace);
	json_decref(trace);
}

/* A pipe without a reader is refused; a reader comes, and then stops: keys
 * work all the same, and it is said when there is too much for it. */
TEST(slow_reader)
{
	struct pty *p = start("--profile", "ideal");
	char some[64];
	int fd;

	assert_int_equal(mkfifo("pipe", 0600), 0);
	pty_send(p, ":layer pipe\r");
	pty_wait_text(p, "is a pipe without a reader");
	fd = open("pipe", O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	pty_send(p, ":layer pipe\r");
	pty_wait_text(p, "writing the layer's messages to pipe");
	assert_int_equal(poll(&(struct pollfd){fd, POLLIN, 0}, 1, 30000), 1);
	assert_true(read(fd, some, sizeof(some)) > 0);
	pty_send(p, ":speed max\r");
	pty_wait_text(p, "its reader is too slow");
	pty_send(p, "6z");
	pty_wait_text(p, "  live");
	close(fd);
	end(p, &ends[0]);
}

/* A reader that goes is no death of the console. */
TEST(reader_goes)
{
	struct pty *p = start("--profile", "ideal");
	int fd;

	unlink("pipe");
	assert_int_equal(mkfifo("pipe", 0600), 0);
	fd = open("pipe", O_RDONLY | O_NONBLOCK);
	pty_send(p, ":trace pipe\r");
	pty_wait_text(p, "writing a Perfetto trace");
	close(fd);
	pty_wait_text(p, "no longer written: pipe: Broken pipe");
	end(p, &ends[0]);
}

/* A file that can't be written at the start is reported before anything is drawn. */
TEST(refusals)
{
	static const struct {
		const char *option, *file, *wanted;
	} cases[] = {
	    {"--trace", "no/such/folder", "No such file or directory"},
	    {"--layer", "a.wsim", "a.wsim is a workload: not overwritten"},
	    {"--trace", "-", "standard output is the screen's"},
	    {"--trace", "/dev/tty", "/dev/tty: is a terminal"},
	    {"--trace-json", "/", "Is a directory"},
	};

	for (size_t i = 0; i < N(cases); i++) {
		char *argv[] = {pty_program(), (char *)"a.wsim",
		    (char *)(uintptr_t)cases[i].option,
		    (char *)(uintptr_t)cases[i].file, NULL};
		char *env[] = {NULL};
		struct pty *p;
		int status;

		write_file("a.wsim", STEPS);
		p = pty_start(100, 30, argv, env);
		pty_wait_text(p, cases[i].wanted);
		status = pty_wait_status(p);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 2);
		pty_free(p);
		expect_file("a.wsim", STEPS);
	}
}

/* Faults of files that a descriptor names are reported at its line. */
TEST(spirv_files_are_looked_into)
{
	static const char *const runs[][6] = {
	    {"--check", "s.wsim"}, {"-b", "-r", "1", "-w", "s.wsim"}};

	write_file("s.wsim",
	    "1.RCS.10.0.0\n#@ dispatch 1x1x1 spirv=nowhere.spv:main\n"
	    "#@ dispatch 1x1x1 spirv=none.spv\n1.CCS.10.0.0\n");
	write_file("none.spv", "none");
	for (size_t i = 0; i < N(runs); i++) {
		const char *args[7] = {0};
		struct outcome r;

		memcpy(args, runs[i], sizeof(runs[i]));
		run_program(&r, args);
		assert_int_equal(r.status, 0);
		assert_non_null(strstr(
		    r.err, "s.wsim:2:25: warning: can't read nowhere.spv"));
		assert_non_null(strstr(r.err, "s.wsim:3:25: warning:"));
		outcome_free(&r);
	}
}

FIXTURES(in_test_folder, NULL);
