/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unsaved edits on a real terminal: what a killed program leaves, what is
 * asked before one leaves, and files that others have changed. */
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define STEPS    "P.1.1\n# kept\n1.RCS.1000-2000.0.0\n\tp.5000 \n"
#define TWEAKED  "P.1.7\n# kept\n1.RCS.1000-2000.0.0\n\tp.5000 \n"
#define RECOVERY ".a.wsim.gpuwl-recover"

static bool
is_there(const char *name)
{
	return access(name, F_OK) == 0;
}

/* For what happens in the program's own time. */
static void
wait_file(struct pty *p, const char *name, bool there)
{
	for (int i = 0; i < 500 && is_there(name) != there; i++) {
		pty_drain(p);
		poll(NULL, 0, 10);
	}
	assert_int_equal(is_there(name), there);
}

static bool
has_text(const char *name, const char *text)
{
	char buf[4096] = "";
	FILE *f = fopen(name, "r");

	if (f == NULL)
		return false;
	buf[fread(buf, 1, sizeof(buf) - 1, f)] = 0;
	fclose(f);
	return strstr(buf, text) != NULL;
}

/* Until what was edited last is kept: that is a moment behind. */
static void
wait_kept(struct pty *p, const char *text)
{
	for (int i = 0; i < 500 && !has_text(RECOVERY, text); i++) {
		pty_drain(p);
		poll(NULL, 0, 10);
	}
	assert_true(has_text(RECOVERY, text));
}

