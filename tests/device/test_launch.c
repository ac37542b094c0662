/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starting programs: what they find in their environment, and how they end. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/text.h"
#include "device/serve/launch.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

/* Runs a shell command; returns its status and, in output, what it wrote. */
static int
run(const char *command, bool apart, int signal, char **output)
{
	char *argv[] = {
	    (char *)"sh", (char *)"-c", (char *)(uintptr_t)command, NULL};
	int fd = open(test_path("output"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct launch how = {.path = "/bin/sh",
	    .argv = argv,
	    .library = "/lib/none.so",
	    .socket = "/run/the.socket",
	    .root = "/run/the.root",
	    .output = fd,
	    .apart = apart};
	struct text err = {0};
	struct launched p;
	struct pollfd end = {.events = POLLIN};
	int status = -1;

	assert_true(launch_start(&p, &how, &err));
	if (signal != 0)
		launch_signal(&p, signal);
	end.fd = p.pidfd;
	assert_int_equal(poll(&end, 1, -1), 1);
	assert_true(launch_ended(&p, &status));
	assert_false(launch_ended(&p, &status));
	launch_signal(&p, SIGKILL);
	lseek(fd, 0, SEEK_SET);
	if (output != NULL)
		*output = read_open_file(fd, NULL);
	close(fd);
	text_free(&err);
	return status;
}

TEST(environment)
{
	char *output;

	setenv("LD_PRELOAD", "", 1);
	/* The shell would complain of a library that is missing; its builtins
	 * do not start programs. */
	assert_int_equal(run("echo \"$LD_PRELOAD $GPUWL_I915_SOCKET "
			     "$GPUWL_I915_ROOT\"; exit 3",
			     false, 0, &output),
	    3);
	assert_non_null(
	    strstr(output, "/lib/none.so /run/the.socket /run/the.root\n"));
	free(output);
	setenv("LD_PRELOAD", "/lib/first.so", 1);
	setenv("GPUWL_I915_SOCKET", "/run/other", 1);
	assert_int_equal(
	    run("echo $LD_PRELOAD $GPUWL_I915_SOCKET", false, 0, &output), 0);
	assert_non_null(
	    strstr(output, "/lib/first.so:/lib/none.so /run/the.socket\n"));
	free(output);
	unsetenv("LD_PRELOAD");
	unsetenv("GPUWL_I915_SOCKET");
}

TEST(ends)
{
	char *output;

	assert_int_equal(run("exit 0", false, 0, NULL), 0);
	assert_int_equal(run("kill -9 $$", false, 0, NULL), 128 + SIGKILL);
	/* A signal reaches all of a group that was started apart. */
	assert_int_equal(
	    run("sleep 1000 & wait", true, SIGTERM, NULL), 128 + SIGTERM);
	assert_int_equal(run("cat; echo done", true, 0, &output), 0);
	assert_non_null(strstr(output, "done\n"));
	free(output);
}

/* Signals that the caller ignores or blocks are as usual in the program. */
TEST(signals)
{
	sigset_t blocked;

	signal(SIGTERM, SIG_IGN);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	assert_int_equal(
	    run("kill -TERM $$; exit 1", false, 0, NULL), 128 + SIGTERM);
	sigprocmask(SIG_UNBLOCK, &blocked, NULL);
	signal(SIGTERM, SIG_DFL);
}

TEST(refused)
{
	char *argv[] = {(char *)"none", NULL};
	struct launch how = {.path = "/none",
	    .argv = argv,
	    .library = "",
	    .socket = "",
	    .root = "",
	    .output = -1};
	struct text err = {0};
	struct launched p;

	assert_false(launch_start(&p, &how, &err));
	assert_string_equal(
	    text_str(&err), "can't run /none: No such file or directory");
	text_free(&err);
}

static int
use_folder(void **state)
{
	(void)state;
	enter_test_folder();
	return 0;
}

FIXTURES(use_folder, NULL);
