/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console on a GPU (-D), which is the virtual i915: the program runs on a pty
 * under gpuwl-run. The header names the GPU, live changes act there, a pause
 * holds submissions, and what a GPU cannot do is refused with the reason.
 */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/pty.h"

/* Starts it on a GPU like that of a profile. */
static struct pty *
start_on_part(int cols, int rows, const char *profile, const char *descriptor)
{
	char *argv[] = {pty_program(), (char *)"-q", (char *)profile,
	    gpuwl_top(), (char *)"-D", (char *)"pci:", (char *)"a.wsim", NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p;

	write_file("a.wsim", descriptor);
	p = pty_start(cols, rows, argv, env);
	pty_wait_text(p, "F10");
	return p;
}

static struct pty *
start_on_gpu(int cols, int rows, const char *descriptor)
{
	return start_on_part(cols, rows, "--profile=default", descriptor);
}

TEST(header_names_the_gpu)
{
	struct pty *p = start_on_gpu(
	    120, 40, "1.RCS.1000.0.0\n2.VCS1.300.-1.1\np.5000\n");

	pty_wait_text(p, "i915 tigerlake 0000:00:02.0");
	pty_wait_text(p, "stamps +-");
	pty_wait_text(p, "running");
	assert_false(pty_shows(p, "model"));
	assert_false(pty_shows(p, "speed"));
	assert_false(pty_shows(p, "scheduler"));
	assert_true(pty_shows(p, "Space Pause  Tab Pane"));
	pty_resize(p, 80, 24);
	pty_wait_text(p, "i915 tigerlake 0000:00:02.0");
	pty_resize(p, 40, 10);
	pty_wait_text(p, "i915 tigerlake");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* The message that the last keys have left goes. */
static void
clear_message(struct pty *p, const char *message)
{
	pty_wait_text(p, message);
	pty_send(p, "\033");
	pty_wait_gone(p, message);
}

/* Other instants are in the timeline only. */
TEST(any_instant_is_refused)
{
	const char *refused = "a GPU does not repeat what it did";
	struct pty *p = start_on_gpu(120, 40, "1.RCS.1000.0.0\np.5000\n");

	pty_wait_text(p, "running");
	pty_send(p, ":goto miss 1\r");
	clear_message(p, refused);
	pty_send(p, ":goto +3600\r");
	clear_message(p, refused);
	pty_send(p, "'");
	clear_message(p, refused);
	pty_send(p, ":branches 1\r");
	clear_message(p, refused);
	pty_send(p, ":goto 1ms\r");
	clear_message(p, "the timeline shows the past, as far back as memory");
	pty_wait_text(p, "running");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* Starts it on a GPU that lacks something (tests/programs/lacks.c). */
static struct pty *
start_without(const char *lacks)
{
	char *argv[] = {pty_program(), (char *)"-q", (char *)"sh", (char *)"-c",
	    NULL, NULL};
	char command[8192];
	char *env[] = {test_state_home(), NULL};
	char *preload = test_preload("lacks");
	struct pty *p;

	snprintf(command, sizeof(command),
	    "LD_PRELOAD=%s:$LD_PRELOAD "
	    "LACKS=%s exec %s -D pci: -w 1.RCS.500.0.1",
	    preload, lacks, gpuwl_top());
	free(preload);
	argv[4] = command;
	p = pty_start(200, 40, argv, env);
	pty_wait_text(p, "running");
	return p;
}

/* Counters that this user may not open are said at the start, with the way to get
 * them, and the next source is in their place. */
TEST(rights_of_counters)
{
	char lacks[64];
	struct pty *p;

	snprintf(lacks, sizeof lacks, "call=%d=13", SYS_perf_event_open);
	p = start_without(lacks);
	pty_wait_text(p, "needs the capability CAP_PERFMON");
	pty_wait_text(p, "FDINFO%");
	pty_send(p, "q");
	pty_expect_end(p, 0);
	strcat(lacks, ",fdinfo=0=13");
	p = start_without(lacks);
	pty_wait_text(p, "needs Linux 5.19 or later");
	pty_wait_text(p, "STAMPS%");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* A user who may not raise priorities gets a message from the edit that does. */
TEST(rights_are_said_at_edits)
{
	struct pty *p = start_without("context=6=1,context=7=19");

	pty_send(p, ":prio 1 5\n");
	pty_wait_text(p,
	    "has no priority above 0 (P) for this user: needs the "
	    "capability CAP_SYS_NICE");
	pty_send(p, ":sseu 1 1\n");
	pty_wait_text(
	    p, "has no slice masks (S): needs a GPU of generation 11");
	pty_send(p, "5oP.1.5\r");
	pty_wait_text(p, "such priorities are 0 in this");
	pty_send(p, "q");
	pty_wait_text(p, "quit without");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

TEST(a_model_is_called_so)
{
	char *argv[] = {
	    gpuwl_top(), (char *)"-w", (char *)"1.RCS.1000.0.1", NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p;

	p = pty_start(100, 30, argv, env);
	pty_wait_text(p, "model default");
	assert_false(pty_shows(p, "i915"));
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

TEST(pause_holds_what_is_submitted)
{
	struct pty *p = start_on_gpu(120, 40, "1.RCS.2000.0.1\n");

	pty_wait_text(p, "running");
	pty_wait_text(p, "ctx 1 ");
	pty_send(p, " ");
	pty_wait_text(p, "PAUSED");
	pty_send(p, " ");
	pty_wait_text(p, "running");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* An infinite batch does not end by itself; time goes on until it does. */
TEST(pause_waits_for_what_is_in_flight)
{
	struct pty *p = start_on_gpu(120, 40, "1.RCS.*.0.0\nd.1000000000\n");

	pty_wait_text(p, "ctx 1 ");
	pty_send(p, " ");
	pty_wait_text(p, "PAUSING");
	pty_send(p, ":kill 0\r");
	pty_wait_text(p, "Kill client 0");
	pty_send(p, "y");
	pty_wait_text(p, "clients 0 of 1");
	pty_send(p, " :launch 1\r");
	pty_wait_text(p, "clients 1 of 2");
	pty_wait_text(p, "running");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* Software fences are ours: what waits for one is not submitted yet. */
TEST(held_requests_are_marked)
{
	struct pty *p = start_on_gpu(120, 40,
	    "f\n1.RCS.500.f-1.0\n2.VCS1.*.0.0\nd.1000000000\nT.-2\na.-5\n");

	pty_send(p, "3");
	pty_wait_text(p, "RCS    held ");
	pty_wait_text(p, "VCS1   running");
	pty_wait_text(p, "fence of line 1 (step 0)");
	pty_wait_text(p, "held 1");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

TEST(slices_that_a_part_cannot_set)
{
	struct pty *p = start_on_part(
	    120, 40, "--profile=skl-gt4", "1.RCS.2000.0.1\n");

	pty_wait_text(p, "i915 skylake");
	pty_wait_text(p, "ctx 1 ");
	pty_send(p, ":sseu 1 1\r");
	pty_wait_text(p, "needs a GPU of generation 11");
	pty_send(p, "q"); /* nothing was edited */
	pty_expect_end(p, 0);
}

/* Copies the program, its other name and its library where other users may go:
 * the folder that it was built in may be root's own. Returns false if one of them
 * cannot be copied. */
static bool
copy_for_others(void)
{
	const char *slash = strrchr(gpuwl_top(), '/');
	struct text command = {0};
	int status;

	text_addf(&command,
	    "cd others && cp '%s' gpuwl-top && cp '%.*s/libgpuwl-i915.so' . && "
	    "ln -s gpuwl-top gpuwl-run",
	    gpuwl_top(), (int)(slash - gpuwl_top()), gpuwl_top());
	status = system(text_str(&command));
	text_free(&command);
	return status == 0;
}

/* A user without CAP_SYS_NICE. Only root can become one. */
TEST(priorities_need_a_capability)
{
	char home[128], dir[128], run[128], program[128];
	char *argv[] = {(char *)"/usr/bin/setpriv", (char *)"--reuid=65534",
	    (char *)"--regid=65534", (char *)"--clear-groups", run,
	    (char *)"-q", program, (char *)"-D", (char *)"pci:", (char *)"-w",
	    (char *)"1.RCS.2000.0.1", NULL};
	char *env[] = {home, dir, NULL};
	struct pty *p;

	if (geteuid() != 0 || access(argv[0], X_OK) != 0)
		skip_test("needs root and setpriv");
	mkdir("others", 0700);
	assert_int_equal(chmod(test_folder(), 0755), 0);
	assert_true(copy_for_others());
	assert_int_equal(chown("others", 65534, 65534), 0);
	snprintf(run, sizeof run, "%s/others/gpuwl-run", test_folder());
	snprintf(program, sizeof program, "%s/others/gpuwl-top", test_folder());
	snprintf(home, sizeof home, "XDG_STATE_HOME=%s/others", test_folder());
	snprintf(dir, sizeof dir, "XDG_RUNTIME_DIR=%s/others", test_folder());
	p = pty_start(120, 40, argv, env);
	pty_wait_text(p, "ctx 1 ");
	pty_send(p, ":prio 1 10\r");
	pty_wait_text(p, "needs the capability CAP_SYS_NICE");
	pty_send(p, "2");
	pty_wait_gone(p, "needs the capability");
	pty_send(p, "+");
	pty_wait_text(p, "needs the capability CAP_SYS_NICE");
	pty_send(p, "-");
	pty_wait_text(p, "P.1.-1");
	pty_send(p, ":quit!\r");
	pty_expect_end(p, 0);
}

/* A text that the editor writes runs on the GPU; time does not pass meanwhile. */
TEST(editor)
{
	struct pty *p;

	write_file("editor", "#!/bin/sh\nsed -i s/RCS/BCS/ \"$1\"\n");
	chmod("editor", 0700);
	setenv("EDITOR", "./editor", 1);
	unsetenv("VISUAL");
	p = start_on_gpu(120, 40, "1.RCS.2000.0.1\n");
	pty_wait_text(p, "ctx 1 ");
	pty_send(p, "E");
	pty_wait_text(p, "1.BCS.2000.0.1");
	pty_wait_text(p, "BCS,RCS");
	pty_wait_text(p, "running");
	pty_send(p, ":quit!\r");
	pty_expect_end(p, 0);
	unsetenv("EDITOR");
}

TEST(what_a_gpu_cannot_do)
{
	static const char *const refused[][2] = {
	    {":speed 2\r", "a GPU runs in real time: no other speed"},
	    {"]", "a GPU runs in real time: no other speed"},
	    {".", "no single steps"},
	    {":set speed max\r", "a GPU runs in real time: no other speed"},
	    {":profile ideal\r", "the profile cannot change on a GPU"},
	    {":scheduler fifo\r", "the scheduler cannot change on a GPU"},
	    {":compare fifo\r", "a GPU has one scheduler, the kernel's"},
	    {":run true\r", "they open the GPU themselves"},
	};
	struct pty *p = start_on_gpu(120, 40, "1.RCS.2000.0.1\n");

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		pty_send(p, refused[i][0]);
		pty_wait_text(p, refused[i][1]);
		pty_send(p, ":reset\r");
		pty_wait_gone(p, refused[i][1]);
	}
	pty_wait_text(p, "running");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

TEST(live_changes)
{
	struct pty *p = start_on_gpu(
	    140, 40, "1.RCS.2000.0.1\n2.VCS1.1000.0.1\np.10000\n");

	pty_wait_text(p, "ctx 1 ");
	pty_send(p, ":prio 1 -5\r");
	pty_wait_text(p, "P.1.-5");
	pty_send(p, ":launch 2\r");
	pty_wait_text(p, "clients 3");
	pty_send(p, ":kill 1\r");
	pty_wait_text(p, "Kill client 1");
	pty_send(p, "y");
	pty_wait_text(p, "clients 2 of 3");
	pty_send(p, "5G:duration 1500\r");
	pty_wait_text(p, "1500");
	pty_send(p, "2R");
	pty_wait_text(p, "restarted");
	pty_wait_text(p, "clients 2 ");
	pty_send(p, ":batch\r");
	pty_wait_text(p, "gpuwl-top -b -D pci:");
	pty_wait_text(p, "a GPU runs in real time: its figures differ");
	pty_send(p, "q:quit!\r");
	pty_expect_end(p, 0);
}

/* Returns the pid of the first process that one has started. */
static pid_t
child_of_process(pid_t parent)
{
	char path[64];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent,
	    (int)parent);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%d", &pid), 1);
	fclose(f);
	return pid;
}

/* The driver refuses everything then. The console stays, to look at the run. A
 * shell is between, as the end of the first process of a terminal ends all. */
TEST(a_gpu_that_has_gone)
{
	char line[8192];
	char *argv[] = {(char *)"/bin/sh", (char *)"-c", line, (char *)NULL};
	char *env[] = {test_state_home(), NULL};
	pid_t device, console;
	struct pty *p;

	snprintf(line, sizeof(line),
	    "%s -q %s -D pci: -w 1.RCS.2000.0.1; exec sleep 1000",
	    pty_program(), gpuwl_top());
	p = pty_start(120, 40, argv, env);
	pty_wait_text(p, "ctx 1 ");
	device = child_of_process(pty_pid(p));
	console = child_of_process(device);
	kill(device, SIGKILL);
	pty_wait_text(p, "GPU REFUSES");
	pty_send(p, "R");
	pty_wait_text(p, "the GPU has gone");
	pty_send(p, ":launch 1\r");
	pty_wait_text(p, "takes no changes");
	kill(console, SIGTERM);
	await_process(console);
	pty_free(p);
}

TEST(signals_end_it)
{
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct pty *p = start_on_gpu(
		    80, 24, "1.RCS.*.0.0\nd.1000000\n");

		pty_wait_text(p, "ctx 1 ");
		kill(child_of_process(pty_pid(p)), signals[i]);
		pty_expect_end(p, (128 + signals[i]) << 8);
	}
}

FIXTURES(use_gpuwl_top, NULL);
