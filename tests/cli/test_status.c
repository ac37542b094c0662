/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the program ends: exit statuses, what it says of bad input, options
 * and outputs, signals, hangs and deadlocks; --check, --format, -L, -l. */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define IDEAL        "-b", "--profile=ideal"
#define BATCH        "1.RCS.1000.0.1"
#define UNUSED_FENCE "f,1.RCS.1000.0.1"

/* Ends with this status; these words are in what it says on standard error
 * (a), on standard output (b). */
#define ENDS(status_, a, b, ...)                                               \
	do {                                                                   \
		struct outcome r_;                                             \
		RUN(&r_, __VA_ARGS__);                                         \
		check_outcome(&r_, status_, a, b);                             \
		outcome_free(&r_);                                             \
	} while (0)

static void
check_outcome(
    const struct outcome *r, int status, const char *err, const char *out)
{
	if (r->status != status || strstr(r->err, err) == NULL ||
	    strstr(r->out, out) == NULL)
		fail_msg("status %d (not %d), error '%s' (not '%s'), "
			 "output '%s' (not '%s')",
		    r->status, status, r->err, err, r->out, out);
	/* A clean end says nothing on standard error. */
	if (*err == '\0')
		assert_string_equal(r->err, "");
}

TEST(input_is_wrong)
{
	ENDS(1, "workload 0:1:7: error: ", "", IDEAL, "-w", "1.RCS.1x.0.0");
	ENDS(1, "\n1.RCS.1x.0.0\n      ^", "", IDEAL, "-w", "1.RCS.1x.0.0");
	ENDS(1, "workload 1:1:", "", IDEAL, "-w", BATCH, "-w", "z");
	ENDS(1, "read as a descriptor", "", IDEAL, "-w", "media19");
	ENDS(1, "No such file", "", IDEAL, "-w", "nothing.wsim");
	ENDS(1, "No such file", "", IDEAL, "-w", "no/such/file");
	ENDS(1, "nothing.wsim: No such file", "", "--check", "nothing.wsim");
	ENDS(1, "nothing: No such file", "", "--format", "nothing");
	ENDS(1, "/tmp is not a regular file", "", "--format", "/tmp");
	ENDS(1, "/tmp is not a regular file", "", IDEAL, "-w", "/tmp");
	write_file(test_path("bom.wsim"), "\xef\xbb\xbf" BATCH);
	ENDS(1, "bom.wsim: begins with a byte order mark", "", IDEAL, "-w",
	    test_path("bom.wsim"));
	ENDS(1, "bom.wsim: begins with a byte order mark", "", "--check",
	    test_path("bom.wsim"));
	/* A folder is not read as a descriptor. */
	ENDS(1, "tests is not a regular file", "", IDEAL, "-w", "tests");
	/* Unless it is one by itself: gem_wsim takes regular files only
	 * (doc/model/gem_wsim.md "Options"). */
	assert_int_equal(mkdir("d.7", 0700), 0);
	ENDS(0, "", "s elapsed", IDEAL, "-w", "d.7");
	assert_int_equal(rmdir("d.7"), 0);
	if (symlink("loop", test_path("loop")) != 0)
		fail();
	ENDS(1, "loop: Too many levels", "", IDEAL, "-w", test_path("loop"));
	ENDS(1, "append workload:1:", "", IDEAL, "-a", "s.-1", "-w", BATCH);
	ENDS(1, "the append workload", "", IDEAL, "-a", "d.0", "-w", BATCH);
	/* An engine that the profile does not have. */
	ENDS(1, "workload 0:1:", "", IDEAL, "-w", "1.VCS9.1000.0.0");
	/* The scheduler refuses these. */
	ENDS(1, "fifo", "", IDEAL, "-w", "G.1.VCS1/VCS2,1.DEFAULT.5.0.0");
	/* Both workloads are reported at once. */
	ENDS(1, "workload 1:1:1: error: ", "", IDEAL, "-w", "y", "-w", "z");
	ENDS(1, "workload 0:1:1: error: ", "", IDEAL, "-w", "y", "-w", "z");
}

