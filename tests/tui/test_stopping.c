/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A key stops long work on a real terminal, and everything is as it was before.
 * The files are large enough that the work would otherwise end, and its message
 * come, long after the key. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define LINES 1000000
#define SMALL "# the small one\n1.RCS.1000.0.0\np.5000\n"

static void
put(const char *name, const char *line, unsigned n)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	for (unsigned i = 0; i < n; i++)
		fputs(line, f);
	assert_int_equal(fclose(f), 0);
}

static struct pty *
start(const char *file, const char *option)
{
	char *argv[] = {pty_program(), (char *)"--profile=ideal", (char *)file,
	    (char *)option, NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p;

	p = pty_start(100, 24, argv, env);
	pty_wait_text(p, "workloads/s");
	return p;
}

static void
stop_edit(const char *command, const char *stop, const char *said)
{
	struct pty *p = start("small.wsim", NULL);

	pty_wait_text(p, "the small one");
	pty_send(p, command);
	pty_send(p, stop);
	pty_wait_text(p, said);
	assert_true(pty_shows(p, "the small one"));
	assert_false(pty_shows(p, "xyz"));
	pty_quit(p);
}

TEST(wrong_file)
{
	stop_edit(":e wrong.wsim\r", "\033",
	    "reading wrong.wsim stopped: nothing was changed");
}

TEST(right_file)
{
	stop_edit(":edit right.wsim\r", "\003",
	    "reading right.wsim stopped: nothing was changed");
}

TEST(launch)
{
	stop_edit(":launch 3 right.wsim\r", "\033",
	    "reading right.wsim stopped: nothing was changed");
}

/* Keys that were typed before the one that stops do what they always do. */
TEST(other_keys)
{
	struct pty *p = start("small.wsim", NULL);

	pty_send(p, ":e wrong.wsim\r");
	pty_send(p, ":speed 7\r\033");
	pty_wait_text(p, "speed 7x");
	assert_true(pty_shows(p, "the small one"));
	pty_quit(p);
}

/* The screen says which key stops it, and without one it is done. */
TEST(says_so)
{
	struct pty *p = start("small.wsim", NULL);

	pty_send(p, ":e wrong.wsim\r");
	pty_wait_text(p, "wrong.wsim does not run");
	assert_non_null(
	    strstr(text_str(pty_stream(p)), "reading wrong.wsim, Esc stops"));
	pty_quit(p);
}

/* The run goes on, and can be restarted later. */
TEST(restart)
{
	struct pty *p = start("right.wsim", NULL);

	pty_wait_text(p, "ring full"); /* the long first instant is over */
	pty_send(p, "R");
	pty_send(p, "\033");
	pty_wait_text(p, "restarting stopped: nothing was changed");
	pty_wait_text(p, "running");
	pty_send(p, "R");
	pty_wait_text(p, "restarted");
	pty_quit(p);
}

/* The file is read again, or not at all: there is nothing in between. */
TEST(read_again)
{
	struct pty *p;

	put("changing.wsim", SMALL, 1);
	p = start("changing.wsim", NULL);
	pty_wait_text(p, "the small one");
	put("changing.wsim", "{\"a\": 1, \"b\": \"xyz\"},\n", LINES);
	pty_send(p, ":e!\r");
	pty_send(p, "\033");
	pty_wait_text(p, "reading changing.wsim stopped: nothing was changed");
	assert_true(pty_shows(p, "the small one"));
	assert_false(pty_shows(p, "[+]"));
	pty_quit(p);
}

/* An edit stays; the clients go on with the text before. */
TEST(edit)
{
	struct pty *p = start("right.wsim", NULL);

	pty_wait_text(p, "ring full");
	pty_send(p, ":prio 1 7\r");
	pty_send(p, "\033");
	pty_wait_text(p, "compilation was stopped");
	pty_quit(p);
}

/* A way beyond the present, and one through the past, say how far they have come;
 * stopped, the run is there, and the present is kept. */
TEST(goto)
{
	struct pty *p;

	put("run.wsim", "1.RCS.100.0.0\n", 1);
	p = start("run.wsim", NULL);
	pty_send(p, ":goto 2000s\r");
	pty_wait_text(p, " %, Esc stops");
	assert_non_null(
	    strstr(text_str(pty_stream(p)), "running on to 2000s: "));
	pty_send(p, "\033");
	pty_wait_text(p, "stopped at");
	pty_wait_text(p, "PAUSED");
	/* A line that the past has not is looked for in all of it. */
	pty_send(p, "5o3.BCS.50.0.0\r");
	pty_wait_text(p, "3.BCS.50.0.0");
	pty_send(p, ":goto 2@0\r");
	pty_wait_text(p, "going to 2@0: ");
	pty_send(p, "\033");
	pty_wait_text(p, "PAST");
	pty_wait_text(p, "stopped at");
	pty_send(p, "F");
	pty_wait_text(p, "the present");
	pty_wait_text(p, "PAUSED");
	pty_quit(p);
}

/* Esc behind the key of a long step ends the step, unless the step was faster: the
 * console goes on to the next command. */
static void
stop_steps(struct pty *p)
{
	char command[32];

	for (int i = 0; i < 3; i++) {
		pty_send(p, "B\033");
		snprintf(command, sizeof command, ":answer%d\r", i);
		pty_send(p, command);
		snprintf(command, sizeof command, "answer%d", i);
		pty_wait_text(p, command);
	}
	pty_quit(p);
}

TEST(step_on_a_device)
{
	static char runtime[128];
	char *argv[] = {pty_program(), (char *)"--serve=steps",
	    (char *)"--profile=mtl", (char *)"-c4000", (char *)"many.wsim",
	    NULL};
	char *env[] = {test_state_home(), runtime, NULL};
	struct pty *p;

	snprintf(runtime, sizeof runtime, "XDG_RUNTIME_DIR=%s", test_folder());
	put("many.wsim", "1.RCS.1.0.1\n", 5000);
	p = pty_start(100, 24, argv, env);
	pty_wait_text(p, "workloads/s");
	pty_send(p, " ");
	pty_wait_text(p, "GPU STOPPED");
	stop_steps(p);
}

TEST(step_in_the_past)
{
	struct pty *p;

	put("many.wsim", "1.RCS.1.0.1\n", 5000);
	p = start("many.wsim", "-c400");
	pty_send(p, ":goto 300ms\r");
	pty_wait_text(p, "PAUSED");
	pty_send(p, ":goto 100ms\r");
	pty_wait_text(p, "PAST");
	stop_steps(p);
}

static int
set_up(void **state)
{
	(void)state;
	enter_test_folder();
	put("small.wsim", SMALL, 1);
	put("wrong.wsim", "{\"a\": 1, \"b\": \"xyz\"},\n", 3 * LINES);
	put("right.wsim", "1.RCS.1000.0.0\n", LINES);
	return 0;
}

FIXTURES(set_up, NULL);
