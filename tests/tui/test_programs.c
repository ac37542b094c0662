/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs in the console, on a pty: gem_wsim as a client, its end by a key, a
 * GPU that stands still, output of programs, and what ends with the console.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/pty.h"

static struct pty *
start_at(int cols, int rows)
{
	char *argv[] = {
	    pty_program(), (char *)"--scheduler=fifo", (char *)"a.wsim", NULL};
	char runtime[64], path[96];
	char *env[] = {test_state_home(), runtime, path, NULL};
	struct pty *p;

	write_file("a.wsim", "1.RCS.100.0.0\np.50000\n");
	snprintf(runtime, sizeof(runtime), "XDG_RUNTIME_DIR=%s/runtime",
	    test_folder());
	snprintf(
	    path, sizeof(path), "PATH=%s/bin:/usr/bin:/bin", test_folder());
	mkdir("runtime", 0700);
	p = pty_start(cols, rows, argv, env);
	pty_wait_text(p, "F10");
	return p;
}

/* Runs a shell that writes its pid, and waits for it. Returns the pid. */
static pid_t
run_sleeper(struct pty *p)
{
	char *text;
	pid_t pid;

	pty_send(p,
	    ":run sh -c 'echo $$ >pid.new; mv pid.new pid; echo $((40+2))up; "
	    "exec sleep 1000'\r");
	pty_wait_text(p, "sh runs, pid");
	pty_send(p, ":output\r");
	pty_wait_text(p, "42up");
	pty_send(p, "q");
	text = read_whole("pid", NULL);
	pid = (pid_t)strtol(text, NULL, 10);
	unlink("pid");
	free(text);
	assert_true(pid > 1);
	assert_int_equal(kill(pid, 0), 0);
	return pid;
}

/* Waits until a gem_wsim that was just started has a row among the contexts: it
 * made one then. Narrow columns may cut the pid. */
static void
await_row(struct pty *p)
{
	static const char said[] = "gem_wsim runs, pid ";
	struct text screen = {0};
	char row[32];

	pty_wait_text(p, said);
	pty_screen(p, &screen);
	snprintf(row, sizeof(row), "gem_wsim %.4s",
	    strstr(text_str(&screen), said) + strlen(said));
	text_free(&screen);
	pty_wait_text(p, row);
}