TEST(options_are_wrong)
{
	ENDS(2, "unknown option '-z'", "", "-z");
	ENDS(2, "Try 'gpuwl-top --help'", "", "-z");
	ENDS(2, "'abc'", "", IDEAL, "-w", BATCH, "-c", "abc");
	ENDS(2, "'abc'", "", IDEAL, "-w", BATCH, "-I", "abc");
	ENDS(2, "no workload", "", "-b");
	ENDS(2, "invalid scheduler 'best'", "", "--check", "--scheduler=best",
	    "-");
	ENDS(2, "lifo", "", IDEAL, "-w", BATCH, "--scheduler=lifo");
	ENDS(2, "nosuch", "", "-b", "-w", BATCH, "--profile=nosuch");
	ENDS(2, "nosuch", "", "--check", "-", "--profile=nosuch");
	ENDS(2, "nosuch", "", "-l", "--profile=nosuch");
	ENDS(2, "No such file", "", IDEAL, "-w", BATCH, "--json=/no/such/x");
	ENDS(
	    2, "No such file", "", IDEAL, "-w", BATCH, "--requests=/no/such/x");
}

/* No text of a file or an argument controls the terminal. */
TEST(no_escapes)
{
	static const char *const lines[][6] = {
	    {"-b", "-w", BATCH, "--profile=bo\033[31mgus"},
	    {"-b", "-w", BATCH, "--scheduler=bo\033[31mgus"},
	    {"-b", "-w", BATCH, "--json=/no\033[31mgus/x"},
	    {"-b", "-w", BATCH, "--requests=/no\033[31mgus/x"},
	    {"-b", "-w", "no\033[31mgus/x"},
	    {"-b", "-w", "1.bo\033[31mgus.5.0.0"},
	    {"--check", "bo\033[31mgus"},
	    {"--format", "bo\033[31mgus"},
	    {"--bo\033[31mgus"},
	    {"-c", "bo\033[31mgus"},
	    {"-b", "-vv", "-w", BATCH, "--profile", "NAMED"},
	    {"-l", "--profile", "NAMED"},
	};
	struct outcome r;

	write_file(test_path("named.ini"), "[profile]\nname = bo\033[31mgus\n");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const char *args[8] = {0};

		for (size_t k = 0; k < 6 && lines[i][k] != NULL; k++)
			args[k] = strcmp(lines[i][k], "NAMED") == 0
			    ? test_path("named.ini")
			    : lines[i][k];
		run_program(&r, args);
		if (strpbrk(r.err, "\033") != NULL ||
		    strpbrk(r.out, "\033") != NULL)
			fail_msg("row %zu: %s%s", i, r.err, r.out);
		if (strstr(r.err, "[31mgus") == NULL &&
		    strstr(r.out, "[31mgus") == NULL)
			print_message("row %zu does not tell: %s", i, r.err);
		outcome_free(&r);
	}
}

/* A workload is never what a report is written to. */
TEST(output_over_input)
{
	char *text;

	write_file(test_path("keep.wsim"), BATCH);
	ENDS(2, "keep.wsim is a workload: not overwritten", "", IDEAL, "-w",
	    test_path("keep.wsim"), "--requests", test_path("keep.wsim"));
	text = read_whole(test_path("keep.wsim"), NULL);
	assert_string_equal(text, BATCH);
	free(text);
}

/* Warnings of the appended steps come once, not with each workload. */
TEST(append_is_explained_once)
{
	struct outcome r;

	RUN(&r, IDEAL, "-a", "f", "-w", BATCH, "-w", BATCH);
	check_outcome(&r, 0, "append workload:1:1: warning: ", " elapsed ");
	assert_null(strstr(strstr(r.err, "warning") + 1, "warning"));
	outcome_free(&r);
}

TEST(wrong_profile_file)
{
	write_file(test_path("bad.ini"), "[device]\nRCS = many\n");
	ENDS(1, "bad.ini:2: error: ", "", "-b", "-w", BATCH, "--profile",
	    test_path("bad.ini"));
}