static struct pty *
start_with(const char *option, const char *argument)
{
	char *argv[] = {pty_program(), (char *)option, (char *)argument, NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p;

	p = pty_start(100, 24, argv, env);
	pty_wait_text(p, "workloads/s");
	return p;
}

static struct pty *
start(void)
{
	return start_with("--profile=ideal", "a.wsim");
}

static void
tweak(struct pty *p)
{
	pty_send(p, ":prio 1 7\r");
	pty_wait_text(p, "[+]");
}

/* Paused, so that nothing but the recovery file wakes the program up. */
TEST(killed)
{
	struct pty *p;

	write_file("a.wsim", STEPS);
	p = start();
	pty_send(p, " ");
	pty_wait_text(p, "PAUSED");
	tweak(p);
	wait_file(p, RECOVERY, true);
	kill(pty_pid(p), SIGKILL);
	pty_expect_end(p, SIGKILL);
	expect_file("a.wsim", STEPS);

	/* Keys that are typed into a prompt do not answer the question. */
	p = start();
	pty_wait_text(p, "unsaved edits of a.wsim from 20");
	pty_send(p, ":delay 5\r");
	pty_wait_text(p, "answer r, d, x or Esc");
	pty_send(p, "\033");
	pty_wait_text(p, ":recover asks again; kept in /");
	assert_true(is_there(RECOVERY));
	assert_false(pty_shows(p, "recovered"));
	pty_send(p, "q");
	pty_expect_end(p, 0);

	/* It is reported, and nothing is asked before a command. */
	p = start();
	pty_wait_text(p, "unsaved edits of a.wsim are kept (:recover asks)");
	pty_send(p, ":recover\r");
	pty_wait_text(p, "unsaved edits of a.wsim from 20");
	pty_send(p, "d");
	pty_wait_text(p, "1 - P.1.1");
	pty_wait_text(p, "1 + P.1.7");
	assert_false(pty_shows(p, "unsaved edits of"));
	pty_send(p, "q");
	pty_wait_text(p, "unsaved edits of a.wsim from 20");
	pty_send(p, "r");
	pty_wait_text(p, "recovered");
	pty_wait_text(p, "P.1.7");
	pty_send(p, ":undo\r");
	pty_wait_gone(p, "[+]");
	pty_send(p, ":redo\r");
	pty_wait_text(p, "[+]");
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim written, 4 lines");
	pty_wait_gone(p, "[+]");
	pty_send(p, "q");
	pty_expect_end(p, 0);
	expect_file("a.wsim", TWEAKED);
	assert_false(is_there(RECOVERY));
	p = start();
	pty_wait_text(p, "F10");
	assert_false(pty_shows(p, "unsaved"));
	pty_free(p);
}

/* Signals that ask to end leave a recovery file at once; it may be kept for
 * later, though one edits on, or deleted. */
TEST(terminated)
{
	struct pty *p;

	write_file("a.wsim", STEPS);
	p = start();
	tweak(p);
	kill(pty_pid(p), SIGTERM);
	pty_expect_end(p, SIGTERM);
	assert_true(is_there(RECOVERY));

	p = start();
	pty_wait_text(p, "keep for later");
	pty_send(p, "\033");
	pty_wait_text(p, ":recover asks again");
	pty_send(p, ":prio 1 9\r");
	pty_wait_text(p, "[+]");
	kill(pty_pid(p), SIGHUP);
	pty_expect_end(p, SIGHUP);

	/* The new ones are offered, and the others on demand. */
	p = start();
	pty_wait_text(p, "keep for later");
	pty_send(p, "d");
	pty_wait_text(p, "1 + P.1.9");
	pty_send(p, "q");
	pty_wait_text(p, "keep for later");
	pty_send(p, "x");
	pty_wait_gone(p, "keep for later");
	pty_send(p, "q");
	pty_expect_end(p, 0);
	p = start();
	pty_wait_text(p, "(:recover asks)");
	write_file("a.wsim", "# new\n" STEPS);
	pty_wait_text(p, "changed on disk");
	pty_send(p, ":e!\r");
	pty_wait_text(p, "# new");
	pty_send(p, ":recover\r");
	pty_wait_text(p, ", before it was written:");
	pty_send(p, "r");
	pty_wait_text(p, "P.1.7");
	pty_send(p, ":q!\r");
	pty_expect_end(p, 0);
	assert_false(is_there(RECOVERY));
	expect_file("a.wsim", "# new\n" STEPS);
}

TEST(without_a_name)
{
	struct pty *p;

	p = start_with("-w", "P.1.1,1.RCS.1000.0.0");
	tweak(p);
	kill(pty_pid(p), SIGTERM);
	pty_expect_end(p, SIGTERM);
	p = start_with("-w", "P.1.1,1.RCS.1000.0.0");
	pty_wait_text(p, "unsaved edits of -w from 20");
	pty_send(p, "r");
	pty_wait_text(p, "P.1.7");
	pty_send(p, ":wq b.wsim\r");
	pty_expect_end(p, 0);
	expect_file("b.wsim", "P.1.7\n1.RCS.1000.0.0\n");
	p = start_with("-w", "1.RCS.1000.0.0");
	pty_wait_text(p, "F10");
	assert_false(pty_shows(p, "unsaved"));
	pty_free(p);
}

/* Counts what the screen shows. */
static int
count_shown(struct pty *p, const char *text)
{
	struct text screen = {0};
	const char *at;
	int n = 0;

	pty_screen(p, &screen);
	for (at = text_str(&screen); (at = strstr(at, text)) != NULL; at++)
		n++;
	text_free(&screen);
	return n;
}

/* A file that is named twice is two workloads and one document. */
TEST(same_file)
{
	char *argv[] = {pty_program(), (char *)"-w", (char *)"a.wsim",
	    (char *)"-w", (char *)"same.wsim", (char *)"-w", (char *)"b.wsim",
	    (char *)"-w", (char *)"./a.wsim", NULL};
	struct pty *p;

	write_file("a.wsim", STEPS);
	write_file("b.wsim", "2.BCS.100.0.0\np.5000\n");
	assert_int_equal(symlink("a.wsim", "same.wsim"), 0);
	p = pty_start(100, 30, argv, NULL);
	pty_wait_text(p, "clients 4");
	pty_wait_text(p, "1 of 2 (J K)");
	pty_send(p, ":prio 1 7\r");
	pty_wait_text(p, "the text of 3 clients");
	pty_wait_text(p, "a.wsim [+]");
	pty_wait_text(p, " 3 █  1 a              7 ");
	pty_wait_text(p, " 0 █  1 a              7 ");
	pty_wait_text(p, " 1 █  1 same           7 ");
	assert_int_equal(count_shown(p, "             1  RCS"), 0);
	/* All clients take over values that are not of a context, too. */
	pty_send(p, "5jj:duration 300\r");
	pty_wait_text(p, "1.RCS.300.0.0");
	pty_wait_gone(p, "the previous text");
	wait_kept(p, "1.RCS.300.0.0");
	pty_send(p, ":undo\r");
	pty_wait_text(p, "1.RCS.1000-2000.0.0");
	pty_wait_gone(p, "the previous text");
	pty_send(p, "J");
	pty_wait_text(p, "2 of 2 (J K)");
	pty_send(p, "J");
	pty_wait_text(p, "1 of 2 (J K)");
	pty_send(p, ":e ./same.wsim\r");
	pty_wait_text(p, "1 of 2 (J K)");
	pty_send(p, ":w b.wsim\r");
	pty_wait_text(p, "b.wsim is open here as another descriptor");
	wait_kept(p, "1.RCS.1000-2000.0.0");
	kill(pty_pid(p), SIGKILL);
	pty_expect_end(p, SIGKILL);

	/* Offered once, asked about once, written once. */
	p = pty_start(100, 30, argv, NULL);
	pty_wait_text(p, "unsaved edits of a.wsim from 20");
	pty_send(p, "r");
	pty_wait_text(p, "recovered");
	pty_send(p, "q");
	pty_wait_text(p, "unsaved edits: a.wsim  w");
	pty_send(p, "w");
	pty_expect_end(p, 0);
	expect_file("a.wsim", TWEAKED);
	expect_file("b.wsim", "2.BCS.100.0.0\np.5000\n");
	assert_false(is_there(RECOVERY));
	assert_int_equal(unlink("same.wsim"), 0);
}

TEST(leaving)
{
	struct pty *p;

	write_file("a.wsim", STEPS);
	p = start();
	tweak(p);
	pty_send(p, "q");
	pty_wait_text(p, "unsaved edits: a.wsim");
	pty_send(p, "\033");
	pty_wait_gone(p, "unsaved edits:");
	pty_send(p, ":q\r");
	pty_wait_text(p, "unsaved edits: a.wsim");
	pty_send(p, "w");
	pty_expect_end(p, 0);
	expect_file("a.wsim", TWEAKED);

	write_file("a.wsim", STEPS);
	p = start();
	tweak(p);
	pty_send(p, "q");
	pty_wait_text(p, "unsaved edits: a.wsim");
	pty_send(p, "q");
	pty_expect_end(p, 0);
	expect_file("a.wsim", STEPS);
	assert_false(is_there(RECOVERY));

	/* Ctrl-C twice: at once, but nothing is lost. */
	p = start();
	tweak(p);
	pty_send(p, "\003");
	pty_wait_text(p, "unsaved edits: a.wsim");
	pty_send(p, "\003");
	pty_expect_end(p, SIGINT);
	expect_file("a.wsim", STEPS);
	assert_true(is_there(RECOVERY));
	unlink(RECOVERY);
}

TEST(tiny)
{
	struct pty *p;

	write_file("a.wsim", STEPS);
	p = start();
	tweak(p);
	pty_resize(p, 24, 5);
	pty_wait_text(p, "too small");
	pty_send(p, "q");
	pty_wait_text(p, "q quit without");
	pty_wait_text(p, "Esc stay");
	pty_send(p, "q");
	pty_expect_end(p, 0);
	expect_file("a.wsim", STEPS);
}

TEST(conflict)
{
	struct pty *p;

	write_file("a.wsim", STEPS);
	p = start();
	tweak(p);
	write_file("a.wsim", "# theirs\n" STEPS);
	pty_wait_text(p, "a.wsim changed on disk (:e!");
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim changed on disk:");
	pty_send(p, "d");
	pty_wait_text(p, "1 - # theirs");
	pty_wait_text(p, "2 - P.1.1");
	pty_wait_text(p, "1 + P.1.7");
	assert_false(pty_shows(p, "changed on disk:"));
	pty_send(p, "q");
	pty_wait_gone(p, "# theirs");
	pty_wait_text(p, "a.wsim changed on disk:");
	expect_file("a.wsim", "# theirs\n" STEPS);
	pty_send(p, "\033");
	pty_wait_gone(p, "a.wsim changed on disk:");
	expect_file("a.wsim", "# theirs\n" STEPS);
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim changed on disk:");
	pty_send(p, "d");
	pty_wait_text(p, "1 - # theirs");
	pty_send(p, "q");
	pty_wait_text(p, "a.wsim changed on disk:");
	pty_send(p, "o");
	pty_wait_text(p, "a.wsim written");
	expect_file("a.wsim", TWEAKED);

	write_file("a.wsim", "# theirs\n" STEPS);
	pty_wait_text(p, "a.wsim changed on disk (:e!");
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim changed on disk:");
	pty_send(p, "r");
	pty_wait_text(p, "# theirs");
	assert_false(pty_shows(p, "[+]"));
	pty_send(p, ":undo\r");
	pty_wait_text(p, "undone: # theirs -> P.1.7 at line 1, and 1 more");
	pty_wait_text(p, "P.1.7");
	pty_wait_text(p, "[+]");
	pty_send(p, ":e!\r");
	pty_wait_text(p, "a.wsim read again");
	assert_false(pty_shows(p, "[+]"));

	/* Gone: it is written again. */
	unlink("a.wsim");
	pty_wait_text(p, "a.wsim was removed from disk");
	pty_send(p, "w");
	pty_wait_text(p, "a.wsim written");
	expect_file("a.wsim", "# theirs\n" STEPS);
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* Text that can't be written is not lost. */
TEST(refused)
{
	struct pty *p;

	assert_int_equal(mkdir("sub", 0700), 0);
	write_file("sub/a.wsim", STEPS);
	p = start_with("--profile=ideal", "sub/a.wsim");
	tweak(p);
	/* Beside the file while that is there. */
	wait_file(p, "sub/" RECOVERY, true);
	unlink("sub/a.wsim");
	unlink("sub/" RECOVERY);
	assert_int_equal(rmdir("sub"), 0);
	pty_send(p, "w");
	pty_wait_text(p, "can't save sub/a.wsim: its folder does not exist");
	pty_wait_text(p, "[+]");
	pty_send(p, ":w /dev/full\r");
	pty_wait_text(p, "/dev/full is not a regular file");
	assert_int_equal(symlink("real.wsim", "link.wsim"), 0);
	pty_send(p, ":w! link.wsim\r");
	pty_wait_text(p, "link.wsim written");
	expect_file("real.wsim", TWEAKED);
	pty_send(p, ":w my\\ file\r");
	pty_wait_text(p, "my file written");
	expect_file("my file", TWEAKED);
	pty_send(p, "q");
	pty_wait_text(p, "unsaved edits: a.wsim");
	pty_send(p, "w");
	pty_wait_text(p, "can't save");
	pty_send(p, ":q!\r");
	pty_expect_end(p, 0);
}

/* A limit, as a full disk: said, and the file is as it was. */
TEST(no_room)
{
	char *argv[] = {(char *)"/bin/sh", (char *)"-c",
	    (char *)"ulimit -f 128; exec \"$0\" a.wsim", pty_program(), NULL};
	struct text long_text = {0};
	struct pty *p;

	text_adds(&long_text, STEPS "#");
	for (int i = 0; i < 200000; i++)
		text_addc(&long_text, '-');
	text_addc(&long_text, '\n');
	write_file("a.wsim", text_str(&long_text));
	p = pty_start(100, 24, argv, NULL);
	pty_wait_text(p, "F10");
	tweak(p);
	pty_send(p, "w");
	pty_wait_text(p, "can't save a.wsim: File too large");
	pty_wait_text(p, "[+]");
	pty_send(p, "\033:q!\r");
	pty_expect_end(p, 0);
	assert_int_equal(system("rm -f .a.wsim.gpuwl-recover && "
				"test $(wc -c <a.wsim) -gt 200000 && "
				"grep -q P.1.1 a.wsim && "
				"! ls -A | grep -q gpuwl-save"),
	    0);
	text_free(&long_text);
}

/* A folder is looked into, name by name. */
TEST(browse)
{
	struct pty *p;

	assert_int_equal(mkdir("more", 0700), 0);
	assert_int_equal(mkdir("more/deep", 0700), 0);
	write_file("more/.hidden.wsim", STEPS);
	write_file("more/deep/one of two.wsim", "3.BCS.10.0.1\n");
	write_file("more/deep/two\nof two.wsim", "4.CCS.10.0.1\n");
	write_file("a.wsim", STEPS);
	p = start();
	pty_send(p, ":e more\r");
	pty_wait_text(p, ":e more/deep/");
	pty_send(p, "\t");
	pty_wait_text(p, "one\\ of\\ two.wsim  two\\012of\\ two.wsim");
	assert_false(pty_shows(p, "hidden"));
	pty_send(p, "\t\t\t");
	pty_wait_text(p, ":e more/deep/one\\ of\\ two.wsim");
	pty_send(p, "\r");
	pty_wait_text(p, "3.BCS.10.0.1");
	pty_send(p, ":launch 2 more/deep/two\t\r");
	pty_wait_text(p, "4.CCS.10.0.1");
	pty_send(p, "q");
	pty_expect_end(p, 0);
}

/* The same figures, to the last digit, as from the text that was tuned. */
TEST(tuned_runs_alike)
{
	struct text command = {0};
	struct pty *p;

	write_file("a.wsim", STEPS);
	p = start();
	tweak(p);
	pty_send(p, ":wq\r");
	pty_expect_end(p, 0);
	text_addf(&command,
	    "%s -b -r 20 -q --requests=1.tsv a.wsim >/dev/null 2>&1 && "
	    "printf '" TWEAKED "' >t.wsim && "
	    "%s -b -r 20 -q --requests=2.tsv t.wsim >/dev/null 2>&1 && "
	    "test -s 1.tsv && cmp 1.tsv 2.tsv",
	    pty_program(), pty_program());
	assert_int_equal(system(text_str(&command)), 0);
	text_free(&command);
}

FIXTURES(in_test_folder, NULL);
