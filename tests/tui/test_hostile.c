/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and values that others have chosen: of files and folders, in
 * descriptors, config files, options and the environment. None of their bytes
 * reaches the terminal as a control, and nothing that comes is hidden or turns
 * the order round: on the screen, on standard error, and in what batch mode
 * prints.
 */
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

/* A title, a cleared screen, C1 controls, marks of direction, invisible
 * characters, what is no UTF-8, and a bell. */
#define HOSTILE                                                                \
	"x\033]0;owned\007\033[2Jy\xc2\x9b"                                    \
	"31m\xe2\x80\xae"                                                      \
	"z\xe2\x81\xa6\xe2\x80\x8b\xc2\xad\xf3\xa0\x80\xa1\xff\xc3\r\x0e\x08"
/* The same for a prompt, where controls are keys: bytes that are not text are
 * quoted. */
#define TYPED                                                                  \
	"x\026\033]0;owned\026\007\026\033[2J\xc2\x9b"                         \
	"31m\xe2\x80\xaez\xe2\x81\xa6\xe2\x80\x8b\xc2\xad\xf3\xa0\x80\xa1\xff"
#define STEPS "P.1.1\n1.RCS.1000.0.0\np.5000\n"

static struct pty *
start_in(char *const env[], const char *const *args)
{
	char *argv[12] = {pty_program()};

	for (int i = 0; args[i] != NULL; i++)
		argv[i + 1] = (char *)args[i];
	return pty_start(100, 30, argv, env);
}

static struct pty *
start(const char *const *args)
{
	char *env[] = {test_state_home(), NULL};

	return start_in(env, args);
}

/* All of these, one after the other, each when the console has taken the one
 * before: it shows a mark then. Each ends what it begins. */
static void
press(struct pty *p, const char *const *keys)
{
	for (size_t i = 0; keys[i] != NULL; i++) {
		char mark[64];

		pty_send(p, keys[i]);
		snprintf(mark, sizeof(mark), ":no-%zu\r", i);
		pty_send(p, mark);
		snprintf(mark, sizeof(mark), "unknown command 'no-%zu'", i);
		pty_wait_text(p, mark);
	}
}

static void
end_harmless(struct pty *p)
{
	pty_wait_status(p);
	pty_check_harmless(p);
	pty_free(p);
}

static const char *const everywhere[] = {"z1", "2", "t", "3", "4", "5", "6",
    "z0", "5ge\001\005\t\t\003", "o# " TYPED "\003", "Wq", "?/owned\rq",
    "\033OQ/owned\rq", "\\owned\r", "\\\025\r", "=", "t", "J", "K",
    ":compare guc\r", ":compare\r", "2Wq", NULL};

