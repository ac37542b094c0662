/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is not one console's alone: another console, other programs,
 * other names of it, and a folder that goes away. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define STEPS   "P.1.1\n1.RCS.1000.0.0\np.5000\n"
#define TWEAKED "P.1.7\n1.RCS.1000.0.0\np.5000\n"
#define ROUNDS  20

static struct pty *
start(const char *file)
{
	char *argv[] = {
	    pty_program(), (char *)"--profile=ideal", (char *)file, NULL};
	char state[128];
	char *env[] = {state, NULL};
	struct pty *p;

	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s", test_path("state"));
	p = pty_start(100, 24, argv, env);
	pty_wait_text(p, "workloads/s");
	return p;
}

static void
tweak(struct pty *p, int priority)
{
	char command[32];

	snprintf(command, sizeof(command), ":prio 1 %d\r", priority);
	pty_send(p, command);
	pty_wait_text(p, "[+]");
}

/* Until it says that it has written, or asks what else; true: it has. */
static bool
wait_answer(struct pty *p)
{
	for (int i = 0; i < 3000; i++) {
		pty_wait_bytes(p);
		if (pty_shows(p, "a.wsim written"))
			return true;
		if (pty_shows(p, "changed on disk:"))
			return false;
	}
	fail_msg("no answer");
	return false;
}

/* Until that is in a recovery file, beside or in the state folder. */
static void
wait_kept(struct pty *p, const char *text)
{
	struct text command = {0};
	int status = 1;

	text_addf(&command,
	    "find . -name '*.gpuwl-recover' | xargs -r cat | grep -q %s", text);
	for (int i = 0; i < 500 && status != 0; i++) {
		pty_drain(p);
		status = system(text_str(&command));
	}
	assert_int_equal(status, 0);
	text_free(&command);
}

/* Both write at once: one has written, the other one asks, keeps its edit and
 * its recovery file. */
TEST(two_consoles)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct pty *a, *b;
		bool first, second;

		write_file("a.wsim", STEPS);
		a = start("a.wsim");
		b = start("a.wsim");
		tweak(a, 7);
		tweak(b, 9);
		pty_send(a, "w");
		pty_send(b, "w");
		first = wait_answer(a);
		second = wait_answer(b);
		assert_int_equal(first + second, 1);
		expect_file("a.wsim",
		    first ? TWEAKED : "P.1.9\n1.RCS.1000.0.0\np.5000\n");
		wait_kept(first ? b : a, first ? "P.1.9" : "P.1.7");
		kill(pty_pid(a), SIGKILL);
		kill(pty_pid(b), SIGKILL);
		pty_expect_end(a, SIGKILL);
		pty_expect_end(b, SIGKILL);
		assert_int_equal(
		    system("rm -rf .a.wsim.gpuwl-recover state"), 0);
	}
}

/* Neither size nor time tells of it. */
TEST(kept_time)
{
	struct pty *p;

	write_file("a.wsim", STEPS);
	p = start("a.wsim");
	tweak(p, 7);
	assert_int_equal(system("touch -r a.wsim b; printf 'P.1.2\\n' | "
				"dd of=a.wsim conv=notrunc status=none; "
				"touch -r b a.wsim; rm b"),
	    0);
	pty_wait_text(p, "a.wsim changed on disk (:e!");
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim changed on disk:");
	pty_send(p, "\033:q!\r");
	pty_expect_end(p, 0);
	expect_file("a.wsim", "P.1.2\n1.RCS.1000.0.0\np.5000\n");
}