TEST(gem_wsim)
{
	struct pty *p;

	need_gem_wsim();
	p = start_at(100, 30);
	pty_send(p,
	    ":run " GEM_WSIM " -w 1.VCS1.3000.0.0,2.RCS.1000.0.1 -r 1000000\r");
	await_row(p);
	pty_wait_text(p, "programs 1");
	pty_wait_text(p, "nothing is rendered");
	pty_send(p, "2 ");
	pty_wait_text(p, "GPU STOPPED");
	pty_send(p, ".");
	pty_wait_text(p, "s: ");
	pty_send(p, " ");
	pty_wait_text(p, "running");
	pty_send(p, ":kill 1\r");
	pty_wait_text(p, "End gem_wsim (pid");
	pty_send(p, "y");
	pty_wait_text(p, "gem_wsim was ended by signal 15 (SIGTERM)");
	pty_wait_text(p, "ended");
	pty_wait_text(p, "programs 0");
	pty_wait_text(p, "(gem_wsim ");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* Other instants are in the timeline only. */
TEST(any_instant)
{
	const char *refused = "programs do not repeat what they did";
	struct pty *p;

	need_gem_wsim();
	p = start_at(120, 30);
	pty_send(p, ":run " GEM_WSIM " -w 1.VCS1.3000.0.1 -r 1000000\r");
	await_row(p);
	pty_send(p, ":goto miss 1\r");
	pty_wait_text(p, refused);
	pty_send(p, "\033");
	pty_wait_gone(p, refused);
	pty_send(p, "\"");
	pty_wait_text(p, refused);
	pty_send(p, ":goto 1ms\r");
	pty_wait_text(p, "the timeline shows the past");
	pty_send(p, ":kill 1\r");
	pty_wait_text(p, "End gem_wsim (pid");
	pty_send(p, "y");
	pty_wait_text(p, "programs 0");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* A change of a program is no edit, so that nothing is asked at the end. */
TEST(priority)
{
	struct pty *p;

	need_gem_wsim();
	p = start_at(140, 30);
	pty_send(p, ":run " GEM_WSIM " -w 1.VCS1.3000.0.1 -r 1000000\r");
	await_row(p);
	pty_send(p, "2G:prio 10\r");
	pty_wait_text(p, "priority 0 -> 10, until the program sets its own");
	pty_send(p, ":preempt 100\r");
	pty_wait_text(p, "own preemption points");
	pty_send(p, "(");
	pty_wait_text(p, "durations of batches are the program's own");
	pty_send(p, "a");
	pty_wait_text(p, "is a program: :run PROGRAM starts another");
	pty_send(p, "r");
	pty_wait_text(p, "is a program: kill it (F9), and :run it again");
	pty_send(p, "X");
	pty_wait_text(p, "own preemption points");
	pty_send(p, ":sseu 1\r");
	pty_wait_text(p, "slices 0x7 -> 0x1, until the program sets its own");
	pty_send(p, ":profile ideal\r");
	pty_wait_text(p, "the profile cannot change while programs use");
	pty_wait_text(p, "as --capture would write it");
	pty_wait_text(p, "1.VCS1.");
	pty_send(p, ":capture FILE.wsim\r");
	pty_wait_text(p, "gpuwl-top -b --profile=");
	assert_int_equal(access("FILE.wsim", R_OK), 0);
	pty_send(p, ":capture FILE.wsim\r");
	pty_wait_text(p, "FILE.wsim: File exists");
	pty_send(p, ":capture! FILE.wsim\r");
	pty_wait_text(p, "gpuwl-top -b --profile=");
	unlink("FILE.wsim");
	pty_send(p, ":speed max\r");
	pty_wait_text(p, "expected a number");
	pty_send(p, ":speed 2\r");
	pty_wait_text(p, "the clock goes on as ever");
	pty_send(p, ":scheduler execlists\r");
	pty_wait_text(p, "cannot change while programs use the device");
	pty_send(p, ":quit!\r");
	pty_expect_end(p, 0);
}

TEST(quit_ends_programs)
{
	struct pty *p = start_at(80, 24);
	pid_t pid = run_sleeper(p);

	pty_send(p, "q");
	pty_wait_text(p, "Quit, and end 1 program started here (SIGTERM)?");
	pty_send(p, "n");
	pty_wait_gone(p, "Quit, and end");
	assert_int_equal(kill(pid, 0), 0);
	pty_send(p, "q");
	pty_wait_text(p, "Quit, and end");
	pty_send(p, "y");
	pty_expect_end(p, 0);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

TEST(a_signal_ends_programs)
{
	static const int signals[] = {SIGTERM, SIGHUP, SIGINT};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct pty *p = start_at(80, 24);
		pid_t pid = run_sleeper(p);

		kill(pty_pid(p), signals[i]);
		pty_wait_status(p);
		pty_free(p);
		assert_int_equal(kill(pid, 0), -1);
	}
}

/* The text of a program can be read to its end and searched, not edited; the
 * documents are there too. */
TEST(descriptor_of_a_program)
{
	struct pty *p;

	need_gem_wsim();
	p = start_at(80, 18);
	pty_send(p,
	    ":run " GEM_WSIM
	    " -w 1.RCS.100.0.0,2.VCS1.200.0.0,3.BCS.300.0.0,4.VECS.400.0.0,"
	    "1.RCS.500.0.0,2.VCS1.600.0.0,3.BCS.700.0.1,p.20000 -r 1000000\r");
	await_row(p);
	pty_send(p, "2G");
	pty_wait_text(p, "as --capture would write it");
	pty_wait_text(p, "they explain");
	assert_false(pty_shows(p, ".BCS.300"));
	pty_send(p, "5G");
	pty_wait_gone(p, "they explain");
	pty_send(p, "/BCS.3\r");
	pty_wait_text(p, ".BCS.3");
	pty_send(p, "g");
	pty_wait_text(p, "they explain");
	for (const char *key = "eodpD"; *key != 0; key++) {
		pty_send(p, (char[]){*key, 0});
		pty_wait_text(p, "runs no descriptor: J shows one to edit");
		pty_send(p, "\x1b");
		pty_wait_gone(p, "runs no descriptor");
	}
	pty_send(p, ":w other.wsim\r");
	pty_wait_text(
	    p, "runs no descriptor: :capture FILE writes what it did");
	pty_send(p, "\x1b");
	pty_wait_gone(p, "runs no descriptor");
	pty_send(p, "+");
	pty_wait_text(p, "priority 0 -> 1");
	pty_send(p, "J");
	pty_wait_text(p, "p.50000");
	pty_send(p, "J");
	pty_wait_text(p, "as --capture would write it");
	pty_send(p, ":2\r");
	pty_wait_text(p, "p.50000");
	pty_send(p, ":quit!\r");
	pty_expect_end(p, 0);
}

/* Programs that make no call have nothing else that ends them. */
TEST(a_crash_ends_programs)
{
	static const int signals[] = {SIGSEGV, SIGKILL};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct pty *p = start_at(80, 24);
		pid_t pid = run_sleeper(p);

		kill(pty_pid(p), signals[i]);
		pty_wait_status(p);
		await_process(pid);
		pty_free(p);
	}
}

/* Programs wait while the console is stopped, and go on with it. */
TEST(suspended)
{
	struct pty *p;

	need_gem_wsim();
	p = start_at(100, 30);
	pty_send(p, ":run " GEM_WSIM " -w 1.VCS1.10000.0.1 -r 100\r");
	pty_wait_text(p, "programs 1");
	pty_send(p, "\x1a");
	assert_true(WIFSTOPPED(pty_wait_status(p)));
	pty_check_given_back(p);
	kill(pty_pid(p), SIGCONT);
	pty_wait_text(p, "gem_wsim has ended");
	pty_send(p, ":refused\r");
	pty_wait_text(p, "no program and no call was refused");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* The first word is completed to programs of $PATH, others to files. */
TEST(run_completes)
{
	struct pty *p;

	mkdir("bin", 0700);
	write_file("bin/frobnicate", "#!/bin/sh\necho \"got $1\"\n");
	chmod("bin/frobnicate", 0700);
	write_file("bin/frobnot", "no program\n");
	p = start_at(80, 24);
	pty_send(p, ":run frobn\t");
	pty_wait_text(p, ":run frobnicate");
	pty_send(p, "a.w\t");
	pty_wait_text(p, ":run frobnicate a.wsim");
	pty_send(p, "\r");
	pty_wait_text(p, "frobnicate has ended");
	pty_send(p, ":output\r");
	pty_wait_text(p, "got a.wsim");
	pty_send(p, "q:run ./bin/frobni\t");
	pty_wait_text(p, ":run ./bin/frobnicate");
	pty_send(p, "\r");
	pty_wait_text(p, "frobnicate has ended");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

TEST(output)
{
	struct pty *p = start_at(80, 24);

	pty_send(p, ":output\r");
	pty_wait_text(p, "no program was started here yet");
	pty_send(p,
	    ":run sh -c 'echo \"two  words\"; printf \"\\033[31mred\\tone\"'\r");
	pty_wait_text(p, "sh has ended");
	pty_send(p, ":output\r");
	pty_wait_text(p, "two  words");
	/* Colours are left out, columns are kept. */
	pty_wait_text(p, "\n red     one");
	/* Progress overwrites itself; bytes that are not text are quoted. */
	pty_send(p,
	    "q:run sh -c 'printf \"$((9*10)) %%\\r$((50*2)) %%\\nnul\\0here\\n\"'\r");
	pty_wait_text(p, "sh has ended");
	pty_send(p, ":output\r");
	pty_wait_text(p, "here");
	assert_false(pty_shows(p, "90 %"));
	assert_true(pty_shows(p, "\n 100 %"));
	pty_send(p, "q:run sh -c 'exit 3'\r");
	pty_wait_text(p, "sh failed with status 3");
	pty_send(p, ":run /nowhere/at/all\r");
	pty_wait_text(p, "/nowhere/at/all");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* A line without an end is shown, and output without end is cut. */
TEST(much_output)
{
	struct pty *p = start_at(80, 24);
	struct stat st;

	pty_send(p, ":run sh -c 'head -c 100000 /dev/zero | tr \"\\0\" x'\r");
	pty_wait_text(p, "sh has ended");
	pty_send(p, ":output\r");
	pty_wait_text(p, "xxxxxxxx");
	pty_send(p, "q:run sh -c 'head -c 70000000 /dev/zero; echo end'\r");
	pty_wait_text(p, "sh has ended");
	pty_send(p, ":output\r");
	pty_wait_text(p, "end");
	pty_send(p, "g");
	assert_int_equal(stat("state/gpuwl/output-0.log", &st), 0);
	/* The last MiB when it had 64, and what came after that. */
	assert_in_range(st.st_size, 1000000, 4000000);
	pty_send(p, "qq");
	pty_expect_end(p, 0);
}

/* --serve without a file: there is no descriptor, but for the program's own. */
TEST(serve)
{
	char runtime[64];
	char *argv[] = {pty_program(), (char *)"--serve=here", (char *)"--",
	    (char *)"sleep", (char *)"1000", NULL};
	char *env[] = {runtime, test_state_home(), NULL};
	struct pty *p;

	snprintf(runtime, sizeof(runtime), "XDG_RUNTIME_DIR=%s/runtime",
	    test_folder());
	mkdir("runtime", 0700);
	p = pty_start(100, 30, argv, env);
	pty_wait_text(p, "virtual i915 here");
	pty_wait_text(p, "sleep runs, pid");
	pty_wait_text(p, "untitled");
	pty_send(p, ":batch\r");
	pty_wait_text(p, "gpuwl-top -b --serve=here -- sleep 1000");
	pty_send(p, "q");
	pty_send(p, "R");
	pty_wait_text(p, "Programs and time go on");
	pty_send(p, "y");
	pty_wait_text(p, "restarted");
	pty_send(p, "q");
	pty_wait_text(p, "Quit, and end 1 program");
	pty_send(p, "y");
	pty_expect_end(p, 0);
}

TEST(small_screen)
{
	struct pty *p = start_at(40, 10);

	run_sleeper(p);
	pty_wait_text(p, "i915 0");
	pty_send(p, ":quit!\r");
	pty_expect_end(p, 0);
}

FIXTURES(in_test_folder, NULL);