/* The name of the file, the folder and what stands in it. */
TEST(files)
{
	static const char text[] = "# " HOSTILE "\n#@ label push \"" HOSTILE
				   "\"\n#@ renderpass \"" HOSTILE
				   "\"\n1.RCS.1000.0.0\n" HOSTILE
				   "\n1.RCS.1000.-1.0\np.5000\n";
	static const char good[] =
	    "# " HOSTILE "\n#@ label push \"xy\xc2\x9b"
	    "31m\xe2\x80\xae\"\n1.RCS.1000.0.0\np.5000\n";
	const char *const args[] = {
	    HOSTILE "/" HOSTILE ".wsim", "good" HOSTILE ".wsim", NULL};
	const char *const files[] = {":e "
				     "x\t\t\003",
	    ":e good\t\t\003", ":w no/such/" TYPED "\r",
	    ":e no/such/" TYPED ".wsim\r", ":w copy" TYPED "\r",
	    ":profile " TYPED "\r", ":scheduler " TYPED "\r",
	    ":theme " TYPED "\r", ":set " TYPED " " TYPED "\r",
	    ":bind " TYPED " " TYPED "\r", ":sort " TYPED "\r",
	    ":view " TYPED "\r", ":" TYPED "\r", ":dump no/such/" TYPED "\r",
	    ":filter " TYPED "\r", ":filter x\r", "/" TYPED "\r",
	    ":delay " TYPED "\r", ":speed " TYPED "\r", ":launch " TYPED "\r",
	    ":kill " TYPED "\r", ":prio " TYPED "\r", NULL};
	struct pty *p;

	assert_int_equal(mkdir(HOSTILE, 0700), 0);
	write_file(HOSTILE "/" HOSTILE ".wsim", text);
	write_file("good" HOSTILE ".wsim", good);
	p = start(args);
	pty_wait_text(p, "owned");
	press(p, everywhere);
	press(p, files);
	pty_send(p, "K5ge\001x\r");
	pty_wait_text(p, "[+]");
	pty_send(p, "q");
	pty_wait_text(p, "unsaved edits: ");
	kill(pty_pid(p), SIGTERM);
	end_harmless(p);
	/* The recovery file that is left is offered. */
	p = start(args);
	pty_wait_text(p, "unsaved edits of ");
	pty_send(p, "d");
	pty_wait_text(p, "Differences");
	pty_send(p, "q");
	pty_wait_text(p, "keep for later");
	pty_send(p, "\033");
	pty_wait_text(p, "asks again");
	pty_send(p, "J:recover\r");
	pty_wait_text(p, "keep for later");
	pty_send(p, "r");
	pty_wait_text(p, "recovered");
	pty_send(p, ":q!\r");
	end_harmless(p);
}

/* As long as a name may be, and a path: they are cut, not the screen. */
TEST(long_names)
{
	char name[256], path[1100] = "";
	const char *args[] = {name, path, NULL};
	struct pty *p;

	memset(name, 'n', 255);
	memcpy(name + 250, ".wsim", 6);
	write_file(name, STEPS);
	for (int i = 0; i < 4; i++) {
		memset(path + strlen(path), 'p', 250);
		assert_int_equal(mkdir(path, 0700), 0);
		strcat(path, "/");
	}
	strcat(path, "a.wsim");
	write_file(path, STEPS);
	p = start(args);
	pty_wait_text(p, "1 of 2 (J K)");
	pty_send(p, ":prio 1 7\r");
	pty_wait_text(p, "[+]");
	pty_send(p, "w");
	pty_wait_text(p, "wsim written, 3 lines");
	pty_send(p, "5J");
	pty_wait_text(p, "2 of 2 (J K)");
	pty_send(p, "g+");
	pty_wait_text(p, "P.1.2");
	pty_send(p, "Kg+");
	pty_wait_text(p, "P.1.8");
	pty_send(p, "q");
	pty_wait_text(p, "w write and quit");
	pty_send(p, "\033");
	pty_wait_gone(p, "w write and quit");
	kill(pty_pid(p), SIGTERM);
	end_harmless(p);
	p = start(args);
	pty_wait_text(p, "r recover");
	pty_send(p, "r");
	pty_wait_text(p, "unsaved edits of a.wsim from 20");
	pty_send(p, "x");
	pty_wait_gone(p, "r recover");
	pty_wait_text(p, "P.1.8");
	pty_send(p, ":q!\r");
	end_harmless(p);
}

/* A config file's keys and values. */
TEST(config)
{
	static const char config[] =
	    "[settings]\ntheme = " HOSTILE "\nprofile = " HOSTILE
	    "\ndelay = \033[2J\n\xe2\x80\xae = 1\n" HOSTILE " = " HOSTILE
	    "\n[" HOSTILE "]\nx = y\n[keys]\npause = " HOSTILE "\n" HOSTILE
	    " = F12\n[colours]\nbusy = " HOSTILE "\n" HOSTILE " = red\n";
	const char *const args[] = {"--config=" HOSTILE ".ini", "a.wsim", NULL};
	char home[64];
	char *env[] = {home, NULL};
	struct pty *p;

	write_file("a.wsim", STEPS);
	write_file(HOSTILE ".ini", config);
	assert_int_equal(mkdir("conf", 0700), 0);
	assert_int_equal(mkdir("conf/gpuwl", 0700), 0);
	write_file("conf/gpuwl/config", config);
	snprintf(home, sizeof(home), "XDG_CONFIG_HOME=%s/conf", test_folder());
	p = start_in(env, args + 1);
	pty_wait_text(p, "Errors in the config file");
	pty_send(p, "GqF\033OQ");
	pty_wait_text(p, "Settings (:set");
	pty_send(p, "q:q!\r");
	end_harmless(p);
	p = start(args);
	pty_wait_text(p, "error");
	if (pty_shows(p, "Errors in the config file"))
		pty_send(p, "q:q!\r");
	end_harmless(p);
}