TEST(outputs_that_fail)
{
	struct outcome r;
	struct streams full = {.out = "/dev/full"}, closed = {.out = ""};

	ENDS(3, "/dev/full: No space left", " elapsed ", IDEAL, "-w", BATCH,
	    "--requests=/dev/full");
	ENDS(3, "/dev/full: No space left", " elapsed ", IDEAL, "-w", BATCH,
	    "--json=/dev/full");
	RUN_WITH(&r, &full, IDEAL, "-w", BATCH);
	check_outcome(&r, 3, "standard output: No space left", "");
	outcome_free(&r);
	RUN_WITH(&r, &full, IDEAL, "--json", "-q", "-w", BATCH);
	check_outcome(&r, 3, "standard output: No space left", "");
	outcome_free(&r);
	RUN_WITH(&r, &closed, IDEAL, "-w", BATCH);
	check_outcome(&r, 3, "standard output: Bad file descriptor", "");
	outcome_free(&r);
	/* A run ends when the reader of its rows has gone. */
	ENDS(3, "/dev/full: No space left", " elapsed ", IDEAL,
	    "--duration=1e9", "-w", "1.RCS.1.0.1", "--requests=/dev/full");
}

/* A run whose standard output is a pipe that nothing reads: it ends, without a
 * word. */
static void
expect_quiet_end(const char *const *args)
{
	struct streams s = {0};
	struct outcome r;
	char before[300];

	snprintf(before, sizeof(before), "exec 4<>'%s' >'%s' 4<&-",
	    test_path("fifo"), test_path("fifo"));
	s.before = before;
	run_program_with(&r, &s, args);
	assert_int_equal(r.status, 3);
	assert_string_equal(r.err, "");
	outcome_free(&r);
}

#define ENDS_QUIETLY(...)                                                      \
	expect_quiet_end((const char *const[]){__VA_ARGS__, NULL})

/* As with "| head". */
TEST(closed_pipe)
{
	char command[300];

	snprintf(command, sizeof(command), "mkfifo '%s'", test_path("fifo"));
	assert_int_equal(system(command), 0);
	ENDS_QUIETLY(
	    IDEAL, "--requests=-", "--duration=1e9", "-w", "1.RCS.1.0.1");
	ENDS_QUIETLY(IDEAL, "--requests=-", "--speed=0.001", "-w", BATCH);
	ENDS_QUIETLY(IDEAL, "--json", "-q", "-w", BATCH);
	ENDS_QUIETLY(IDEAL, "-w", BATCH);
	ENDS_QUIETLY("--help");
}

TEST(deadlock)
{
	struct outcome r;
	json_t *o;

	ENDS(3, "deadlock at ", "0.000s elapsed (0.000 workloads/s)\n", IDEAL,
	    "-w", "f,1.RCS.100.f-1.1,a.-2");
	RUN(&r, IDEAL, "-q", "--json", "-w", "f,1.RCS.100.f-1.1,a.-2");
	o = json_loads(r.out, 0, NULL);
	assert_true(json_is_true(json_object_get(o, "deadlock")));
	json_decref(o);
	outcome_free(&r);
}

TEST(hang)
{
	struct outcome r;
	json_t *o;

	write_file(test_path("hang.ini"), "[timeouts]\nhang_ms = 10\n");
	RUN(&r, "-b", "--profile", test_path("hang.ini"), "-q", "--json",
	    "--requests", test_path("rows"), "-r", "3", "-w",
	    "7.RCS.*.0.1,1.BCS.5000.0.1");
	check_outcome(&r, 3, "hang: client 0 context 7, line 1 (step 0)", "");
	o = json_loads(r.out, 0, NULL);
	assert_int_equal(json_integer_value(json_object_get(o, "hangs")), 3);
	/* The run goes on: three times 10 ms and 5 ms. */
	assert_int_equal(
	    json_integer_value(json_object_get(o, "elapsed_ns")), 45000000);
	json_decref(o);
	outcome_free(&r);

	char *rows = read_whole(test_path("rows"), NULL);

	assert_non_null(strstr(
	    rows, "\n0\t0\t0\t7\tRCS\t0\t0\t0\t10000000\t10000000\t0\tEIO\n"));
	free(rows);
}

static void
sleep_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

static void
check_signal(int signal, int status, const char *speed)
{
	struct outcome r;
	struct child c = start_program(NULL,
	    (const char *const[]){IDEAL, "--json", "-r", "1000000000000", speed,
		"-w", BATCH, NULL});
	json_t *o;

	sleep_ms(400);
	kill(c.pid, signal);
	finish_program(&r, c);
	check_outcome(&r, status, "s elapsed (", "");
	o = json_loads(r.out, 0, NULL);
	assert_true(json_is_true(json_object_get(o, "interrupted")));
	assert_true(json_integer_value(json_object_get(o, "elapsed_ns")) > 0);
	json_decref(o);
	outcome_free(&r);
}