/* A change after the question is asked about as well. */
TEST(asked_again)
{
	struct pty *p;

	write_file("a.wsim", STEPS);
	write_file("b.wsim", "first\n");
	p = start("a.wsim");
	tweak(p, 7);
	write_file("a.wsim", "# first\n");
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim changed on disk:");
	write_file("a.wsim", "# second\n");
	pty_send(p, "o");
	pty_wait_text(p, "a.wsim changed on disk again:");
	expect_file("a.wsim", "# second\n");
	pty_send(p, "o");
	pty_wait_text(p, "a.wsim written");
	expect_file("a.wsim", TWEAKED);
	pty_send(p, ":w b.wsim\r");
	pty_wait_text(p, "b.wsim exists:");
	write_file("b.wsim", "second\n");
	pty_send(p, "o");
	pty_wait_text(p, "b.wsim has changed:");
	expect_file("b.wsim", "second\n");
	pty_send(p, "o");
	pty_wait_text(p, "b.wsim written");
	expect_file("b.wsim", TWEAKED);
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

TEST(several_names)
{
	struct pty *p;
	struct stat st;

	write_file("a.wsim", STEPS);
	assert_int_equal(link("a.wsim", "other.wsim"), 0);
	p = start("a.wsim");
	tweak(p, 7);
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim has 2 names (hard links), and the others");
	pty_wait_text(p, ":w! writes into it in");
	expect_file("other.wsim", STEPS);
	pty_send(p, "\033:w!\r");
	pty_wait_text(p, "a.wsim written, 3 lines");
	pty_wait_gone(p, "[+]");
	expect_file("other.wsim", TWEAKED);
	assert_int_equal(stat("a.wsim", &st), 0);
	assert_int_equal(st.st_nlink, 2);
	pty_send(p, "q");
	pty_expect_end(p, 0);
	assert_int_equal(unlink("other.wsim"), 0);
}

TEST(attributes)
{
	char value[16] = "";
	struct pty *p;

	write_file("a.wsim", STEPS);
	if (setxattr("a.wsim", "user.note", "a note", 6, 0) != 0) {
		skip_test("no extended attributes in this file system");
	}
	p = start("a.wsim");
	tweak(p, 7);
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim written, 3 lines");
	assert_int_equal(
	    getxattr("a.wsim", "user.note", value, sizeof(value)), 6);
	assert_string_equal(value, "a note");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* Unplugged while it is edited: what was not written is there again when the
 * folder is. */
TEST(folder_gone)
{
	struct pty *p;

	assert_int_equal(mkdir("usb", 0755), 0);
	write_file("usb/a.wsim", STEPS);
	p = start("usb/a.wsim");
	assert_int_equal(rename("usb", "usb.away"), 0);
	tweak(p, 7);
	wait_kept(p, "P.1.7");
	kill(pty_pid(p), SIGKILL);
	pty_expect_end(p, SIGKILL);
	assert_int_equal(rename("usb.away", "usb"), 0);
	p = start("usb/a.wsim");
	pty_wait_text(p, "unsaved edits of a.wsim from 20");
	pty_send(p, "r");
	pty_wait_text(p, "P.1.7");
	pty_send(p, ":wq\r");
	pty_expect_end(p, 0);
	expect_file("usb/a.wsim", TWEAKED);
	assert_int_equal(system("! ls -A usb state/gpuwl | grep recover"), 0);
}

/* The folder that it was mounted on is there meanwhile, and empty. */
TEST(unmounted)
{
	struct pty *p;

	assert_int_equal(
	    system("rm -rf usb usb.away && mkdir usb && printf '" STEPS
		   "' >usb/a.wsim"),
	    0);
	p = start("usb/a.wsim");
	assert_int_equal(rename("usb", "usb.away"), 0);
	assert_int_equal(mkdir("usb", 0755), 0);
	tweak(p, 7);
	wait_kept(p, "P.1.7");
	kill(pty_pid(p), SIGKILL);
	pty_expect_end(p, SIGKILL);
	assert_int_equal(rmdir("usb"), 0); /* nothing is in it */
	assert_int_equal(rename("usb.away", "usb"), 0);
	p = start("usb/a.wsim");
	pty_wait_text(p, "unsaved edits of a.wsim from 20");
	pty_send(p, "x");
	pty_wait_gone(p, "unsaved edits of a.wsim from 20");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* Files of a killed save go when a file of the folder is opened next. */
TEST(dead_saves)
{
	struct pty *p;

	write_file("a.wsim", STEPS);
	assert_int_equal(mkdir("state", 0700), 0);
	assert_int_equal(mkdir("state/gpuwl", 0700), 0);
	write_file(".gpuwl-save-aB3dEf", "half a te");
	write_file("state/gpuwl/.gpuwl-save-aB3dEf", "half a te");
	p = start("a.wsim");
	pty_wait_text(p, "F10");
	pty_send(p, "q");
	pty_expect_end(p, 0);
	assert_int_equal(access(".gpuwl-save-aB3dEf", F_OK), -1);
	assert_int_equal(access("state/gpuwl/.gpuwl-save-aB3dEf", F_OK), -1);
}

FIXTURES(in_test_folder, NULL);