/* Diagnostics of a program that does not begin, and what it prints. */
TEST(options)
{
	static const char *const lists[][8] = {
	    {"-b", "-w", HOSTILE, NULL},
	    {"-b", "-w", "no/such/" HOSTILE ".wsim", NULL},
	    {"--profile=" HOSTILE, "a.wsim", NULL},
	    {"--scheduler=" HOSTILE, "a.wsim", NULL},
	    {"--config=no/" HOSTILE, "a.wsim", NULL},
	    {"--script=no/" HOSTILE, "a.wsim", NULL},
	    {"--script", "say" HOSTILE, "a.wsim", NULL},
	    {"--" HOSTILE, NULL},
	    {"--speed=" HOSTILE, NULL},
	    {"-r", HOSTILE, NULL},
	    {"--record=no/" HOSTILE, "a.wsim", NULL},
	    {"--error-state=no/" HOSTILE, "a.wsim", NULL},
	    {"--layer=no/" HOSTILE, "a.wsim", NULL},
	    {"-b", "--replay=bad" HOSTILE, NULL},
	    {"-b", "--requests=no/" HOSTILE, "-w", "a.wsim", NULL},
	    {"-b", "--requests=run" HOSTILE ".wsim", "-w",
		"run" HOSTILE ".wsim", NULL},
	    {"-b", "--trace=no/" HOSTILE, "-w", "a.wsim", NULL},
	    {"-b", "-v", "-r", "2", "--json", "-w", "run" HOSTILE ".wsim",
		NULL},
	    {"-b", "-v", "-r", "2", "--scheduler=execlists", "-w",
		"hang" HOSTILE ".wsim", NULL},
	    {"--check", "run" HOSTILE ".wsim", "bad" HOSTILE, NULL},
	    {"--format", "no/" HOSTILE, NULL},
	    {"--layer-dump", "bad" HOSTILE, NULL},
	    {"--layer-dump", "no/" HOSTILE, NULL},
	    {"-l", "--profile=" HOSTILE ".ini", NULL},
	};

	write_file("a.wsim", STEPS);
	write_file(
	    "bad" HOSTILE, HOSTILE "\n{" HOSTILE "\n1." HOSTILE ".1.0.0\n");
	write_file("say" HOSTILE, "wait " HOSTILE "\n" HOSTILE "\n");
	write_file(
	    "run" HOSTILE ".wsim", "#@ label push \"" HOSTILE "\"\n" STEPS);
	write_file("hang" HOSTILE ".wsim", "X.1.0\n1.RCS.*.0.0\n");
	write_file(
	    HOSTILE ".ini", "[" HOSTILE "]\n" HOSTILE " = " HOSTILE "\n");
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		struct pty *p = start(lists[i]);

		end_harmless(p);
	}
}