TEST(signals)
{
	check_signal(SIGINT, 130, "--speed=max");
	check_signal(SIGTERM, 143, "--speed=max");
	check_signal(SIGHUP, 129, "--speed=max");
	check_signal(SIGQUIT, 131, "--speed=max");
	check_signal(SIGINT, 130, "--speed=1000");
}

/* Runs with a terminal as standard error, and reads what the program writes
 * there. All of it has arrived when reading fails, since no process has the
 * terminal open any more. */
static void
run_on_terminal(struct outcome *r, char *text, size_t size, const char *speed,
    const char *repeat)
{
	struct streams s = {0};
	struct termios raw;
	int master, slave;
	size_t len = 0;
	ssize_t n;

	memset(&raw, 0, sizeof(raw));
	cfmakeraw(&raw);
	assert_int_equal(openpty(&master, &slave, NULL, &raw, NULL), 0);
	s.err_fd = slave;
	RUN_WITH(r, &s, IDEAL, speed, "-r", repeat, "-w", BATCH);
	close(slave);
	while ((n = read(master, text + len, size - 1 - len)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	close(master);
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The line comes and goes on a terminal. */
TEST(progress)
{
	struct outcome r;
	char text[65536];
	size_t len;

	run_on_terminal(&r, text, sizeof(text), "--speed=1", "1000");
	assert_string_equal(r.out, "1.000s elapsed (1000.000 workloads/s)\n");
	outcome_free(&r);
	len = strlen(text);
	assert_true(len > 4);
	assert_non_null(strstr(text, "% "));
	assert_non_null(strstr(text, " s simulated, "));
	assert_string_equal(text + len - 4, "\r\033[K");
}

/* It does not come in a run that is over before it would be worth it; how long
 * one takes is the machine's affair. */
TEST(no_progress_in_a_short_run)
{
	struct outcome r;
	char text[65536];
	double begun = seconds();

	run_on_terminal(&r, text, sizeof(text), "--speed=max", "1");
	if (seconds() - begun < 0.5)
		assert_string_equal(text, "");
	outcome_free(&r);
}

TEST(check)
{
	struct outcome r;
	struct streams s = {.in = "1.RCS.5.0.0\n"};

	write_file(test_path("good.wsim"), BATCH "\n# x\nd.5\n");
	write_file(test_path("ours.wsim"), "G.1.VCS1/VCS2\n1.DEFAULT.5.0.0\n");
	write_file(test_path("bad.wsim"), BATCH "\nd.0\nq.1x\n1.VCS7.5.0.0\n");
	ENDS(0, "", "good.wsim: ok, 2 steps, portable to gem_wsim\n", "--check",
	    test_path("good.wsim"));
	ENDS(0, "",
	    "ours.wsim: ok, 2 steps, not portable to gem_wsim: ", "--check",
	    test_path("ours.wsim"));
	ENDS(0, "", "; G needs --scheduler=guc\n", "--check",
	    test_path("ours.wsim"));
	ENDS(0, "", ": parallel slots (G) are not in gem_wsim\n", "--check",
	    "--scheduler=guc", test_path("ours.wsim"));
	ENDS(1, "fifo", "ours.wsim: refused by fifo\n", "--check",
	    "--scheduler=fifo", test_path("ours.wsim"));
	/* All diagnostics, of all files, in one pass. */
	RUN(&r, "--check", test_path("bad.wsim"), test_path("none.wsim"),
	    test_path("good.wsim"));
	check_outcome(&r, 1, "bad.wsim:2:3: error: ", "bad.wsim: ");
	check_outcome(&r, 1, "bad.wsim:3:3: error: ", "good.wsim: ok");
	check_outcome(&r, 1, "none.wsim: No such file", "");
	outcome_free(&r);
	write_file(test_path("vcs7.wsim"), "1.VCS7.5.0.0\n");
	ENDS(1, "vcs7.wsim:1:3: error: ", ": 1 error\n", "--check",
	    test_path("vcs7.wsim"));
	RUN_WITH(&r, &s, "--check", "-");
	check_outcome(&r, 0, "", "-: ok, 1 step, portable to gem_wsim\n");
	outcome_free(&r);
}

TEST(warnings)
{
	struct outcome r;

	write_file(test_path("warn.wsim"), "f\n" BATCH "\n");
	ENDS(0, "warn.wsim:1:1: warning: ", "warn.wsim: ok", "--check",
	    test_path("warn.wsim"));
	RUN(&r, "--check", "-q", test_path("warn.wsim"));
	check_outcome(&r, 0, "", "");
	assert_string_equal(r.out, "");
	outcome_free(&r);
	ENDS(0, "warning: ", " elapsed ", IDEAL, "-w", UNUSED_FENCE);
	ENDS(0, "", "", IDEAL, "-q", "-w", UNUSED_FENCE);
	write_file(test_path("empty.wsim"), "# nothing\n\n");
	ENDS(0, "warning: no step in workload 0\n",
	    "0.000s elapsed (0.000 workloads/s)\n", IDEAL, "-w", "");
	ENDS(0, "empty.wsim\n", " elapsed ", IDEAL, "-w",
	    test_path("empty.wsim"));
	ENDS(0, "", " elapsed ", IDEAL, "-a", BATCH, "-w", "");
}

/* Many errors of one kind, as of a file of another language: some in full, the
 * others as lines. */
TEST(many_errors)
{
	struct outcome r;
	struct text t = {0};

	for (unsigned i = 0; i < 12; i++)
		text_adds(&t, i == 9 ? BATCH "\n" : "nonsense\n");
	text_adds(&t, "1.RCS.1x.0.0\n");
	write_file(test_path("many.wsim"), text_str(&t));
	RUN(&r, "--check", test_path("many.wsim"));
	check_outcome(&r, 1, "many.wsim:5:1: error: unknown step", "12 errors");
	assert_null(strstr(r.err, "many.wsim:6:1:"));
	assert_non_null(strstr(r.err, "many.wsim:13:7: error: "));
	assert_non_null(strstr(r.err,
	    "many.wsim: and 6 more errors, unknown step '...', in lines 6 to "
	    "9, 11 to 12\n"));
	outcome_free(&r);
	text_free(&t);
}

TEST(format)
{
	struct outcome r;
	struct streams s = {.in = "1.rcs.5.0.0 , d.5\r\n # x\n"};
	struct streams bad = {.in = "1.RCS.5.0\n"};

	RUN_WITH(&r, &s, "--format", "-");
	check_outcome(&r, 0, "", "1.RCS.5.0.0\nd.5\n");
	outcome_free(&r);
	RUN_WITH(&r, &bad, "--format", "-");
	check_outcome(&r, 1, "-:1:", "");
	assert_string_equal(r.out, "");
	outcome_free(&r);
}

TEST(lists)
{
	struct outcome r;

	RUN(&r, "-l", "--profile=ideal");
	assert_int_equal(r.status, 0);
	assert_string_equal(r.err, "");
	if (strstr(r.out, "no GPU") != NULL) {
		assert_non_null(
		    strstr(r.out, "the model's engines (profile ideal):\n"));
		assert_non_null(strstr(
		    r.out, "VCS2   class VCS, instance 1, gt 0, HEVC\n"));
	}
	outcome_free(&r);
	/* gen9: only the first has it. */
	RUN(&r, "-l", "--profile=skl-gt4");
	if (strstr(r.out, "no GPU") != NULL) {
		assert_non_null(strstr(
		    r.out, "VCS1   class VCS, instance 0, gt 0, HEVC\n"));
		assert_non_null(
		    strstr(r.out, "VCS2   class VCS, instance 1, gt 0\n"));
	}
	outcome_free(&r);
	/* GPUs, not engines. */
	RUN(&r, "-L");
	check_outcome(&r, 0, "", "");
	assert_null(strstr(r.out, "class VCS"));
	outcome_free(&r);
	ENDS(0, "", "Usage: gpuwl-top", "--help");
	ENDS(0, "", "drm, drm:fifo, drm:rr", "--help");
	ENDS(0, "", " elapsed ", IDEAL, "--scheduler=drm:fifo", "-w", BATCH);
	ENDS(0, "", "Usage: gpuwl-top", "-h");
	ENDS(0, "", "gpuwl-top 0", "--version");
}

static int
ignore_pipes(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

FIXTURES(ignore_pipes, NULL);