/* TERM and the locale, sizes, the editor, readline's own file. */
TEST(environment)
{
	static const struct {
		char *env[8];
		int status;
	} rows[] = {
	    {{(char *)"TERM"}, 2},
	    {{(char *)"TERM="}, 2},
	    {{(char *)"TERM=" HOSTILE}, 2},
	    {{(char *)"TERM=../../../etc/passwd"}, 2},
	    {{(char *)"LC_ALL=" HOSTILE}, 0},
	    {{(char *)"LC_ALL=xx_YY.no-such"}, 0},
	    {{(char *)"LC_ALL", (char *)"LANG", (char *)"LC_CTYPE="}, 0},
	    {{(char *)"COLUMNS=" HOSTILE, (char *)"LINES=-1"}, 0},
	    {{(char *)"COLUMNS=99999999999", (char *)"LINES=0"}, 0},
	    {{(char *)"COLUMNS=2", (char *)"LINES=1"}, 0},
	    {{(char *)"NO_COLOR=" HOSTILE, (char *)"ESCDELAY=-7"}, 0},
	    {{(char *)"TERMINFO=/nonexistent", (char *)"HOME=" HOSTILE}, 0},
	};

	write_file("a.wsim", STEPS);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *const args[] = {"a.wsim", NULL};
		struct pty *p = start_in(rows[i].env, args);

		if (rows[i].status == 0) {
			pty_wait_text(p, "CLIENT");
			pty_send(p, ":prio 1 7\r");
			pty_wait_text(p, "[+]");
			pty_send(p, ":q!\r");
		}
		assert_int_equal(
		    WEXITSTATUS(pty_wait_status(p)), rows[i].status);
		pty_check_harmless(p);
		pty_free(p);
	}
}

TEST(editor)
{
	char *env[] = {
	    (char *)"VISUAL=no-such-" HOSTILE, (char *)"EDITOR=", NULL};
	const char *const args[] = {"a.wsim", NULL};
	struct pty *p;

	write_file("a.wsim", STEPS);
	p = start_in(env, args);
	pty_wait_text(p, "CLIENT");
	pty_send(p, "E");
	pty_wait_text(p, "no-such-");
	pty_wait_text(p, "CLIENT");
	pty_send(p, ":q!\r");
	pty_wait_status(p);
	pty_free(p); /* the shell has said what it does not find */
}

/* Bells, macros that press Enter, and what would write to the terminal. */
TEST(inputrc)
{
	static const char rc[] =
	    "set bell-style audible\nset show-all-if-ambiguous on\n"
	    "set colored-stats on\nset visible-stats on\nset page-completions on\n"
	    "set completion-query-items 1\nset show-mode-in-prompt on\n"
	    "set emacs-mode-string \"\\1\\e[2J\\2\"\n"
	    "set enable-bracketed-paste on\nset mark-modified-lines on\n"
	    "set colored-completion-prefix on\nset blink-matching-paren on\n"
	    "set active-region-start-color \"\\e[41m\"\n"
	    "\"\\C-t\": \"speed 7\\C-m\"\n\"\\C-o\": \"\\e]0;owned\\a\"\n"
	    "\"\\C-y\": clear-screen\n\"\\C-g\": re-read-init-file\n"
	    "\"\\C-f\": \"ab\\C-xm\"\n\"\\C-b\": \"a\\C-b\"\n"
	    "$include " HOSTILE "\n" HOSTILE ": " HOSTILE "\n";
	char path[80];
	char *env[] = {path, NULL};
	const char *const args[] = {"a.wsim", NULL};
	struct pty *p;

	write_file("a.wsim", STEPS);
	write_file("inputrc", rc);
	snprintf(path, sizeof(path), "INPUTRC=%s/inputrc", test_folder());
	p = start_in(env, args);
	pty_wait_text(p, "CLIENT");
	pty_send(p, ":\t\t\t\001\001\177\177\007\003");
	pty_send(p, ":se\t\t\003:\017x\003:\031\031zz\003:\030\030\003");
	pty_send(
	    p, ":\022nothing\003:\0330\0339\0331x\003:\026\033\026\007\003");
	/* A macro of keys that mean nothing, and one without an end. */
	pty_send(p, ":\006c");
	pty_wait_text(p, ":abc");
	pty_send(p, "\003:\002\001");
	pty_wait_text(p, ":aaaaaaa");
	pty_send(p, "\003:\024");
	pty_wait_text(p, "speed 7x");
	pty_send(p, "5ge\t\t\022x\003");
	pty_send(p, ":q!\r");
	end_harmless(p);
}

FIXTURES(in_test_folder, NULL);
